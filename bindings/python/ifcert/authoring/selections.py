"""Shapes of a mask and of the two tensors that it selects from, by numpy's rules and by those of SELECT."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Shape = Sequence[int]


@dataclass(frozen=True)
class Selection:
    """The shapes of the mask, of the tensor where it is true, and of the one where it is false."""

    title: str
    mask: Shape
    first: Shape
    second: Shape

    def masks(self) -> list[NDArray[np.bool_]]:
        """The mask that is true and false in turn, and its opposite."""
        turns = (np.arange(math.prod(self.mask)) % 2 == 0).reshape(self.mask)
        return [turns, ~turns]

    def tensors(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The two tensors, of which no elements are equal: the first one's are positive, the second one's negative."""
        first, second = (
            1 + np.arange(math.prod(shape), dtype=np.int32).reshape(shape) for shape in (self.first, self.second)
        )
        return first, -second


# By case; the last dims are aligned.
BY_NUMPY = {
    "scalar": Selection("a scalar selects one of two matrices", [], [2, 3], [2, 3]),
    "each": Selection("a matrix selects each element", [2, 3], [2, 3], [2, 3]),
    "columns": Selection("a list selects the columns of a matrix", [3], [2, 3], [2, 3]),
    "columns-of-square": Selection("a list selects the columns of a square", [2], [2, 2], [2, 2]),
    "rows-of-square": Selection("a column selects the rows of a square", [2, 1], [2, 2], [2, 2]),
    "last-of-cube": Selection("a list selects along the last dim of a cube", [2], [2, 2, 2], [2, 2, 2]),
    "middle-of-cube": Selection("a column selects along the middle dim of a cube", [2, 1], [2, 2, 2], [2, 2, 2]),
    "row-and-column": Selection("a matrix selects from a row and a column", [3, 2], [2], [3, 1]),
    "scalar-and-list": Selection("a list selects from a scalar and a list", [2], [], [2]),
    "two-scalars": Selection("a list selects from two scalars", [3], [], []),
    "list-of-one": Selection("a list of one selects one of two lists", [1], [2], [2]),
    "longer-by-mask": Selection("a column selects from a row and a scalar", [2, 1], [3], []),
}

# By case; a mask of rank 1 selects along the first dim, and the two tensors are alike.
BY_FIRST_DIM = {
    "scalar": Selection("a scalar selects one of two matrices", [], [2, 3], [2, 3]),
    "each": Selection("a matrix selects each element", [2, 3], [2, 3], [2, 3]),
    "list": Selection("a list selects each element", [3], [3], [3]),
    "rows": Selection("a list selects the rows of a matrix", [2], [2, 3], [2, 3]),
    "rows-of-square": Selection("a list selects the rows of a square", [2], [2, 2], [2, 2]),
    "first-of-cube": Selection("a list selects along the first dim of a cube", [2], [2, 2, 2], [2, 2, 2]),
    "first-of-three-dims": Selection("a list selects along the first dim of three", [3], [3, 1, 2], [3, 1, 2]),
}


def along_first_dim(mask: NDArray[np.bool_], rank: int) -> NDArray[np.bool_]:
    """The mask with dims of 1 behind its own, so that numpy aligns it with the first dim of a tensor of this rank."""
    return mask.reshape([*mask.shape, *[1] * (rank - mask.ndim)]) if mask.ndim else mask
