"""Tensors of vector.json as arrays and bytes, and a runtime's results as the same bytes."""

from __future__ import annotations

import base64
import ctypes
import math
from typing import Any, NamedTuple

import numpy as np

NUMPY_NAMES = {"bool": "bool", "string": "object"} | {
    name: name
    for name in (
        *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float16", "float32", "float64", "complex64", "complex128"),
    )
}

# The types that numpy lacks: bits of an element, name in the package ml_dtypes, number in ONNX (TensorProto.DataType).
LACKING = {
    "bfloat16": (16, "bfloat16", 16),
    "float8e4m3fn": (8, "float8_e4m3fn", 17),
    "float8e4m3fnuz": (8, "float8_e4m3fnuz", 18),
    "float8e5m2": (8, "float8_e5m2", 19),
    "float8e5m2fnuz": (8, "float8_e5m2fnuz", 20),
    "uint4": (4, "uint4", 21),
    "int4": (4, "int4", 22),
    "float4e2m1": (4, "float4_e2m1fn", 23),
    "float8e8m0": (8, "float8_e8m0fnu", 24),
    "uint2": (2, "uint2", 25),
    "int2": (2, "int2", 26),
}


class Parts(NamedTuple):
    """A tensor's type, shape and elements as vector.json has them: the bytes, packed, or the strings."""

    type: str
    shape: list[int]
    elements: object


def codes_of(value: dict[str, Any]) -> np.ndarray:
    """The bits of each element of a type that numpy lacks, as an unsigned integer."""
    bits, count, data = LACKING[value["type"]][0], math.prod(value["shape"]), base64.b64decode(value["data"])
    if bits >= 8:
        return np.frombuffer(data, f"<u{bits // 8}", count).reshape(value["shape"]).copy()
    planes = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little", count=count * bits).reshape(count, bits)
    return (planes << np.arange(bits, dtype=np.uint8)).sum(axis=1, dtype=np.uint8).reshape(value["shape"])


def array_of(value: dict[str, Any]) -> np.ndarray:
    """A tensor of vector.json whose type numpy has; strings as str."""
    if value["type"] == "string":
        flat = np.empty(len(value["strings"]), object)
        flat[:] = [base64.b64decode(item).decode() for item in value["strings"]]
        return flat.reshape(value["shape"])
    data = base64.b64decode(value["data"])
    return np.frombuffer(data, np.dtype(NUMPY_NAMES[value["type"]])).reshape(value["shape"]).copy()


def parts_of(result: object) -> tuple[str, list[int], object] | None:
    """Element type, shape and elements (comparable to the bit) of a tensor in any form; None for anything else."""
    if isinstance(result, Parts):
        return result
    if hasattr(result, "data_ptr"):  # an OrtValue
        name = next((name for name, (*_, number) in LACKING.items() if number == result.element_type()), None)
        if name is None:
            return parts_of(result.numpy())
        return name, list(result.shape()), ctypes.string_at(result.data_ptr(), result.tensor_size_in_bytes())
    if not isinstance(result, np.ndarray | np.generic):
        return None
    array = np.asarray(result)
    if array.dtype.kind in "OUS":
        return "string", list(array.shape), [str(item) for item in array.ravel().tolist()]
    for name, (bits, theirs, _) in LACKING.items():
        if array.dtype.name == theirs:
            codes = np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}").ravel()
            return name, list(array.shape), (codes & ((1 << bits) - 1)).tobytes()
    return array.dtype.name, list(array.shape), array.tobytes()


def wanted_parts(value: dict[str, Any], packed: bool) -> tuple[str, list[int], object]:
    """The same for a tensor of vector.json; OrtValues and Parts store 4 bits packed, ml_dtypes one element per byte."""
    if value["type"] == "string":
        elements: object = [base64.b64decode(item).decode(errors="surrogateescape") for item in value["strings"]]
    elif value["type"] in LACKING and not packed:
        elements = codes_of(value).tobytes()
    else:
        elements = base64.b64decode(value["data"])
    return value["type"], value["shape"], elements
