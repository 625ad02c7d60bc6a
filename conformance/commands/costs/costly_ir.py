"""Files of OpenVINO IR that would cost more than a modest multiple of their size, as in costly_onnx.py."""

from math import isqrt
from pathlib import Path


def layer(id_: int, type_: str, data: str = "", inputs: str = "", outputs: str = "", name: str = "") -> str:
    """A layer of opset 1."""
    return (
        f'<layer id="{id_}" name="{name or f"l{id_}"}" type="{type_}" version="opset1">{data}'
        f"<input>{inputs}</input><output>{outputs}</output></layer>"
    )


def edge(from_: int, port: int, to: int, to_port: int = 0) -> str:
    """An edge to a port, 0 where none is specified."""
    return f'<edge from-layer="{from_}" from-port="{port}" to-layer="{to}" to-port="{to_port}"/>'


def save(path: Path, layers: list[str], edges: list[str] | None = None) -> Path:
    """Writes the model."""
    path.write_text(
        f'<net name="n" version="11"><layers>{"".join(layers)}</layers><edges>{"".join(edges or [])}</edges></net>'
    )
    return path


def plain(path: Path, size: int) -> Path:
    """A model of about that many bytes that is harmless: a chain of layers."""
    count = max(1, size // 220)
    layers = [layer(0, "Parameter", '<data element_type="f32" shape="2"/>', outputs='<port id="1"/>')]
    layers += [layer(i, "Abs", inputs='<port id="0"/>', outputs='<port id="1"/>') for i in range(1, count)]
    layers.append(layer(count, "Result", inputs='<port id="0"/>'))
    return save(path, layers, [edge(i, 1, i + 1) for i in range(count)])


def attributes(path: Path, n: int) -> Path:
    """A layer whose data has n attributes."""
    data = "<data " + " ".join(f'a{i}=""' for i in range(n)) + "/>"
    return save(path, [layer(0, "Perhaps", data, outputs='<port id="0"/>')])


def attributes_of_a_port(path: Path, n: int) -> Path:
    """A port with n attributes in front of its id."""
    port = "<port " + " ".join(f'a{i}=""' for i in range(n)) + ' id="0"/>'
    return save(path, [layer(0, "Perhaps", outputs=port)])


def children(path: Path, n: int) -> Path:
    """n unknown elements before the contents of a layer."""
    return save(path, [layer(0, "Perhaps", "<a/>" * n, outputs='<port id="0"/>')])


def ports(path: Path, n: int) -> Path:
    """An operator with n inputs and n outputs."""
    ports = "".join(f'<port id="{i}"/>' for i in range(n))
    outputs = "".join(f'<port id="{i}"/>' for i in range(n, 2 * n))
    return save(path, [layer(0, "Perhaps", inputs=ports, outputs=outputs)])


def long_name(path: Path, n: int) -> Path:
    """A long name of a value with many readers: ONNX writes it for each."""
    count = n // 100
    layers = [layer(0, "Parameter", '<data element_type="f32" shape="2"/>', outputs='<port id="1"/>', name="v" * n)]
    layers += [layer(i, "Abs", inputs='<port id="0"/>', outputs='<port id="1"/>') for i in range(1, count)]
    layers.append(layer(count, "Result", inputs='<port id="0"/>'))
    return save(path, layers, [*(edge(0, 1, i) for i in range(1, count)), edge(count - 1, 1, count)])


def shared_list(path: Path, n: int) -> Path:
    """A list of n numbers that many layers read."""
    path.with_suffix(".bin").write_bytes(bytes(8 * n))
    count = n // 10
    layers = [layer(0, "Parameter", '<data element_type="f32" shape="..."/>', outputs='<port id="1"/>')]
    data = f'<data element_type="i64" shape="{n}" offset="0" size="{8 * n}"/>'
    layers.append(layer(1, "Const", data, outputs='<port id="1"/>'))
    edges = []
    for i in range(2, count + 2):
        ports = '<port id="0"/><port id="1"/>'
        options = '<data special_zero="true"/>'
        layers.append(layer(i, "Reshape", options, inputs=ports, outputs='<port id="2"/>'))
        edges += [edge(0, 1, i), edge(1, 1, i, 1)]
    layers.append(layer(count + 2, "Result", inputs='<port id="0"/>'))
    return save(path, layers, [*edges, edge(2, 2, count + 2)])


def shared_order(path: Path, n: int) -> Path:
    """An order of 400 axes that n Transposes use."""
    path.with_suffix(".bin").write_bytes(b"".join(i.to_bytes(8, "little") for i in range(400)))
    layers = [layer(0, "Parameter", '<data element_type="f32" shape="..."/>', outputs='<port id="1"/>')]
    layers.append(
        layer(1, "Const", '<data element_type="i64" shape="400" offset="0" size="3200"/>', outputs='<port id="1"/>')
    )
    edges = []
    for i in range(2, n + 2):
        layers.append(layer(i, "Transpose", inputs='<port id="0"/><port id="1"/>', outputs='<port id="2"/>'))
        edges += [edge(0, 1, i), edge(1, 1, i, 1)]
    layers.append(layer(n + 2, "Result", inputs='<port id="0"/>'))
    return save(path, layers, [*edges, edge(2, 2, n + 2)])


def many_axes(path: Path, n: int) -> Path:
    """Indices of n axes, as many numbers as axes: counted for each number, that would be n squared."""
    path.with_suffix(".bin").write_bytes(bytes(8 * n + 4 * n))
    shape = ",".join([str(n)] + ["1"] * (n - 1))
    layers = [
        layer(
            0, "Const", f'<data element_type="f32" shape="{n}" offset="0" size="{4 * n}"/>', outputs='<port id="1"/>'
        ),
        layer(
            1,
            "Const",
            f'<data element_type="i64" shape="{shape}" offset="0" size="{8 * n}"/>',
            outputs='<port id="1"/>',
        ),
        layer(2, "Const", '<data element_type="i64" shape="" offset="0" size="8"/>', outputs='<port id="1"/>'),
        layer(
            3, "Gather", '<data batch_dims="0"/>', '<port id="0"/><port id="1"/><port id="2"/>', '<port id="3"/>'
        ).replace("opset1", "opset8"),
        layer(4, "Result", inputs='<port id="0"/>'),
    ]
    return save(path, layers, [edge(0, 1, 3), edge(1, 1, 3, 1), edge(2, 1, 3, 2), edge(3, 3, 4)])


def shared_constant(path: Path, n: int) -> Path:
    """n / 100 constants that are the same 10 n bytes."""
    path.with_suffix(".bin").write_bytes(bytes(10 * n // 4 * 4))
    size = 10 * n // 4 * 4
    count = n // 100
    data = f'<data element_type="f32" shape="{size // 4}" offset="0" size="{size}"/>'
    layers = [layer(i, "Const", data, outputs='<port id="1"/>') for i in range(count)]
    layers += [layer(count + i, "Result", inputs='<port id="0"/>') for i in range(count)]
    return save(path, layers, [edge(i, 1, count + i) for i in range(count)])


PORT = '<port id="{}"/>'.format
ENTRY = '<input external_port_id="{}" internal_layer_id="{}"/>'.format
RETURNED = '<output external_port_id="{}" internal_layer_id="{}"/>'.format
RESULT = '<layer id="{}" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>'.format
SCALAR, LIST = '<data element_type="boolean" shape=""/>', '<data element_type="f32" shape="1"/>'


def network(layers: str, edges: str) -> str:
    """The layers and the edges of a network."""
    return f"<layers>{layers}</layers><edges>{edges}</edges>"


def through_port_maps(path: Path, n: int) -> Path:
    """Values that Ifs in Ifs hand on, n of them times levels: each is in the port map of each."""
    levels = min(isqrt(n), 980)
    count = n // levels + 1  # of Parameters: cond, and the values
    lists = (layer(i, "Parameter", LIST, outputs=PORT(0)) for i in range(1, count))
    parameters = layer(0, "Parameter", SCALAR, outputs=PORT(0)) + "".join(lists)
    small = network(layer(0, "Parameter", LIST, outputs=PORT(0)) + RESULT(1), edge(0, 0, 1))
    ports = f'<input>{"".join(map(PORT, range(count)))}</input><output><port id="{count}" precision="FP32"/></output>'
    entries = "".join(ENTRY(i, i) for i in range(count))
    taken = "".join(edge(i, 0, count, i) for i in range(count)) + edge(count, count, count + 1)
    body = network(parameters + RESULT(count), edge(1, 0, count))
    result = count  # of the body around which the next If is
    for _ in range(levels):
        maps = f"<then_port_map>{entries}{RETURNED(count, result)}</then_port_map>"
        maps += f"<else_port_map>{ENTRY(1, 0)}{RETURNED(count, 1)}</else_port_map>"
        bodies = f"<then_body>{body}</then_body><else_body>{small}</else_body>"
        choice = f'<layer id="{count}" name="if" type="If" version="opset8">{ports}{maps}{bodies}</layer>'
        result = count + 1
        body = network(parameters + choice + RESULT(result), taken)
    path.write_text(f'<net name="n" version="11">{body}</net>')
    return path
