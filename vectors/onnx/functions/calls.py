"""Functions that contain Ifs and are called from loops and branches; calls that form a cycle through branches."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, replaced
from onnx import ModelProto, NodeProto

RULE, CIRCLE = "onnx/if/in-function/", "onnx/if/no-function-recursion/"

X = floats(1, -2)
CHOOSE = """
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) <float[2] k = {10, 20}> { a = Add (v, k) },
            else_branch = else_graph () => (b) { b = Neg (v) }>
    }"""

# The function does not read the graph spare, which has an If of its own.
SPARE = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = local.choose <
            when_true = given () => (float[2] g) { g = Constant <value = float[2] {5, 6}> () },
            spare = unread () => (float[2] h) {
                yes = Constant <value = bool {1}> ()
                h = If (yes) <
                    then_branch = deep_then () => (float[2] d) { d = Constant <value = float[2] {7, 8}> () },
                    else_branch = deep_else () => (float[2] e) { e = Constant <value = float[2] {3, 4}> () }>
            }> (cond, x)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose <when_true, spare> (c, v) => (r) {
        r = If (c) <
            then_branch: graph = @when_true,
            else_branch = else_graph () => (b) { b = Neg (v) }>
    }""")

# The graph that first passes to choose calls second, with a cond that is false.
GIVEN_CALLS = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond) => (float[2] y) { y = local.first (cond) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    choose <when_true> (c) => (r) {
        r = If (c) <
            then_branch: graph = @when_true,
            else_branch = else_graph () => (b) { b = Constant <value = float[2] {3, 4}> () }>
    }
    <domain: "local", opset_import: ["" : 16]>
    second (c) => (r) {
        r = If (c) <
            then_branch = then_second () => (a) { a = Constant <value = float[2] {5, 6}> () },
            else_branch = else_second () => (b) { b = Constant <value = float[2] {3, 4}> () }>
    }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    first (c) => (r) {
        r = local.choose <
            when_true = given () => (float[2] g) {
                no = Constant <value = bool {0}> ()
                g = local.second (no)
            }> (c)
    }""")

FROM_LOOP = model(
    """
    caller (int64 trips, float[2] x) => (float[2] last) <bool yes = {1}, int64 one = {1}> {
        last = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] y) {
                on_out = Identity (on)
                first = Less (i, one)
                y = local.choose (first, v)
            }>
    }"""
    + CHOOSE,
    domains={"local": 1},
)

FROM_SCAN = model(
    """
    caller (bool[n] flags, float[2] x) => (float[2] last) {
        last = Scan <
            num_scan_inputs = 1,
            body = step (float[2] v, bool flag) => (float[2] y) { y = local.choose (flag, v) }> (x, flags)
    }"""
    + CHOOSE,
    domains={"local": 1},
)

FROM_BRANCHES = model(
    """
    caller (bool p, bool q, float[2] x) => (float[2] y) {
        y = If (p) <
            then_branch = outer_then () => (float[2] s) { t = Neg (x)  s = local.choose (q, t) },
            else_branch = outer_else () => (float[2] u) { w = local.choose (q, x)  u = local.choose (q, w) }>
    }"""
    + CHOOSE,
    domains={"local": 1},
)

# The iterations count: the first adds k, the others negate.
HOLDS_LOOP = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) { y = local.looped (cond, x) }
    <domain: "local", opset_import: ["" : 16]>
    looped (c, v) => (r) {
        trips = Constant <value_int = 3> ()
        one = Constant <value_int = 1> ()
        r = Loop (trips, c, v) <
            body = step (int64 i, bool on, s) => (bool on_out, s_out) {
                on_out = Identity (on)
                first = Less (i, one)
                s_out = If (first) <
                    then_branch = then_graph () => (a) <float[2] k = {10, 20}> { a = Add (s, k) },
                    else_branch = else_graph () => (b) { n = Neg (s)  b = Add (n, v) }>
            }>
    }""")

