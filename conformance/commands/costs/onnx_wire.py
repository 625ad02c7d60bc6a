"""ONNX's messages as bytes, written faster than protobuf's own classes do, and without their limits on nesting."""

from collections.abc import Iterable

FLOAT, INT32, INT64, BOOL = 1, 6, 7, 9
OPSET = 16


def varint(value: int) -> bytes:
    """Seven bits per byte, lowest first."""
    low = bytearray()
    while value > 0x7F:
        low.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*low, value])


def field(number: int, payload: bytes | str) -> bytes:
    """A length-delimited field."""
    data = payload.encode() if isinstance(payload, str) else payload
    return varint(number << 3 | 2) + varint(len(data)) + data


def integer(number: int, value: int) -> bytes:
    """A field that is a number, negative ones in ten bytes."""
    return varint(number << 3) + varint(value & (1 << 64) - 1)


def fields(number: int, payloads: Iterable[bytes | str]) -> bytes:
    """A repeated field."""
    return b"".join(field(number, payload) for payload in payloads)


def tensor_type(dims: Iterable[int | str] | None, element: int = FLOAT) -> bytes:
    """A TypeProto; a dim is a number or a name, "" for an unknown one."""
    if dims is None:
        return field(1, integer(1, element))
    shape = fields(1, (field(2, dim) if isinstance(dim, str) else integer(1, dim) for dim in dims))
    return field(1, integer(1, element) + field(2, shape))


def sequence_type(depth: int) -> bytes:
    """A sequence of sequences, that deep, of float32."""
    size = len(inner := tensor_type(None))
    heads = []
    for _ in range(depth):  # inside out: each is a field elem_type in a field sequence_type
        head = varint(1 << 3 | 2) + varint(size)
        outer = varint(4 << 3 | 2) + varint(size + len(head))
        heads.append(outer + head)
        size += len(outer) + len(head)
    return b"".join(reversed(heads)) + inner


def value(name: str, type_: bytes | None = None) -> bytes:
    """A ValueInfoProto; float32[2] where no type is specified."""
    return field(1, name) + field(2, tensor_type([2]) if type_ is None else type_)


def attribute(name: str, content: bytes, kind: int) -> bytes:
    """An AttributeProto of that AttributeType, with the field that holds its value."""
    return field(1, name) + content + integer(20, kind)


def int_attribute(name: str, number: int) -> bytes:
    """An attribute of type INT."""
    return attribute(name, integer(3, number), 2)


def ints_attribute(name: str, numbers: Iterable[int]) -> bytes:
    """An attribute of type INTS."""
    return attribute(name, field(8, b"".join(varint(number & (1 << 64) - 1) for number in numbers)), 7)


def tensor_attribute(name: str, tensor_: bytes) -> bytes:
    """An attribute of type TENSOR."""
    return attribute(name, field(5, tensor_), 4)


def graph_attribute(name: str, graph_: bytes) -> bytes:
    """An attribute of type GRAPH."""
    return attribute(name, field(6, graph_), 5)


def reference(name: str, to: str, kind: int) -> bytes:
    """An attribute that refers to one of the function around it."""
    return attribute(name, field(21, to), kind)


def node(
    op: str, inputs: Iterable[str], outputs: Iterable[str], *attributes: bytes, domain: str = "", name: str = ""
) -> bytes:
    """A NodeProto."""
    return (
        fields(1, inputs)
        + fields(2, outputs)
        + (field(3, name) if name else b"")
        + field(4, op)
        + fields(5, attributes)
        + (field(7, domain) if domain else b"")
    )


def tensor(name: str, dims: Iterable[int], raw: bytes, element: int = INT64) -> bytes:
    """A TensorProto with raw data."""
    return b"".join(integer(1, dim) for dim in dims) + integer(2, element) + field(8, name) + field(9, raw)


def external_tensor(name: str, dims: Iterable[int], location: str, element: int = INT64) -> bytes:
    """A TensorProto whose data is in another file, at its start."""
    entry = field(1, "location") + field(2, location)
    return (
        b"".join(integer(1, dim) for dim in dims)
        + integer(2, element)
        + field(8, name)
        + field(13, entry)
        + integer(14, 1)
    )


def graph(
    nodes: Iterable[bytes],
    inputs: Iterable[bytes] = (),
    outputs: Iterable[bytes] = (),
    initializers: Iterable[bytes] = (),
    infos: Iterable[bytes] = (),
    name: str = "g",
) -> bytes:
    """A GraphProto."""
    return (
        fields(1, nodes)
        + field(2, name)
        + fields(5, initializers)
        + fields(11, inputs)
        + fields(12, outputs)
        + fields(13, infos)
    )


def branch(name: str, nodes: Iterable[bytes], outputs: Iterable[str], infos: Iterable[bytes] = ()) -> bytes:
    """A graph without inputs as an attribute, its outputs without types."""
    return graph_attribute(name, graph(nodes, outputs=(field(1, out) for out in outputs), infos=infos))


def opset(domain: str = "", version: int = OPSET) -> bytes:
    """An OperatorSetIdProto."""
    return (field(1, domain) if domain else b"") + integer(2, version)


def function(
    name: str,
    nodes: Iterable[bytes],
    inputs: Iterable[str] = ("a",),
    outputs: Iterable[str] = ("b",),
    attributes: Iterable[str] = (),
    defaults: Iterable[bytes] = (),
) -> bytes:
    """A FunctionProto of the domain "local"."""
    return (
        field(1, name)
        + fields(4, inputs)
        + fields(5, outputs)
        + fields(6, attributes)
        + fields(7, nodes)
        + fields(9, [opset(), opset("local", 1)])
        + field(10, "local")
        + fields(11, defaults)
    )


def model(graph_: bytes, functions: Iterable[bytes] = (), version: int = OPSET) -> bytes:
    """A ModelProto of IR version 10 that imports ONNX's operators and the domain "local"."""
    imports = fields(8, [opset(version=version), opset("local", 1)])
    return integer(1, 10) + field(7, graph_) + imports + fields(25, functions)
