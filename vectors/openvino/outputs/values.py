"""A value that passes through an If, or is computed in a body, keeps every bit."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import Vector, branches, codes, ints, strings
from ifcert.authoring.elements import IR_NAMES
from ifcert.authoring.ir_bodies import (
    Body,
    applied_to_constant,
    applied_to_two,
    body,
    constant,
    gives,
    if_layer,
    if_model,
    passed,
    takes,
)
from ifcert.authoring.ir_text import edges, parameter, result, type_of
from ifcert.authoring.patterns import pattern
from ifcert.authoring.sources import SIZE_OF_NOTHING
from ifcert.authoring.values import Tensor, value

RULE = "openvino/if/value-unchanged/"


def _choice(
    id: str, title: str, given: Tensor, held: Tensor, runs_of: Body, doubt: str = "", about: Sequence[str] = ()
) -> Vector:
    type_ = type_of(given)
    return Vector(
        id,
        title,
        ["if-8-outputs"],
        if_model({"cond": "boolean[]", "x": type_}, {"y": type_}, runs_of, constant(held, to=2)),
        branches({"x": given}, then={"y": given}, else_={"y": held}),
        doubt=doubt,
        about=about,
    )


def _through_two_levels() -> Iterator[Vector]:
    """The Parameter of an inner body, and a constant of the outer else_body."""
    for element, name in IR_NAMES.items():
        given, held = pattern(element, 2), pattern(element, 7)
        type_ = type_of(given)
        inner = if_layer(
            2, ["boolean[]", type_], {"": type_}, passed(type_, to=2), constant(pattern(element, 3), to=2), name="inner"
        )
        outer = body(
            [takes(0, 0), takes(1, 1), gives(2, 3)],
            parameter(0, "c", "boolean[]"),
            parameter(1, "a", type_),
            inner,
            result(3, type_),
            edges("0:0>2:0 1:0>2:1 2:2>3:0"),
        )
        yield _choice(RULE + f"two-levels-{name}", f"{name} through a body of a body", given, held, outer)


_SPECIALS = {
    "nan-payloads": {
        "float16": [0x7E01, 0xFE02, 0x7FFF],
        "bfloat16": [0x7FC1, 0xFFC2, 0x7FFF],
        "float32": [0x7FC00001, 0xFFC12345, 0x7FFFFFFF],
        "float64": [0x7FF8000000000001, 0xFFF8123456789ABC, 0x7FFFFFFFFFFFFFFF],
    },
    "signed-zeros": {
        "float16": [0x8000, 0x0000, 0x0000],
        "bfloat16": [0x8000, 0x0000, 0x0000],
        "float32": [0x80000000, 0, 0],
        "float64": [1 << 63, 0, 0],
    },
    "infinities": {
        "float16": [0x7C00, 0xFC00, 0xFC00],
        "bfloat16": [0x7F80, 0xFF80, 0xFF80],
        "float32": [0x7F800000, 0xFF800000, 0xFF800000],
        "float64": [0x7FF << 52, 0xFFF << 52, 0xFFF << 52],
    },
    "subnormals": {
        "float16": [0x0001, 0x83FF, 0x03FF],
        "bfloat16": [0x0001, 0x807F, 0x007F],
        "float32": [0x00000001, 0x807FFFFF, 0x00400000],
        "float64": [1, (1 << 63) | 0xFFFFFFFFFFFFF, 1 << 51],
    },
    "greatest": {
        "float16": [0x7BFF, 0xFBFF, 0x7BFE],
        "bfloat16": [0x7F7F, 0xFF7F, 0x7F7E],
        "float32": [0x7F7FFFFF, 0xFF7FFFFF, 0x7F7FFFFE],
        "float64": [0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF, 0x7FEFFFFFFFFFFFFE],
    },
}


def _specials() -> Iterator[Vector]:
    for kind, patterns in _SPECIALS.items():
        for element, bits in patterns.items():
            given, held = codes(element, [3], bits), codes(element, [3], bits[::-1])
            name = IR_NAMES[element]
            words = kind.replace("-", " ")
            yield _choice(RULE + f"{kind}-{name}", f"{words} of {name}", given, held, passed(type_of(given), to=2))
    texts = strings([4], [b"", b"a\0b", b"caf\xc3\xa9", b"x" * 300])
    others = strings([4], [b"\0a", b"", b"\xff\xfe", b" "])
    yield _choice(
        RULE + "texts", "empty strings, zero bytes, not UTF-8, 300 letters", texts, others, passed("string[4]", to=2)
    )


def _shapes() -> Iterator[Vector]:
    for element in ("float32", "float64", "int64", "uint64", "bool", "string", "int4", "uint4", "float16"):
        for case, shape in [("scalar", []), ("no-elements", [0]), ("no-rows", [0, 3]), ("no-columns", [2, 0])]:
            given, held = _shaped(element, shape, 0), _shaped(element, shape, 1)
            name = IR_NAMES[element]
            yield _choice(
                RULE + f"{case}-{name}",
                f"{name} of shape {shape}",
                given,
                held,
                passed(type_of(given), to=2),
                doubt=SIZE_OF_NOTHING if 0 in shape and element != "string" else "",
                about=["empty-constants"] if 0 in shape else (),
            )
    for element, shape in [("int4", [1]), ("uint4", [3, 3]), ("int8", [1, 1, 1, 1, 1, 2]), ("int32", [2, 1, 3])]:
        given, held = _shaped(element, shape, 1), _shaped(element, shape, 2)
        case = f"{'-by-'.join(map(str, shape))}-{IR_NAMES[element]}"
        yield _choice(RULE + case, f"{IR_NAMES[element]} of shape {shape}", given, held, passed(type_of(given), to=2))


def _shaped(element: str, shape: list[int], first: int) -> Tensor:
    count = math.prod(shape)
    if element == "string":
        return strings(shape, [b"text %d" % (first + i) for i in range(count)])
    if element.startswith("float"):
        return value(np.arange(first + 1, first + 1 + count, dtype=element).reshape(shape))
    most = 2 if element == "bool" else 8
    return codes(element, shape, [(first + i) % most for i in range(count)])


def _arithmetic() -> Iterator[Vector]:
    """Sums and products in a body that are exact in the type, and not in float32 or int32."""
    for case, (title, operator, first, second, expected) in {
        "f64-sum-above-24-bits": ("2^24 + 1", "Add", np.float64([2.0**24]), np.float64([1]), np.float64([2.0**24 + 1])),
        "f64-sum-of-tenths": (
            "0.1 + 0.2, rounded once, in double",
            "Add",
            np.float64([0.1]),
            np.float64([0.2]),
            codes("float64", [1], [0x3FD3333333333334]),
        ),
        "f64-sum-of-least-bit": (
            "1 + 2^-52",
            "Add",
            np.float64([1]),
            np.float64([2.0**-52]),
            codes("float64", [1], [0x3FF0000000000001]),
        ),
        "f64-product-beyond-f32": (
            "2^100 * 2^100",
            "Multiply",
            np.float64([2.0**100]),
            np.float64([2.0**100]),
            np.float64([2.0**200]),
        ),
        "f64-difference": (
            "2^53 - 1",
            "Subtract",
            np.float64([2.0**53]),
            np.float64([1]),
            np.float64([9007199254740991]),
        ),
        "i64-sum-above-53-bits": ("2^53 + 1", "Add", np.int64([2**53]), np.int64([1]), np.int64([2**53 + 1])),
        "i64-sum-above-32-bits": ("2^31 + 2^31", "Add", np.int64([2**31]), np.int64([2**31]), np.int64([2**32])),
        "i64-product": (
            "(2^31 + 1) * (2^31 - 1)",
            "Multiply",
            np.int64([2**31 + 1]),
            np.int64([2**31 - 1]),
            np.int64([2**62 - 1]),
        ),
        "i64-difference": ("-2^62 - 1", "Subtract", np.int64([-(2**62)]), np.int64([1]), np.int64([-(2**62) - 1])),
        "u64-sum": ("2^63 + 1", "Add", np.uint64([2**63]), np.uint64([1]), np.uint64([2**63 + 1])),
        "u32-sum": ("2^31 + 2^30", "Add", np.uint32([2**31]), np.uint32([2**30]), np.uint32([2**31 + 2**30])),
        "i32-sum-above-24-bits": ("2^24 + 1 in i32", "Add", ints(2**24), ints(1), ints(2**24 + 1)),
    }.items():
        type_ = type_of(first)
        computed = applied_to_two(operator, {"a": type_, "b": type_}, to=3)
        by_constant = applied_to_constant(operator, type_, second, to=3)
        fed = {"a": first, "b": second}
        yield Vector(
            RULE + case,
            f"{title}, of two inputs or an input and a constant",
            ["if-8-outputs"],
            if_model({"cond": "boolean[]", "a": type_, "b": type_}, {"y": type_}, computed, by_constant),
            branches(fed, then={"y": expected}, else_={"y": expected}),
        )
