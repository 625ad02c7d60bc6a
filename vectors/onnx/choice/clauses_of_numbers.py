"""Clauses of operators that choose or compute numbers: along which axes, of which operands, into which places."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
from ifcert.authoring import Vector, floats, says
from ifcert.authoring.onnx_clauses import Attribute, Call, call, cast, clauses_of
from ifcert.authoring.values import Writable

A = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]).reshape(2, 3, 2)
TIES = np.array([2, 2, 7, 1, 7, 2, 2, 2, 7, 7, 0, 2]).reshape(2, 3, 2)
ROWS = np.array([[7, 8, 9], [1, 2, 4]])
SCALAR = np.array(5)
NONE = "int64[0] none = {}"
NUMERIC = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32, np.uint64, np.float16, np.float32, np.float64)


def _greatest(data: np.ndarray, axis: int, keep: bool, last: bool) -> np.ndarray:
    if not last:
        return np.argmax(data, axis, keepdims=keep)
    return data.shape[axis] - 1 - np.argmax(np.flip(data, axis), axis, keepdims=keep)


def _arg_max() -> Iterator[Vector]:
    types = {"ties": np.int64, "singles": np.float32, "bytes": np.uint8, "ints": np.int32, "doubles": np.float64}
    fed = {name: TIES.astype(dtype) for name, dtype in types.items()}
    calls = [call("ArgMax", "ties", result=_greatest(TIES, 0, True, False))]
    for turn, (axis, keep, last) in enumerate(product((0, 1, 2, -1, -2), (0, 1), (0, 1))):
        attributes: dict[str, Attribute] = {"axis": axis, "keepdims": keep, "select_last_index": last}
        name = list(fed)[turn % len(fed)]
        calls.append(call("ArgMax", name, result=_greatest(TIES, axis, bool(keep), bool(last)), **attributes))
    yield clauses_of(
        "clauses-of-arg-max: conds say what ArgMax is along each axis, which is kept or not, first or last of equals",
        fed,
        calls,
        says("operators-argmax-keepdims", "operators-argmax-equals", "operators-argmax-axis"),
    )


def _one_hot() -> Iterator[Vector]:
    """Rows of `depth` places, in which an index in range, counted from the front or from the back, is on."""
    indices, depth = np.array([[0, 2, -1], [3, -4, -3]]), 3
    on = (indices[..., None] % depth == np.arange(depth)) & ((-depth <= indices) & (indices < depth))[..., None]
    hot = np.where(on, 9, 4)
    fed = {
        "indices": indices,
        "one": np.array([2]),
        "n": np.array(depth),
        "list": np.array([depth]),
        "values": np.array([4, 9]),
    }
    places = [
        call("OneHot", "indices", "n", "values", result=np.moveaxis(hot, -1, axis), axis=axis)
        for axis in (0, 1, 2, -1, -2, -3)
    ]
    yield clauses_of(
        "clauses-of-one-hot: conds say what OneHot makes of indices, along each axis, with a depth that may be a list",
        fed,
        [
            call("OneHot", "indices", "n", "values", result=hot),
            call("OneHot", "indices", "list", "values", result=hot),
            *places,
            call("OneHot", "one", "n", "values", result=np.array([[4, 4, 9]])),
            call("OneHot", "one", "n", "values", result=np.array([[4], [4], [9]]), axis=0),
        ],
        says("operators-onehot", "operators-onehot-outside", "operators-onehot-axis", "operators-onehot-depth"),
    )
    types = {"ints": np.int32, "singles": np.float32, "doubles": np.float64, "small": np.int8}
    fed = {name: indices.astype(dtype) for name, dtype in types.items()} | {"values": np.array([4, 9])}
    fed |= {f"n_{name}": np.array(depth, dtype) for name, dtype in types.items()}
    yield clauses_of(
        "clauses-of-one-hot-types: conds say what OneHot makes of indices and depths of other types than int64",
        fed,
        [
            call("OneHot", name, f"n_{other}", "values", result=hot)
            for name, other in zip(types, [*types][::-1], strict=True)
        ],
        says("operators-onehot", "operators-onehot-indices-cast", "operators-onehot-depth-cast"),
    )


def _non_zero() -> Iterator[Vector]:
    zeros = np.where(A > 4, A, 0)
    main = (np.bool_, np.float32, np.int32, np.int64, np.uint8)
    for case, what, types in [
        ("non-zero", "elements", main),
        ("non-zero-types", "elements of further types", [each for each in (*NUMERIC, np.uint16) if each not in main]),
    ]:
        fed = {f"of_{np.dtype(dtype).name}": zeros.astype(dtype) for dtype in types}
        fed |= {"rows": ROWS % 2, "minus": floats([0.0, -0.0], [-1.5, 0.0])}
        yield clauses_of(
            f"clauses-of-{case}: conds say where NonZero finds {what}, in the order of the rows",
            fed,
            [call("NonZero", name, result=np.array(np.nonzero(held))) for name, held in fed.items()],
            says("operators-nonzero", "operators-nonzero-order"),
        )
    yield clauses_of(
        "clauses-of-non-zero-scalar: conds say which shape NonZero returns of a scalar, and where a list is not zero",
        {"scalar": SCALAR, "zero": np.array(0), "true": np.array(True), "list": ROWS[0]},
        [
            call("NonZero", "list", result=np.array([[0, 1, 2]])),
            call("NonZero", "scalar", result=np.zeros((0, 1), np.int64)),
            call("NonZero", "zero", result=np.zeros((0, 0), np.int64)),
            call("NonZero", "true", result=np.zeros((0, 1), np.int64)),
        ],
        "operators-nonzero-scalar",
    )


def _extremes() -> Iterator[Vector]:
    """Of one operand, of two and of three, which broadcast to one shape."""
    column = np.array([[4], [6]])
    for operator, function in (("Max", np.maximum), ("Min", np.minimum)):
        three = function(function(A, ROWS.reshape(2, 3, 1)), SCALAR)
        calls = [
            call(operator, "a", result=A),
            call(operator, "scalar", result=SCALAR),
            call(operator, "rows", "column", result=function(ROWS, column)),
            call(operator, "column", "rows", result=function(ROWS, column)),
            call(operator, "scalar", "rows", result=function(SCALAR, ROWS)),
            call(operator, "a", "deep", "scalar", result=three),
            call(operator, "scalar", "deep", "a", result=three),
            call(operator, "rows", "rows", "column", "scalar", result=function(function(ROWS, column), SCALAR)),
        ]
        fed: dict[str, Writable] = {
            "a": A,
            "rows": ROWS,
            "column": column,
            "scalar": SCALAR,
            "deep": ROWS.reshape(2, 3, 1),
        }
        more, made = _of_types(operator, function, (np.int32, np.uint32, np.uint64, np.float16, np.float32, np.float64))
        yield clauses_of(
            f"clauses-of-{operator.lower()}: conds say what {operator} is of one operand, of two and of more",
            fed | more,
            calls + made,
            says(f"operators-{operator.lower()}", f"operators-{operator.lower()}-broadcasting"),
        )
    small = (np.int8, np.int16, np.uint8, np.uint16)
    (fed, greatest), (_, least) = (_of_types(*each, small) for each in (("Max", np.maximum), ("Min", np.minimum)))
    yield clauses_of(
        "clauses-of-max-and-min-of-small-integers: conds say what Max and Min are of integers of 8 and of 16 bits",
        fed,
        greatest + least,
        says("operators-max", "operators-min"),
    )


def _of_types(
    operator: str, function: Callable[..., np.ndarray], types: Sequence[type]
) -> tuple[dict[str, Writable], list[Call]]:
    """Two operands of each type, and the operator of them."""
    fed: dict[str, Writable] = {}
    calls = []
    for dtype in types:
        name = f"of_{np.dtype(dtype).name}"
        fed |= {name: ROWS.astype(dtype), f"{name}_too": ROWS[::-1].astype(dtype)}
        calls.append(cast(call(operator, name, f"{name}_too", result=function(ROWS, ROWS[::-1]))))
    return fed, calls


Reduced = Callable[..., np.ndarray]
REDUCTIONS: dict[str, Reduced] = {"ReduceSum": np.sum, "ReduceMax": np.max, "ReduceMin": np.min}


def _reductions() -> Iterator[Vector]:
    for operator, function in REDUCTIONS.items():
        fed = {"a": A, "scalar": SCALAR, "ints": A.astype(np.int32), "singles": A.astype(np.float32)}
        calls = [
            call(operator, "a", result=function(A, keepdims=True)),
            call(operator, "a", result=function(A), keepdims=0),
            call(operator, "a", result=A, noop_with_empty_axes=1),
            call(operator, "a", result=function(A), keepdims=0, noop_with_empty_axes=0),
            call(operator, "a", "@none", result=function(A, keepdims=True)),
            call(operator, "a", "@none", result=A, noop_with_empty_axes=1),
            call(operator, "a", [1], result=function(A, 1, keepdims=True), noop_with_empty_axes=1),
            call(operator, "a", [-1], result=function(A, 2), keepdims=0),
            call(operator, "a", [0, 1], result=function(A, (0, 1)), keepdims=0),
            call(operator, "a", [2, -3], result=function(A, (0, 2), keepdims=True), keepdims=1),
            call(operator, "a", [0, 1, 2], result=function(A), keepdims=0),
            call(operator, "scalar", result=SCALAR),
            call(operator, "scalar", result=SCALAR, keepdims=0),
            *(cast(call(operator, name, [1], result=function(A, 1, keepdims=True))) for name in ("ints", "singles")),
        ]
        more = ["operators-reducesum-empty"] if operator == "ReduceSum" else []
        if more:
            fed["empty"] = np.zeros((0, 3), np.int64)
            calls.append(call(operator, "empty", [0], result=np.zeros((1, 3), np.int64)))
            calls.append(call(operator, "empty", result=np.array(0), keepdims=0))
        name = operator.lower()
        yield clauses_of(
            f"clauses-of-{name}: conds say what {operator} makes of a tensor, along axes given, empty or absent",
            fed,
            calls,
            says(f"operators-{name}-noop", "operators-reducesum-keepdims", *more),
            stored=NONE,
        )
        yield clauses_of(
            f"clauses-of-{name}-11: conds say what {operator} of opset 11 makes of a tensor; its axes are an attribute",
            fed,
            [
                call(operator, "a", result=function(A, keepdims=True)),
                call(operator, "a", result=function(A), keepdims=0),
                call(operator, "a", result=function(A, 1, keepdims=True), axes=[1]),
                call(operator, "a", result=function(A, 2), axes=[-1], keepdims=0),
                call(operator, "a", result=function(A, (0, 2)), axes=[2, 0], keepdims=0),
                *([] if operator == "ReduceSum" else [call(operator, "scalar", result=SCALAR, keepdims=0)]),
            ],
            says(f"operators-{name}-11-axes", f"operators-{name}-11-keepdims"),
            opset=11,
        )


def _means() -> Iterator[Vector]:
    """Of numbers whose sums and quotients are exact in every order."""
    data = (A * 12).astype(np.float32)
    yield clauses_of(
        "clauses-of-reducemean: conds say what ReduceMean makes of a tensor, along axes given, empty or absent",
        {"a": data, "scalar": np.float32(5)},
        [
            call("ReduceMean", "a", result=data.mean(keepdims=True)),
            call("ReduceMean", "a", result=data.mean(), keepdims=0),
            call("ReduceMean", "a", result=data, noop_with_empty_axes=1),
            call("ReduceMean", "a", "@none", result=data, noop_with_empty_axes=1),
            call("ReduceMean", "a", "@none", result=data.mean(keepdims=True)),
            call("ReduceMean", "a", [1], result=data.mean(1, keepdims=True)),
            call("ReduceMean", "a", [-1, 0], result=data.mean((0, 2)), keepdims=0),
            call("ReduceMean", "scalar", result=np.float32(5)),
        ],
        says("operators-reducemean", "operators-reducemean-noop", "operators-reducesum-keepdims"),
        stored=NONE,
    )


def _ranges() -> Iterator[Vector]:
    bounds = [(0, 3, 1), (3, 9, 3), (10, 4, -2), (7, -8, -5), (-5, 6, 4), (2, 3, 9), (3, 0, 1)]
    types = {"longs": np.int64, "ints": np.int32, "shorts": np.int16, "singles": np.float32, "doubles": np.float64}
    names = list(types)
    fed = {
        f"{word}{i}_{name}": np.array(number, types[name])
        for i, each in enumerate(bounds)
        for name in (names if i == 3 else [names[i % len(names)]])
        for word, number in zip(("start", "limit", "delta"), each, strict=True)
    }
    calls = [
        cast(call("Range", *(f"{word}{i}_{name}" for word in ("start", "limit", "delta")), result=np.arange(*each)))
        for i, each in enumerate(bounds)
        for name in names
        if f"start{i}_{name}" in fed
    ]
    yield clauses_of(
        "clauses-of-range: conds say which numbers Range makes, rising and falling, of each type",
        fed,
        calls,
        says("operators-range-length", "operators-range-numbers"),
    )


def _ranges_of_halves() -> Iterator[Vector]:
    bounds = [(0, 3, 1), (10, 4, -2), (7, -8, -5), (3, 0, 1)]
    names = [[f"{word}{i}" for word in ("start", "limit", "delta")] for i in range(len(bounds))]
    yield clauses_of(
        "clauses-of-range-27: conds say which numbers Range of opset 27 makes of float16",
        {
            name: np.array(number, np.float16)
            for i, each in enumerate(bounds)
            for name, number in zip(names[i], each, strict=True)
        },
        [
            cast(call("Range", *names[i], result=np.arange(*each), **attributes))
            for i, each in enumerate(bounds)
            for attributes in ({}, {"stash_type": 1})
        ],
        says("operators-range-length", "operators-range-numbers"),
        opset=27,
    )


def _chosen() -> Iterator[Vector]:
    flags, column = np.array([[True, False, True]]), np.array([[True], [False]])
    yield clauses_of(
        "clauses-of-where: conds say what Where chooses, whose operands broadcast to one shape",
        {
            "flags": flags,
            "column": column,
            "true": np.array(True),
            "rows": ROWS,
            "scalar": SCALAR,
            "list": ROWS[1] * 10,
        },
        [
            call("Where", "flags", "rows", "scalar", result=np.where(flags, ROWS, 5)),
            call("Where", "column", "rows", "list", result=np.where(column, ROWS, ROWS[1] * 10)),
            call("Where", "column", "list", "scalar", result=np.where(column, ROWS[1] * 10, 5)),
            call("Where", "true", "scalar", "rows", result=np.full((2, 3), 5)),
            call("Where", "flags", "scalar", "list", result=np.where(flags, 5, ROWS[1] * 10)),
        ],
        says("operators-where", "operators-where-broadcasting"),
    )


def _products() -> Iterator[Vector]:
    """Of small integers, whose sums are exact in every order."""
    rows, matrix, stack = floats([7, 8, 9], [1, 2, 4]), floats([1, 2], [-3, 4], [5, -6]), A.astype(np.float32)
    fed = {"rows": rows, "m": matrix, "list": rows[1], "stack": stack, "one": stack[:1], "row": floats(1, -2)}
    yield clauses_of(
        "clauses-of-matmul: conds say what MatMul makes of lists, matrices and stacks of them",
        fed,
        [
            call("MatMul", "rows", "m", result=rows @ matrix),
            call("MatMul", "list", "list", result=np.array(rows[1] @ rows[1])),
            call("MatMul", "list", "m", result=rows[1] @ matrix),
            call("MatMul", "rows", "list", result=rows @ rows[1]),
            call("MatMul", "rows", "stack", result=rows @ stack),
            call("MatMul", "stack", "rows", result=stack @ rows),
            call("MatMul", "list", "stack", result=rows[1] @ stack),
            call("MatMul", "stack", "row", result=stack @ floats(1, -2)),
            call("MatMul", "one", "rows", result=stack[:1] @ rows),
        ],
        "operators-matmul",
    )
    scalar, column, square = np.float32(3), floats([2], [5]), rows @ matrix
    yield clauses_of(
        "clauses-of-gemm: conds say what Gemm makes of matrices, transposed or not, with factors and an addend",
        {
            "rows": rows,
            "m": matrix,
            "rows_t": rows.T,
            "m_t": matrix.T,
            "c": scalar,
            "row": floats(1, -2),
            "col": column,
        },
        [
            call("Gemm", "rows", "m", result=square),
            call("Gemm", "rows_t", "m", result=square, transA=1),
            call("Gemm", "rows", "m_t", result=square, transB=1),
            call("Gemm", "rows_t", "m_t", result=square, transA=1, transB=1),
            call("Gemm", "rows", "m", "c", result=square + 3),
            call("Gemm", "rows", "m", "row", result=square + floats(1, -2)),
            call("Gemm", "rows", "m", "col", result=square + column),
            call("Gemm", "rows", "m", "row", result=2 * square + 3 * floats(1, -2), alpha=2.0, beta=3.0),
            call("Gemm", "rows", "m", "row", result=0.5 * square + floats(1, -2), alpha=0.5),
            call("Gemm", "rows", "m", result=square * -1, alpha=-1.0),
            call("Gemm", "rows", "m", "col", result=square, beta=0.0),
        ],
        says("operators-gemm", "operators-gemm-addend-absent", "operators-gemm-addend"),
    )


def _powers() -> Iterator[Vector]:
    """Of integers, the element type is that of the base; a negative exponent has an integer result for 1 and -1."""
    base, ones = np.array([2, -3, 1, -1, 0]), np.array([1, -1, -1])
    exponents = np.array([5, 3, 4, 6, 2])
    down = np.array([-2, -2, -3])
    types = {"longs": np.int64, "ints": np.int32, "singles": np.float32, "doubles": np.float64}
    fed = {"base": base, "base_ints": base.astype(np.int32), "ones": ones, "down": down}
    yield clauses_of(
        "clauses-of-pow: conds say what Pow makes of integers, whose exponents are of several types, and of 1 and -1",
        fed | {name: exponents.astype(dtype) for name, dtype in types.items()},
        [
            *(call("Pow", "base", name, result=base**exponents) for name in types),
            *(cast(call("Pow", "base_ints", name, result=base**exponents)) for name in types),
            call("Pow", "ones", "down", result=np.array([1, 1, -1])),
        ],
        "operators-pow",
    )


def _bounded() -> Iterator[Vector]:
    """How exact a function is no text says: each result is compared with bounds that are far from it."""
    x = floats(-2, -0.5, 0, 0.25, 1, 4)
    positive = floats(0.25, 1, 4, 9, 100, 0.01)
    functions: list[tuple[str, str, np.ndarray]] = [
        ("Tanh", "n", np.tanh(x)),
        ("Sigmoid", "n", 1 / (1 + np.exp(-x))),
        ("Exp", "n", np.exp(x)),
        ("Sqrt", "p", np.sqrt(positive)),
        ("Reciprocal", "p", 1 / positive),
        ("Relu", "n", np.maximum(x, 0)),
        ("Softmax", "n", np.exp(x) / np.exp(x).sum()),
    ]
    calls, bounds = [], {}
    for name, operand, results in functions:
        margin = np.abs(results) * 0.02 + 0.002
        for word, bound, truth in (("low", results - margin, True), ("high", results + margin, False)):
            bounds[f"{name.lower()}_{word}"] = bound.astype(np.float32)
            calls.append(
                Call(
                    f"{{t}}f = {name} ({operand}{{_}}) {{r}} = Less ({name.lower()}_{word}{{_}}, {{t}}f)",
                    np.full(x.shape, truth),
                )
            )
    yield clauses_of(
        "clauses-of-functions: conds say whether results of functions lie between bounds",
        {"n": x, "p": positive, **bounds},
        calls,
        says("operators-tanh", "operators-sigmoid", "operators-exp", "operators-sqrt", "operators-reciprocal"),
        says("operators-relu", "operators-softmax"),
    )


def _softmax() -> Iterator[Vector]:
    """Of equal numbers each is one of as many as are normalized together, along an axis or from an axis on."""
    zeros, three, half = np.zeros((2, 3, 2), np.float32), np.float32(0.29), np.float32(0.4)
    counts = {None: 2, 0: 2, 1: 3, 2: 2, -1: 2, -2: 3}
    coerced = {None: 6, 0: 12, 1: 6, 2: 2, -1: 2, -2: 6}
    for case, opset, together, sentence in [
        ("softmax", 18, counts, says("operators-softmax", "operators-softmax-axis")),
        ("softmax-11", 11, coerced, says("operators-softmax-11-coerced", "operators-softmax-11-axis-range")),
    ]:
        calls = [
            Call(
                f"{{t}}s = Softmax {'' if axis is None else f'<axis = {axis}>'} (a{{_}}) "
                f"{{r}} = Less (bound_{name}{{_}}, {{t}}s)",
                np.full(zeros.shape, 1 / count > bound),
            )
            for axis, count in together.items()
            for name, bound in (("three", three), ("half", half), ("eight", np.float32(0.125)))
        ]
        yield clauses_of(
            f"clauses-of-{case}: conds say how many numbers Softmax of opset {opset} normalizes together",
            {"a": zeros, "bound_three": three, "bound_half": half, "bound_eight": np.float32(0.125)},
            calls,
            sentence,
            opset=opset,
        )


def _constants() -> Iterator[Vector]:
    yield clauses_of(
        "clauses-of-constant: conds say what Constant is, by each of its attributes",
        {"rows": ROWS},
        [
            Call("{r} = Constant <value = int64[2] {{5, -6}}> ()", np.array([5, -6])),
            Call("{r} = Constant <value = int64 {{8}}> ()", np.array(8)),
            Call("{r} = Constant <value_int = -7> ()", np.array(-7)),
            Call("{r} = Constant <value_ints = [1, -2, 3]> ()", np.array([1, -2, 3])),
            cast(Call("{r} = Constant <value_float = 2.0> ()", np.array(2))),
            cast(Call("{r} = Constant <value_floats = [4.0, -5.0]> ()", np.array([4, -5]))),
            call("Identity", "rows", result=ROWS),
        ],
        says("operators-constant", "operators-constant-value-int", "operators-constant-value-ints"),
    )


def _convolutions() -> Iterator[Vector]:
    """Of small integers, whose sums are exact in every order."""
    x, w = floats(3, 1, 4, 1, 5).reshape(1, 1, 5), floats(1, 10).reshape(1, 1, 2)
    two, three = floats(*range(1, 11)).reshape(1, 2, 5), floats(1, 10, 100).reshape(1, 1, 3)
    grouped = floats(1, 10, 100, 1000).reshape(2, 1, 2)

    def slid(kernel: np.ndarray, pads: tuple[int, int], stride: int = 1, dilation: int = 1) -> np.ndarray:
        line, weights = np.pad(x[0, 0], pads), kernel[0, 0]
        span = (len(weights) - 1) * dilation + 1
        sums = [(line[at : at + span : dilation] * weights).sum() for at in range(0, len(line) - span + 1, stride)]
        return np.array(sums, np.float32).reshape(1, 1, -1)

    channels = np.array([np.convolve(two[0, i], grouped[i, 0, ::-1], "valid") for i in (0, 1)], np.float32)[None]
    yield clauses_of(
        "clauses-of-conv: conds say what Conv makes of a list, padded, strided and dilated, in groups, and with a bias",
        {"line": x, "pair": w, "two": two, "three": three, "grouped": grouped, "bias": floats(-7)},
        [
            call("Conv", "line", "pair", result=slid(w, (0, 0))),
            call("Conv", "line", "pair", result=slid(w, (0, 0)), auto_pad="VALID"),
            call("Conv", "line", "pair", result=slid(w, (0, 1)), auto_pad="SAME_UPPER"),
            call("Conv", "line", "pair", result=slid(w, (1, 0)), auto_pad="SAME_LOWER"),
            call("Conv", "line", "three", result=slid(three, (1, 1)), auto_pad="SAME_UPPER"),
            call("Conv", "line", "pair", result=slid(w, (0, 1), 2), auto_pad="SAME_UPPER", strides=[2]),
            call("Conv", "line", "pair", result=slid(w, (1, 0), 2), auto_pad="SAME_LOWER", strides=[2]),
            call("Conv", "line", "pair", result=slid(w, (2, 1)), auto_pad="NOTSET", pads=[2, 1]),
            call("Conv", "line", "pair", result=slid(w, (0, 0), 1, 3), dilations=[3]),
            call("Conv", "line", "three", result=slid(three, (1, 2), 2, 2), dilations=[2], pads=[1, 2], strides=[2]),
            call("Conv", "line", "pair", result=slid(w, (0, 0)), kernel_shape=[2]),
            call("Conv", "line", "pair", "bias", result=slid(w, (0, 0)) - 7),
            call("Conv", "two", "grouped", result=channels, group=2),
        ],
        says("operators-conv", "operators-conv-auto-pad", "operators-conv-odd-padding"),
    )


def _quantized() -> Iterator[Vector]:
    """The scales are powers of two: the quotients and the products are exact."""
    x = floats([-300, -5, -3, -1, 0, 1], [2.5, 3, 5, 7, 254, 600])
    fed = {"reals": x, "two": np.float32(2), "one": np.float32(1), "three": np.uint8(3), "minus": np.int8(-4)}

    def quantized(scale: np.ndarray, zero: np.ndarray, least: int, greatest: int) -> np.ndarray:
        return np.clip(np.rint(x / scale) + zero, least, greatest).astype(np.int64)

    two, nought = np.array(2.0), np.array(0)
    plain = [
        cast(call("QuantizeLinear", "reals", "two", result=quantized(two, nought, 0, 255))),
        cast(call("QuantizeLinear", "reals", "two", "three", result=quantized(two, np.array(3), 0, 255))),
        cast(call("QuantizeLinear", "reals", "two", "minus", result=quantized(two, np.array(-4), -128, 127))),
        cast(call("QuantizeLinear", "reals", "one", "minus", result=quantized(np.array(1.0), np.array(-4), -128, 127))),
    ]
    codes_of = np.array([[0, 1, 3, 127, 128, 255]], np.uint8)
    integers = np.array([[-70000, 5, 1 << 20]], np.int32)
    fed |= {"codes": codes_of, "signed": codes_of.view(np.int8), "integers": integers}
    back = [
        cast(call("DequantizeLinear", "codes", "two", result=codes_of.astype(np.int64) * 2)),
        cast(call("DequantizeLinear", "codes", "two", "three", result=(codes_of.astype(np.int64) - 3) * 2)),
        cast(
            call("DequantizeLinear", "signed", "two", "minus", result=(codes_of.view(np.int8).astype(np.int64) + 4) * 2)
        ),
        cast(call("DequantizeLinear", "integers", "two", result=integers.astype(np.int64) * 2)),
    ]
    why = ["operators-quantizelinear-rounding", "operators-dequantizelinear-formula"]
    for opset in (10, 13):
        yield clauses_of(
            f"clauses-of-quantization-{opset}: conds say what QuantizeLinear and DequantizeLinear of opset {opset} "
            "make of numbers, with one scale",
            fed,
            plain + back,
            says(*why, "operators-quantizelinear-formula", "operators-quantizelinear-saturation"),
            opset=opset,
        )
    scales, zeros = floats(1, 2, 4, 1, 2, 4), np.array([0, 1, 2, 3, 4, 5], np.uint8)
    blocks = floats([1, 2, 4], [2, 4, 8])
    rows = {"scales": scales, "zeros": zeros, "pair": floats(1, 4), "blocks": blocks, "list": floats(4), "line": x[0]}
    per_block = np.repeat(blocks, 2, axis=1)
    lines = np.array([[10, 20, 30, 40, 50, 60], [1, 2, 3, 4, 5, 6]], np.uint8)
    yield clauses_of(
        "clauses-of-quantization-21: conds say what QuantizeLinear and DequantizeLinear of opset 21 make of numbers, "
        "with a scale, with one along an axis, and with one for each block",
        fed | rows | {"lines": lines},
        [
            *plain,
            *back,
            cast(call("QuantizeLinear", "reals", "scales", "zeros", result=quantized(scales, zeros, 0, 255))),
            cast(call("QuantizeLinear", "reals", "scales", result=quantized(scales, nought, 0, 255), axis=-1)),
            cast(call("QuantizeLinear", "reals", "pair", result=quantized(floats([1], [4]), nought, 0, 255), axis=0)),
            cast(call("QuantizeLinear", "reals", "two", result=quantized(two, nought, -128, 127), output_dtype=3)),
            cast(call("QuantizeLinear", "reals", "two", result=quantized(two, nought, -32768, 32767), output_dtype=5)),
            cast(call("QuantizeLinear", "reals", "blocks", result=quantized(per_block, nought, 0, 255), block_size=2)),
            cast(call("QuantizeLinear", "line", "list", result=np.clip(np.rint(x[0] / 4), 0, 255).astype(np.int64))),
            cast(call("DequantizeLinear", "lines", "scales", result=(lines * scales).astype(np.int64))),
            cast(
                call(
                    "DequantizeLinear",
                    "lines",
                    "scales",
                    "zeros",
                    result=((lines.astype(int) - zeros) * scales).astype(np.int64),
                )
            ),
            cast(
                call("DequantizeLinear", "lines", "pair", result=(lines * floats([1], [4])).astype(np.int64), axis=-2)
            ),
            cast(
                call("DequantizeLinear", "lines", "blocks", result=(lines * per_block).astype(np.int64), block_size=2)
            ),
        ],
        says(
            "operators-quantizelinear-per-axis",
            "operators-quantizelinear-blocked",
            "operators-quantizelinear-21-output",
        ),
        opset=21,
    )
