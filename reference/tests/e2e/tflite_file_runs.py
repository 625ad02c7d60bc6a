"""The inputs and expected outputs of tflite_files/, worked out by hand from the meaning of each function.

Inputs and outputs are in the order of the primary subgraph's. Numbers are such that float32 holds them and every
result exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Arrays = list[np.ndarray]

TRUE, FALSE = np.array(True), np.array(False)


def f(*values: Any) -> np.ndarray:  # noqa: ANN401 (numbers, or lists of them)
    """A row, or rows, of float32."""
    return np.array(values, np.float32)


def i(*values: Any) -> np.ndarray:  # noqa: ANN401
    """Of int32."""
    return np.array(values, np.int32)


def n(value: int) -> np.ndarray:
    """One int32, of no dimensions."""
    return np.array(value, np.int32)


def k(value: int) -> np.ndarray:
    """One int64."""
    return np.array(value, np.int64)


def x(value: float) -> np.ndarray:
    """One float32."""
    return np.array(value, np.float32)


def b(*values: bool) -> np.ndarray:
    """A row of booleans."""
    return np.array(values)


def s(*values: str) -> np.ndarray:
    """A row of strings."""
    return np.array(values, object)


GRID = f([1, 2, 3], [4, 5, 6])
NO_ROWS = np.zeros([0, 2], np.float32)

RUNS: dict[str, list[tuple[Arrays, Arrays]]] = {
    "cond_add_or_subtract": [
        ([TRUE, GRID, f([10, 20, 30], [40, 50, 60])], [f([11, 22, 33], [44, 55, 66])]),
        ([FALSE, GRID, f([10, 20, 30], [40, 50, 60])], [f([-9, -18, -27], [-36, -45, -54])]),
    ],
    "cond_captures": [
        ([TRUE, f(1, 5, 3), i(-7, 8), f(2, 4, 3)], [f(2, 5, 3), i(7, -8), b(False, True, False)]),
        ([FALSE, f(1, 5, 3), i(-7, 8), f(2, 4, 3)], [f(2, 4, 3), i(7, 8), b(False, True, True)]),
    ],
    "cond_constants": [([TRUE], [i(1, 2)]), ([FALSE], [i(3, -4, 5)]), ([TRUE], [i(1, 2)])],
    "cond_constants_behind_the_table": [([TRUE], [i(1, 2)]), ([FALSE], [i(3, -4, 5)])],
    "constant_beside_cond": [
        ([TRUE, f(1.5, -2)], [f(3, -4), np.array([7, 8]), TRUE]),
        ([FALSE, f(1.5, -2)], [f(-1.5, 2), np.array([7, 8]), FALSE]),
    ],
    "cond_nested": [
        ([TRUE, TRUE, TRUE, i(10, -20)], [i(11, -19)]),
        ([TRUE, TRUE, FALSE, i(10, -20)], [i(12, -18)]),
        ([TRUE, FALSE, TRUE, i(10, -20)], [i(30, -60)]),
        ([TRUE, FALSE, FALSE, i(10, -20)], [i(30, -60)]),
        ([FALSE, TRUE, TRUE, i(10, -20)], [i(-10, 20)]),
        ([FALSE, TRUE, FALSE, i(10, -20)], [i(5, -25)]),
        ([FALSE, FALSE, TRUE, i(10, -20)], [i(-10, 20)]),
        ([FALSE, FALSE, FALSE, i(10, -20)], [i(5, -25)]),
    ],
    "cond_swapped": [
        ([TRUE, f(1, 2), f(3, 4)], [f(1, 2), f(3, 4), f(1, 2)]),
        ([FALSE, f(1, 2), f(3, 4)], [f(3, 4), f(1, 2), f(3, 4)]),
    ],
    "cond_value_twice": [
        ([TRUE, f(1.5, -2)], [f(2.25, 4), f(2.25, 4)]),
        ([FALSE, f(1.5, -2)], [f(1.5, -2), f(1.5, -2)]),
    ],
    "cond_ranks_differ": [([TRUE, f(1, 2)], [f(-1, -2)]), ([FALSE, f(1, 2)], [f([1, 2])])],
    "cond_dims_unknown": [
        ([TRUE, f([1, 2], [3, 4], [5, 6])], [f([-1, -2], [-3, -4], [-5, -6]), i(3, 2)]),
        ([FALSE, f([1, 2])], [f([1, 2], [1, 2]), i(2, 4)]),
        ([TRUE, f([1, 2])], [f([-1, -2]), i(1, 2)]),
        ([FALSE, NO_ROWS], [NO_ROWS, i(0, 4)]),
    ],
    "cond_rank_unknown": [
        ([TRUE, x(3)], [x(6)]),
        ([FALSE, x(3)], [f(3)]),
        ([TRUE, GRID], [f([2, 4, 6], [8, 10, 12])]),
        ([FALSE, GRID], [f(1, 2, 3, 4, 5, 6)]),
    ],
    "cond_computed": [
        ([f(1, 2, 3), f(4, 5, 6)], [f(4, 10, 18)]),
        ([f(1, 2, 3), f(3, 2, 1)], [f(1, 2, 1)]),
        ([f(-1, -2, 2), f(-4, -5, 6)], [f(4, 10, 12)]),
        ([f(-1, -2, 1), f(-4, 5, 6)], [f(-4, -2, 1)]),
    ],
    "cond_strings": [
        ([TRUE, s("a", "bc"), s("", "да")], [s("a", "bc"), s("да", "")]),
        ([FALSE, s("a", "bc"), s("", "да")], [s("", "да"), s("bc", "bc")]),
    ],
    "cond_string_constant": [
        ([TRUE, s("a", "bc", "")], [s("a", "bc", "")]),
        ([FALSE, s("a", "bc", "")], [s("yes", "", "да")]),
    ],
    "cond_small_integers": [
        (
            [TRUE, np.array([-128, 127], np.int8), np.array([0, 255], np.uint8), np.array([-32768, 32767], np.int16)],
            [np.array([-128, 127], np.int8), np.array([0, 255], np.uint8), np.array([-32768, 32767], np.int16)],
        ),
        (
            [FALSE, np.array([-128, 127], np.int8), np.array([0, 100], np.uint8), np.array([17, 200], np.int16)],
            [np.array([0, 100], np.int8), np.array([17, 200], np.uint8), np.array([-128, 127], np.int16)],
        ),
    ],
    "cond_moves": [
        ([TRUE, GRID, i(2, 0)], [f([3, 1], [6, 4]), f([2, 3], [5, 6])]),
        ([FALSE, GRID, i(2, 0)], [f([6, 6], [15, 15]), f([21, 21], [21, 21])]),
    ],
    "cond_flags": [
        ([TRUE, b(True, False, False), i(1, 2, 3)], [b(False, True, True), b(True, True, False)]),
        ([FALSE, b(True, False, False), i(1, 2, 3)], [b(True, True, False), b(True, False, False)]),
    ],
    "cond_select": [
        ([TRUE, f(1, 2, 3, 4), f(2, 2, 1, -4)], [f(1, 2, 1, -4)]),
        ([FALSE, f(1, 2, 3, 4), f(2, 2, 1, -4)], [f(1, -2, 3, 4)]),
    ],
    "cond_fused": [
        ([TRUE, f(1, -5, 8, 3), f(2, 3, -4, -3)], [f(3, 0, 4, 0), f(0, 0, 6, 6)]),
        ([FALSE, f(1, -5, 0.5, 3), f(2, 3, 0.25, -4)], [f(1, -1, 0.125, -1), f(0.5, 0, 2, 0)]),
    ],
    "case": [
        ([x(-1), f(3, -4)], [f(-3, 4)]),
        ([x(11), f(3, -4)], [f(9, 16)]),
        ([x(10), f(3, -4)], [f(13, 6)]),
        ([x(0.5), f(3, -4)], [f(3.5, -3.5)]),
    ],
    "while_counter": [([n(5)], [n(10)]), ([n(0)], [n(0)]), ([n(-3)], [n(0)]), ([n(100)], [n(4950)])],
    "while_fibonacci": [([n(0)], [k(0)]), ([n(1)], [k(1)]), ([n(10)], [k(55)]), ([n(90)], [k(2880067194370816120)])],
    "while_rotate": [
        ([n(0), f(1, 2), f(3, 4), f(5, 6)], [f(1, 2), f(3, 4), f(5, 6)]),
        ([n(1), f(1, 2), f(3, 4), f(5, 6)], [f(5, 6), f(1, 2), f(3, 4)]),
        ([n(2), f(1, 2), f(3, 4), f(5, 6)], [f(3, 4), f(5, 6), f(1, 2)]),
        ([n(3), f(1, 2), f(3, 4), f(5, 6)], [f(1, 2), f(3, 4), f(5, 6)]),
    ],
    "while_growing": [
        ([n(4), i(7)], [i(7, 0, 1, 4, 9)]),
        ([n(1), i(7, -8)], [i(7, -8, 0)]),
        ([n(0), i(7, -8)], [i(7, -8)]),
    ],
    "while_growing_from_none": [([n(3)], [i(0, 1, 2)]), ([n(0)], [i()]), ([n(1)], [i(0)])],
    "while_halves": [([x(40)], [x(0.625), n(6)]), ([x(1)], [x(0.5), n(1)]), ([x(-3)], [x(-3), n(0)])],
    "cond_in_while": [([n(1)], [n(0)]), ([n(6)], [n(8)]), ([n(27)], [n(111)])],
    "while_in_cond": [
        ([TRUE, n(3), f(1, -2)], [f(8, -16)]),
        ([TRUE, n(0), f(1, -2)], [f(1, -2)]),
        ([FALSE, n(3), f(1, -2)], [f(-1, 2)]),
    ],
    "while_in_while": [([n(4), n(5)], [k(60)]), ([n(0), n(5)], [k(0)]), ([n(5), n(0)], [k(0)])],
    "while_three_trips_at_most": [
        ([n(2), f(1, -2)], [f(4, -8), f(1, -2)]),
        ([n(9), f(1, -2)], [f(8, -16), f(1, -2)]),
        ([n(0), f(1, -2)], [f(1, -2), f(1, -2)]),
    ],
    "tensor_array": [
        ([n(3), f(1, -2)], [f([0, -0.0], [1, -2], [2, -4])]),
        ([n(1), f(1, 2)], [f([0, 0])]),
        ([n(0), f(1, 2)], [NO_ROWS]),
    ],
    "python_statements": [
        ([f(1, 2), n(3)], [f(3, 6)]),
        ([f(1, -2), n(3)], [f(-3, 6)]),
        ([f(1, 2), n(0)], [f(0, 0)]),
    ],
    "two_signatures": [([f(3, 4), TRUE], [f(4, 6)]), ([f(3, 4), FALSE], [f(-3, -4)])],
}
