"""Sources of cond: each operation that computes or moves a boolean; and names that differ in case alone."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, Why, branches, floats, ints, strings, vectors_of
from ifcert.authoring.ir import IrModel
from ifcert.authoring.ir_bodies import applied, constant, if_layer, passed
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result
from ifcert.authoring.values import Writable

cond_is_boolean = vectors_of("openvino/if/cond-is-boolean")

X = ints(1, -2)
B = "boolean[]"


def vectors() -> Iterator[Vector]:
    yield _case()


def _choice(types: list[str], layers: list[str], into: str, cond: str) -> IrModel:
    """Parameters m and n of these types and x; layers 10 to 19 compute cond: y is -x where it is true, else x."""
    named = [parameter(i, name, type_) for i, (name, type_) in enumerate(zip("mn", types, strict=False))]
    return net(
        *named,
        parameter(5, "x", "i32[2]"),
        *layers,
        if_layer(
            20, ["boolean[]", "i32[2]"], {"y": "i32[2]"}, applied("Negative", "i32[2]", to=2), passed("i32[2]", to=2)
        ),
        result(30, "i32[2]"),
        edges(f"{into} {cond}>20:0 5:0>20:1 20:2>30:0"),
    )


def _both(case: str, model: IrModel, true: dict[str, Writable], false: dict[str, Writable], *why: Why) -> Vector:
    runs = [Run({**true, "x": X}, {"y": -X}), Run({**false, "x": X}, {"y": X})]
    return cond_is_boolean(case, model, runs, why=["if-8-cond-values", *why])


def _moved_and_made() -> Iterator[Vector]:
    selects = [const(11, np.False_), operation(10, "Select", [B, B, B], B)]
    yield _both(
        "made-by-select: cond is a boolean or false, by Select",
        _choice([B, B], selects, "0:0>10:0 1:0>10:1 11:0>10:2", "10:3"),
        {"m": np.True_, "n": np.True_},
        {"m": np.False_, "n": np.True_},
    )
    gathers = [
        const(11, np.int64(1)),
        const(12, np.int64(0)),
        operation(10, "Gather", ["boolean[2]", "i64[]", "i64[]"], B, opset=8),
    ]
    yield _both(
        "made-by-gather: cond is the second of two booleans, by Gather",
        _choice(["boolean[2]"], gathers, "0:0>10:0 11:0>10:1 12:0>10:2", "10:3"),
        {"m": np.bool_([False, True])},
        {"m": np.bool_([True, False])},
    )


def _of_itself() -> Iterator[Vector]:
    """A Select among whose values is its own cond; a sum over axes that were put in reverse order."""
    for case, value, into in [
        ("then", "the value for true", "0:0>10:0 0:0>10:1 1:0>10:2"),
        ("else", "the value for false", "0:0>10:0 1:0>10:1 0:0>10:2"),
    ]:
        yield cond_is_boolean(
            f"made-by-select-whose-cond-is-its-{case}: cond is the result of Select, whose own cond is also {value}",
            _choice([B, B], [operation(10, "Select", [B, B, B], B)], into, "10:3"),
            [
                # m ? m : n is m or n; m ? n : m is m and n
                Run({"m": np.bool_(m), "n": np.bool_(n), "x": X}, {"y": -X if chosen else X})
                for m, n in [(0, 0), (0, 1), (1, 0), (1, 1)]
                for chosen in [m | n if case == "then" else m & n]
            ],
            why=["if-8-cond-values", "operations-select-cond"],
        )
    layers = [
        const(16, np.float32(0)),
        operation(11, "ShapeOf", ["f32[]"], "i64[0]", data='output_type="i64"', opset=3),
        operation(12, "Transpose", ["f32[2,3]", "i64[0]"], "f32[3,2]"),
        const(13, np.int64([0, 1])),
        operation(14, "ReduceSum", ["f32[3,2]", "i64[2]"], "f32[]", data='keep_dims="false"'),
        const(15, np.float32(0)),
        operation(10, "Less", ["f32[]", "f32[]"], B),
    ]
    into = "16:0>11:0 0:0>12:0 11:1>12:1 12:2>14:0 13:0>14:1 14:2>10:0 15:0>10:1"
    yield _both(
        "made-from-sum-over-reversed-axes: "
        "cond says whether the sum of a matrix, whose axes an empty order reverses, is below 0",
        _choice(["f32[2,3]"], layers, into, "10:2"),
        {"m": floats([1, 2, 3], [4, 5, -16])},
        {"m": floats([1, 2, 3], [4, 5, 6])},
        "operations-transpose-empty-order",
    )


def _of_strings() -> Iterator[Vector]:
    for case, title, other in [
        ("last-letter", "the last letter", b"pleas"),
        ("case", "the case of a letter", b"Plead"),
    ]:
        layers = [const(11, strings([], [b"plead"])), operation(10, "Equal", ["string[]", "string[]"], B)]
        model = _choice(["string[]"], layers, "0:0>10:0 11:0>10:1", "10:2")
        yield cond_is_boolean(
            f"made-by-equal-of-strings-{case}: cond is Equal of two strings, which differ in {title} where it is false",
            model,
            Run({"m": strings([], [b"plead"]), "x": X}, {"y": -X}),
            Run({"m": strings([], [other]), "x": X}, {"y": X}),
            why=["if-8-cond-values", "operations-equal-types"],
            doubt=(
                "the page on Equal-1 accepts any supported type, and no page says whether strings are one of them there"
            ),
        )


def _shared_constant() -> Iterator[Vector]:
    """A constant that the comparison reads, and that else_body returns."""
    for case, held, other in [
        ("int32", np.int32(4), np.int32(9)),
        ("int64", np.int64(4), np.int64(9)),
        ("float64", np.float64(4), np.float64(9)),
    ]:
        type_ = {"int32": "i32[]", "int64": "i64[]", "float64": "f64[]"}[case]
        model = net(
            parameter(0, "m", type_),
            const(11, held),
            operation(10, "Equal", [type_, type_], B),
            if_layer(20, [B, type_], {"y": type_}, constant(other, to=2), passed(type_, to=2)),
            result(30, type_),
            edges("0:0>10:0 11:0>10:1 10:2>20:0 11:0>20:1 20:2>30:0"),
        )
        yield cond_is_boolean(
            f"made-by-equal-to-what-else-returns-{case}: "
            f"cond is Equal of a number and a constant, which else_body returns: {case}",
            model,
            [Run({"m": held}, {"y": other}), Run({"m": other}, {"y": held})],
            why=["if-8-cond-values"],
        )


def _case() -> Vector:
    """Of layers and ports: x and X, y and Y."""
    crossed = net(
        parameter(0, "cond", B),
        parameter(1, "x", "i32[2]"),
        parameter(2, "X", "i32[2]"),
        if_layer(
            20,
            [B, "i32[2]"],
            {"y": "i32[2]"},
            applied("Negative", "i32[2]", to=2),
            passed("i32[2]", to=2),
            name="choice",
        ),
        if_layer(
            21,
            [B, "i32[2]"],
            {"Y": "i32[2]"},
            passed("i32[2]", to=2),
            applied("Negative", "i32[2]", to=2),
            name="Choice",
        ),
        result(30, "i32[2]"),
        result(31, "i32[2]"),
        edges("0:0>20:0 1:0>20:1 0:0>21:0 2:0>21:1 20:2>30:0 21:2>31:0"),
    )
    large = ints(30, 40)
    return Vector(
        "openvino/if/port-maps-independent/names-differ-in-case",
        "the inputs are called x and X, the outputs y and Y, the Ifs choice and Choice",
        ["if-8-port-map"],
        crossed,
        branches({"x": X, "X": large}, then={"y": -X, "Y": large}, else_={"y": X, "Y": -large}),
    )
