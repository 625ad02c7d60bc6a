"""Files made to hurt: each gets one clear sentence and the right exit code, in bounded memory and time."""

import os
import subprocess
from collections import deque
from collections.abc import Callable
from pathlib import Path

import onnx
import pytest
from costly_captures import through_levels
from measured import IFCERT, MEBIBYTE, run
from onnx import TensorProto, helper
from onnx_wire import field, varint

HANG_SECONDS = 120
FLOAT = TensorProto.FLOAT


def ifcert(*arguments: object) -> tuple[int, str, int]:
    """Exit code, standard error, and the most memory that was resident, in bytes. A run that would hang is ended by its
    processor time, one that would take all memory by its address space."""
    cost = run(*arguments, memory=4096 * MEBIBYTE)
    return cost.code, cost.said, cost.resident


def nest(levels: int) -> bytes:
    """Ifs in each other's then_branch, that deep; the innermost negates x."""

    def node(op: bytes, source: bytes, result: bytes) -> bytes:
        return field(1, source) + field(2, result) + field(4, op)

    parts = deque([field(2, b"g") + field(1, node(b"Neg", b"x", b"v")) + field(12, field(1, b"v"))])
    size = len(parts[0])

    def put(before: bytes, after: bytes = b"") -> None:
        nonlocal size
        parts.appendleft(before)
        parts.append(after)
        size += len(before) + len(after)

    def wrap(number: int) -> None:
        put(varint(number << 3 | 2) + varint(size))

    shape = field(2, field(1, b"\x08\x02"))
    pair = field(2, field(1, b"\x08\x01" + shape))
    for level in range(levels):
        out, flat_out = b"u%d" % level, b"w%d" % level
        flat = field(2, b"e") + field(1, node(b"Identity", b"x", flat_out)) + field(12, field(1, flat_out))
        graph_type = b"\xa0\x01\x05"
        wrap(6)
        put(field(1, b"then_branch"), graph_type)
        wrap(5)
        put(node(b"If", b"c", out) + field(5, field(1, b"else_branch") + field(6, flat) + graph_type))
        wrap(1)
        put(field(2, b"g"), field(12, field(1, out) + (pair if level == levels - 1 else b"")))
    put(field(11, field(1, b"c") + field(2, field(1, b"\x08\x09" + field(2, b"")))))
    put(field(11, field(1, b"x") + pair))
    wrap(7)
    put(b"\x08\x08", field(8, b"\x10\x10"))
    return b"".join(parts)


def test_a_nest_of_a_thousand_runs_and_one_of_ten_thousand_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nest.onnx"
    path.write_bytes(nest(1000))
    assert ifcert("check", path)[:2] == (0, "")
    assert ifcert("run", path, "--input", "c=true", "--input", "x=[1, 2]")[:2] == (0, "")
    path.write_bytes(nest(10_000))
    for command in ["check", "run", "show"]:
        code, said, _ = ifcert(command, path)
        assert (code, said.count("\n")) == (2, 1), (command, said)
        assert "nested deeper than 1000 levels" in said


def save(path: Path, nodes: list[onnx.NodeProto], inputs: list[onnx.ValueInfoProto], **more: object) -> Path:
    """A model of these nodes without outputs worth naming."""
    graph = helper.make_graph(nodes, "main", inputs, [], more.pop("initializers", []))
    imports = [helper.make_opsetid("", 16), helper.make_opsetid("local", 1)]
    onnx.save(helper.make_model(graph, opset_imports=imports, ir_version=10, **more), path)
    return path


def pair(name: str = "x") -> onnx.ValueInfoProto:
    """A declared float32[2]."""
    return helper.make_tensor_value_info(name, FLOAT, [2])


def ranks(path: Path) -> Path:
    """A type of 30 000 dims, passed on by 10 000 nodes."""
    nodes = [helper.make_node("Identity", [f"x{i}"], [f"x{i + 1}"]) for i in range(10_000)]
    return save(path, nodes, [helper.make_tensor_value_info("x0", FLOAT, [None] * 30_000)])


def calls(path: Path) -> Path:
    """A function of 30 000 inputs, called 30 000 times."""
    imports = [helper.make_opsetid("", 16)]
    inputs = [f"a{i}" for i in range(30_000)]
    function = helper.make_function("local", "f", inputs, ["b"], [helper.make_node("Neg", ["a0"], ["b"])], imports)
    nodes = [helper.make_node("f", ["x"], [f"y{i}"], domain="local") for i in range(30_000)]
    return save(path, nodes, [pair()], functions=[function])


