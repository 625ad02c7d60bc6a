"""What operators of ONNX (opset 16) compute, in numpy: each is a function of the node's attributes and its operands."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from onnx import NodeProto, helper, numpy_helper, parser

Attributes = Mapping[str, Any]
Operator = Callable[..., Any]
Values = Mapping[str, np.ndarray]


def parsed(nodes: str) -> Sequence[NodeProto]:
    """The nodes of a text such as `m = Neg (x)  z = Add (m, k)`."""
    return parser.parse_graph(f"g () => () {{ {nodes} }}").node


def computed(nodes: str, values: Values) -> dict[str, np.ndarray]:
    """The values by name, and those that the nodes compute from them.

    Raises KeyError for an operator that NUMPY has not, or a value that nothing computes.
    """
    known = dict(values)
    for node in parsed(nodes):
        attributes = {each.name: helper.get_attribute_value(each) for each in node.attribute}
        operands = [known[name] if name else None for name in node.input]
        results = NUMPY[node.op_type](attributes, *operands, count=len(node.output))
        results = results if isinstance(results, list) else [results]
        known |= dict(zip(node.output, map(np.asarray, results), strict=True))
    return known


def _plain(function: Callable[..., Any]) -> Operator:
    """An operator without attributes."""
    return lambda _, *operands, count=1: function(*operands)


def _folded(function: Callable[[Any, Any], Any]) -> Operator:
    """An operator of any number of operands, computed two at a time."""

    def fold(_: Attributes, *operands: np.ndarray, count: int = 1) -> np.ndarray:
        result = operands[0]
        for each in operands[1:]:
            result = function(result, each)
        return result

    return fold


def _div(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Of integers, toward zero."""
    if x.dtype.kind == "f":
        return x / y
    return (np.sign(x) * np.sign(y) * (np.abs(x) // np.abs(y))).astype(x.dtype)


def _cast(a: Attributes, x: np.ndarray, *, count: int = 1) -> np.ndarray:
    return x.astype(helper.tensor_dtype_to_np_dtype(a["to"]))


def _shape(a: Attributes, x: np.ndarray, *, count: int = 1) -> np.ndarray:
    return np.int64(x.shape)[a.get("start", 0) : a.get("end")]


def _reshape(x: np.ndarray, to: np.ndarray) -> np.ndarray:
    return x.reshape([x.shape[i] if length == 0 else length for i, length in enumerate(to)])


def _transpose(a: Attributes, x: np.ndarray, *, count: int = 1) -> np.ndarray:
    return np.transpose(x, a.get("perm"))


def _squeeze(x: np.ndarray, axes: np.ndarray | None = None) -> np.ndarray:
    return np.squeeze(x, None if axes is None else tuple(axes))


def _unsqueeze(x: np.ndarray, axes: np.ndarray) -> np.ndarray:
    return np.expand_dims(x, tuple(axes))


def _concat(a: Attributes, *operands: np.ndarray, count: int = 1) -> np.ndarray:
    return np.concatenate(operands, a["axis"])


def _split(a: Attributes, x: np.ndarray, lengths: np.ndarray | None = None, *, count: int) -> list[np.ndarray]:
    at = count if lengths is None else np.cumsum(lengths)[:-1]
    return np.split(x, at, a.get("axis", 0))


def _slice(x: np.ndarray, starts: np.ndarray, ends: np.ndarray, *more: np.ndarray | None) -> np.ndarray:
    axes, steps = (*more, None, None)[:2]
    axes = range(len(starts)) if axes is None else axes
    steps = [1] * len(starts) if steps is None else steps
    cut = [slice(None)] * x.ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        before_all = step < 0 and end < -x.shape[axis]
        cut[axis] = slice(int(start), None if before_all else int(end), int(step))
    return x[tuple(cut)]


def _gather(a: Attributes, x: np.ndarray, at: np.ndarray, *, count: int = 1) -> np.ndarray:
    return np.take(x, at, a.get("axis", 0))


def _gather_elements(a: Attributes, x: np.ndarray, at: np.ndarray, *, count: int = 1) -> np.ndarray:
    return np.take_along_axis(x, at, a.get("axis", 0))


def _expand(x: np.ndarray, to: np.ndarray) -> np.ndarray:
    return np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(to)))


def _pad(
    a: Attributes, x: np.ndarray, ends: np.ndarray, value: np.ndarray | None = None, *, count: int = 1
) -> np.ndarray:
    """All lengths at least 0."""
    mode = a.get("mode", b"constant").decode()
    more = {"constant_values": 0 if value is None else value.item()} if mode == "constant" else {}
    return np.pad(x, list(zip(ends[: x.ndim], ends[x.ndim :], strict=True)), mode, **more)


def _filled(a: Attributes, to: np.ndarray, *, count: int = 1) -> np.ndarray:
    value = numpy_helper.to_array(a["value"]) if "value" in a else np.float32([0])
    return np.full(tuple(to), value[0], value.dtype)


def _reduced(function: Callable[..., np.ndarray]) -> Operator:
    """A reduction over the axes of the attribute or the operand."""

    def reduce(a: Attributes, x: np.ndarray, by: np.ndarray | None = None, *, count: int = 1) -> np.ndarray:
        axes = tuple(by) if by is not None else tuple(a.get("axes", ()))
        if not axes and a.get("noop_with_empty_axes"):
            return x
        return function(x, axis=axes or None, keepdims=bool(a.get("keepdims", 1))).astype(x.dtype)

    return reduce


