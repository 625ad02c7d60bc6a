"""A function's value_info declares types of values inside a function, from IR version 10 on."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import Run, Vector, branches, edited, floats, model
from ifcert.authoring.models import Edit
from onnx import ModelProto, TensorProto, helper

X = floats(1, -2)

CHOICE = model("""<opset_import: ["" : 21, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) { y = local.choose (cond, x) }
    <domain: "local", opset_import: ["" : 21]>
    choose (c, v) => (r) {
        t = Neg (v)
        s = If (c) <
            then_branch = then_graph () => (a) { a = Add (t, t) },
            else_branch = else_graph () => (b) { b = Abs (t) }>
        r = Neg (s)
    }""")
RUNS = branches({"x": X}, then={"y": floats(2, -4)}, else_={"y": floats(-1, -2)})

# Without a call, only the value_info of v tells what then returns.
UNCALLED = model("""<opset_import: ["" : 21, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_main () => (float[2] d) { d = Add (x, x) },
            else_branch = else_main () => (float[2] e) { e = Neg (x) }>
    }
    <domain: "local", opset_import: ["" : 21]>
    unused (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Abs (v) },
            else_branch = else_graph () => (b) { b = Constant <value = float[2] {3, 4}> () }>
    }""")

# The untaken branch calls the function.
CALLED = model("""<opset_import: ["" : 21, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_main () => (float[2] d) { d = Add (x, x) },
            else_branch = else_main () => (float[2] e) { e = local.choose (cond, x) }>
    }
    <domain: "local", opset_import: ["" : 21]>
    choose (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Abs (v) },
            else_branch = else_graph () => (b) { b = Neg (v) }>
    }""")


def declares(name: str, element: int = TensorProto.FLOAT) -> Edit:
    """The function's value_info has one more entry: the value is a [2] of this type."""
    return lambda m: m.functions[0].value_info.append(helper.make_tensor_value_info(name, element, [2]))


def becomes_int64(name: str) -> Edit:
    """The function declares the value int64."""

    def edit(m: ModelProto) -> None:
        info = next(info for info in m.functions[0].value_info if info.name == name)
        info.type.tensor_type.elem_type = TensorProto.INT64

    return edit


def becomes_longer(name: str) -> Edit:
    """The function declares the value [3]."""

    def edit(m: ModelProto) -> None:
        info = next(info for info in m.functions[0].value_info if info.name == name)
        info.type.tensor_type.shape.dim[0].dim_value = 3

    return edit


def else_gives_int64(m: ModelProto) -> None:
    constant = m.functions[0].node[0].attribute[1].g.node[0]
    constant.attribute[0].t.CopyFrom(helper.make_tensor("", TensorProto.INT64, [2], [3, 4]))


def declaring(names: str) -> ModelProto:
    """The function declares these values float."""
    return edited(CHOICE, *(declares(name) for name in names))


def vectors() -> Iterator[Vector]:
    for rule, values, what, declared, case in [
        ("onnx/model/declared-type-agrees", "vt", "its input and an inner value", "t", "inner-value-of-function"),
        ("onnx/if/declared-type-agrees", "sr", "its If's result and its output", "s", "result-in-function"),
    ]:
        twin = Vector(
            f"{rule}/values-of-function",
            f"a function declares {what} float",
            ["ir-function-value-info", "ir-value-info-type"],
            declaring(values),
            RUNS,
            also=["onnx/if/in-function"],
        )
        yield twin.broken(
            f"{case}-int64: a function declares {what}, one of them int64, and both are float",
            becomes_int64(declared),
        )
    once = Vector(
        "onnx/model/value-info-is-distinct/values-of-function",
        "a function declares each of its values once",
        ["ir-function-value-info", "proto-function-value-info"],
        declaring("vtsr"),
        RUNS,
    )
    yield once.broken(
        "twice-in-function: a function declares an inner value twice, both times the same",
        declares("t"),
    )
    uncalled = Vector(
        "onnx/if/in-function/never-called-declares-its-input",
        "a function that is never called declares its input float, and both branches of its If return floats",
        ["ir-function-value-info", "if-same-data-type"],
        edited(UNCALLED, declares("v")),
        branches({"x": X}, then={"y": X + X}, else_={"y": -X}),
    )
    differ = uncalled.broken(
        "never-called-declares-its-input-types-differ: "
        "a function that is never called declares its input float, which then returns; else returns int64",
        else_gives_int64,
    )
    yield replace(differ, also=["onnx/if/same-data-type"])
    called = Vector(
        "onnx/model/declared-type-agrees/second-input-of-function",
        "a function that the untaken branch calls declares its second input float, as it is passed",
        ["ir-function-value-info", "ir-value-info-type"],
        edited(CALLED, declares("v")),
        [Run({"cond": np.True_, "x": X}, {"y": X + X})],
        also=["onnx/if/in-function"],
    )
    yield called.broken(
        "second-input-of-function-int64: "
        "a function that the untaken branch calls declares its second input int64, and is passed floats",
        becomes_int64("v"),
    )
    yield called.broken(
        "second-input-of-function-longer: "
        "a function that the untaken branch calls declares its second input [3], and is passed a [2]",
        becomes_longer("v"),
    )
