"""Untaken branches that would never end, or would need more memory than there is."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, model

RULE = "onnx/if/only-taken-branch-runs/"
WHY = [
    "if-then-branch-runs",
    "if-else-branch-runs",
    "ir-runtime-agnostic",
    issue("onnx/onnx", 4986, "inference ran the untaken branch and refused the model"),
]
X = floats(1, -2)


# A Loop whose cond stays true, without a trip count.
ENDLESS = """
    endless (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) <bool yes = {1}, float[2] k = {1, 2}> {
                s = Loop (, yes, k) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out)
                        { on_out = Identity (on)  v_out = Neg (v) }>
                b = Add (x, s)
            }>
    }"""

# 2^50 bytes, if they were ever allocated.
HUGE = """
    huge (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) <int64[1] to = {1125899906842624}, int64[1] at = {0}> {
                zeros = ConstantOfShape <value = uint8[1] {1}> (to)
                one = Gather (zeros, at)
                s = Cast <to = 1> (one)
                b = Add (x, s)
            }>
    }"""


def vectors() -> Iterator[Vector]:
    runs = [Run({"cond": np.True_, "x": X}, {"y": -X})]
    yield Vector(
        RULE + "endless-loop",
        "the untaken branch has a Loop of constants that never ends",
        [*WHY, "operators-loop-for-cond"],
        model(ENDLESS, 14),
        runs,
        about=["absent-operands"],
    )
    yield Vector(
        RULE + "constant-of-a-petabyte",
        "the untaken branch would create a constant of 2^50 bytes and read one of them",
        WHY,
        model(HUGE, 14),
        runs,
        doubt="the branch can never run where no memory is that large; no text says how large a tensor may be",
    )
