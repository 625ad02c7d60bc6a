"""Where the static shape of a branch's output comes from: its declaration, the nodes of the branch, or neither."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, model
from ifcert.authoring.models import declared_as

RULE = "onnx/if/declared-shape-compatible/"

X = floats(1, -2)

# y is only reshaped to a list, whatever its shape.
DECLARED = """
    declared (bool cond, INPUTS) => (float[?] z) <float[2] y, int64[1] list = {-1}> {
        y = If (cond) <
            then_branch = then_graph () => (OUTPUT a) { THEN },
            else_branch = else_graph () => (OUTPUT b) { ELSE }>
        z = Reshape (y, list)
    }"""

# The carried value is v: one number in the first trip, which takes then, and two in the second.
CARRYING = model("""
    carrying (float[1] x) => (float[?] z)
        <int64 trips = {2}, bool yes = {1}, int64 zero = {0}, float[2] k = {10, 20}, int64[1] list = {-1}> {
        y = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[?] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                first = Equal (i, zero)
                v_out = If (first) <
                    then_branch = then_graph () => (float[2] a) { a = Identity (k) },
                    else_branch = else_graph () => (b) { b = Neg (v) }>
            }>
        z = Reshape (y, list)
    }""")


def vectors() -> Iterator[Vector]:
    twos = {"cond": np.True_, "x": X}
    for case, (what, inputs, output, then, other, more) in {
        "rank-of-branches-is-declared": (
            "the branches' outputs are declared [2], and their nodes return any rank",
            "float[2] x, int64[r] to",
            "float[2]",
            "a = Reshape (x, to)",
            "t = Neg (x)  b = Reshape (t, to)",
            {"to": np.int64([2])},
        ),
        "length-of-branches-is-declared": (
            "the branches' outputs are declared [2], and their nodes return any length",
            "float[?] x",
            "float[2]",
            "a = Identity (x)",
            "b = Neg (x)",
            {},
        ),
        "shape-of-branches-is-inferred": (
            "the branches' outputs are declared without a shape, and their nodes return [2]",
            "float[2] x",
            "float[]",
            "a = Identity (x)",
            "b = Neg (x)",
            {},
        ),
    }.items():
        text = DECLARED
        parts = {"INPUTS": inputs, "OUTPUT": output, "THEN": then, "ELSE": other}
        for name, part in parts.items():
            text = text.replace(name, part)
        twin = Vector(
            RULE + case,
            f"{what}; y is declared [2]",
            ["if-declared-shape", "ir-value-info"],
            model(text),
            [Run(twos | more, {"z": X}), Run(twos | more | {"cond": np.False_}, {"z": -X})],
        )
        yield twin
        if output != "float[]":
            yield twin.broken(f"{case}-of-neither: {what}; y is declared [3]", declared_as("float[3]"))
    yield Vector(
        RULE + "carried-value-of-another-length",
        "in a Loop, an If declared [2] negates the carried value, which has one number before the first trip",
        ["if-declared-shape", "operators-loop-shapes-may-change"],
        CARRYING,
        # k in the first trip, -k in the second.
        [Run({"x": floats(7)}, {"z": floats(-10, -20)})],
        also=["onnx/if/in-loop"],
    )
