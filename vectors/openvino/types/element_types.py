"""Every element type of IR passes into an If and out of it with all its bits."""

from collections.abc import Iterator

from ifcert.authoring import Vector, branches, says
from ifcert.authoring.elements import IR_NAMES
from ifcert.authoring.ir_bodies import constant, if_model, passed
from ifcert.authoring.ir_text import type_of
from ifcert.authoring.patterns import pattern


def vectors() -> Iterator[Vector]:
    for element, name in IR_NAMES.items():
        given, held = pattern(element, 0), pattern(element, 5)
        type_ = type_of(given)
        yield Vector(
            f"openvino/if/any-type/{name}",
            f"an input or a constant of {name}, bit for bit",
            [says("if-8-outputs", "if-8-body-inputs")],
            if_model({"cond": "boolean[]", "x": type_}, {"y": type_}, passed(type_, to=2), constant(held, to=2)),
            branches({"x": given}, then={"y": given}, else_={"y": held}),
        )
