"""Operators at the ends of what they are defined for, before an If and in its branches: nothing to sum, a rank of 0."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, model
from ifcert.authoring.sources import if_page, operator_schema

COND = if_page("Inputs, cond (B): 'Condition for the if.'")
THEN = if_page("Attributes, then_branch: 'Graph to run if condition is true.'")
NOTHING = operator_schema(
    "ReduceSum: 'Reduction over an empty set of values yields 0.'; 'If `keepdims` equals 0, then the resulting tensor "
    "has the reduced dimension pruned.'; axes: 'Accepted range is [-r, r-1] where r = rank(data).'"
)
EXPAND = operator_schema("Expand: 'The broadcast rule is similar to numpy.array(input) * numpy.ones(shape)'")
GATHER = operator_schema(
    "Gather, indices: 'All index values are expected to be within bounds [-s, s-1] along axis of size s.'"
)
V = np.float32([1, -2])


def vectors() -> Iterator[Vector]:
    """Sums along the last axis, which is counted from the front or from the end, of something and of nothing."""
    for suffix, axis, place in [("", 0, "its only axis"), ("-from-the-end", -1, "axis -1")]:
        yield Vector(
            f"onnx/if/cond-source/sum-of-nothing{suffix}",
            f"cond says whether the sum of a list along {place} is 0; the list may be empty",
            [COND, NOTHING],
            model(
                16,
                f"""
                g (int64[n] x, float[2] v) => (float[2] y) <int64[1] axes = {{{axis}}}, int64 zero = {{0}}> {{
                    sum = ReduceSum <keepdims = 0> (x, axes)
                    c = Equal (sum, zero)
                    y = If (c) <
                        then_branch = then_graph () => (float[2] a) {{ a = Add (v, v) }},
                        else_branch = else_graph () => (float[2] b) {{ b = Neg (v) }}>
                }}""",
            ),
            [
                Run({"x": np.int64(x), "v": V}, {"y": V + V if sum(x) == 0 else -V})
                for x in ([3, 4], [], [3, -3], [5], [])
            ],
        )
    for suffix, axis, place in [("", 1, "the second axis"), ("-from-the-end", -1, "axis -1")]:
        yield Vector(
            f"onnx/if/then-when-true/sums-of-no-rows{suffix}",
            f"then returns the sums of the rows of x, along {place}; x may have no rows",
            [THEN, NOTHING],
            model(
                16,
                f"""
                g (bool cond, float[n, 2] x) => (float[m] y) <int64[1] axes = {{{axis}}}, int64[1] flat = {{-1}}> {{
                    y = If (cond) <
                        then_branch = then_graph () => (float[?] a) {{ a = ReduceSum <keepdims = 0> (x, axes) }},
                        else_branch = else_graph () => (float[?] b) {{ n = Neg (x)  b = Reshape (n, flat) }}>
                }}""",
            ),
            [
                Run({"cond": np.bool_(cond), "x": x}, {"y": x.sum(axis=1) if cond else -x.reshape(-1)})
                for x, cond in [
                    (np.float32([[1, -2], [3, 5]]), True),
                    (np.zeros((0, 2), np.float32), True),
                    (np.float32([[1, -2]]), False),
                    (np.zeros((0, 2), np.float32), True),
                ]
            ],
        )
    for case, what, dims, x in [
        ("scalar", "a scalar", "float", np.float32(3)),
        ("list", "a list", "float[2]", V),
    ]:
        yield Vector(
            f"onnx/if/then-when-true/{case}-expanded-to-its-own-shape",
            f"then returns {what}, expanded to its own shape",
            [THEN, EXPAND],
            model(
                16,
                f"""
                g (bool cond, {dims} x) => ({dims} y) {{
                    y = If (cond) <
                        then_branch = then_graph () => ({dims} a) {{ shape = Shape (x)  a = Expand (x, shape) }},
                        else_branch = else_graph () => ({dims} b) {{ b = Neg (x) }}>
                }}""",
            ),
            [Run({"cond": np.bool_(cond), "x": x}, {"y": x if cond else -x}) for cond in (True, False, True)],
        )
    rows = np.float32([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    yield Vector(
        "onnx/if/then-when-true/rows-from-the-end",
        "then returns rows of a stored matrix at fed indices, some of which count from the end",
        [THEN, GATHER],
        model(
            16,
            """
            g (bool cond, int64[3] i) => (float[r, 3] y) <float[3, 3] rows = {1, 2, 3, 4, 5, 6, 7, 8, 9}> {
                y = If (cond) <
                    then_branch = then_graph () => (float[?, 3] a) { a = Gather (rows, i) },
                    else_branch = else_graph () => (float[?, 3] b) { b = Neg (rows) }>
            }""",
        ),
        [
            Run({"cond": np.bool_(cond), "i": np.int64(i)}, {"y": rows[i] if cond else -rows})
            for i in ([0, 2, 1], [-1, 0, -3])
            for cond in (True, False)
        ],
    )
