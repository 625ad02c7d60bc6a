"""Clauses of operators: where operands are broadcast, which elements are moved where, and which dims are left.

The operators are specified by TensorFlow Lite's kernels; no axis and no index here is negative.
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, floats, ints
from ifcert.authoring.tflite_clauses import LiteCall, clauses_of

A = np.int32([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]).reshape(2, 3, 2)
ROWS = ints([7, 8, 9], [1, 2, 4])
SCALAR = np.int32(5)


def _broadcast() -> Iterator[Vector]:
    second = {
        "pair": ints(2, 6),
        "columns": ints([1, 4], [5, 2], [6, 8]),
        "column": ints([1], [5], [4]),
        "scalar": SCALAR,
    }
    functions = {
        "LESS": np.less, "GREATER": np.greater, "LESS_EQUAL": np.less_equal, "GREATER_EQUAL": np.greater_equal,
        "EQUAL": np.equal, "NOT_EQUAL": np.not_equal,
    }  # fmt: skip
    yield clauses_of(
        "clauses-of-comparisons: conds say what comparisons make of operands that are broadcast",
        {"a": A, **second},
        [
            LiteCall(operator, operands, function(*((A, held) if operands[0] == "a" else (held, A))))
            for operator, function in functions.items()
            for name, held in second.items()
            for operands in (["a", name], [name, "a"])
        ],
        "schema-builtins",
    )
    arithmetic = {"ADD": np.add, "SUB": np.subtract, "MUL": np.multiply, "MAXIMUM": np.maximum, "MINIMUM": np.minimum}
    calls = [
        LiteCall(operator, operands, function(*((A, held) if operands[0] == "a" else (held, A))))
        for operator, function in arithmetic.items()
        for name, held in second.items()
        for operands in (["a", name], [name, "a"])
    ]
    yield clauses_of(
        "clauses-of-arithmetic: conds say what arithmetic makes of operands that are broadcast",
        {"a": A, **second},
        calls,
        "schema-builtins",
    )
    numbers, other = floats(-7, -1, 0.5, 3, 9), floats(1, 1, 2, 4, 2)
    ends = {"NONE": (-99, 99), "RELU": (0, 99), "RELU6": (0, 6), "RELU_N1_TO_1": (-1, 1)}
    yield clauses_of(
        "clauses-of-activations: conds say what ADD, SUB, MUL and DIV make of numbers, with each activation",
        {"m": numbers, "n": other},
        [
            LiteCall(operator, ["m", "n"], np.clip(function(numbers, other), *bounds), f"fused={activation}")
            for operator, function in {"ADD": np.add, "SUB": np.subtract, "MUL": np.multiply, "DIV": np.divide}.items()
            for activation, bounds in ends.items()
        ],
        "schema-builtins",
    )


def _moved() -> Iterator[Vector]:
    square, list_ = ints([0, 2], [1, 1]), np.int64([2, 0])
    batches, at = np.arange(10, dtype=np.int32).reshape(2, 5) * 3 + 1, ints([0, 4, 1], [3, 2, 2])
    deep = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    yield clauses_of(
        "clauses-of-gather: conds say what GATHER makes of tensors, along each axis and in batches",
        {"a": A, "square": square, "list": list_, "one": np.int32(1), "batches": batches, "indices": at, "deep": deep},
        [
            *(LiteCall("GATHER", ["a", "one"], np.take(A, 1, axis), f"axis={axis}") for axis in (0, 1, 2)),
            LiteCall("GATHER", ["a", "square"], np.take(A, square, 1), "axis=1"),
            LiteCall("GATHER", ["a", "list"], np.take(A, list_, 1), "axis=1"),
            LiteCall("GATHER", ["batches", "indices"], np.take_along_axis(batches, at, 1), "axis=1 batch_dims=1"),
            LiteCall("GATHER", ["batches", "indices"], np.take(batches, at, 1), "axis=1 batch_dims=0"),
            LiteCall(
                "GATHER",
                ["deep", "square"],
                np.stack([np.take(deep[i], square[i], 1) for i in (0, 1)]),
                "axis=2 batch_dims=1",
            ),
        ],
        "schema-builtins",
    )
    slices = [((0, 1, 0), (2, 2, 1)), ((1, 0, 1), (-1, 3, -1)), ((0, 0, 0), (-1, -1, -1)), ((1, 2, 0), (1, 1, 2))]
    joined = [LiteCall("CONCATENATION", ["rows", "rows"], np.concatenate([ROWS, ROWS], i), f"axis={i}") for i in (0, 1)]
    yield clauses_of(
        "clauses-of-moved-elements: conds say what SLICE, PACK, CONCATENATION, TRANSPOSE and FILL make of tensors",
        {"a": A, "rows": ROWS, "other": ROWS * 10, "scalar": SCALAR},
        [
            *(
                LiteCall(
                    "SLICE",
                    ["a", ints(*begins), ints(*sizes)],
                    np.ascontiguousarray(
                        A[tuple(slice(b, None if s < 0 else b + s) for b, s in zip(begins, sizes, strict=True))]
                    ),
                )
                for begins, sizes in slices
            ),
            *(
                LiteCall("PACK", ["rows", "other"], np.stack([ROWS, ROWS * 10], axis), f"values_count=2 axis={axis}")
                for axis in (0, 1, 2)
            ),
            LiteCall("PACK", ["scalar", "scalar", "scalar"], ints(5, 5, 5), "values_count=3 axis=0"),
            *joined,
            *(
                LiteCall("TRANSPOSE", ["a", ints(*perm)], np.ascontiguousarray(A.transpose(perm)))
                for perm in ((2, 0, 1), (1, 0, 2), (0, 2, 1), (2, 1, 0))
            ),
            LiteCall("FILL", [ints(2, 3), "scalar"], np.full((2, 3), 5, np.int32)),
            LiteCall("FILL", [np.int64([4]), "scalar"], np.full(4, 5, np.int32)),
        ],
        "schema-builtins",
    )


def _shaped() -> Iterator[Vector]:
    axes = [[0], [1], [2], [0, 1], [2, 0], [0, 1, 2]]
    yield clauses_of(
        "clauses-of-sum: conds say what SUM, RESHAPE, EXPAND_DIMS and SHAPE make of tensors",
        {"a": A, "rows": ROWS, "scalar": SCALAR},
        [
            *(
                LiteCall("SUM", ["a", ints(*each)], np.asarray(A.sum(tuple(each), keepdims=keep), np.int32), option)
                for each in axes
                for keep, option in ((True, "keep_dims=true"), (False, "keep_dims=false"), (False, ""))
            ),
            LiteCall("SUM", ["a", np.int32(1)], A.sum(1, dtype=np.int32)),
            *(
                LiteCall("RESHAPE", ["a", ints(*to)], A.reshape(to))
                for to in ((12,), (-1, 6), (4, 3), (2, -1, 1, 3), (3, 2, 2))
            ),
            *(LiteCall("EXPAND_DIMS", ["rows", np.int32(axis)], np.expand_dims(ROWS, axis)) for axis in (0, 1, 2)),
            LiteCall("EXPAND_DIMS", ["scalar", np.int32(0)], SCALAR.reshape(1)),
            LiteCall("SHAPE", ["a"], ints(2, 3, 2), "out_type=int32"),
        ],
        "schema-builtins",
    )
    flags = A % 2 == 1
    first, column = np.bool_([True, False]), np.bool_([[True], [False], [True]])
    other = A * 10
    yield clauses_of(
        "clauses-of-select: conds say what SELECT and SELECT_V2 choose, by one condition or many",
        {
            "flags": flags,
            "list": first,
            "true": np.bool_(True),
            "column": column,
            "a": A,
            "other": other,
            "scalar": SCALAR,
        },
        [
            LiteCall("SELECT", ["flags", "a", "other"], np.where(flags, A, other)),
            LiteCall("SELECT", ["list", "a", "other"], np.where(first[:, None, None], A, other)),
            LiteCall("SELECT", ["true", "a", "other"], A),
            LiteCall("SELECT_V2", ["flags", "a", "other"], np.where(flags, A, other)),
            LiteCall("SELECT_V2", ["list", "a", "other"], np.where(first, A, other)),
            LiteCall("SELECT_V2", ["column", "a", "other"], np.where(column, A, other)),
            LiteCall("SELECT_V2", ["column", "a", "scalar"], np.where(column, A, SCALAR)),
            LiteCall("SELECT_V2", ["true", "scalar", "other"], np.full(A.shape, 5, np.int32)),
        ],
        "kernels-select-condition",
        "kernels-select-v2",
    )
