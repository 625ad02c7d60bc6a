"""Operators that no run reaches: in an untaken subgraph, in a body without trips, in a subgraph that is never invoked.

A file is valid or not before it runs, so these faults count too; a reader that looks at a subgraph only on entering it
misses them. Each place has one sound model, and each fault is one edit of the operators there.
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, ints
from ifcert.authoring.faults import Faults, case_of, fault, with_fault
from ifcert.authoring.tflite import TfliteEdit, TfliteModel, replaced, tflite

X = ints(1, -2)

# The part that no run reaches: an If and a While, an operator beside them, and the subgraphs that they invoke.
IF, LOOP, BESIDE = (
    "r: int32[2] = IF(c, x) then=sums else=holds",
    "i: bool[], s: int32[2] = WHILE(c, r) cond=again body=once",
    "t: int32[2] = NEG(s)",
)
CONSTANT, SUM = "k: int32[2] = [10, 20]", "sum: int32[2] = ADD(a, k)"
NEVER_RUN = f"""
subgraph never_run (c: bool[], x: int32[2]) -> (c, t)
  {IF}
  {LOOP}
  {BESIDE}
subgraph sums (a: int32[2]) -> (sum)
  {CONSTANT}
  {SUM}
subgraph holds (b: int32[2]) -> (h)
  h: int32[2] = [7, 8]
subgraph again (c: bool[], x: int32[2]) -> (c)
subgraph once (c: bool[], x: int32[2]) -> (off, x)
  off: bool[] = LOGICAL_NOT(c)
"""


def _model(*lines: str) -> TfliteModel:
    return tflite("\n".join(lines) + NEVER_RUN)


UNTAKEN = _model(
    "subgraph main (taken: bool[], c: bool[], x: int32[2]) -> (y)",
    "  d: bool[], y: int32[2] = IF(taken, c, x) then=doubles else=never_run",
    "subgraph doubles (p: bool[], q: int32[2]) -> (p, twice)",
    "  twice: int32[2] = ADD(q, q)",
)
NO_TRIP = _model(
    "subgraph main (c: bool[], x: int32[2]) -> (y)",
    "  d: bool[], e: int32[2] = WHILE(c, x) cond=given body=never_run",
    "  y: int32[2] = ADD(e, x)",
    "subgraph given (p: bool[], q: int32[2]) -> (p)",
)
UNENTERED = _model(
    "subgraph main (c: bool[], x: int32[2]) -> (y)",
    "  y: int32[2] = IF(c, x) then=doubles else=negates",
    "subgraph doubles (q: int32[2]) -> (twice)",
    "  twice: int32[2] = ADD(q, q)",
    "subgraph negates (n: int32[2]) -> (minus)",
    "  minus: int32[2] = NEG(n)",
)


def _in(line: str, old: str, new: str) -> TfliteEdit:
    return replaced(line, line.replace(old, new), within="never_run")


def _unread_result(loop: str) -> TfliteEdit:
    """The While reads so, and the operator after it reads the operand in place of its result."""
    return _in(f"{LOOP}\n  {BESIDE}", f"{LOOP}\n  {BESIDE}", f"{loop}\n  {BESIDE.replace('(s)', '(r)')}")


def _fed_floats(text: str) -> str:
    """The While's body returns float32 in place of its second input, an int32, and so does the While."""
    returns = replaced("-> (off, x)", "-> (off, f)\n  f: float32[2] = [1, 2]", within="once")
    return returns(_unread_result(LOOP.replace("s: int32", "s: float32"))(text))


def _with_second_operand(text: str) -> str:
    """The If passes x twice, and its subgraphs have a second input, which they do not read."""
    for label in ("sums", "holds"):
        text = replaced(": int32[2]) ->", ": int32[2], z: int32[2]) ->", within=label)(text)
    return _in(IF, "x)", "x, x)")(text)


