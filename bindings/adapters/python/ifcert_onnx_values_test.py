"""Tests of how results in the words of onnx's Python packages become values of the protocol."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import ifcert_adapter as sdk  # (the adapters' environments find it by PYTHONPATH)
from ifcert_onnx_values import read

SOME, MORE = np.arange(3, dtype=np.int32), np.arange(2, dtype=np.int32)
ITEMS = (sdk.Tensor.of(SOME), sdk.Tensor.of(MORE))


@pytest.mark.parametrize("declared", ["seq(tensor(int32))", "tensor(int32)", None])
def test_a_list_is_a_sequence_whatever_is_declared(declared: str | None) -> None:
    assert read([SOME, MORE], declared) == sdk.Sequence("tensor(int32)", ITEMS)


def test_a_sequence_without_items_has_the_declared_item_type() -> None:
    assert read([], "seq(tensor(int32))") == sdk.Sequence("tensor(int32)", ())
    assert read([], None) == sdk.Sequence(None, ())


def test_a_list_of_several_types_is_no_value_of_the_protocol() -> None:
    assert isinstance(read([SOME, SOME.astype(np.float32)], None), sdk.Other)


def test_the_list_that_an_optional_is_returned_as_is_its_element() -> None:
    assert read([SOME], "optional(tensor(int32))") == sdk.Optional("tensor(int32)", ITEMS[0])
