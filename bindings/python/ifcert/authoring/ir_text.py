"""IR as text: the parts from which an author assembles a model's XML.

A type is written as in `f32[2,?]`: the name of the element type in IR, then the dims, `?` for an unknown one and
`[...]` for an unknown rank. Ids may be strings, for texts that are not ids.
"""

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ifcert.authoring.elements import IR_NAMES
from ifcert.authoring.ir import IrModel
from ifcert.authoring.values import Tensor, Writable, value

Id = int | str


def element(name: str, attributes: str, *children: str) -> str:
    """An element; its content is on separate lines."""
    start = f"<{name} {attributes}".rstrip()
    inside = "\n".join(child for child in children if child)
    return f"{start}>\n{textwrap.indent(inside, '  ')}\n</{name}>" if inside else f"{start}/>"


def net(*parts: str, name: str = "main", version: int = 11) -> IrModel:
    """A model: layers, then edges."""
    return IrModel(
        '<?xml version="1.0"?>\n' + element("net", f'name="{name}" version="{version}"', network(*parts)) + "\n"
    )


def network(*parts: str) -> str:
    """<layers> and <edges>, of layers and edges."""
    edges = [part for part in parts if part.startswith("<edge ")]
    layers = [part for part in parts if not part.startswith("<edge ")]
    return _holder("layers", *layers) + "\n" + _holder("edges", *edges)


def _holder(name: str, *children: str) -> str:
    """An element without attributes, which has an end tag even where it is empty."""
    inside = "\n".join(child for child in children if child)
    return f"<{name}>\n{textwrap.indent(inside, '  ')}\n</{name}>" if inside else f"<{name}></{name}>"


def port(id: Id, type_: str = "", name: str = "", *, typed: bool = False) -> str:
    """A port with the dims of its type, and with its element type where it is `typed`, as outputs are."""
    type_name, dims = split_type(type_) if type_ else ("", [])
    attributes = f'id="{id}"' + (f' names="{name}"' if name else "")
    attributes += f' precision="{precision(type_name)}"' if typed else ""
    sizes = (-1 if dim == "?" or ".." in dim else dim for dim in dims if dim != "...")
    inside = "".join(f"<dim>{size}</dim>" for size in sizes)
    return f"<port {attributes}>{inside}</port>" if inside else f"<port {attributes}/>"


def split_type(type_: str) -> tuple[str, list[str]]:
    """`f32[2,?]` → its element type and its dims."""
    name, _, shape = type_.rstrip("]").partition("[")
    return name, shape.split(",") if shape else []


def precision(type_name: str) -> str:
    """The name of an element type in a port: f32 → FP32, boolean → BOOL, i64 → I64."""
    if type_name == "boolean":
        return "BOOL"
    return ("FP" + type_name[1:] if type_name in ("f16", "f32", "f64") else type_name).upper()


def parameter(id: Id, name: str, type_: str) -> str:
    """A Parameter; its port 0 has its name."""
    type_name, dims = split_type(type_)
    data = f'<data shape="{",".join(dims)}" element_type="{type_name}"/>'
    outputs = _holder("output", port(0, type_, name, typed=True))
    return element("layer", f'id="{id}" name="{name}" type="Parameter" version="opset1"', data, outputs)


def const(id: Id, held: Writable) -> str:
    """A Const; its bytes go into the .bin."""
    tensor = _tensor(held)
    outputs = _holder("output", port(0, type_of(tensor), typed=True))
    return element("layer", f'id="{id}" name="const{id}" type="Const" version="opset1"', data_of(tensor), outputs)


def data_of(held: Writable) -> str:
    """The <data> of a Const."""
    tensor = _tensor(held)
    name, dims = split_type(type_of(tensor))
    return f'<data element_type="{name}" shape="{",".join(dims)}" bytes="{stored(tensor).hex()}"/>'


def type_of(held: Writable) -> str:
    """The type of a value, such as `f32[2]`."""
    tensor = _tensor(held)
    return f"{IR_NAMES[tensor.element]}[{','.join(map(str, tensor.shape))}]"


def _tensor(held: Writable) -> Tensor:
    tensor = value(held)
    assert isinstance(tensor, Tensor)
    return tensor


def stored(tensor: Tensor) -> bytes:
    """The bytes in the .bin. For strings: their number, n + 1 ends of which the first is 0, and their bytes."""
    if tensor.element != "string":
        return tensor.data
    ends = [0]
    for text in tensor.strings:
        ends.append(ends[-1] + len(text))
    numbers = [math.prod(tensor.shape), *ends]
    return b"".join(number.to_bytes(4, "little") for number in numbers) + b"".join(tensor.strings)


def result(id: Id, type_: str) -> str:
    """A Result."""
    return element(
        "layer", f'id="{id}" name="result{id}" type="Result" version="opset1"', _holder("input", port(0, type_))
    )


def operation(
    id: Id, type_: str, inputs: Sequence[str], output: str, *, data: str = "", name: str = "", opset: int = 1
) -> str:
    """An operation with input ports 0, 1, … of these types, and one output port whose id comes next."""
    return element(
        "layer",
        f'id="{id}" name="{name or f"op{id}"}" type="{type_}" version="opset{opset}"',
        f"<data {data}/>" if data else "",
        _holder("input", *(port(number, each) for number, each in enumerate(inputs))),
        _holder("output", port(len(inputs), output, name, typed=True)),
    )


def edges(text: str) -> str:
    """`0:0>2:1 …`, from layer 0, port 0, to layer 2, port 1."""
    return "\n".join(_edge(*each.replace(">", ":").split(":")) for each in text.split())


