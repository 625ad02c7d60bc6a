"""The faults that an IF or a WHILE of TensorFlow Lite can have, in it, beside it or in a subgraph that it invokes.

Each is an edit of the operators of tflite_places.
"""

from collections.abc import Mapping

from ifcert.authoring.faulty.table import BodyFault, Form, Table, fault
from ifcert.authoring.faulty.tflite_places import BESIDE, CONSTANT, IF, LOOP, SUM
from ifcert.authoring.tflite import TfliteEdit, replaced


def _in(line: str, old: str, new: str) -> TfliteEdit:
    return replaced(line, line.replace(old, new), within="home")


def _unread_result(loop: str) -> TfliteEdit:
    """The WHILE reads so, and the operator after it reads the operand in place of its result."""
    return _in(f"{LOOP}\n  {BESIDE}", f"{LOOP}\n  {BESIDE}", f"{loop}\n  {BESIDE.replace('(s)', '(r)')}")


def _fed_floats(text: str) -> str:
    """The WHILE's body returns float32 in place of its second input, an int32, and so does the WHILE."""
    returns = replaced("-> (off, x)", "-> (off, f)\n  f: float32[2] = [1, 2]", within="once")
    return returns(_unread_result(LOOP.replace("s: int32", "s: float32"))(text))


def _with_second_operand(text: str) -> str:
    """The IF passes x twice, and its subgraphs have a second input, which they do not read."""
    for label in ("sums", "holds"):
        text = replaced(": int32[2]) ->", ": int32[2], z: int32[2]) ->", within=label)(text)
    return _in(IF, "x)", "x, x)")(text)


FORMS: Mapping[str, Form] = {
    "none": Form("there is none"),
    "none-with-second-operand": Form(
        "there is none; the IF has a second operand after the condition, which its subgraphs do not read",
        _with_second_operand,
    ),
}

