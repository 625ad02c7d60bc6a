"""Positions are where a reader of FlatBuffers finds them."""

import struct

import pytest

from ifcert.authoring.flatbuffer import Numbers, Scalar, Table, encoded
from ifcert.authoring.tflite_places import Place, offset, overwritten, root

FILE = encoded(Table({0: Scalar("Uint32", 7), 2: "name", 3: [Table({0: Numbers("Int32", [5, 6])})]}), b"TEST")


def number(place: Place) -> int:
    return struct.unpack_from("<I", place.data, place.at)[0]


def test_a_field_lies_where_the_vtable_says() -> None:
    assert number(root(FILE).field(0)) == 7


def test_a_field_that_is_not_there_has_no_place() -> None:
    with pytest.raises(ValueError, match="no field 1"):
        root(FILE).field(1)
    with pytest.raises(ValueError, match="no field 9"):
        root(FILE).field(9)


def test_offsets_lead_to_strings_vectors_and_tables() -> None:
    name = root(FILE).table(2)
    assert FILE[name.at : name.at + 8] == b"\4\0\0\0name"
    numbers = root(FILE).table(3).item(0).table(0)
    assert struct.unpack_from("<III", FILE, numbers.at) == (2, 5, 6)


def test_damage_overwrites_a_place_and_nothing_else() -> None:
    damaged = overwritten(lambda data: root(data).field(0), offset(-2))(FILE)
    assert number(root(damaged).field(0)) == 2**32 - 2
    assert sum(a != b for a, b in zip(FILE, damaged, strict=True)) == 4
