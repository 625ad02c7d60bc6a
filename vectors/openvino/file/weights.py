"""Constants and the .bin: where their bytes are stored, how many they are, and ranges that are invalid."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import Vector, branches, ints, says, strings
from ifcert.authoring.ir import IrEdit, replaced
from ifcert.authoring.ir_bodies import Body, body, constant, gives, if_model, passed
from ifcert.authoring.ir_patterns import ADDS_OR_NEGATES, RUNS, K, adds_or_negates
from ifcert.authoring.ir_text import const, edges, operation, result, stored, type_of

INSIDE = "openvino/ir/constant-in-weights/"
FILE = "openvino/ir/weights-are-readable/"
NOT_NEGATIVE = says("operations-constant-offset-range", "operations-constant-offset-required")
BYTES = K.tobytes()
WRITTEN = f'bytes="{BYTES.hex()}"'


def placed(offset: object, size: object) -> IrEdit:
    """The constant is stored there in a .bin that comes from elsewhere."""
    return replaced(WRITTEN, f'offset="{offset}" size="{size}"')


def places() -> Iterator[Vector]:
    """Offsets and sizes inside of the .bin and outside of it."""
    plain = adds_or_negates(
        f"{INSIDE}at-the-beginning: the constant is the whole .bin",
        ["operations-constant-offset", "operations-constant-size"],
    )
    for case, offset, weights in [
        ("behind-others: the constant is stored after 64 other bytes", 64, bytes(range(64)) + BYTES),
        ("before-others: other bytes follow the constant", 0, BYTES + b"\xff" * 32),
        ("at-an-odd-offset: the constant is stored at offset 3", 3, b"\x7f\x7f\x7f" + BYTES),
    ]:
        moved = plain.varied(case, placed(offset, len(BYTES)), why=["operations-constant-offset"])
        yield replace(moved, files={"model.bin": weights})
    beyond = 2**64
    for case, (why, edit) in {
        "begins-behind-the-end: the constant begins at offset 8 of a .bin of 8 bytes": (
            "operations-constant-offset",
            placed(8, 8),
        ),
        "ends-behind-the-end: the constant's last byte would be the ninth of 8": (
            "operations-constant-offset",
            placed(1, 8),
        ),
        "offset-far-away: the constant begins at 2^62": ("operations-constant-offset", placed(2**62, 8)),
        "offset-and-size-wrap: offset and size add up to 2^64, which wraps to 0": (
            "operations-constant-offset",
            placed(beyond - 8, 8),
        ),
        "offset-wraps: the offset is 2^64, which wraps to 0": ("operations-constant-offset", placed(beyond, 8)),
        'offset-negative: the offset is "-8"': (NOT_NEGATIVE, placed(-8, 8)),
        "offset-missing: there is no offset": (NOT_NEGATIVE, replaced(WRITTEN, 'size="8"')),
        'offset-with-letters-behind: the offset is "0x"': (NOT_NEGATIVE, placed("0x", 8)),
        "size-missing: there is no size": ("operations-constant-size", replaced(WRITTEN, 'offset="0"')),
        'size-negative: the size is "-8"': ("operations-constant-size", placed(0, -8)),
        "size-too-small: the size is 4, the shape takes 8 bytes": ("operations-constant-shape-of-output", placed(0, 4)),
        "size-one-byte-too-small: the size is 7, the shape takes 8 bytes": (
            "operations-constant-shape-of-output",
            placed(0, 7),
        ),
        "shape-asks-for-more: the shape [3] takes 12 bytes, the size is 8": (
            "operations-constant-shape-of-output",
            replaced(f'shape="2" {WRITTEN}', 'shape="3" offset="0" size="8"'),
        ),
        "shape-wraps: the shape [2^62, 2, 2] takes 2^66 bytes, which wraps to 0": (
            "operations-constant-shape-of-output",
            replaced(f'shape="2" {WRITTEN}', f'shape="{2**62},2,2" offset="0" size="0"'),
        ),
    }.items():
        yield replace(plain.broken(case, edit, why=[why]), files={"model.bin": BYTES})
    for case, weights in [
        ("bin-empty: the .bin is empty", b""),
        ("bin-one-byte-short: the last byte of the .bin is missing", BYTES[:-1]),
    ]:
        yield replace(
            plain.broken(case, placed(0, 8), why=["operations-constant-offset", "operations-constant-size"]),
            files={"model.bin": weights},
        )
    yield replace(
        plain.varied(
            "size-too-large: the size is 16, the shape takes 8 bytes",
            placed(0, 16),
            doubt="no page says whether a constant may have more content than its shape takes",
        ),
        files={"model.bin": BYTES + bytes(8)},
    )


def in_common() -> Iterator[Vector]:
    """Two constants, one in each body, that have bytes in common: writers store equal bytes once."""
    numbers = ints([1, -2, 3], [-4, 5, -6])
    for case, (title, held, then_held, else_held, offset) in {
        "two-shapes-of-the-same-bytes": (
            "the constants, [2,3] in then_body and [3,2] in else_body, have the same offset",
            numbers,
            numbers,
            numbers.reshape(3, 2),
            0,
        ),
        "two-types-of-the-same-bytes": (
            "the constants, i32 in then_body and u8 in else_body, have the same offset; both are converted to f32",
            ints(1, 256),
            ints(1, 256),
            np.uint8([1, 0, 0, 0, 0, 1, 0, 0]),
            0,
        ),
        "part-of-another": (
            "the constant of else_body is the last three of the six elements of that in then_body",
            numbers.reshape(6),
            numbers.reshape(6),
            numbers.reshape(6)[3:],
            12,
        ),
    }.items():
        output = f"f32[{','.join('?' * then_held.ndim)}]"
        bodies = _as_floats(then_held), _as_floats(else_held)
        model = if_model({"cond": "boolean[]"}, {"y": output}, *bodies).edited(
            replaced(
                f'bytes="{then_held.tobytes().hex()}"', f'offset="0" size="{then_held.nbytes}"', within="then_body"
            ),
            replaced(
                f'bytes="{else_held.tobytes().hex()}"',
                f'offset="{offset}" size="{else_held.nbytes}"',
                within="else_body",
            ),
        )
        yield Vector(
            INSIDE + case,
            title,
            ["operations-constant-offset", "operations-constant-size"],
            model,
            branches({}, then={"y": then_held.astype(np.float32)}, else_={"y": else_held.astype(np.float32)}),
            files={"model.bin": held.tobytes()},
        )


def _as_floats(held: np.ndarray) -> Body:
    """The body that returns a constant, converted to f32."""
    f32 = type_of(held.astype(np.float32))
    return body(
        [gives(1, 2)],
        const(0, held),
        operation(1, "Convert", [type_of(held)], f32, data='destination_type="f32"'),
        result(2, f32),
        edges("0:0>1:0 1:1>2:0"),
    )


def texts() -> Iterator[Vector]:
    """A constant of one empty string: its number, 1, and its two ends, both 0, of four bytes each."""
    empty = strings([1], [b""])
    content = stored(empty)
    written = f'bytes="{content.hex()}"'
    given = strings([1], [b"given"])
    whole = Vector(
        INSIDE + "one-empty-string",
        "the constant is an empty string, which takes twelve bytes",
        ["operations-constant-size", "operations-constant-shape-of-output"],
        if_model(
            {"cond": "boolean[]", "x": "string[1]"},
            {"y": "string[1]"},
            passed("string[1]", to=2),
            constant(empty, to=2),
        ),
        branches({"x": given}, then={"y": given}, else_={"y": empty}),
    )
    for case, size in [
        ("without-its-end: the size is 8: the string's end is missing", 8),
        ("without-its-ends: the size is 4: both ends of the string are missing", 4),
        ("cut-in-its-end: the size is 11: the last byte of the string's end is missing", 11),
    ]:
        yield replace(
            whole.broken(f"one-empty-string-{case}", replaced(written, f'offset="0" size="{size}"')),
            files={"model.bin": content},
        )
    yield replace(
        whole.varied(
            "one-empty-string-ends-outside: "
            "the constant that else_body returns is a string whose end is 1, but no byte of it is there; cond is true",
            replaced(written, f'offset="0" size="{len(content)}"'),
            runs=whole.runs[:1],
            doubt="no page describes how the .bin stores strings",
        ),
        files={"model.bin": content[:-4] + b"\1\0\0\0"},
    )


def files() -> Iterator[Vector]:
    """The .bin beside the .xml, and missing."""
    plain = adds_or_negates(f"{FILE}beside-the-xml: the .bin is beside the .xml", ["ir-constants-in-bin"])
    yield plain.broken("missing: there is no .bin", placed(0, 8), why=["ir-constants-in-bin"])
    yield Vector(
        FILE + "not-needed-by-the-taken-body",
        "there is no .bin for the constant of then_body, and cond is false",
        ["ir-constants-in-bin"],
        ADDS_OR_NEGATES.edited(placed(0, 8)),
        RUNS[1:],
        doubt="a body that is not taken has no effect; yet a model whose weights are missing is not whole",
    )
