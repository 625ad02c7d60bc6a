"""FlatBuffers written table by table, each field by the number of its slot.

Nothing here knows a schema, and no code was generated from one: every given field is written, defaults too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flatbuffers import Builder


@dataclass(frozen=True)
class Scalar:
    """A number in a table: `type` is one of Bool, Int8, Uint8, Int32, Uint32, Int64, Uint64, Float32."""

    type: str
    value: int | float


@dataclass(frozen=True)
class Numbers:
    """A vector of numbers."""

    type: str
    values: Sequence[int | float]


@dataclass(frozen=True)
class Bytes:
    """A vector of bytes whose first byte is at a multiple of `alignment`."""

    data: bytes
    alignment: int = 1


@dataclass(frozen=True)
class Table:
    """A table: its fields by slot."""

    fields: Mapping[int, "Field"]


Field = Scalar | Numbers | Bytes | str | Table | Sequence[Table]

_WIDTHS = {"Bool": 1, "Int8": 1, "Uint8": 1, "Int32": 4, "Uint32": 4, "Int64": 8, "Uint64": 8, "Float32": 4}


def encoded(root: Table, identifier: bytes) -> bytes:
    """The file whose root is this table."""
    builder = Builder(1024)
    builder.Finish(_table(builder, root), file_identifier=identifier)
    return bytes(builder.Output())


def _table(builder: Builder, table: Table) -> int:
    """Writes what the table points to, then the table; returns the table's position."""
    ahead = {slot: _ahead(builder, field) for slot, field in table.fields.items() if not isinstance(field, Scalar)}
    builder.StartObject(max(table.fields, default=-1) + 1)
    for slot, field in table.fields.items():
        if isinstance(field, Scalar):
            getattr(builder, f"Prepend{field.type}")(field.value)
        else:
            builder.PrependUOffsetTRelative(ahead[slot])
        builder.Slot(slot)
    return builder.EndObject()


def _ahead(builder: Builder, field: Field) -> int:
    if isinstance(field, str):
        return builder.CreateString(field)
    if isinstance(field, Table):
        return _table(builder, field)
    if isinstance(field, Bytes):
        return _bytes(builder, field)
    if isinstance(field, Numbers):
        prepend = getattr(builder, f"Prepend{field.type}")
        return _vector(builder, _WIDTHS[field.type], field.values, prepend)
    assert not isinstance(field, Scalar)
    places = [_table(builder, each) for each in field]
    return _vector(builder, 4, places, builder.PrependUOffsetTRelative)


def _vector(builder: Builder, width: int, items: Sequence[Any], prepend: Callable[[Any], None]) -> int:
    builder.StartVector(width, len(items), width)
    for item in reversed(items):
        prepend(item)
    return builder.EndVector()


def _bytes(builder: Builder, held: Bytes) -> int:
    builder.StartVector(1, len(held.data), held.alignment)
    builder.head -= len(held.data)
    builder.Bytes[builder.head : builder.head + len(held.data)] = held.data
    return builder.EndVector()
