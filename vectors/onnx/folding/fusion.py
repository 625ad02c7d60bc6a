"""Nodes that optimizers fuse or compute beforehand, where a branch reads the value between them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, vectors_of

FIELD = [
    issue("microsoft/onnxruntime", 743, "removing nodes ignored the values that branches read"),
    issue("robertknight/rten", 1359, "fusing removed a value that a branch captures"),
]

outer_scope_capture = vectors_of("onnx/if/outer-scope-capture", "ir-outer-scope", "ir-runtime-agnostic", *FIELD)

RETURNED = [
    issue("microsoft/onnxruntime", 4110, "nodes were fused although their graph returns the value between them"),
    issue("robertknight/rten", 708, "nodes were fused although the value between them is used elsewhere"),
]
ROW, SQUARE = np.float32([[[1, -2, 5]]]), floats([1, -2], [3, 5])


@dataclass(frozen=True)
class Pair:
    """Nodes that compute m from x, nodes that compute z from m (and x), their initializers, and the three values."""

    first: str
    second: str
    stored: str
    x: np.ndarray
    m: np.ndarray
    z: np.ndarray
    returned: str = ""  # what then returns, where m does not lie between the nodes

    def values(self, cond: bool) -> np.ndarray:
        """The values that the branches compute from m."""
        return self.m * self.m if cond else self.m + self.m


def padded(x: np.ndarray) -> np.ndarray:
    """x with a zero at either end of the last dim."""
    return np.pad(x, [(0, 0)] * (x.ndim - 1) + [(1, 1)])


W = "float[1,1,1] w = {2}"
SWAP = "float[2,2] w = {0, 1, 1, 0}"
SWAPPED = SQUARE[:, ::-1]
NORM = """mean = ReduceMean <axes = [-1]> (x)  d = Sub (x, mean)  p = Pow (d, two)  v = ReduceMean <axes = [-1]> (p)
            e = Add (v, epsilon)  r = Sqrt (e)  n = Div (d, r)  s = Mul (n, g)"""
NORM_STORED = "float two = {2}, float epsilon = {3}, float[2] g = {4, 6}, float[2] bias = {10, 20}"
# Deviations of 1 from means of 3 and 7: variance 1, root of 1 + 3, a half of either sign.
NORM_X, NORM_Z = floats([4, 2], [6, 8]), floats([12, 17], [8, 23])

PAIRS = {
    "conv-add": Pair("m = Conv (x, w)", "z = Add (m, b)", W + ", float[1,1,1] b = {3}", ROW, 2 * ROW, 2 * ROW + 3),
    "conv-mul": Pair("m = Conv (x, w)", "z = Mul (m, b)", W + ", float[1,1,1] b = {3}", ROW, 2 * ROW, 6 * ROW),
    # No text gives the zero that Relu returns a sign; 1 is added to it.
    "conv-relu": Pair(
        "m = Conv (x, w)",
        "r = Relu (m)  z = Add (r, one)",
        W + ", float[1,1,1] one = {1}",
        ROW,
        2 * ROW,
        np.float32([[[3, 1, 11]]]),
    ),
    "pad-conv": Pair(
        "m = Pad (x, ends)",
        "z = Conv (m, w)",
        "int64[6] ends = {0, 0, 1, 0, 0, 1}, float[1,1,3] w = {1, 1, 1}",
        ROW,
        padded(ROW),
        np.float32([[[-1, 4, 3]]]),
    ),
    "matmul-add": Pair(
        "m = MatMul (x, w)",
        "z = Add (m, b)",
        SWAP + ", float[2] b = {10, 20}",
        SQUARE,
        SWAPPED,
        SWAPPED + floats(10, 20),
    ),
    "gemm-relu": Pair(
        "m = Gemm (x, w)",
        "r = Relu (m)  z = Add (r, one)",
        SWAP + ", float[2,2] one = {1, 1, 1, 1}",
        SQUARE,
        SWAPPED,
        floats([1, 2], [6, 4]),
    ),
    "transpose-matmul": Pair("m = Transpose (x)", "z = MatMul (m, w)", SWAP, SQUARE, SQUARE.T, SQUARE.T[:, ::-1]),
    "scale-matmul": Pair(
        "m = Mul (x, two)",
        "z = MatMul (m, w)",
        SWAP + ", float two = {2}",
        SQUARE,
        2 * SQUARE,
        2 * SWAPPED,
    ),
    "div-mul": Pair(
        "m = Div (one, x)",
        "z = Mul (m, x)",
        "float one = {1}",
        floats(2, -4, 0.5),
        floats(0.5, -0.25, 2),
        floats(1, 1, 1),
    ),
    "two-reshapes": Pair(
        "m = Reshape (x, flat)",
        "z = Reshape (m, high)",
        "int64[1] flat = {-1}, int64[2] high = {4, 1}",
        SQUARE,
        SQUARE.ravel(),
        SQUARE.reshape(4, 1),
    ),
    "two-unsqueezes": Pair(
        "m = Unsqueeze (x, at)",
        "z = Unsqueeze (m, at)",
        "int64[1] at = {1}",
        SQUARE,
        SQUARE[:, None],
        SQUARE[:, None, None],
    ),
    "two-slices": Pair(
        "m = Slice (x, one, end, one)",
        "z = Slice (m, one, end, zero)",
        "int64[1] zero = {0}, int64[1] one = {1}, int64[1] end = {9}",
        SQUARE,
        SQUARE[:, 1:],
        SQUARE[1:, 1:],
    ),
    "two-transposes": Pair("m = Transpose (x)", "z = Transpose (m)", "", SQUARE, SQUARE.T, SQUARE),
    "double-between-casts": Pair(
        "m = Cast <to = 11> (x)",
        "z = Cast <to = 1> (m)",
        "",
        SQUARE,
        np.float64(SQUARE),
        SQUARE,
    ),
    "number-after-casts": Pair(
        "d = Cast <to = 11> (x)  m = Cast <to = 7> (d)",
        "z = Cast <to = 1> (m)",
        "",
        SQUARE,
        np.int64(SQUARE),
        SQUARE,
    ),
    "concat-slice": Pair(
        "m = Concat <axis = 0> (x, x)",
        "z = Slice (m, one, three, zero)",
        "int64[1] zero = {0}, int64[1] one = {1}, int64[1] three = {3}",
        SQUARE,
        np.concatenate([SQUARE, SQUARE]),
        SQUARE[::-1],
    ),
    "split-concat": Pair("m, n = Split <axis = 0> (x)", "z = Concat <axis = 0> (m, n)", "", SQUARE, SQUARE[:1], SQUARE),
    "sigmoid-mul": Pair("m = Sigmoid (x)", "z = Mul (x, m)", "", floats(0, 0), floats(0.5, 0.5), floats(0, 0)),
    "normalisation-mean": Pair(
        NORM.replace("mean", "m"),
        "z = Add (s, bias)",
        NORM_STORED,
        NORM_X,
        floats([3], [7]),
        NORM_Z,
    ),
    "normalisation-root": Pair(
        NORM.replace(" r = Sqrt", " m = Sqrt").replace("(d, r)", "(d, m)"),
        "z = Add (s, bias)",
        NORM_STORED,
        NORM_X,
        floats([2], [2]),
        NORM_Z,
    ),
    "normalisation-scaled": Pair(
        NORM.replace(" s = Mul", " m = Mul"),
        "z = Add (m, bias)",
        NORM_STORED,
        NORM_X,
        floats([2, -3], [-2, 3]),
        NORM_Z,
    ),
    "range-gather": Pair(
        "m = Range (zero, two, one)",
        "z = Gather (x, m)",
        "int64 zero = {0}, int64 one = {1}, int64 two = {2}",
        floats([1], [2], [3]),
        np.int64([0, 1]),
        floats([1], [2]),
    ),
    "shape-gather": Pair(
        "dims = Shape (x)  m = Gather (dims, at)",
        "to = Concat <axis = 0> (m, rest)  z = Reshape (x, to)",
        "int64[1] at = {0}, int64[2] rest = {1, -1}",
        SQUARE,
        np.int64([2]),
        SQUARE.reshape(2, 1, 2),
    ),
    "sum-of-initializers": Pair(
        "m = Add (k, l)",
        "z = Mul (m, x)",
        "float[2] k = {1, 2}, float[2] l = {10, 20}",
        SQUARE,
        floats(11, 22),
        SQUARE * floats(11, 22),
    ),
    "copy-of-initializer": Pair(
        "m = Identity (k)",
        "z = Add (m, x)",
        "float[2] k = {1, 2}",
        SQUARE,
        floats(1, 2),
        SQUARE + floats(1, 2),
    ),
    "twice-the-same": Pair(
        "n = Neg (x)  m = Neg (x)",
        "z = Mul (n, x)",
        "",
        SQUARE,
        -SQUARE,
        -SQUARE * SQUARE,
        "one of two equal nodes' results, and what is computed from the other",
    ),
}
TYPES = {"float32": "float", "float64": "double", "int64": "int64"}


def declared(array: np.ndarray, name: str) -> str:
    """The array's type and shape as text."""
    return f"{TYPES[array.dtype.name]}[{','.join(map(str, array.shape))}] {name}"


