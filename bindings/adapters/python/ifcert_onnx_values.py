"""Values and types of the onnx package in the protocol's words, for adapters whose runtime takes and returns them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from ifcert_adapter import CODE_BITS, ELEMENT_TYPES, AdapterError, Optional, Other, Sequence, Tensor, Value

if TYPE_CHECKING:
    from onnx import TensorShapeProto, TypeProto

# ONNX's names of element types, where ours are not the same in lower case.
OUR_NAMES = {"FLOAT": "float32", "DOUBLE": "float64"}

# The numpy types of the ml_dtypes package, which the package uses for types that numpy lacks.
ML_DTYPES = {
    "int2": "int2",
    "uint2": "uint2",
    "int4": "int4",
    "uint4": "uint4",
    "float4e2m1": "float4_e2m1fn",
    "float8e4m3fn": "float8_e4m3fn",
    "float8e4m3fnuz": "float8_e4m3fnuz",
    "float8e5m2": "float8_e5m2",
    "float8e5m2fnuz": "float8_e5m2fnuz",
    "float8e8m0": "float8_e8m0fnu",
    "bfloat16": "bfloat16",
}


def element_names(numbers: dict[str, int]) -> dict[int, str]:
    """The protocol's names of element types by number; `numbers` are those of onnx.TensorProto.DataType, by name."""
    names = {number: OUR_NAMES.get(name, name.lower()) for name, number in numbers.items()}
    return {number: name for number, name in names.items() if name in ELEMENT_TYPES}


def type_name(kind: TypeProto, elements: dict[int, str]) -> str | None:
    """In the protocol's words; None for types that it lacks."""
    match kind.WhichOneof("value"):
        case "tensor_type" if kind.tensor_type.elem_type in elements:
            return f"tensor({elements[kind.tensor_type.elem_type]})"
        case "sequence_type":
            item = type_name(kind.sequence_type.elem_type, elements)
            return f"seq({item})" if item and item.startswith("tensor(") else None
        case "optional_type":
            item = type_name(kind.optional_type.elem_type, elements)
            return f"optional({item})" if item and not item.startswith("optional(") else None
    return None


def declared_shape(kind: TypeProto) -> tuple[int | str | None, ...] | None:
    """None for an unknown shape and for anything but a tensor."""
    if not kind.HasField("tensor_type") or not kind.tensor_type.HasField("shape"):
        return None
    return tuple(declared_dim(dim) for dim in kind.tensor_type.shape.dim)


def declared_dim(dim: TensorShapeProto.Dimension) -> int | str | None:
    """A size, a name, or None where neither is given."""
    if dim.WhichOneof("value") == "dim_value" and dim.dim_value >= 0:
        return dim.dim_value
    return dim.dim_param or None


def read(result: object, declared: str | None) -> Value:
    """A result in numpy's words, as a value of the declared kind."""
    if declared is not None and declared.startswith("optional("):
        of = declared.removeprefix("optional(")[:-1]
        result = inside_optional(result, of)
        inner = None if result is None else read(result, of)
        return inner if isinstance(inner, Other) else Optional(of, inner)
    try:
        if is_array(result):
            return read_array(np.asarray(result))
        if isinstance(result, list) and all(is_array(item) for item in result):
            return read_list(result, declared)
    except AdapterError as error:
        return Other(str(error))
    return Other(f"{declared or 'no type of the protocol'}, returned as {type(result).__name__}: {result!r}"[:500])


def read_list(arrays: list, declared: str | None) -> Value:
    """A sequence. Where no sequence is declared, the items say its item type, and must agree."""
    items = tuple(read_array(np.asarray(array)) for array in arrays)
    if declared is not None and declared.startswith("seq("):
        return Sequence(declared.removeprefix("seq(")[:-1], items)
    types = sorted({f"tensor({item.type})" for item in items})
    if len(types) > 1:
        return Other(f"{declared or 'no type of the protocol'}, returned as a list of {' and '.join(types)}")
    return Sequence(types[0] if types else None, items)


def inside_optional(result: object, of: str) -> object:
    """The package's operator Optional makes a list of one, [x] or [None]; other operators pass x or None on."""
    if isinstance(result, list) and len(result) == 1 and (of.startswith("tensor(") or not is_array(result[0])):
        return result[0]
    return result


def is_array(item: object) -> bool:
    """Whether it is a tensor: an array or a numpy scalar."""
    return isinstance(item, np.ndarray | np.generic)


def read_array(array: np.ndarray) -> Tensor:
    """A copy; arrays of ml_dtypes store one element per byte, or two bytes for bfloat16."""
    name = next((ours for ours, theirs in ML_DTYPES.items() if theirs == array.dtype.name), None)
    if name is None:
        return Tensor.of(array)
    codes = array.copy().view(f"u{array.dtype.itemsize}")
    return Tensor.of(codes & ((1 << CODE_BITS[name]) - 1), name)


def feed(value: Value) -> np.ndarray | list | None:
    """As onnx's Python packages expect it: arrays, lists of them, and None for an optional without a value."""
    match value:
        case Tensor(type=name) if name in ML_DTYPES:
            import ml_dtypes

            return value.array().view(getattr(ml_dtypes, ML_DTYPES[name]))
        case Tensor():
            return value.array()
        case Sequence():
            return [feed(item) for item in value.items]
        case Optional():
            return None if value.value is None else feed(value.value)
    raise AdapterError(f"a {type(value).__name__} cannot be an input")
