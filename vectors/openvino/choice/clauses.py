"""Clauses of operations: where operands are broadcast, which elements are moved where, and which dims are left."""

from collections.abc import Callable, Iterator

import numpy as np
from ifcert.authoring import Vector, floats, says
from ifcert.authoring.ir_clauses import IrCall, clauses_of

A = np.int32([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]).reshape(2, 3, 2)
ROWS = np.int32([[7, 8, 9], [1, 2, 4]])
SCALAR = np.int32(5)

Function = Callable[[np.ndarray, np.ndarray], np.ndarray]

COMPARISONS: dict[str, Function] = {"Less": np.less, "Greater": np.greater, "Equal": np.equal}
LOGIC: dict[str, Function] = {
    "LogicalAnd": np.logical_and,
    "LogicalOr": np.logical_or,
    "LogicalXor": np.logical_xor,
}
ARITHMETIC: dict[str, Function] = {
    "Add": np.add,
    "Subtract": np.subtract,
    "Multiply": np.multiply,
    "Divide": np.floor_divide,
}

SECOND = {
    "whole": np.int32([2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5]).reshape(2, 3, 2),
    "scalar": np.array(4, np.int32),
    "pair": np.int32([2, 6]),
    "three": np.int32([1, 5, 4]),
    "three_one": np.int32([[1], [5], [4]]),
    "pair_one_one": np.int32([[[2]], [[6]]]),
    "columns": np.int32([[1, 4], [5, 2], [6, 8]]),
    "rows": np.int32([[4, 1, 5], [2, 7, 3]]),
}

# A second operand, the axis of the first at which it begins, and the axes that it gets to have the same rank.
PDPD: list[tuple[str, int, tuple[int, ...]]] = [
    ("whole", -1, ()),
    ("scalar", -1, (0, 1, 2)),
    ("pair", -1, (0, 1)),
    ("pair", 2, (0, 1)),
    ("pair", 0, (1, 2)),
    ("three", 1, (0, 2)),
    ("three_one", -1, (0,)),
    ("three_one", 1, (0,)),
    ("pair_one_one", -1, ()),
    ("pair_one_one", 0, ()),
    ("columns", -1, (0,)),
    ("columns", 1, (0,)),
    ("rows", 0, (2,)),
]
PDPD_RULES = (
    "operations-broadcast-pdpd-subsequence",
    "operations-broadcast-pdpd-axis",
    "operations-broadcast-pdpd-default-axis",
    "operations-broadcast-pdpd-trailing-ones",
)
NUMPY = [("whole", ()), ("scalar", ()), ("pair", ()), ("three_one", ()), ("pair_one_one", ()), ("columns", ())]


def _operands(logic: bool) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    if logic:
        return A % 2 == 1, {name: held % 2 == 1 for name, held in SECOND.items()}
    return A, SECOND


def _as_pdpd(
    name: str, function: Function, operand: str, axis: int, axes: tuple[int, ...], first: np.ndarray,
    second: dict[str, np.ndarray],
) -> IrCall:  # fmt: skip
    given = f' axis="{axis}" auto_broadcast.auto_broadcast_axis="{axis}"'
    aligned = np.broadcast_to(np.expand_dims(second[operand], axes), first.shape)
    return IrCall(name, ["a", operand], function(first, aligned), f'auto_broadcast="pdpd"{given}')


