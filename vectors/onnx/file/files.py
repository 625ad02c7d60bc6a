"""Files that are not models: bytes that end early or declare too much, tensors without their data, external data."""

from collections.abc import Iterator

from ifcert.authoring import Vector, branches, edited, else_of, floats, model, says, then_of
from ifcert.authoring.models import Edit
from ifcert.authoring.neutral import in_raw_data
from onnx import ModelProto, StringStringEntryProto, TensorProto, helper

RANGE = says("external-offset", "external-length")

X = floats(1, -2)

CHOICE = model("""
    choice (bool cond, float[2] x) => (float[2] y) <float[2] k = {10, 20}> {
        size = Abs (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { inner = Add (x, size)  a = Add (inner, k) },
            else_branch = else_graph () => (float[2] b) { other = Neg (x)  b = Sub (other, k) }>
    }""")
RUNS = branches({"x": X}, then={"y": floats(12, 20)}, else_={"y": floats(-11, -18)})


def sound(rule: str, why: list) -> Vector:
    """The model without a fault, as this rule's twin."""
    return Vector(rule + "sound", "the model without a fault", why, CHOICE, RUNS)


def _tensors() -> Iterator[Vector]:
    rule = "onnx/model/tensor-data-fits-shape/"
    twin = sound(rule, ["ir-tensor"]).varied(
        "sound: the model without a fault; its initializer is raw bytes", raw_data(8)
    )
    yield twin.broken("data-too-short: an initializer of shape [2] has four bytes", raw_data(4))
    yield twin.broken("data-too-long: an initializer of shape [2] has twelve bytes", raw_data(12))
    yield twin.broken("negative-dim: an initializer has shape [-2]", dims(-2))
    yield twin.broken(
        "negative-dim-without-data: a Constant of a branch, which nothing reads, has shape [-1, 0] and no data",
        unread_constant(TensorProto(data_type=TensorProto.FLOAT, dims=[-1, 0], raw_data=b"")),
    )
    yield twin.broken(
        "float32-of-nothing-in-double-data: "
        "a Constant of a branch, which nothing reads, has type float, shape [0] and a number in double_data",
        unread_constant(TensorProto(data_type=TensorProto.FLOAT, dims=[0], double_data=[1])),
        why=["proto-double-data-types"],
    )
    yield twin.broken(
        "huge-dim-in-branch: a tensor of eight bytes has shape [2^62], in a Constant of a branch", huge_constant
    )
    yield twin.broken("huge-dim: an initializer of eight bytes has shape [2^62]", dims(2**62))
    yield twin.broken(
        "size-overflows-to-fit: "
        "an initializer of eight bytes has shape [2^63 - 1, 2^63 - 1, 2]: 2 elements modulo 2^64",
        dims(2**63 - 1, 2**63 - 1, 2),
    )


def huge_constant(m: ModelProto) -> None:
    huge = TensorProto(data_type=TensorProto.FLOAT, dims=[2**62], raw_data=bytes(8))
    else_of(m).node[0].CopyFrom(helper.make_node("Constant", [], ["other"], value=huge))


def unread_constant(tensor: TensorProto) -> Edit:
    """Then begins with a Constant of this value, which nothing reads."""
    return lambda m: then_of(m).node.insert(0, helper.make_node("Constant", [], ["unread"], value=tensor))


def raw_data(length: int) -> Edit:
    """The initializer k has this many raw bytes: 10.0, 20.0, 20.0, truncated."""

    def edit(m: ModelProto) -> None:
        k = m.graph.initializer[0]
        k.ClearField("float_data")
        k.raw_data = floats(10, 20, 20).tobytes()[:length]

    return edit


def dims(*sizes: int) -> Edit:
    """The initializer k has this shape; its bytes stay the same."""

    def edit(m: ModelProto) -> None:
        m.graph.initializer[0].dims[:] = sizes

    return edit


# --- the file itself

# Field 20 of the model (functions are 25, metadata_props 14; 20 is unassigned), length-delimited, 2^62 bytes long.
HUGE_FIELD = bytes([0xA2, 0x01]) + bytes([0x80] * 8 + [0x40])


