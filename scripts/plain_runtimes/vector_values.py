"""Values of a vector in the form of conformance/reproduce/plain_apis/values.py."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

ARRAYS = {
    "bool",
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
}


def value_of(value: dict[str, Any]) -> object:
    """An array; (type, shape, elements) where numpy lacks the type; a list; ("optional", value or None)."""
    match value:
        case {"kind": "optional"}:
            return "optional", None if "absent" in value else value_of(value["value"])
        case {"kind": "sequence"}:
            return [value_of(item) for item in value["items"]]
        case {"type": "string"}:
            return "string", value["shape"], [base64.b64decode(text) for text in value["strings"]]
    data = base64.b64decode(value["data"])
    if value["type"] not in ARRAYS:
        return value["type"], value["shape"], data
    return np.frombuffer(data, value["type"]).reshape(value["shape"]).copy()


def input_of(value: dict[str, Any]) -> object:
    """The same, with an optional's value instead of the optional."""
    if value["kind"] != "optional":
        return value_of(value)
    return None if "absent" in value else input_of(value["value"])