FAULTS: Mapping[str, BodyFault] = {
    "then-99": fault("if/subgraph-index", "then's index is 99", _in(IF, "sums", "99"), "rfc-integer-index"),
    "else-negative": fault("if/subgraph-index", "else's index is -1", _in(IF, "holds", "-1"), "rfc-integer-index"),
    "if-without-options": fault(
        "if/options-required",
        "the IF has no options",
        _in(IF, "then=sums else=holds", "options=none"),
        "rfc-options-table",
    ),
    "cond-absent": fault("if/cond-required", "the IF's condition is index -1", _in(IF, "(c,", "(-,"), "reader-absent"),
    "operand-absent": fault(
        "subgraph/operand-required",
        "the IF's operand after the condition is index -1",
        _in(IF, "x)", "-)"),
        "schema-optional-input",
    ),
    "second-operand-absent": fault(
        "subgraph/operand-required",
        "the IF's second operand after the condition, which no operator of its subgraphs reads, is index -1",
        replaced("IF(c, x, x)", "IF(c, x, -)", within="home"),
        "reader-absent",
        "onert-passing-in",
        of="none-with-second-operand",
    ),
    "addend-absent": fault(
        "file/operands-fit",
        "the second operand of ADD is index -1",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  u: int32[2] = ADD(x, -)"),
        "reader-absent",
    ),
    "loop-without-operands": fault(
        "while/counts-agree",
        "the WHILE has no operands and two outputs",
        _in(LOOP, "(c, r)", "()"),
        "while-input",
        "while-output",
    ),
    "loop-operand-absent": fault(
        "subgraph/operand-required",
        "the WHILE's first operand is index -1",
        _in(LOOP, "(c, r)", "(-, r)"),
        "schema-optional-input",
    ),
    "surplus-operand": fault(
        "if/inputs-positional",
        "the IF has a second operand after the condition, but its subgraphs have one input",
        _in(IF, "(c, x)", "(c, x, x)"),
        "reader-if-counts",
    ),
    "operand-missing": fault(
        "if/inputs-positional",
        "the IF has only the condition, but its subgraphs have one input",
        _in(IF, "(c, x)", "(c)"),
        "onert-passing-in",
    ),
    "surplus-output": fault(
        "if/outputs-positional",
        "the IF has two outputs, but its subgraphs return one",
        _in(IF, "r: int32[2] =", "r: int32[2], u: int32[2] ="),
        "onert-passing-out",
    ),
    "then-gives-more": fault(
        "if/outputs-positional",
        "then has two outputs, but else and the IF have one",
        replaced("-> (sum)", "-> (sum, sum)", within="sums"),
        "onert-passing-out",
    ),
    "else-gives-more": fault(
        "if/outputs-positional",
        "else has two outputs, but then and the IF have one",
        replaced("-> (h)", "-> (h, h)", within="holds"),
        "onert-passing-out",
    ),
    "type-into-then": fault(
        "subgraph/types-agree",
        "then's input is float32, but the operand is int32",
        replaced(
            f"(a: int32[2]) -> (sum)\n  {CONSTANT}\n  {SUM}",
            f"(a: float32[2]) -> (sum)\n  {CONSTANT}\n  {SUM.replace('(a', '(k')}",
        ),
        "if-then-branch",
        "reader-types",
    ),
    "type-out-of-then": fault(
        "subgraph/types-agree",
        "then returns float32, but else and the IF have int32",
        replaced("-> (sum)", "-> (f)\n  f: float32[2] = [1, 2]", within="sums"),
        "if-then-branch",
    ),
    "type-into-condition": fault(
        "subgraph/types-agree",
        "the condition's second input is float32, but the WHILE's operand is int32",
        replaced("x: int32[2]", "x: float32[2]", within="again"),
        "while-cond",
    ),
    "type-out-of-loop": fault(
        "subgraph/types-agree",
        "the WHILE's second output is float32, but its body returns int32",
        _unread_result(LOOP.replace("s: int32", "s: float32")),
        "while-output",
    ),
    "type-into-next-trip": fault(
        "subgraph/types-agree",
        "the WHILE's body takes int32 as its second input, and returns float32",
        _fed_floats,
        "while-body",
    ),
    "type-into-else": fault(
        "subgraph/types-agree",
        "else's input is bool, but the operand is int32",
        replaced("b: int32[2]", "b: bool[2]", within="holds"),
        "if-then-branch",
        "reader-types",
    ),
    "type-out-of-else": fault(
        "subgraph/types-agree",
        "else returns float32, but then and the IF have int32",
        replaced("h: int32[2]", "h: float32[2]", within="holds"),
        "if-then-branch",
    ),
    "body-99": fault("while/subgraph-index", "the body's index is 99", _in(LOOP, "once", "99"), "rfc-integer-index"),
    "while-without-options": fault(
        "while/options-required",
        "the WHILE has no options",
        _in(LOOP, "cond=again body=once", "options=none"),
        "rfc-options-table",
    ),
    "body-gives-less": fault(
        "while/counts-agree",
        "the WHILE's body has two inputs and returns one value",
        replaced("-> (off, x)", "-> (off)", within="once"),
        "while-body",
    ),
    "condition-takes-more": fault(
        "while/counts-agree",
        "the WHILE has two operands, but its condition has three inputs",
        replaced("x: int32[2])", "x: int32[2], z: int32[2])", within="again"),
        "while-cond",
    ),
    "condition-takes-less": fault(
        "while/counts-agree",
        "the WHILE has two operands, but its condition has one input",
        replaced("(c: bool[], x: int32[2])", "(c: bool[])", within="again"),
        "while-cond",
    ),
    "body-takes-less": fault(
        "while/counts-agree",
        "the WHILE has two operands, but its body has one input",
        replaced(
            "(c: bool[], x: int32[2]) -> (off, x)", "(c: bool[]) -> (off, k)\n  k: int32[2] = [1, 2]", within="once"
        ),
        "while-body",
    ),
    "body-gives-more": fault(
        "while/counts-agree",
        "the WHILE's body has two inputs and returns three values",
        replaced("-> (off, x)", "-> (off, x, x)", within="once"),
        "while-body",
    ),
    "body-takes-more": fault(
        "while/counts-agree",
        "the WHILE has two operands, but its body has three inputs",
        replaced("x: int32[2])", "x: int32[2], z: int32[2])", within="once"),
        "while-body",
    ),
    "loop-surplus-output": fault(
        "while/counts-agree",
        "the WHILE has three outputs and two operands",
        _in(LOOP, "s: int32[2] =", "s: int32[2], u: int32[2] ="),
        "while-output",
    ),
    "condition-gives-nothing": fault(
        "while/cond-output",
        "the WHILE's condition has no outputs",
        replaced("-> (c)", "-> ()", within="again"),
        "while-cond",
    ),
    "condition-gives-two": fault(
        "while/cond-output",
        "the WHILE's condition has two outputs",
        replaced("-> (c)", "-> (c, c)", within="again"),
        "while-cond",
    ),
    "loop-output-missing": fault(
        "while/counts-agree",
        "the WHILE has one output and two operands",
        _in(
            f"{LOOP}\n  {BESIDE}",
            f"{LOOP}\n  {BESIDE}",
            f"{LOOP.replace(', s: int32[2]', '')}\n  {BESIDE.replace('(s)', '(r)')}",
        ),
        "while-output",
    ),
    "operand-99": fault("file/tensor-index", "an operand is tensor 99", _in(BESIDE, "(s)", "(@99)"), "schema-operator"),
    "opcode-99": fault(
        "file/operator-code-index",
        "an operator's opcode_index is 99",
        _in(BESIDE, "NEG(s)", "NEG(s) opcode=99"),
        "schema-opcode-index",
    ),
    "unknown-operator": fault(
        "file/operator-is-known",
        "an operator's code is 9999, which the schema does not have",
        _in(BESIDE, "NEG(s)", "NEG(s) deprecated_code=127 builtin_code=9999"),
        "schema-operator-code",
    ),
    "custom-without-a-name": fault(
        "file/operator-is-known",
        "an operator is a custom one, and its code has no name",
        _in(BESIDE, "NEG(s)", "NEG(s) code=32"),
        "schema-operator-code",
    ),
    "unknown-type": fault(
        "file/known-types",
        "an unused tensor has the type 99",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  u: int32[2] {{type=99}}"),
        "schema-tensor-type",
    ),
    "declared-otherwise": fault(
        "file/declared-type-agrees",
        "the result of NEG, of int32, is declared as float32",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  u: float32[2] = NEG(s)"),
        "schema-tensor-type",
    ),
    "strings-declared-otherwise": fault(
        "file/declared-type-agrees",
        "the result of CONCATENATION, of strings, is declared as int32",
        _in(BESIDE, BESIDE, f'{BESIDE}\n  g: string[1] = ["a"]\n  u: int32[2] = CONCATENATION(g, g) axis=0'),
        "schema-tensor-type",
    ),
    "bool-declared-otherwise": fault(
        "file/declared-type-agrees",
        "the result of CONCATENATION, of bool, is declared as int32",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  g: bool[1] = [true]\n  u: int32[2] = CONCATENATION(g, g) axis=0"),
        "schema-tensor-type",
    ),
    **{
        f"{name}-declared-otherwise": fault(
            "file/declared-type-agrees",
            f"the result of CONCATENATION, of {name}, is declared as int32",
            _in(BESIDE, BESIDE, f"{BESIDE}\n  g: {name}[1] = [1]\n  u: int32[2] = CONCATENATION(g, g) axis=0"),
            "schema-tensor-type",
        )
        for name in ("int8", "uint8", "int16")
    },
    "declared-otherwise-in-version-2": fault(
        "file/declared-type-agrees",
        "the result of ADD in version 2, of int32, is declared as float32",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  u: float32[2] = ADD(s, x) version=2"),
        "schema-tensor-type",
    ),
    "buffer-99": fault(
        "file/buffer-index",
        "a constant's buffer is 99",
        replaced(CONSTANT, "k: int32[2] {buffer=99}", within="sums"),
        "schema-buffer-index",
    ),
    "buffer-too-short": fault(
        "file/buffer-fits-shape",
        "a constant has four bytes, but its shape takes eight",
        replaced(CONSTANT, "k: int32[2] = bytes 0a 00 00 00", within="sums"),
        "schema-row-major",
    ),
    "made-twice": fault(
        "file/one-producer",
        "two operators produce one tensor",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  t = NEG(x)"),
        "reader-one-producer",
    ),
    "read-before-made": fault(
        "file/made-before-use",
        "an operator comes before the one that produces its operand",
        _in(f"{LOOP}\n  {BESIDE}", f"{LOOP}\n  {BESIDE}", f"{BESIDE}\n  {LOOP}"),
        "schema-execution-order",
    ),
    "reads-its-own-result": fault(
        "file/made-before-use",
        "an operator reads its own result",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  u: int32[2] = ADD(x, u)"),
        "schema-execution-order",
    ),
    "if-reads-its-own-result": fault(
        "file/made-before-use",
        "the IF's operand is its own result",
        _in(IF, "(c, x)", "(c, r)"),
        "schema-execution-order",
    ),
    "result-made-by-nothing": fault(
        "file/made-before-use",
        "else's output is a tensor without content or a producer",
        replaced("h: int32[2] = [7, 8]", "h: int32[2]", within="holds"),
        "reader-outputs",
    ),
    "second-result-made-by-nothing": fault(
        "file/made-before-use",
        "the second output is a tensor without content or a producer",
        _in(BESIDE, BESIDE, f"t: int32[2]\n  {BESIDE.replace('t:', 'u:')}"),
        "reader-outputs",
    ),
    "first-tensor-made-by-nothing": fault(
        "file/made-before-use",
        "the second operand of ADD, the first tensor of its subgraph, has no content and no producer",
        replaced(CONSTANT, "tensors k\n  k: int32[2]", within="sums"),
        "schema-execution-order",
    ),
    "third-operand-made-by-nothing": fault(
        "file/made-before-use",
        "the third operand of CONCATENATION is a tensor without content or a producer",
        _in(BESIDE, BESIDE, f"{BESIDE}\n  w: int32[2]\n  u: int32[6] = CONCATENATION(s, s, w) axis=0"),
        "schema-execution-order",
    ),
}

# The rules with refused vectors that no fault of the table breaks.
A_FILE = "the fault is one of the file, not of a subgraph"
A_PLACE = "the rule is one of the dimensions: place or around"
ELSEWHERE: Mapping[str, str] = {
    "file/buffer-in-file": A_FILE,
    "file/identifier": A_FILE,
    "file/primary-required": A_FILE,
    "file/version": A_FILE,
    "file/well-formed": A_FILE,
    "if/only-taken-subgraph-runs": A_PLACE,
    "nested/if-in-if": A_PLACE,
    "subgraph/primary-order": A_PLACE,
    "while/zero-trips": A_PLACE,
}

TABLE = Table(FORMS, FAULTS, ELSEWHERE)