def _files() -> Iterator[Vector]:
    rule = "onnx/model/file-is-whole/"
    twin = sound(rule, ["protobuf-truncated-record", "ir-model-graph"])
    yield twin.broken("last-byte-missing: the file ends one byte early", bytes_edit=lambda data: data[:-1])
    yield twin.broken(
        "second-half-missing: the file ends in the middle of the graph",
        bytes_edit=lambda data: data[: len(data) // 2],
    )
    yield twin.broken("empty: the file is empty", bytes_edit=lambda data: b"", why=["ir-model-graph"])
    yield twin.broken("not-protobuf: the file is a line of text", bytes_edit=lambda data: b"If (cond) then else\n")
    yield twin.broken("without-graph: the model has no graph", without_graph, why=["ir-model-graph"])
    yield twin.broken(
        "length-beyond-the-end: a field at the end declares that 2^62 bytes follow",
        bytes_edit=lambda data: data + HUGE_FIELD,
    )
    yield twin.broken(
        "graph-is-a-number: the field graph is a number, not a message",
        without_graph,
        bytes_edit=lambda data: data + b"\x38\x05",
        why=["protobuf-malformed-wire", "ir-model-graph"],
    )
    yield twin.broken(
        "no-such-wire-type: a field at the end has wire type 7, which does not exist",
        bytes_edit=lambda data: data + b"\xa7\x06\x00",
        why=["protobuf-malformed-wire"],
    )
    yield twin.broken(
        "group-ends-that-never-began: a group ends at the end of the file, and none has begun",
        bytes_edit=lambda data: data + b"\xa4\x06",
        why=["protobuf-malformed-wire"],
    )
    yield twin.broken(
        "number-without-end: a varint at the end is eleven bytes long, one more than 64 bits need",
        bytes_edit=lambda data: data + b"\xa0\x06" + b"\xff" * 10 + b"\x01",
        why=["protobuf-malformed-wire"],
    )
    yield Vector(
        rule + "ir-version-is-text",
        "besides the ir_version there is a second one, with the wire type of strings",
        ["protobuf-malformed-wire", "proto2-unknown-fields"],
        edited(CHOICE, in_raw_data).SerializeToString(deterministic=True) + b"\x0a\x01\x08",
        RUNS,
        doubt="readers treat a field of another wire type as an unknown field; the text does not say so",
        described_by=CHOICE,
    )
    rule = "onnx/model/unknown-fields-are-skipped/"
    yield Vector(
        rule + "unknown-field-in-branch",
        "then has a field that ONNX does not define",
        ["proto2-unknown-fields"],
        with_unknown_field(),
        RUNS,
    )


def without_graph(m: ModelProto) -> None:
    """The field graph is not set."""
    m.ClearField("graph")


def with_unknown_field() -> ModelProto:
    """Then has a field number 999, length-delimited, three bytes."""
    copy = edited(CHOICE)
    then_of(copy).MergeFromString(b"\xba\x3e\x03abc")
    return copy


# --- external data


def external(location: str, offset: int, length: int) -> Edit:
    """The initializer k is in another file."""

    def edit(m: ModelProto) -> None:
        k = m.graph.initializer[0]
        k.ClearField("float_data")
        k.ClearField("raw_data")
        k.data_location = TensorProto.EXTERNAL
        del k.external_data[:]
        for key, held in {"location": location, "offset": offset, "length": length}.items():
            k.external_data.append(StringStringEntryProto(key=key, value=str(held)))

    return edit


def _external() -> Iterator[Vector]:
    beside = {"weights.bin": b"\xff" * 4 + floats(10, 20).tobytes() + b"\xff" * 4}
    twin = Vector(
        "onnx/model/external-data-in-folder/beside-the-model",
        "an initializer is in a file beside the model, from byte 4 on",
        ["external-location", RANGE],
        edited(CHOICE, external("weights.bin", 4, 8)),
        RUNS,
        files=beside,
    )
    faults = {
        "up-and-into-another-folder": (
            "the location leads out of the folder, to a file that exists",
            "../beside-the-model/weights.bin",
            4,
            8,
        ),
        "up-behind-a-dot": (
            "the location leads out of the folder, though it does not begin that way",
            "./../beside-the-model/weights.bin",
            4,
            8,
        ),
        "absolute-path": ("the location is an absolute path", "/weights.bin", 4, 8),
        "file-missing": ("the location names a file that does not exist", "absent.bin", 4, 8),
        "offset-beyond-the-end": ("the offset is past the end of the file", "weights.bin", 4096, 8),
        "length-beyond-the-end": ("the file ends before the given length", "weights.bin", 12, 8),
        "length-too-short": ("the length is less than the shape needs", "weights.bin", 4, 4),
        "offset-negative": ("the offset is negative", "weights.bin", -4, 8),
    }
    for case, (title, location, offset, length) in faults.items():
        why = (
            ["external-no-parent", "external-location"]
            if ".." in location or location.startswith("/")
            else ["external-location", RANGE]
        )
        yield twin.broken(f"{case}: {title}", external(location, offset, length), why=why)
    yield twin.broken(
        "into-a-folder-and-up: "
        "the location leads into a folder and out of it again, to the file that the sound model reads",
        external("more/../weights.bin", 4, 8),
        why=["external-no-parent"],
        files=beside | {"more/notes.txt": b"a folder beside the model"},
    )