def _broadcast() -> Iterator[Vector]:
    """The page on pdpd calls the attribute axis, the files of OpenVINO another name: both are there, and agree."""
    for case, functions, logic in [
        ("comparisons", COMPARISONS, False),
        ("logic", LOGIC, True),
        ("arithmetic", ARITHMETIC, False),
    ]:
        first, second = _operands(logic)
        yield clauses_of(
            f"clauses-of-pdpd-{case}: conds say what {', '.join(functions)} make of operands broadcast as PDPD does",
            {"a": first, **second},
            [_as_pdpd(*each, *place, first, second) for each in functions.items() for place in PDPD],
            says(*PDPD_RULES),
        )
    calls = []
    for name, function in (COMPARISONS | ARITHMETIC).items():
        calls += [IrCall(name, ["a", each], function(A, SECOND[each])) for each, _ in NUMPY]
        calls.append(IrCall(name, ["pair_one_one", "rows"], function(SECOND["pair_one_one"], SECOND["rows"])))
        calls.append(
            IrCall(name, ["three", "a_t"], function(SECOND["three"], A.transpose(0, 2, 1)), 'auto_broadcast="numpy"')
        )
        calls.append(IrCall(name, ["a", "whole"], function(A, SECOND["whole"]), 'auto_broadcast="none"'))
        calls.append(
            IrCall(name, ["scalar", "scalar"], function(SECOND["scalar"], SECOND["scalar"]), 'auto_broadcast="none"')
        )
    yield clauses_of(
        "clauses-of-broadcast-operands: conds say what comparisons and arithmetic make of operands that are broadcast",
        {"a": A, "a_t": np.ascontiguousarray(A.transpose(0, 2, 1)), **SECOND},
        calls,
        says("operations-broadcast-numpy", "operations-broadcast-numpy-prepended", "operations-divide-none"),
    )


def _axis(axis: int) -> np.ndarray:
    return np.array(axis, np.int64)


def _taken(data: np.ndarray, indices: np.ndarray, axis: int) -> np.ndarray:
    """np.take, with zeros for indices out of range."""
    size = data.shape[axis]
    inside = (-size <= indices) & (indices < size)
    taken = np.take(data, np.where(inside, indices, 0), axis)
    places = [1] * taken.ndim
    first = axis % data.ndim
    places[first : first + indices.ndim] = indices.shape
    return (taken * inside.reshape(places)).astype(data.dtype)


def _gathered() -> Iterator[Vector]:
    square, ten = np.int64([[0, 5], [-1, 7]]), np.int32([10, 20, 30])
    for case, what, lists in [
        (
            "gather-8",
            "from the front, from the back and beyond the end",
            [[-1, 7], [0, -2, -1], [3, 10], [1, 0], [5, -3]],
        ),
        ("gather-8-before", "beyond both ends, beside others", [[3, 10, -20], [-9, 1, -1, 9], [-1, -4], [-5]]),
    ]:
        fed = {
            f"list{i}_{dtype.__name__}": np.array(each, dtype)
            for i, each in enumerate(lists)
            for dtype in (np.int64, np.int32)
        }
        calls = [IrCall("Gather", ["ten", name, _axis(0)], _taken(ten, held, 0), opset=8) for name, held in fed.items()]
        fed |= {"square": square, "outside": np.array(4, np.int64), "last": np.array(-1, np.int32)}
        calls += [
            IrCall("Gather", ["a", name, _axis(axis)], _taken(A, fed[name], axis), opset=8)
            for name in ("square", "outside", "last")
            for axis in (0, 1, 2, -1, -3)
        ]
        yield clauses_of(
            f"clauses-of-{case}: conds say what Gather makes of indices {what}",
            {"ten": ten, "a": A, **fed},
            calls,
            says("operations-gather-indices", "operations-gather-zeros", "operations-gather-shape"),
        )
    batches, at = np.arange(10, dtype=np.int32).reshape(2, 5) * 3 + 1, np.int64([[0, -1, 4], [3, 2, -5]])
    own = np.take_along_axis(batches, at, 1)
    deep = np.arange(40, dtype=np.int32).reshape(2, 1, 5, 4)
    layers = np.stack([np.take(deep[i], at[i], 1) for i in (0, 1)])
    two = np.arange(20, dtype=np.int32).reshape(2, 2, 5)
    at_two = np.int64([[[0, 0, 4], [4, 0, -1]], [[1, 2, 4], [4, 3, 2]]])
    front = at % 5
    yield clauses_of(
        "clauses-of-gather-batches: conds say what Gather makes of batches, as batch_dims says",
        {"batches": batches, "indices": at, "front": front, "deep": deep, "two": two, "at_two": at_two},
        [
            *(
                IrCall("Gather", ["batches", "indices", _axis(axis)], own, f'batch_dims="{count}"', 8)
                for count in (1, -1)
                for axis in (1, -1)
            ),
            *(IrCall("Gather", ["batches", "front", _axis(1)], own, f'batch_dims="{count}"', 7) for count in (1, -1)),
            *(IrCall("Gather", ["deep", "indices", _axis(2)], layers, f'batch_dims="{count}"', 8) for count in (1, -1)),
            *(
                IrCall(
                    "Gather",
                    ["two", "at_two", _axis(2)],
                    np.take_along_axis(two, at_two, 2),
                    f'batch_dims="{count}"',
                    8,
                )
                for count in (2, -1)
            ),
            IrCall("Gather", ["batches", "indices", _axis(1)], np.take(batches, at, 1), 'batch_dims="0"', 8),
            IrCall("Gather", ["batches", "front", _axis(-1)], np.take(batches, front, 1), opset=7),
            IrCall("Gather", ["batches", "front", _axis(1)], np.take(batches, front, 1)),
            IrCall("Gather", ["deep", "front", _axis(-2)], np.take(deep, front, 2)),
        ],
        says("operations-gather-batch-dims-negative", "operations-gather-batches-equal", "operations-gather-shape"),
    )


