"""Element types that exist, types that tensors declare, and the types of operands."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, Why, branches, floats, ints, issue, vectors_of
from ifcert.authoring.tflite import TfliteModel, replaced, tflite
from ifcert.authoring.tflite_patterns import ADDS_OR_NEGATES, RUNS, X, joined, subgraph

FIT = "tflite/file/operands-fit/"

RESHAPED = issue(
    "tensorflow/tensorflow",
    125062,
    "a RESHAPE of a constant copied all of it into a result of another size, when loaded",
)

declared_type_agrees = vectors_of("tflite/file/declared-type-agrees", "schema-tensor-type")

SQUARE = -np.arange(64, dtype=np.int32).reshape(8, 8)

RESIZED = "readers have calls that give an input another shape before a run; no text mentions them"


def types() -> Iterator[Vector]:
    """A tensor's type is one of the schema's."""
    sound = Vector(
        "tflite/file/known-types/all-known",
        "each tensor has a type of the schema",
        ["schema-tensor-type"],
        ADDS_OR_NEGATES,
        RUNS,
    )
    for case, old, number in [
        ("constant-99: the constant's type is 99", "k: float32[2]", 99),
        ("constant-negative: the constant's type is -1", "k: float32[2]", -1),
        ("operand-99: the type of the primary's input is 99", "x: float32[2]", 99),
        ("result-127: the type of an addition's result is 127", "sum: float32[2]", 127),
        ("condition-99: the condition's type is 99", "c: bool[]", 99),
    ]:
        yield sound.broken(case, replaced(old, f"{old} {{type={number}}}"))


def declared() -> Iterator[Vector]:
    """An operator's result has the type that the tensor declares."""
    sound = declared_type_agrees(
        "as-given: each result is declared with its operator's type",
        tflite("""
            subgraph main (x: float32[2]) -> (y)
              k: float32[2] = [0, 0]
              positive: bool[2] = GREATER(x, k)
              number: int32[2] = CAST(positive)
              length: int32[1] = SHAPE(x)
              y: int32[2] = ADD(number, length)
        """),
        Run({"x": X}, {"y": ints(3, 2)}),
    )
    for case, old, new in [
        ("comparison: a comparison's result is declared as float32", "positive: bool", "positive: float32"),
        ("addition: an addition of int32 is declared as float32", "y: int32", "y: float32"),
        ("addition-wider: an addition of int32 is declared as int64", "y: int32", "y: int64"),
    ]:
        yield sound.broken(case, replaced(old, new))


def _of_booleans() -> Iterator[Vector]:
    sound = declared_type_agrees(
        "booleans: booleans are negated, and the result is declared boolean",
        tflite("""
            subgraph main (x: float32[2]) -> (y)
              k: float32[2] = [0, 0]
              positive: bool[2] = GREATER(x, k)
              other: bool[2] = LOGICAL_NOT(positive)
              y: int32[2] = CAST(other)
        """),
        Run({"x": X}, {"y": ints(0, 1)}),
    )
    yield sound.broken(
        "booleans-int32: booleans are negated, and the result is declared int32",
        replaced("other: bool", "other: int32"),
    )


def fed() -> Iterator[Vector]:
    """Inputs of the primary that are fed as declared, with unknown dims, and otherwise."""
    static = declared_type_agrees(
        "fed-as-declared: x is declared [2], and fed as [2]", ADDS_OR_NEGATES, RUNS, why=["schema-shape"]
    )
    yield static
    for case, value in [
        ("fed-longer", floats(1, -2, 3)),
        ("fed-shorter", floats(1)),
        ("fed-other-rank", floats([1, -2])),
        ("fed-scalar", np.float32(1)),
    ]:
        yield static.varied(
            f"{case}: x is declared [2], and fed as {list(value.shape)}",
            why=["schema-shape", "reader-known-dims"],
            runs=[Run({"c": np.False_, "x": value}, {"y": -value})],
            doubt=RESIZED,
        )
    dynamic = declared_type_agrees(
        "fed-with-unknown-dims: x is declared [?, 2], and fed with one row, and with three",
        tflite("""
            subgraph main (c: bool[], x: float32[?,2]) -> (y)
              y: float32[?,2] = IF(c, x) then=doubles else=negates
            subgraph doubles (a: float32[?,2]) -> (twice)
              twice: float32[?,2] = ADD(a, a)
            subgraph negates (b: float32[?,2]) -> (minus)
              minus: float32[?,2] = NEG(b)
        """),
        Run({"c": np.True_, "x": floats([1, 2])}, {"y": floats([2, 4])}),
        Run({"c": np.False_, "x": floats([1, 2], [3, 4], [5, 6])}, {"y": -floats([1, 2], [3, 4], [5, 6])}),
        why=["schema-shape", "schema-unknown-dims"],
    )
    yield dynamic
    yield from dynamic.cold()
    yield _last_dim_unknown()
    square = floats([1, 2, 3], [4, 5, 6])
    yield dynamic.varied(
        "fed-with-another-known-dim: x is declared [?, 2], and fed as [2, 3]",
        why=["schema-shape", "reader-known-dims"],
        runs=[Run({"c": np.True_, "x": square}, {"y": square + square})],
        doubt=RESIZED,
    )


