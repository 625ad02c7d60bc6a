"""Transposes that ONNX Runtime pushes through other nodes, to meet others, and what OpenVINO and tract do likewise."""

import numpy as np

from ifcert.authoring.rewrites.pattern import DEEP, Pattern, Seen, f, i, row

PUSHED = Seen("ONNX Runtime", "TransposeOptimizer", "transpose_optimization/onnx_transpose_optimization.cc")
TURN, BACK = "Transpose <perm = [2, 0, 1]>", "Transpose <perm = [1, 2, 0]>"


def pushed(
    name: str, node: str, /, *, back: str = BACK, seen: Seen = PUSHED, **constants: np.ndarray | tuple
) -> Pattern:
    """A node between two Transposes; without constants of its own it is followed by a factor."""
    if any(isinstance(each, tuple) for each in constants.values()):
        second, more = f"{node}  z = {back} (n)", {}
    else:
        second, more = f"{node}  t = {back} (n)  z = Mul (t, k)", {"k": (f(2), f(4))}
    words = f"a Transpose is pushed through {name.removeprefix('turned-').replace('-', ' ')}"
    return row(name, words, seen, f"m = {TURN} (x)", second, x=DEEP, **constants, **more)


PLANE = "Transpose <perm = [1, 0]>"

PATTERNS = [
    pushed("turned-add-of-row", "n = Add (m, b)", b=(f(1, 2), f(10, 20))),
    pushed("turned-add-of-column", "n = Add (b, m)", b=(f([[1], [2]]), f([[10], [20]]))),
    pushed("turned-add-of-block", "n = Sub (m, b)", b=(f([[[1]], [[2]], [[3]]]), f([[[10]], [[20]], [[30]]]))),
    pushed("turned-product-with-itself", "n = Mul (m, m)"),
    pushed("turned-sum-with-turned", f"o = {TURN} (x)  p = Neg (o)  n = Sub (m, p)"),
    pushed("turned-relu", "r = Relu (m)  n = Add (r, one)", one=f(1)),
    pushed("turned-cast", "c = Cast <to = 11> (m)  n = Cast <to = 1> (c)"),
    pushed("turned-concat", "n = Concat <axis = 1> (m, b)", b=(f([[[1, 2]]] * 3), f([[[4, 8]]] * 3))),
    pushed("turned-concat-with-turned", f"o = {TURN} (x)  n = Concat <axis = -1> (o, m)"),
    pushed("turned-split", "a, b = Split <axis = 1> (m)  n = Concat <axis = 1> (b, a)"),
    pushed(
        "turned-split-by-lengths", "a, b = Split <axis = 0> (m, l)  n = Concat <axis = 0> (b, a)", l=(i(1, 2), i(2, 1))
    ),
    pushed("turned-sum-over-axis", "n = ReduceSum <keepdims = 1> (m, at)", at=(i([0]), i([2]))),
    pushed("turned-sum-without-axis", "n = ReduceSum <keepdims = 0> (m, at)", back=PLANE, at=(i([1]), i([-1]))),
    pushed("turned-max-over-axis", "n = ReduceMax <axes = [1]> (m)"),
    pushed("turned-mean-without-axis", "n = ReduceMin <axes = [-1], keepdims = 0> (m)", back=PLANE),
    pushed("turned-slice", "n = Slice (m, begin, end, at)", begin=(i([0]), i([1])), end=i([3]), at=i([0])),
    pushed("turned-slice-without-axes", "n = Slice (m, begin, end)", begin=(i(1, 0, 0), i(0, 1, 0)), end=i(3, 2, 9)),
    pushed(
        "turned-reversed",
        "n = Slice (m, begin, end, at, step)",
        begin=i([-1]),
        end=i([-9]),
        at=(i([0]), i([2])),
        step=i([-1]),
    ),
    pushed("turned-pad", "n = Pad (m, ends)", ends=(i(1, 0, 0, 0, 0, 2), i(0, 1, 0, 0, 1, 0))),
    pushed("turned-unsqueeze-and-squeeze", "u = Unsqueeze (m, at)  n = Squeeze (u, at)", at=(i([1]), i([-1]))),
    pushed("turned-unsqueeze", "n = Unsqueeze (m, at)", back="Transpose <perm = [0, 2, 3, 1]>", at=(i([0]), i([3]))),
    pushed("turned-gather", "n = Gather <axis = 0> (m, at)", at=(i(2, 0), i(1, 1))),
    pushed("turned-gather-of-one", "n = Gather <axis = -1> (m, at)", back=PLANE, at=(i(0), i(1))),
    pushed("turned-tile", "n = Tile (m, by)", by=(i(1, 2, 1), i(2, 1, 1))),
    pushed(
        "turned-expand",
        "s = ReduceSum <keepdims = 1> (m, at)  n = Expand (s, to)",
        at=i([0]),
        to=(i(3, 2, 2), i(5, 1, 1)),
    ),
    pushed("turned-where", "g = Greater (m, b)  n = Where (g, m, b)", b=(f(1, 2), f(-3, 4))),
    pushed("turned-max", "n = Max (m, b, c)", b=(f(1), f(-2)), c=f([[0], [-3]])),
    pushed("turned-matmul", "n = MatMul (m, w)", w=(f([[1, 2], [-1, 4]]), f([[0, 1], [1, 0]]))),
    pushed("turned-arg-max", "a = ArgMax <axis = 1> (m)  n = Cast <to = 1> (a)"),
    pushed("turned-shape", "d = Shape (m)  c = Cast <to = 1> (d)  u = Reshape (c, to)  n = Mul (m, u)", to=i(3, 1, 1)),
    pushed("turned-reshape", "n = Reshape (m, to)", back=PLANE, to=(i(3, 4), i(6, 2))),
    pushed(
        "turned-quantized",
        "q = QuantizeLinear <axis = 0> (m, s, p)  n = DequantizeLinear <axis = 0> (q, s, p)",
        s=f(0.5, 1, 0.25),
        p=np.uint8([128, 128, 128]),
    ),
    row(
        "turned-twice",
        "two Transposes become one",
        Seen("OpenVINO", "TransposeFuse", "common_optimizations/transpose_sinking.cpp"),
        f"m = {TURN} (x)",
        f"t = {TURN} (m)  z = Mul (t, k)",
        x=DEEP,
        k=(f(2), f(4)),
    ),
    row(
        "turned-and-back",
        "two Transposes cancel out",
        Seen("OpenVINO", "TransposeFuse", "common_optimizations/transpose_sinking.cpp"),
        f"m = {TURN} (x)",
        f"t = {BACK} (m)  z = Mul (t, k)",
        x=DEEP,
        k=(f(2), f(4)),
    ),
    row(
        "turned-without-moving",
        "a Transpose that moves only length 1 becomes Reshape",
        Seen("OpenVINO", "TransposeToReshape", "common_optimizations/transpose_to_reshape.cpp"),
        "m = Transpose <perm = [1, 0, 2]> (x)",
        "z = Mul (m, k)",
        x=DEEP[:1],
        k=(f(2), f(4)),
        scalars=True,
    ),
    row(
        "turned-before-sum",
        "a sum over turned axes",
        Seen("OpenVINO", "TransposeReduction", "common_optimizations/transpose_sinking.cpp"),
        f"m = {TURN} (x)",
        "s = ReduceSum <keepdims = 0> (m, at)  z = Mul (s, k)",
        x=DEEP,
        at=(i([0]), i([1])),
        k=(f(2), f(4)),
    ),
    row(
        "turned-before-cast",
        "a Cast after a Transpose goes before it",
        Seen("OpenVINO", "TransposeConvert", "common_optimizations/transpose_sinking.cpp"),
        f"m = {TURN} (x)",
        "c = Cast <to = 7> (m)  z = Mul (c, k)",
        x=DEEP,
        k=(i(2), i(4)),
    ),
    row(
        "turned-plane-times-constant",
        "a Transpose of a constant operand",
        Seen(
            "OpenVINO", "MatMulConstTransposesExtraction", "common_optimizations/matmul_const_transposes_extraction.cpp"
        ),
        "m = Transpose (w)",
        "z = MatMul (x, m)",
        w=(f([[1, 2], [-1, 4]]), f([[3, 1], [1, 2]])),
    ),
]