def _ranges() -> Iterator[Vector]:
    for case, what, bounds in [
        ("range", "rising and falling", [(2, 23, 3), (23, 2, -3), (0, 3, 1), (-5, 6, 4), (7, -8, -5), (2, 3, 9)]),
        ("range-of-none", "of which there may be none", [(3, 0, 1), (0, 3, 1), (0, 3, -1), (2, 2, 1)]),
    ]:
        calls, fed = [], {}
        for i, each in enumerate(bounds):
            names = [f"{word}{i}" for word in ("start", "stop", "step")]
            fed |= {name: np.array(number, np.int32) for name, number in zip(names, each, strict=True)}
            want = np.arange(*each, dtype=np.int32)
            calls += [IrCall("Range", names, want), IrCall("Range", names, want, 'output_type="i32"', 4)]
        yield clauses_of(
            f"clauses-of-{case}: conds say which numbers Range makes, {what}",
            fed,
            calls,
            says("operations-range-numbers", "operations-range-1-numbers", "operations-range-length"),
        )
    halves = {
        "start": np.float32(1),
        "stop": np.float32(2.5),
        "step": np.float32(0.5),
        "one": np.int64(1),
        "six": np.int32(6),
    }
    yield clauses_of(
        "clauses-of-range-4-types: conds say which numbers Range makes of a type that its operands do not have",
        halves,
        [
            IrCall("Range", ["start", "stop", "step"], floats(1, 1.5, 2), 'output_type="f32"', 4),
            IrCall("Range", ["start", "stop", "step"], floats(1, 1.5, 2)),
            IrCall("Range", ["one", "six", "one"], floats(1, 2, 3, 4, 5), 'output_type="f32"', 4),
            IrCall("Range", ["six", "one", np.int64(-2)], floats(6, 4, 2), 'output_type="f32"', 4),
            IrCall("Range", ["one", "stop", "step"], floats(1, 1.5, 2), 'output_type="f32"', 4),
        ],
        says("operations-range-output-type", "operations-range-numbers", "operations-range-length"),
    )


