"""The features that a runtime needs to run a vector, derived from the model and the values."""

from collections.abc import Iterable, Iterator

import numpy as np
from onnx import FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto, TypeProto

from ifcert.authoring.elements import element_of_number
from ifcert.authoring.values import OptionalValue, Tensor, TensorSequence, Value
from ifcert.authoring.vector import TextModel

_WIDE = ("int64", "uint32", "uint64", "float64")  # some runtimes compute them as int32 and float32
_SEQUENCE_OPERATORS = ("Sequence", "SplitToSequence", "ConcatFromSequence")


def needs(model: ModelProto | TextModel, values: Iterable[Value]) -> list[str]:
    """The features, in the protocol's words, sorted; without the operator If, which every runtime here has."""
    found = set(_model_features(model) if isinstance(model, ModelProto) else model.features())
    for each in values:
        found.update(_value_features(each))
    return sorted(found)


def _model_features(model: ModelProto) -> Iterator[str]:
    yield from (f"opset:{entry.version}" for entry in model.opset_import if entry.domain in ("", "ai.onnx"))
    for body in [model.graph, *model.functions]:
        yield from _body_features(body)


def _body_features(body: GraphProto | FunctionProto) -> Iterator[str]:
    if isinstance(body, GraphProto):
        for info in [*body.input, *body.output, *body.value_info]:
            yield from _type_features(info.type)
        for tensor in body.initializer:
            yield from _tensor_features(tensor)
    for node in body.node:
        yield from _node_features(node)


def _node_features(node: NodeProto) -> Iterator[str]:
    if node.domain in ("", "ai.onnx") and node.op_type != "If":
        yield f"operator:{node.op_type}"
        if node.op_type.startswith(_SEQUENCE_OPERATORS):
            yield "kind:sequence"
        if node.op_type.startswith("Optional"):
            yield "kind:optional"
    for attribute in node.attribute:
        yield from _type_features(attribute.tp)
        for tensor in [attribute.t, *attribute.tensors] if attribute.HasField("t") else attribute.tensors:
            yield from _tensor_features(tensor)
        for graph in [attribute.g, *attribute.graphs] if attribute.HasField("g") else attribute.graphs:
            yield from _body_features(graph)


def _type_features(type_: TypeProto) -> Iterator[str]:
    which = type_.WhichOneof("value")
    if which == "tensor_type":
        element = element_of_number(type_.tensor_type.elem_type)
        if element is not None:
            yield f"type:{element.name}"
    elif which == "sequence_type":
        yield "kind:sequence"
        yield from _type_features(type_.sequence_type.elem_type)
    elif which == "optional_type":
        yield "kind:optional"
        yield from _type_features(type_.optional_type.elem_type)


def _tensor_features(tensor: TensorProto) -> Iterator[str]:
    element = element_of_number(tensor.data_type)
    if element is not None:
        yield f"type:{element.name}"


def _value_features(value: Value) -> Iterator[str]:
    if "seq(" in value.type:
        yield "kind:sequence"
    if "optional(" in value.type:
        yield "kind:optional"
    yield f"type:{value.type.rpartition('(')[2].rstrip(')')}"
    yield from (f"exact:{tensor.element}" for tensor in _tensors(value) if _is_wide(tensor))


def _tensors(value: Value | None) -> Iterable[Tensor]:
    if isinstance(value, OptionalValue):
        return _tensors(value.value)
    if isinstance(value, TensorSequence):
        return value.items
    return [] if value is None else [value]


def _is_wide(tensor: Tensor) -> bool:
    """Whether an element is none of int32, or of float32, bit for bit."""
    if tensor.element not in _WIDE:
        return False
    elements = np.frombuffer(tensor.data, tensor.element)
    if tensor.element == "float64":
        with np.errstate(over="ignore", invalid="ignore"):
            return elements.astype(np.float32).astype(np.float64).tobytes() != tensor.data
    return bool(elements.size) and not -(2**31) <= int(elements.min()) <= int(elements.max()) < 2**31
