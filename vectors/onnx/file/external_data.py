"""Weights of branches in a file beside the model: how they are located, and what is not such a file."""

from collections.abc import Iterator

from ifcert.authoring import Vector, branches, edited, else_of, floats, model, says, then_of
from ifcert.authoring.models import Edit
from onnx import ModelProto, StringStringEntryProto, TensorProto

RULE = "onnx/model/external-data/"

X = floats(1, -2)

WEIGHTED = model("""
    weighted (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[2] k = {10, 20}> { a = Add (x, k) },
            else_branch = else_graph () => (float[2] b) <float[2] w = {3, 5}> { b = Mul (x, w) }>
    }""")
RUNS = branches({"x": X}, then={"y": floats(11, 18)}, else_={"y": floats(3, -10)})
K = floats(10, 20).tobytes()
W = floats(3, 5).tobytes()


def outside(tensor: TensorProto, **said: object) -> None:
    """The tensor's data is in another file, with these keys."""
    tensor.ClearField("float_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.extend(StringStringEntryProto(key=key, value=str(value)) for key, value in said.items())


def k_outside(**said: object) -> Edit:
    """Then's initializer k is in another file."""
    return lambda m: outside(then_of(m).initializer[0], **said)


def both_outside(m: ModelProto) -> None:
    """k and w are stored one after the other in one file."""
    outside(then_of(m).initializer[0], location="weights.bin", offset=8, length=8)
    outside(else_of(m).initializer[0], location="weights.bin", offset=0, length=8)


def with_value_field(m: ModelProto) -> None:
    k = then_of(m).initializer[0]
    outside(k, location="weights.bin")
    k.float_data[:] = [10, 20]


def said_to_be(location: TensorProto.DataLocation | None) -> Edit:
    """k is raw bytes; its entries name a file that does not exist, and its data_location says that it is here."""

    def edit(m: ModelProto) -> None:
        k = then_of(m).initializer[0]
        outside(k, location="absent.bin", offset=8, length=8)
        k.raw_data = K
        k.ClearField("data_location")
        if location is not None:
            k.data_location = location

    return edit


def vectors() -> Iterator[Vector]:
    yield Vector(
        RULE + "branches-share-a-file",
        "the initializers of both branches are in one file",
        ["ir-external-shared", "external-location"],
        edited(WEIGHTED, both_outside),
        RUNS,
        files={"weights.bin": W + K},
    )
    for case, title, where, why in [
        ("location-left-out", "is not set", None, "proto-data-location-unset"),
        ("location-default", "is DEFAULT", TensorProto.DEFAULT, "proto-data-location-default"),
    ]:
        yield Vector(
            RULE + case,
            f"data_location {title}, so the bytes in the tensor count, not the file that its entries name",
            [why],
            edited(WEIGHTED, said_to_be(where)),
            RUNS,
        )
    twin = Vector(
        RULE + "whole-file",
        "then's initializer is a whole file; neither offset nor length is set",
        [says("external-offset", "external-length"), "external-location"],
        edited(WEIGHTED, k_outside(location="weights.bin")),
        RUNS,
        files={"weights.bin": K},
    )
    faults = {
        "location-not-said": ("no key names the file of then's initializer", k_outside(length=8)),
        "location-is-the-folder": ("the location is the model's folder", k_outside(location=".")),
        "value-field-too": ("then's initializer has its values in the model too", with_value_field),
    }
    for case, (title, fault) in faults.items():
        faulty = edited(WEIGHTED, fault)
        yield twin.broken(
            f"{case}: {title}",
            lambda m, faulty=faulty: m.CopyFrom(faulty),
            why=["ir-external-filename", "external-location"],
        )
