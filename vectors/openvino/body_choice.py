"""Cond names the body: then_body where it is true, else_body where it is false."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector
from ifcert.authoring.ir_text import applied, if_model
from ifcert.authoring.sources import openvino_if

TRUE = openvino_if("If Inputs, cond: 'True value means to execute the then_body'")
FALSE = openvino_if("If Inputs, cond: '[True value means to execute the then_body,] False - else_body.'")
X = np.float32([1, -2])

CHOICE = if_model(
    {"cond": "boolean[]", "x": "f32[2]"},
    {"y": "f32[2]"},
    applied("Negative", "f32[2]", to=2),
    applied("Add", "f32[2]", to=2),
)


def vectors() -> Iterator[Vector]:
    """Each body by the value of cond that names it."""
    yield Vector(
        "openvino/if/then-when-true/negated",
        "cond true gives then_body's -x",
        [TRUE],
        CHOICE,
        [Run({"cond": np.True_, "x": X}, {"y": np.float32([-1, 2])})],
    )
    yield Vector(
        "openvino/if/else-when-false/doubled",
        "cond false gives else_body's x + x",
        [FALSE],
        CHOICE,
        [Run({"cond": np.False_, "x": X}, {"y": np.float32([2, -4])})],
    )