def _moved() -> Iterator[Vector]:
    tile = {"rows": [[1, 2], [2, 1], [2], [3, 1, 2], [1, 1], [2, 1, 1, 2]], "scalar": [[2], [2, 3]]}
    yield clauses_of(
        "clauses-of-tile: conds say what Tile makes of tensors, whose rank is that of the repeats, or less, or more",
        {"rows": ROWS, "scalar": SCALAR},
        [
            IrCall("Tile", [name, np.int64(each)], np.tile(held, each))
            for name, held in (("rows", ROWS), ("scalar", SCALAR))
            for each in tile[name]
        ],
        says("operations-tile-more", "operations-tile-fewer"),
    )
    halves = [
        IrCall("Split", ["a", _axis(axis)], np.split(A, parts, axis)[i], f'num_splits="{parts}"', 1, i, parts)
        for axis, parts in ((0, 2), (1, 3), (2, 2), (-1, 2), (-2, 1))
        for i in range(parts)
    ]
    orders = [[0, 2, 1], [1, 2, 0], [2, 1, 0], [1, 0, 2]]
    yield clauses_of(
        "clauses-of-split: conds say what each part of a Split is, and what Transpose makes of tensors",
        {"a": A, "rows": ROWS, "list": ROWS[0]},
        [
            *halves,
            *(IrCall("Transpose", ["a", np.int64(order)], A.transpose(order)) for order in orders),
            IrCall("Transpose", ["rows", np.int64([1, 0])], ROWS.T),
            IrCall("Transpose", ["list", np.int64([0])], ROWS[0]),
            *(
                IrCall("Concat", ["rows", "rows"], np.concatenate([ROWS, ROWS], axis), f'axis="{axis}"')
                for axis in (0, 1, -1)
            ),
        ],
        says("operations-split-parts", "operations-transpose-order", "operations-concat-axis"),
    )
    bounds = [
        ([1], [3], [1], [1], A[:, 1:3]),
        ([-2], [9], [1], [-2], A[:, 1:]),
        ([0, 2], [2, 0], [1, -1], [2, 1], A[:, 2:0:-1]),
        ([100, 1], [-100, 2], [-1, 1], [0, 1], A[::-1, 1:2]),
        ([-100, 0], [100, 1], [2, 1], [1, -1], A[:, ::2, :1]),
        ([0, 0, 1], [2, 3, 2], [1, 2, 1], None, A[:, ::2, 1:]),
        ([1, -1], [2, -4], [1, -2], None, A[1:, ::-2]),
    ]
    yield clauses_of(
        "clauses-of-slice: conds say what Slice makes of a tensor, with and without axes, forwards and backwards",
        {"a": A},
        [
            IrCall(
                "Slice",
                ["a", *(np.int64(each) for each in (start, stop, step, axes) if each is not None)],
                np.ascontiguousarray(want),
                opset=8,
            )
            for start, stop, step, axes, want in bounds
        ],
        says("operations-slice-python", "operations-slice-axes-default", "operations-slice-axes-negative"),
    )


def _shaped() -> Iterator[Vector]:
    zeros = [
        ([0, -1], (2, 6)),
        ([-1, 0], (4, 3)),
        ([0, 0, 1, -1], (2, 3, 1, 2)),
        ([0, 0, 2], (2, 3, 2)),
        ([4, 0], (4, 3)),
    ]
    plain = [([-1], (12,)), ([3, 4], (3, 4)), ([2, -1, 3], (2, 2, 3))]
    one, thin = np.int32([[7]]), ROWS.reshape(1, 2, 1, 3)
    yield clauses_of(
        "clauses-of-reshape: conds say what Reshape, Squeeze and Unsqueeze make of tensors",
        {"a": A, "one": one, "thin": thin, "rows": ROWS, "scalar": SCALAR},
        [
            *(IrCall("Reshape", ["a", np.int64(to)], A.reshape(dims), 'special_zero="true"') for to, dims in zeros),
            *(
                IrCall("Reshape", ["a", np.int64(to)], A.reshape(dims), f'special_zero="{flag}"')
                for to, dims in plain
                for flag in ("true", "false")
            ),
            IrCall("Squeeze", ["thin"], ROWS),
            IrCall("Squeeze", ["one"], one.reshape(())),
            *(
                IrCall("Squeeze", ["thin", np.int64(axes)], np.squeeze(thin, tuple(axes)))
                for axes in ([0], [2], [-2], [0, 2], [-2, 0], [-4, -2])
            ),
            IrCall("Squeeze", ["thin", np.int64(2)], thin[:, :, 0]),
            *(
                IrCall("Unsqueeze", ["rows", np.int64(axes)], np.expand_dims(ROWS, tuple(axes)))
                for axes in ([0], [1], [-1], [-3], [0, 3], [-1, 0])
            ),
            IrCall("Unsqueeze", ["rows", np.int64(1)], ROWS[:, None]),
            IrCall("Unsqueeze", ["scalar", np.int64([0])], SCALAR.reshape(1)),
        ],
        says("operations-reshape-zero", "operations-reshape-minus-one", "operations-squeeze-all"),
        says("operations-squeeze-axes", "operations-unsqueeze-axes"),
    )
    column = ROWS.reshape(2, 3, 1)
    both = [[2, 3, 4], [1], [3, 1], [4, 2, 3, 1], [1, 1, 1, 3], [2, 1, 2]]
    yield clauses_of(
        "clauses-of-broadcast: conds say what Broadcast makes of tensors, in one direction and in both",
        {"column": column, "list": ROWS[0], "scalar": SCALAR},
        [
            *(
                IrCall("Broadcast", ["column", np.int64(to)], column * np.ones(to, np.int32), 'mode="bidirectional"', 3)
                for to in both
            ),
            *(
                IrCall("Broadcast", [name, np.int64(to)], np.ascontiguousarray(np.broadcast_to(held, to)), data, 3)
                for name, held, to in (
                    ("column", column, [2, 3, 4]),
                    ("list", ROWS[0], [2, 3]),
                    ("scalar", SCALAR, [2, 2]),
                )
                for data in ("", 'mode="numpy"')
            ),
            IrCall("Broadcast", ["list", np.int64([2, 2, 3])], np.tile(ROWS[0], (2, 2, 1)), 'mode="numpy"'),
        ],
        says("operations-broadcast-one-way", "operations-broadcast-both-ways"),
    )
    yield clauses_of(
        "clauses-of-shapeof: conds say what ShapeOf makes of tensors, as i32",
        {"a": A, "rows": ROWS, "scalar": SCALAR},
        [
            IrCall("ShapeOf", [name], np.int32(held.shape), 'output_type="i32"', 3)
            for name, held in (("a", A), ("rows", ROWS), ("scalar", SCALAR))
        ],
        says("operations-shapeof-output", "operations-shapeof-output-type"),
    )


