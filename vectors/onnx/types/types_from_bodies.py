"""Branches that disagree in their types, which only the bodies around them or within them show before a run.

Bodies declare no types of their own here, as the IR document allows, so that a type comes from the operands of the
node that enters the body: Loop, Scan, SequenceMap, a function's call.
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, model, replaced, says, sequence, vectors_of
from ifcert.authoring.models import Edit
from ifcert.authoring.vector import Inputs
from onnx import ModelProto, NodeProto, TensorProto

ABOUT = ("untyped-graphs", "absent-operands", "unread-elements")

same_data_type = vectors_of("onnx/if/same-data-type", "if-same-data-type", "ir-function-polymorphic")

X, N = np.float32([1, -2]), np.int64([3, 4])
TWO = np.int64(2)

LOOP_IN_THEN = model("""
    sized (bool cond, int64 trips, float[2] x, int64[2] n) => (int64 size, int64[2] m) <bool yes = {1}> {
        m = Identity (n)
        y = If (cond) <
            then_branch = then_graph () => (a) {
                a = Loop (trips, yes, x) <
                    body = step (int64 i, bool on, v) => (bool on_out, v_out)
                        { on_out = Identity (on)  v_out = Neg (v) }>
            },
            else_branch = else_graph () => (b) { b = Neg (x) }>
        size = Size (y)
    }""")

CALL_IN_THEN = model("""<opset_import: ["" : 16, "local" : 1]>
    sized (bool cond, float[2] x, int64[2] n) => (int64 size, int64[2] m) {
        m = Identity (n)
        y = If (cond) <
            then_branch = then_graph () => (a) { a = local.negated (x) },
            else_branch = else_graph () => (b) { b = Neg (x) }>
        size = Size (y)
    }
    <domain: "local", opset_import: ["" : 16]>
    negated (v) => (r) { r = Neg (v) }""")

SCAN_IN_THEN = model("""
    sized (bool cond, float[2] x, int64[2] n) => (int64 size, int64[2] m) {
        m = Identity (n)
        y = If (cond) <
            then_branch = then_graph () => (a) {
                a = Scan <num_scan_inputs = 1, body = step (e) => (shown) { shown = Neg (e) }> (x)
            },
            else_branch = else_graph () => (b) { b = Neg (x) }>
        size = Size (y)
    }""")

STATE_IN_THEN = model("""
    sized (bool cond, float[2] x, int64[2] n, float[3] z) => (int64 size, int64[2] m) {
        m = Identity (n)
        y = If (cond) <
            then_branch = then_graph () => (a) {
                a = Scan <num_scan_inputs = 1, body = step (s, e) => (s_out) { s_out = Neg (s) }> (x, z)
            },
            else_branch = else_graph () => (b) { b = Neg (x) }>
        size = Size (y)
    }""")

# The branches of the first If return two ranks, so that its result has a type and no shape.
MAP_IN_THEN = model("""<opset_import: ["" : 17]>
    counted (bool cond, seq(float[2]) x, seq(int64[2]) n) => (int64 size, seq(int64[2]) m) {
        m = Identity (n)
        y = If (cond) <
            then_branch = then_graph () => (a) {
                a = SequenceMap (x) <body = each (float[2] item) => (float[2] shown) { shown = Neg (item) }>
            },
            else_branch = else_graph () => (b) { b = Identity (x) }>
        size = SequenceLength (y)
    }""")

OF_TWO_RANKS = model("""
    sized (bool cond, float[2] x, int64[2] n) => (int64 size, int64[2] m) {
        m = Identity (n)
        r = If (cond) <
            then_branch = then_first () => (p) { p = Neg (x) },
            else_branch = else_first () => (q) { q = ReduceSum <keepdims = 0> (x) }>
        w = Identity (x)
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Neg (r) },
            else_branch = else_graph () => (b) { b = Neg (w) }>
        size = Size (y)
    }""")

# The axes of the Slice are left out, before its steps.
SLICE_IN_THEN = model("""
    sized (bool cond, float[2] x, int64[2] n) => (int64 size, int64[2] m)
    <int64[1] from = {0}, int64[1] to = {2}, int64[1] steps = {1}> {
        m = Identity (n)
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Slice (x, from, to, , steps) },
            else_branch = else_graph () => (b) { b = Neg (x) }>
        size = Size (y)
    }""")

IN_SCAN = model("""
    sized (bool cond, float[2] x, float[2] z, int64[2] n) => (int64[2] sizes, int64[2] m) {
        m = Identity (n)
        sizes = Scan <
            num_scan_inputs = 2,
            body = step (e, f) => (size) {
                y = If (cond) <
                    then_branch = then_graph () => (a) { a = Neg (e) },
                    else_branch = else_graph () => (b) { b = Neg (f) }>
                size = Size (y)
            }> (x, z)
    }""")

# Scan-8 scans each row; nothing declares the types of y and of what the branches return.
IN_BATCHED_SCAN = model("""<opset_import: ["" : 8]>
    sized (bool cond, float[2,3] x) => (int64[2,3] sizes) {
        sizes = Scan <
            num_scan_inputs = 1,
            body = step (float e) => (int64 size) {
                y = If (cond) <
                    then_branch = then_graph () => (a) { a = Neg (e) },
                    else_branch = else_graph () => (b) { b = Cast <to = 1> (e) }>
                size = Size (y)
            }> ( , x)
    }""")

IN_SEQUENCE_MAP = model("""<opset_import: ["" : 17, "local" : 1]>
    caller (bool cond, seq(float[2]) s, seq(float[2]) t, seq(int64[2]) n) => (seq(int64) sizes, seq(int64[2]) m) {
        m = Identity (n)
        sizes = local.sized (cond, s, t)
    }
    <domain: "local", opset_import: ["" : 17]>
    sized (c, s, t) => (sizes) {
        sizes = SequenceMap (s, t) <body = each (item, other) => (size) {
            y = If (c) <
                then_branch = then_graph () => (a) { a = Neg (item) },
                else_branch = else_graph () => (b) { b = Neg (other) }>
            size = Size (y)
        }>
    }""")

GIVEN = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond) => (int64 size) {
        size = local.sized <
            when_true = one () => (g) { g = Constant <value = float[2] {1, 2}> () },
            when_false = two () => (h) { h = Constant <value = float[2] {3, 4}> () }> (cond)
    }
    <domain: "local", opset_import: ["" : 16]>
    sized <when_true, when_false> (c) => (size) {
        r = If (c) <then_branch: graph = @when_true, else_branch: graph = @when_false>
        size = Size (r)
    }""")

