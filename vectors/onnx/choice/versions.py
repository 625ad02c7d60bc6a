"""The version of If that a model selects, and the behavior that all versions share."""

from collections.abc import Iterator

from ifcert.authoring import Vector, branches, edited, floats, model, replaced
from ifcert.authoring.if_types import VERSIONS, version_of
from ifcert.authoring.models import Edit
from onnx import ModelProto

RULE = "onnx/if/version-of-opset/"

X = floats(1, -2)

# Add, Neg and Constant mean the same in every opset used here.
TEXT = """
    choice (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { k = Constant <value = float[2] {10, 20}> ()  a = Add (x, k) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }"""

# Opset 1 has Constant for floats, and few operators that mean what they mean today.
OLDEST = model("""<opset_import: ["" : 1]>
    choice (bool cond) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { k = Constant <value = float[2] {1, 2}> ()  a = Identity (k) },
            else_branch = else_graph () => (float[2] b) { b = Constant <value = float[2] {3, 4}> () }>
    }""")

# Sequences came to If with version 13; under 11 the model is illegal.
SEQUENCES = model("""<opset_import: ["" : 13]>
    choice (bool cond, float[2] x) => (float[2] y) {
        zero = Constant <value = int64 {0}> ()
        s = If (cond) <
            then_branch = then_graph () => (seq(float[2]) a) { a = SequenceConstruct (x) },
            else_branch = else_graph () => (seq(float[2]) b) { t = Neg (x)  b = SequenceConstruct (t) }>
        y = SequenceAt (s, zero)
    }""")

# The sequences are those of a function.
SEQUENCES_OF_FUNCTION = model("""<opset_import: ["" : 13, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        zero = Constant <value = int64 {0}> ()
        s = local.choose (cond, x)
        y = SequenceAt (s, zero)
    }
    <domain: "local", opset_import: ["" : 13]>
    choose (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (seq(float[2]) a) { a = SequenceConstruct (v) },
            else_branch = else_graph () => (seq(float[2]) b) { t = Neg (v)  b = SequenceConstruct (t) }>
    }""")

TWO_VERSIONS = (
    "nodes bind to the highest version that is imported, yet a model names its operator sets by their domains"
)


def imports_too(opset: int) -> Edit:
    """ONNX's own operators are imported a second time, with this version."""

    def edit(m: ModelProto) -> None:
        m.opset_import.add(domain="", version=opset)

    return edit


def imports_first(opset: int) -> Edit:
    """The same, before the other import."""

    def edit(m: ModelProto) -> None:
        imports_too(opset)(m)
        m.opset_import.reverse()

    return edit


def function_imports_11_too(m: ModelProto) -> None:
    """The function imports ONNX's own operators a second time, with version 11."""
    m.functions[0].opset_import.add(domain="", version=11)


DIFFERENT_SHAPES = model("""<opset_import: ["" : 11]>
    choice (bool cond) => (float[?] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Constant <value = float[2] {1, 2}> () },
            else_branch = else_graph () => (float[3] b) { b = Constant <value = float[3] {3, 4, 5}> () }>
    }""")


def _imported_twice() -> Iterator[Vector]:
    """ONNX's own operators are imported twice: nodes bind to the highest version."""
    runs = branches({"x": X}, then={"y": X}, else_={"y": -X})
    yield Vector(
        RULE + "imported-again",
        "the model imports opset 13 twice, as onnx.compose.merge_models writes it",
        ["ir-operator-set-identified", "proto-highest-version"],
        edited(SEQUENCES, imports_too(13)),
        runs,
    )
    for case, title, edit in [
        ("imported-twice", "the model imports opsets 13 and 11; its If needs version 13", imports_too(11)),
        (
            "imported-twice-lower-first",
            "the model imports opsets 11 and 13; its If needs version 13",
            imports_first(11),
        ),
    ]:
        yield Vector(
            RULE + case,
            title,
            ["proto-highest-version", "ir-operator-sets-by-domain"],
            edited(SEQUENCES, edit),
            runs,
            doubt=TWO_VERSIONS,
        )
    yield Vector(
        RULE + "imported-twice-in-function",
        "a function imports opsets 13 and 11; its If needs version 13",
        ["proto-highest-version", "proto-function-opsets"],
        edited(SEQUENCES_OF_FUNCTION, function_imports_11_too),
        runs,
        doubt="a function's nodes bind to the highest version, yet it relies on one version of a domain",
    )


def vectors() -> Iterator[Vector]:
    yield Vector(
        RULE + "opset-1",
        "a model of opset 1 selects If-1",
        ["ir-model-opset-import", "if-all-versions"],
        OLDEST,
        branches({}, then={"y": floats(1, 2)}, else_={"y": floats(3, 4)}),
    )
    for opset in (7, 8, 9, 10, *range(11, 26)):
        version = version_of(opset)
        yield Vector(
            f"{RULE}opset-{opset}",
            f"a model of opset {opset} selects If-{version}"
            + ("" if opset in VERSIONS else ", the newest one that is not newer"),
            ["ir-model-opset-import", "ir-stable-operators", "if-all-versions"],
            model(TEXT, opset),
            branches({"x": X}, then={"y": floats(11, 18)}, else_={"y": -X}),
        )
    union = Vector(
        RULE + "shapes-differ-in-opset-11",
        "in opset 11 then may return [2] and else [3]",
        ["if-different-shapes"],
        DIFFERENT_SHAPES,
        branches({}, then={"y": floats(1, 2)}, else_={"y": floats(3, 4, 5)}),
    )
    yield union.broken(
        "shapes-differ-in-opset-10: opset 10 selects If-1, which requires the same shape from both branches",
        replaced('<ir_version: 6, opset_import: ["" : 11]>', '<ir_version: 6, opset_import: ["" : 10]>'),
    )