def messages(path: Path) -> Path:
    """A node of two million empty attributes: four megabytes."""
    graph = field(2, b"main") + field(1, b"\x2a\x00" * 2_000_000)
    path.write_bytes(b"\x08\x08" + field(7, graph) + field(8, b"\x10\x10"))
    return path


def overlapping(path: Path, step: int) -> Path:
    """A thousand tensors of 16 MiB of external data each, off every alignment, which begin `step` bytes apart."""
    count = 4 * MEBIBYTE
    (path.parent / "weights.bin").write_bytes(bytes(4 * count + 4 + 1000 * step))
    tensors = []
    for i in range(1000):
        tensor = TensorProto(name=f"k{i}", data_type=FLOAT, dims=[count], data_location=TensorProto.EXTERNAL)
        for key, value in [("location", "weights.bin"), ("offset", str(4 + i * step))]:
            tensor.external_data.add(key=key, value=value)
        tensors.append(tensor)
    return save(path, [], [], initializers=tensors)


def again_and_again(path: Path) -> Path:
    """A thousand tensors that each use another 16 MiB of nearly the same external data."""
    return overlapping(path, 4)


def functions_of_functions(path: Path) -> Path:
    """Each function calls the one below it twice, forty deep."""
    imports = [helper.make_opsetid("", 16), helper.make_opsetid("local", 1)]
    functions = [helper.make_function("local", "f0", ["a"], ["b"], [helper.make_node("Neg", ["a"], ["b"])], imports)]
    for i in range(1, 40):
        below = f"f{i - 1}"
        nodes = [
            helper.make_node(below, ["a"], ["m"], domain="local"),
            helper.make_node(below, ["m"], ["b"], domain="local"),
        ]
        functions.append(helper.make_function("local", f"f{i}", ["a"], ["b"], nodes, imports))
    return save(path, [helper.make_node("f39", ["x"], ["y"], domain="local")], [pair()], functions=functions)


@pytest.mark.parametrize("make", [ranks, calls, messages, again_and_again, functions_of_functions])
def test_the_cost_of_a_small_file_is_bounded(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    path = make(tmp_path / "model.onnx")
    code, said, resident = ifcert("check", path)
    assert (code, said.count("\n")) == (2, 1), said
    assert "onnx/model/size-limit" in said
    print(f"{make.__name__}: {path.stat().st_size} bytes, {resident // MEBIBYTE} MiB resident")
    assert resident < 512 * MEBIBYTE + 64 * path.stat().st_size


def test_tensors_of_the_same_external_data_share_its_memory(tmp_path: Path) -> None:
    path = overlapping(tmp_path / "model.onnx", 0)
    code, said, resident = ifcert("check", path)
    assert (code, said) == (0, "")
    assert resident < 256 * MEBIBYTE + 64 * path.stat().st_size


def test_defaults_are_shared_by_all_calls(tmp_path: Path) -> None:
    imports = [helper.make_opsetid("", 16)]
    body = [helper.make_node("Neg", ["a"], ["b"])]
    defaults = [helper.make_attribute(f"p{i}", list(range(100))) for i in range(300)]
    function = helper.make_function("local", "f", ["a"], ["b"], body, imports, attribute_protos=defaults)
    nodes = [helper.make_node("f", ["x"], [f"y{i}"], domain="local") for i in range(300)]
    code, said, resident = ifcert("check", save(tmp_path / "model.onnx", nodes, [pair()], functions=[function]))
    assert (code, said) == (0, "")
    assert resident < 64 * MEBIBYTE


def external(path: Path, **entries: str) -> Path:
    """A model whose one initializer, float32[2], has the data that the entries describe."""
    tensor = TensorProto(name="k", data_type=FLOAT, dims=[2], data_location=TensorProto.EXTERNAL)
    for key, value in entries.items():
        tensor.external_data.add(key=key, value=value)
    return save(path, [], [], initializers=[tensor])


def test_external_data_is_a_plain_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "device").symlink_to("/dev/zero")
    for location, code, sentence in [
        ("pipe", 2, "pipe: not a regular file"),
        ("folder", 2, "folder: Is a directory"),
        ("nothing", 2, "nothing: No such file or directory"),
        ("x" * 5000, 2, "File name too long"),
        ("device", 1, "onnx/model/external-data-in-folder"),
        ("/dev/zero", 1, "onnx/model/external-data-in-folder"),
        ("../k.bin", 1, "onnx/model/external-data-in-folder"),
        ("", 1, "onnx/model/external-data-in-folder"),
    ]:
        path = external(tmp_path / "model.onnx", location=location)
        run = subprocess.run([IFCERT, "check", path], capture_output=True, text=True, timeout=HANG_SECONDS)
        assert run.returncode == code, location
        assert sentence in run.stdout + run.stderr, location
        assert 'initializer "k"' in run.stdout + run.stderr, location


