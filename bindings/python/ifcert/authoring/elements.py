"""The element types of tensors: their names, widths, and how their codes are packed into bytes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from onnx import TensorProto


@dataclass(frozen=True)
class ElementType:
    """One element type: the bits an element takes, its ONNX number, its name in ONNX text, its numpy type if any."""

    name: str
    bits: int
    onnx: int
    text: str
    numpy: str | None = None


_TABLE = (
    ElementType("bool", 8, TensorProto.BOOL, "bool", "?"),
    ElementType("int2", 2, TensorProto.INT2, "int2"),
    ElementType("int4", 4, TensorProto.INT4, "int4"),
    ElementType("int8", 8, TensorProto.INT8, "int8", "i1"),
    ElementType("int16", 16, TensorProto.INT16, "int16", "<i2"),
    ElementType("int32", 32, TensorProto.INT32, "int32", "<i4"),
    ElementType("int64", 64, TensorProto.INT64, "int64", "<i8"),
    ElementType("uint2", 2, TensorProto.UINT2, "uint2"),
    ElementType("uint4", 4, TensorProto.UINT4, "uint4"),
    ElementType("uint8", 8, TensorProto.UINT8, "uint8", "u1"),
    ElementType("uint16", 16, TensorProto.UINT16, "uint16", "<u2"),
    ElementType("uint32", 32, TensorProto.UINT32, "uint32", "<u4"),
    ElementType("uint64", 64, TensorProto.UINT64, "uint64", "<u8"),
    ElementType("float16", 16, TensorProto.FLOAT16, "float16", "<f2"),
    ElementType("bfloat16", 16, TensorProto.BFLOAT16, "bfloat16"),
    ElementType("float32", 32, TensorProto.FLOAT, "float", "<f4"),
    ElementType("float64", 64, TensorProto.DOUBLE, "double", "<f8"),
    ElementType("float8e4m3fn", 8, TensorProto.FLOAT8E4M3FN, "float8e4m3fn"),
    ElementType("float8e4m3fnuz", 8, TensorProto.FLOAT8E4M3FNUZ, "float8e4m3fnuz"),
    ElementType("float8e5m2", 8, TensorProto.FLOAT8E5M2, "float8e5m2"),
    ElementType("float8e5m2fnuz", 8, TensorProto.FLOAT8E5M2FNUZ, "float8e5m2fnuz"),
    ElementType("float8e8m0", 8, TensorProto.FLOAT8E8M0, "float8e8m0"),
    ElementType("float4e2m1", 4, TensorProto.FLOAT4E2M1, "float4e2m1"),
    ElementType("complex64", 64, TensorProto.COMPLEX64, "complex64", "<c8"),
    ElementType("complex128", 128, TensorProto.COMPLEX128, "complex128", "<c16"),
    ElementType("string", 0, TensorProto.STRING, "string"),
)

# The names of OpenVINO IR for the element types it has.
IR_NAMES = {
    "bool": "boolean",
    "int4": "i4",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint2": "u2",
    "uint4": "u4",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "float8e4m3fn": "f8e4m3",
    "float8e5m2": "f8e5m2",
    "float8e8m0": "f8e8m0",
    "float4e2m1": "f4e2m1",
    "string": "string",
}

ELEMENTS = {element.name: element for element in _TABLE}
_BY_ONNX = {element.onnx: element for element in _TABLE}
_BY_NUMPY = {np.dtype(element.numpy): element for element in _TABLE if element.numpy}


def element_of_number(number: int) -> ElementType | None:
    """The element type with this number in ONNX, or None for an unknown number."""
    return _BY_ONNX.get(number)


def element_of_dtype(dtype: np.dtype) -> ElementType:
    """The element type of a numpy array of this dtype."""
    native = dtype.newbyteorder("=")
    if native not in _BY_NUMPY:
        raise ValueError(f"numpy dtype {dtype} is not an element type; write the value with codes() or strings()")
    return _BY_NUMPY[native]


def pack(element: ElementType, codes: Sequence[int]) -> bytes:
    """The little-endian bytes of elements given as bit patterns; narrow ones share a byte, lowest bits first."""
    for code in codes:
        if not 0 <= code < 1 << element.bits:
            raise ValueError(f"{element.name} has {element.bits} bits; {code:#x} does not fit")
    if element.bits >= 8:
        return b"".join(code.to_bytes(element.bits // 8, "little") for code in codes)
    joined = sum(code << (index * element.bits) for index, code in enumerate(codes))
    return joined.to_bytes((len(codes) * element.bits + 7) // 8, "little")