def text_of(pair: Pair, inputs: str, outputs: str, nodes: str) -> str:
    """A graph with the pair's initializers."""
    stored = f"<{pair.stored}>" if pair.stored else ""
    return f"g ({inputs}, {declared(pair.x, 'x')}) => ({outputs}) {stored} {{ {nodes} }}"


def beside(pair: Pair) -> str:
    """Both nodes in the main graph; the branches read m, and z is an output too."""
    return text_of(
        pair,
        "bool cond",
        f"{declared(pair.z, 'z')}, {declared(pair.m, 'y')}",
        f"""
            {pair.first}
            {pair.second}
            y = If (cond) <
                then_branch = then_graph () => (square) {{ square = Mul (m, m) }},
                else_branch = else_graph () => (twice) {{ twice = Add (m, m) }}>""",
    )


def across(pair: Pair) -> str:
    """The first node in the main graph, the second in then; in else too, where its result is doubled."""
    return text_of(
        pair,
        "bool cond",
        declared(pair.z, "y"),
        f"""
            {pair.first}
            y = If (cond) <
                then_branch = then_graph () => (z) {{ {pair.second} }},
                else_branch = else_graph () => (doubled) {{
                    {pair.second.replace("z = ", "last = ")}
                    doubled = Add (last, last)
                }}>""",
    )