FAULTS: Faults = {
    "if/subgraph-index/then-99: then's index is 99": fault(_in(IF, "sums", "99"), "rfc-integer-index"),
    "if/subgraph-index/else-negative: else's index is -1": fault(_in(IF, "holds", "-1"), "rfc-integer-index"),
    "if/options-required/if-without-options: the If has no options": fault(
        _in(IF, "then=sums else=holds", "options=none"), "rfc-options-table"
    ),
    "if/cond-required/cond-absent: the If's condition is index -1": fault(_in(IF, "(c,", "(-,"), "reader-absent"),
    "subgraph/operand-required/operand-absent: the If's operand after the condition is index -1": fault(
        _in(IF, "x)", "-)"), "schema-optional-input"
    ),
    (
        "subgraph/operand-required/second-operand-absent: "
        "the If's second operand after the condition, which no operator of its subgraphs reads, is index -1"
    ): fault(replaced("IF(c, x, x)", "IF(c, x, -)", within="never_run"), "reader-absent", "onert-passing-in"),
    "subgraph/operand-required/addend-absent: the second operand of ADD is index -1": fault(
        _in(BESIDE, BESIDE, f"{BESIDE}\n  u: int32[2] = ADD(x, -)"), "reader-absent"
    ),
    "while/counts-agree/loop-without-operands: the While has no operands and two outputs": fault(
        _in(LOOP, "(c, r)", "()"), "while-input", "while-output"
    ),
    "subgraph/operand-required/loop-operand-absent: the While's first operand is index -1": fault(
        _in(LOOP, "(c, r)", "(-, r)"), "schema-optional-input"
    ),
    (
        "if/inputs-positional/surplus-operand: "
        "the If has a second operand after the condition, but its subgraphs have one input"
    ): fault(_in(IF, "(c, x)", "(c, x, x)"), "reader-if-counts"),
    "if/inputs-positional/operand-missing: the If has only the condition, but its subgraphs have one input": fault(
        _in(IF, "(c, x)", "(c)"), "onert-passing-in"
    ),
    "if/outputs-positional/surplus-output: the If has two outputs, but its subgraphs return one": fault(
        _in(IF, "r: int32[2] =", "r: int32[2], u: int32[2] ="), "onert-passing-out"
    ),
    "if/outputs-positional/then-gives-more: then has two outputs, but else and the If have one": fault(
        replaced("-> (sum)", "-> (sum, sum)", within="sums"), "onert-passing-out"
    ),
    "if/outputs-positional/else-gives-more: else has two outputs, but then and the If have one": fault(
        replaced("-> (h)", "-> (h, h)", within="holds"), "onert-passing-out"
    ),
    "subgraph/types-agree/type-into-then: then's input is float32, but the operand is int32": fault(
        replaced(
            f"(a: int32[2]) -> (sum)\n  {CONSTANT}\n  {SUM}",
            f"(a: float32[2]) -> (sum)\n  {CONSTANT}\n  {SUM.replace('(a', '(k')}",
        ),
        "if-then-branch",
        "reader-types",
    ),
    "subgraph/types-agree/type-out-of-then: then returns float32, but else and the If have int32": fault(
        replaced("-> (sum)", "-> (f)\n  f: float32[2] = [1, 2]", within="sums"), "if-then-branch"
    ),
    (
        "subgraph/types-agree/type-into-condition: "
        "the condition's second input is float32, but the While's operand is int32"
    ): fault(replaced("x: int32[2]", "x: float32[2]", within="again"), "while-cond"),
    "subgraph/types-agree/type-out-of-loop: the While's second output is float32, but its body returns int32": fault(
        _unread_result(LOOP.replace("s: int32", "s: float32")), "while-output"
    ),
    (
        "subgraph/types-agree/type-into-next-trip: "
        "the While's body takes int32 as its second input, and returns float32"
    ): fault(_fed_floats, "while-body"),
    "subgraph/types-agree/type-into-else: else's input is bool, but the operand is int32": fault(
        replaced("b: int32[2]", "b: bool[2]", within="holds"), "if-then-branch", "reader-types"
    ),
    "subgraph/types-agree/type-out-of-else: else returns float32, but then and the If have int32": fault(
        replaced("h: int32[2]", "h: float32[2]", within="holds"), "if-then-branch"
    ),
    "while/subgraph-index/body-99: the body's index is 99": fault(_in(LOOP, "once", "99"), "rfc-integer-index"),
    "while/options-required/while-without-options: the While has no options": fault(
        _in(LOOP, "cond=again body=once", "options=none"), "rfc-options-table"
    ),
    "while/counts-agree/body-gives-less: the While's body has two inputs and returns one value": fault(
        replaced("-> (off, x)", "-> (off)", within="once"), "while-body"
    ),
    "while/counts-agree/condition-takes-more: the While has two operands, but its condition has three inputs": fault(
        replaced("x: int32[2])", "x: int32[2], z: int32[2])", within="again"), "while-cond"
    ),
    "while/counts-agree/condition-takes-less: the While has two operands, but its condition has one input": fault(
        replaced("(c: bool[], x: int32[2])", "(c: bool[])", within="again"), "while-cond"
    ),
    "while/counts-agree/body-takes-less: the While has two operands, but its body has one input": fault(
        replaced(
            "(c: bool[], x: int32[2]) -> (off, x)", "(c: bool[]) -> (off, k)\n  k: int32[2] = [1, 2]", within="once"
        ),
        "while-body",
    ),
    "while/counts-agree/body-gives-more: the While's body has two inputs and returns three values": fault(
        replaced("-> (off, x)", "-> (off, x, x)", within="once"), "while-body"
    ),
    "while/counts-agree/body-takes-more: the While has two operands, but its body has three inputs": fault(
        replaced("x: int32[2])", "x: int32[2], z: int32[2])", within="once"), "while-body"
    ),
    "while/counts-agree/loop-surplus-output: the While has three outputs and two operands": fault(
        _in(LOOP, "s: int32[2] =", "s: int32[2], u: int32[2] ="), "while-output"
    ),
    "while/cond-output/condition-gives-nothing: the While's condition has no outputs": fault(
        replaced("-> (c)", "-> ()", within="again"), "while-cond"
    ),
    "while/cond-output/condition-gives-two: the While's condition has two outputs": fault(
        replaced("-> (c)", "-> (c, c)", within="again"), "while-cond"
    ),
    "while/counts-agree/loop-output-missing: the While has one output and two operands": fault(
        _in(
            f"{LOOP}\n  {BESIDE}",
            f"{LOOP}\n  {BESIDE}",
            f"{LOOP.replace(', s: int32[2]', '')}\n  {BESIDE.replace('(s)', '(r)')}",
        ),
        "while-output",
    ),
    "file/tensor-index/operand-99: an operand is tensor 99": fault(_in(BESIDE, "(s)", "(@99)"), "schema-operator"),
    "file/operator-code-index/opcode-99: an operator's opcode_index is 99": fault(
        _in(BESIDE, "NEG(s)", "NEG(s) opcode=99"), "schema-opcode-index"
    ),
    "file/operator-is-known/unknown-operator: an operator's code is 9999, which the schema does not have": fault(
        _in(BESIDE, "NEG(s)", "NEG(s) deprecated_code=127 builtin_code=9999"), "schema-operator-code"
    ),
    "file/operator-is-known/custom-without-a-name: an operator is a custom one, and its code has no name": fault(
        _in(BESIDE, "NEG(s)", "NEG(s) code=32"), "schema-operator-code"
    ),
    "file/known-types/unknown-type: an unused tensor has the type 99": fault(
        _in(BESIDE, BESIDE, f"{BESIDE}\n  u: int32[2] {{type=99}}"), "schema-tensor-type"
    ),
    "file/declared-type-agrees/declared-otherwise: the result of NEG, of int32, is declared as float32": fault(
        _in(BESIDE, BESIDE, f"{BESIDE}\n  u: float32[2] = NEG(s)"), "schema-tensor-type"
    ),
    (
        "file/declared-type-agrees/strings-declared-otherwise: "
        "the result of CONCATENATION, of strings, is declared as int32"
    ): fault(
        _in(BESIDE, BESIDE, f'{BESIDE}\n  g: string[1] = ["a"]\n  u: int32[2] = CONCATENATION(g, g) axis=0'),
        "schema-tensor-type",
    ),
    (
        "file/declared-type-agrees/bool-declared-otherwise: the result of CONCATENATION, of bool, is declared as int32"
    ): fault(
        _in(BESIDE, BESIDE, f"{BESIDE}\n  g: bool[1] = [true]\n  u: int32[2] = CONCATENATION(g, g) axis=0"),
        "schema-tensor-type",
    ),
    **{
        (
            f"file/declared-type-agrees/{name}-declared-otherwise: "
            f"the result of CONCATENATION, of {name}, is declared as int32"
        ): fault(
            _in(BESIDE, BESIDE, f"{BESIDE}\n  g: {name}[1] = [1]\n  u: int32[2] = CONCATENATION(g, g) axis=0"),
            "schema-tensor-type",
        )
        for name in ("int8", "uint8", "int16")
    },
    (
        "file/declared-type-agrees/declared-otherwise-in-version-2: "
        "the result of ADD in version 2, of int32, is declared as float32"
    ): fault(_in(BESIDE, BESIDE, f"{BESIDE}\n  u: float32[2] = ADD(s, x) version=2"), "schema-tensor-type"),
    "file/buffer-index/buffer-99: a constant's buffer is 99": fault(
        replaced(CONSTANT, "k: int32[2] {buffer=99}", within="sums"), "schema-buffer-index"
    ),
    "file/buffer-fits-shape/buffer-too-short: a constant has four bytes, but its shape takes eight": fault(
        replaced(CONSTANT, "k: int32[2] = bytes 0a 00 00 00", within="sums"), "schema-row-major"
    ),
    "file/one-producer/made-twice: two operators produce one tensor": fault(
        _in(BESIDE, BESIDE, f"{BESIDE}\n  t = NEG(x)"), "reader-one-producer"
    ),
    "file/made-before-use/read-before-made: an operator comes before the one that produces its operand": fault(
        _in(f"{LOOP}\n  {BESIDE}", f"{LOOP}\n  {BESIDE}", f"{BESIDE}\n  {LOOP}"), "schema-execution-order"
    ),
    "file/made-before-use/reads-its-own-result: an operator reads its own result": fault(
        _in(BESIDE, BESIDE, f"{BESIDE}\n  u: int32[2] = ADD(x, u)"), "schema-execution-order"
    ),
    "file/made-before-use/if-reads-its-own-result: the If's operand is its own result": fault(
        _in(IF, "(c, x)", "(c, r)"), "schema-execution-order"
    ),
    "file/made-before-use/result-made-by-nothing: else's output is a tensor without content or a producer": fault(
        replaced("h: int32[2] = [7, 8]", "h: int32[2]", within="holds"), "reader-outputs"
    ),
    (
        "file/made-before-use/second-result-made-by-nothing: "
        "the second output is a tensor without content or a producer"
    ): fault(_in(BESIDE, BESIDE, f"t: int32[2]\n  {BESIDE.replace('t:', 'u:')}"), "reader-outputs"),
    (
        "file/made-before-use/first-tensor-made-by-nothing: "
        "the second operand of ADD, the first tensor of its subgraph, has no content and no producer"
    ): fault(replaced(CONSTANT, "tensors k\n  k: int32[2]", within="sums"), "schema-execution-order"),
    (
        "file/made-before-use/third-operand-made-by-nothing: "
        "the third operand of CONCATENATION is a tensor without content or a producer"
    ): fault(
        _in(BESIDE, BESIDE, f"{BESIDE}\n  w: int32[2]\n  u: int32[6] = CONCATENATION(s, s, w) axis=0"),
        "schema-execution-order",
    ),
}


