"""The values of generated vectors as ifcert accepts and returns them, for tests."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

ROOT = Path(__file__).resolve().parents[1]

spec = importlib.util.spec_from_file_location("ifcert_adapter", ROOT / "bindings/adapters/python/ifcert_adapter.py")
adapter = importlib.util.module_from_spec(spec)
sys.modules["ifcert_adapter"] = adapter
spec.loader.exec_module(adapter)

CODES = {
    "int2": ml_dtypes.int2,
    "uint2": ml_dtypes.uint2,
    "int4": ml_dtypes.int4,
    "uint4": ml_dtypes.uint4,
    "float4e2m1": ml_dtypes.float4_e2m1fn,
    "float8e4m3fn": ml_dtypes.float8_e4m3fn,
    "float8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "float8e5m2": ml_dtypes.float8_e5m2,
    "float8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "float8e8m0": ml_dtypes.float8_e8m0fnu,
    "bfloat16": ml_dtypes.bfloat16,
}


def array_of(tensor: adapter.Tensor) -> np.ndarray:
    """The array that ifcert accepts."""
    if tensor.type == "string":
        flat = np.empty(len(tensor.strings), object)
        flat[:] = tensor.strings
        return flat.reshape(tensor.shape)
    codes = tensor.array()
    if tensor.type not in CODES:
        return codes
    if tensor.type in ("int2", "int4"):
        half = 1 << (adapter.CODE_BITS[tensor.type] - 1)
        return ((codes.astype(np.int8) ^ half) - half).astype(CODES[tensor.type])
    if tensor.type in ("uint2", "uint4"):
        return codes.astype(CODES[tensor.type])
    return codes.view(CODES[tensor.type])


def object_of(value: adapter.Value) -> object:
    """The vector's value as ifcert accepts it."""
    match value:
        case adapter.Tensor():
            return array_of(value)
        case adapter.Sequence():
            return [object_of(item) for item in value.items]
        case adapter.Optional():
            return None if value.value is None else object_of(value.value)
    raise TypeError(value)


def comparable(value: np.ndarray | list | None) -> object:
    """Bits, types and shapes, so that == compares them all."""
    if isinstance(value, list):
        return [comparable(item) for item in value]
    if value is None:
        return None
    if value.dtype == object:
        return (
            value.shape,
            [item.encode(errors="surrogateescape") if isinstance(item, str) else item for item in value.ravel()],
        )
    return (value.dtype.name, value.shape, value.tobytes())


def given_value(written: dict[str, Any]) -> object:
    """A value in the protocol's form, as ifcert accepts it."""
    return object_of(adapter.decode(written))


def inputs_of(run: dict[str, Any]) -> dict[str, Any]:
    """The inputs of a run, by name."""
    return {item["name"]: given_value(item["value"]) for item in run["inputs"]}
