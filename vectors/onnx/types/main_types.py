"""The types of the main graph's inputs and outputs, which nested graphs may leave out and the main graph may not."""

from collections.abc import Iterator

from ifcert.authoring import Vector, branches, floats, model, replaced, sequence, some, vectors_of
from onnx import ModelProto

main_graph_has_types = vectors_of("onnx/model/main-graph-has-types", "ir-main-graph-types")

NO_SHAPE = (
    "a graph input must have a shape, indicating the rank; yet a type without one is called legal, "
    "and means that the value may have any shape"
)

# The branches declare their outputs' types too, so that only the main graph's can be missing.
CHOICE = model("""
    choice (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, x) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

HELD = model("""
    held (bool cond, seq(float[2]) s, optional(float[2]) o, seq(float[2]) r, optional(float[2]) q)
        => (seq(float[2]) t, optional(float[2]) p) {
        t, p = If (cond) <
            then_branch = then_graph () => (seq(float[2]) a, optional(float[2]) b) {
                a = Identity (s)
                b = Identity (o)
            },
            else_branch = else_graph () => (seq(float[2]) c, optional(float[2]) d) {
                c = Identity (r)
                d = Identity (q)
            }>
    }""")

X = floats(1, -2)


def input_type_moved(m: ModelProto) -> None:
    m.graph.value_info.add().CopyFrom(m.graph.input[1])
    m.graph.input[1].ClearField("type")


def input_without_element(m: ModelProto) -> None:
    m.graph.input[1].type.tensor_type.ClearField("elem_type")


def output_without_element(m: ModelProto) -> None:
    m.graph.output[0].type.tensor_type.ClearField("elem_type")


def sequence_of_nothing(m: ModelProto) -> None:
    m.graph.input[1].type.sequence_type.ClearField("elem_type")


def optional_of_nothing(m: ModelProto) -> None:
    m.graph.output[1].type.optional_type.ClearField("elem_type")


def sequence_of_untyped_tensors(m: ModelProto) -> None:
    m.graph.input[1].type.sequence_type.elem_type.tensor_type.ClearField("elem_type")


def optional_of_untyped_tensor(m: ModelProto) -> None:
    m.graph.output[1].type.optional_type.elem_type.tensor_type.ClearField("elem_type")


def vectors() -> Iterator[Vector]:
    typed = main_graph_has_types(
        "tensors: the inputs and the output of the main graph have types",
        CHOICE,
        branches({"x": X}, then={"y": X + X}, else_={"y": -X}),
    )
    yield typed.broken(
        "cond-untyped: the input cond has no type",
        replaced("choice (bool cond, float[2] x) => (float[2] y) {", "choice (cond, float[2] x) => (float[2] y) {"),
    )
    yield typed.broken(
        "captured-untyped: the input x, which both branches read, has no type",
        replaced("choice (bool cond, float[2] x) => (float[2] y) {", "choice (bool cond, x) => (float[2] y) {"),
    )
    yield typed.broken(
        "output-untyped: the output y, the result of If, has no type",
        replaced("choice (bool cond, float[2] x) => (float[2] y) {", "choice (bool cond, float[2] x) => (y) {"),
    )
    yield typed.varied(
        "input-type-in-value-info: the type of the input x is in the graph's value_info",
        input_type_moved,
        doubt="value_info is for values that are not inputs or outputs, yet its entries are value info structures",
    )
    yield typed.varied(
        "input-without-shape: the input x has a type without a shape",
        replaced("choice (bool cond, float[2] x) => (float[2] y) {", "choice (bool cond, float[] x) => (float[2] y) {"),
        doubt=NO_SHAPE,
    )
    yield typed.broken(
        "input-without-element-type: the input x has a shape and no element type",
        input_without_element,
        why=["ir-main-graph-types", "proto-element-type"],
    )
    yield typed.broken(
        "output-without-element-type: the output y has a shape and no element type",
        output_without_element,
        why=["ir-main-graph-types", "proto-element-type"],
    )
    several, one = sequence("tensor(float32)", [X, X * 4]), sequence("tensor(float32)", [-X])
    given = {"s": several, "o": some(X), "r": one, "q": some(X * 2)}
    kinds = main_graph_has_types(
        "sequence-and-optional: sequences and optionals, inputs and outputs of the main graph, have types",
        HELD,
        branches(given, then={"t": several, "p": some(X)}, else_={"t": one, "p": some(X * 2)}),
    )
    yield kinds.broken(
        "sequence-of-no-type: the input s is a sequence of no type",
        sequence_of_nothing,
        why=["ir-main-graph-types", "proto-sequence-item"],
    )
    yield kinds.broken(
        "optional-of-no-type: the output p is an optional of no type",
        optional_of_nothing,
        why=["ir-main-graph-types", "proto-optional-item"],
    )
    yield kinds.broken(
        "sequence-of-tensors-without-element-type: "
        "the input s is a sequence of tensors that have a shape and no element type",
        sequence_of_untyped_tensors,
        why=["ir-main-graph-types", "proto-element-type"],
    )
    yield kinds.broken(
        "optional-tensor-without-element-type: the output p is an optional tensor that has a shape and no element type",
        optional_of_untyped_tensor,
        why=["ir-main-graph-types", "proto-element-type"],
    )
