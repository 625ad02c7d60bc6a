"""A writer of TensorFlow Lite files that share their parts: whatever was written once may be named from many places."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from flatbuffers import Builder

FLOAT32, INT32, STRING, BOOL = 0, 2, 5, 6
ADD, CONCATENATION, RESHAPE, GATHER, TRANSPOSE, NEG, SLICE = 0, 2, 22, 36, 39, 59, 65
EXPAND_DIMS, PACK, FILL, ABS, IF, WHILE, CUSTOM = 70, 83, 94, 101, 118, 119, 32
AXES = {CONCATENATION: (10, 0), GATHER: (23, 0), PACK: (59, 1)}  # the options' type, and the slot of their axis
BRANCHES = {IF: 92, WHILE: 93}  # the options' type


class Writer:
    """Parts are referred to by their position, a number."""

    def __init__(self) -> None:
        """An empty model, with the buffer of tensors that have no content."""
        self.builder = Builder(1 << 16)
        self.buffers = [self._table({})]
        self.codes: list[int] = []
        self.subgraphs: list[int] = []
        self.custom: int | None = None

    def text(self, content: str | bytes) -> int:
        """A name."""
        return self.builder.CreateString(content)

    def numbers(self, numbers: Sequence[int]) -> int:
        """A vector of int32."""
        return self.builder.CreateNumpyVector(np.array(numbers, dtype=np.int32))

    def buffer(self, content: bytes) -> int:
        """A buffer of that content; its number."""
        self.builder.StartVector(1, len(content), 16)
        self.builder.head -= len(content)
        self.builder.Bytes[self.builder.head : self.builder.head + len(content)] = content
        self.buffers.append(self._table({0: ("Offset", self.builder.EndVector())}))
        return len(self.buffers) - 1

    def piece(self, offset: int, size: int) -> int:
        """A buffer whose content is in the file already."""
        self.buffers.append(self._table({1: ("Uint64", offset), 2: ("Uint64", size)}))
        return len(self.buffers) - 1

    def tensor(self, shape: int | None, element: int = FLOAT32, buffer: int = 0, name: int | None = None) -> int:
        """A tensor whose shape and name were written before; without a shape its rank is unknown."""
        fields = {1: ("Int8", element), 2: ("Uint32", buffer)}
        if shape is not None:
            fields |= {0: ("Offset", shape), 8: ("Bool", True)}
        if name is not None:
            fields[3] = ("Offset", name)
        return self._table(fields)

    def operator(self, code: int, operands: int, results: int, axis: int = 0, bodies: tuple[int, int] = (0, 0)) -> int:
        """An operator whose operands and results were written before."""
        if code not in self.codes:
            self.codes.append(code)
        fields = {0: ("Uint32", self.codes.index(code)), 1: ("Offset", operands), 2: ("Offset", results)}
        if code in AXES:
            kind, slot = AXES[code]
            fields |= {3: ("Int8", kind), 4: ("Offset", self._table({slot: ("Int32", axis)}))}
        if code in BRANCHES:
            options = self._table({0: ("Int32", bodies[0]), 1: ("Int32", bodies[1])})
            fields |= {3: ("Int8", BRANCHES[code]), 4: ("Offset", options)}
        return self._table(fields)

    def pack(self, operands: int, count: int, results: int) -> int:
        """A PACK, whose options specify the number of operands."""
        if PACK not in self.codes:
            self.codes.append(PACK)
        options = ("Offset", self._table({0: ("Int32", count)}))
        number = ("Uint32", self.codes.index(PACK))
        return self._table({0: number, 1: ("Offset", operands), 2: ("Offset", results), 3: ("Int8", 59), 4: options})

    def subgraph(
        self,
        tensors: Sequence[int],
        inputs: Sequence[int],
        outputs: Sequence[int],
        operators: Sequence[int],
        name: int | None = None,
    ) -> None:
        """One more subgraph; the first is the primary."""
        parts = (self._parts(tensors), self.numbers(inputs), self.numbers(outputs), self._parts(operators))
        fields = {slot: ("Offset", part) for slot, part in enumerate(parts)}
        if name is not None:
            fields[4] = ("Offset", name)
        self.subgraphs.append(self._table(fields))

    def save(self, path: Path) -> Path:
        """Writes the file."""
        codes = []
        for code in self.codes:
            fields = {0: ("Int8", min(code, 127)), 3: ("Int32", code)}
            if code == CUSTOM and self.custom is not None:
                fields[1] = ("Offset", self.custom)
            codes.append(self._table(fields))
        model = {1: ("Offset", self._parts(codes)), 2: ("Offset", self._parts(self.subgraphs))}
        model |= {0: ("Uint32", 3), 4: ("Offset", self._parts(self.buffers))}
        self.builder.Finish(self._table(model), file_identifier=b"TFL3")
        path.write_bytes(self.builder.Output())
        return path

    def _table(self, fields: dict[int, tuple[str, int]]) -> int:
        self.builder.StartObject(max(fields, default=-1) + 1)
        for slot, (kind, value) in fields.items():
            getattr(self.builder, "PrependUOffsetTRelative" if kind == "Offset" else f"Prepend{kind}")(value)
            self.builder.Slot(slot)
        return self.builder.EndObject()

    def _parts(self, parts: Sequence[int]) -> int:
        """A vector of offsets; written at once, for there may be a million."""
        count = len(parts)
        self.builder.StartVector(4, count, 4)
        places = self.builder.Offset() + 4 * (count - np.arange(count))
        content = (places - np.array(parts, dtype=np.int64)).astype("<u4").tobytes()
        self.builder.head -= len(content)
        self.builder.Bytes[self.builder.head : self.builder.head + len(content)] = content
        return self.builder.EndVector()