def _reduced() -> Iterator[Vector]:
    axes: list[list[int]] = [[0], [1], [-1], [0, 1], [2, 0], [0, 1, 2], [-2, -1]]
    calls = []
    for name, function in (("ReduceSum", np.sum), ("ReduceMax", np.max), ("ReduceProd", np.prod)):
        for each in axes:
            for keep in (True, False):
                data = f'keep_dims="{str(keep).lower()}"'
                want = np.asarray(function(A, tuple(each), keepdims=keep), np.int32)
                calls.append(IrCall(name, ["a", np.int64(each)], want, data))
        calls.append(IrCall(name, ["a", np.int64([1])], np.asarray(function(A, 1), np.int32)))
        calls.append(IrCall(name, ["a", np.int64(2)], np.asarray(function(A, 2), np.int32)))
    yield clauses_of(
        "clauses-of-reductions: conds say what ReduceSum, ReduceMax and ReduceProd make of a tensor, along axes",
        {"a": A},
        calls,
        says("operations-reduce-axes", "operations-reduce-keep-dims", "operations-keep-dims-default"),
    )
    data = (A * 12).astype(np.float32)
    yield clauses_of(
        "clauses-of-reducemean: conds say what ReduceMean makes of a tensor, along axes",
        {"a": data},
        [
            IrCall(
                "ReduceMean",
                ["a", np.int64(each)],
                np.asarray(data.mean(tuple(each), keepdims=keep), np.float32),
                f'keep_dims="{str(keep).lower()}"',
            )
            for each in axes
            for keep in (True, False)
        ],
        says("operations-reducemean", "operations-reduce-keep-dims"),
    )


