"""Loops that carry a value which their body does not read, or returns unchanged; they may make no trip."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, says

NO_TRIP = says(
    "operators-loop-sample-b-out",
    "operators-loop-sample-for",
    "operators-loop-sample-values-bound",
    "operators-loop-sample-b-in",
)

X, K, START = floats(1, -2), floats(3, 5), floats(10, 20)

# Neither branch reads v: what the last trip returns is the same after each trip, but not after none.
UNREAD = model("""
    unread (int64 trips, bool go, bool cond, float[2] x, float[2] start) => (float[2] last) <float[2] k = {3, 5}> {
        last = Loop (trips, go, start) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (x, k) },
                    else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
            }>
    }""")

IN_BRANCH = """
    within (int64 trips, bool cond, float[2] x) => (float[2] y) <float[2] k = {{3, 5}}, bool yes = {{1}}> {{
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {{
                a = Loop (trips, yes, x) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {{
                        on_out = Identity (on)
                        v_out = {returned}
                    }}>
            }},
            else_branch = else_graph () => (float[2] b) {{ b = Neg (x) }}>
    }}"""

# All that the Loop reads is constant. The body's cond is true in the first trip, and false in the second.
UNCHANGED = model("""
    unchanged (bool cond, float[2,2] x) => (float[?,2] y)
    <float[2] k = {3, 5}, int64 trips = {3}, int64 one = {1}, bool yes = {1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[?,2] a) {
                last, a = Loop (trips, yes, k) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out, float[2] shown) {
                        on_out = Less (i, one)
                        v_out = Identity (v)
                        shown = Add (v, k)
                    }>
            },
            else_branch = else_graph () => (float[2,2] b) { b = Neg (x) }>
    }""")


def vectors() -> Iterator[Vector]:

    def replaced(trips: int, go: bool, cond: bool, last: np.ndarray) -> Run:
        inputs = {"trips": np.int64(trips), "go": np.bool_(go), "cond": np.bool_(cond), "x": X, "start": START}
        return Run(inputs, {"last": last})

    yield Vector(
        "onnx/if/in-loop/carried-value-not-read",
        "the body returns the If's result in place of the carried value, which nothing reads; after no trip it is the "
        "initial one",
        [NO_TRIP],
        UNREAD,
        [
            replaced(2, True, True, X + K),
            replaced(0, True, True, START),
            replaced(1, True, False, -X),
            replaced(3, False, True, START),
            replaced(0, True, False, START),
        ],
    )
    for case, what, returned, value in [
        ("carried-value-becomes-a-constant", "an initializer of the main graph", "Identity (k)", K),
        ("carried-value-becomes-an-outer-value", "a value computed from the outer scope", "Add (x, k)", X + K),
    ]:
        yield Vector(
            "onnx/if/loop-in-branch/" + case,
            f"the body returns {what} in place of the carried value, which nothing reads; after no trip it is the "
            "initial one",
            [NO_TRIP, "ir-outer-scope"],
            model(IN_BRANCH.format(returned=returned)),
            [
                Run({"trips": np.int64(trips), "cond": np.bool_(cond), "x": X}, {"y": y})
                for trips, cond, y in [(2, True, value), (0, True, X), (0, False, -X), (1, True, value), (0, True, X)]
            ],
        )
    x = floats([1, -2], [3, 4])
    yield Vector(
        "onnx/if/loop-in-branch/constant-carried-unchanged",
        "the Loop carries an initializer, and its body returns it unchanged and stacks its double; the second trip "
        "ends it",
        [
            "operators-loop-values-concatenated",
            "operators-loop-sample-b-in",
            says("operators-loop-sample-for", "operators-loop-sample-keepgoing"),
        ],
        UNCHANGED,
        branches({"x": x}, then={"y": np.stack([2 * K, 2 * K])}, else_={"y": -x}),
    )
