"""Things that a file may write in several ways: numbers of a list, a field that appears twice, a dim of two kinds."""

from collections.abc import Iterator

import numpy as np
from google.protobuf.message import Message
from ifcert.authoring import Run, Vector, branches, floats, ints, model, vectors_of
from ifcert.authoring.models import attribute, edited, else_of, then_of
from ifcert.authoring.neutral import in_raw_data
from onnx import ModelProto

file_is_whole = vectors_of("onnx/model/file-is-whole", "protobuf-last")

LISTED = model("""
    listed (bool cond, float[1,2,3] x) => (float[3,1,2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[3,1,2] a) { a = Transpose <perm = [2, 0, 1]> (x) },
            else_branch = else_graph () => (float[3,1,2] b) { t = Transpose <perm = [2, 0, 1]> (x)  b = Neg (t) }>
    }""")
STORED = model("""
    stored (bool cond, float[2,1] x) => (float[2,1] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2,1] a) <float[2,1] k = {10, 20}> { a = Add (x, k) },
            else_branch = else_graph () => (float[2,1] b) { b = Neg (x) }>
    }""")
GATHERED = model("""
    gathered (bool cond, float[2,2] x, int64[2] i) => (float[2,2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2,2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2,2] b) { b = Gather <axis = 1> (x, i) }>
    }""")
RAW = edited(STORED, in_raw_data)
CAST = """
    stored (bool cond, TYPE[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <TYPE[2] k = {10, 20}> {
                s = Add (x, k)
                a = Cast <to = 1> (s)
            },
            else_branch = else_graph () => (float[2] b) { b = Cast <to = 1> (x) }>
    }"""
SIZED = model("""
    sized (bool cond, float[N] x, float[N] w) => (float y) {
        y = If (cond) <
            then_branch = then_graph () => (float a) { a = ReduceSum <keepdims = 0> (x) },
            else_branch = else_graph () => (float b) { b = ReduceSum <keepdims = 0> (w) }>
    }""")


def record(key: int, payload: bytes) -> bytes:
    """A field of the wire type LEN."""
    return bytes([key << 3 | 2, len(payload)]) + payload


def written(made: ModelProto, message: Message, held: bytes) -> bytes:
    """The file, with these bytes in the message; a text of their length stands for them while onnx writes the file."""
    text = "denotation" if "denotation" in message.DESCRIPTOR.fields_by_name else "doc_string"
    setattr(message, text, "?" * (len(held) - 2))
    stand_in = record(message.DESCRIPTOR.fields_by_name[text].number, b"?" * (len(held) - 2))
    data = made.SerializeToString(deterministic=True)
    assert data.count(stand_in) == 1
    return data.replace(stand_in, held)


def vectors() -> Iterator[Vector]:
    yield _version_twice()


X = np.float32([[[1, 2, 3], [4, 5, 6]]])
TURNED = np.float32([[[1, 4]], [[2, 5]], [[3, 6]]])
LISTS = branches({"x": X}, then={"y": TURNED}, else_={"y": -TURNED})
COLUMN = floats([1], [-2])
STORES = branches({"x": COLUMN}, then={"y": floats([11], [18])}, else_={"y": -COLUMN})


def _of_attribute() -> Iterator[Vector]:
    """AttributeProto.ints, field 8, which onnx.proto does not declare as packed."""
    for case, title, why, held in [
        ("numbers-packed", "packed", "protobuf-packed-or-not", record(8, b"\2\0\1")),
        ("numbers-packed-in-pieces", "packed in two pieces", "protobuf-pieces", record(8, b"\2\0") + record(8, b"\1")),
        (
            "numbers-packed-and-not",
            "the first packed, the others not",
            "protobuf-packed-or-not",
            record(8, b"\2") + b"\x40\0\x40\1",
        ),
    ]:
        made = edited(LISTED)
        perm = attribute(then_of(made).node[0], "perm")
        perm.ClearField("ints")
        yield file_is_whole(
            f"{case}: the numbers of an attribute are {title}",
            written(made, perm, held),
            LISTS,
            why=[why],
            described_by=LISTED,
        )


