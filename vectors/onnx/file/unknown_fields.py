"""Fields that ONNX does not define: in every message, and groups, an old kind of field that may hold any other."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, branches, edited, floats, model, says
from ifcert.authoring.models import messages_in
from onnx import ModelProto

X = floats(1, -2)

# Every kind of message that a model with an If needs; a function is one of them.
CHOICE = model("""<opset_import: ["" : 16, "local" : 1]>
    choice (bool cond, float[2] x) => (float[2] y) <float[2] k = {10, 20}, float[2] size> {
        size = Abs (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { inner = Add (x, size)  a = Add (inner, k) },
            else_branch = else_graph () => (float[2] b) { b = local.opposite (x) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    opposite (v) => (r) { r = Neg (v) }""")
RUNS = branches({"x": X}, then={"y": floats(12, 20)}, else_={"y": floats(-1, 2)})

# The field 999, which no message of ONNX has, with the text "abc".
TEXT = b"\xba\x3e\x03abc"

# Within a group: a VARINT, an I64 (1.5), a LEN with two bytes that look like the group's end, a group with an I32
# (1.5), and an I32.
BEGIN, END = b"\xbb\x3e", b"\xbc\x3e"
I32, I64 = b"\x2d" + np.float32(1.5).tobytes(), b"\x11" + np.float64(1.5).tobytes()
FIELDS = b"\x08\x96\x01" + I64 + b"\x1a\x02" + END + b"\x23" + I32 + b"\x24" + I32
GROUP = BEGIN + FIELDS + END

# A field of five bytes, then one of 2^64 - 16. Whoever adds this length to the place where the file ends gets to the
# five bytes: the group's end, and the begin of a field 999 that has the eleven bytes of the last field as its content.
FIVE = END + TEXT[:2] + b"\x0b"
OVERLONG = b"\x22\xf0" + b"\xff" * 8 + b"\x01"

# A VARINT in the field of the greatest number, 2^29 - 1, and in the one after it.
GREATEST, TOO_GREAT = b"\xf8\xff\xff\xff\x0f\x01", b"\x80\x80\x80\x80\x10\x01"


def in_every_message(m: ModelProto) -> None:
    """The model, and each message within it, has a text in field 999."""
    for message in messages_in(m):
        message.MergeFromString(TEXT)


def with_group(m: ModelProto) -> None:
    """The model has a group in field 999."""
    m.MergeFromString(GROUP)


def with_group_and_text(m: ModelProto) -> None:
    """The model has a group in field 999, and then a text in it."""
    m.MergeFromString(GROUP + TEXT)


def with_greatest_numbers(m: ModelProto) -> None:
    """The model has the field of the greatest number, and a group with it."""
    m.MergeFromString(GREATEST + BEGIN + GREATEST + END)


def group_becomes(other: bytes, before: bytes = GROUP) -> dict:
    """The group at the end of the file is replaced by other bytes."""

    def edit(data: bytes) -> bytes:
        assert data.endswith(before)
        return data.removesuffix(before) + other

    return {"bytes_edit": edit}


def vectors() -> Iterator[Vector]:
    yield Vector(
        "onnx/model/unknown-fields-are-skipped/in-every-message",
        "the model, and each message within it, has a field that ONNX does not define",
        ["proto2-unknown-fields"],
        edited(CHOICE, in_every_message),
        RUNS,
    )
    yield Vector(
        "onnx/model/unknown-fields-are-skipped/after-a-group",
        "the last fields of the file are a group and a text, both in a field that ONNX does not define",
        ["proto2-unknown-fields", "protobuf-wire-types"],
        edited(CHOICE, with_group_and_text),
        RUNS,
    )
    rule = "onnx/model/file-is-whole/"
    twin = Vector(
        rule + "group",
        "the last field of the file is a group, which holds fields of every wire type and another group",
        ["protobuf-wire-types", "proto2-unknown-fields"],
        edited(CHOICE, with_group),
        RUNS,
        also=["onnx/model/unknown-fields-are-skipped"],
    )
    yield twin.broken(
        "group-without-end: the file ends within a group", **group_becomes(BEGIN + FIELDS), why=["protobuf-groups"]
    )
    yield twin.broken(
        "longer-than-the-address-space-in-group: "
        "a field in a group has a length of 2^64 - 16 bytes, and the file ends there",
        **group_becomes(BEGIN + b"\x1a\x05" + FIVE + OVERLONG),
        why=["protobuf-length"],
    )
    yield twin.broken(
        "group-ended-by-another-number: the group 999 is ended by the end of a group 998",
        **group_becomes(BEGIN + FIELDS + b"\xb4\x3e"),
        why=["protobuf-groups"],
    )
    yield twin.broken(
        "field-number-zero-in-group: a field in a group has the number 0",
        **group_becomes(BEGIN + b"\x00\x01" + END),
        why=["proto2-field-numbers"],
    )
    yield twin.broken(
        "no-such-wire-type-in-group: a field in a group has wire type 7, which does not exist",
        **group_becomes(BEGIN + b"\x0f" + b"\x08\x01" * 4 + END),
        why=["protobuf-wire-types"],
    )
    greatest = Vector(
        rule + "greatest-field-number",
        "the last fields of the file are one of the number 2^29 - 1 and a group with such a field",
        ["proto2-field-numbers", "proto2-unknown-fields"],
        edited(CHOICE, with_greatest_numbers),
        RUNS,
        also=["onnx/model/unknown-fields-are-skipped"],
    )
    numbered = GREATEST + BEGIN + GREATEST + END
    for case, bytes_ in [
        (": a field", TOO_GREAT + BEGIN + GREATEST + END),
        ("-in-group: a field in a group", GREATEST + BEGIN + TOO_GREAT + END),
    ]:
        yield greatest.broken(
            f"field-number-too-great{case} has the number 2^29, one more than the greatest",
            **group_becomes(bytes_, before=numbered),
            why=["proto2-field-numbers", says("protobuf-tag", note="that of 2^29 takes more than 32 bits")],
        )
