"""Branches whose shapes are static only because they declare them: no operator in them shows its result's shape.

declared_shapes.py has every form of declaration for branches that return Constants.
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, branches, floats, model
from ifcert.authoring.models import declared_as

# Before a run, Reshape says nothing of its result's shape and Slice only the rank.
DECLARED = model("""
    declared (bool cond, float[3] x, int64[r] to, int64[1] from, int64[1] until) => (float[?] z) <float[2] y> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                h = Slice (x, from, until)
                a = Reshape (h, to)
            },
            else_branch = else_graph () => (float[2] b) { b = Slice (x, from, until) }>
        flat = Constant <value = int64[1] {-1}> ()
        z = Reshape (y, flat)
    }""")


def vectors() -> Iterator[Vector]:
    fed = {"x": floats(1, -2, 3), "to": np.int64([2]), "from": np.int64([1]), "until": np.int64([3])}
    declared = Vector(
        "onnx/if/declared-shape-compatible/branches-declare-two",
        "only the declarations of the branches' outputs say that both have two elements, as y is declared",
        ["if-declared-shape", "ir-shape-is-tensor-shape-proto"],
        DECLARED,
        branches(fed, then={"z": floats(-2, 3)}, else_={"z": floats(-2, 3)}),
    )
    yield declared.broken(
        "branches-declare-two-result-three: "
        "only the declarations of the branches' outputs say that both have two elements; y is declared with three",
        declared_as("float[3]"),
        why=["if-declared-shape-counterexample", "ir-shape-is-tensor-shape-proto"],
    )
