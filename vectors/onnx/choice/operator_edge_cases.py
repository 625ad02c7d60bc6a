"""Operators at the ends of what they are defined for, before an If and in its branches: nothing to sum, a rank of 0."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, model, says, vectors_of

then_when_true = vectors_of("onnx/if/then-when-true")

NOTHING = says("operators-reducesum-empty", "operators-reducesum-keepdims", "operators-reduce-sum-axes")

V = floats(1, -2)


def vectors() -> Iterator[Vector]:
    for suffix, axis, place in [("", 0, "its only axis"), ("-from-the-end", -1, "axis -1")]:
        yield Vector(
            f"onnx/if/cond-source/sum-of-nothing{suffix}",
            f"cond says whether the sum of a list along {place} is 0; the list may be empty",
            ["if-cond", NOTHING],
            model(f"""
                g (int64[n] x, float[2] v) => (float[2] y) <int64[1] axes = {{{axis}}}, int64 zero = {{0}}> {{
                    sum = ReduceSum <keepdims = 0> (x, axes)
                    c = Equal (sum, zero)
                    y = If (c) <
                        then_branch = then_graph () => (float[2] a) {{ a = Add (v, v) }},
                        else_branch = else_graph () => (float[2] b) {{ b = Neg (v) }}>
                }}"""),
            [
                Run({"x": np.int64(x), "v": V}, {"y": V + V if sum(x) == 0 else -V})
                for x in ([3, 4], [], [3, -3], [5], [])
            ],
        )
    for suffix, axis, place in [("", 1, "the second axis"), ("-from-the-end", -1, "axis -1")]:
        yield then_when_true(
            f"sums-of-no-rows{suffix}: then returns the sums of the rows of x, along {place}; x may have no rows",
            model(f"""
                g (bool cond, float[n, 2] x) => (float[m] y) <int64[1] axes = {{{axis}}}, int64[1] flat = {{-1}}> {{
                    y = If (cond) <
                        then_branch = then_graph () => (float[?] a) {{ a = ReduceSum <keepdims = 0> (x, axes) }},
                        else_branch = else_graph () => (float[?] b) {{ n = Neg (x)  b = Reshape (n, flat) }}>
                }}"""),
            [
                Run({"cond": np.bool_(cond), "x": x}, {"y": x.sum(axis=1) if cond else -x.reshape(-1)})
                for x, cond in [
                    (floats([1, -2], [3, 5]), True),
                    (np.zeros((0, 2), np.float32), True),
                    (floats([1, -2]), False),
                    (np.zeros((0, 2), np.float32), True),
                ]
            ],
            why=["if-then-branch-runs", NOTHING],
        )
    for case, what, dims, x in [("scalar", "a scalar", "float", np.float32(3)), ("list", "a list", "float[2]", V)]:
        yield then_when_true(
            f"{case}-expanded-to-its-own-shape: then returns {what}, expanded to its own shape",
            model(f"""
                g (bool cond, {dims} x) => ({dims} y) {{
                    y = If (cond) <
                        then_branch = then_graph () => ({dims} a) {{ shape = Shape (x)  a = Expand (x, shape) }},
                        else_branch = else_graph () => ({dims} b) {{ b = Neg (x) }}>
                }}"""),
            [Run({"cond": np.bool_(cond), "x": x}, {"y": x if cond else -x}) for cond in (True, False, True)],
            why=["if-then-branch-runs", "operators-expand-like-ones"],
        )
    rows = floats([1, 2, 3], [4, 5, 6], [7, 8, 9])
    yield then_when_true(
        "rows-from-the-end: then returns rows of a stored matrix at fed indices, some of which count from the end",
        model("""
            g (bool cond, int64[3] i) => (float[r, 3] y) <float[3, 3] rows = {1, 2, 3, 4, 5, 6, 7, 8, 9}> {
                y = If (cond) <
                    then_branch = then_graph () => (float[?, 3] a) { a = Gather (rows, i) },
                    else_branch = else_graph () => (float[?, 3] b) { b = Neg (rows) }>
            }"""),
        [
            Run({"cond": np.bool_(cond), "i": np.int64(i)}, {"y": rows[i] if cond else -rows})
            for i in ([0, 2, 1], [-1, 0, -3])
            for cond in (True, False)
        ],
        why=["if-then-branch-runs", "operators-gather-index-range"],
    )


def _gathered_at() -> Iterator[Vector]:
    """Elements of a list of known length at stored places: at none, and at one."""
    x = floats(1, -2, 3)
    for case, what, stored, places, empty in [
        ("no-index", "at no index", "int64[0] at = {}", [], ["ir-tensor-empty"]),
        ("one-index", "at one index", "int64[1] at = {2}", [2], []),
    ]:
        text = f"""
            g (bool cond, float[3] x) => (float[n] y) <{stored}> {{
                y = If (cond) <
                    then_branch = then_graph () => (float[?] a) {{ a = Gather (x, at) }},
                    else_branch = else_graph () => (float[?] b) {{ b = Neg (x) }}>
            }}"""
        yield then_when_true(
            f"gathered-at-{case}: then returns the elements of a list {what}",
            model(text),
            [Run({"cond": np.bool_(cond), "x": x}, {"y": x[places] if cond else -x}) for cond in (True, False, True)],
            why=["if-then-branch-runs", "operators-gather-index-range", "operators-gather-rank", *empty],
        )
        yield Vector(
            f"onnx/if/only-taken-branch-runs/gathered-at-{case}",
            f"then, which is never taken, returns the elements of a list {what}",
            [
                "if-then-branch-runs",
                "if-else-branch-runs",
                "operators-gather-index-range",
                "operators-gather-rank",
                *empty,
            ],
            model(text),
            [Run({"cond": np.False_, "x": x}, {"y": -x})],
        )


def _products() -> Iterator[Vector]:
    """A batch of matrices with a row or without any, times a matrix, and a row added to each row of the product."""
    for case, what, rows, empty in [("rows", "one row each", 1, []), ("no-rows", "no rows", 0, ["ir-tensor-empty"])]:
        x = np.arange(6 * rows, dtype=np.float32).reshape(2, rows, 3)
        product = x @ floats([1, 0], [0, 1], [1, 1])
        yield then_when_true(
            f"product-of-{case}-and-a-sum: then adds a row to the products of two matrices of {what} and a stored one",
            model(f"""
                g (bool cond, float[2, {rows}, 3] x) => (float[2, {rows}, 2] y)
                <float[3, 2] w = {{1, 0, 0, 1, 1, 1}}, float[2] row = {{10, 20}}> {{
                    y = If (cond) <
                        then_branch = then_graph () => (float[2,{rows},2] a) {{ p = MatMul (x, w)  a = Add (p, row) }},
                        else_branch = else_graph () => (float[2,{rows},2] b) {{ q = MatMul (x, w)  b = Neg (q) }}>
                }}"""),
            [
                Run({"cond": np.bool_(cond), "x": x}, {"y": product + floats(10, 20) if cond else -product})
                for cond in (True, False, True)
            ],
            why=["if-then-branch-runs", says("operators-matmul", "operators-add"), *empty],
        )