def within(pair: Pair) -> str:
    """Both nodes in then, where the branches of another If read m."""
    return text_of(
        pair,
        "bool outer, bool cond",
        f"{declared(pair.z, 'y')}, {declared(pair.m, 'o')}",
        f"""
            y, o = If (outer) <
                then_branch = then_graph () => (z, read) {{
                    {pair.first}
                    {pair.second}
                    read = If (cond) <
                        then_branch = deep_then () => (square) {{ square = Mul (m, m) }},
                        else_branch = deep_else () => (twice) {{ twice = Add (m, m) }}>
                }},
                else_branch = else_graph () => (ones, others) {{
                    ones = Constant <value = {constant(pair.z)}> ()
                    others = Constant <value = {constant(pair.m)}> ()
                }}>""",
    )


def returning(pair: Pair) -> str:
    """Both nodes in then, which returns m and z; both in else, which doubles them."""
    return text_of(
        pair,
        "bool cond",
        f"{declared(pair.m, 'o')}, {declared(pair.z, 'y')}",
        f"""
            o, y = If (cond) <
                then_branch = then_graph () => ({declared(pair.m, "m")}, {declared(pair.z, "z")}) {{
                    {pair.first}
                    {pair.second}
                }},
                else_branch = else_graph () => ({declared(pair.m, "others")}, {declared(pair.z, "doubled")}) {{
                    {pair.first}
                    {pair.second}
                    others = Add (m, m)
                    doubled = Add (z, z)
                }}>""",
    )


def constant(array: np.ndarray) -> str:
    """A tensor of ones, as text."""
    return f"{declared(array, '')}{{{', '.join(['1'] * array.size)}}}"


def vectors() -> Iterator[Vector]:
    for name, pair in PAIRS.items():
        what = name.replace("-", " ")
        yield outer_scope_capture(
            f"{name}-captured-between: both branches read the value between nodes that may be fused: {what}",
            model(beside(pair)),
            [
                Run({"cond": np.bool_(cond), "x": pair.x}, {"z": pair.z, "y": pair.values(cond)})
                for cond in (True, False)
            ],
        )
        yield outer_scope_capture(
            f"{name}-across-the-border: "
            f"nodes that may be fused, some in the main graph, the others in both branches: {what}",
            model(across(pair)),
            branches({"x": pair.x}, then={"y": pair.z}, else_={"y": pair.z + pair.z}),
        )
        ones = {"y": np.ones_like(pair.z), "o": np.ones_like(pair.m)}
        yield outer_scope_capture(
            f"{name}-captured-in-branch: "
            f"in then, the branches of an If within read the value between nodes that may be fused: {what}",
            model(within(pair)),
            *(
                Run({"outer": np.True_, "cond": np.bool_(cond), "x": pair.x}, {"y": pair.z, "o": pair.values(cond)})
                for cond in (True, False)
            ),
            Run({"outer": np.False_, "cond": np.True_, "x": pair.x}, ones),
            also=["onnx/if/nesting"],
        )
        yield Vector(
            f"onnx/if/output-order/{name}-returned-between",
            f"then returns {pair.returned or f'the value between nodes that may be fused, and their result: {what}'}",
            ["if-then-branch-outputs", "ir-runtime-agnostic", *RETURNED],
            model(returning(pair)),
            branches(
                {"x": pair.x}, then={"o": pair.m, "y": pair.z}, else_={"o": pair.m + pair.m, "y": pair.z + pair.z}
            ),
        )