def _of_tensor() -> Iterator[Vector]:
    """TensorProto.dims, field 1, and float_data, field 4, which onnx.proto declares as packed."""
    ten, twenty = (np.float32(number).tobytes() for number in (10, 20))
    for case, (why, field, held) in {
        "dims-packed: the dims of an initializer are packed": ("protobuf-packed-or-not", "dims", record(1, b"\2\1")),
        "dims-packed-in-pieces: the dims of an initializer are packed in two pieces": (
            "protobuf-pieces",
            "dims",
            record(1, b"\2") + record(1, b"\1"),
        ),
        "floats-not-packed: the numbers of an initializer are not packed": (
            "protobuf-packed-or-not",
            "float_data",
            b"\x25" + ten + b"\x25" + twenty,
        ),
        "floats-in-pieces: the numbers of an initializer are packed in two pieces": (
            "protobuf-pieces",
            "float_data",
            record(4, ten) + record(4, twenty),
        ),
    }.items():
        about = [] if field == "dims" else ["typed-fields"]
        made = edited(STORED if about else RAW)
        k = then_of(made).initializer[0]
        k.ClearField(field)
        yield file_is_whole(case, written(made, k, held), STORES, why=[why], described_by=STORED, about=about)


def _twice() -> Iterator[Vector]:
    """An operator's name, field 4, and an attribute's number, field 3."""
    made = edited(RAW)
    node = else_of(made).node[0]
    yield file_is_whole(
        "operator-twice: a node is first a Neg, and then an Abs",
        written(made, node, record(4, b"Abs")),
        [STORES[0], Run({"cond": np.False_, "x": COLUMN}, {"y": np.abs(COLUMN)})],
        described_by=edited(STORED, _else_is_abs),
    )
    made = edited(GATHERED)
    axis = attribute(else_of(made).node[0], "axis")
    axis.i = 0
    x, i = floats([1, 2], [3, 4]), np.int64([1, 0])
    yield file_is_whole(
        "number-twice: the axis of a Gather is 0, then 2, and then 1",
        written(made, axis, b"\x18\2\x18\1"),
        branches({"x": x, "i": i}, then={"y": -x}, else_={"y": floats([2, 1], [4, 3])}),
        described_by=GATHERED,
    )


def _version_twice() -> Vector:
    """OperatorSetIdProto.version, field 2."""
    once = record(8, RAW.opset_import[0].SerializeToString(deterministic=True))
    twice = record(8, b"\x10\xa0\x8d\x06\x10\x10")
    data = RAW.SerializeToString(deterministic=True)
    assert data.count(once) == 1
    return file_is_whole(
        "opset-version-twice: the version of the imported operator set is 100000, and then 16",
        data.replace(once, twice),
        STORES,
        described_by=STORED,
    )


def _not_packed() -> Iterator[Vector]:
    """The other lists of numbers of a tensor: int32_data 5, int64_data 7, double_data 10, uint64_data 11."""
    for case, name, text, field, held, numbers in [
        ("int32-not-packed", "int32", "int32", "int32_data", b"\x28\x0a\x28\x14", ints(10, 20)),
        ("int64-not-packed", "int64", "int64", "int64_data", b"\x38\x0a\x38\x14", np.int64([10, 20])),
        (
            "doubles-not-packed",
            "double",
            "double",
            "double_data",
            b"".join(b"\x51" + np.float64(number).tobytes() for number in (10, 20)),
            np.float64([10, 20]),
        ),
        ("uint64-not-packed", "uint64", "uint64", "uint64_data", b"\x58\x0a\x58\x14", np.uint64([10, 20])),
    ]:
        described = model(CAST.replace("TYPE", text))
        made = edited(described)
        k = then_of(made).initializer[0]
        k.ClearField(field)
        yield file_is_whole(
            f"{case}: the {name} numbers of an initializer are not packed",
            written(made, k, held),
            branches({"x": numbers}, then={"y": floats(20, 40)}, else_={"y": floats(10, 20)}),
            why=["protobuf-packed-or-not"],
            described_by=described,
            about=["typed-fields"],
        )


def _else_is_abs(m: ModelProto) -> None:
    else_of(m).node[0].op_type = "Abs"


def _dims() -> Iterator[Vector]:
    """dim_value, field 1, and dim_param, field 2, of which a dim has one."""
    with_two = edited(SIZED)
    with_two.graph.input[1].type.tensor_type.shape.dim[0].dim_value = 2
    two, three = floats(1, -2), floats(1, 2, 4)
    for case, (held, w, described) in {
        "dim-value-then-variable: the dim of an input is 7, and then the variable N": (
            b"\x08\7" + record(2, b"N"),
            two,
            SIZED,
        ),
        (
            "dim-variable-then-value: "
            "the dim of one input is the variable N, and then 2; that of the other is N, which is 3 in the runs"
        ): (record(2, b"N") + b"\x08\2", three, with_two),
    }.items():
        made = edited(SIZED)
        dim = made.graph.input[1].type.tensor_type.shape.dim[0]
        dim.ClearField("dim_param")
        yield file_is_whole(
            case,
            written(made, dim, held),
            branches({"x": two, "w": w}, then={"y": np.float32(-1)}, else_={"y": np.float32(-1 if w is two else 7)}),
            why=["proto2-oneof-last"],
            described_by=described,
        )
