"""Bodies in bodies: loops in loops, a Scan in a Loop, a Loop in a SequenceMap, with an If innermost or between them."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, says, sequence

X = floats(1, -2)

# The If reads what both Loops carry and both iteration numbers.
LOOPS = model("""
    loops (int64 outer, int64 inner, int64 start) => (int64 last) <bool yes = {1}> {
        last = Loop (outer, yes, start) <
            body = far (int64 i, bool on, int64 v) => (bool on_out, int64 v_out) {
                on_out = Identity (on)
                v_out = Loop (inner, yes, v) <
                    body = near (int64 j, bool go, int64 w) => (bool go_out, int64 w_out) {
                        go_out = Identity (go)
                        equal = Equal (i, j)
                        w_out = If (equal) <
                            then_branch = then_graph () => (a) { a = Add (w, v) },
                            else_branch = else_graph () => (b) { s = Add (i, j)  b = Add (w, s) }>
                    }>
            }>
    }""")

# An If between the two.
BETWEEN = model("""
    between (int64 trips, float[n,2] x, float[2] start) => (float[2] last) <bool yes = {1}, int64 one = {1}> {
        last = Loop (trips, yes, start) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                first = Less (i, one)
                v_out = If (first) <
                    then_branch = then_graph () => (float[2] a) {
                        a = Scan <
                            num_scan_inputs = 1,
                            body = rows (float[2] s, float[2] e) => (float[2] s_out)
                                { t = Add (s, e)  s_out = Sub (t, start) }
                        > (v, x)
                    },
                    else_branch = else_graph () => (float[2] b) { b = Neg (v) }>
            }>
    }""")

SCAN_OF_IFS = model("""
    rows (int64 trips, bool[n] flags, float[2] x) => (float[2] last) <bool yes = {1}, float[2] k = {10, 20}> {
        last = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                v_out = Scan <
                    num_scan_inputs = 1,
                    body = row (float[2] s, bool flag) => (float[2] s_out) {
                        s_out = If (flag) <
                            then_branch = then_graph () => (float[2] a) { t = Add (s, k)  a = Sub (t, v) },
                            else_branch = else_graph () => (float[2] b) { b = Add (s, x) }>
                    }> (v, flags)
            }>
    }""")

# A Loop doubles each item as often as the item is long, where the main graph's cond is true.
MAP_OF_LOOPS = model("""<opset_import: ["" : 17]>
    mapped (bool cond, seq(float[?]) s) => (seq(float[?]) y) <bool yes = {1}> {
        y = SequenceMap (s) <body = each (float[?] item) => (float[?] r) {
            n = Size (item)
            r = Loop (n, yes, item) <
                body = step (int64 i, bool on, float[?] v) => (bool on_out, float[?] v_out) {
                    on_out = Identity (on)
                    v_out = If (cond) <
                        then_branch = then_graph () => (a) { a = Add (v, v) },
                        else_branch = else_graph () => (b) { b = Add (v, item) }>
                }>
        }>
    }""")


def vectors() -> Iterator[Vector]:
    yield Vector(
        "onnx/if/in-loop/loop-in-loop",
        "an If in a Loop in a Loop reads what both carry; the iteration numbers of both decide",
        ["ir-outer-scope"],
        LOOPS,
        [
            # v = 5: (0, 0) 5 + 5, (0, 1) + 1 = 11; v = 11: (1, 0) + 1, (1, 1) + 11 = 23
            Run({"outer": np.int64(2), "inner": np.int64(2), "start": np.int64(5)}, {"last": np.int64(23)}),
            Run({"outer": np.int64(1), "inner": np.int64(3), "start": np.int64(5)}, {"last": np.int64(13)}),
            Run({"outer": np.int64(3), "inner": np.int64(0), "start": np.int64(5)}, {"last": np.int64(5)}),
        ],
        also=["onnx/if/outer-scope-capture"],
    )
    x = floats([1, 2], [3, 4], [5, 6])
    yield Vector(
        "onnx/if/in-loop/scan-in-branch",
        "a branch in a Loop is a Scan over a graph input, whose initial state is the carried value",
        ["ir-outer-scope", says("if-then-branch-runs", note="a graph may hold any operator")],
        BETWEEN,
        [
            # start + the sum of the rows - 3 start
            Run({"trips": np.int64(1), "x": x, "start": X}, {"last": floats(7, 16)}),
            Run({"trips": np.int64(2), "x": x, "start": X}, {"last": floats(-7, -16)}),
        ],
        also=["onnx/if/loop-in-branch"],
    )
    yield Vector(
        "onnx/if/in-scan/scan-in-loop",
        "an If in a Scan in a Loop reads the Scan's state, the Loop's, a graph input and an initializer",
        ["ir-outer-scope"],
        SCAN_OF_IFS,
        [
            # x + k - x = k, then k + x; then k + x + k - (k + x) = k, and again k + x
            Run({"trips": np.int64(1), "flags": np.bool_([1, 0]), "x": X}, {"last": floats(11, 18)}),
            Run({"trips": np.int64(2), "flags": np.bool_([1, 0]), "x": X}, {"last": floats(11, 18)}),
            Run({"trips": np.int64(2), "flags": np.bool_([0, 0, 0]), "x": X}, {"last": 7 * X}),
        ],
        also=["onnx/if/in-loop"],
    )
    of = "tensor(float32)"
    items = [floats(1), floats(2, 3)]
    yield Vector(
        "onnx/if/in-sequence-map/loop-in-sequence-map",
        "an If in a Loop in a SequenceMap reads the carried value and the item; the Loop runs as often as the "
        "item is long",
        ["ir-outer-scope"],
        MAP_OF_LOOPS,
        branches(
            {"s": sequence(of, items)},
            then={"y": sequence(of, [2 * items[0], 4 * items[1]])},
            else_={"y": sequence(of, [2 * items[0], 3 * items[1]])},
        ),
        also=["onnx/if/in-loop"],
    )