WITH_OPERAND = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x, int64[2] n) => (int64 size, int64[2] m) {
        m = Identity (n)
        size = local.sized (cond, x)
    }
    <domain: "local", opset_import: ["" : 16]>
    sized (c, v) => (size) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Constant <value_floats = [1.0, 2.0]> () },
            else_branch = else_graph () => (b) { b = Neg (v) }>
        size = Size (r)
    }""")

PAIR_IN_THEN = model("""<opset_import: ["" : 17]>
    sized (bool cond, seq(float[2]) x) => (int64 size) {
        y = If (cond) <
            then_branch = then_graph () => (a) {
                p, a = SequenceMap (x) <body = each (float[2] item) => (float[2] r, float[2] s) {
                    r = Neg (item)
                    s = Cast <to = 1> (item)
                }>
            },
            else_branch = else_graph () => (b) { b = Identity (x) }>
        size = SequenceLength (y)
    }""")

SECOND_OF_CALL = model("""<opset_import: ["" : 16, "local" : 1]>
    sized (bool cond, float[2] x, int64[2] n) => (int64 size, int64[2] m) {
        m = Identity (n)
        y = If (cond) <
            then_branch = then_graph () => (a) { p, a = local.both (x, x) },
            else_branch = else_graph () => (b) { b = Neg (x) }>
        size = Size (y)
    }
    <domain: "local", opset_import: ["" : 16]>
    both (v, w) => (r, s) { r = Abs (v)  s = Neg (w) }""")

CAST_BY_DEFAULT = model("""<opset_import: ["" : 19, "local" : 1]>
    sized (bool cond, float[2] x) => (int64 size) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = local.converted (x) },
            else_branch = else_graph () => (b) { b = Neg (x) }>
        size = Size (y)
    }
    <domain: "local", opset_import: ["" : 19]>
    converted <to: int = 1> (v) => (r) { r = Cast <to: int = @to> (v) }""")

# The graph for then is written in `outer`, and refers to an attribute of `outer`.
CAST_IN_GIVEN_GRAPH = model("""<opset_import: ["" : 17, "local" : 1]>
    sized (bool cond, float[2] x) => (int64 size) {
        y = local.outer <to = 1> (cond, x)
        size = Size (y)
    }
    <domain: "local", opset_import: ["" : 17]>
    choose <when_true> (c, v) => (r) {
        r = If (c) <then_branch: graph = @when_true, else_branch = else_graph () => (b) { b = Neg (v) }>
    }
    <domain: "local", opset_import: ["" : 17, "local" : 1]>
    outer <to> (c, v) => (r) {
        r = local.choose <
            when_true = given () => (g) {
                k = Constant <value = int32[2] {5, 6}> ()
                g = Cast <to: int = @to> (k)
            }> (c, v)
    }""")


def reads_n(find: str, operand: int) -> Edit:
    """The node of this operator, wherever it is, reads the int64 n in place of its operand."""

    def edit(m: ModelProto) -> None:
        node = _node(m, find)
        assert node.input[operand] in ("x", "z", "t")
        node.input[operand] = "n"

    return edit


def _node(m: ModelProto, find: str) -> NodeProto:
    branches = [given.g for node in m.graph.node if node.op_type == "If" for given in node.attribute]
    return next(node for graph in (m.graph, *branches) for node in graph.node if node.op_type == find)


def _both(inputs: Inputs, expected: Inputs) -> list[Run]:
    """Both branches return the expected; n, which only the refused vector's If reads, is returned too."""
    expected = dict(expected) | ({"m": inputs["n"]} if "n" in inputs else {})
    return branches(inputs, then=expected, else_=expected)


