"""values.js against numpy and ml_dtypes: every element type of the protocol, read from its bytes."""

import base64
import json
import re
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

Drive = Callable[..., Any]

BITS_OF = {
    "float8e4m3fn": ml_dtypes.float8_e4m3fn,
    "float8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "float8e5m2": ml_dtypes.float8_e5m2,
    "float8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "float8e8m0": ml_dtypes.float8_e8m0fnu,
    "bfloat16": ml_dtypes.bfloat16,
    "float16": np.float16,
    "float32": np.float32,
    "float64": np.float64,
}
SAMPLES = np.random.default_rng(3).integers(0, 256, 800, dtype=np.uint8).tobytes()


def decode(drive: Drive, tensors: dict[str, dict[str, Any]]) -> dict[str, list[dict[str, str]]]:
    answer = drive(f"""
        const tensors = Object.entries({json.dumps(tensors)});
        return Object.fromEntries(tensors.map(([name, tensor]) => [name, tensorElements(tensor)]));
    """)
    assert all(each["note"] == "" for each in answer.values())
    return {name: each["elements"] for name, each in answer.items()}


def tensor(element_type: str, count: int, data: bytes) -> dict[str, Any]:
    return {"kind": "tensor", "type": element_type, "shape": [count], "data": base64.b64encode(data).decode()}


def packed(values: list[int], width: int) -> bytes:
    """Lowest bits first, the last byte filled with zero bits."""
    whole = sum((value & ((1 << width) - 1)) << (i * width) for i, value in enumerate(values))
    return whole.to_bytes((len(values) * width + 7) // 8, "little")


def test_every_float_is_read_as_numpy_reads_it(drive: Drive) -> None:
    arrays = {}
    for name, dtype in BITS_OF.items():
        size = np.dtype(dtype).itemsize
        data = {1: bytes(range(256)), 2: np.arange(0, 65536, 13, dtype="<u2").tobytes()}.get(size, SAMPLES)
        arrays[name] = np.frombuffer(data, dtype=dtype)
    texts = decode(drive, {name: tensor(name, array.size, array.tobytes()) for name, array in arrays.items()})
    for name, array in arrays.items():
        with np.errstate(invalid="ignore"):  # signalling NaNs are values here
            values = array.astype(np.float64)
        for element, value in zip(texts[name], values, strict=True):
            read = np.float64(element["text"].replace("Infinity", "inf"))
            if not np.isnan(read):
                read = read.astype(array.dtype).astype(np.float64)
            same = np.array_equal(read, value, equal_nan=True) and np.signbit(read) == np.signbit(value)
            assert same or np.isnan(value), (name, element)
            assert ("NaN" in element["text"]) == bool(np.isnan(value)), (name, element)


def test_packed_and_whole_integers_are_read_back(drive: Drive) -> None:
    wide = {
        f"{sign}int{width}": [low, high, 0, 1, high // 3]
        for width in (2, 4, 8, 16, 32, 64)
        for sign, low, high in (("", -(1 << (width - 1)), (1 << (width - 1)) - 1), ("u", 0, (1 << width) - 1))
    }
    tensors = {name: tensor(name, 5, packed(values, int(re.sub(r"\D", "", name)))) for name, values in wide.items()}
    texts = decode(drive, tensors)
    assert {name: [int(each["text"]) for each in elements] for name, elements in texts.items()} == wide


def test_the_other_types_are_read_too(drive: Drive) -> None:
    texts = decode(drive, {
        "four": tensor("float4e2m1", 16, packed(list(range(16)), 4)),
        "bool": tensor("bool", 2, b"\x00\x01"),
        "complex": tensor("complex64", 1, np.complex64(1.5 - 2j).tobytes()),
        "wide": tensor("complex128", 1, np.complex128(0.1 + 0j).tobytes()),
    })  # fmt: skip
    expected = np.arange(16, dtype=np.uint8).view(ml_dtypes.float4_e2m1fn).astype(np.float64)
    assert [float(each["text"]) for each in texts["four"]] == list(expected)
    assert [each["text"] for each in texts["bool"]] == ["false", "true"]
    assert [each["text"] for each in texts["complex"] + texts["wide"]] == ["(1.5, -2i)", "(0.1, 0i)"]


def test_data_that_does_not_match_the_shape_is_reported(drive: Drive) -> None:
    note = drive(f"return tensorElements({json.dumps(tensor('float32', 3, bytes(8)))}).note;")
    assert note == "8 bytes of data; the shape requires 12"
