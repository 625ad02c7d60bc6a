"""Shapes known before any run that cannot fit: in the main graph, in a body that runs, in those that may not."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, vectors_of
from ifcert.authoring.ir import IrModel, as_in
from ifcert.authoring.ir_bodies import Body, applied, applied_to_constant, if_layer, passed
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result, type_of

shapes_fit = vectors_of("openvino/ir/shapes-fit", "operations-broadcast-numpy")

OPEN = "no run reaches the layer, which is known before any run; no page says that it may not be there"
X = floats(1, -2)
M = floats([1, -2, 3], [4, 5, -6])
TENS, THREE = floats(10, 20), floats(10, 20, 30)


def _before(operator: str, x: np.ndarray, second: np.ndarray, to: str, data: str = "") -> IrModel:
    """The result of an operation on x and a constant feeds both bodies, which negate it or return it."""
    return net(
        parameter(0, "cond", "boolean[]"),
        parameter(1, "x", type_of(x)),
        const(2, second),
        operation(3, operator, [type_of(x), type_of(second)], to, data=data),
        if_layer(9, ["boolean[]", to], {"y": to}, applied("Negative", to, to=2), passed(to, to=2)),
        result(10, to),
        edges("1:0>3:0 2:0>3:1 0:0>9:0 3:2>9:1 9:2>10:0"),
    )


def _subtracts(constant: np.ndarray) -> Body:
    """The body that subtracts a constant from port 1; port 2 receives the result."""
    return applied_to_constant("Subtract", "f32[2]", constant, to=2)


def _constant_cond(then_body: Body, else_body: Body) -> IrModel:
    return net(
        const(0, np.True_),
        parameter(1, "x", "f32[2]"),
        if_layer(9, ["boolean[]", "f32[2]"], {"y": "f32[2]"}, then_body, else_body),
        result(10, "f32[2]"),
        edges("0:0>9:0 1:0>9:1 9:2>10:0"),
    )


def _fed_cond(then_body: Body, else_body: Body) -> IrModel:
    return net(
        parameter(0, "cond", "boolean[]"),
        parameter(1, "x", "f32[2]"),
        if_layer(9, ["boolean[]", "f32[2]"], {"y": "f32[2]"}, then_body, else_body),
        result(10, "f32[2]"),
        edges("0:0>9:0 1:0>9:1 9:2>10:0"),
    )


def vectors() -> Iterator[Vector]:
    square = floats([1, 0], [0, 1], [0, 0])
    for case, (fault, why, operator, x, second, worse, given, data) in {
        "add": ("[2] and [3] are added", "operations-broadcast-numpy", "Add", X, TENS, THREE, floats(11, 18), ""),
        "concat": (
            "[2,3] and [1,2] are joined along axis 0",
            "operations-concat-shapes",
            "Concat",
            M,
            floats([7, 8, 9]),
            floats([7, 8]),
            floats([1, -2, 3], [4, 5, -6], [7, 8, 9]),
            'axis="0"',
        ),
        "matmul": (
            "[2,3] is multiplied by [2,2]",
            "operations-matmul-shapes",
            "MatMul",
            M,
            square,
            square[:2],
            floats([1, -2], [4, 5]),
            'transpose_a="false" transpose_b="false"',
        ),
        "reshape": (
            "six elements are reshaped to [2,2]",
            "operations-reshape-volume",
            "Reshape",
            M,
            np.int64([3, 2]),
            np.int64([2, 2]),
            floats([1, -2], [3, 4], [5, -6]),
            'special_zero="false"',
        ),
    }.items():
        to = type_of(given)
        right = shapes_fit(
            f"{case}-fits: {operator} before the If, with operands that fit",
            _before(operator, x, second, to, data),
            branches({"x": x}, then={"y": -given}, else_={"y": given}),
            why=[why],
        )
        yield right.broken(f"{case}: {fault}, before the If", as_in(_before(operator, x, worse, to, data)))


def _bodies() -> Iterator[Vector]:
    negates = applied("Negative", "f32[2]", to=2)
    taken = shapes_fit(
        "in-taken-body-fits: cond is a constant, and its body subtracts [2] from [2]",
        _constant_cond(_subtracts(TENS), negates),
        Run({"x": X}, {"y": floats(-9, -22)}),
    )
    yield taken.broken(
        "in-taken-body: cond is a constant, and its body subtracts [3] from [2]",
        as_in(_constant_cond(_subtracts(THREE), negates)),
    )
    yield shapes_fit(
        "in-body-never-taken: cond is a constant, and the other body subtracts [3] from [2]",
        _constant_cond(negates, _subtracts(THREE)),
        Run({"x": X}, {"y": -X}),
        doubt=OPEN,
    )
    yield shapes_fit(
        "in-body-not-taken: cond is fed, and the body that it does not select subtracts [3] from [2]",
        _fed_cond(negates, _subtracts(THREE)),
        Run({"cond": np.True_, "x": X}, {"y": -X}),
        doubt=OPEN,
    )