def default_is_int64(m: ModelProto) -> None:
    m.functions[0].attribute_proto[0].i = TensorProto.INT64


def _loops_in_branches() -> Iterator[Vector]:
    loop = same_data_type(
        "loop-and-float: then is a Loop that carries float, and else returns float",
        LOOP_IN_THEN,
        _both({"trips": np.int64(1), "x": X, "n": N}, {"size": TWO}),
        why=["if-same-data-type", "operators-loop-body-outputs", "ir-subgraph-types"],
    )
    yield loop.broken(
        "loop-of-int64-and-float: then is a Loop that carries int64",
        replaced("a = Loop (trips, yes, x) <", "a = Loop (trips, yes, n) <"),
    )
    call = same_data_type(
        "call-and-float: then is a call of a function that returns float, and else returns float",
        CALL_IN_THEN,
        _both({"x": X, "n": N}, {"size": TWO}),
        also=["onnx/if/in-function"],
    )
    yield call.broken(
        "call-of-int64-and-float: then is a call of a function that returns int64",
        replaced("a = local.negated (x)", "a = local.negated (n)"),
    )
    second = same_data_type(
        "second-of-call-and-float: then returns the second output of a call, and else another value, both float",
        SECOND_OF_CALL,
        _both({"x": X, "n": N}, {"size": TWO}),
        also=["onnx/if/in-function"],
    )
    yield second.broken(
        "second-of-call-is-int64: then returns the second output of a call, an int64, and else returns float",
        replaced("p, a = local.both (x, x)", "p, a = local.both (x, n)"),
    )
    scan = same_data_type(
        "scan-and-float: then is a Scan that stacks float, and else returns float",
        SCAN_IN_THEN,
        _both({"x": X, "n": N}, {"size": TWO}),
        why=["if-same-data-type", "operators-scan-body-inputs-and-outputs", "ir-subgraph-types"],
    )
    yield scan.broken("scan-of-int64-and-float: then is a Scan that stacks int64", reads_n("Scan", 0))
    mapped = same_data_type(
        "sequence-map-and-sequence: then is a SequenceMap of floats, and else returns a sequence of float",
        MAP_IN_THEN,
        _both({"x": sequence("tensor(float32)", [X, X]), "n": sequence("tensor(int64)", [N, N])}, {"size": TWO}),
        why=["if-same-data-type", "operators-sequencemap-each-element", "ir-subgraph-types"],
    )
    yield mapped.broken(
        "sequence-map-of-int64-and-sequence: then is a SequenceMap of int64, and else returns a sequence of float",
        replaced("(x) <body = each (float[2] item) => (float[2]", "(n) <body = each (int64[2] item) => (int64[2]"),
    )
    pair = same_data_type(
        "second-of-sequence-map-and-sequence: "
        "then returns the second output of a SequenceMap, and else another sequence, both of float",
        PAIR_IN_THEN,
        _both({"x": sequence("tensor(float32)", [X, X])}, {"size": TWO}),
        why=["if-same-data-type", "operators-sequencemap-each-element", "ir-subgraph-types"],
    )
    yield pair.broken(
        "second-of-sequence-map-is-of-int64: "
        "then returns the second output of a SequenceMap, a sequence of int64, and else a sequence of float",
        replaced("r, float[2] s)", "r, int64[2] s)"),
        replaced("s = Cast <to = 1> (item)", "s = Cast <to = 7> (item)"),
    )
    state = same_data_type(
        "scan-of-state-and-float: then is a Scan that has a state alone, of float, and else returns float",
        STATE_IN_THEN,
        _both({"x": X, "n": N, "z": np.float32([1, 2, 3])}, {"size": TWO}),
        why=["if-same-data-type", "operators-scan-body-inputs-and-outputs", "ir-subgraph-types"],
    )
    yield state.broken(
        "scan-of-int64-state-and-float: then is a Scan that has a state alone, of int64", reads_n("Scan", 0)
    )
    ranks = same_data_type(
        "result-of-two-ranks: "
        "then returns what depends on an If of branches of two ranks, else another value, both float",
        OF_TWO_RANKS,
        _both({"x": X, "n": N}, {"size": TWO}),
        why=["if-same-data-type", "if-different-shapes"],
    )
    yield ranks.broken(
        "result-of-two-ranks-and-int64: "
        "then returns what depends on an If of branches of two ranks, a float, and else returns int64",
        replaced("w = Identity (x)", "w = Identity (n)"),
    )
    sliced = same_data_type(
        "slice-without-axes: then is a Slice of float without axes, and else returns float",
        SLICE_IN_THEN,
        _both({"x": X, "n": N}, {"size": TWO}),
        why=["if-same-data-type", "ir-left-out"],
    )
    yield sliced.broken(
        "slice-of-int64-without-axes: then is a Slice of int64 without axes",
        replaced("a = Slice (x, from, to, , steps)", "a = Slice (n, from, to, , steps)"),
    )


