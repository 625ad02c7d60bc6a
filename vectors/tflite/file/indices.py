"""Indices of tensors, operator codes and buffers, and the two fields that hold an operator's code."""

from collections.abc import Iterator

from ifcert.authoring import Vector, issue, vectors_of
from ifcert.authoring.tflite import as_circle, replaced
from ifcert.authoring.tflite_loops import DOUBLED, DOUBLES
from ifcert.authoring.tflite_patterns import ADDS_OR_NEGATES, RUNS

UNCHECKED = issue(
    "openvinotoolkit/openvino", 34074, "indices of operands, results and outputs, and -1 among them, were not checked"
)
OF_MICRO = issue("tensorflow/tflite-micro", 3600, "indices of tensors are not checked against the subgraph's list")

tensor_index = vectors_of("tflite/file/tensor-index", "schema-tensors", "schema-inputs", "schema-outputs")

IF = "y: float32[2] = IF(c, x)"
ADD = "sum: float32[2] = ADD(a, k)"
NEG = "minus: float32[2] = NEG(b)"


def tensors() -> Iterator[Vector]:
    """Each list of tensors, in the primary and in an invoked subgraph, with indices out of range."""
    sound = tensor_index("inside: every index names a tensor of its subgraph", ADDS_OR_NEGATES, RUNS)
    for case, (old, new, why) in {
        "primary-output-99: the primary's output is tensor 99": ("-> (y)", "-> (@99)", "schema-outputs"),
        "primary-output-negative: the primary's output is tensor -1": ("-> (y)", "-> (-)", "schema-outputs"),
        "subgraph-output-99: a subgraph's output is tensor 99": ("-> (sum)", "-> (@99)", "schema-outputs"),
        "subgraph-output-one-too-far: a subgraph's output is tensor 3 of 3": ("-> (sum)", "-> (@3)", "schema-outputs"),
        "subgraph-output-negative: a subgraph's output is tensor -1": ("-> (sum)", "-> (-)", "schema-outputs"),
        "subgraph-output-least: a subgraph's output is tensor -2147483648": (
            "-> (sum)",
            "-> (@-2147483648)",
            "schema-outputs",
        ),
        "condition-99: the If's condition is tensor 99": (IF, IF.replace("c,", "@99,"), "schema-operator"),
        "if-operand-99: the If's operand is tensor 99": (IF, IF.replace("x)", "@99)"), "schema-operator"),
        "if-operand-negative: the If's operand is tensor -2": (IF, IF.replace("x)", "@-2)"), "schema-optional-input"),
        "operand-99: an addition's operand is tensor 99": (ADD, ADD.replace("k)", "@99)"), "schema-operator"),
        "operand-one-too-far: an addition's operand is tensor 3 of 3": (
            ADD,
            ADD.replace("k)", "@3)"),
            "schema-operator",
        ),
        "operand-negative: an addition's operand is tensor -2": (
            ADD,
            ADD.replace("k)", "@-2)"),
            "schema-optional-input",
        ),
        "result-99: a further operator's result is tensor 99": (NEG, f"{NEG}\n  @99 = NEG(b)", "schema-operator"),
        "result-negative: a further operator's result is tensor -1": (NEG, f"{NEG}\n  - = NEG(b)", "schema-operator"),
    }.items():
        yield sound.broken(case, replaced(old, new), why=[why, "reader-indices"])
    yield sound.broken(
        "subgraph-input-99: a subgraph's input is tensor 99",
        replaced("adds (a: float32[2]) -> (sum)\n", "adds (@99) -> (sum)\n  a: float32[2] = [0, 0]\n"),
        why=["schema-inputs", "reader-indices"],
    )
    yield sound.broken(
        "subgraph-input-negative: a subgraph's input is tensor -1",
        replaced("adds (a: float32[2]) -> (sum)\n", "adds (-) -> (sum)\n  a: float32[2] = [0, 0]\n"),
        why=["schema-inputs", "reader-indices"],
    )
    yield sound.broken(
        "first-of-none: a subgraph without tensors, which is never invoked, returns tensor 0",
        lambda text: text + "subgraph none () -> (@0)\n",
        why=["schema-outputs", "reader-indices"],
    )
    loop = tensor_index("inside-a-loop: The same for a loop.", DOUBLES, DOUBLED)
    for case, old, new, why in [
        (
            "loop-operand-99: the While's last operand is tensor 99",
            "WHILE(zero, n, x)",
            "WHILE(zero, n, @99)",
            "schema-operator",
        ),
        ("condition-result-99: the condition returns tensor 99", "-> (more)", "-> (@99)", "schema-outputs"),
        ("body-result-99: the body returns tensor 99", "(next, n, doubled)", "(next, n, @99)", "schema-outputs"),
        ("condition-result-negative: the condition returns tensor -1", "-> (more)", "-> (-)", "schema-outputs"),
        ("body-result-negative: the body returns tensor -1", "(next, n, doubled)", "(next, n, -)", "schema-outputs"),
        ("loop-result-99: the While's second result is tensor 99", "m: int32[],", "@99,", "schema-operator"),
        ("loop-result-negative: the While's second result is tensor -1", "m: int32[],", "-,", "schema-operator"),
    ]:
        yield loop.broken(case, replaced(old, new), why=[why, "reader-indices", UNCHECKED, OF_MICRO])
    for case, title, *edits in [
        (
            "condition-input-negative",
            "the condition's last input is tensor -1",
            replaced("x: float32[2])", "-)", within="below"),
        ),
        (
            "body-input-negative",
            "the body's last input is tensor -1",
            replaced("x: float32[2])", "-)", within="step"),
            replaced("  one: int32[] = 1", "  one: int32[] = 1\n  x: float32[2] = [0, 0]", within="step"),
        ),
    ]:
        yield loop.broken(f"{case}: {title}", *edits, why=["schema-inputs", "reader-indices", UNCHECKED, OF_MICRO])
    two = sound.varied(
        "second-result-unused: the subgraphs return two values, and the If's second result is unused",
        replaced(IF, IF.replace("y: float32[2]", "y: float32[2], z: float32[2]")),
        replaced("-> (sum)", "-> (sum, k)"),
        replaced("-> (minus)", "-> (minus, b)"),
    )
    for case, index in [
        ("if-result-99: the If's second result is tensor 99", "@99"),
        ("if-result-negative: the If's second result is tensor -1", "-"),
    ]:
        yield two.broken(
            case,
            replaced("z: float32[2] =", f"{index} ="),
            why=["schema-operator", "reader-indices", UNCHECKED, OF_MICRO],
        )


