"""Types that value_info declares for values of branches, and types that are declared for what is fed."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, attribute, branches, floats, model, replaced, says, then_of, vectors_of
from ifcert.authoring.models import Edit
from onnx import ModelProto, parser

CONSTRAINED = says("ir-dimension-variable-not-constrained", note="where an integer constrains it")

declared_type_agrees = vectors_of("onnx/model/declared-type-agrees", "ir-value-info-type")

X = floats(1, -2)

# Then's value_info names a value of the main graph.
CAPTURED = model("""
    captured (bool cond, float[2] x) => (float[2] y) {
        t = Neg (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[2] t> { a = Add (t, t) },
            else_branch = else_graph () => (float[2] b) { b = Abs (x) }>
    }""")

OF_CALL = model("""<opset_import: ["" : 16, "local" : 1]>
    called (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[2] t> { t = local.negated (x)  a = Add (t, x) },
            else_branch = else_graph () => (float[2] b) { b = Abs (x) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    negated (v) => (r) { r = Neg (v) }""")

OF_LOOP = model("""
    looped (bool cond, float[2] x, int64 trips) => (float[2] y) <bool yes = {1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[2] t> {
                t = Loop (trips, yes, x) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out)
                        { on_out = Identity (on)  v_out = Add (v, x) }>
                a = Neg (t)
            },
            else_branch = else_graph () => (float[2] b) { b = Abs (x) }>
    }""")

OF_MAP = model("""<opset_import: ["" : 17]>
    mapped (bool cond, float[2] x) => (float[2] y) <int64 first = {0}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <seq(float[2]) t> {
                s = SequenceConstruct (x, x)
                t = SequenceMap (s) <body = each (float[2] item) => (float[2] r) { r = Neg (item) }>
                a = SequenceAt (t, first)
            },
            else_branch = else_graph () => (float[2] b) { b = Abs (x) }>
    }""")

OF_OPTIONAL = model("""
    opted (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <optional(float[2]) t> {
                t = Optional (x)
                item = OptionalGetElement (t)
                a = Neg (item)
            },
            else_branch = else_graph () => (float[2] b) { b = Abs (x) }>
    }""")

# Of the sequences, only the lengths are read.
CAPTURED_SEQUENCE = model("""
    captured (bool cond, float[2] x) => (int64 y) <seq(float[2]) s> {
        s = SequenceConstruct (x, x)
        y = If (cond) <
            then_branch = then_graph () => (int64 a) <seq(float[2]) s> { a = SequenceLength (s) },
            else_branch = else_graph () => (int64 b) { b = Constant <value_int = 7> () }>
    }""")

SEQUENCE_OF_CALL = model("""<opset_import: ["" : 16, "local" : 1]>
    called (bool cond, float[2] x) => (int64 y) {
        y = If (cond) <
            then_branch = then_graph () => (int64 a) <seq(float[2]) t> { t = local.listed (x)  a = SequenceLength (t) },
            else_branch = else_graph () => (int64 b) { b = Constant <value_int = 7> () }>
    }
    <domain: "local", opset_import: ["" : 16]>
    listed (v) => (r) { n = Neg (v)  r = SequenceConstruct (v, n) }""")

# Then leaves the length of its inner value open; it is that of x.
BEHIND = model("""
    behind (bool cond, float[2] x) => (float[n] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[?] t> { t = Neg (x)  a = Abs (t) },
            else_branch = else_graph () => (float[2] b) { b = Add (x, x) }>
    }""")

# The branch with the value_info is in a function.
IN_FUNCTION = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) { y = local.choose (cond, x) }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) <float[2] t> { t = Neg (v)  a = Add (t, v) },
            else_branch = else_graph () => (b) { b = Abs (v) }>
    }""")

FED = """
    fed (bool cond, TYPE x) => (TYPE y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Neg (x) },
            else_branch = else_graph () => (b) { b = Add (x, x) }>
    }"""


def then_declares(text: str) -> Edit:
    """Then declares this type, in the notation of ONNX text, for the value in its value_info."""

    def edit(m: ModelProto) -> None:
        made = parser.parse_graph(f"g ({text} v) => () {{}}").input[0].type
        choice = m.functions[0].node[0] if m.functions and m.functions[0].name == "choose" else None
        graph = then_of(m) if choice is None else attribute(choice, "then_branch").g
        graph.value_info[0].type.CopyFrom(made)

    return edit


