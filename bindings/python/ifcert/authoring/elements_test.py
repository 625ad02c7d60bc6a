"""Tests of element types and their packing."""

import numpy as np
import pytest
from onnx import TensorProto

from ifcert.authoring.elements import ELEMENTS, element_of_dtype, element_of_number, pack


def test_four_bit_elements_share_a_byte_lowest_bits_first() -> None:
    assert pack(ELEMENTS["int4"], [0x1, 0xE, 0x7]) == bytes([0xE1, 0x07])


def test_two_bit_elements_share_a_byte_four_at_a_time() -> None:
    assert pack(ELEMENTS["uint2"], [0, 1, 2, 3, 2]) == bytes([0b11100100, 0b10])


def test_wide_elements_are_little_endian() -> None:
    assert pack(ELEMENTS["bfloat16"], [0x3F80, 0x7FC1]) == bytes.fromhex("803f c17f")


def test_no_elements_take_no_bytes() -> None:
    assert pack(ELEMENTS["int4"], []) == b""


def test_a_pattern_wider_than_its_element_is_refused() -> None:
    with pytest.raises(ValueError, match="int4 has 4 bits; 0x10 does not fit"):
        pack(ELEMENTS["int4"], [0x10])


def test_packing_agrees_with_the_onnx_package() -> None:
    from onnx import helper, numpy_helper

    for element, values in {"int4": [-8, 7, -1], "uint4": [15, 0, 9], "int2": [-2, 1, -1, 0, 1]}.items():
        made = helper.make_tensor("t", ELEMENTS[element].onnx, [len(values)], values)
        mask = (1 << ELEMENTS[element].bits) - 1
        ours = TensorProto(data_type=ELEMENTS[element].onnx, dims=[len(values)])
        ours.raw_data = pack(ELEMENTS[element], [value & mask for value in values])
        assert numpy_helper.to_array(ours).astype(int).tolist() == numpy_helper.to_array(made).astype(int).tolist()


def test_every_element_is_found_by_its_onnx_number() -> None:
    assert {element_of_number(element.onnx) for element in ELEMENTS.values()} == set(ELEMENTS.values())


def test_a_number_that_is_no_element_type_has_none() -> None:
    assert element_of_number(TensorProto.UNDEFINED) is None


def test_a_dtype_that_is_no_element_type_is_refused() -> None:
    with pytest.raises(ValueError, match="datetime64"):
        element_of_dtype(np.dtype("datetime64[s]"))
