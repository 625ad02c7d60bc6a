"""Names such as t_1, which tools make up when they move or inline values, and which the model already has."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, model, says

PER_GRAPH = says("ir-names-unique", note="a number at the end of a name means nothing")
LIFTED = issue("onnx/ir-py", 41, "initializers of two branches with one name collided when they were moved outside")
X = floats(1, -2)

BRANCHES = model("""
    branches (bool cond, float[2] x) => (float[2] y)
    <float[2] w_1 = {100, 200}, float[2] w_2 = {1000, 2000}, float[2] w__1 = {7, 7}> {
        w_0 = Neg (x)
        t_1 = Add (w__1, x)
        y = If (cond) <
            then_branch = then_graph () => (a) <float[2] w = {1, 2}> {
                t = Add (x, w)
                u = Add (t, w_1)
                v = Add (u, t_1)
                a = Add (v, w_0)
            },
            else_branch = else_graph () => (b) <float[2] w = {10, 20}> {
                t = Mul (x, w)
                u = Add (t, w_2)
                v = Sub (u, t_1)
                b = Sub (v, w_0)
            }>
    }""")

# The taken branches may be inlined, where t_1, t_2 and w_1 exist before and after them.
INLINED = model("""
    inlined (float[2] x) => (float[2] y, float[2] z, float[2] t_2)
    <bool yes = {1}, bool no = {0}, float[2] w_1 = {100, 200}> {
        t_1 = Neg (x)
        y = If (yes) <
            then_branch = one () => (a) <float[2] w = {1, 2}> { t = Add (x, w)  s = Add (t, t_1)  a = Add (s, w_1) },
            else_branch = two () => (b) { b = Abs (x) }>
        z = If (no) <
            then_branch = three () => (d) { d = Abs (x) },
            else_branch = four () => (c) <float[2] w = {10, 20}> { t = Mul (x, w)  u = Sub (t, t_1)  c = Sub (u, w_1) }>
        t_2 = Sub (z, t_1)
    }""")

CALLED = model("""<opset_import: ["" : 16, "local" : 1]>
    called (bool cond, float[2] x) => (float[2] y) <float[2] w_1 = {100, 200}> {
        t = Neg (x)
        t_1 = Add (t, t)
        t__1 = Add (t_1, t)
        choose_t = Add (t_1, t_1)
        p = local.choose (cond, t_1)
        r = local.choose (cond, p)
        r_1 = Add (r, t__1)
        t_2 = Add (r_1, choose_t)
        y = Add (t_2, w_1)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        t = Add (v, v)
        r = If (c) <
            then_branch = then_graph () => (a) <float[2] w = {1, 2}> { a = Add (t, w) },
            else_branch = else_graph () => (b) { b = Neg (t) }>
    }""")


def vectors() -> Iterator[Vector]:
    yield Vector(
        "onnx/if/sibling-names-independent/numbered-names-outside",
        "both branches have an initializer w and a value t; the main graph has w_0, w_1, w_2, w__1 and t_1",
        [
            PER_GRAPH,
            "ir-outer-scope",
            LIFTED,
            issue("microsoft/onnxscript", 2348, "moving initializers of branches outside must not give two one name"),
        ],
        BRANCHES,
        [
            # x + [1, 2] + [100, 200] + 7 + x - x
            Run({"cond": np.True_, "x": X}, {"y": floats(109, 207)}),
            # x [10, 20] + [1000, 2000] - 7 - x + x
            Run({"cond": np.False_, "x": X}, {"y": floats(1003, 1953)}),
        ],
    )
    yield Vector(
        "onnx/if/constant-cond-same-result/numbered-names-outside",
        "the taken branches of two Ifs have an initializer w and a value t; the main graph has w_1, t_1 and t_2",
        [
            PER_GRAPH,
            "ir-outer-scope",
            issue("microsoft/onnxscript", 1466, "names made up by an earlier run were made up again"),
        ],
        INLINED,
        [
            # y = x + [1, 2] - x + [100, 200]; z = x [10, 20] + x - [100, 200]; t_2 = z + x
            Run({"x": X}, {"y": floats(101, 202), "z": floats(-89, -242), "t_2": floats(-88, -244)})
        ],
        also=["onnx/if/sibling-names-independent"],
    )
    yield Vector(
        "onnx/if/in-function/numbered-names-of-the-caller",
        "a function with values t and r and an initializer w is called twice; the caller has t_1, choose_t, r_1 …",
        [PER_GRAPH, issue("microsoft/onnxruntime", 15855, "names made up for two inlined calls were the same")],
        CALLED,
        [
            # -8x + [3, 6], then -3x, -4x and [100, 200]
            Run({"cond": np.True_, "x": X}, {"y": floats(88, 236)}),
            # -8x, then the same
            Run({"cond": np.False_, "x": X}, {"y": floats(85, 230)}),
        ],
    )
