"""Positions in the bytes of a FlatBuffer, for faults that no text can express."""

import struct
from collections.abc import Callable
from dataclasses import dataclass

Damage = Callable[[bytes], bytes]


@dataclass(frozen=True)
class Place:
    """A position in a file: of a table, a vector, or a field."""

    data: bytes
    at: int

    def field(self, slot: int) -> "Place":
        """The position of this table's field in that slot."""
        vtable = self.vtable()
        size = struct.unpack_from("<H", self.data, vtable.at)[0]
        offset = struct.unpack_from("<H", self.data, vtable.at + 4 + 2 * slot)[0] if 4 + 2 * slot < size else 0
        if not offset:
            raise ValueError(f"the table has no field {slot}")
        return Place(self.data, self.at + offset)

    def vtable(self) -> "Place":
        """The position of this table's vtable."""
        return Place(self.data, self.at - struct.unpack_from("<i", self.data, self.at)[0])

    def target(self) -> "Place":
        """The position that the offset stored here leads to."""
        return Place(self.data, self.at + struct.unpack_from("<I", self.data, self.at)[0])

    def table(self, slot: int) -> "Place":
        """The table, vector or string that this table's field leads to."""
        return self.field(slot).target()

    def item(self, index: int) -> "Place":
        """The table that an item of this vector leads to."""
        return Place(self.data, self.at + 4 + 4 * index).target()


def root(data: bytes) -> Place:
    """The file's root table."""
    return Place(data, 0).target()


def overwritten(place: Callable[[bytes], Place], data: bytes) -> Damage:
    """The damage that puts these bytes at the place."""

    def damage(whole: bytes) -> bytes:
        at = place(whole).at
        return whole[:at] + data + whole[at + len(data) :]

    return damage


def offset(number: int) -> bytes:
    """An offset as it is stored in the file."""
    return struct.pack("<I", number % 2**32)
