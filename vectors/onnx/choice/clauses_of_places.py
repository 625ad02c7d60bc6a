"""Clauses of operators that move elements: which dims and which places the text gives them."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, says
from ifcert.authoring.onnx_clauses import Call, call, cast, clauses_of, part_of

A = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]).reshape(2, 3, 2)
ROWS = np.array([[7, 8, 9], [1, 2, 4]])
ONE = np.array([[7]])
SCALAR = np.array(5)
NONE = "int64[0] none = {}"


def _reshaped() -> Iterator[Vector]:
    shapes = [[-1], [0, -1], [3, 4], [0, 0, 0], [-1, 0], [4, 0], [2, -1, 1, 3], [0, 0, 2], [0, 3, -1, 1]]
    dims = [(12,), (2, 6), (3, 4), (2, 3, 2), (4, 3), (4, 3), (2, 2, 1, 3), (2, 3, 2), (2, 3, 2, 1)]
    empty = np.zeros((0, 3), np.int64)
    yield clauses_of(
        "clauses-of-reshape: conds say what Reshape makes of a tensor, with 0 and -1 in the new shape, and of none",
        {"a": A, "one": ONE, "empty": empty},
        [
            *(call("Reshape", "a", shape, result=A.reshape(to)) for shape, to in zip(shapes, dims, strict=True)),
            call("Reshape", "one", "@none", result=ONE.reshape(())),
            call("Reshape", "one", [1], result=ONE.reshape(1)),
            call("Reshape", "empty", [0, 0], result=empty),
            call("Reshape", "empty", [0, 0], result=empty, allowzero=0),
            call("Reshape", "empty", [3, 0], result=empty.reshape(3, 0), allowzero=1),
            call("Reshape", "empty", [0, 5, 2], result=empty.reshape(0, 5, 2), allowzero=1),
            call("Reshape", "a", [-1, 6], result=A.reshape(2, 6), allowzero=1),
        ],
        says("operators-reshape-zero", "operators-reshape-minus-one", "operators-reshape-scalar"),
        says("operators-reshape-allowzero"),
        stored=NONE,
    )


def _squeezed() -> Iterator[Vector]:
    thin = ROWS.reshape(1, 2, 1, 3)
    axes = [[0], [2], [-2], [-4], [0, 2], [2, 0], [-4, -2], [0, -2]]
    yield clauses_of(
        "clauses-of-squeeze: conds say what Squeeze makes of a tensor, along axes or along every dim of 1",
        {"thin": thin, "one": ONE},
        [
            call("Squeeze", "thin", result=ROWS),
            *(
                call("Squeeze", "thin", each, result=np.squeeze(thin, tuple(axis % 4 for axis in each)))
                for each in axes
            ),
            call("Squeeze", "one", result=ONE.reshape(())),
            call("Squeeze", "one", [-1], result=ONE.reshape(1)),
        ],
        says("operators-squeeze-no-axes", "operators-squeeze-axes"),
    )
    yield clauses_of(
        "clauses-of-squeeze-11: conds say what Squeeze and Unsqueeze of opset 11 make of tensors; attributes have axes",
        {"thin": thin, "one": ONE, "scalar": SCALAR},
        [
            call("Squeeze", "thin", result=ROWS),
            call("Squeeze", "thin", result=thin[0], axes=[0]),
            call("Squeeze", "thin", result=thin[:, :, 0], axes=[-2]),
            call("Squeeze", "thin", result=ROWS, axes=[0, 2]),
            call("Squeeze", "one", result=ONE.reshape(())),
            call("Unsqueeze", "one", result=ONE.reshape(1, 1, 1), axes=[1]),
            call("Unsqueeze", "thin", result=thin.reshape(1, 2, 1, 1, 3), axes=[2]),
            call("Unsqueeze", "thin", result=thin.reshape(1, 1, 2, 1, 3, 1), axes=[0, -1]),
            call("Unsqueeze", "scalar", result=SCALAR.reshape(1), axes=[0]),
        ],
        says("operators-squeeze-11-no-axes", "operators-squeeze-11-axes", "operators-unsqueeze-11-axes"),
        opset=11,
    )


def _unsqueezed() -> Iterator[Vector]:
    axes = [[0], [1], [2], [-1], [-3], [0, 3], [-1, 0], [2, 1]]
    yield clauses_of(
        "clauses-of-unsqueeze: conds say what Unsqueeze makes of a tensor, along axes from the front and from the back",
        {"rows": ROWS, "scalar": SCALAR},
        [
            *(call("Unsqueeze", "rows", each, result=np.expand_dims(ROWS, tuple(each))) for each in axes),
            call("Unsqueeze", "scalar", [0], result=SCALAR.reshape(1)),
            call("Unsqueeze", "scalar", [-1, 0], result=SCALAR.reshape(1, 1)),
        ],
        says("operators-unsqueeze-inserts", "operators-unsqueeze-order", "operators-unsqueeze-range"),
    )


def _constants() -> Iterator[Vector]:
    """Of the shape of a scalar, which is an empty list, of no rows, and of others."""
    fed = {"scalar": SCALAR, "list": ROWS[0], "rows": ROWS, "empty": np.zeros((0, 3), np.int64)}
    forms = [
        ("value = int64[1] {{7}}", 7, 7),
        ("value = bool[1] {{1}}", 1, 7),
        ("", 0, 7),
        ("value = int8[1] {{-5}}", -5, 7),
    ]
    yield clauses_of(
        "clauses-of-constant-of-shape: conds say what ConstantOfShape makes of a scalar's shape and of other shapes",
        fed,
        [
            cast(
                Call(
                    f"{{t}}shape = Shape ({name}{{_}}) "
                    f"{{r}} = ConstantOfShape {f'<{form}>' if form else ''} ({{t}}shape)",
                    np.full(held.shape, number, np.int64),
                ),
                to,
            )
            for name, held in fed.items()
            for form, number, to in forms
        ],
        says(
            "operators-constantofshape-scalar", "operators-constantofshape-value", "operators-constantofshape-default"
        ),
    )


def _transposed() -> Iterator[Vector]:
    yield clauses_of(
        "clauses-of-transpose: conds say what Transpose makes of tensors, whose axes it reverses or permutes",
        {"a": A, "rows": ROWS, "list": ROWS[0], "scalar": SCALAR},
        [
            call("Transpose", "a", result=A.T),
            call("Transpose", "rows", result=ROWS.T),
            call("Transpose", "list", result=ROWS[0]),
            call("Transpose", "scalar", result=SCALAR),
            call("Transpose", "a", result=A.transpose(1, 2, 0), perm=[1, 2, 0]),
            call("Transpose", "a", result=A.transpose(2, 0, 1), perm=[2, 0, 1]),
            call("Transpose", "a", result=A.transpose(1, 0, 2), perm=[1, 0, 2]),
            call("Transpose", "list", result=ROWS[0], perm=[0]),
        ],
        says("operators-transpose-axes", "operators-transpose-default", "operators-transpose-few-dims"),
    )


def _expanded() -> Iterator[Vector]:
    column, shapes = ROWS.reshape(2, 3, 1), [[2, 3, 4], [1], [1, 1], [3, 1], [4, 2, 3, 1], [2, 1, 2], [1, 1, 1, 3]]
    ones = [np.ones(shape, np.int64) for shape in shapes]
    yield clauses_of(
        "clauses-of-expand: conds say what Expand and Tile make of tensors",
        {"column": column, "rows": ROWS, "scalar": SCALAR},
        [
            *(call("Expand", "column", shape, result=column * one) for shape, one in zip(shapes, ones, strict=True)),
            call("Expand", "column", "@none", result=column),
            call("Expand", "scalar", [2, 2], result=np.full((2, 2), 5)),
            call("Expand", "scalar", "@none", result=SCALAR),
            *(
                call("Tile", "rows", each, result=np.tile(ROWS, each))
                for each in ([1, 2], [2, 1], [2, 3], [1, 1], [3, 0])
            ),
            call("Tile", "column", [1, 2, 2], result=np.tile(column, (1, 2, 2))),
        ],
        says("operators-expand-like-ones", "operators-expand-smaller", "operators-tile"),
        stored=NONE,
    )


def _joined() -> Iterator[Vector]:
    other, empty = ROWS * 10, np.zeros((0, 3), np.int64)
    yield clauses_of(
        "clauses-of-concat: conds say what Concat makes of tensors, along axes from the front and from the back",
        {"rows": ROWS, "other": other, "empty": empty, "a": A},
        [
            *(
                call("Concat", "rows", "other", result=np.concatenate([ROWS, other], axis), axis=axis)
                for axis in (0, 1, -1, -2)
            ),
            call("Concat", "rows", result=ROWS, axis=0),
            call("Concat", "empty", "rows", "empty", "other", result=np.concatenate([ROWS, other]), axis=0),
            *(call("Concat", "a", "a", "a", result=np.concatenate([A, A, A], axis), axis=axis) for axis in (1, 2, -3)),
        ],
        "operators-concat",
    )


def _split() -> Iterator[Vector]:
    list_, parts = np.arange(7) * 11, [np.arange(3) * 11, np.arange(3, 6) * 11, np.array([66])]
    uneven = [part_of("Split", "list", part=i, parts=3, result=parts[i], num_outputs=3) for i in range(3)]
    even = [part_of("Split", "a", part=i, parts=2, result=A[i : i + 1], num_outputs=2) for i in range(2)]
    last = [part_of("Split", "a", part=i, parts=2, result=A[:, :, i : i + 1], num_outputs=2, axis=-1) for i in range(2)]
    two = [A[:, :2], A[:, 2:]]
    wide = [part_of("Split", "a", part=i, parts=2, result=two[i], num_outputs=2, axis=1) for i in range(2)]
    lengths = {"list": ([2, 0, 5], [list_[:2], list_[2:2], list_[2:]]), "a": ([1, 2], [A[:, :1], A[:, 1:]])}
    given = [
        part_of("Split", name, each, part=i, parts=len(each), result=results[i], axis=0 if name == "list" else 1)
        for name, (each, results) in lengths.items()
        for i in range(len(each))
    ]
    yield clauses_of(
        "clauses-of-split-18: conds say what each part of a Split is, whose parts are counted or have their lengths",
        {"list": list_, "a": A},
        [*uneven, *even, *last, *wide, *given],
        says("operators-split-equal", "operators-split-last-smaller", "operators-split-lengths"),
    )
    yield clauses_of(
        "clauses-of-split-13: conds say what each part of a Split of opset 13 is, of equal or of given lengths",
        {"list": list_, "a": A},
        [
            *given,
            *(part_of("Split", "a", part=i, parts=2, result=A[i : i + 1]) for i in range(2)),
            *(part_of("Split", "a", part=i, parts=3, result=A[:, i : i + 1], axis=-2) for i in range(3)),
        ],
        says("operators-split-13-equal", "operators-split-13-lengths"),
        opset=13,
    )
    by_attribute = [
        part_of("Split", name, part=i, parts=len(each), result=results[i], axis=0 if name == "list" else 1, split=each)
        for name, (each, results) in lengths.items()
        for i in range(len(each))
    ]
    yield clauses_of(
        "clauses-of-split-11: conds say what each part of a Split of opset 11 is, whose attribute may have lengths",
        {"list": list_, "a": A},
        [
            *by_attribute,
            *(part_of("Split", "a", part=i, parts=2, result=A[:, :, i : i + 1], axis=-1) for i in range(2)),
        ],
        says("operators-split-11-equal", "operators-split-11-lengths"),
        opset=11,
    )


def _sliced() -> Iterator[Vector]:
    yield clauses_of(
        "clauses-of-slice: conds say what Slice makes of a tensor, with and without axes and steps",
        {"a": A, "rows": ROWS},
        [
            call("Slice", "rows", [0, 1], [2, 3], result=ROWS[:, 1:]),
            call("Slice", "rows", [1, -2], [9, -1], result=ROWS[1:, -2:-1]),
            call("Slice", "a", [1], [3], [1], result=A[:, 1:3]),
            call("Slice", "a", [-2], [9], [-2], result=A[:, 1:]),
            call("Slice", "a", [0, 2], [2, 0], [2, 1], [1, -1], result=A[:, 2:0:-1]),
            call("Slice", "rows", [2, 1], [-9, -9], [1, 0], [-2, -1], result=ROWS[::-1, ::-2]),
            call("Slice", "rows", [0, 0], [2, 3], [0, 1], [1, 2], result=ROWS[:, ::2]),
            call("Slice", "rows", [2], [1], [1], result=ROWS[:, 2:1]),
        ],
        says("operators-slice-axes-omitted", "operators-slice-steps-omitted", "operators-slice-axes-made-positive"),
        says("operators-slice-starts-clamped", "operators-slice-ends-clamped"),
    )
    yield clauses_of(
        "clauses-of-slice-9: conds say what Slice of opset 9 makes of a tensor; attributes have starts and ends",
        {"a": A, "rows": ROWS},
        [
            call("Slice", "rows", result=ROWS[:, 1:], starts=[0, 1], ends=[2, 3]),
            call("Slice", "rows", result=ROWS[1:, :2], starts=[1, 0], ends=[1000, 2]),
            call("Slice", "rows", result=ROWS[:, -2:-1], starts=[-2], ends=[-1], axes=[1]),
            call("Slice", "a", result=A[1:, :2, 1:], starts=[1, 0, -1], ends=[2, -1, 5], axes=[2, 1, 0][::-1]),
            call("Slice", "a", result=A[:1, :, 1:], starts=[1, 0], ends=[2, 1], axes=[2, 0]),
        ],
        says("operators-slice-9-axes", "operators-slice-9-ends"),
        opset=9,
    )


def _gathered() -> Iterator[Vector]:
    places = [([1, 0], 0), ([2, -1, 0], 1), ([-1, -2], -1), ([0], -3), ([1, 1, 1], 2)]
    square, scalar = np.array([[0, 2], [-1, 1]]), np.array(-2)
    yield clauses_of(
        "clauses-of-gather: conds say what Gather makes of tensors, along each axis, with indices of every rank",
        {"a": A, "square": square, "last": scalar},
        [
            *(call("Gather", "a", each, result=np.take(A, each, axis), axis=axis) for each, axis in places),
            call("Gather", "a", [0, 1], result=A),
            *(call("Gather", "a", "last", result=np.take(A, scalar, axis), axis=axis) for axis in (0, 1, 2)),
            *(call("Gather", "a", "square", result=np.take(A, square, axis), axis=axis) for axis in (1, -2)),
        ],
        says("operators-gather-places", "operators-gather-rank", "operators-gather-index-range"),
    )
    along = {"down": np.array([[1, 0, -1], [0, 0, 1], [-2, 1, 0]]), "across": np.array([[1, 0], [-1, 1]])}
    deep = np.array([[[1, 0]], [[-2, 2]]])
    yield clauses_of(
        "clauses-of-gather-elements: conds say what GatherElements makes of tensors, along each axis",
        {"rows": ROWS, **along, "a": A, "deep": deep},
        [
            call("GatherElements", "rows", "down", result=np.take_along_axis(ROWS, along["down"], 0)),
            call("GatherElements", "rows", "down", result=np.take_along_axis(ROWS, along["down"], 0), axis=-2),
            call("GatherElements", "rows", "across", result=np.take_along_axis(ROWS, along["across"], 1), axis=1),
            call("GatherElements", "rows", "across", result=np.take_along_axis(ROWS, along["across"], 1), axis=-1),
            call("GatherElements", "a", "deep", result=np.take_along_axis(A, deep, 1), axis=1),
        ],
        says("operators-gatherelements-places", "operators-gatherelements-axis"),
    )


def _padded() -> Iterator[Vector]:
    fed = {"rows": ROWS, "flags": ROWS % 2 == 1, "nine": np.array(-9), "zero": np.array(0), "list": ROWS[0]}

    def padded(pads: list[int]) -> list[tuple[int, int]]:
        return list(zip(pads[: len(pads) // 2], pads[len(pads) // 2 :], strict=True))

    constant = [
        call("Pad", "rows", pads, "nine", result=np.pad(ROWS, padded(pads), constant_values=-9))
        for pads in ([0, 1, 0, 2], [1, 0, 0, 0], [2, 1, 1, 0], [0, 0, 0, 0])
    ]
    modes = [
        call("Pad", "rows", pads, result=np.pad(ROWS, padded(pads), mode), mode=mode)
        for mode in ("constant", "reflect", "edge")
        for pads in ([0, 1, 1, 2], [1, 2, 0, 1])
    ]
    all_ = [
        *constant,
        *modes,
        cast(call("Pad", "flags", [1, 0, 0, 1], result=np.pad(ROWS % 2, padded([1, 0, 0, 1])))),
        call("Pad", "list", [2, 1], result=np.pad(ROWS[0], (2, 1))),
    ]
    yield clauses_of(
        "clauses-of-pad-negative: conds say what Pad makes of tensors, with negative pads, which remove elements",
        fed,
        [
            call("Pad", "rows", [0, -1, 0, -1], result=ROWS[:, 1:2]),
            call("Pad", "rows", [1, -2, -1, 1], "nine", result=np.array([[-9, -9], [9, -9]])),
            call("Pad", "list", [-3, 2], "nine", result=np.array([-9, -9])),
        ],
        "operators-pad-negative",
    )
    why = says("operators-pad-values", "operators-pad-reflect", "operators-pad-edge")
    yield clauses_of(
        "clauses-of-pad-13: conds say what Pad of opset 13 makes of tensors, in each of its three modes",
        fed,
        all_,
        why,
        opset=13,
    )
    along = [
        call("Pad", "rows", [1, 2], "nine", [1], result=np.pad(ROWS, [(0, 0), (1, 2)], constant_values=-9)),
        call("Pad", "rows", [1, 2], "zero", [-2], result=np.pad(ROWS, [(1, 2), (0, 0)])),
        call("Pad", "rows", [1, 2, 0, 3], "zero", [-1, 0], result=np.pad(ROWS, [(2, 3), (1, 0)])),
        call("Pad", "rows", [1, 1], "zero", [-1], result=np.pad(ROWS, [(0, 0), (1, 1)], "reflect"), mode="reflect"),
    ]
    yield clauses_of(
        "clauses-of-pad-18: conds say what Pad of opset 18 makes of tensors, along the axes that it is given",
        fed,
        [*all_, *along],
        why,
        "operators-pad-axes",
    )
    wrapped = [
        call("Pad", "rows", pads, result=np.pad(ROWS, padded(pads), "wrap"), mode="wrap")
        for pads in ([0, 1, 0, 2], [1, 0, 1, 0], [1, 3, 2, 1], [2, 1, 1, 1])
    ]
    yield clauses_of(
        "clauses-of-pad-19: conds say what Pad of opset 19 makes of tensors, which it may wrap around",
        fed,
        [*modes, *along, *wrapped],
        why,
        "operators-pad-wrap",
        opset=19,
    )


def _inserted() -> Iterator[Vector]:
    """A sequence of three lists of one, and a fourth at each place."""
    calls = []
    for position in (None, 0, 1, 3, -1, -3):
        order = [10, 20, 30]
        order.insert(3 if position is None else position, 40)
        where = "" if position is None else ", {t}at"
        for place, number in enumerate(order):
            calls.append(
                Call(
                    "{t}seq = SequenceConstruct (p{_}, q{_}, s{_}) "
                    f"{{t}}at = Constant <value_int = {position or 0}> () "
                    f"{{t}}longer = SequenceInsert ({{t}}seq, u{{_}}{where}) "
                    f"{{t}}place = Constant <value_int = {place - 4 if place % 2 else place}> () "
                    "{r} = SequenceAt ({t}longer, {t}place)",
                    np.array([number]),
                )
            )
    fed = {name: np.array([number]) for name, number in zip("pqsu", (10, 20, 30, 40), strict=True)}
    yield clauses_of(
        "clauses-of-sequence-insert: conds say what each item of a sequence is, into which one is inserted",
        fed,
        calls,
        says("operators-sequenceinsert-places", "operators-sequenceinsert-default", "operators-sequenceat"),
    )
