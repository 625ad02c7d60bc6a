"""Calls that pass some of a function's attributes, or graphs: the others have their defaults, call by call."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, replaced, says, vectors_of
from ifcert.authoring.models import attribute, edited, else_of
from onnx import GraphProto, ModelProto, TensorProto

RULE = "onnx/if/in-function/"

in_function = vectors_of("onnx/if/in-function", "ir-function-attribute-replaced")

X = floats(1, -2)

# v + ones + tens + hundreds.
DIGITS = """
    <domain: "local", opset_import: ["" : 19]>
    digits <ones: float = 1.0, tens: float = 20.0, hundreds: float = 300.0> (v) => (r) {
        a = Constant <value_float: float = @ones> ()
        b = Constant <value_float: float = @tens> ()
        c = Constant <value_float: float = @hundreds> ()
        s = Add (v, a)
        t = Add (s, b)
        r = Add (t, c)
    }"""

SOME = """
    caller (bool cond, float[2] x) => (float[2] y, float[2] none) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.digits <THEN> (x) },
            else_branch = else_graph () => (float[2] b) { b = local.digits <ELSE> (x) }>
        none = local.digits (x)
    }"""

# The function with the If forwards some of its attributes, passes a new value for one and omits one.
HANDED_ON = """
    caller (bool cond, float[2] x) => (float[2] y) { y = local.choose <tens = 50.0> (cond, x) }
    <domain: "local", opset_import: ["" : 19, "local" : 1]>
    choose <ones: float = 4.0, tens: float = 40.0, hundreds: float = 400.0> (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = local.digits <tens: float = @tens, ones = 7.0> (v) },
            else_branch = else_graph () => (b) { b = local.digits <hundreds: float = @hundreds> (v) }>
    }"""

# The function with the If has attributes of the same names, and forwards one under the name of another.
RENAMED = """
    caller (bool cond, float[2] x) => (float[2] y) { y = local.choose <ones = 7.0, tens = 50.0> (cond, x) }
    <domain: "local", opset_import: ["" : 19, "local" : 1]>
    choose <ones: float = 4.0, tens: float = 40.0> (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = local.digits <ones: float = @tens> (v) },
            else_branch = else_graph () => (b) { b = local.digits <tens: float = @ones> (v) }>
    }"""

# One attribute without a default, which is passed, one of another type and one that is a list.
KINDS = """
    caller (bool cond, float[2,2] x) => (float[2,2] y) { y = local.choose <to = 1, add = 10.0> (cond, x) }
    <domain: "local", opset_import: ["" : 19]>
    choose <to, add: float = 1.0, perm: ints = [1, 0]> (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) {
                k = Constant <value_float: float = @add> ()
                s = Add (v, k)
                a = Transpose <perm: ints = @perm> (s)
            },
            else_branch = else_graph () => (b) { n = Neg (v)  b = Cast <to: int = @to> (n) }>
    }"""

# The first call passes a graph for else, which the second leaves out; the outer function forwards it.
GRAPH_HANDED_ON = """
    caller (bool cond) => (float[2] y, float[2] z) {
        y = local.outer <
            when_true = one () => (float[2] g) { g = Constant <value = float[2] {1, 2}> () },
            when_false = two () => (float[2] h) { h = Constant <value = float[2] {3, 4}> () }> (cond)
        z = local.outer <
            when_true = three () => (float[2] g) { g = Constant <value = float[2] {5, 6}> () }> (cond)
    }
    <domain: "local", opset_import: ["" : 19]>
    inner <when_true, INNER> (c) => (r) {
        r = If (c) <then_branch: graph = @when_true, else_branch: graph = @when_false>
    }
    <domain: "local", opset_import: ["" : 19, "local" : 1]>
    outer <when_true, OUTER> (c) => (r) {
        r = local.inner <when_true: graph = @when_true, when_false: graph = @when_false> (c)
    }"""
DEFAULT_GRAPH = "when_false: graph = NAME () => (float[2] h) { h = Constant <value = float[2] {VALUE}> () }"

# The call passes the graph for else, so that the default is never used.
DEFAULT_OVERRIDDEN = """
    caller (bool cond) => (float[2] y) {
        y = local.choose <
            when_true = one () => (float[2] g) { g = Constant <value = float[2] {1, 2}> () },
            when_false = two () => (float[2] h) { h = Constant <value = float[2] {3, 4}> () }> (cond)
    }
    <domain: "local", opset_import: ["" : 19]>
    choose <
        when_true,
        when_false: graph = by_default () => (float[2] h) <float[2] k = {7, 8}, int64[2] n = {9, 10}> {
            yes = Constant <value = bool {1}> ()
            m = Cast <to = 1> (n)
            s = Add (k, m)
            h = If (yes) <
                then_branch = then_default () => (a) { a = Neg (s) },
                else_branch = else_default () => (b) { b = Cast <to = 1> (n) }>
        }> (c) => (r) { r = If (c) <then_branch: graph = @when_true, else_branch: graph = @when_false> }"""

# The default graph for else calls another function.
DEFAULT_CALLS = """
    caller (bool cond) => (float[2] y) { y = local.choose (cond) }
    <domain: "local", opset_import: ["" : 19]>
    other (c) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Constant <value = float[2] {3, 4}> () },
            else_branch = else_graph () => (b) { b = Constant <value = float[2] {5, 6}> () }>
    }
    <domain: "local", opset_import: ["" : 19, "local" : 1]>
    choose <
        when_true: graph = for_then () => (float[2] g) { g = Constant <value = float[2] {1, 2}> () },
        when_false: graph = for_else () => (float[2] h) {
            yes = Constant <value = bool {1}> ()
            h = local.other (yes)
        }> (c) => (r) { r = If (c) <then_branch: graph = @when_true, else_branch: graph = @when_false> }"""


def graph_handed_on(inner: str, outer: str) -> ModelProto:
    """The graph for else has these defaults in the two functions, or none."""

    def declared(name: str, value: str) -> str:
        return DEFAULT_GRAPH.replace("NAME", name).replace("VALUE", value) if value else "when_false"

    text = GRAPH_HANDED_ON.replace("INNER", declared("of_inner", inner)).replace("OUTER", declared("of_outer", outer))
    return model(text, 19, domains={"local": 1})


def _graph_given_to_both(m: ModelProto) -> None:
    """The second call passes the graph of the first for else, under another name."""
    first, second = m.graph.node
    second.attribute.add().CopyFrom(attribute(first, "when_false"))
    second.attribute[-1].g.name = "four"


def _second_graph_left_out(m: ModelProto) -> None:
    del m.graph.node[1].attribute[1]


def _default_graph(m: ModelProto) -> GraphProto:
    return m.functions[0].attribute_proto[0].g


def _default_adds_two_types(m: ModelProto) -> None:
    _default_graph(m).node[2].input[1] = "n"


def _default_branches_differ(m: ModelProto) -> None:
    attribute(else_of(_default_graph(m)).node[0], "to").i = TensorProto.INT64


def vectors() -> Iterator[Vector]:
    for case, (then, other, sums) in {
        "one-attribute-of-three-given: then's call passes the first of three attributes, else's the last": (
            "ones = 5.0",
            "hundreds = 900.0",
            (325, 921),
        ),
        (
            "middle-attribute-given: "
            "then's call passes the middle one of three attributes, else's the other two, the last first"
        ): ("tens = 70.0", "hundreds = 600.0, ones = 8.0", (371, 628)),
    }.items():
        yield in_function(
            f"{case}; a call of the main graph passes none",
            model(SOME.replace("THEN", then).replace("ELSE", other) + DIGITS, 19, domains={"local": 1}),
            branches(
                {"x": X},
                then={"y": X + np.float32(sums[0]), "none": X + np.float32(321)},
                else_={"y": X + np.float32(sums[1]), "none": X + np.float32(321)},
            ),
            why=["ir-function-attribute-replaced", "ir-node-attributes-by-name"],
        )
    yield in_function(
        "some-attributes-handed-on: "
        "the function with the If forwards one of its attributes, passes a new value for one and omits the third",
        model(HANDED_ON + DIGITS, 19, domains={"local": 1}),
        branches({"x": X}, then={"y": X + np.float32(357)}, else_={"y": X + np.float32(421)}),
        why=["ir-function-attribute-replaced", "ir-node-attributes-by-name"],
    )
    fits = "onnx/model/call-fits-function"
    renamed = in_function(
        "attribute-handed-on-under-the-name-of-another: "
        "then forwards tens as the callee's ones, else ones as its tens; the callee's other attributes are omitted",
        model(RENAMED + DIGITS, 19, domains={"local": 1}),
        # 50 + 20 + 300
        Run({"cond": np.True_, "x": X}, {"y": X + np.float32(370)}),
        # 1 + 7 + 300
        Run({"cond": np.False_, "x": X}, {"y": X + np.float32(308)}),
        why=["ir-function-attribute-replaced", "ir-node-attributes-by-name"],
        also=[fits],
    )
    unknown = renamed.broken(
        f"{fits}/attribute-handed-on-under-an-unknown-name: "
        "then forwards tens as an attribute that the callee does not have",
        replaced("a = local.digits <ones: float = @tens> (v)", "a = local.digits <thousands: float = @tens> (v)"),
        why=["ir-node-attributes-by-name", "ir-signature"],
    )
    yield replace(unknown, also=[RULE.rstrip("/")])
    square = floats([1, 2], [3, 4])
    yield in_function(
        "attributes-of-several-kinds-given-in-part: "
        "the call passes an integer, which has no default, and a float, and omits a list",
        model(KINDS, 19, domains={"local": 1}),
        branches({"x": square}, then={"y": square.T + np.float32(10)}, else_={"y": -square}),
    )


def _graphs() -> Iterator[Vector]:
    first, second = {"y": floats(1, 2), "z": floats(5, 6)}, {"y": floats(3, 4)}
    for case, (inner, outer, value) in {
        (
            "graph-left-out-by-the-outer-call: "
            "a call forwards a graph for else, which one call of the function passes and the other leaves out; the "
            "callee has a default for it"
        ): ("7, 8", "", [7, 8]),
        (
            "default-graph-handed-on-over-another: "
            "a call forwards a graph for else, which one call of the function passes and the other leaves at its "
            "default; the callee has a default too"
        ): ("7, 8", "9, 10", [9, 10]),
    }.items():
        yield in_function(
            case,
            graph_handed_on(inner, outer),
            branches({}, then=first, else_={**second, "z": np.float32(value)}),
            also=["onnx/if/both-branches-required"],
        )
    handed = in_function(
        "graph-handed-on: a call forwards a graph for else, which both calls of the function pass",
        edited(graph_handed_on("", ""), _graph_given_to_both),
        branches({}, then=first, else_={**second, "z": floats(3, 4)}),
        also=["onnx/if/both-branches-required"],
    )
    yield handed.broken(
        "graph-handed-on-left-out: "
        "a call forwards a graph for else, which one call of the function leaves out, so that the If has none; the "
        "run does not take it",
        _second_graph_left_out,
        why=["ir-function-attribute-replaced", says("if-then-branch-is-required", "if-else-branch-is-required")],
        runs=[{"cond": np.True_}],
    )
    overridden = in_function(
        "default-graph-overridden: the only call passes a graph in place of a default one, which has an If of its own",
        model(DEFAULT_OVERRIDDEN, 19, domains={"local": 1}),
        branches({}, then={"y": floats(1, 2)}, else_={"y": floats(3, 4)}),
    )
    for case, (edit, rule, sentence) in {
        "adds-two-types: the default graph, which the only call overrides, adds an int64 to a float": (
            _default_adds_two_types,
            "onnx/model/operands-fit",
            "ir-signature",
        ),
        (
            "branches-differ: "
            "the default graph, which the only call overrides, has an If that returns float in then and int64 in else"
        ): (_default_branches_differ, "onnx/if/same-data-type", "if-same-data-type"),
    }.items():
        broken = overridden.broken(f"{overridden.id}-{case}", edit, why=[sentence])
        yield replace(broken, also=[rule])
    yield overridden.broken(
        f"{overridden.id}-without-a-name: the default graph, which the only call overrides, has no name",
        lambda m: _default_graph(m).ClearField("name"),
        why=["ir-graph-name"],
    )
    rule = "onnx/model/no-function-recursion/"
    calls = Vector(
        rule + "default-graph-calls",
        "the default graph for else calls another function",
        ["ir-function-attribute-replaced", "proto-no-recursion"],
        model(DEFAULT_CALLS, 19, domains={"local": 1}),
        branches({}, then={"y": floats(1, 2)}, else_={"y": floats(3, 4)}),
        also=[RULE.rstrip("/")],
    )
    yield calls.broken(
        "default-graph-calls-its-function: "
        "the default graph for else calls the function whose default it is, with a cond that ends the recursion",
        _default_calls_choose,
        why=["proto-no-recursion"],
    )


def _default_calls_choose(m: ModelProto) -> None:
    m.functions[1].attribute_proto[1].g.node[1].op_type = "choose"
