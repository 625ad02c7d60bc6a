"""What the tables of selections say of themselves."""

import numpy as np
import pytest

from ifcert.authoring.selections import BY_FIRST_DIM, BY_NUMPY, Selection, along_first_dim

EVERY = [*BY_NUMPY.values(), *BY_FIRST_DIM.values()]


@pytest.mark.parametrize("selection", EVERY, ids=lambda each: each.title)
def test_the_two_masks_select_differently_from_both_tensors(selection: Selection) -> None:
    first, second = selection.tensors()
    mask, opposite = selection.masks()
    assert not np.intersect1d(first, second).size
    assert np.array_equal(mask, ~opposite)
    assert mask.any() and (~mask).any() == (mask.size > 1)


@pytest.mark.parametrize("selection", BY_NUMPY.values(), ids=lambda each: each.title)
def test_shapes_by_numpy_can_be_broadcast(selection: Selection) -> None:
    np.broadcast_shapes(selection.mask, selection.first, selection.second)


@pytest.mark.parametrize("selection", BY_FIRST_DIM.values(), ids=lambda each: each.title)
def test_a_mask_along_the_first_dim_has_its_length(selection: Selection) -> None:
    assert selection.first == selection.second
    assert selection.mask in ([], selection.first, selection.first[:1])


def test_a_list_selects_the_rows_of_a_square() -> None:
    mask = along_first_dim(np.bool_([True, False]), 2)
    assert np.where(mask, [[1, 2], [3, 4]], 0).tolist() == [[1, 2], [0, 0]]
