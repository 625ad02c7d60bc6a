"""The forms of a file that a model has and need not have, each with a word: what a vector may be about."""

from collections.abc import Iterator

from onnx import FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto

from ifcert.authoring.ir import IrModel
from ifcert.authoring.tflite import TfliteModel

# The fields of a tensor that hold numbers of their types. Strings have no other field than theirs.
NUMBERS = ("float_data", "int32_data", "int64_data", "double_data", "uint64_data")

FORMS = {
    "typed-fields": "a tensor has its numbers in the field of their type, not in raw_data",
    "untyped-graphs": "a graph that a node holds takes or returns a value without a type",
    "unread-inputs": "nothing reads an input of the main graph",
    "unread-elements": "nothing in the body of a Scan reads what it scans",
    "unread-parameters": "nothing reads a Parameter of a body of OpenVINO IR",
    "empty-constants": "a constant in the graph has no elements",
    "absent-operands": "an operand is left out before others",
}

# Rules about a form: each of their vectors may have it.
FORMS_OF_RULES = {
    "onnx/if/branch-outputs-may-be-untyped": ("untyped-graphs",),
    "openvino/if/inputs-optional": ("unread-parameters",),
}


def forms(model: ModelProto | IrModel | TfliteModel) -> set[str]:
    """The words of FORMS that are true of the model."""
    return _onnx_forms(model) if isinstance(model, ModelProto) else set(model.forms())


def _onnx_forms(model: ModelProto) -> set[str]:
    """A graph in a function is no more typed than the function itself, whose values have no types."""
    found = {word for body in (model.graph, *model.functions) for word in _body_forms(body)}
    found |= {word for node in model.graph.node for graph in graphs_of(node) for word in _signature_forms(graph)}
    read = set(names_read(model.graph))
    unread = any(given.name not in read for given in model.graph.input)
    return found | ({"unread-inputs"} if unread else set())


def graphs_of(node: NodeProto) -> Iterator[GraphProto]:
    """The graphs in the node's attributes, in order."""
    for attribute in node.attribute:
        yield from [attribute.g] if attribute.HasField("g") else attribute.graphs


def names_read(body: GraphProto | FunctionProto) -> Iterator[str]:
    """The names that the nodes and the outputs of a body mention, those in its nodes' graphs among them."""
    yield from (output if isinstance(output, str) else output.name for output in body.output)
    for node in body.node:
        yield from node.input
        for graph in graphs_of(node):
            yield from names_read(graph)


def has_type(info: ValueInfoProto) -> bool:
    """Whether the value's kind and its elements are declared."""
    return info.type.WhichOneof("value") is not None


def _body_forms(body: GraphProto | FunctionProto) -> Iterator[str]:
    if isinstance(body, GraphProto):
        yield from (word for tensor in body.initializer for word in _tensor_forms(tensor))
    for node in body.node:
        if "" in node.input:
            yield "absent-operands"
        if node.op_type == "Scan":
            yield from _scan_forms(node)
        for attribute in node.attribute:
            for tensor in [attribute.t] if attribute.HasField("t") else attribute.tensors:
                yield from _tensor_forms(tensor)
                if 0 in tensor.dims and node.op_type == "Constant":
                    yield "empty-constants"
        for graph in graphs_of(node):
            yield from _body_forms(graph)


def _tensor_forms(tensor: TensorProto) -> Iterator[str]:
    if any(getattr(tensor, field) for field in NUMBERS):
        yield "typed-fields"


def _scan_forms(node: NodeProto) -> Iterator[str]:
    count = next((attribute.i for attribute in node.attribute if attribute.name == "num_scan_inputs"), 0)
    for body in graphs_of(node):
        read = set(names_read(body))
        if any(element.name not in read for element in body.input[len(body.input) - count :]):
            yield "unread-elements"


def _signature_forms(graph: GraphProto) -> Iterator[str]:
    for info in [*graph.input, *graph.output]:
        if not has_type(info):
            yield "untyped-graphs"
    for node in graph.node:
        for inner in graphs_of(node):
            yield from _signature_forms(inner)
