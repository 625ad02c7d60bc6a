"""Tests of values and their JSON form."""

from base64 import b64decode

import numpy as np
import pytest

from ifcert.authoring.values import absent, codes, floats, ints, sequence, some, strings, value


def test_a_numpy_scalar_is_a_tensor_of_rank_0() -> None:
    assert value(np.True_).json() == {"kind": "tensor", "type": "bool", "shape": [], "data": "AQ=="}


def test_numpy_arrays_are_written_row_by_row_in_little_endian() -> None:
    written = value(np.array([[1, 2], [3, 4]], dtype=">i2").T).json()
    assert b64decode(written["data"]) == bytes([1, 0, 3, 0, 2, 0, 4, 0])
    assert written["type"] == "int16"


def test_a_complex_number_is_its_real_part_then_its_imaginary() -> None:
    assert b64decode(value(np.complex64(1 - 2j)).json()["data"]) == np.float32([1, -2]).tobytes()


def test_codes_keep_the_payload_of_a_nan() -> None:
    assert b64decode(codes("float32", [1], [0x7FA5A5A5]).json()["data"]) == bytes.fromhex("a5a5a57f")


def test_strings_may_hold_any_bytes() -> None:
    written = strings([2], [b"a\0b", b"\xff"]).json()
    assert [b64decode(text) for text in written["strings"]] == [b"a\0b", b"\xff"]


def test_an_odd_number_of_four_bit_elements_ends_in_zero_bits() -> None:
    assert b64decode(codes("uint4", [3], [15, 15, 15]).json()["data"]) == bytes([0xFF, 0x0F])


def test_a_sequence_names_its_items_type_even_when_empty() -> None:
    assert sequence("tensor(int64)").json() == {"kind": "sequence", "of": "tensor(int64)", "items": []}


def test_an_item_of_another_type_is_refused() -> None:
    with pytest.raises(ValueError, match=r"a sequence of tensor\(int64\) cannot hold tensor\(float32\)"):
        sequence("tensor(int64)", [np.float32(1)])


def test_an_optional_holds_a_value_or_nothing() -> None:
    assert some(np.int8(1)).json()["value"]["type"] == "int8"
    assert absent("seq(tensor(bool))").json() == {"kind": "optional", "of": "seq(tensor(bool))", "absent": True}


def test_an_optional_of_an_optional_is_refused() -> None:
    with pytest.raises(ValueError, match="not an optional"):
        some(some(np.int8(1)))


def test_a_plain_number_is_refused_because_its_type_is_not_said() -> None:
    with pytest.raises(TypeError, match=r"got 1\.5"):
        value(1.5)  # type: ignore[arg-type]


def test_a_shape_that_does_not_fit_the_elements_is_refused() -> None:
    with pytest.raises(ValueError, match="6 elements; 2 were given"):
        codes("int8", [2, 3], [1, 2])


def test_floats_and_ints_are_tensors_of_numbers_or_of_rows() -> None:
    assert value(floats(2, -4)) == value(np.float32([2, -4]))
    assert value(ints([1, 2], [3, 4])) == value(np.int32([[1, 2], [3, 4]]))
    assert value(ints(5)) == value(np.int32([5]))
    assert value(floats()) == value(np.float32([]))