def _last_dim_unknown() -> Vector:
    """The dim that is unknown is not the first."""
    return declared_type_agrees(
        "fed-with-an-unknown-last-dim: x is declared [2, ?], and fed with two columns, and with three",
        tflite("""
            subgraph main (c: bool[], x: float32[2,?]) -> (y)
              y: float32[2,?] = IF(c, x) then=doubles else=negates
            subgraph doubles (a: float32[2,?]) -> (twice)
              twice: float32[2,?] = ADD(a, a)
            subgraph negates (b: float32[2,?]) -> (minus)
              minus: float32[2,?] = NEG(b)
        """),
        Run({"c": np.True_, "x": floats([1, 2], [3, 4])}, {"y": floats([2, 4], [6, 8])}),
        Run({"c": np.False_, "x": floats([1, 2, 3], [4, 5, 6])}, {"y": floats([-1, -2, -3], [-4, -5, -6])}),
        why=["schema-shape", "schema-unknown-dims"],
    )


def _in_then(operands: str, line: str, result: str) -> TfliteModel:
    """An operator in the subgraph of an If, for both of its conditions."""
    declared, names = operands, ", ".join(each.partition(":")[0] for each in operands.split(", "))
    return joined(
        subgraph(f"main (c: bool[], {declared}) -> (y)", f"y: {result} = IF(c, {names}) then=works else=works"),
        subgraph(f"works ({declared}) -> (z)", *line.splitlines()),
    )


def operands() -> Iterator[Vector]:
    """Types and shapes that an operator cannot accept."""
    a, b = floats(1, -2), floats(10, 20)
    yield from _operands(
        "addition",
        "float32[2] and float32[2] are added",
        _in_then("a: float32[2], b: float32[2]", "z: float32[2] = ADD(a, b)", "float32[2]"),
        {"a": a, "b": b},
        floats(11, 18),
        [
            ("of-two-types", "float32 and int32 are added", ["b: float32", "b: int32"], {"a": a, "b": ints(10, 20)}),
            (
                "of-other-lengths",
                "[2] and [3] are added",
                ["b: float32[2]", "b: float32[3]"],
                {"a": a, "b": floats(1, 2, 3)},
            ),
        ],
    )
    yield from _operands(
        "conjunction",
        "LOGICAL_AND of two booleans each",
        _in_then("a: bool[2], b: bool[2]", "z: bool[2] = LOGICAL_AND(a, b)", "bool[2]"),
        {"a": np.bool_([1, 0]), "b": np.bool_([1, 1])},
        np.bool_([1, 0]),
        [
            (
                "of-numbers",
                ("LOGICAL_AND of float32"),
                ["a: bool", "a: float32", "b: bool", "b: float32"],
                {"a": a, "b": b},
            )
        ],
    )
    yield from _operands(
        "concatenation",
        "lists of two elements each are joined",
        _in_then("a: float32[2], b: float32[2]", "z: float32[4] = CONCATENATION(a, b) axis=0", "float32[4]"),
        {"a": a, "b": b},
        floats(1, -2, 10, 20),
        [
            ("of-two-types", ("float32 and int32 are joined"), ["b: float32", "b: int32"], {"a": a, "b": ints(10, 20)}),
            (
                "of-two-ranks",
                "[2] and [1, 2] are joined",
                ["b: float32[2]", "b: float32[1,2]"],
                {"a": a, "b": floats([10, 20])},
            ),
            ("along-no-axis", "the axis is 5", ["axis=0", "axis=5"], None),
        ],
    )
    yield from _operands(
        "new-shape",
        "six elements are reshaped to rows of three",
        _in_then(
            "a: float32[6]", "to: int32[2] = [2, 3]\nz: float32[2,3] = RESHAPE(a, to) new_shape=[2,3]", "float32[2,3]"
        ),
        {"a": floats(1, 2, 3, 4, 5, 6)},
        floats([1, 2, 3], [4, 5, 6]),
        [("of-another-size", "five elements", ["a: float32[6]", "a: float32[5]"], {"a": floats(1, 2, 3, 4, 5)})],
    )
    yield from _operands(
        "part",
        "a slice of the second and third element of four",
        _in_then(
            "a: float32[4], from: int32[1]", "size: int32[1] = [2]\nz: float32[?] = SLICE(a, from, size)", "float32[?]"
        ),
        {"a": floats(1, 2, 3, 4), "from": ints(1)},
        floats(2, 3),
        [("outside", ("a slice of two elements from the fourth on"), [], {"a": floats(1, 2, 3, 4), "from": ints(3)})],
    )
    yield from _operands(
        "entry",
        "entry 2 of three",
        _in_then("a: float32[3], i: int32[1]", "z: float32[1] = GATHER(a, i) axis=0", "float32[1]"),
        {"a": floats(1, 2, 3), "i": ints(2)},
        floats(3),
        [
            ("beyond", "entry 3 of three", [], {"a": floats(1, 2, 3), "i": ints(3)}),
            ("negative", "entry -1 of three", [], {"a": floats(1, 2, 3), "i": ints(-1)}),
        ],
    )


