"""Values passed into a model and returned by it, in the form of the adapter protocol."""

import math
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from onnx import TensorProto

from ifcert.authoring.elements import ELEMENTS, element_of_dtype, pack


@dataclass(frozen=True)
class Tensor:
    """A dense tensor: its bytes as the protocol sends them, or its strings."""

    element: str
    shape: tuple[int, ...]
    data: bytes = b""
    strings: tuple[bytes, ...] = ()

    @property
    def type(self) -> str:
        """The type's name, such as tensor(float32)."""
        return f"tensor({self.element})"

    def json(self) -> dict[str, Any]:
        """The protocol's form."""
        head: dict[str, Any] = {"kind": "tensor", "type": self.element, "shape": list(self.shape)}
        if self.element == "string":
            return head | {"strings": [b64encode(text).decode() for text in self.strings]}
        return head | {"data": b64encode(self.data).decode()}

    def proto(self, name: str = "") -> TensorProto:
        """The tensor as ONNX stores it, in raw_data (strings in string_data)."""
        proto = TensorProto(data_type=ELEMENTS[self.element].onnx, dims=self.shape)
        if name:
            proto.name = name
        if self.element == "string":
            proto.string_data.extend(self.strings)
        else:
            proto.raw_data = self.data
        return proto


@dataclass(frozen=True)
class TensorSequence:
    """A sequence of tensors; `of` is the type of its items."""

    of: str
    items: tuple[Tensor, ...]

    @property
    def type(self) -> str:
        """The type's name, such as seq(tensor(float32))."""
        return f"seq({self.of})"

    def json(self) -> dict[str, Any]:
        """The protocol's form."""
        return {"kind": "sequence", "of": self.of, "items": [item.json() for item in self.items]}


@dataclass(frozen=True)
class OptionalValue:
    """An optional of type `of`, holding a value or nothing."""

    of: str
    value: Tensor | TensorSequence | None

    @property
    def type(self) -> str:
        """The type's name, such as optional(tensor(float32))."""
        return f"optional({self.of})"

    def json(self) -> dict[str, Any]:
        """The protocol's form."""
        head: dict[str, Any] = {"kind": "optional", "of": self.of}
        return head | ({"absent": True} if self.value is None else {"value": self.value.json()})


Value = Tensor | TensorSequence | OptionalValue
Writable = Value | np.ndarray | np.generic


def value(written: Writable) -> Value:
    """A value as an author writes it: one of ours already, or a numpy array or scalar."""
    if isinstance(written, Tensor | TensorSequence | OptionalValue):
        return written
    if not isinstance(written, np.ndarray | np.generic):
        raise TypeError(
            f"a value is a numpy array or scalar, codes(), strings(), sequence() or some(); got {written!r}"
        )
    array = np.asarray(written)
    element = element_of_dtype(array.dtype)
    return Tensor(element.name, array.shape, array.astype(element.numpy).tobytes())


def floats(*items: ArrayLike) -> np.ndarray:
    """A float32 tensor of these numbers, or of these rows."""
    return np.array(items, np.float32)


def ints(*items: ArrayLike) -> np.ndarray:
    """An int32 tensor of these numbers, or of these rows."""
    return np.array(items, np.int32)


def codes(element: str, shape: Sequence[int], patterns: Sequence[int]) -> Tensor:
    """A tensor given by the bit patterns of its elements, for types and values that numpy cannot write."""
    if len(patterns) != math.prod(shape):
        raise ValueError(f"shape {list(shape)} has {math.prod(shape)} elements; {len(patterns)} were given")
    return Tensor(element, tuple(shape), pack(ELEMENTS[element], patterns))


def strings(shape: Sequence[int], texts: Sequence[bytes]) -> Tensor:
    """A tensor of strings, given as bytes."""
    if len(texts) != math.prod(shape):
        raise ValueError(f"shape {list(shape)} has {math.prod(shape)} elements; {len(texts)} were given")
    return Tensor("string", tuple(shape), strings=tuple(texts))


def sequence(of: str, items: Iterable[Writable] = ()) -> TensorSequence:
    """A sequence whose items have type `of`, such as tensor(float32)."""
    tensors = tuple(value(item) for item in items)
    for tensor in tensors:
        if not isinstance(tensor, Tensor) or tensor.type != of:
            raise ValueError(f"a sequence of {of} cannot hold {tensor.type}")
    return TensorSequence(of, tensors)  # type: ignore[arg-type]


def some(held: Writable) -> OptionalValue:
    """An optional that holds a value."""
    inner = value(held)
    if isinstance(inner, OptionalValue):
        raise ValueError("an optional holds a tensor or a sequence, not an optional")
    return OptionalValue(inner.type, inner)


def absent(of: str) -> OptionalValue:
    """An optional of type `of` that holds nothing."""
    return OptionalValue(of, None)
