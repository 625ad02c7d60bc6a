"""An If chooses dims, an axis or an index for the network around it; and an If of constants alone."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, ints, issue, vectors_of
from ifcert.authoring.ir_bodies import Body, applied, body, constant, gives, if_layer, passed, takes
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result

PUSHED = issue("openvinotoolkit/openvino", 18749, "an If that passes constants on was evaluated wrongly")
SYMBOLS = issue("openvinotoolkit/openvino", 27243, "dims of one symbol are replaced by one another")

dynamic_shape = vectors_of("openvino/if/dynamic-shape", "if-8-outputs")

BOOLEAN = "boolean[]"
X = ints([1, 2, 3], [4, 5, 6])
FLAT = np.arange(1, 7, dtype=np.int32)


def vectors() -> Iterator[Vector]:
    yield _of_two_lengths()


def _choice(type_: str, then_value: np.ndarray | np.generic, else_value: np.ndarray | np.generic) -> str:
    """Layer 10, an If of two constants; layer 0 is its cond."""
    return if_layer(10, [BOOLEAN], {"": type_}, constant(then_value, to=1), constant(else_value, to=1))


def _dims() -> Iterator[Vector]:
    """Reshape to dims that an If returns."""
    for case, title, type_, of_then, of_else in [
        ("dims", "[2,3] or [3,2]", "i64[2]", [2, 3], [3, 2]),
        ("number-of-dims", "[6,1] or [6]", "i64[?]", [6, 1], [6]),
    ]:
        yield dynamic_shape(
            f"chosen-{case}: six elements are reshaped to dims that an If returns, {title}",
            net(
                parameter(0, "cond", BOOLEAN),
                parameter(1, "x", "i32[6]"),
                _choice(type_, np.int64(of_then), np.int64(of_else)),
                operation(11, "Reshape", ["i32[6]", type_], "i32[...]", data='special_zero="false"', name="y"),
                result(20, "i32[...]"),
                edges("0:0>10:0 1:0>11:0 10:1>11:1 11:2>20:0"),
            ),
            [
                Run({"cond": np.bool_(c), "x": FLAT}, {"y": FLAT.reshape(of_then if c else of_else)})
                for c in (True, False, True)
            ],
        )
    yield dynamic_shape(
        "chosen-dims-by-a-length: "
        "six elements are reshaped to [2,3] where the length of x, which is [1..5], is above 3, else to [3,2]",
        net(
            parameter(1, "six", "i32[6]"),
            parameter(2, "x", "i32[1..5]"),
            operation(3, "ShapeOf", ["i32[?]"], "i64[1]", data='output_type="i64"', opset=3),
            const(4, np.int64([0])),
            operation(5, "ReduceMax", ["i64[1]", "i64[1]"], "i64[]", data='keep_dims="false"'),
            const(6, np.int64(3)),
            operation(7, "Greater", ["i64[]", "i64[]"], BOOLEAN),
            _choice("i64[2]", np.int64([2, 3]), np.int64([3, 2])),
            operation(11, "Reshape", ["i32[6]", "i64[2]"], "i32[?,?]", data='special_zero="false"', name="y"),
            result(20, "i32[?,?]"),
            edges("2:0>3:0 3:1>5:0 4:0>5:1 5:2>7:0 6:0>7:1 7:2>10:0 1:0>11:0 10:1>11:1 11:2>20:0"),
        ),
        [
            Run({"six": FLAT, "x": np.ones(length, np.int32)}, {"y": FLAT.reshape([2, 3] if length > 3 else [3, 2])})
            for length in (3, 4, 1, 5)
        ],
        why=["if-8-outputs", "operations-shapeof-output"],
    )


def _axis_and_index() -> Iterator[Vector]:
    for case, (operator, then_number, else_number, values) in {
        "axis: a matrix is summed along the axis that an If returns, 0 or 1": ("ReduceSum", 0, 1, (X.sum(0), X.sum(1))),
        "negative-axis: a matrix is summed along the axis that an If returns, -1 or 0": (
            "ReduceSum",
            -1,
            0,
            (X.sum(1), X.sum(0)),
        ),
        "index: the row whose index an If returns is taken, 1 or 0": ("Gather", 1, 0, (X[1], X[0])),
        "negative-index: the row whose index an If returns is taken, -1 or -2": ("Gather", -1, -2, (X[1], X[0])),
    }.items():
        if operator == "ReduceSum":
            reader = operation(11, operator, ["i32[2,3]", "i64[]"], "i32[?]", data='keep_dims="false"', name="y")
            more, into, out_of = [], "", "11:2"
        else:
            reader = operation(11, operator, ["i32[2,3]", "i64[]", "i64[]"], "i32[?]", opset=8, name="y")
            more, into, out_of = [const(12, np.int64(0))], "12:0>11:2", "11:3"
        yield dynamic_shape(
            f"chosen-{case}",
            net(
                parameter(0, "cond", BOOLEAN),
                parameter(1, "x", "i32[2,3]"),
                _choice("i64[]", np.int64(then_number), np.int64(else_number)),
                *more,
                reader,
                result(20, "i32[?]"),
                edges(f"0:0>10:0 1:0>11:0 10:1>11:1 {into} {out_of}>20:0"),
            ),
            [
                Run({"cond": np.bool_(c), "x": X}, {"y": np.int32(values[0] if c else values[1])})
                for c in (True, False, True)
            ],
        )


def _second_operands() -> Iterator[Vector]:
    """Dims to broadcast to, and axes to insert and to remove."""
    row, column = FLAT[:3], FLAT[:2].reshape(1, 2, 1)
    for case, (operator, opset, data, held, of_then, of_else, type_, then_value, else_value) in {
        "dims-of-a-broadcast: a row of three elements is broadcast to dims that an If returns, [2,3] or [4,3]": (
            "Broadcast",
            3,
            'mode="numpy"',
            row,
            [2, 3],
            [4, 3],
            "i32[?,3]",
            np.stack([row] * 2),
            np.stack([row] * 4),
        ),
        "axis-to-insert: a row of three elements gets a dim of 1 at the axis that an If returns, 0 or 1": (
            "Unsqueeze",
            1,
            "",
            row,
            [0],
            [1],
            "i32[?,?]",
            row[None, :],
            row[:, None],
        ),
        "axis-to-remove: [1,2,1] loses the axis that an If returns, 0 or 2": (
            "Squeeze",
            1,
            "",
            column,
            [0],
            [2],
            "i32[?,?]",
            column[0],
            column[:, :, 0],
        ),
    }.items():
        dims = ",".join(map(str, held.shape))
        of = f"i64[{len(of_then)}]"
        yield dynamic_shape(
            f"chosen-{case}",
            net(
                parameter(0, "cond", BOOLEAN),
                parameter(1, "x", f"i32[{dims}]"),
                _choice(of, np.int64(of_then), np.int64(of_else)),
                operation(11, operator, [f"i32[{dims}]", of], type_, data=data, opset=opset, name="y"),
                result(20, type_),
                edges("0:0>10:0 1:0>11:0 10:1>11:1 11:2>20:0"),
            ),
            [
                Run({"cond": np.bool_(c), "x": held}, {"y": then_value if c else else_value})
                for c in (True, False, True)
            ],
        )


def _shapes_of_the_chosen() -> Iterator[Vector]:
    """The main network returns the lengths of a, of b, and of what an If chose of the two."""
    row = "f32[?]"
    for case, title, then_body, else_body in [
        ("passed", "an If that passes a or b", passed(row, to=3), passed(row, to=3, of=2)),
        ("computed", "an If that negates a or b", applied("Negative", row, to=3), applied("Negative", row, to=3, of=2)),
    ]:
        shapes = [
            operation(id, "ShapeOf", [row], "i64[1]", data='output_type="i64"', opset=3, name=name)
            for id, name in [(11, "of_a"), (12, "of_b"), (13, "of_y")]
        ]
        yield dynamic_shape(
            f"lengths-of-inputs-and-output-{case}: "
            f"the main network returns the shapes of a and b, and of the output of {title}",
            net(
                parameter(0, "cond", BOOLEAN),
                parameter(1, "a", row),
                parameter(2, "b", row),
                if_layer(10, [BOOLEAN, row, row], {"y": row}, then_body, else_body),
                *shapes,
                *(result(20 + i, "i64[1]") for i in range(3)),
                edges("0:0>10:0 1:0>10:1 2:0>10:2 1:0>11:0 2:0>12:0 10:3>13:0 11:1>20:0 12:1>21:0 13:1>22:0"),
            ),
            [
                Run(
                    {"cond": np.bool_(c), "a": np.ones(a, np.float32), "b": np.ones(b, np.float32)},
                    {"of_a": np.int64([a]), "of_b": np.int64([b]), "of_y": np.int64([a if c else b])},
                )
                for c, a, b in [(1, 2, 5), (0, 2, 5), (1, 4, 3), (0, 4, 3)]
            ],
            why=["if-8-outputs", "operations-shapeof-output", SYMBOLS],
        )
    yield _shapes_within()


def _shape_of(port: int) -> Body:
    return body(
        [takes(port, 0), gives(3, 2)],
        parameter(0, "p", "f32[?]"),
        operation(1, "ShapeOf", ["f32[?]"], "i64[1]", data='output_type="i64"', opset=3),
        result(2, "i64[1]"),
        edges("0:0>1:0 1:1>2:0"),
    )


def _shapes_within() -> Vector:
    """The bodies return shapes of their Parameters."""
    return dynamic_shape(
        "length-returned-by-a-body: "
        "then_body returns the shape of a, else_body that of b; the main network returns that of a, too",
        net(
            parameter(0, "cond", BOOLEAN),
            parameter(1, "a", "f32[?]"),
            parameter(2, "b", "f32[2..]"),
            if_layer(10, [BOOLEAN, "f32[?]", "f32[?]"], {"y": "i64[1]"}, _shape_of(1), _shape_of(2)),
            operation(11, "ShapeOf", ["f32[?]"], "i64[1]", data='output_type="i64"', opset=3, name="of_a"),
            result(20, "i64[1]"),
            result(21, "i64[1]"),
            edges("0:0>10:0 1:0>10:1 2:0>10:2 1:0>11:0 10:3>20:0 11:1>21:0"),
        ),
        [
            Run(
                {"cond": np.bool_(c), "a": np.ones(a, np.float32), "b": np.ones(b, np.float32)},
                {"y": np.int64([a if c else b]), "of_a": np.int64([a])},
            )
            for c, a, b in [(1, 0, 5), (0, 1, 5), (1, 4, 3), (0, 4, 2)]
        ],
        why=["if-8-outputs", "operations-shapeof-output", SYMBOLS],
    )


def _of_constants() -> Iterator[Vector]:
    """Cond and data are constants, so that the whole If may be computed before the run."""
    k, l = ints(500, 600), ints(7, -8)  # noqa: E741 -- k and l, as the titles call them
    type_ = "i32[2]"

    def pair(of_first: int, of_second: int, operator: str) -> Body:
        """One value as it is, the operator's result of another; entries and Results from the last."""
        return body(
            [takes(of_second, 1), takes(of_first, 0), gives(4, 11), gives(3, 10)],
            parameter(1, "q", type_),
            parameter(0, "p", type_),
            operation(5, operator, [type_], type_),
            result(11, type_),
            result(10, type_),
            edges("0:0>10:0 1:0>5:0 5:1>11:0"),
        )

    for held in (True, False):
        first, second = (k, -l) if held else (l, abs(k))
        yield Vector(
            f"openvino/if/{'then-when-true' if held else 'else-when-false'}/everything-constant",
            f"cond is a Const, {held}, and the If's two inputs are constants; the main network adds x to both outputs",
            ["if-8-cond-values", "if-8-one-result-one-output", PUSHED],
            net(
                const(2, np.bool_(held)),
                const(3, k),
                const(4, l),
                parameter(1, "x", type_),
                if_layer(
                    10, [BOOLEAN, type_, type_], {"": type_, "second": type_}, pair(1, 2, "Negative"), pair(2, 1, "Abs")
                ),
                operation(11, "Add", [type_, type_], type_, name="y"),
                operation(12, "Add", [type_, type_], type_, name="z"),
                result(20, type_),
                result(21, type_),
                edges("2:0>10:0 3:0>10:1 4:0>10:2 10:3>11:0 1:0>11:1 10:4>12:0 1:0>12:1 11:2>20:0 12:2>21:0"),
            ),
            [Run({"x": ints(1, 2)}, {"y": first + ints(1, 2), "z": second + ints(1, 2)})],
        )


