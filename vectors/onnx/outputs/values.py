"""Bits pass through an If unchanged."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import (
    Vector,
    absent,
    branches,
    codes,
    floats,
    model,
    says,
    sequence,
    some,
    strings,
    vectors_of,
)
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.models import add_initializer, else_of, then_of
from ifcert.authoring.values import Writable

FORTY_BITS = model("""
    wide (bool cond, int64 x) => (int64 y) {
        y = If (cond) <
            then_branch = then_graph () => (int64 a) { k = Constant <value_int = 4294967298> ()  a = Add (x, k) },
            else_branch = else_graph () => (int64 b) { m = Constant <value_int = -4294967299> ()  b = Sub (x, m) }>
    }""")
LONG_ROWS = model("""
    rows (bool cond, float[0,4294967298] x, float z) => (float[0,4294967298] y, float w) {
        y, w = If (cond) <
            then_branch = then_graph () => (float[0,4294967298] a, float c) { a = Identity (x)  c = Identity (z) },
            else_branch = else_graph () => (float[0,4294967298] b, float d) { b = Neg (x)  d = Neg (z) }>
    }""")
LIVE_OUT = says("if-outputs-live-out", note="the values themselves, not converted ones")

value_unchanged = vectors_of("onnx/if/value-unchanged", LIVE_OUT, "operators-identity-copy")

# Two quiet NaNs with a payload (no text of If says how a signalling one is copied), a negative one; -0.0; the
# least subnormal of each sign, the greatest; infinities; 0.0.
FLOAT_PATTERNS = {
    "float16": [0x7E01, 0x7F55, 0xFE00, 0x8000, 0x0001, 0x8001, 0x03FF, 0x7C00, 0xFC00, 0x0000],
    "bfloat16": [0x7FC1, 0x7FE5, 0xFFC0, 0x8000, 0x0001, 0x8001, 0x007F, 0x7F80, 0xFF80, 0x0000],
    "float32": [0x7FC00001, 0x7FE5A5A5, 0xFFC00000, 1 << 31, 1, (1 << 31) + 1, 0x007FFFFF, 0x7F800000, 0xFF800000, 0],
    "float64": [
        0x7FF8000000000001,
        0x7FFDA5A5A5A5A5A5,
        0xFFF8000000000000,
        1 << 63,
        1,
        (1 << 63) + 1,
        0x000FFFFFFFFFFFFF,
        0x7FF0000000000000,
        0xFFF0000000000000,
        0,
    ],
}
COMPLEX = {"complex64": ("float32", 32), "complex128": ("float64", 64)}
OPSET_OF_BYTE_FLOAT = {
    "float8e4m3fn": 19,
    "float8e4m3fnuz": 19,
    "float8e5m2": 19,
    "float8e5m2fnuz": 19,
    "float8e8m0": 24,
}
OPSET_OF_NARROW = {"int4": 21, "uint4": 21, "float4e2m1": 23, "int2": 25, "uint2": 25}


def passed(case: str, opset: int, type_: str, held: Writable) -> Vector:
    """A vector whose two branches return a captured value of this type; `way` shows which of them ran."""
    handed = model(
        f"""
        passed (bool cond, {type_} x) => ({type_} y, float way) {{
            y, way = If (cond) <
                then_branch = then_graph () => (a, one) {{
                    a = Identity (x)
                    one = Constant <value = float {{1}}> ()
                }},
                else_branch = else_graph () => (b, two) {{
                    c = Identity (x)
                    b = Identity (c)
                    two = Constant <value = float {{2}}> ()
                }}>
        }}""",
        opset,
    )
    one, two = np.float32(1), np.float32(2)
    return value_unchanged(
        case, handed, branches({"x": held}, then={"y": held, "way": one}, else_={"y": held, "way": two})
    )


def stored(element: str, opset: int, named: str, numbers: Sequence[int]) -> Vector:
    """A vector whose branches return what the file stores: these codes, and the first half of them."""
    text, count, half = ELEMENTS[element].text, len(numbers), len(numbers) // 2
    chosen = model(
        f"""
        chosen (bool cond) => ({text}[?] y) {{
            y = If (cond) <
                then_branch = then_graph () => (a) {{ a = Identity (every) }},
                else_branch = else_graph () => (b) {{ b = Identity (half) }}>
        }}""",
        opset,
    )
    every, first = codes(element, [count], numbers), codes(element, [half], numbers[:half])
    add_initializer(then_of(chosen), "every", every)
    add_initializer(else_of(chosen), "half", first)
    return value_unchanged(
        f"{element}-{named}-stored: "
        f"{element}: {count} bit patterns in an initializer of then, half of them in one of else",
        chosen,
        branches({}, then={"y": every}, else_={"y": first}),
    )


def _beyond_32_bits() -> Iterator[Vector]:
    yield value_unchanged(
        "attribute-beyond-32-bits: each branch has a Constant whose value_int takes more than 32 bits",
        FORTY_BITS,
        branches({"x": np.int64(1)}, then={"y": np.int64(4294967299)}, else_={"y": np.int64(4294967300)}),
        why=["ir-attribute-integer"],
    )
    none, one = np.zeros((0, 4294967298), np.float32), np.float32(1)
    yield value_unchanged(
        "declared-dim-beyond-32-bits: "
        "x, without elements, has a dim that takes more than 32 bits, and every value is declared with it",
        LONG_ROWS,
        branches({"x": none, "z": one}, then={"y": none, "w": one}, else_={"y": none, "w": -one}),
        why=[LIVE_OUT, "proto-dim-value"],
    )


def _floats() -> Iterator[Vector]:
    for element, patterns in FLOAT_PATTERNS.items():
        yield passed(
            f"{element}-edges: {element}: NaNs with payload, -0.0, subnormals, infinities",
            16,
            f"{ELEMENTS[element].text}[{len(patterns)}]",
            codes(element, [len(patterns)], patterns),
        )
    for element, (part, bits) in COMPLEX.items():
        parts = FLOAT_PATTERNS[part]
        joined = [real | imaginary << bits for real, imaginary in zip(parts, reversed(parts), strict=True)]
        title = f"{element}: NaNs, -0.0, subnormals and infinities in both parts"
        yield passed(
            f"{element}-edges: {title}", 16, f"{element}[{len(joined)}]", codes(element, [len(joined)], joined)
        )
    for element, opset in OPSET_OF_BYTE_FLOAT.items():
        yield passed(
            f"{element}-all-codes: {element}: all 256 bit patterns",
            opset,
            f"{element}[256]",
            codes(element, [256], range(256)),
        )
        yield stored(element, opset, "all-codes", range(256))


def _integers() -> Iterator[Vector]:
    for bits in (8, 16, 32, 64):
        for element in (f"int{bits}", f"uint{bits}"):
            edges = [0, 1, (1 << bits - 1) - 1, 1 << bits - 1, (1 << bits) - 1]
            title = f"{element}: zero, one, and the least and greatest values of both signs"
            yield passed(f"{element}-edges: {title}", 13, f"{element}[5]", codes(element, [5], edges))
            some_codes = [((1 << bits) // 16 * place) ^ place for place in range(16)]
            yield stored(element, 13, "sixteen", some_codes)
    beyond = np.int64([2**53 + 1, -(2**53) - 1, 2**31, -(2**31) - 1])
    yield passed("int64-beyond-double: int64 that neither a double nor an int32 can hold", 13, "int64[4]", beyond)


def _strings() -> Iterator[Vector]:
    texts = {
        "empty": [b"", b"", b"a"],
        "with-nul": [b"\0", b"a\0b", b"ab\0"],
        "not-ascii": ["žluťoučký".encode(), "条件".encode(), "🌿".encode()],
        "long": [b"x" * 4096, b"short", b"y" * 65],
    }
    for name, three in texts.items():
        yield passed(f"string-{name}: strings: {name.replace('-', ' ')}", 13, "string[3]", strings([3], three))


def _packed() -> Iterator[Vector]:
    for element, opset in OPSET_OF_NARROW.items():
        for count in (1, 3, 17):
            patterns = [(5 * place + 1) % (1 << ELEMENTS[element].bits) for place in range(count)]
            title = f"{element}: {count} elements, packed"
            yield passed(
                f"{element}-times-{count}: {title}", opset, f"{element}[{count}]", codes(element, [count], patterns)
            )
        three_by_five = [(3 * place + 2) % (1 << ELEMENTS[element].bits) for place in range(15)]
        title = f"{element}: three rows of five, packed without padding between rows"
        yield passed(
            f"{element}-three-by-five: {title}", opset, f"{element}[3,5]", codes(element, [3, 5], three_by_five)
        )


def _shapes() -> Iterator[Vector]:
    shapes = {
        "rank-none": [],
        "no-elements": [0],
        "no-rows": [0, 3],
        "no-columns": [2, 0],
        "ones": [1, 1, 1],
        "rank-six": [1, 2, 1, 3, 1, 2],
    }
    for name, dims in shapes.items():
        for element in ("float", "int64", "string"):
            size = math.prod(dims)
            if element == "string":
                held: Writable = strings(dims, [b"s%d" % place for place in range(size)])
            else:
                held = np.arange(1, size + 1).astype(np.float32 if element == "float" else np.int64).reshape(dims)
            type_ = f"{element}[{','.join(map(str, dims))}]" if dims else element
            yield passed(f"shape-{name}-of-{element}: a {element} tensor of shape {dims}", 13, type_, held)


def _containers() -> Iterator[Vector]:
    of = "tensor(float32)"
    items = [floats(1, 2), floats([-3]), np.zeros((0, 2), np.float32), np.float32(4)]
    yield passed("sequence-of-any-shape: a sequence of tensors of four shapes", 16, "seq(float[])", sequence(of, items))
    yield passed("sequence-empty: a sequence without items", 16, "seq(float[])", sequence(of))
    yield passed(
        "sequence-of-strings: a sequence of strings",
        16,
        "seq(string[?])",
        sequence("tensor(string)", [strings([2], [b"", b"a\0"])]),
    )
    yield passed("optional-present: an optional that holds a tensor", 16, "optional(float[2])", some(items[0]))
    yield passed("optional-absent: an optional that holds nothing", 16, "optional(float[2])", absent(of))
    yield passed(
        "optional-sequence: an optional that holds a sequence",
        16,
        "optional(seq(float[]))",
        some(sequence(of, items)),
    )
    yield passed(
        "optional-sequence-absent: an optional sequence that holds nothing",
        16,
        "optional(seq(float[]))",
        absent(f"seq({of})"),
    )
