"""If in the body of a Scan of version 8, which scans each batch of its operands separately."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, replaced, says, vectors_of

ABOUT = ("absent-operands",)  # the lengths, which are the first operand

BATCHES = says("operators-scan-8-batch-axis", "operators-scan-8-sequence-axis")

in_scan = vectors_of("onnx/if/in-scan", BATCHES, "operators-scan-8-lengths")

# An element whose sum is positive is added to the state, any other is subtracted.
STEP = """
            body = step (float[2] s, float[2] e) => (float[2] s_out, float[2] shown) {
                total = ReduceSum <keepdims = 0> (e)
                positive = Greater (total, zero)
                s_out = If (positive) <
                    then_branch = then_graph () => (float[2] a) { a = Add (s, e) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (s, e) }>
                shown = Neg (s_out)
            }"""

SCAN = """
    scanned (float[2,2] start, float[2,3,2] x) => (float[2,2] final, float[2,3,2] all) <float zero = {0}> {
        final, all = Scan <DIRECTIONSnum_scan_inputs = 1,STEP> ( , start, x)
    }"""

LIMITED = """
    limited (int64[2] lengths, float[2,2] start, float[2,3,2] x) => (float[2,2] final) <float zero = {0}> {
        final, all = Scan <num_scan_inputs = 1,STEP> (lengths, start, x)
    }"""

ELEMENTWISE = """
    {signature} {{
        all = Scan <
            num_scan_inputs = 2,
            body = step (bool flag, float e) => (float shown) {{
                shown = If (flag) <
                    then_branch = then_graph () => (float a) {{ a = Add (e, e) }},
                    else_branch = else_graph () => (float b) {{ b = Neg (e) }}>
            }}> ( , flags, x)
    }}"""
# The elements are scalars: x has a batch axis and a scan axis, and no other.
SCALARS = ELEMENTWISE.format(signature="scalars (bool[2,3] flags, float[2,3] x) => (float[2,3] all)")
# Of two operands nothing is declared but their rank.
ZIPPED = ELEMENTWISE.format(signature="zipped (bool[b,n] flags, float[c,m] x) => (float[?,?] all)")

# The operand's rank is that of a fed shape.
RESHAPED = """
    reshaped (bool cond, float[n] x, int64[r] to) => (float[?,?] all) {
        rows = Reshape (x, to)
        all = Scan <
            num_scan_inputs = 1,
            body = step (float e) => (float shown) {
                shown = If (cond) <
                    then_branch = then_graph () => (float a) { a = Add (e, e) },
                    else_branch = else_graph () => (float b) { b = Neg (e) }>
            }> ( , rows)
    }"""

FROM_AROUND = """
    around (bool cond, float[2,2] start, float[2,3,2] x) => (float[2,2] final) <float[2] k = {100, 200}> {
        final = Scan <
            num_scan_inputs = 1,
            body = step (float[2] s, float[2] e) => (float[2] s_out) {
                s_out = If (cond) <
                    then_branch = then_graph () => (float[2] a) { t = Add (s, e)  a = Add (t, k) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (s, e) }>
            }> ( , start, x)
    }"""

# Both states are those that the batch begins with, whatever the batch before it has made of them.
TWO_STATES = """
    states (bool cond, float[2,1] p, float[2,1] q, float[2,3,1] x) => (float[2,1] p_last, float[2,1] q_last) {
        p_last, q_last = Scan <
            num_scan_inputs = 1,
            body = step (float[1] s, float[1] t, float[1] e) => (float[1] s_out, float[1] t_out) {
                s_out, t_out = If (cond) <
                    then_branch = then_graph () => (float[1] a, float[1] b) { a = Add (s, e)  b = Sub (t, e) },
                    else_branch = else_graph () => (float[1] c, float[1] d) { c = Sub (s, e)  d = Add (t, e) }>
            }> ( , p, q, x)
    }"""

# The second operand is scanned backwards.
TWO_WAYS = """
    ways (bool cond, float[2,3] x, float[2,3] z) => (float[2,3] all) {
        all = Scan <
            directions = [0, 1], num_scan_inputs = 2,
            body = step (float e, float f) => (float shown) {
                shown = If (cond) <
                    then_branch = then_graph () => (float a) { a = Add (e, f) },
                    else_branch = else_graph () => (float b) { b = Sub (e, f) }>
            }> ( , x, z)
    }"""

START = floats([10, 20], [30, 40])
ROWS = np.float32([[[1, -2], [3, 1], [0, 5]], [[2, 2], [-4, 1], [1, -1]]])
# The sums are -1, 4, 5 in the first batch and 4, -3, 0 in the second.
SIGNS = np.float32([[[-1], [1], [1]], [[1], [-1], [-1]]])
STEPS = SIGNS * ROWS


def states(steps: np.ndarray) -> np.ndarray:
    """The state after each step, batch by batch."""
    return START[:, None] + np.cumsum(steps, axis=1, dtype=np.float32)


def vectors() -> Iterator[Vector]:
    forward = states(STEPS)
    fed = {"start": START, "x": ROWS}
    yield in_scan(
        "opset-eight: two batches of three elements; each element decides",
        model(SCAN.replace("DIRECTIONS", "").replace("STEP", STEP), 8),
        Run(fed, {"final": forward[:, -1], "all": -forward}),
        why=[BATCHES],
    )
    backward = states(STEPS[:, ::-1])
    yield in_scan(
        "opset-eight-backward: two batches of three elements, scanned backwards",
        model(SCAN.replace("DIRECTIONS", "directions = [1], ").replace("STEP", STEP), 8),
        Run(fed, {"final": backward[:, -1], "all": -backward}),
        why=[BATCHES, "operators-scan-8-directions"],
    )
    yield in_scan(
        "opset-eight-lengths: fewer elements are scanned of one batch than of the other",
        model(LIMITED.replace("STEP", STEP), 8),
        Run({"lengths": np.int64([3, 1])} | fed, {"final": np.stack([forward[0, 2], forward[1, 0]])}),
        Run({"lengths": np.int64([1, 2])} | fed, {"final": np.stack([forward[0, 0], forward[1, 1]])}),
    )
    x = np.float32([[[1], [2], [3]], [[4], [5], [6]]])  # the sums are 6 and 15
    p, q = floats([10], [20]), floats([100], [200])
    yield in_scan(
        "opset-eight-two-states: each of two batches begins with its own two states",
        model(TWO_STATES, 8),
        branches(
            {"p": p, "q": q, "x": x},
            then={"p_last": floats([16], [35]), "q_last": floats([94], [185])},
            else_={"p_last": floats([4], [5]), "q_last": floats([106], [215])},
        ),
        why=[BATCHES, says("operators-scan-8-for-batch", "operators-scan-8-initial-state")],
    )
    x, z = floats([1, 2, 3], [4, 5, 6]), floats([10, 20, 30], [40, 50, 60])
    yield in_scan(
        "opset-eight-second-backward: two batches of two operands; the second is scanned backwards",
        model(TWO_WAYS, 8),
        branches(
            {"x": x, "z": z},
            then={"all": floats([31, 22, 13], [64, 55, 46])},
            else_={"all": floats([-29, -18, -7], [-56, -45, -34])},
        ),
        why=[BATCHES, "operators-scan-8-directions"],
    )
    yield in_scan(
        "opset-eight-length-zero: no element of one batch is scanned, so its state stays as it was",
        model(LIMITED.replace("STEP", STEP), 8),
        Run({"lengths": np.int64([0, 2])} | fed, {"final": np.stack([START[0], forward[1, 1]])}),
        doubt="a length of 0 in a batch concerns Scan alone: its pseudo-code allows it, no sentence mentions it",
    )
    yield in_scan(
        "opset-eight-from-around: "
        "the cond and a value that then reads come from the main graph, the same for each batch",
        model(FROM_AROUND, 8),
        Run({"cond": np.True_} | fed, {"final": START + ROWS.sum(axis=1) + floats(300, 600)}),
        Run({"cond": np.False_} | fed, {"final": START - ROWS.sum(axis=1)}),
        why=[BATCHES, "ir-outer-scope"],
    )
    x = floats([1, -2, 3], [4, 5, -6])
    yield in_scan(
        "opset-eight-scalars: two batches of three scalars are scanned with two of three conds, element by element",
        model(SCALARS, 8),
        Run({"flags": np.bool_([[1, 0, 0], [1, 1, 0]]), "x": x}, {"all": floats([2, 2, -3], [8, 10, 6])}),
        Run({"flags": np.bool_([[0, 0, 0], [1, 1, 1]]), "x": x}, {"all": floats([-1, 2, -3], [8, 10, -12])}),
        why=[BATCHES],
        also=["onnx/if/cond-source"],
    )
    flags = np.bool_([[1, 0, 0], [1, 1, 0]])
    zipped = in_scan(
        "opset-eight-zipped: two operands have as many batches and elements as each other",
        model(ZIPPED, 8),
        Run({"flags": flags, "x": x}, {"all": floats([2, 2, -3], [8, 10, 6])}),
        why=[BATCHES, "operators-scan-8-same-sizes"],
    )
    yield zipped.refusing(
        "opset-eight-batches-differ: of two operands the first has two batches and the second three",
        {"flags": flags, "x": np.concatenate([x, x[:1]])},
    )
    yield zipped.refusing(
        "opset-eight-lengths-differ: of two operands the first has two elements in each batch and the second three",
        {"flags": flags[:, :2], "x": x},
    )
    lengths = in_scan(
        "opset-eight-lengths-int64: the lengths are int64",
        model(LIMITED.replace("STEP", STEP), 8),
        Run({"lengths": np.int64([3, 1])} | fed, {"final": np.stack([forward[0, 2], forward[1, 0]])}),
    )
    yield lengths.broken(
        "opset-eight-lengths-uint64: the lengths are uint64",
        replaced("(int64[2] lengths,", "(uint64[2] lengths,"),
        why=[BATCHES, "operators-scan-8-lengths", "operators-scan-8-lengths-type"],
        runs=[{"lengths": np.uint64([3, 1])} | fed],
    )
    by_shape = in_scan(
        "opset-eight-rank-fed: the operand that is scanned has the shape that is fed: two batches of three",
        model(RESHAPED, 8),
        Run({"cond": np.True_, "x": x.reshape(6), "to": np.int64([2, 3])}, {"all": x + x}),
        why=[BATCHES],
    )
    for case, title, count in [("rank-one", "a list of six", 6), ("rank-one-empty", "an empty list", 0)]:
        yield by_shape.refusing(
            f"opset-eight-{case}: the operand that is scanned is {title}, so that it has a batch axis and no scan axis",
            {"cond": np.True_, "x": x.reshape(6)[:count], "to": np.int64([count])},
        )
