"""Values whose memory a runtime may share: between a body and the network around it, or between outputs."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, ints, issue, vectors_of
from ifcert.authoring.ir_bodies import Body, applied, body, gives, if_layer, if_model, passed, takes
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result

SHARED = issue("openvinotoolkit/openvino", 27521, "bodies share memory with the network around them")
COPIES = issue("openvinotoolkit/openvino", 21056, "a change that was to avoid copies into and out of bodies")
INPLACE = issue("openvinotoolkit/openvino", 16202, "values computed in place were given the wrong memory")
PARTS = issue("openvinotoolkit/openvino", 27153, "a remark on an optimiser and readers of two outputs of one operation")
SPLIT = issue("openvinotoolkit/openvino", 4472, "parts of a Split came in another order than its ports")

pass_through = vectors_of(
    "openvino/if/pass-through", "if-draft-third-example-then", "reader-many-takers", SHARED, COPIES
)

TYPE, BOOLEAN = "i32[2]", "boolean[]"
A = ints(1, -2)


def _around() -> Iterator[Vector]:
    """h, which is -a, is passed through a body, and read after that."""
    choice = if_layer(11, [BOOLEAN, TYPE], {"y": TYPE}, passed(TYPE, to=2), applied("Add", TYPE, to=2))
    yield pass_through(
        "computed-value-read-after-the-if: "
        "then_body passes a computed value through, which the main network doubles besides",
        net(
            parameter(0, "cond", BOOLEAN),
            parameter(1, "a", TYPE),
            operation(10, "Negative", [TYPE], TYPE),
            choice,
            operation(12, "Add", [TYPE, TYPE], TYPE, name="z"),
            result(20, TYPE),
            result(21, TYPE),
            edges("1:0>10:0 0:0>11:0 10:1>11:1 10:1>12:0 10:1>12:1 11:2>20:0 12:2>21:0"),
        ),
        [Run({"cond": np.bool_(c), "a": A}, {"y": -A if c else -A - A, "z": -A - A}) for c in (True, False, True)],
        why=["if-draft-third-example-then", "reader-many-takers", SHARED],
    )
    yield pass_through(
        "passed-value-changed-after-the-if: "
        "then_body passes a computed value through; its result is negated, and the value itself returned besides",
        net(
            parameter(0, "cond", BOOLEAN),
            parameter(1, "a", TYPE),
            operation(10, "Add", [TYPE, TYPE], TYPE, name="h"),
            if_layer(11, [BOOLEAN, TYPE], {"": TYPE}, passed(TYPE, to=2), applied("Negative", TYPE, to=2)),
            operation(12, "Negative", [TYPE], TYPE, name="y"),
            result(20, TYPE),
            result(21, TYPE),
            edges("1:0>10:0 1:0>10:1 0:0>11:0 10:2>11:1 11:2>12:0 12:1>20:0 10:2>21:0"),
        ),
        [Run({"cond": np.bool_(c), "a": A}, {"y": -A - A if c else A + A, "h": A + A}) for c in (True, False, True)],
    )
    yield pass_through(
        "by-two-ifs: two Ifs pass the same computed value through; the result of one is negated",
        net(
            parameter(0, "cond", BOOLEAN),
            parameter(1, "a", TYPE),
            operation(10, "Add", [TYPE, TYPE], TYPE),
            if_layer(11, [BOOLEAN, TYPE], {"": TYPE}, passed(TYPE, to=2), applied("Add", TYPE, to=2), name="negated"),
            if_layer(12, [BOOLEAN, TYPE], {"z": TYPE}, passed(TYPE, to=2), applied("Add", TYPE, to=2), name="returned"),
            operation(13, "Negative", [TYPE], TYPE, name="y"),
            result(20, TYPE),
            result(21, TYPE),
            edges("1:0>10:0 1:0>10:1 0:0>11:0 10:2>11:1 0:0>12:0 10:2>12:1 11:2>13:0 13:1>20:0 12:2>21:0"),
        ),
        [
            Run({"cond": np.bool_(c), "a": A}, {"y": -A * (2 if c else 4), "z": A * (2 if c else 4)})
            for c in (True, False, True)
        ],
    )


def _reshaped(operator: str) -> Body:
    """The Parameter as [1,2], and an operation on it as it was."""
    return body(
        [takes(1, 0), gives(2, 10), gives(3, 11)],
        parameter(0, "p", TYPE),
        const(1, np.int64([1, 2])),
        operation(2, "Reshape", [TYPE, "i64[2]"], "i32[1,2]", data='special_zero="false"'),
        operation(3, operator, [TYPE], TYPE),
        operation(4, "Add", ["i32[1,2]", "i32[1,2]"], "i32[1,2]"),
        result(10, "i32[1,2]"),
        result(11, TYPE),
        edges("0:0>2:0 1:0>2:1 0:0>3:0 2:2>4:0 2:2>4:1 4:2>10:0 3:1>11:0"),
    )


def _within() -> Iterator[Vector]:
    yield pass_through(
        "reshaped-and-as-it-was: a body doubles its Parameter as [1,2], and computes of it as [2]",
        if_model({"cond": BOOLEAN, "a": TYPE}, {"y": "i32[1,2]", "z": TYPE}, _reshaped("Negative"), _reshaped("Abs")),
        [
            Run({"cond": np.bool_(c), "a": A}, {"y": (A + A)[None], "z": -A if c else abs(A)})
            for c in (True, False, True)
        ],
        why=["if-8-outputs", INPLACE],
    )


def _computed_twice(operator: str) -> Body:
    """One computed value, to both outputs."""
    return body(
        [takes(1, 0), gives(2, 10), gives(3, 11)],
        parameter(0, "p", TYPE),
        operation(3, operator, [TYPE], TYPE),
        result(10, TYPE),
        result(11, TYPE),
        edges("0:0>3:0 3:1>10:0 3:1>11:0"),
    )


def _held_twice(number: int) -> Body:
    return body(
        [gives(2, 10), gives(3, 11)],
        const(3, ints(number, number + 1)),
        result(10, TYPE),
        result(11, TYPE),
        edges("3:0>10:0 3:0>11:0"),
    )


def _two(operators: tuple[str, str]) -> Body:
    """Two operations on the Parameter."""
    return body(
        [takes(1, 0), gives(2, 10), gives(3, 11)],
        parameter(0, "p", TYPE),
        operation(3, operators[0], [TYPE], TYPE),
        operation(4, operators[1], [TYPE], TYPE),
        result(10, TYPE),
        result(11, TYPE),
        edges("0:0>3:0 0:0>4:0 3:1>10:0 4:1>11:0"),
    )


def _returned_twice() -> Iterator[Vector]:
    """y is negated by the main network, so that y and z must not be one tensor."""
    for case, (title, then_body, else_body, then_values, else_values) in {
        "computed-value-twice": (
            "then_body returns one computed value twice, else_body two",
            _computed_twice("Negative"),
            _two(("Abs", "Negative")),
            (A, -A),
            (-abs(A), -A),
        ),
        "constant-twice": (
            "then_body returns one computed value twice, else_body one constant",
            _computed_twice("Negative"),
            _held_twice(7),
            (A, -A),
            (ints(-7, -8), ints(7, 8)),
        ),
    }.items():
        yield Vector(
            f"openvino/if/output-order/{case}",
            f"{title}; the main network negates the first output",
            ["if-8-one-result-one-output", "if-8-outputs", SHARED],
            net(
                parameter(0, "cond", BOOLEAN),
                parameter(1, "a", TYPE),
                if_layer(11, [BOOLEAN, TYPE], {"": TYPE, "z": TYPE}, then_body, else_body),
                operation(12, "Negative", [TYPE], TYPE, name="y"),
                result(20, TYPE),
                result(21, TYPE),
                edges("0:0>11:0 1:0>11:1 11:2>12:0 12:1>20:0 11:3>21:0"),
            ),
            [
                Run({"cond": np.bool_(c), "a": A}, dict(zip("yz", then_values if c else else_values, strict=True)))
                for c in (True, False, True)
            ],
        )


def _split(order: tuple[int, int, int]) -> Body:
    """The thirds of the Parameter, to the outputs in this order."""
    outputs = "".join(f'<port id="{port}" precision="I32"><dim>1</dim></port>' for port in (2, 3, 4))
    split = (
        '<layer id="3" name="parts" type="Split" version="opset1"><data num_splits="3"/>'
        '<input><port id="0"><dim>3</dim></port><port id="1"/></input>'
        f"<output>{outputs}</output></layer>"
    )
    return body(
        [takes(1, 0), *(gives(2 + i, 10 + i) for i in range(3))],
        parameter(0, "p", "i32[3]"),
        const(1, np.int64(0)),
        split,
        *(result(10 + i, "i32[1]") for i in range(3)),
        edges("0:0>3:0 1:0>3:1"),
        edges(" ".join(f"3:{2 + part}>{10 + i}:0" for i, part in enumerate(order))),
    )


def _parts() -> Iterator[Vector]:
    """One operation of three outputs, which are three Results."""
    x = ints(4, 5, 6)
    for case, of_then, of_else in [
        ("in-order-and-backwards", (0, 1, 2), (2, 1, 0)),
        ("rotated", (1, 2, 0), (2, 0, 1)),
        ("one-of-them-twice", (1, 1, 0), (0, 2, 2)),
    ]:
        yield Vector(
            f"openvino/if/output-order/parts-{case}",
            f"the bodies return the parts {list(of_then)} and {list(of_else)} of three that a Split returns",
            ["if-8-one-result-one-output", SPLIT],
            if_model(
                {"cond": BOOLEAN, "x": "i32[3]"}, dict.fromkeys("uvw", "i32[1]"), _split(of_then), _split(of_else)
            ),
            [
                Run(
                    {"cond": np.bool_(c), "x": x},
                    {name: x[[part]] for name, part in zip("uvw", of_then if c else of_else, strict=True)},
                )
                for c in (True, False, True)
            ],
        )

    yield _parts_subtracted()


def _parts_subtracted() -> Vector:
    """One operation reads two outputs of another, in either order."""

    def difference(minuend: int, subtrahend: int) -> Body:
        outputs = "".join(f'<port id="{port}" precision="I32"><dim>1</dim></port>' for port in (2, 3, 4))
        split = (
            '<layer id="3" name="parts" type="Split" version="opset1"><data num_splits="3"/>'
            '<input><port id="0"><dim>3</dim></port><port id="1"/></input>'
            f"<output>{outputs}</output></layer>"
        )
        return body(
            [takes(1, 0), gives(2, 10)],
            parameter(0, "p", "i32[3]"),
            const(1, np.int64(0)),
            split,
            operation(4, "Subtract", ["i32[1]", "i32[1]"], "i32[1]"),
            result(10, "i32[1]"),
            edges(f"0:0>3:0 1:0>3:1 3:{2 + minuend}>4:0 3:{2 + subtrahend}>4:1 4:2>10:0"),
        )

    return Vector(
        "openvino/if/output-order/parts-subtracted",
        "then_body returns the second of three parts minus the third, else_body the third minus the first",
        ["if-8-outputs", PARTS],
        if_model({"cond": BOOLEAN, "x": "i32[3]"}, {"y": "i32[1]"}, difference(1, 2), difference(2, 0)),
        [
            Run({"cond": np.bool_(c), "x": ints(4, 50, 600)}, {"y": ints(50 - 600 if c else 600 - 4)})
            for c in (True, False, True)
        ],
    )


def _read_by_several() -> Iterator[Vector]:
    """Each reader of the If's output sees the shape of the run."""
    row = "i32[?]"
    model = net(
        parameter(0, "cond", BOOLEAN),
        parameter(1, "a", row),
        if_layer(11, [BOOLEAN, row], {"y": row}, applied("Concat", row, to=2), passed(row, to=2)),
        operation(12, "Negative", [row], row, name="z"),
        operation(13, "Add", [row, row], row, name="w"),
        result(20, row),
        result(21, row),
        result(22, row),
        edges("0:0>11:0 1:0>11:1 11:2>12:0 11:2>13:0 11:2>13:1 11:2>20:0 12:1>21:0 13:2>22:0"),
    )
    runs = []
    for cond, length in [(True, 1), (False, 3), (True, 3), (False, 0), (False, 2), (True, 2)]:
        a = np.arange(1, 1 + length, dtype=np.int32)
        y = np.concatenate([a, a]) if cond else a
        runs.append(Run({"cond": np.bool_(cond), "a": a}, {"y": y, "z": -y, "w": y + y}))
    yield Vector(
        "openvino/if/dynamic-shape/output-read-by-three",
        "the output of [?] is returned, negated and doubled, in six lengths",
        ["if-8-outputs", "reader-many-takers", SHARED],
        model,
        runs,
    )