def _ifs_in_bodies() -> Iterator[Vector]:
    ones = np.int64([1, 1])
    elements = same_data_type(
        "two-scanned: in a Scan, then returns an element of the first operand and else one of the second, both float",
        IN_SCAN,
        _both({"x": X, "z": -X, "n": N}, {"sizes": ones}),
        why=["if-same-data-type", "operators-scan-body-inputs-and-outputs", "ir-subgraph-types"],
        also=["onnx/if/in-scan"],
    )
    yield elements.broken(
        "two-scanned-second-is-int64: the second operand that the Scan scans is int64", reads_n("Scan", 1)
    )
    rows = same_data_type(
        "in-batched-scan: both branches return float, in the body of a Scan of version 8",
        IN_BATCHED_SCAN,
        _both({"x": np.float32([[1, -2, 3], [4, 5, -6]])}, {"sizes": np.ones((2, 3), np.int64)}),
        why=["if-1-same-shape-and-type", "operators-scan-body-inputs-and-outputs"],
        also=["onnx/if/in-scan"],
    )
    yield rows.broken(
        "in-batched-scan-float-and-int64: then returns float, else int64, in the body of a Scan of version 8",
        replaced("b = Cast <to = 1> (e)", "b = Cast <to = 7> (e)"),
    )
    floats, whole = sequence("tensor(float32)", [X, -X]), sequence("tensor(int64)", [N, -N])
    items = same_data_type(
        "two-sequences-mapped: "
        "in a SequenceMap in a function, then returns an item of the first sequence and else one of the second, both "
        "float",
        IN_SEQUENCE_MAP,
        _both({"s": floats, "t": floats, "n": whole}, {"sizes": sequence("tensor(int64)", [TWO, TWO])}),
        why=["if-same-data-type", "operators-sequencemap-each-element", "ir-subgraph-types"],
        also=["onnx/if/in-sequence-map", "onnx/if/in-function"],
    )
    yield items.broken(
        "two-sequences-mapped-second-is-of-int64: the second sequence of the SequenceMap is of int64",
        replaced("sizes = local.sized (cond, s, t)", "sizes = local.sized (cond, s, n)"),
    )


