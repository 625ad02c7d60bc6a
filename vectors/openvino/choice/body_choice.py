"""Cond selects the body: then_body where it is true, else_body where it is false."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, says
from ifcert.authoring.ir_bodies import applied, if_layer, if_model
from ifcert.authoring.ir_text import edges, net, operation, parameter, result

FALSE = says("if-8-cond-values", "if-8-cond-required")
SORTED = issue(
    "openvinotoolkit/openvino", 36423, "an unsorted network was considered sorted, as an If's inputs were ignored"
)
X = floats(1, -2)

CHOICE = if_model(
    {"cond": "boolean[]", "x": "f32[2]"},
    {"y": "f32[2]"},
    applied("Negative", "f32[2]", to=2),
    applied("Add", "f32[2]", to=2),
)


def vectors() -> Iterator[Vector]:
    yield Vector(
        "openvino/if/then-when-true/negated",
        "cond true returns then_body's -x",
        ["if-8-cond-values"],
        CHOICE,
        [Run({"cond": np.True_, "x": X}, {"y": floats(-1, 2)})],
    )
    yield Vector(
        "openvino/if/else-when-false/doubled",
        "cond false returns else_body's x + x",
        [FALSE],
        CHOICE,
        [Run({"cond": np.False_, "x": X}, {"y": floats(2, -4)})],
    )


def _before_its_inputs() -> Iterator[Vector]:
    """Edges determine the order: in the file the If comes before all the layers that it reads."""
    choice = if_layer(
        5, ["boolean[]", "f32[2]"], {"y": "f32[2]"}, applied("Negative", "f32[2]", to=2), applied("Add", "f32[2]", to=2)
    )
    backwards = net(
        result(6, "f32[2]"),
        choice,
        operation(4, "Abs", ["f32[2]"], "f32[2]"),
        operation(3, "LogicalNot", ["boolean[]"], "boolean[]"),
        parameter(0, "cond", "boolean[]"),
        parameter(1, "x", "f32[2]"),
        edges("5:2>6:0 4:1>5:1 3:1>5:0 1:0>4:0 0:0>3:0"),
    )
    for rule, why, cond, expected in [
        ("openvino/if/then-when-true/", "if-8-cond-values", False, floats(-1, -2)),
        ("openvino/if/else-when-false/", FALSE, True, floats(2, 4)),
    ]:
        yield Vector(
            rule + "before-its-inputs",
            "the If comes before the layers that it reads, |x| and the negation of cond",
            [why, SORTED],
            backwards,
            [Run({"cond": np.bool_(cond), "x": X}, {"y": expected})],
        )