@pytest.mark.parametrize(
    "entries",
    [
        {"offset": "1"},
        {"offset": "18446744073709551615"},
        {"offset": "18446744073709551616"},
        {"offset": "-1"},
        {"offset": "0x0"},
        {"length": "9223372036854775808"},
        {"length": "0"},
        {"offset": "18446744073709551612", "length": "8"},
    ],
    ids=str,
)
def test_external_data_stays_inside_its_file(tmp_path: Path, entries: dict[str, str]) -> None:
    (tmp_path / "k.bin").write_bytes(bytes(8))
    path = external(tmp_path / "model.onnx", location="k.bin", **entries)
    run = subprocess.run([IFCERT, "check", path], capture_output=True, text=True, timeout=HANG_SECONDS)
    assert run.returncode == 1
    assert "onnx/model/tensor-data-fits-shape" in run.stdout


def test_models_that_are_not_plain_files_do_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.onnx")
    (tmp_path / "device.onnx").symlink_to("/dev/zero")
    for name in ["pipe.onnx", "device.onnx"]:
        code, said, _ = ifcert("check", tmp_path / name)
        assert (code, said.count("\n")) == (2, 1)
        assert "not a regular file" in said


def test_a_run_that_needs_too_much_reports_it(tmp_path: Path) -> None:
    shape = helper.make_tensor("shape", TensorProto.INT64, [2], [1 << 31, 1 << 31])
    graph = helper.make_graph(
        [helper.make_node("Expand", ["x", "shape"], ["y"])],
        "main",
        [helper.make_tensor_value_info("x", FLOAT, [1])],
        [helper.make_tensor_value_info("y", FLOAT, [None, None])],
        [shape],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)]), tmp_path / "model.onnx")
    code, said, _ = ifcert("run", tmp_path / "model.onnx", "--input", "x=[1]")
    assert (code, said.count("\n")) == (2, 1), said


def ir_layer(id: int, type_: str, data: str = "", inputs: str = "", outputs: str = '<port id="0"/>') -> str:
    """A layer of IR without a body."""
    return (
        f'<layer id="{id}" name="l{id}" type="{type_}" version="opset1">{data}<input>{inputs}</input>'
        f"<output>{outputs}</output></layer>"
    )


def ir_edge(layer: int, port: int, to: int) -> str:
    """An edge to port 0 of a layer, which is not its output port."""
    return f'<edge from-layer="{layer}" from-port="{port}" to-layer="{to}" to-port="0"/>'


def ir(path: Path, layers: str, edges: str = "") -> Path:
    """A model in IR."""
    path.write_text(f'<net name="n" version="11"><layers>{layers}</layers><edges>{edges}</edges></net>')
    return path


def ir_nest(path: Path, levels: int) -> Path:
    """Ifs in each other's then_body, that deep; each else_body and the innermost then_body return p."""
    p = ir_layer(0, "Parameter", '<data element_type="boolean" shape=""/>')
    result = ir_layer(2, "Result", inputs='<port id="0"/>', outputs="")
    same = f"<layers>{p}{result}</layers><edges>{ir_edge(0, 0, 2)}</edges>"
    entries = '<input external_port_id="0" internal_layer_id="0"/><output external_port_id="1" internal_layer_id="2"/>'
    before = (
        f'<layers>{p}<layer id="1" name="i" type="If" version="opset8"><input><port id="0"/></input>'
        f'<output><port id="1" precision="BOOL"/></output><then_port_map>{entries}</then_port_map>'
        f"<else_port_map>{entries}</else_port_map><else_body>{same}</else_body><then_body>"
    )
    after = f"</then_body></layer>{result}</layers><edges>{ir_edge(0, 0, 1)}{ir_edge(1, 1, 2)}</edges>"
    path.write_text(f'<net name="n" version="11">{before * levels}{same}{after * levels}</net>')
    return path


def test_a_nest_of_ir_of_a_thousand_runs_and_one_of_five_thousand_is_refused(tmp_path: Path) -> None:
    path = ir_nest(tmp_path / "nest.xml", 1000)
    assert ifcert("check", path)[:2] == (0, "")
    assert ifcert("run", path, "--input", "l0=true")[:2] == (0, "")
    ir_nest(path, 5000)
    for command in ["check", "run", "show"]:
        code, said, _ = ifcert(command, path)
        assert (code, said.count("\n")) == (2, 1), (command, said)
        assert "bodies are nested more than 1000 deep" in said