def _functions() -> Iterator[Vector]:
    given = same_data_type(
        "graphs-given-by-a-call: both branches are graphs that the call passes, and both return float",
        GIVEN,
        _both({}, {"size": TWO}),
        why=["if-same-data-type", "ir-function-attribute-replaced"],
        also=["onnx/if/in-function"],
    )
    yield given.broken(
        "graphs-given-by-a-call-float-and-int64: "
        "of the two graphs that the call passes for the branches, one returns float and the other int64",
        replaced("h = Constant <value = float[2] {3, 4}> ()", "h = Constant <value = int64[2] {3, 4}> ()"),
    )
    called = same_data_type(
        "operand-of-call-decides: then returns a Constant of float, else the operand of the call, which is float",
        WITH_OPERAND,
        _both({"x": X, "n": N}, {"size": TWO}),
        also=["onnx/if/in-function"],
    )
    yield called.broken(
        "operand-of-call-is-int64: then returns a Constant of float, else the operand of the call, which is int64",
        replaced("size = local.sized (cond, x)", "size = local.sized (cond, n)"),
    )
    default = same_data_type(
        "default-attribute-of-call-decides: "
        "then returns a call that casts to the default of the function's attribute, else another value, both float",
        CAST_BY_DEFAULT,
        _both({"x": X}, {"size": TWO}),
        why=["if-same-data-type", says("ir-function-attribute-replaced", note="here by the default-value")],
        also=["onnx/if/in-function"],
    )
    yield default.broken(
        "default-attribute-of-call-is-int64: "
        "then returns a call that casts to the default of the function's attribute, int64, and else returns float",
        default_is_int64,
    )
    cast = same_data_type(
        "given-graph-refers-to-attribute: "
        "a function passes a graph for then, which casts to an attribute of that function: float, as else returns",
        CAST_IN_GIVEN_GRAPH,
        _both({"x": X}, {"size": TWO}),
        why=["if-same-data-type", "ir-function-attribute-replaced"],
        also=["onnx/if/in-function"],
    )
    yield cast.broken(
        "given-graph-refers-to-attribute-of-int64: "
        "a function passes a graph for then, which casts to an attribute of that function, int64; else returns float",
        replaced("y = local.outer <to = 1> (cond, x)", "y = local.outer <to = 7> (cond, x)"),
    )