def vectors() -> Iterator[Vector]:
    for case, what, text, then, fault, fed in [
        ("captured-value", "a value that it captures", CAPTURED, -2 * X, "int64[2]", {}),
        ("result-of-call", "the result of a call", OF_CALL, np.zeros(2, np.float32), "int64[2]", {}),
        ("carried-by-loop", "the value that a Loop has carried", OF_LOOP, -3 * X, "int64[2]", {"trips": np.int64(2)}),
        ("result-of-sequence-map", "the result of a SequenceMap", OF_MAP, -X, "seq(int64[2])", {}),
        ("result-of-optional", "an optional", OF_OPTIONAL, -X, "float[2]", {}),
        (
            "inner-value-of-branch-in-function",
            "an inner value, in a function,",
            IN_FUNCTION,
            np.zeros(2, np.float32),
            "int64[2]",
            {},
        ),
    ]:
        twin = declared_type_agrees(
            f"{case}: then declares the type of {what} as it is",
            text,
            branches({"x": X, **fed}, then={"y": then}, else_={"y": np.abs(X)}),
        )
        yield twin.broken(
            f"{case}-declared-otherwise: then, which the run does not take, declares the type of {what} as {fault}",
            then_declares(fault),
            runs=[{"cond": np.False_, "x": X, **fed}],
        )
        if case == "result-of-sequence-map":
            item = twin.varied(
                "item-of-sequence-map: "
                "then declares the result of a SequenceMap, and the item that it returns, as they are",
                replaced("(float[2] y) <int64", "(float[n] y) <int64"),
            )
            yield item.broken(
                f"{item.id}-declared-longer: "
                "then, which the run does not take, declares the result of a SequenceMap as a sequence of [2], and the "
                "item that it returns [3]",
                output_is_longer,
                runs=[{"cond": np.False_, "x": X}],
            )
        if case == "result-of-optional":
            yield twin.broken(
                f"{case}-declared-longer: then, which the run does not take, declares {what} of a [2] as one of a [3]",
                replaced("<optional(float[2])", "<optional(float[3])"),
                runs=[{"cond": np.False_, "x": X}],
            )
    given = {"x": X}
    for case, what, text, fault, declared in (
        ("captured-sequence", "a sequence that it captures", CAPTURED_SEQUENCE, "longer", "seq(float[3])"),
        ("sequence-of-call", "the sequence that a call returns", SEQUENCE_OF_CALL, "otherwise", "seq(int64[2])"),
    ):
        twin = declared_type_agrees(
            f"{case}: then declares the type of {what} as it is, and reads its length",
            text,
            branches(given, then={"y": np.int64(2)}, else_={"y": np.int64(7)}),
        )
        yield twin.broken(
            f"{case}-declared-{fault}: "
            f"then, which the run does not take, declares the type of {what}, seq(float[2]), as {declared}",
            then_declares(declared),
            runs=[{"cond": np.False_, **given}],
        )
    behind = declared_type_agrees(
        "output-behind-an-open-dim: "
        "then declares an inner value with an unset dim, and its output with the length that both have",
        BEHIND,
        branches({"x": X}, then={"y": np.abs(X)}, else_={"y": X + X}),
    )
    yield behind.broken(
        f"{behind.id}-longer: "
        "then, which the run does not take, declares an inner value with an unset dim and its output [3]; both have "
        "the shape [2] of x",
        output_is_longer,
        runs=[{"cond": np.False_, "x": X}],
    )


def output_is_longer(m: ModelProto) -> None:
    """Then declares its output [3]."""
    then_of(m).output[0].type.tensor_type.shape.dim[0].dim_value = 3


def _fed() -> Iterator[Vector]:
    one, none = np.float32(3), floats()
    single = declared_type_agrees(
        "one-element-fed: an input that is declared with the length 1 is fed one element",
        model(FED.replace("TYPE", "float[1]")),
        branches({"x": X[:1]}, then={"y": -X[:1]}, else_={"y": 2 * X[:1]}),
        why=["ir-main-graph-types", CONSTRAINED],
    )
    yield single.refusing(
        "one-element-fed-two: an input that is declared with the length 1 is fed two elements",
        {"cond": np.True_, "x": X},
        why=[CONSTRAINED, "ir-main-graph-types"],
    )
    scalar = declared_type_agrees(
        "scalar-fed: an input that is declared as a scalar is fed a scalar",
        model(FED.replace("TYPE", "float")),
        branches({"x": one}, then={"y": np.float32(-3)}, else_={"y": np.float32(6)}),
        why=["ir-main-graph-types", "ir-shape-has-rank", "ir-shape-of-scalar"],
    )
    yield scalar.refusing(
        "scalar-fed-a-list: an input that is declared as a scalar is fed a list of two elements",
        {"cond": np.True_, "x": X},
        why=["ir-shape-has-rank", "ir-shape-of-scalar"],
    )
    yield scalar.refusing(
        "scalar-fed-a-list-of-one: an input that is declared as a scalar is fed a list of one element",
        {"cond": np.True_, "x": floats(3)},
        why=["ir-shape-has-rank", "ir-shape-of-scalar"],
    )
    single = declared_type_agrees(
        "list-of-one-fed: an input that is declared as a list of one element is fed one",
        model(FED.replace("TYPE", "float[1]")),
        branches({"x": floats(3)}, then={"y": floats(-3)}, else_={"y": floats(6)}),
        why=["ir-main-graph-types", "ir-shape-has-rank"],
    )
    yield single.refusing(
        "list-of-one-fed-a-scalar: an input that is declared as a list of one element is fed a scalar",
        {"cond": np.True_, "x": one},
        why=["ir-shape-has-rank", "ir-shape-of-scalar"],
    )
    empty = declared_type_agrees(
        "no-elements-fed: an input that is declared with the length 0 is fed no elements",
        model(FED.replace("TYPE", "float[0]")),
        branches({"x": none}, then={"y": none}, else_={"y": none}),
        why=["ir-main-graph-types", CONSTRAINED],
    )
    yield empty.refusing(
        "no-elements-fed-two: an input that is declared with the length 0 is fed two elements",
        {"cond": np.True_, "x": X},
        why=[CONSTRAINED, "ir-main-graph-types"],
    )
