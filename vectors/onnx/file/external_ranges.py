"""Weights of branches in files beside the model: in several of them, and where in a file they begin and end."""

import hashlib
from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, attribute, branches, edited, else_of, floats, model, then_of, vectors_of
from ifcert.authoring.models import Edit
from onnx import ModelProto, StringStringEntryProto, TensorProto

external_data = vectors_of("onnx/model/external-data", "external-location", "ir-external-filename")

X = floats(1, -2)
K, W = floats(10, 20).tobytes(), floats(3, 5).tobytes()
NEITHER = floats(1000, 2000).tobytes()

WEIGHTED = model("""
    weighted (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[2] k = {10, 20}> { a = Add (x, k) },
            else_branch = else_graph () => (float[2] b) <float[2] w = {3, 5}> { b = Mul (x, w) }>
    }""")
EMPTY = model("""
    weighted (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[0] k = {}> { a = Concat <axis = 0> (x, k) },
            else_branch = else_graph () => (float[2] b) <float[2] w = {3, 5}> { b = Mul (x, w) }>
    }""")
CONSTANTS = model("""
    weighted (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                k = Constant <value = float[2] {10, 20}> ()
                a = Add (x, k)
            },
            else_branch = else_graph () => (float[2] b) {
                w = Constant <value = float[2] {3, 5}> ()
                b = Mul (x, w)
            }>
    }""")
TWO_EACH = model("""
    weighted (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[2] k = {10, 20}, float[2] l = {10, 20}> {
                s = Add (x, k)
                a = Add (s, l)
            },
            else_branch = else_graph () => (float[2] b) <float[2] v = {10, 20}, float[2] w = {10, 20}> {
                t = Mul (x, v)
                b = Mul (t, w)
            }>
    }""")
RUNS = branches({"x": X}, then={"y": floats(11, 18)}, else_={"y": floats(3, -10)})