def _edge(layer: str, port: str, to_layer: str, to_port: str) -> str:
    return f'<edge from-layer="{layer}" from-port="{port}" to-layer="{to_layer}" to-port="{to_port}"/>'


def takes(port_id: Id, layer_id: Id) -> str:
    """The entry that maps an input of the If to a Parameter."""
    return f'<input external_port_id="{port_id}" internal_layer_id="{layer_id}"/>'


def gives(port_id: Id, layer_id: Id) -> str:
    """The entry that maps a Result to an output of the If."""
    return f'<output external_port_id="{port_id}" internal_layer_id="{layer_id}"/>'


@dataclass(frozen=True)
class Body:
    """A body of an If: the entries of its port map, and its network."""

    entries: Sequence[str]
    network: str


def body(entries: Sequence[str], *parts: str) -> Body:
    """A body of port map entries, layers and edges."""
    return Body(entries, network(*parts))


def applied(operator: str, type_: str, *, to: Id, of: Id = 1, opset: int = 1) -> Body:
    """The body that returns to port `to` the result of an operation on port `of`; a binary one reads it twice."""
    twice = operator in ("Add", "Subtract", "Multiply", "Concat")
    data = 'axis="0"' if operator == "Concat" else ""
    return body(
        [takes(of, 0), gives(to, 2)],
        parameter(0, "a", type_),
        operation(1, operator, [type_] * (2 if twice else 1), type_, data=data, opset=opset),
        result(2, type_),
        edges("0:0>1:0 0:0>1:1 1:2>2:0" if twice else "0:0>1:0 1:1>2:0"),
    )


def applied_to_constant(
    operator: str, type_: str, held: Writable, *, to: Id, of: Id = 1, out: str = "", name: str = "a", data: str = ""
) -> Body:
    """The body that returns to port `to` the result of an operation on port `of` and a constant."""
    return body(
        [takes(of, 0), gives(to, 3)],
        parameter(0, name, type_),
        const(1, held),
        operation(2, operator, [type_, type_of(held)], out or type_, data=data),
        result(3, out or type_),
        edges("0:0>2:0 1:0>2:1 2:2>3:0"),
    )


def applied_to_two(operator: str, operands: Mapping[str, str], *, to: Id, out: str = "", data: str = "") -> Body:
    """The body that returns to port `to` the result of an operation on ports 1 and 2, which have these types."""
    (first, type_), (second, other) = operands.items()
    return body(
        [takes(1, 0), takes(2, 1), gives(to, 3)],
        parameter(0, first, type_),
        parameter(1, second, other),
        operation(2, operator, [type_, other], out or type_, data=data),
        result(3, out or type_),
        edges("0:0>2:0 1:0>2:1 2:2>3:0"),
    )


def passed(type_: str, *, to: Id, of: Id = 1) -> Body:
    """The body that returns to port `to` the value of port `of`."""
    return body([takes(of, 0), gives(to, 2)], parameter(0, "a", type_), result(2, type_), edges("0:0>2:0"))


def constant(held: Writable, *, to: Id) -> Body:
    """The body that returns a constant to port `to`, without any Parameter."""
    return body([gives(to, 2)], const(0, held), result(2, type_of(held)), edges("0:0>2:0"))


def if_layer(
    id: Id,
    inputs: Sequence[str],
    outputs: Mapping[str, str],
    then_body: Body,
    else_body: Body,
    *,
    opset: int = 8,
    name: str = "choice",
    ids: Sequence[int] = (),
) -> str:
    """An If with an input port for each type and an output port for each name: 0, 1, …, or with these ids."""
    ids = ids or range(len(inputs) + len(outputs))
    of_inputs, of_outputs = ids[: len(inputs)], ids[len(inputs) :]
    names = zip(of_outputs, outputs.items(), strict=True)
    return element(
        "layer",
        f'id="{id}" name="{name}" type="If" version="opset{opset}"',
        _holder("input", *(port(number, each) for number, each in zip(of_inputs, inputs, strict=True))),
        _holder("output", *(port(number, type_, each, typed=True) for number, (each, type_) in names)),
        _holder("then_port_map", *then_body.entries),
        _holder("else_port_map", *else_body.entries),
        _holder("then_body", then_body.network),
        _holder("else_body", else_body.network),
    )


CHOICE_ID, FIRST_RESULT = 100, 200


def if_model(
    inputs: Mapping[str, str],
    outputs: Mapping[str, str],
    then_body: Body,
    else_body: Body,
    *,
    opset: int = 8,
    ids: Sequence[int] = (),
) -> IrModel:
    """A model of one If: Parameters 0, 1, …, the If with the id 100, and its outputs as the Results 200, 201, …"""
    ids = ids or range(len(inputs) + len(outputs))
    into = " ".join(f"{i}:0>{CHOICE_ID}:{ids[i]}" for i in range(len(inputs)))
    out_of = " ".join(f"{CHOICE_ID}:{ids[len(inputs) + i]}>{FIRST_RESULT + i}:0" for i in range(len(outputs)))
    return net(
        *(parameter(i, name, type_) for i, (name, type_) in enumerate(inputs.items())),
        if_layer(CHOICE_ID, list(inputs.values()), outputs, then_body, else_body, opset=opset, ids=ids),
        *(result(FIRST_RESULT + i, type_) for i, type_ in enumerate(outputs.values())),
        edges(f"{into} {out_of}"),
    )
