"""Values that are quantized and dequantized, inside branches and outside, or on both sides of the border."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, says

# X / 0.5 is [[2.25, -4], [7, 200]]; in int8 [[2, -4], [7, 127]], which stands for D.
X = floats([1.125, -2], [3.5, 100])
D = floats([1, -2], [3.5, 63.5])

QUANTIZED = """
        q = QuantizeLinear (x, s, z)
        d = DequantizeLinear (q, s, z)
        w = Transpose (d)"""
GIVEN = "<float s = {0.5}, int8 z = {0}>"

IN_BRANCH = model(f"""<opset_import: ["" : 19]>
    transposed (bool cond, float[2,2] x) => (float[2,2] y) {GIVEN} {{
        {QUANTIZED}
        y = If (cond) <
            then_branch = then_graph () => (float[2,2] a) {{ a = Add (w, w) }},
            else_branch = else_graph () => (float[2,2] b) {{ b = Neg (x) }}>
    }}""")

NESTED = model(f"""<opset_import: ["" : 19]>
    nested (bool outer, bool inner, float[2,2] x) => (float[2,2] y) {GIVEN} {{
        {QUANTIZED}
        y = If (outer) <
            then_branch = then_graph () => (float[2,2] a) {{
                a = If (inner) <
                    then_branch = deep_then () => (float[2,2] c) {{ c = Add (w, w) }},
                    else_branch = deep_else () => (float[2,2] e) {{ e = Neg (w) }}>
            }},
            else_branch = else_graph () => (float[2,2] b) {{ b = Neg (x) }}>
    }}""")

IN_SCAN = model(f"""<opset_import: ["" : 19]>
    scanned (bool[n] flags, float[2,2] x) => (float[n,2,2] y) {GIVEN} {{
        {QUANTIZED}
        y = Scan <
            num_scan_inputs = 1,
            body = step (bool flag) => (float[2,2] shown) {{
                shown = If (flag) <
                    then_branch = then_graph () => (float[2,2] a) {{ a = Add (w, w) }},
                    else_branch = else_graph () => (float[2,2] b) {{ b = Neg (x) }}>
            }}> (flags)
    }}""")

# s and z are initializers of the main graph.
ONE_BRANCH = model(f"""<opset_import: ["" : 19]>
    one (bool cond, float[2,2] x) => (float[2,2] y) {GIVEN} {{
        y = If (cond) <
            then_branch = then_graph () => (float[2,2] w) {{ {QUANTIZED} }},
            else_branch = else_graph () => (float[2,2] b) {{ b = Neg (x) }}>
    }}""")

# s and z are initializers of each branch, under the same names.
BOTH_BRANCHES = model("""
    both (bool cond, float[2,2] x) => (float[2,2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2,2] a) <float s = {0.5}, int8 z = {0}> {
                q = QuantizeLinear (x, s, z)
                a = DequantizeLinear (q, s, z)
            },
            else_branch = else_graph () => (float[2,2] b) <float s = {2}, uint8 z = {10}> {
                q = QuantizeLinear (x, s, z)
                b = DequantizeLinear (q, s, z)
            }>
    }""")

# One branch multiplies by the scale by which the main graph has divided, the other by four.
CUT = model("""<opset_import: ["" : 19]>
    cut (bool cond, float[2,2] x) => (float[2,2] y) <float s = {0.5}, int8 z = {0}, float t = {4}, int8 five = {5}> {
        q = QuantizeLinear (x, s, z)
        y = If (cond) <
            then_branch = then_graph () => (float[2,2] a) { a = DequantizeLinear (q, s, z) },
            else_branch = else_graph () => (float[2,2] b) { b = DequantizeLinear (q, t, five) }>
    }""")


def vectors() -> Iterator[Vector]:
    both = [
        says("operators-quantizelinear-formula", "operators-quantizelinear-rounding"),
        "operators-dequantizelinear-formula",
    ]

    def run(cond: bool, y: np.ndarray) -> Run:
        return Run({"cond": np.bool_(cond), "x": X}, {"y": y})

    yield Vector(
        "onnx/if/outer-scope-capture/quantized-and-transposed",
        "a branch reads a value that the main graph has quantized, dequantized and transposed",
        ["ir-outer-scope", *both],
        IN_BRANCH,
        [run(True, 2 * D.T), run(False, -X)],
    )
    yield Vector(
        "onnx/if/nesting/quantized-and-transposed",
        "the branches of a nested If read a value that the main graph has quantized, dequantized and transposed",
        ["ir-outer-scope", *both],
        NESTED,
        [
            Run({"outer": np.bool_(outer), "inner": np.bool_(inner), "x": X}, {"y": y})
            for outer, inner, y in [(True, True, 2 * D.T), (True, False, -D.T), (False, True, -X)]
        ],
    )
    yield Vector(
        "onnx/if/in-scan/quantized-and-transposed-outside",
        "a branch in the body of a Scan reads a value that the main graph has quantized, dequantized and transposed",
        ["ir-outer-scope", *both],
        IN_SCAN,
        [Run({"flags": np.bool_([True, False, True]), "x": X}, {"y": np.stack([2 * D.T, -X, 2 * D.T])})],
    )
    ties = floats([1.25, -2.25], [3.75, -3.25])  # / 0.5 is [[2.5, -4.5], [7.5, -6.5]]
    even = floats([1, -2], [4, -3])
    yield Vector(
        "onnx/if/outer-scope-capture/scale-and-zero-point",
        "one branch quantizes a captured value, ties to the nearest even, with scale and zero point of the main graph",
        ["ir-outer-scope", *both],
        ONE_BRANCH,
        branches({"x": ties}, then={"y": even.T}, else_={"y": -ties}),
    )
    yield Vector(
        "onnx/if/sibling-names-independent/scale-and-zero-point",
        "each branch quantizes and dequantizes with initializers of its own, which have the same names in both",
        [says("ir-names-unique", note="of two graphs nothing is said"), *both],
        BOTH_BRANCHES,
        [run(True, D), run(False, floats([2, -2], [4, 100]))],
    )
    yield Vector(
        "onnx/if/outer-scope-capture/quantized-outside-only",
        "the main graph quantizes, and each branch dequantizes the same integers, one of them with another scale",
        ["ir-outer-scope", *both],
        CUT,
        [run(True, D), run(False, floats([-12, -36], [8, 488]))],
    )