_Fault = tuple[str, str, list[str], dict[str, np.ndarray] | None]


def _operands(
    case: str, title: str, model: TfliteModel, inputs: dict[str, np.ndarray], expected: np.ndarray, faults: list[_Fault]
) -> Iterator[Vector]:
    """An operator that works, then with operands that it cannot accept: as declared, or as fed."""
    why: list[Why] = ["schema-operator"]
    runs = branches(inputs, then={"y": expected}, else_={"y": expected}, cond="c")
    works = Vector(FIT + case, title, why, model, runs)
    for name, fault, words, other in faults:
        text = model.text
        for old, new in zip(words[::2], words[1::2], strict=True):
            text = text.replace(old, new)
        given = {"c": np.True_, **(inputs if other is None else other)}
        if words:
            yield works.broken(f"{case}-{name}: {fault}", lambda _, text=text: text, runs=[given])  # type: ignore[misc]
        else:
            yield works.refusing(f"{case}-{name}: {fault}", given)


def reshaped_constants() -> Iterator[Vector]:
    """A constant is reshaped as early as a model is loaded, and its new shape must take as many elements."""
    to = "to: int32[2] = [8, 8]"
    sound = Vector(
        FIT + "constants-new-shape",
        "a constant of 64 elements is reshaped to eight rows of eight",
        ["schema-operator", RESHAPED],
        joined(
            subgraph("main (c: bool[], x: int32[8,8]) -> (y)", "y: int32[8,8] = IF(c, x) then=table else=same"),
            subgraph(
                "table (p: int32[8,8]) -> (t)",
                f"k: int32[64] = {list(range(64))}",
                to,
                "t: int32[8,8] = RESHAPE(k, to)",
            ),
            subgraph("same (p: int32[8,8]) -> (p)"),
        ),
        branches({"x": SQUARE}, then={"y": np.arange(64, dtype=np.int32).reshape(8, 8)}, else_={"y": SQUARE}, cond="c"),
    )
    for case, title, dims in [
        ("of-fewer-elements", "[2, 2], which takes four of 64 elements", "[2, 2]"),
        ("of-more-elements", "[8, 800], which takes a hundred times as many elements", "[8, 800]"),
        ("of-2-to-the-32-more-elements", "[64, 67108865], which takes 2^32 + 64 elements", "[64, 67108865]"),
    ]:
        yield sound.broken(
            f"constants-new-shape-{case}: a constant of 64 elements is reshaped to {title}",
            replaced(to, to.replace("[8, 8]", dims)),
        )