def outside(tensor: TensorProto, **said: object) -> None:
    """The tensor's data is in another file, with these keys."""
    tensor.ClearField("float_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.extend(StringStringEntryProto(key=key, value=str(value)) for key, value in said.items())


def k_outside(**said: object) -> Edit:
    """Then's initializer k is in weights.bin."""
    return lambda m: outside(then_of(m).initializer[0], location="weights.bin", **said)


def both_outside(then: dict[str, object], other: dict[str, object]) -> Edit:
    """k and w are in files."""

    def edit(m: ModelProto) -> None:
        outside(then_of(m).initializer[0], **then)
        outside(else_of(m).initializer[0], **other)

    return edit


def constants_outside(m: ModelProto) -> None:
    """The values of both Constants are in one file."""
    outside(attribute(then_of(m).node[0], "value").t, location="weights.bin", offset=8, length=8)
    outside(attribute(else_of(m).node[0], "value").t, location="weights.bin", offset=0, length=8)


def all_outside(m: ModelProto) -> None:
    """All four initializers are the same range."""
    for tensor in (*then_of(m).initializer, *else_of(m).initializer):
        outside(tensor, location="weights.bin", offset=3, length=8)


def said_again(**said: object) -> Edit:
    """Other keys are set for k instead."""

    def edit(m: ModelProto) -> None:
        entries = then_of(m).initializer[0].external_data
        del entries[1:]
        entries.extend(StringStringEntryProto(key=key, value=str(value)) for key, value in said.items())

    return edit


def _files() -> Iterator[Vector]:
    yield external_data(
        "two-files: then's initializer is in one file, else's in another, each at the same offset",
        edited(
            WEIGHTED,
            both_outside(
                {"location": "then.bin", "offset": 8, "length": 8}, {"location": "else.bin", "offset": 8, "length": 8}
            ),
        ),
        RUNS,
        files={"then.bin": NEITHER + K, "else.bin": NEITHER + W},
    )
    yield external_data(
        "one-name-in-two-folders: "
        "the branches' initializers are in two files of one name, one of them in a folder beside the model",
        edited(WEIGHTED, both_outside({"location": "weights.bin"}, {"location": "more/weights.bin"})),
        RUNS,
        files={"weights.bin": K, "more/weights.bin": W},
    )
    yield external_data(
        'location-begins-with-a-dot: the location of then\'s initializer is "./weights.bin", beside the model',
        edited(WEIGHTED, lambda m: outside(then_of(m).initializer[0], location="./weights.bin")),
        RUNS,
        files={"weights.bin": K},
    )
    for case, name in {
        "two-dots-within": "weights..bin",
        "dots-at-the-end": "weights..",
        "three-dots": "...",
        "a-dot-at-the-beginning": ".weights",
        "no-ending": "weights",
        "a-space": "the weights.bin",
        "other-signs": "weights-1,2;(3)&[4]'%20.bin",
        "dots-in-a-folder": "of..layers/weights.bin",
    }.items():
        yield external_data(
            f"location-with-{case}: the file of then's initializer is {name}",
            edited(WEIGHTED, lambda m, name=name: outside(then_of(m).initializer[0], location=name)),
            RUNS,
            files={name: K},
        )
    yield external_data(
        "constants-share-a-file: the values of a Constant in each branch are in one file",
        edited(CONSTANTS, constants_outside),
        RUNS,
        why=["ir-external-large-constants", "ir-external-shared"],
        files={"weights.bin": W + K},
    )
    yield external_data(
        "four-initializers-share-a-range: "
        "the two initializers of each branch are the same bytes of one file, after three other bytes",
        edited(TWO_EACH, all_outside),
        branches({"x": X}, then={"y": floats(21, 38)}, else_={"y": floats(100, -800)}),
        why=["ir-external-shared", "external-offset"],
        files={"weights.bin": W[:3] + K},
    )
    for case, where, data, doubt in (
        ("no-elements-at-the-end-of-the-file", "where the file ends", W, "the file has no byte at the offset"),
        ("no-elements-amid-the-file", "amid the file", W + W, ""),
    ):
        yield external_data(
            f"{case}: then's initializer has no elements: its data begins {where}, and has the length 0",
            edited(
                EMPTY,
                both_outside(
                    {"location": "weights.bin", "offset": 8, "length": 0},
                    {"location": "weights.bin", "offset": 0, "length": 8},
                ),
            ),
            branches({"x": X}, then={"y": X}, else_={"y": floats(3, -10)}),
            why=["ir-external-shared", "external-offset", "external-length", "ir-tensor-empty"],
            files={"weights.bin": data},
            doubt=doubt,
        )
    yield external_data(
        "ranges-overlap: the ranges of the branches' initializers overlap by one number",
        edited(
            model("""
                weighted (bool cond, float[2] x) => (float[2] y) {
                    y = If (cond) <
                        then_branch = then_graph () => (float[2] a) <float[2] k = {10, 20}> { a = Add (x, k) },
                        else_branch = else_graph () => (float[2] b) <float[2] w = {20, 30}> { b = Mul (x, w) }>
                }"""),
            both_outside(
                {"location": "weights.bin", "offset": 0, "length": 8},
                {"location": "weights.bin", "offset": 4, "length": 8},
            ),
        ),
        [RUNS[0], Run({"cond": np.False_, "x": X}, {"y": floats(20, -60)})],
        why=["ir-external-shared", "external-offset"],
        files={"weights.bin": floats(10, 20, 30).tobytes()},
    )


def _ranges() -> Iterator[Vector]:
    digest = hashlib.sha1(W + K).hexdigest()
    behind = "the text does not say where data without a length ends: after the tensor's size or at the end of the file"
    for case, (title, said, data, why, doubt) in {
        "length-alone": (
            "offset is not set, and the file continues after the data",
            {"length": 8},
            K + W,
            ["external-length", "external-offset"],
            "",
        ),
        "offset-alone": (
            "length is not set, and the file ends there",
            {"offset": 8},
            W + K,
            ["external-length", "external-offset"],
            "",
        ),
        "offset-alone-file-goes-on": (
            "length is not set, and the file continues",
            {"offset": 8},
            W + K + W,
            ["external-length", "external-offset"],
            behind,
        ),
        "neither-file-goes-on": (
            "neither is set, and the file continues",
            {},
            K + W,
            ["external-length", "external-offset"],
            behind,
        ),
        "offset-of-three": (
            "the offset is not a multiple of any block size",
            {"offset": 3, "length": 8},
            W[:3] + K,
            ["external-offset", "external-offset-aligned"],
            "",
        ),
        "length-first": (
            "the length is set before the offset",
            {"length": 8, "offset": 8},
            W + K,
            ["external-length", "external-offset"],
            "",
        ),
        "offset-with-leading-zero": (
            "the offset is written as 010",
            {"offset": "010", "length": 8},
            bytes(10) + K,
            ["external-offset"],
            "the spelling of the integer is not specified; 010 is ten in decimal",
        ),
        "checksum": (
            "the checksum is that of the file",
            {"offset": 8, "length": 8, "checksum": digest},
            W + K,
            ["external-checksum"],
            "",
        ),
        "checksum-of-another-file": (
            "the checksum is not that of the file",
            {"offset": 8, "length": 8, "checksum": "0" * 40},
            W + K,
            ["external-checksum"],
            "the text does not say who compares the digest, nor what happens to a file with another one",
        ),
        "unknown-key": (
            "there is a key that the format does not have",
            {"offset": 8, "length": 8, "compression": "none"},
            W + K,
            ["external-recognized-keys"],
            "the text does not say what happens to a key that is not among the recognized ones",
        ),
    }.items():
        yield external_data(
            f"{case}: the location of then's initializer in its file: {title}",
            edited(WEIGHTED, k_outside(**said)),
            RUNS,
            why=why,
            files={"weights.bin": data},
            doubt=doubt,
        )


def _faults() -> Iterator[Vector]:
    twin = external_data(
        "offset-and-length: offset and length are those of then's initializer, with other bytes before and after",
        edited(WEIGHTED, k_outside(offset=8, length=8)),
        RUNS,
        why=["external-offset", "external-length", "external-same-bytes"],
        also=["onnx/model/tensor-data-fits-shape"],
        files={"weights.bin": W + K + W},
    )
    yield twin.varied(
        "length-of-more: "
        "the location of then's initializer in its file: the length exceeds what the shape takes, but stays in "
        "the file",
        said_again(offset=8, length=12),
        why=["external-length", "proto-tensor-dims"],
        doubt="the text does not say that a tensor has no more bytes than its shape takes",
    )
    for case, (title, said, why) in {
        "length-of-less": (
            "the length is less than the shape takes, and the file continues",
            {"offset": 8, "length": 4},
            ["external-length", "proto-tensor-dims"],
        ),
        "length-of-nothing": (
            "the length is 0, and the file continues",
            {"offset": 8, "length": 0},
            ["external-length", "proto-tensor-dims"],
        ),
        "length-negative": ("the length is -8", {"offset": 8, "length": -8}, ["external-length"]),
        "offset-beyond-32-bits": ("the offset is 2^32 + 8", {"offset": 2**32 + 8, "length": 8}, ["external-offset"]),
        "length-beyond-32-bits": (
            "the length is 2^32 + 8",
            {"offset": 8, "length": 2**32 + 8},
            ["external-length", "proto-tensor-dims"],
        ),
        "offset-overflows": ("the offset is 2^64 + 8", {"offset": 2**64 + 8, "length": 8}, ["external-offset"]),
        "end-overflows": (
            "the offset is so large that, modulo 2^64, it wraps to before the file's beginning",
            {"offset": 2**64 - 8, "length": 8},
            ["external-offset"],
        ),
        "offset-in-words": ('the offset is the word "eight"', {"offset": "eight", "length": 8}, ["external-offset"]),
        "offset-with-a-unit": ('the offset is "8 bytes"', {"offset": "8 bytes", "length": 8}, ["external-offset"]),
        "length-with-a-unit": ('the length is "8 bytes"', {"offset": 8, "length": "8 bytes"}, ["external-length"]),
        "offset-empty": ("the offset is an empty string", {"offset": "", "length": 8}, ["external-offset"]),
    }.items():
        yield twin.broken(
            f"{case}: the location of then's initializer in its file: {title}", said_again(**said), why=why
        )