def _of_two_lengths() -> Vector:
    """Everything is constant, but cond has yet to be computed."""
    return Vector(
        "openvino/if/output-shape-may-be-undefined/constants-of-two-lengths",
        "cond compares the sum of a constant with 3; the bodies return constants of two lengths",
        ["if-8-outputs", "if-8-cond-values"],
        net(
            parameter(1, "x", "i32[1]"),
            const(2, np.uint8([1, 2])),
            const(3, np.int64([0])),
            const(4, np.uint8(3)),
            operation(5, "ReduceSum", ["u8[2]", "i64[1]"], "u8[]", data='keep_dims="false"'),
            operation(6, "Equal", ["u8[]", "u8[]"], BOOLEAN),
            if_layer(10, [BOOLEAN], {"": "i32[?]"}, constant(ints(10, 20, 30), to=1), constant(ints(7), to=1)),
            operation(11, "Add", ["i32[?]", "i32[1]"], "i32[?]", name="y"),
            result(20, "i32[?]"),
            edges("2:0>5:0 3:0>5:1 5:2>6:0 4:0>6:1 6:2>10:0 10:1>11:0 1:0>11:1 11:2>20:0"),
        ),
        [Run({"x": ints(x)}, {"y": ints(10, 20, 30) + np.int32(x)}) for x in (1, -5)],
    )