# If, Neg, Abs and Identity are the same operators in both.
EARLIER_OPSET = model("""<opset_import: ["" : 18, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        s = local.choose (cond, x)
        y = If (cond) <
            then_branch = outer_then () => (float[2] t) { t = Identity (s) },
            else_branch = outer_else () => (float[2] u) { u = Neg (s) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Neg (v) },
            else_branch = else_graph () => (b) { b = Abs (v) }>
    }""")

# First calls second, second third, third fourth, all from branches; the last call is in a Loop.
CHAIN = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) { y = local.first (cond, x) }
    <domain: "local", opset_import: ["" : 16]>
    fourth (c, v) => (r) { r = Abs (v) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    third (c, v) => (r) {
        trips = Constant <value_int = 2> ()
        r = If (c) <
            then_branch = then_third () => (a) {
                a = Loop (trips, c, v) <
                    body = step (int64 i, bool on, s) => (bool on_out, s_out) {
                        on_out = Identity (on)
                        t = local.fourth (c, s)
                        s_out = Add (t, v)
                    }>
            },
            else_branch = else_third () => (b) { b = Neg (v) }>
    }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    second (c, v) => (r) {
        r = If (c) <
            then_branch = then_second () => (a) { a = local.third (c, v) },
            else_branch = else_second () => (b) { b = Add (v, v) }>
    }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    first (c, v) => (r) {
        r = If (c) <
            then_branch = then_first () => (a) { a = local.second (c, v) },
            else_branch = else_first () => (b) { n = Not (c)  b = local.second (n, v) }>
    }""")

# Axes are an optional operand of Slice; then's call leaves them out, so that the first axis is reversed; else names
# the second axis first.
REVERSED = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2,2] x) => (float[2,2] y) <int64[2] axes = {1, 0}, int64[2] steps = {-1, 1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2,2] a) { a = local.reversed (x, , steps) },
            else_branch = else_graph () => (float[2,2] b) { b = local.reversed (x, axes, steps) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    reversed (v, on, by) => (r) {
        first = Constant <value = int64[2] {-1, 0}> ()
        end = Constant <value = int64[2] {-3, 2}> ()
        r = Slice (v, first, end, on, by)
    }""")


def _call(m: ModelProto, name: str) -> NodeProto:
    nodes = [node for function in m.functions for node in function.node]
    while nodes:
        node = nodes.pop()
        if node.op_type == name:
            return node
        nodes += [inner for attribute in node.attribute for inner in attribute.g.node]
    raise ValueError(f"{name} is never called")


def vectors() -> Iterator[Vector]:
    x_plus_k = floats(11, 18)
    yield Vector(
        RULE + "called-from-loop",
        "a Loop's body calls the function with the carried value; the iteration number decides",
        ["ir-function-body"],
        FROM_LOOP,
        [
            Run({"trips": np.int64(1), "x": X}, {"last": x_plus_k}),
            Run({"trips": np.int64(2), "x": X}, {"last": -x_plus_k}),
            Run({"trips": np.int64(3), "x": X}, {"last": x_plus_k}),
        ],
        also=["onnx/if/in-loop"],
    )
    yield Vector(
        RULE + "called-from-scan",
        "a Scan's body calls the function with the state; the element decides",
        ["ir-function-body"],
        FROM_SCAN,
        [
            Run({"flags": np.bool_([1, 0]), "x": X}, {"last": -x_plus_k}),
            Run({"flags": np.bool_([0, 1]), "x": X}, {"last": floats(9, 22)}),
            Run({"flags": np.bool_([1, 1]), "x": X}, {"last": floats(21, 38)}),
        ],
        also=["onnx/if/in-scan"],
    )
    yield Vector(
        RULE + "called-from-both-branches",
        "then calls the function with a value of its own, else calls it twice in a row",
        ["ir-function-body"],
        FROM_BRANCHES,
        [
            Run({"p": np.True_, "q": np.True_, "x": X}, {"y": floats(9, 22)}),
            Run({"p": np.True_, "q": np.False_, "x": X}, {"y": X}),
            Run({"p": np.False_, "q": np.True_, "x": X}, {"y": floats(21, 38)}),
            Run({"p": np.False_, "q": np.False_, "x": X}, {"y": X}),
        ],
        also=["onnx/if/nesting"],
    )
    yield Vector(
        RULE + "loop-in-function",
        "in a function, a branch in a Loop reads the carried value and the function's input",
        ["ir-function-body"],
        HOLDS_LOOP,
        [
            # x → x + k → x - (x + k) = -k → k + x
            Run({"cond": np.True_, "x": X}, {"y": x_plus_k}),
            Run({"cond": np.False_, "x": X}, {"y": X}),
        ],
        also=["onnx/if/in-loop", "onnx/if/outer-scope-capture"],
    )
    yield Vector(
        RULE + "function-of-earlier-opset",
        "the model imports opset 18, the function 16; If and the operators in its branches are the same in both",
        ["ir-function-opset-import", "ir-function-body"],
        EARLIER_OPSET,
        branches({"x": X}, then={"y": -X}, else_={"y": -np.abs(X)}),
        also=["onnx/if/version-of-opset"],
    )
    x = floats([1, 2], [3, 4])
    yield Vector(
        RULE + "call-with-an-unnamed-input",
        "then calls a function with an empty name for its second input, an optional operand of the Slice in it",
        ["ir-left-out", "ir-function-body"],
        REVERSED,
        [
            Run({"cond": np.True_, "x": x}, {"y": floats([3, 4], [1, 2])}),
            Run({"cond": np.False_, "x": x}, {"y": floats([2, 1], [4, 3])}),
            Run({"cond": np.True_, "x": x}, {"y": floats([3, 4], [1, 2])}),
        ],
        about=["absent-operands"],
        doubt="the empty name stands for an omitted optional input; the inputs of functions are not said to be "
        "optional",
    )


