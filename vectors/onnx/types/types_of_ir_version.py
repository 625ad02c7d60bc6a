"""Types in a model of the first IR version that supports them, and of the one before."""

from collections.abc import Iterator

from ifcert.authoring import Vector, absent, branches, floats, model, replaced, sequence, some

RULE = "onnx/model/types-of-ir-version/"

HISTORY = "the page says from which IR version on a type was supported; no sentence forbids it in older ones"

# Opset 11 came with IR version 6; its If only returns tensors, but its branches read outer values of any type.
TAKEN = model("""<ir_version: 6, opset_import: ["" : 11]>
    taken (bool cond, seq(float[2]) s) => (float[2] y) {
        first = Constant <value = int64 {0}> ()
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = SequenceAt (s, first) },
            else_branch = else_graph () => (float[2] b) { t = SequenceAt (s, first)  b = Neg (t) }>
    }""")

# Opset 16 is the first whose If lists optionals; opset 15, the first that has them, came with IR version 8.
OPTIONAL = model("""<ir_version: 8, opset_import: ["" : 16]>
    optional (bool cond, optional(float[2]) o) => (optional(float[2]) y) {
        y = If (cond) <
            then_branch = then_graph () => (optional(float[2]) a) { a = Identity (o) },
            else_branch = else_graph () => (optional(float[2]) b) { b = Optional <type = float[2]> () }>
    }""")

X = floats(1, -2)


def vectors() -> Iterator[Vector]:
    held = {"s": sequence("tensor(float32)", [X, X * 4])}
    sequences = Vector(
        RULE + "sequence-in-ir-6",
        "a model of IR version 6 has a sequence input, which both branches read",
        ["ir-sequences-from-6"],
        TAKEN,
        branches(held, then={"y": X}, else_={"y": -X}),
    )
    yield sequences
    yield sequences.varied(
        "sequence-in-ir-5: a model of IR version 5 has a sequence input",
        replaced('<ir_version: 6, opset_import: ["" : 11]>', '<ir_version: 5, opset_import: ["" : 11]>'),
        doubt=HISTORY,
    )
    optionals = Vector(
        RULE + "optional-in-ir-8",
        "a model of IR version 8 has an optional input, and its If returns one",
        ["ir-optionals-from-8", "proto-optional-introduced"],
        OPTIONAL,
        branches({"o": some(X)}, then={"y": some(X)}, else_={"y": absent("tensor(float32)")}),
    )
    yield optionals
    yield optionals.varied(
        "optional-in-ir-7: a model of IR version 7 has an optional input, and its If returns one",
        replaced('<ir_version: 8, opset_import: ["" : 16]>', '<ir_version: 7, opset_import: ["" : 16]>'),
        doubt=HISTORY,
    )
