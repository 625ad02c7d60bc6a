"""More inputs than If has: three, one with an empty name, in a branch, in a function."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, replaced, vectors_of

one_input = vectors_of("onnx/if/one-input", "if-inputs", "ir-signature")

X = floats(1, -2)

NESTED = model("""
    nested (bool cond, bool inner, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                size = Abs (x)
                a = If (inner) <
                    then_branch = deep_then () => (float[2] c) { c = Add (size, x) },
                    else_branch = deep_else () => (float[2] d) { d = Sub (size, x) }>
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

FUNCTION = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) { y = local.choose (cond, x) }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Add (v, v) },
            else_branch = else_graph () => (b) { b = Neg (v) }>
    }""")


def vectors() -> Iterator[Vector]:
    nested = one_input(
        "cond-alone-in-branch: an If in a branch of another; cond is the only input of each",
        NESTED,
        Run({"cond": np.True_, "inner": np.True_, "x": X}, {"y": np.abs(X) + X}),
        Run({"cond": np.True_, "inner": np.False_, "x": X}, {"y": np.abs(X) - X}),
        Run({"cond": np.False_, "inner": np.False_, "x": X}, {"y": -X}),
    )
    yield nested.broken(
        "cond-and-captured-in-branch: the inner If has the value that its branches read as a second input",
        replaced("a = If (inner) <", "a = If (inner, size) <"),
    )
    yield nested.broken(
        "three-inputs: the If has three inputs, every one available",
        replaced("y = If (cond) <", "y = If (cond, inner, x) <"),
    )
    yield nested.varied(
        "cond-and-no-name: after cond the If has an input with the empty name",
        replaced("y = If (cond) <", 'y = If (cond, "") <'),
        why=["if-inputs", "ir-left-out"],
        about=["absent-operands"],
        doubt="the empty name stands for an omitted optional input, and If has none; nor does it pass any value",
    )
    function = one_input(
        "cond-alone-in-function: an If in a function; cond is its only input",
        FUNCTION,
        branches({"x": X}, then={"y": X + X}, else_={"y": -X}),
        also=["onnx/if/in-function"],
    )
    yield function.broken(
        "cond-and-x-in-function: in a function, the If has the value that its branches read as a second input",
        replaced("r = If (c) <", "r = If (c, v) <"),
    )
