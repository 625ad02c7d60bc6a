"""The types that value_info declares, beside those that nodes and initializers have."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, attribute, branches, edited, floats, model, replaced, then_of
from onnx import GraphProto, ModelProto, TensorProto, parser

X = floats(1, -2)

CHOICE = model("""
    choice (bool cond, float[2] x) => (float[2] y) <float[2] k = {10, 20}> {
        size = Abs (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { inner = Add (x, size)  a = Add (inner, k) },
            else_branch = else_graph () => (float[2] b) { other = Neg (x)  b = Sub (other, k) }>
    }""")
RUNS = branches({"x": X}, then={"y": floats(12, 20)}, else_={"y": floats(-11, -18)})

# A body with an initializer; its result stays the same if that takes the name of a formal input.
LOOPED = model("""
    looped (bool cond, float[2] x) => (float[2] y) <int64 trips = {2}, bool yes = {1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                a = Loop (trips, yes, x) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out)
                        <float[2] w = {10, 20}> { on_out = Identity (on)  v_out = Add (v, w) }>
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")
LOOPS = branches({"x": X}, then={"y": floats(21, 38)}, else_={"y": -X})


def sound(rule: str, why: list) -> Vector:
    """The model without a fault, as this rule's twin."""
    return Vector(rule + "sound", "the model without a fault", why, CHOICE, RUNS)


def named(made: ModelProto, name: str) -> ModelProto:
    """The model, whose main graph has this name."""
    return edited(made, lambda m: setattr(m.graph, "name", name))


def body_of(m: ModelProto) -> GraphProto:
    """The body of the loop in then."""
    return next(given.g for given in then_of(m).node[0].attribute if given.name == "body")


DEEP_VALUE = model("""
    nested (bool cond, bool on, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                a = If (on) <
                    then_branch = deep_then () => (float[2] c) <float[2] t> { t = Neg (x)  c = Add (t, t) },
                    else_branch = deep_else () => (float[2] d) { d = Abs (x) }>
            },
            else_branch = else_graph () => (float[2] b) { b = Add (x, x) }>
    }""")

SCALAR = model("""
    totals (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float t> { t = ReduceSum <keepdims = 0> (x)  a = Add (x, t) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

LISTED = model("""
    listed (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <seq(float[2]) s> {
                last = Constant <value = int64 {-1}> ()
                s = SequenceConstruct (x, x)
                item = SequenceAt (s, last)
                a = Add (item, x)
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")


def keeps_dims(m: ModelProto) -> None:
    attribute(then_of(m).node[0], "keepdims").i = 1
    declared_in_then(m, "float[1]")


def declared_in_then(m: ModelProto, text: str) -> None:
    """Then declares this type, in the notation of ONNX text, for its inner value."""
    made = parser.parse_graph(f"g ({text} v) => () {{}}").input[0].type
    then_of(m).value_info[0].type.CopyFrom(made)


def _types() -> Iterator[Vector]:
    rule = "onnx/model/declared-type-agrees/"
    twin = sound(rule, ["ir-value-info"]).varied(
        "sound: then declares its inner value",
        replaced("then_graph () => (float[2] a)", "then_graph () => (float[2] a) <float[2] inner>"),
    )
    yield twin.broken(
        "inner-value-of-branch: then declares its inner value int64, but the node's output is float",
        replaced("<float[2] inner>", "<int64[2] inner>"),
    )
    yield twin.broken(
        "inner-value-of-branch-is-opaque: then declares its inner value opaque, but the node's output is a tensor",
        replaced("<float[2] inner>", "<opaque (handle) inner>"),
    )
    yield twin.broken(
        "output-declared-twice: the main graph's output y is declared int64 among the outputs, and float in value_info",
        replaced("(float[2] y) <float[2] k = {10, 20}>", "(int64[2] y) <float[2] k = {10, 20}, float[2] y>"),
        why=["ir-value-info-type"],
    )
    yield twin.broken(
        "output-of-branch-declared-twice: "
        "then's output is declared int64 among its outputs, and float in its value_info",
        replaced("(float[2] a) <float[2] inner>", "(int64[2] a) <float[2] inner, float[2] a>"),
        why=["ir-value-info-type"],
    )
    longer = twin.varied(
        "output-of-branch-declared: "
        "then declares its output [2], as it is, and the main graph its output by a variable",
        replaced("(float[2] y) <float[2]", "(float[n] y) <float[2]"),
        why=["ir-value-info-type"],
    )
    for case, info, said in (
        ("of-two-lengths", "float[2]", "[2]"),
        ("longer-and-of-any-length", "float[?]", "with an unset dim"),
        ("longer-and-by-a-variable", "float[k]", "[k]"),
        ("longer-and-without-shape", "float[]", "without a shape"),
    ):
        yield longer.broken(
            f"{longer.id}-{case}: "
            f"then's output, of shape [2], is declared [3] among its outputs, and {said} in its value_info",
            lambda m, info=info: declared_longer(then_of(m), info),
        )
    deep = Vector(
        rule + "inner-value-two-levels-down",
        "a branch of an If in then declares its inner value",
        ["ir-value-info"],
        DEEP_VALUE,
        branches({"on": np.True_, "x": X}, then={"y": -X - X}, else_={"y": X + X}),
    )
    yield deep.broken(
        "inner-value-two-levels-down-int64: "
        "a branch of an If in then declares its inner value int64, but the node's output is float",
        replaced("deep_then () => (float[2] c) <float[2] t>", "deep_then () => (float[2] c) <int64[2] t>"),
    )
    x = floats(1, -3)
    total = Vector(
        rule + "scalar-of-branch",
        "then declares an inner value as a scalar, which it is",
        ["ir-value-info-type"],
        SCALAR,
        branches({"x": x}, then={"y": floats(-1, -5)}, else_={"y": -x}),
    )
    yield total.broken(
        "scalar-of-branch-is-a-list: then declares an inner value as a list of one element, but it is a scalar",
        replaced("then_graph () => (float[2] a) <float t>", "then_graph () => (float[2] a) <float[1] t>"),
    )
    one = total.varied(
        "list-of-one-of-branch: then declares an inner value as a list of one element, which it is", keeps_dims
    )
    yield one.broken(
        "list-of-one-of-branch-is-of-two: then declares an inner value as a list of two elements, but it has one",
        lambda m: declared_in_then(m, "float[2]"),
    )
    yield one.broken(
        "list-of-one-of-branch-is-of-none: then declares an inner value as a list of no elements, but it has one",
        lambda m: declared_in_then(m, "float[0]"),
    )
    listed = Vector(
        rule + "sequence-of-branch",
        "then declares an inner value as a sequence of float, which it is",
        ["ir-value-info-type"],
        LISTED,
        branches({"x": x}, then={"y": x + x}, else_={"y": -x}),
    )
    yield listed.broken(
        "sequence-of-branch-int64: then declares an inner value as a sequence of int64, but it is one of float",
        replaced("<seq(float[2])", "<seq(int64[2])"),
        runs=[{"cond": np.False_, "x": x}],
    )
    stored = twin.varied(
        "initializer-of-branch: else declares its initializer float, as it is",
        replaced("=> (float[2] b)", "=> (float[2] b) <float[2] stored = {3, 5}, float[2] stored>"),
    )
    yield stored.broken(
        "initializer-of-branch-int64: "
        "else, which the run does not take, declares its initializer int64, but it holds floats",
        replaced("float[2] stored>", "int64[2] stored>"),
        runs=[{"cond": np.True_, "x": X}],
    )
    yield stored.broken(
        "initializer-of-branch-declared-longer: "
        "else, which the run does not take, declares its initializer [3], but it holds two floats",
        replaced("float[2] stored>", "float[3] stored>"),
        runs=[{"cond": np.True_, "x": X}],
    )
    twin = Vector(
        rule + "loop-body",
        "a Loop in then, whose body declares the types of its inputs and outputs",
        ["ir-value-info-type"],
        named(LOOPED, "with_types"),
        LOOPS,
    )
    yield twin.broken(
        "loop-body-output-int64: the body of a Loop declares its sum of floats int64",
        lambda m: setattr(body_of(m).output[1].type.tensor_type, "elem_type", TensorProto.INT64),
    )
    rule = "onnx/model/operands-fit/"
    fits = "operators-not-and-neg-types"
    twin = sound(rule, [fits])
    yield twin.broken(
        "not-of-float-in-branch: else applies Not to floats", replaced("other = Neg (x)", "other = Not (x)")
    )


def declared_longer(graph: GraphProto, text: str) -> None:
    """The graph's value_info declares this type, in the notation of ONNX text, for its output, which becomes [3]."""
    info = graph.value_info.add(name=graph.output[0].name)
    info.type.CopyFrom(parser.parse_graph(f"g ({text} v) => () {{}}").input[0].type)
    graph.output[0].type.tensor_type.shape.dim[0].dim_value = 3
