"""Ifs nested deeper than most readers go: whoever loads such a file computes it, or refuses it."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, branches, issue
from ifcert.authoring.ir import IrModel
from ifcert.authoring.sources import Issue

FIELD: Issue = issue("openvinotoolkit/openvino", 37436, "types of nested Ifs were inferred by an unbounded recursion")
DOUBT = "no page bounds how deep bodies nest, and none says that a reader accepts any depth"

PORT = '<port id="{}" precision="BOOL"/>'
PARAMETER = (
    '<layer id="0" name="{}" type="Parameter" version="opset1"><data shape="" element_type="boolean"/>'
    f"<output>{PORT.format(0)}</output></layer>"
)
RESULT = '<layer id="2" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>'
EDGES = (
    '<edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>'
    '<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges>'
)
ENTRIES = '<input external_port_id="0" internal_layer_id="0"/><output external_port_id="1" internal_layer_id="2"/>'
NOT = (
    f'<layers>{PARAMETER.format("p")}<layer id="1" name="n" type="LogicalNot" version="opset1">'
    f'<input><port id="0"/></input><output>{PORT.format(1)}</output></layer>{RESULT}</layers>{EDGES}'
)
IF = (
    '<layer id="1" name="y" type="If" version="opset8"><input><port id="0"/></input><output>'
    f"{PORT.format(1)}</output><then_port_map>{ENTRIES}</then_port_map><else_port_map>{ENTRIES}</else_port_map>"
    "<then_body>"
)


def tower(depth: int) -> IrModel:
    """`depth` Ifs, each in the then_body of the last, all under p: the innermost then and every else return not p."""
    before = f"<layers>{PARAMETER.format('p')}{IF}"
    after = f"</then_body><else_body>{NOT}</else_body></layer>{RESULT}</layers>{EDGES}"
    text = before * depth + NOT + after * depth
    return IrModel(f'<?xml version="1.0"?>\n<net name="tower" version="11">{text}</net>\n')


def vectors() -> Iterator[Vector]:
    for depth in (16, 1000):
        yield Vector(
            f"openvino/if/nesting/tower-{depth}",
            f"{depth} Ifs, each in then_body of the enclosing one",
            ["if-8-typical-network", FIELD],
            tower(depth),
            branches({}, then={"y": np.False_}, else_={"y": np.True_}, cond="p"),
            doubt=DOUBT if depth > 16 else "",
        )
