"""Operators that no run reaches: in an untaken subgraph, in a body without trips, in a subgraph that is never invoked.

A file is valid or not before it runs, so these faults count too; a reader that looks at a subgraph only on entering it
misses them. Each place has one sound model, and each fault is one edit of the operators there.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import Run, Source, Vector, ints, says
from ifcert.authoring.tflite import TfliteEdit, TfliteModel, replaced, tflite

INTEGER_INDEX = says("rfc-integer-index")
NOT_LEFT_OUT = says("reader-absent")
OPTIONAL_INPUT = says("schema-optional-input")
OPTIONS = says("rfc-options-table")
PASSING_IN = says("onert-passing-in")
PASSING_OUT = says("onert-passing-out")
SAME_TYPES = says("if-then-branch")
TYPES_AGREE = says("reader-types")
WHILE_BODY = says("while-body")

CODES = says("schema-operator-code")
TYPE = says("schema-tensor-type")

ORDER = says("schema-execution-order")
CONDITION = says("while-cond")
WHILE_OUTPUT = says("while-output")

HAS_A_SOURCE = says("reader-outputs")

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


# By name: the rule that the fault breaks, the edit, the fault in words, and the sentence.
Fault = tuple[str, TfliteEdit, str, Source]
FAULTS: dict[str, Fault] = {
    "then-99": ("if/subgraph-index", _in(IF, "sums", "99"), "then's index is 99", INTEGER_INDEX),
    "else-negative": ("if/subgraph-index", _in(IF, "holds", "-1"), "else's index is -1", INTEGER_INDEX),
    "if-without-options": (
        "if/options-required",
        _in(IF, "then=sums else=holds", "options=none"),
        "the If has no options",
        OPTIONS,
    ),
    "cond-absent": ("if/cond-required", _in(IF, "(c,", "(-,"), "the If's condition is index -1", NOT_LEFT_OUT),
    "operand-absent": (
        "subgraph/operand-required",
        _in(IF, "x)", "-)"),
        "the If's operand after the condition is index -1",
        OPTIONAL_INPUT,
    ),
    "second-operand-absent": (
        "subgraph/operand-required",
        replaced("IF(c, x, x)", "IF(c, x, -)", within="never_run"),
        "the If's second operand after the condition, which no operator of its subgraphs reads, is index -1",
        NOT_LEFT_OUT,
    ),
    "addend-absent": (
        "subgraph/operand-required",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  u: int32[2] = ADD(x, -)"),
        "the second operand of ADD is index -1",
        NOT_LEFT_OUT,
    ),
    "loop-without-operands": (
        "while/counts-agree",
        _in(LOOP, "(c, r)", "()"),
        "the While has no operands and two outputs",
        says("while-input"),
    ),
    "loop-operand-absent": (
        "subgraph/operand-required",
        _in(LOOP, "(c, r)", "(-, r)"),
        "the While's first operand is index -1",
        OPTIONAL_INPUT,
    ),
    "surplus-operand": (
        "if/inputs-positional",
        _in(IF, "(c, x)", "(c, x, x)"),
        "the If has a second operand after the condition, but its subgraphs have one input",
        says("reader-if-counts"),
    ),
    "operand-missing": (
        "if/inputs-positional",
        _in(IF, "(c, x)", "(c)"),
        "the If has only the condition, but its subgraphs have one input",
        PASSING_IN,
    ),
    "surplus-output": (
        "if/outputs-positional",
        _in(IF, "r: int32[2] =", "r: int32[2], u: int32[2] ="),
        "the If has two outputs, but its subgraphs return one",
        PASSING_OUT,
    ),
    "then-gives-more": (
        "if/outputs-positional",
        replaced("-> (sum)", "-> (sum, sum)", within="sums"),
        "then has two outputs, but else and the If have one",
        PASSING_OUT,
    ),
    "else-gives-more": (
        "if/outputs-positional",
        replaced("-> (h)", "-> (h, h)", within="holds"),
        "else has two outputs, but then and the If have one",
        PASSING_OUT,
    ),
    "type-into-then": (
        "subgraph/types-agree",
        replaced(
            f"(a: int32[2]) -> (sum)\n  {CONSTANT}\n  {SUM}",
            f"(a: float32[2]) -> (sum)\n  {CONSTANT}\n  {SUM.replace('(a', '(k')}",
        ),
        "then's input is float32, but the operand is int32",
        SAME_TYPES,
    ),
    "type-out-of-then": (
        "subgraph/types-agree",
        replaced("-> (sum)", "-> (f)\n  f: float32[2] = [1, 2]", within="sums"),
        "then returns float32, but else and the If have int32",
        SAME_TYPES,
    ),
    "type-into-condition": (
        "subgraph/types-agree",
        replaced("x: int32[2]", "x: float32[2]", within="again"),
        "the condition's second input is float32, but the While's operand is int32",
        CONDITION,
    ),
    "type-out-of-loop": (
        "subgraph/types-agree",
        _unread_result(LOOP.replace("s: int32", "s: float32")),
        "the While's second output is float32, but its body returns int32",
        WHILE_OUTPUT,
    ),
    "type-into-next-trip": (
        "subgraph/types-agree",
        _fed_floats,
        "the While's body takes int32 as its second input, and returns float32",
        WHILE_BODY,
    ),
    "type-into-else": (
        "subgraph/types-agree",
        replaced("b: int32[2]", "b: bool[2]", within="holds"),
        "else's input is bool, but the operand is int32",
        SAME_TYPES,
    ),
    "type-out-of-else": (
        "subgraph/types-agree",
        replaced("h: int32[2]", "h: float32[2]", within="holds"),
        "else returns float32, but then and the If have int32",
        SAME_TYPES,
    ),
    "body-99": ("while/subgraph-index", _in(LOOP, "once", "99"), "the body's index is 99", INTEGER_INDEX),
    "while-without-options": (
        "while/options-required",
        _in(LOOP, "cond=again body=once", "options=none"),
        "the While has no options",
        OPTIONS,
    ),
    "body-gives-less": (
        "while/counts-agree",
        replaced("-> (off, x)", "-> (off)", within="once"),
        "the While's body has two inputs and returns one value",
        WHILE_BODY,
    ),
    "condition-takes-more": (
        "while/counts-agree",
        replaced("x: int32[2])", "x: int32[2], z: int32[2])", within="again"),
        "the While has two operands, but its condition has three inputs",
        CONDITION,
    ),
    "condition-takes-less": (
        "while/counts-agree",
        replaced("(c: bool[], x: int32[2])", "(c: bool[])", within="again"),
        "the While has two operands, but its condition has one input",
        CONDITION,
    ),
    "body-takes-less": (
        "while/counts-agree",
        replaced(
            "(c: bool[], x: int32[2]) -> (off, x)", "(c: bool[]) -> (off, k)\n  k: int32[2] = [1, 2]", within="once"
        ),
        "the While has two operands, but its body has one input",
        WHILE_BODY,
    ),
    "body-gives-more": (
        "while/counts-agree",
        replaced("-> (off, x)", "-> (off, x, x)", within="once"),
        "the While's body has two inputs and returns three values",
        WHILE_BODY,
    ),
    "body-takes-more": (
        "while/counts-agree",
        replaced("x: int32[2])", "x: int32[2], z: int32[2])", within="once"),
        "the While has two operands, but its body has three inputs",
        WHILE_BODY,
    ),
    "loop-surplus-output": (
        "while/counts-agree",
        _in(LOOP, "s: int32[2] =", "s: int32[2], u: int32[2] ="),
        "the While has three outputs and two operands",
        WHILE_OUTPUT,
    ),
    "condition-gives-nothing": (
        "while/cond-output",
        replaced("-> (c)", "-> ()", within="again"),
        "the While's condition has no outputs",
        CONDITION,
    ),
    "condition-gives-two": (
        "while/cond-output",
        replaced("-> (c)", "-> (c, c)", within="again"),
        "the While's condition has two outputs",
        CONDITION,
    ),
    "loop-output-missing": (
        "while/counts-agree",
        _in(
            f"{LOOP}\n  {BESIDE}",
            f"{LOOP}\n  {BESIDE}",
            f"{LOOP.replace(', s: int32[2]', '')}\n  {BESIDE.replace('(s)', '(r)')}",
        ),
        "the While has one output and two operands",
        WHILE_OUTPUT,
    ),
    "operand-99": (
        "file/tensor-index",
        _in(BESIDE, "(s)", "(@99)"),
        "an operand is tensor 99",
        says("schema-operator"),
    ),
    "opcode-99": (
        "file/operator-code-index",
        _in(BESIDE, "NEG(s)", "NEG(s) opcode=99"),
        "an operator's opcode_index is 99",
        says("schema-opcode-index"),
    ),
    "unknown-operator": (
        "file/operator-is-known",
        _in(BESIDE, "NEG(s)", "NEG(s) deprecated_code=127 builtin_code=9999"),
        "an operator's code is 9999, which the schema does not have",
        CODES,
    ),
    "custom-without-a-name": (
        "file/operator-is-known",
        _in(BESIDE, "NEG(s)", "NEG(s) code=32"),
        "an operator is a custom one, and its code has no name",
        CODES,
    ),
    "unknown-type": (
        "file/known-types",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  u: int32[2] {{type=99}}"),
        "an unused tensor has the type 99",
        TYPE,
    ),
    "declared-otherwise": (
        "file/declared-type-agrees",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  u: float32[2] = NEG(s)"),
        "the result of NEG, of int32, is declared as float32",
        TYPE,
    ),
    "strings-declared-otherwise": (
        "file/declared-type-agrees",
        _in(BESIDE, BESIDE, f'{BESIDE}\n  g: string[1] = ["a"]\n  u: int32[2] = CONCATENATION(g, g) axis=0'),
        "the result of CONCATENATION, of strings, is declared as int32",
        TYPE,
    ),
    "bool-declared-otherwise": (
        "file/declared-type-agrees",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  g: bool[1] = [true]\n  u: int32[2] = CONCATENATION(g, g) axis=0"),
        "the result of CONCATENATION, of bool, is declared as int32",
        TYPE,
    ),
    **{
        f"{name}-declared-otherwise": (
            "file/declared-type-agrees",
            _in(BESIDE, BESIDE, f"{BESIDE}\n  g: {name}[1] = [1]\n  u: int32[2] = CONCATENATION(g, g) axis=0"),
            f"the result of CONCATENATION, of {name}, is declared as int32",
            TYPE,
        )
        for name in ("int8", "uint8", "int16")
    },
    "declared-otherwise-in-version-2": (
        "file/declared-type-agrees",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  u: float32[2] = ADD(s, x) version=2"),
        "the result of ADD in version 2, of int32, is declared as float32",
        TYPE,
    ),
    "buffer-99": (
        "file/buffer-index",
        replaced(CONSTANT, "k: int32[2] {buffer=99}", within="sums"),
        "a constant's buffer is 99",
        says("schema-buffer-index"),
    ),
    "buffer-too-short": (
        "file/buffer-fits-shape",
        replaced(CONSTANT, "k: int32[2] = bytes 0a 00 00 00", within="sums"),
        "a constant has four bytes, but its shape takes eight",
        says("schema-row-major"),
    ),
    "made-twice": (
        "file/one-producer",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  t = NEG(x)"),
        "two operators produce one tensor",
        says("reader-one-producer"),
    ),
    "read-before-made": (
        "file/made-before-use",
        _in(f"{LOOP}\n  {BESIDE}", f"{LOOP}\n  {BESIDE}", f"{BESIDE}\n  {LOOP}"),
        "an operator comes before the one that produces its operand",
        ORDER,
    ),
    "reads-its-own-result": (
        "file/made-before-use",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  u: int32[2] = ADD(x, u)"),
        "an operator reads its own result",
        ORDER,
    ),
    "if-reads-its-own-result": (
        "file/made-before-use",
        _in(IF, "(c, x)", "(c, r)"),
        "the If's operand is its own result",
        ORDER,
    ),
    "result-made-by-nothing": (
        "file/made-before-use",
        replaced("h: int32[2] = [7, 8]", "h: int32[2]", within="holds"),
        "else's output is a tensor without content or a producer",
        HAS_A_SOURCE,
    ),
    "second-result-made-by-nothing": (
        "file/made-before-use",
        _in(BESIDE, BESIDE, f"t: int32[2]\n  {BESIDE.replace('t:', 'u:')}"),
        "the second output is a tensor without content or a producer",
        HAS_A_SOURCE,
    ),
    "first-tensor-made-by-nothing": (
        "file/made-before-use",
        replaced(CONSTANT, "tensors k\n  k: int32[2]", within="sums"),
        "the second operand of ADD, the first tensor of its subgraph, has no content and no producer",
        ORDER,
    ),
    "third-operand-made-by-nothing": (
        "file/made-before-use",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  w: int32[2]\n  u: int32[6] = CONCATENATION(s, s, w) axis=0"),
        "the third operand of CONCATENATION is a tensor without content or a producer",
        ORDER,
    ),
}

# What decides where the fault's own sentence speaks of results, or of one of two lists, only.
FURTHER: dict[str, Source] = {
    "type-into-then": TYPES_AGREE,
    "type-into-else": TYPES_AGREE,
    "loop-without-operands": WHILE_OUTPUT,
    "second-operand-absent": PASSING_IN,
}


def vectors() -> Iterator[Vector]:
    untaken = Vector(
        "tflite/if/only-taken-subgraph-runs/never-run-if",
        "the subgraph that is not taken has an If and a While of its own, without a fault",
        [says("onert-if"), says("rfc-if")],
        UNTAKEN,
        [Run({"taken": np.True_, "c": np.True_, "x": X}, {"y": X + X})],
    )
    no_trip = Vector(
        "tflite/while/zero-trips/never-run-if",
        "the body of a While that makes no trip has an If and a While of its own, without a fault",
        [says("onert-while-cond")],
        NO_TRIP,
        [Run({"c": np.False_, "x": X}, {"y": X + X})],
    )
    unentered = Vector(
        "tflite/subgraph/primary-order/never-entered-if",
        "a subgraph that is never invoked has an If and a While, without a fault",
        [says("schema-main-model")],
        UNENTERED,
        [Run({"c": np.True_, "x": X}, {"y": X + X})],
    )
    for twin, where in (
        (untaken, "in a subgraph that is not taken"),
        (no_trip, "in the body of a While that makes no trip"),
        (unentered, "in a subgraph that is never invoked"),
    ):
        yield twin
        second = twin.varied(
            f"{twin.id}-second-operand: "
            f"{where}: an If has a second operand after the condition, which no operator of its subgraphs reads",
            _with_second_operand,
        )
        yield second
        for name, (rule, fault, what, sentence) in FAULTS.items():
            sentences = [sentence, FURTHER[name]] if name in FURTHER else [sentence]
            sound = second if name == "second-operand-absent" else twin
            broken = sound.broken(f"{twin.id}-{name}: {where}: {what}", fault, why=[*sentences, *twin.why])
            yield replace(broken, also=[f"tflite/{rule}"])
