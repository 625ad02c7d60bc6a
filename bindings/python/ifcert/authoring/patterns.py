"""Tensors whose bits are easily lost on the way: five elements of every element type."""

from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.values import Tensor, codes, strings

LENGTH = 5  # odd, so that the last byte of 4-bit and 2-bit elements is not full

# A quiet NaN (with a payload where there is room for one), -0.0, the greatest finite number, the least above zero.
# The types named …uz have their lowest number in place of -0.0, whose pattern is their NaN; float4e2m1 also has it in
# place of NaN; float8e8m0, without sign and zero, has a NaN, one, the greatest and the least.
_FLOATS = {
    "float16": [0x7E01, 0x8000, 0x7BFF, 0x0001],
    "bfloat16": [0x7FC1, 0x8000, 0x7F7F, 0x0001],
    "float32": [0x7FC00001, 0x80000000, 0x7F7FFFFF, 0x00000001],
    "float64": [0x7FF8000000000001, 0x8000000000000000, 0x7FEFFFFFFFFFFFFF, 0x0000000000000001],
    "float8e4m3fn": [0xFF, 0x80, 0x7E, 0x01],
    "float8e4m3fnuz": [0x80, 0xFF, 0x7F, 0x01],
    "float8e5m2": [0x7E, 0x80, 0x7B, 0x01],
    "float8e5m2fnuz": [0x80, 0xFF, 0x7F, 0x01],
    "float8e8m0": [0xFF, 0x7F, 0xFE, 0x00],
    "float4e2m1": [0xF, 0x8, 0x7, 0x1],
}
_HALVES = {"complex64": "float32", "complex128": "float64"}
_TEXTS = [b"", b"caf\xc3\xa9", b"a\0b", b"\xe6\x9d\xa1"]


def pattern(element: str, number: int) -> Tensor:
    """Five elements: the type's four extreme values, rotated, and one that identifies the round. 0 to 7 all differ."""
    turn, last = number % 4, number // 4
    if element == "string":
        return strings([LENGTH], [*_TEXTS[turn:], *_TEXTS[:turn], b"%d" % last])
    edges = _edges(element)
    return codes(element, [LENGTH], [*edges[turn:], *edges[:turn], last])


_ONE = {"float16": 0x3C00, "bfloat16": 0x3F80, "float32": 0x3F800000, "float64": 0x3FF0000000000000}
_ONE |= {"float8e4m3fn": 0x38, "float8e5m2": 0x3C, "float8e8m0": 0x7F, "float4e2m1": 0x2}


def ones(element: str, length: int) -> Tensor:
    """Repeats the number one, true, or a string this many times."""
    if element == "string":
        return strings([length], [b"one"] * length)
    return codes(element, [length], [_ONE.get(element, 1)] * length)


def _edges(element: str) -> list[int]:
    """For integers the least, all bits set, the greatest and one; for complex numbers those of floats in both parts."""
    if element == "bool":
        return [1, 0, 0, 0]
    if element in _FLOATS:
        return _FLOATS[element]
    bits = ELEMENTS[element].bits
    if element in _HALVES:
        parts = _FLOATS[_HALVES[element]]
        return [real | imaginary << bits // 2 for real, imaginary in zip(parts, [*parts[1:], parts[0]], strict=True)]
    top = 1 << (bits - 1)
    return [top, 2 * top - 1, top - 1, 1]
