"""IR as text: the layers and edges from which an author assembles a model's XML; ir_bodies has the Ifs.

A type is written as in `f32[2,?]`: the name of the element type in IR, then the dims, `?` for an unknown one and
`[...]` for an unknown rank. Ids may be strings, for texts that are not ids.
"""

import math
import textwrap
from collections.abc import Sequence

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
    return holder("layers", *layers) + "\n" + holder("edges", *edges)


def holder(name: str, *children: str) -> str:
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
    """The name of an element type in a port: f32 → FP32, boolean → BOOL, i64 → I64, dynamic as it is."""
    if type_name == "boolean":
        return "BOOL"
    if type_name == "dynamic":
        return type_name
    return ("FP" + type_name[1:] if type_name in ("f16", "f32", "f64") else type_name).upper()


def parameter(id: Id, name: str, type_: str) -> str:
    """A Parameter; its port 0 has its name."""
    type_name, dims = split_type(type_)
    data = f'<data shape="{",".join(dims)}" element_type="{type_name}"/>'
    outputs = holder("output", port(0, type_, name, typed=True))
    return element("layer", f'id="{id}" name="{name}" type="Parameter" version="opset1"', data, outputs)


def const(id: Id, held: Writable) -> str:
    """A Const; its bytes go into the .bin."""
    tensor = _tensor(held)
    outputs = holder("output", port(0, type_of(tensor), typed=True))
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
        "layer", f'id="{id}" name="result{id}" type="Result" version="opset1"', holder("input", port(0, type_))
    )


def operation(
    id: Id, type_: str, inputs: Sequence[str], output: str, *, data: str = "", name: str = "", opset: int = 1
) -> str:
    """An operation with input ports 0, 1, … of these types, and one output port whose id comes next."""
    return element(
        "layer",
        f'id="{id}" name="{name or f"op{id}"}" type="{type_}" version="opset{opset}"',
        f"<data {data}/>" if data else "",
        holder("input", *(port(number, each) for number, each in enumerate(inputs))),
        holder("output", port(len(inputs), output, name, typed=True)),
    )


def edges(text: str) -> str:
    """`0:0>2:1 …`, from layer 0, port 0, to layer 2, port 1."""
    return "\n".join(_edge(*each.replace(">", ":").split(":")) for each in text.split())


def _edge(layer: str, port: str, to_layer: str, to_port: str) -> str:
    return f'<edge from-layer="{layer}" from-port="{port}" to-layer="{to_layer}" to-port="{to_port}"/>'