def _products() -> Iterator[Vector]:
    """Of small integers, whose sums are exact in every order."""
    rows, matrix, stack = floats([7, 8, 9], [1, 2, 4]), floats([1, 2], [-3, 4], [5, -6]), A.astype(np.float32)
    turned = {"rows_t": rows.T, "m_t": matrix.T, "stack_t": stack.transpose(0, 2, 1)}
    fed = {"rows": rows, "m": matrix, "list": rows[1], "stack": stack}
    fed |= {name: np.ascontiguousarray(held) for name, held in turned.items()}
    first, second = 'transpose_a="true"', 'transpose_b="true"'
    yield clauses_of(
        "clauses-of-matmul: conds say what MatMul makes of lists, matrices and stacks of them, transposed or not",
        fed,
        [
            IrCall("MatMul", ["rows", "m"], rows @ matrix),
            IrCall("MatMul", ["rows_t", "m"], rows @ matrix, first),
            IrCall("MatMul", ["rows", "m_t"], rows @ matrix, second),
            IrCall("MatMul", ["rows_t", "m_t"], rows @ matrix, f"{first} {second}"),
            IrCall("MatMul", ["rows", "m"], rows @ matrix, 'transpose_a="false" transpose_b="false"'),
            IrCall("MatMul", ["list", "list"], np.array(rows[1] @ rows[1])),
            IrCall("MatMul", ["list", "list"], np.array(rows[1] @ rows[1]), f"{first} {second}"),
            IrCall("MatMul", ["list", "m"], rows[1] @ matrix, first),
            IrCall("MatMul", ["rows", "list"], rows @ rows[1], second),
            IrCall("MatMul", ["list", "m_t"], rows[1] @ matrix, second),
            IrCall("MatMul", ["stack", "rows"], stack @ rows),
            IrCall("MatMul", ["stack_t", "rows"], stack @ rows, first),
            IrCall("MatMul", ["rows", "stack"], rows @ stack),
            IrCall("MatMul", ["rows", "stack_t"], rows @ stack, second),
            IrCall("MatMul", ["list", "stack"], rows[1] @ stack),
        ],
        says("operations-matmul-transposed", "operations-matmul-lists", "operations-transpose-default"),
    )


def _selected() -> Iterator[Vector]:
    flags, column = np.bool_([[True, False, True]]), np.bool_([[True], [False]])
    mask = np.bool_([[False, True, True], [True, False, True]])
    yield clauses_of(
        "clauses-of-select: conds say what Select chooses, whose operands are broadcast",
        {
            "flags": flags,
            "column": column,
            "true": np.bool_(True),
            "mask": mask,
            "rows": ROWS,
            "other": ROWS * 10,
            "scalar": SCALAR,
            "list": ROWS[1] * 10,
        },
        [
            IrCall("Select", ["flags", "rows", "scalar"], np.where(flags, ROWS, 5).astype(np.int32)),
            IrCall("Select", ["column", "rows", "list"], np.where(column, ROWS, ROWS[1] * 10)),
            IrCall("Select", ["true", "rows", "scalar"], ROWS),
            IrCall("Select", ["mask", "rows", "other"], np.where(mask, ROWS, ROWS * 10), 'auto_broadcast="none"'),
            IrCall(
                "Select",
                ["column", "scalar", "rows"],
                np.where(column, 5, ROWS).astype(np.int32),
                'auto_broadcast="numpy"',
            ),
        ],
        "operations-select",
    )


def _of_later_sets() -> Iterator[Vector]:
    """Each operation in a set that took it over as it was: Gather as in opset8, Range as in opset4."""
    ten = np.arange(10, 20, dtype=np.int32)
    indices, table = np.int64([-1, 0, 10, -10, -11]), np.int32([[1, 2], [3, 4]])
    taken = _taken(ten, indices, 0)
    counted = {"start": np.int32(7), "stop": np.int32(1), "step": np.int32(-2)}
    calls = []
    for opset in (9, 12, 16):
        calls += [
            IrCall("Gather", ["ten", "indices", _axis(0)], taken, opset=opset),
            IrCall("Range", list(counted), np.arange(7, 1, -2, dtype=np.int32), 'output_type="i32"', opset),
            IrCall("Broadcast", ["ten", np.int64([1, 10])], ten[np.newaxis], 'mode="bidirectional"', opset),
            IrCall("ShapeOf", ["table"], np.int32([2, 2]), 'output_type="i32"', opset),
        ]
    yield clauses_of(
        "clauses-of-later-sets: conds say what operations make of opset9, opset12 and opset16, as those before them",
        {"ten": ten, "indices": indices, "table": table, **counted},
        calls,
        "opsets-any-set-that-has-it",
        says("operations-gather-zeros", "operations-range-numbers"),
    )
