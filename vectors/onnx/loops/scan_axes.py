"""Axes and directions of a Scan around an If: counted from the back, and different for each input and output."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, model, says, vectors_of
from onnx import ModelProto

OUTPUTS = says("operators-scan-output-directions", "operators-scan-output-axes")

LENGTH = says("operators-scan-length", "operators-scan-for-length")
TRACT = issue("sonos/tract", 2848, "ignored directions, crashed on negative axes and on more outputs than inputs")
REFERENCE = issue("onnx/onnx", 7964, "assumed as many stacked outputs as scanned inputs, and took inputs for states")

in_scan = vectors_of("onnx/if/in-scan", LENGTH)

# In each body an element whose sum is above the limit takes then; nothing is captured from outside.
LARGE = """total = ReduceSum <keepdims = 0> (e)
                limit = Constant <value_float = LIMIT> ()
                large = Greater (total, limit)"""


def scanned(text: str, limit: str) -> ModelProto:
    """The model with this limit."""
    return model(text.replace("LARGE", LARGE).replace("LIMIT", limit))


FROM_THE_BACK = """
    back (float[2] start, float[1,2,n] x) => (float[2] last, float[?,?,?] all) {
        last, all = Scan <
            num_scan_inputs = 1, scan_input_axes = [-1], scan_output_axes = [-2],
            body = step (float[2] s, float[1,2] e) => (float[2] s_out, float[1,2] shown) {
                LARGE
                s_out, shown = If (large) <
                    then_branch = then_graph () => (float[2] a, float[1,2] c) {
                        t = Add (e, s)
                        flat = Constant <value = int64[1] {2}> ()
                        a = Reshape (t, flat)
                        c = Neg (e)
                    },
                    else_branch = else_graph () => (float[2] b, float[1,2] d) { b = Neg (s)  d = Add (e, e) }>
            }> (start, x)
    }"""

BOTH_WAYS = """
    both (float[n,2] x) => (float[n,2] all) {
        all = Scan <
            num_scan_inputs = 2, scan_input_directions = [0, 1],
            body = step (float[2] e, float[2] f) => (float[2] shown) {
                LARGE
                shown = If (large) <
                    then_branch = then_graph () => (float[2] a) { a = Add (e, f) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (e, f) }>
            }> (x, x)
    }"""

THREE_OUTPUTS = """
    three (float[n,2] x) => (float[n,2] p, float[n,2] q, float[2,n] r) {
        p, q, r = Scan <
            num_scan_inputs = 1, scan_output_directions = [0, 1, 1], scan_output_axes = [0, 0, 1],
            body = step (float[2] e) => (float[2] first, float[2] second, float[2] third) {
                LARGE
                first, second, third = If (large) <
                    then_branch = then_graph () => (float[2] a, float[2] c, float[2] f)
                        { a = Add (e, e)  c = Neg (e)  f = Identity (e) },
                    else_branch = else_graph () => (float[2] b, float[2] d, float[2] g)
                        { b = Neg (e)  d = Identity (e)  g = Add (e, e) }>
            }> (x)
    }"""

COLUMNS_BACKWARDS = """
    backwards (bool cond, float[2,n] x) => (float[2,n] all) {
        all = Scan <
            num_scan_inputs = 1, scan_input_axes = [1], scan_input_directions = [1], scan_output_axes = [1],
            body = step (float[2] e) => (float[2] shown) {
                shown = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Neg (e) },
                    else_branch = else_graph () => (float[2] b) { b = Add (e, e) }>
            }> (x)
    }"""

PREPENDED_AT_THE_BACK = """
    prepended (float[n,2] x) => (float[2,n] all) {
        all = Scan <
            num_scan_inputs = 1, scan_output_axes = [-1], scan_output_directions = [1],
            body = step (float[2] e) => (float[2] shown) {
                LARGE
                shown = If (large) <
                    then_branch = then_graph () => (float[2] a) { a = Neg (e) },
                    else_branch = else_graph () => (float[2] b) { b = Add (e, e) }>
            }> (x)
    }"""

# Two states, one scanned input and three stacked outputs: no two counts are equal.
COUNTS_DIFFER = """
    counts (float[2] s, float[2] t, float[n,2] x)
        => (float[2] s_last, float[2] t_last, float[n,2] p, float[n,2] q, float[n,2] r) {
        s_last, t_last, p, q, r = Scan <
            num_scan_inputs = 1,
            body = step (float[2] u, float[2] v, float[2] e)
                => (float[2] u_out, float[2] v_out, float[2] first, float[2] second, float[2] third) {
                LARGE
                u_out, v_out, first, second, third = If (large) <
                    then_branch = then_graph () => (float[2] a, float[2] b, float[2] c, float[2] d, float[2] f) {
                        a = Add (u, e)
                        b = Sub (v, e)
                        c = Identity (u)
                        d = Identity (v)
                        f = Neg (e)
                    },
                    else_branch = else_graph () => (float[2] g, float[2] h, float[2] i, float[2] j, float[2] k) {
                        g = Identity (u)
                        h = Identity (e)
                        i = Add (e, e)
                        j = Neg (v)
                        k = Identity (e)
                    }>
            }> (s, t, x)
    }"""

# The state, with the nothing behind it that was scanned, counts the trips, upwards from 1, downwards from -1.
COUNTS_ROWS = model("""
    rows (float[1] start, float[n,0] x) => (float[1] last) {
        last = Scan <
            num_scan_inputs = 1,
            body = step (float[1] s, float[0] e) => (float[1] s_out) {
                zero = Constant <value_float = 0.0> ()
                one = Constant <value_floats = [1.0]> ()
                total = ReduceSum <keepdims = 0> (s)
                positive = Greater (total, zero)
                both = Concat <axis = 0> (s, e)
                s_out = If (positive) <
                    then_branch = then_graph () => (float[1] a) { a = Add (both, one) },
                    else_branch = else_graph () => (float[1] b) { b = Sub (both, one) }>
            }> (start, x)
    }""")

# The same, and nothing that is scanned is read: its length alone counts.
COUNTS_UNREAD = model("""
    unread (float[2] start, float[n,2] x) => (float[2] last) {
        last = Scan <
            num_scan_inputs = 1,
            body = step (float[2] s, float[2] e) => (float[2] s_out) {
                zero = Constant <value_float = 0.0> ()
                total = ReduceSum <keepdims = 0> (s)
                positive = Greater (total, zero)
                s_out = If (positive) <
                    then_branch = then_graph () => (float[2] a) { a = Add (s, s) },
                    else_branch = else_graph () => (float[2] b) { b = Neg (s) }>
            }> (start, x)
    }""")

ONE_ROW = """
    row (float[1,2] x) => (float[2,1] all) {
        all = Scan <
            num_scan_inputs = 1, scan_output_axes = [1],
            body = step (float[2] e) => (float[2] shown) {
                LARGE
                shown = If (large) <
                    then_branch = then_graph () => (float[2] a) { a = Neg (e) },
                    else_branch = else_graph () => (float[2] b) { b = Add (e, e) }>
            }> (x)
    }"""

ONE_ELEMENT = """
    one (float[2] start, float[1,2] x) => (float[2] last, float[1,2] all) {
        last, all = Scan <
            num_scan_inputs = 1,
            body = step (float[2] s, float[2] e) => (float[2] s_out, float[2] shown) {
                LARGE
                s_out = If (large) <
                    then_branch = then_graph () => (float[2] a) { a = Add (s, e) },
                    else_branch = else_graph () => (float[2] b) { b = Neg (e) }>
                shown = Identity (s)
            }> (start, x)
    }"""

# The states of the body have variable dims, and so has the value between; the function is called twice.
IN_FUNCTION = model("""<opset_import: ["" : 16, "local" : 1]>
    called (bool cond, float[3] x, float[2,3] z) => (float[3] y) {
        s = local.scanned (cond, x, z)
        y = local.scanned (cond, s, z)
    }
    <domain: "local", opset_import: ["" : 16]>
    scanned (c, start, elements) => (last) {
        last = Scan <
            num_scan_inputs = 1,
            body = step (float[d] s, float[d] e) => (float[d] s_out) <float[d] t> {
                t = Add (s, e)
                s_out = If (c) <
                    then_branch = then_graph () => (float[d] a) { a = Neg (t) },
                    else_branch = else_graph () => (float[d] b) { b = Add (t, e) }>
            }> (start, elements)
    }""")


def vectors() -> Iterator[Vector]:
    start, zero = floats(10, 20), floats(0, 0)
    # Its columns are [1, 4], [2, 5] and [3, 6], and only the first is not large.
    x = np.float32([[[1, 2, 3], [4, 5, 6]]])
    yield in_scan(
        "axes-from-the-back: the axis that is scanned is -1, and the one that the results are stacked along -2",
        scanned(FROM_THE_BACK, "6.0"),
        # -start + [2, 5] + [3, 6]
        Run({"start": start, "x": x}, {"last": floats(-5, -9), "all": np.float32([[[2, 8], [-2, -5], [-3, -6]]])}),
        Run({"start": start, "x": -x}, {"last": -start, "all": -2 * x.transpose(0, 2, 1)}),
        Run({"start": zero, "x": np.float32([[[3], [6]]])}, {"last": floats(3, 6), "all": np.float32([[[-3, -6]]])}),
        why=[
            "operators-scan-output-axes-range",
            TRACT,
            issue("onnx/onnx", 1748, "shape inference took negative axes as they are"),
        ],
    )
    # All but the first are large.
    rows = floats([1, 2], [3, 4], [5, 10])
    yield in_scan(
        "both-ways-at-once: one value is scanned forwards and backwards at the same time",
        scanned(BOTH_WAYS, "4.0"),
        Run({"x": rows}, {"all": floats([-4, -8], [6, 8], [6, 12])}),
        Run({"x": -rows}, {"all": floats([4, 8], [0, 0], [-4, -8])}),
        why=["operators-scan-bidirectional", TRACT],
    )
    first = floats([-1, -2], [6, 8], [10, 20])
    second = floats([1, 2], [-3, -4], [-5, -10])
    third = floats([2, 4], [3, 4], [5, 10])
    yield in_scan(
        "outputs-in-three-ways: three results are stacked, one forwards, one backwards and one backwards along axis 1",
        scanned(THREE_OUTPUTS, "4.0"),
        Run({"x": rows}, {"p": first, "q": second[::-1], "r": third[::-1].T}),
        Run({"x": rows[1:]}, {"p": first[1:], "q": second[:0:-1], "r": third[:0:-1].T}),
        why=[OUTPUTS, TRACT],
    )
    yield in_scan(
        "prepended-along-the-last-axis: the results are stacked along axis -1, the last one first",
        scanned(PREPENDED_AT_THE_BACK, "4.0"),
        Run({"x": rows}, {"all": floats([-5, -3, 2], [-10, -4, 4])}),
        Run({"x": rows[1:]}, {"all": floats([-5, -3], [-10, -4])}),
        why=["operators-scan-output-axes-range", OUTPUTS, TRACT],
    )
    for opset, which in [(9, "whose Scan is the first with axes"), (10, "whose Scan is that of opset 9")]:
        yield in_scan(
            f"columns-backwards-in-opset-{opset}: in opset {opset}, {which}, columns are scanned the last one first",
            model(COLUMNS_BACKWARDS, opset),
            # The columns are [1, 2], [3, 4] and [5, 10].
            Run({"cond": np.True_, "x": rows.T}, {"all": floats([-5, -3, -1], [-10, -4, -2])}),
            Run({"cond": np.False_, "x": rows.T}, {"all": floats([10, 6, 2], [20, 8, 4])}),
            why=["operators-scan-input-axes", "operators-scan-input-directions", "operators-scan-output-axes"],
        )
    s, t = floats(100, 200), floats(1000, 2000)
    yield in_scan(
        "two-states-one-input-three-outputs: the Scan has two states, one scanned input and three stacked outputs",
        scanned(COUNTS_DIFFER, "4.0"),
        Run(
            {"s": s, "t": t, "x": rows[:2]},
            {
                "s_last": floats(103, 204),
                "t_last": floats(-2, -2),
                "p": floats([2, 4], [100, 200]),
                "q": floats([-1000, -2000], [1, 2]),
                "r": floats([1, 2], [-3, -4]),
            },
        ),
        Run(
            {"s": s, "t": t, "x": rows[1:2]},
            {
                "s_last": floats(103, 204),
                "t_last": floats(997, 1996),
                "p": floats([100, 200]),
                "q": floats([1000, 2000]),
                "r": floats([-3, -4]),
            },
        ),
        why=["operators-scan-body-inputs-and-outputs", REFERENCE],
    )
    yield in_scan(
        "one-element-known: the declared shape says that one element is scanned; the state is stacked as it came",
        scanned(ONE_ELEMENT, "4.0"),
        Run({"start": start, "x": floats([5, 7])}, {"last": floats(15, 27), "all": start.reshape(1, 2)}),
        Run({"start": start, "x": floats([1, -7])}, {"last": floats(-1, 7), "all": start.reshape(1, 2)}),
        why=[LENGTH, issue("sonos/tract", 1954, "inlines the body of a Scan of one element")],
    )
    yield in_scan(
        "rows-without-elements: the rows that are scanned have no elements, and there is a trip for each of them",
        COUNTS_ROWS,
        [
            Run({"start": floats(start), "x": np.zeros((n, 0), np.float32)}, {"last": floats(last)})
            for start, n, last in [(1, 3, 4), (-1, 3, -4), (1, 1, 2), (-1, 2, -3)]
        ],
    )
    yield in_scan(
        "rows-not-read: the body reads nothing of the rows that are scanned, and there is a trip for each of them",
        COUNTS_UNREAD,
        [
            Run({"start": np.float32(start), "x": np.zeros((n, 2), np.float32)}, {"last": np.float32(last)})
            for start, n, last in [([1, 2], 3, [8, 16]), ([-1, -3], 3, [4, 12]), ([1, 2], 1, [2, 4])]
        ],
        about=["unread-elements"],
    )
    yield in_scan(
        "one-element-stacked-along-axis-1: one element is scanned, and its result is stacked along axis 1: a column",
        scanned(ONE_ROW, "4.0"),
        Run({"x": floats([5, 7])}, {"all": floats([-5], [-7])}),
        Run({"x": floats([1, -7])}, {"all": floats([2], [-14])}),
        why=[LENGTH, "operators-scan-output-axes"],
    )
    x, z = floats(1, -2, 3), floats([1, 1, 1], [10, 20, 30])
    yield Vector(
        "onnx/if/in-function/scan-with-variable-dims",
        "a Scan in a function that is called twice; its body declares variable dims for states, elements and a value",
        [LENGTH, issue("microsoft/onnxruntime", 27887, "inlining left the declared shapes of a Scan's body behind")],
        IN_FUNCTION,
        [
            # -(-(x + 1) + z) = x + 1 - z, and once more
            Run({"cond": np.True_, "x": x, "z": z}, {"y": floats(-17, -40, -55)}),
            # x + 2 + 2 z, twice
            Run({"cond": np.False_, "x": x, "z": z}, {"y": floats(45, 82, 127)}),
        ],
        also=["onnx/if/in-scan"],
    )