def _spare() -> Iterator[Vector]:
    sound = Vector(
        RULE + "given-graph-unread",
        "the call passes two graphs, of which the function reads one; the other has an If of its own",
        ["ir-function-attribute-replaced"],
        SPARE,
        branches({"x": X}, then={"y": floats(5, 6)}, else_={"y": -X}),
    )
    broken = sound.broken(
        f"{sound.id}-branches-differ: "
        "the graph that the function does not read has an If that returns float in then and int64 in else",
        replaced("float[2] e) { e = Constant <value = float", "int64[2] e) { e = Constant <value = int64"),
        why=["if-same-data-type"],
    )
    yield replace(broken, also=["onnx/if/same-data-type"])
    calls = Vector(
        "onnx/model/no-function-recursion/given-graph-calls",
        "the graph that a call in a function passes for a branch calls another function",
        ["proto-no-recursion"],
        GIVEN_CALLS,
        branches({}, then={"y": floats(3, 4)}, else_={"y": floats(3, 4)}),
        also=[RULE.rstrip("/")],
    )
    yield calls.broken(
        f"{calls.id}-its-function: "
        "the graph that a call in a function passes for a branch calls this function, with a cond that ends the "
        "recursion",
        replaced("g = local.second (no)", "g = local.first (no)"),
    )


def _circles() -> Iterator[Vector]:
    field = [
        "proto-no-recursion",
        issue("microsoft/onnxruntime", 28187, "a recursion overflowed the stack"),
        issue("onnx/onnx", 8171, "a checker did not detect it"),
    ]
    chain = Vector(
        CIRCLE + "chain-into-a-loop",
        "four functions call each other in a row, from branches; the last call is in a Loop in a branch",
        ["proto-no-recursion"],
        CHAIN,
        [
            # x → |x| + x = [2, 0] → [2, 0] + x
            Run({"cond": np.True_, "x": X}, {"y": floats(3, -2)}),
            # Then of second, which is called with not cond; likewise third.
            Run({"cond": np.False_, "x": X}, {"y": floats(3, -2)}),
        ],
        also=["onnx/if/in-function", "onnx/if/loop-in-branch"],
    )
    for name, title in {
        "first": "the last function of three calls the first",
        "second": "a function is called by a function that it calls, itself called by a third one",
        "third": "a function calls itself",
    }.items():
        yield chain.broken(
            f"loop-in-branch-calls-{name}: {title}, in a Loop in a branch",
            replaced("local.fourth (c, s)", f"local.{name} (c, s)"),
            why=field,
        )
