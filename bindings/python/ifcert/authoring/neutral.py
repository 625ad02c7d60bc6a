"""The neutral form of a model: what its vector is not about is written as exporters write it."""

from collections.abc import Collection, Iterator

from google.protobuf.message import Message
from onnx import (
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    TensorShapeProto,
    TypeProto,
    ValueInfoProto,
    helper,
    numpy_helper,
    shape_inference,
)

from ifcert.authoring.forms import NUMBERS, has_type
from ifcert.authoring.models import messages_in

# Where a value is declared: the nodes on the way by position, with the attribute and the position in it; then its name.
Place = tuple[str, ...]


def neutral(original: ModelProto, about: Collection[str], twin: ModelProto | None = None) -> ModelProto:
    """A copy in raw_data, with types for what the graphs of nodes take and return, unless it is `about` these forms.

    A type is inferred; where a fault hides it, it is that of the `twin`, the model without the fault.
    """
    copy = ModelProto()
    copy.CopyFrom(original)
    if "typed-fields" not in about:
        in_raw_data(copy)
    if "untyped-graphs" not in about:
        _declare_types(copy, twin)
    return copy


def in_raw_data(message: Message) -> None:
    """Every tensor of numbers that has the right number of them in a typed field is stored in raw_data instead."""
    for each in messages_in(message):
        if isinstance(each, TensorProto):
            _store_raw(each)


def _store_raw(tensor: TensorProto) -> None:
    external = tensor.data_location == TensorProto.EXTERNAL
    fields = {field for field in NUMBERS if getattr(tensor, field)}
    if external or tensor.HasField("raw_data") or tensor.data_type in (TensorProto.UNDEFINED, TensorProto.STRING):
        return
    try:
        array = numpy_helper.to_array(tensor)
        if not fields <= {helper.tensor_dtype_to_field(tensor.data_type)}:
            return
    except (KeyError, ValueError, TypeError):  # a fault: it stays as it is
        return
    for field in fields:
        tensor.ClearField(field)
    tensor.raw_data = numpy_helper.from_array(array).raw_data


def _declare_types(model: ModelProto, twin: ModelProto | None) -> None:
    wanted = {place: info for place, info in _signatures(model.graph.node) if not has_type(info)}
    if not wanted:
        return
    known: dict[Place, TypeProto] = {}
    for source in (twin, _inferred(model)):
        if source is not None:
            known |= {place: info.type for place, info in _declared(source.graph.node) if has_type(info)}
    for place, info in wanted.items():
        if place in known:
            info.type.CopyFrom(known[place])
            _forget_invented_names(info.type)


def _inferred(model: ModelProto) -> ModelProto | None:
    """The model with value_info for all types that inference finds; nothing where a fault ends it."""
    try:
        return shape_inference.infer_shapes(model)
    except shape_inference.InferenceError:
        return None


def _forget_invented_names(message: Message) -> None:
    """Dims that inference names itself have no name."""
    for each in messages_in(message):
        if isinstance(each, TensorShapeProto.Dimension) and each.dim_param.startswith("unk__"):
            each.ClearField("dim_param")


def _graphs(nodes: Collection[NodeProto], at: Place = ()) -> Iterator[tuple[Place, GraphProto]]:
    """The graphs of the nodes, and those of their nodes."""
    for number, node in enumerate(nodes):
        for attribute in node.attribute:
            for which, graph in enumerate([attribute.g] if attribute.HasField("g") else attribute.graphs):
                place = (*at, f"{number} {attribute.name} {which}")
                yield place, graph
                yield from _graphs(graph.node, place)


def _signatures(nodes: Collection[NodeProto]) -> Iterator[tuple[Place, ValueInfoProto]]:
    for place, graph in _graphs(nodes):
        yield from (((*place, info.name), info) for info in [*graph.input, *graph.output])


def _declared(nodes: Collection[NodeProto]) -> Iterator[tuple[Place, ValueInfoProto]]:
    for place, graph in _graphs(nodes):
        yield from (((*place, info.name), info) for info in [*graph.value_info, *graph.input, *graph.output])