def ir_ranks(path: Path) -> Path:
    """A type of 30 000 dims, passed on by 10 000 layers."""
    shape = ",".join(["?"] * 30_000)
    layers = [ir_layer(0, "Parameter", f'<data element_type="f32" shape="{shape}"/>', outputs='<port id="1"/>')]
    layers += [ir_layer(i, "Abs", inputs='<port id="0"/>', outputs='<port id="1"/>') for i in range(1, 10_000)]
    return ir(path, "".join(layers), "".join(ir_edge(i - 1, 1, i) for i in range(1, 10_000)))


def ir_overlapping(path: Path, step: int) -> Path:
    """A thousand constants of 16 MiB of the .bin each, off every alignment, which begin `step` bytes apart."""
    size = 16 * MEBIBYTE
    path.with_suffix(".bin").write_bytes(bytes(size + 4 + 1000 * step))
    data = f'<data element_type="f32" shape="{size // 4}" offset="{{}}" size="{size}"/>'
    return ir(path, "".join(ir_layer(i, "Const", data.format(4 + i * step)) for i in range(1000)))


def ir_again_and_again(path: Path) -> Path:
    """A thousand constants that each use another 16 MiB of nearly the same .bin."""
    return ir_overlapping(path, 4)


@pytest.mark.parametrize("make", [ir_ranks, ir_again_and_again])
def test_the_cost_of_a_small_ir_is_bounded(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    path = make(tmp_path / "model.xml")
    code, said, resident = ifcert("check", path)
    assert (code, said.count("\n")) == (2, 1), said
    assert "openvino/ir/size-limit" in said
    assert resident < 512 * MEBIBYTE + 64 * path.stat().st_size


def test_constants_of_the_same_bytes_share_their_memory(tmp_path: Path) -> None:
    path = ir_overlapping(tmp_path / "model.xml", 0)
    code, said, resident = ifcert("check", path)
    assert (code, said) == (0, "")
    assert resident < 256 * MEBIBYTE + 64 * path.stat().st_size


def ir_long_name(path: Path) -> Path:
    """A layer of a name of two megabytes and 100 000 output ports."""
    ports = "".join(f'<port id="{i}"/>' for i in range(100_000))
    layer = ir_layer(0, "Perhaps", outputs=ports).replace('name="l0"', f'name="{"n" * 2_000_000}"')
    return ir(path, layer)


def ir_elements(path: Path) -> Path:
    """Two million empty elements."""
    return ir(path, "", "<a/>" * 2_000_000)


def ir_deep_elements(path: Path) -> Path:
    """Elements that are nested 500 000 deep."""
    return ir(path, "", "<a>" * 500_000 + "</a>" * 500_000)


def ir_attributes(path: Path) -> Path:
    """A layer of 200 000 attributes."""
    return ir(path, ir_layer(0, "Perhaps", "<data " + " ".join(f'a{i}=""' for i in range(200_000)) + "/>"))


def ir_faults(path: Path) -> Path:
    """100 000 edges between layers that do not exist."""
    return ir(path, "", ir_edge(1, 1, 2) * 100_000)


@pytest.mark.parametrize("make", [ir_long_name, ir_elements, ir_deep_elements, ir_attributes, ir_faults])
def test_a_large_ir_costs_a_modest_multiple_of_itself(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    path = make(tmp_path / "model.xml")
    code, said, resident = ifcert("check", path)
    assert (code, said) == (1 if make is ir_faults else 0, "")
    assert resident < 64 * MEBIBYTE + 64 * path.stat().st_size


@pytest.mark.parametrize("ending", ["xml", "tflite", "circle"])
def test_values_that_pass_through_too_many_bodies_are_refused_with_limit_and_place(tmp_path: Path, ending: str) -> None:
    model = through_levels(tmp_path / "model.onnx", 200_000)
    (tmp_path / "out").mkdir()
    code, said, _ = ifcert("convert", model, tmp_path / "out" / f"m.{ending}")
    assert code == 2
    assert "more than 67108864 bytes of captured values, counted in each body" in said
    assert 'graph "g" / node 0 (If) / then_branch / ' in said
    assert list((tmp_path / "out").iterdir()) == []


def test_values_of_more_bodies_than_any_model_needs_are_refused_by_every_command(tmp_path: Path) -> None:
    model = through_levels(tmp_path / "model.onnx", 960_400)
    for arguments in (("check", model), ("run", model), ("show", model), ("convert", model, tmp_path / "m.onnx")):
        code, said, _ = ifcert(*arguments)
        assert code == 2, arguments
        assert "captured values, counted in each graph" in said
        assert "onnx/model/size-limit" in said
