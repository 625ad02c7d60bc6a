"""Ifs nested deeper than Protocol Buffers readers must support: the file is assembled byte by byte."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, branches, issue, model, says
from onnx import AttributeProto, ModelProto, NodeProto

FIELD = issue("openvinotoolkit/openvino", 37436, "types of nested Ifs were inferred by an unbounded recursion")
DOUBT = "the format bounds no depth; readers of Protocol Buffers stop at 100 messages, three to a nested graph"

# The numbers of the fields that hold the next message.
NODE_OF_GRAPH, OUTPUT_OF_GRAPH, ATTRIBUTE_OF_NODE, GRAPH_OF_ATTRIBUTE, GRAPH_OF_MODEL = 1, 12, 5, 6, 7

# The tower at depth one: the same inputs, outputs and operators.
LOW = model("""
    tower (bool p) => (int64 y) {
        y = If (p) <
            then_branch = t () => (a) { a = Constant <value_int = 0> () },
            else_branch = e () => (b) { b = Constant <value_int = 1> () }>
    }""")


def tower(depth: int) -> bytes:
    """`depth` Ifs, each in then of the enclosing one, all under p: the innermost returns 0; every else returns 1."""
    body = LOW.graph.node[0].attribute[0].g.SerializeToString(deterministic=True)
    other = LOW.graph.node[0].attribute[1].SerializeToString(deterministic=True)
    for level in range(depth, 0, -1):
        # An inner If's output has a name of its own, the outermost is the main graph's.
        name = "y" if level == 1 else f"y{level}"
        node = NodeProto(op_type="If", input=["p"], output=[name]).SerializeToString(deterministic=True)
        then = AttributeProto(name="then_branch", type=AttributeProto.GRAPH).SerializeToString(deterministic=True)
        node += _field(ATTRIBUTE_OF_NODE, then + _field(GRAPH_OF_ATTRIBUTE, body)) + _field(ATTRIBUTE_OF_NODE, other)
        body = _field(NODE_OF_GRAPH, node)
        if level > 1:
            # Every graph has a name (field 2), and an output with nothing but a name (field 1 of it).
            body += _field(2, f"t{level}".encode()) + _field(OUTPUT_OF_GRAPH, _field(1, name.encode()))
    main = ModelProto()
    main.CopyFrom(LOW)
    del main.graph.node[:]
    rest = main.graph.SerializeToString(deterministic=True)
    main.ClearField("graph")
    return main.SerializeToString(deterministic=True) + _field(GRAPH_OF_MODEL, body + rest)


def _field(number: int, data: bytes) -> bytes:
    """A length-delimited field."""
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(number: int) -> bytes:
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def vectors() -> Iterator[Vector]:
    for depth in (33, 64, 1000):
        yield Vector(
            f"onnx/if/nesting/depth-{depth}",
            f"{depth} Ifs, one in another",
            [
                says("if-then-branch-runs", note="a graph may hold any operator, If too"),
                "protobuf-depth-unbounded",
                "ir-graph-depth-unbounded",
                FIELD,
            ],
            tower(depth),
            branches({}, then={"y": np.int64(0)}, else_={"y": np.int64(1)}, cond="p"),
            doubt=DOUBT,
            described_by=LOW,
        )
