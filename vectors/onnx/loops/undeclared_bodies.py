"""Loops whose bodies leave types or shapes undeclared around an If."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, says

ABOUT = ("untyped-graphs",)

LOST_RANK = issue(
    "onnx/onnx", 3013, "inference gave what a Loop stacks a rank of 1 where it did not know the shape of the elements"
)

X = floats(1, -2, 5)

LOOP = model("""
    looped (bool cond, float[3] x) => (float[3] y) <int64 trips = {2}, bool yes = {1}> {
        y = Loop (trips, yes, x) <
            body = step (i, on, v) => (on_out, v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (a) { a = Add (v, x) },
                    else_branch = else_graph () => (b) { b = Neg (v) }>
            }>
    }""")

# Nothing declares the rank of what is stacked; the last axis of the Concat exists only if it is that of x and one more.
JOINED = """
    looped (bool cond, float[2,2] x) => (float[2,2,4] y) <int64 trips = {2}, bool yes = {1}> {
        last, all = Loop (trips, yes, x) <
            body = step (int64 i, bool on, v) => (bool on_out, v_out, shown) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (a) { a = Add (v, x) },
                    else_branch = else_graph () => (b) { b = Neg (v) }>
                shown = Identity (v_out)
            }>
        y = Concat <axis = 2> (all, all)
    }"""

# Only the innermost branches read the carried value.
TWO_LEVELS = model("""
    looped (bool p, bool q, float[3] x) => (float[3] y) <int64 trips = {2}, bool yes = {1}> {
        y = Loop (trips, yes, x) <
            body = step (int64 i, bool on, v) => (bool on_out, v_out) {
                on_out = Identity (on)
                v_out = If (p) <
                    then_branch = then_graph () => (a) {
                        a = If (q) <
                            then_branch = deep_then () => (c) { c = Add (v, x) },
                            else_branch = deep_else () => (d) { d = Neg (v) }>
                    },
                    else_branch = else_graph () => (b) { b = Abs (x) }>
            }>
    }""")

# The branches return a list of one element and a scalar, so the rank of what is stacked depends on cond.
SCAN = model("""
    scanned (bool cond, float[3] x) => (float[n] y) <int64[1] first = {0}, int64[1] flat = {-1}> {
        all = Scan <
            num_scan_inputs = 1,
            body = step (float e) => (shown) {
                shown = If (cond) <
                    then_branch = then_graph () => (a) { twice = Add (e, e)  a = Unsqueeze (twice, first) },
                    else_branch = else_graph () => (b) { b = Neg (e) }>
            }> (x)
        y = Reshape (all, flat)
    }""")


def vectors() -> Iterator[Vector]:
    yield Vector(
        "onnx/if/in-loop/body-without-types",
        "a Loop's body with an If declares names alone, and no type",
        ["ir-subgraph-types"],
        LOOP,
        branches({"x": X}, then={"y": floats(3, -6, 15)}, else_={"y": X}),
        also=["onnx/if/branch-outputs-may-be-untyped"],
    )
    square = floats([1, -2], [5, 3])
    for opset in (11, 16):
        yield Vector(
            f"onnx/if/in-loop/stacked-of-undeclared-rank-joined-in-opset-{opset}",
            f"opset {opset}: a Concat joins stacked results of an If along their last axis; no rank is declared",
            [
                says("operators-loop-values-concatenated", "operators-loop-sample-vals"),
                "examples-loop-11",
                "ir-subgraph-types",
                LOST_RANK,
            ],
            model(JOINED, opset),
            branches({"x": square}, then={"y": _joined(2 * square, 3 * square)}, else_={"y": _joined(-square, square)}),
            also=["onnx/if/branch-outputs-may-be-untyped"],
        )
    yield Vector(
        "onnx/if/in-loop/untyped-value-read-two-levels-down",
        "a Loop's body declares no type for the carried value, which only the branches of an If within then read",
        [
            "ir-subgraph-types",
            issue("microsoft/onnxruntime", 4004, "a body's input without a type that only deeper graphs read was lost"),
        ],
        TWO_LEVELS,
        [
            Run({"p": np.True_, "q": np.True_, "x": X}, {"y": 3 * X}),
            Run({"p": np.True_, "q": np.False_, "x": X}, {"y": X}),
            Run({"p": np.False_, "q": np.True_, "x": X}, {"y": np.abs(X)}),
        ],
        also=["onnx/if/branch-outputs-may-be-untyped", "onnx/if/outer-scope-capture"],
    )
    yield Vector(
        "onnx/if/in-scan/ranks-of-branches-differ",
        "a Scan stacks the results of an If whose branches return a list and a scalar",
        ["operators-scan-output-rank-not-required", "if-declared-shape-example", "ir-subgraph-types"],
        SCAN,
        branches({"x": X}, then={"y": floats(2, -4, 10)}, else_={"y": floats(-1, 2, -5)}),
        also=["onnx/if/shape-union"],
    )


def _joined(*trips: np.ndarray) -> np.ndarray:
    """The values of the trips, stacked, beside themselves."""
    return np.concatenate([np.stack(trips), np.stack(trips)], axis=2)