def vectors() -> Iterator[Vector]:
    untaken = Vector(
        "tflite/if/only-taken-subgraph-runs/never-run-if",
        "the subgraph that is not taken has an If and a While of its own, without a fault",
        ["onert-if", "rfc-if"],
        UNTAKEN,
        [Run({"taken": np.True_, "c": np.True_, "x": X}, {"y": X + X})],
    )
    no_trip = Vector(
        "tflite/while/zero-trips/never-run-if",
        "the body of a While that makes no trip has an If and a While of its own, without a fault",
        ["onert-while-cond"],
        NO_TRIP,
        [Run({"c": np.False_, "x": X}, {"y": X + X})],
    )
    unentered = Vector(
        "tflite/subgraph/primary-order/never-entered-if",
        "a subgraph that is never invoked has an If and a While, without a fault",
        ["schema-main-model"],
        UNENTERED,
        [Run({"c": np.True_, "x": X}, {"y": X + X})],
    )
    for twin, where in (
        (untaken, "in a subgraph that is not taken: "),
        (no_trip, "in the body of a While that makes no trip: "),
        (unentered, "in a subgraph that is never invoked: "),
    ):
        yield twin
        second = twin.varied(
            f"{twin.id}-second-operand: "
            f"{where}an If has a second operand after the condition, which no operator of its subgraphs reads",
            _with_second_operand,
        )
        yield second
        for written, made in FAULTS.items():
            sound = second if case_of(written) == "second-operand-absent" else twin
            yield with_fault(sound, where, written, made, twin=twin)
