"""Files that are truncated, that are not FlatBuffers at all, and whose offsets are wrong."""

from collections.abc import Iterator
from random import Random

from ifcert.authoring import Vector, vectors_of
from ifcert.authoring.tflite_loops import DOUBLED, DOUBLES
from ifcert.authoring.tflite_patterns import ADDS_OR_NEGATES, RUNS
from ifcert.authoring.tflite_places import Damage, Place, offset, overwritten, root

well_formed = vectors_of("tflite/file/well-formed", "schema-root", "reader-whole")

# The slots of fields, as the schema counts them.
CODES, SUBGRAPHS, BUFFERS = 1, 2, 4
TENSORS, INPUTS, OPERATORS, NAME = 0, 1, 3, 4
OPTIONS = 4
DATA = 0


def vectors() -> Iterator[Vector]:
    whole = well_formed("whole: the file as it is written", ADDS_OR_NEGATES, RUNS)
    yield whole
    yield well_formed(
        "bytes-behind: 64 bytes of another kind follow the table, where large models store buffers",
        ADDS_OR_NEGATES.files()["model.tflite"] + bytes(range(64)),
        RUNS,
        why=["schema-root"],
        described_by=ADDS_OR_NEGATES,
    )
    yield from cut(whole)
    yield from meaningless(whole)
    yield from offsets(whole)
    loop = well_formed("whole-loop: a loop's file as it is written", DOUBLES, DOUBLED)
    yield loop.broken("loop-cut-in-the-middle: half of a loop's file", bytes_edit=lambda data: data[: len(data) // 2])


def cut(whole: Vector) -> Iterator[Vector]:
    """Files that end too early."""
    length = len(ADDS_OR_NEGATES.files()["model.tflite"])
    for case, end in [
        ("empty: the file is empty", 0),
        ("three-bytes: its first three bytes", 3),
        ("root-alone: its first four bytes: the offset of the root", 4),
        ("eight-bytes: its first eight bytes: the offset of the root and the identifier", 8),
        ("cut-in-the-middle: its first half", length // 2),
        ("last-bytes-missing: all but the last eight bytes", length - 8),
    ]:
        yield whole.broken(case, bytes_edit=_until(end))


def _until(end: int) -> Damage:
    return lambda data: data[:end]


def meaningless(whole: Vector) -> Iterator[Vector]:
    """Bytes that are not a table."""
    yield whole.broken(
        "text: plain text, with the identifier in its place",
        bytes_edit=lambda _: b"The TFL3 identifier is here, but this is not a model.\n" * 8,
    )
    yield whole.broken(
        "zeros-behind-the-identifier: the identifier is there, and otherwise only zeros",
        bytes_edit=lambda data: bytes(4) + data[4:8] + bytes(len(data) - 8),
    )
    for seed in (1, 2, 3):
        noise = Random(seed).randbytes(1000)
        yield whole.broken(
            f"noise-{seed}: a thousand bytes of noise, with the identifier in its place",
            bytes_edit=lambda data, noise=noise: noise[:4] + data[4:8] + noise[8:],  # type: ignore[misc]
        )
    yield whole.broken(
        "noise-behind-the-root: the root's offset and the identifier, then noise",
        bytes_edit=lambda data: data[:8] + Random(4).randbytes(len(data) - 8),
    )


def _model(data: bytes) -> Place:
    return root(data)


def _subgraph(data: bytes) -> Place:
    return root(data).table(SUBGRAPHS).item(0)


def _tensor(data: bytes) -> Place:
    return _subgraph(data).table(TENSORS).item(0)


def _operator(data: bytes) -> Place:
    return _subgraph(data).table(OPERATORS).item(0)


def offsets(whole: Vector) -> Iterator[Vector]:
    """Offsets and lengths that lead out of the file, or to the wrong place."""
    far = offset(0x7FFFFFF0)
    for case, (place, written) in {
        "root-outside: the root is past the end": (lambda data: Place(data, 0), far),
        "root-is-itself: the root's offset is 0, so the root is at the offset itself": (
            lambda data: Place(data, 0),
            offset(0),
        ),
        "root-wraps: the root's offset is 2^32 - 4": (lambda data: Place(data, 0), offset(-4)),
        "vtable-outside: the root's vtable is past the end": (_model, offset(-0x7FFFFF00)),
        "vtable-before-the-file: the root's vtable is before the file": (_model, far),
        "vtable-too-long: the root's vtable is 65534 bytes long": (lambda data: _model(data).vtable(), b"\xfe\xff"),
        "vtable-of-odd-length: the root's vtable is 5 bytes long": (lambda data: _model(data).vtable(), b"\5\0"),
        "field-outside-its-table: the list of subgraphs is 65532 bytes after the root's beginning": (
            lambda data: Place(data, _model(data).vtable().at + 4 + 2 * SUBGRAPHS),
            b"\xfc\xff",
        ),
        "codes-outside: the list of operator codes is past the end": (lambda data: _model(data).field(CODES), far),
        "subgraphs-outside: the list of subgraphs is past the end": (lambda data: _model(data).field(SUBGRAPHS), far),
        "subgraphs-too-many: there are 2^30 subgraphs": (lambda data: _model(data).table(SUBGRAPHS), offset(2**30)),
        "subgraph-outside: the first subgraph is past the end": (
            lambda data: Place(data, _model(data).table(SUBGRAPHS).at + 4),
            far,
        ),
        "tensors-too-many: the list of tensors ends past the file": (
            lambda data: _subgraph(data).table(TENSORS),
            offset(5000),
        ),
        "inputs-too-many: the list of inputs ends past the file": (
            lambda data: _subgraph(data).table(INPUTS),
            offset(2**31),
        ),
        "name-too-long: a tensor's name ends past the file": (lambda data: _tensor(data).table(3), offset(100000)),
        "name-outside: the subgraph's name is past the end": (lambda data: _subgraph(data).field(NAME), far),
        "shape-too-long: a tensor's shape ends past the file": (
            lambda data: _tensor_with_shape(data).table(0),
            offset(99999),
        ),
        "operators-outside: the list of operators is past the end": (
            lambda data: _subgraph(data).field(OPERATORS),
            far,
        ),
        "options-outside: the If's options are past the end": (lambda data: _operator(data).field(OPTIONS), far),
        "buffers-outside: the list of buffers is past the end": (lambda data: _model(data).field(BUFFERS), far),
        "content-too-long: the constant's content ends past the file": (
            lambda data: _model(data).table(BUFFERS).item(1).table(DATA),
            offset(1 << 20),
        ),
    }.items():
        yield whole.broken(case, bytes_edit=overwritten(place, written))


def _tensor_with_shape(data: bytes) -> Place:
    """x, the second tensor: the shape of a scalar is empty."""
    return _subgraph(data).table(TENSORS).item(1)
