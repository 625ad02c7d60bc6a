"""Constants of a TensorFlow Lite model: the buffer's bytes for a literal of the text."""

import ast
import math
import re
from collections.abc import Sequence

import numpy as np

from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.values import Tensor, Writable, codes, strings, value

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[^\s,\[\]]+')


def constant(element: str, dims: Sequence[int], literal: str) -> bytes:
    """`[1, 2]`, `true`, `["a", "b"]`, `[0x7fc00001]` (the bits), `bytes 00 ff` (the buffer's content)."""
    if literal.startswith("bytes"):
        return bytes.fromhex(literal.removeprefix("bytes"))
    tokens = _TOKEN.findall(literal)
    if element == "string":
        return stored(strings(dims, [ast.literal_eval(f"b{token}") for token in tokens]))
    return codes(element, dims, [_code(element, token) for token in tokens]).data


def stored(tensor: Tensor) -> bytes:
    """The bytes in a buffer. For strings: their number, where each begins and the last ends, their bytes."""
    if tensor.element != "string":
        return tensor.data
    count = math.prod(tensor.shape)
    places = [4 * (count + 2)]
    for text in tensor.strings:
        places.append(places[-1] + len(text))
    return b"".join(number.to_bytes(4, "little") for number in [count, *places]) + b"".join(tensor.strings)


def literal(held: Writable) -> str:
    """A literal of a value: its bits, or its strings."""
    tensor = value(held)
    assert isinstance(tensor, Tensor)
    if tensor.element == "string":
        return "[" + ", ".join(_quoted(text) for text in tensor.strings) + "]"
    return f"bytes {tensor.data.hex(' ')}".strip()


def _quoted(text: bytes) -> str:
    return '"' + repr(text)[2:-1].replace('"', r"\"").replace(r"\'", "'") + '"'


def _code(element: str, token: str) -> int:
    """The bits of a number."""
    if token.startswith("0x"):
        return int(token, 16)
    bits, numpy = ELEMENTS[element].bits, ELEMENTS[element].numpy
    if token in ("true", "false"):
        return int(token == "true")
    if "float" in element or element.startswith("complex"):
        if numpy is None:
            raise ValueError(f"write {element} as the bits of its numbers")
        number = complex(token) if element.startswith("complex") else float(token)
        return int.from_bytes(np.array(number, numpy).tobytes(), "little")
    if not -(1 << bits - 1) <= int(token) < 1 << bits:
        raise ValueError(f"{token} is not of type {element}")
    return int(token) & ((1 << bits) - 1)