def operator_codes() -> Iterator[Vector]:
    """The index into the list of operator codes."""
    sound = Vector(
        "tflite/file/operator-code-index/inside",
        "every operator has one of three codes",
        ["schema-opcode-index"],
        ADDS_OR_NEGATES,
        RUNS,
    )
    for case, number in [("one-too-far", 3), ("99", 99), ("greatest", 2**32 - 1)]:
        yield sound.broken(
            f"{case}: the addition's opcode_index is {number}, and there are 3", replaced(ADD, f"{ADD} opcode={number}")
        )
    yield sound.broken("of-the-if: the If's opcode_index is 3, and there are 3", replaced(IF, f"{IF} opcode=3"))


def operators() -> Iterator[Vector]:
    """The code of an operator, in two fields."""
    sound = Vector(
        "tflite/file/operator-is-known/both-fields",
        "each code is in both fields",
        ["schema-operator-code", "schema-old-code"],
        ADDS_OR_NEGATES,
        RUNS,
    )
    yield sound.varied(
        "old-field-alone: each code is only in the old field, as in files older than the new one",
        *(replaced(line, f"{line} builtin_code=-") for line in (IF, ADD, NEG)),
        why=["schema-old-code", "schema-version-3a"],
    )
    yield sound.varied(
        "old-field-alone-circle: the same as a Circle file",
        *(replaced(line, f"{line} builtin_code=-") for line in (IF, ADD, NEG)),
        as_circle,
        why=["schema-old-code"],
    )
    yield sound.varied(
        "new-field-alone: each code is only in the new field, so the old one is 0, an ADD",
        *(replaced(line, f"{line} deprecated_code=-") for line in (IF, NEG)),
        why=["schema-old-code", "reader-code"],
        doubt="below 127 the old field counts, according to its comment; TensorFlow Lite reads the larger of the two",
    )
    for case, words in [
        ("placeholder: the code is 127, which is unassigned", "code=127"),
        ("beyond-the-list: the code is 9999", "deprecated_code=127 builtin_code=9999"),
        ("negative: the code is -7 in both fields", "deprecated_code=-7 builtin_code=-7"),
    ]:
        yield sound.broken(case, replaced(NEG, f"{NEG} {words}"), why=["schema-operator-code"])
    yield sound.broken(
        "custom-named-as-a-builtin: "
        "the code is that of CUSTOM, and the custom operator has the name of a builtin one, NEG",
        replaced(NEG, f'{NEG} code=32 custom_code="NEG"'),
        why=["schema-operator-code"],
    )
    circle = sound.varied("circle: a Circle file", as_circle, why=["schema-operator-code"])
    yield circle.broken(
        "circle-negative: the code is -128, which Circle does not have either",
        replaced(NEG, f"{NEG} deprecated_code=-128 builtin_code=-128"),
    )


def buffers() -> Iterator[Vector]:
    """The index into the list of buffers."""
    sound = Vector(
        "tflite/file/buffer-index/inside",
        "the constant has buffer 1 of 2, all else buffer 0",
        ["schema-buffer-index"],
        ADDS_OR_NEGATES,
        RUNS,
    )
    yield sound.varied(
        "empty-ones-of-their-own: operands and results have separate empty buffers, as converters write them",
        replaced("x: float32[2]", "x: float32[2] {buffer=new}"),
        replaced("y: float32[2]", "y: float32[2] {buffer=new}"),
        replaced("a: float32[2]", "a: float32[2] {buffer=new}"),
        replaced("sum: float32[2]", "sum: float32[2] {buffer=new}"),
        why=["schema-buffer-index", "schema-no-buffer"],
    )
    yield sound.varied(
        "shared: the constant and one of another subgraph have the same buffer",
        replaced(
            "k: float32[2] = [10, 20]",
            "k: float32[2] = [10, 20]\n  l: float32[2] {buffer=k}\n  none: float32[2] = SUB(l, k)",
        ),
        replaced("ADD(a, k)", "ADD(a, l)"),
        why=["schema-buffers"],
    )
    for case, number in [("one-too-far", 1), ("99", 99), ("greatest", 2**32 - 1)]:
        yield sound.broken(
            f"{case}: the constant's buffer is {number}, and there is only buffer 0",
            replaced("k: float32[2] = [10, 20]", f"k: float32[2] {{buffer={number}}}"),
        )
    yield sound.broken(
        "of-a-result: the buffer of an operator's result is 99",
        replaced("sum: float32[2]", "sum: float32[2] {buffer=99}"),
    )
    yield sound.broken(
        "of-an-input: the buffer of the primary's input is 99", replaced("x: float32[2]", "x: float32[2] {buffer=99}")
    )