def _arg_max(a: Attributes, x: np.ndarray, *, count: int = 1) -> np.ndarray:
    found = np.argmax(x, a.get("axis", 0))
    return np.expand_dims(found, a.get("axis", 0)) if a.get("keepdims", 1) else found


def _gemm(a: Attributes, x: np.ndarray, y: np.ndarray, c: np.ndarray | None = None, *, count: int = 1) -> np.ndarray:
    product = (x.T if a.get("transA") else x) @ (y.T if a.get("transB") else y)
    scaled = product * x.dtype.type(a.get("alpha", 1.0))
    return scaled if c is None else scaled + c * x.dtype.type(a.get("beta", 1.0))


def _conv(a: Attributes, x: np.ndarray, w: np.ndarray, b: np.ndarray | None = None, *, count: int = 1) -> np.ndarray:
    """Of one spatial axis: x [n, c, l], w [m, c, k]; pads and strides, one group, no dilation."""
    before, after = a.get("pads", [0, 0])
    padded = np.pad(x, [(0, 0), (0, 0), (before, after)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, w.shape[2], 2)[:, :, :: a.get("strides", [1])[0]]
    result = np.einsum("nclk,mck->nml", windows, w)
    return result if b is None else result + b[:, None]


def _softmax(a: Attributes, x: np.ndarray, *, count: int = 1) -> np.ndarray:
    raised = np.exp(x - x.max(a.get("axis", -1), keepdims=True))
    return raised / raised.sum(a.get("axis", -1), keepdims=True)


def _along(a: Attributes, x: np.ndarray, parameter: np.ndarray) -> np.ndarray:
    """A scale or a zero point along its axis."""
    if parameter.ndim == 0:
        return parameter
    return parameter.reshape([-1 if axis == a.get("axis", 1) % x.ndim else 1 for axis in range(x.ndim)])


def _quantized(a: Attributes, x: np.ndarray, scale: np.ndarray, zero: np.ndarray, *, count: int = 1) -> np.ndarray:
    range_ = np.iinfo(zero.dtype)
    moved = np.rint(x / _along(a, x, scale)) + _along(a, x, zero)
    return np.clip(moved, range_.min, range_.max).astype(zero.dtype)


def _dequantized(a: Attributes, x: np.ndarray, scale: np.ndarray, zero: np.ndarray, *, count: int = 1) -> np.ndarray:
    moved = x.astype(np.int32) - _along(a, x, zero).astype(np.int32)
    return (moved * _along(a, x, scale)).astype(scale.dtype)


def _one_hot(a: Attributes, at: np.ndarray, depth: np.ndarray, off_on: np.ndarray, *, count: int = 1) -> np.ndarray:
    """Along a last axis."""
    return np.where(at[..., None] == np.arange(depth.item()), off_on[1], off_on[0])


NUMPY: dict[str, Operator] = {
    "Abs": _plain(np.abs),
    "Add": _plain(np.add),
    "And": _plain(np.logical_and),
    "ArgMax": _arg_max,
    "Cast": _cast,
    "CastLike": _plain(lambda x, like: x.astype(like.dtype)),
    "Ceil": _plain(np.ceil),
    "Concat": _concat,
    "ConstantOfShape": _filled,
    "Conv": _conv,
    "DequantizeLinear": _dequantized,
    "Div": _plain(_div),
    "Exp": _plain(np.exp),
    "Expand": _plain(_expand),
    "Gather": _gather,
    "GatherElements": _gather_elements,
    "Gemm": _gemm,
    "Greater": _plain(np.greater),
    "Identity": _plain(lambda x: x),
    "MatMul": _plain(np.matmul),
    "Max": _folded(np.maximum),
    "Min": _folded(np.minimum),
    "Mul": _plain(np.multiply),
    "Neg": _plain(np.negative),
    "NonZero": _plain(lambda x: np.int64(np.nonzero(x))),
    "Not": _plain(np.logical_not),
    "OneHot": _one_hot,
    "Or": _plain(np.logical_or),
    "Pad": _pad,
    "Pow": _plain(lambda x, y: np.power(x, y).astype(x.dtype)),
    "QuantizeLinear": _quantized,
    "Range": _plain(np.arange),
    "Reciprocal": _plain(lambda x: 1 / x),
    "ReduceMax": _reduced(np.max),
    "ReduceMean": _reduced(np.mean),
    "ReduceMin": _reduced(np.min),
    "ReduceSum": _reduced(np.sum),
    "Relu": _plain(lambda x: np.maximum(x, 0)),
    "Reshape": _plain(_reshape),
    "Shape": _shape,
    "Sign": _plain(np.sign),
    "Size": _plain(lambda x: np.int64(x.size)),
    "Slice": _plain(_slice),
    "Softmax": _softmax,
    "Split": _split,
    "Sqrt": _plain(np.sqrt),
    "Squeeze": _plain(_squeeze),
    "Sub": _plain(np.subtract),
    "Tile": _plain(np.tile),
    "Transpose": _transpose,
    "Unsqueeze": _plain(_unsqueeze),
    "Where": _plain(np.where),
    "Xor": _plain(np.logical_xor),
}
