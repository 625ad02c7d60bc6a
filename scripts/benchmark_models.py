"""The models that scripts/benchmark measures, with their inputs.

usage: .venv/bin/python scripts/benchmark_models.py FOLDER

Writes NAME.onnx, NAME.xml or NAME.tflite and NAME.INPUT.npy for each; heavy.onnx has 2 GB of external weights, in a
sparse file.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import onnx
from ifcert.authoring.tflite import TfliteModel, tflite
from onnx import TensorProto, helper, parser

PAIR = """<ir_version: 8, opset_import: ["" : 16]>
choice (bool cond, float[5] x, float[5] z) => (float[5] y) {
    y = If (cond) <
        then_branch = sum () => (float[5] a) { a = Add (x, z) },
        else_branch = difference () => (float[5] b) { b = Sub (x, z) }>
}"""

CONSTANTS = """<ir_version: 8, opset_import: ["" : 16]>
choice (bool cond) => (float[2] y) {
    y = If (cond) <
        then_branch = one () => (float[2] a) { a = Constant <value = float[2] {1, 2}> () },
        else_branch = other () => (float[2] b) { b = Constant <value = float[2] {3, 4}> () }>
}"""

PASS_ON = """<ir_version: 8, opset_import: ["" : 16]>
choice (bool cond, float[4194304] x) => (float[4194304] y) {
    y = If (cond) <
        then_branch = one () => (float[4194304] a) { a = Identity (x) },
        else_branch = other () => (float[4194304] b) { b = Identity (x) }>
}"""


def field(number: int, content: bytes) -> bytes:
    """A length-delimited field of a message: Python's protobuf nests at most a hundred messages."""
    header = bytearray([number << 3 | 2] if number < 16 else [number << 3 & 0x7F | 0x82, number >> 4])
    size = len(content)
    while size > 0x7F:
        header.append(size & 0x7F | 0x80)
        size >>= 7
    return bytes([*header, size]) + content


def nested(depth: int) -> bytes:
    """Nested Ifs, each in then_branch; the innermost adds the captured x to itself."""
    port = {
        name: helper.make_tensor_value_info(name, kind, shape).SerializeToString()
        for name, kind, shape in (("cond", TensorProto.BOOL, []), ("x", TensorProto.FLOAT, [5]))
    }
    node = field(1, helper.make_node("Add", ["x", "x"], ["y"]).SerializeToString())
    for level in range(depth):
        output = field(12, helper.make_tensor_value_info("y", TensorProto.FLOAT, [5]).SerializeToString())
        then_branch = node + field(2, b"then%d" % level) + output
        other = helper.make_node("Identity", ["x"], ["z"])
        output = helper.make_tensor_value_info("z", TensorProto.FLOAT, [5])
        else_branch = helper.make_graph([other], f"else{level}", [], [output]).SerializeToString()
        graph = bytes([20 << 3 & 0x7F | 0x80, 20 >> 4, onnx.AttributeProto.GRAPH])
        branches = [
            field(5, field(1, name) + field(6, branch) + graph)
            for name, branch in ((b"then_branch", then_branch), (b"else_branch", else_branch))
        ]
        node = field(1, field(1, b"cond") + field(2, b"y") + field(4, b"If") + b"".join(branches))
    output = field(12, helper.make_tensor_value_info("y", TensorProto.FLOAT, [5]).SerializeToString())
    main = node + field(2, b"nest") + field(11, port["cond"]) + field(11, port["x"]) + output
    return bytes([1 << 3, 8]) + field(7, main) + field(8, bytes([2 << 3, 16]))


def tower(depth: int) -> str:
    """The same in IR, without a sum: a vector's model, at any depth."""
    path = Path(__file__).resolve().parents[1] / "vectors" / "openvino" / "nesting" / "towers.py"
    spec = spec_from_file_location("towers", path)
    towers = module_from_spec(spec)
    spec.loader.exec_module(towers)
    return towers.tower(depth).xml


def heavy(folder: Path) -> onnx.ModelProto:
    """A model whose weights, 2 GB of zeros, are in a file of their own."""
    weights = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[1 << 29])
    weights.data_location = TensorProto.EXTERNAL
    weights.external_data.add(key="location", value="heavy.bin")
    with (folder / "heavy.bin").open("wb") as file:
        file.truncate(1 << 31)
    text = CONSTANTS.replace("float[2] y)", "float[n] y)").replace("float[2] a) {", "float[n] a) {")
    model = parser.parse_model(text)
    branch = model.graph.node[0].attribute[0].g
    branch.node[0].CopyFrom(helper.make_node("Identity", ["w"], ["a"]))
    model.graph.initializer.append(weights)
    return model


def with_defaults(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same model with every constant as the default of an input, which a caller may replace: none can be folded."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    constants: list[TensorProto] = []

    def move(graph: onnx.GraphProto) -> None:
        values = list(graph.initializer)
        for node in [node for node in graph.node if node.op_type == "Constant" and node.attribute[0].name == "value"]:
            values.append(onnx.TensorProto())
            values[-1].CopyFrom(node.attribute[0].t)
            values[-1].name = node.output[0]
            graph.node.remove(node)
        names = {value.name: f"default{len(constants) + number}" for number, value in enumerate(values)}
        del graph.initializer[:]
        rename(graph, names)
        for value in values:
            value.name = names[value.name]
        constants.extend(values)
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    move(attribute.g)

    def rename(graph: onnx.GraphProto, names: dict[str, str]) -> None:
        for node in graph.node:
            node.input[:] = [names.get(name, name) for name in node.input]
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    rename(attribute.g, names)
        for output in graph.output:
            output.name = names.get(output.name, output.name)

    move(copy.graph)
    copy.graph.initializer.extend(constants)
    for value in constants:
        copy.graph.input.append(helper.make_tensor_value_info(value.name, value.data_type, value.dims))
    return copy


def models(folder: Path) -> dict[str, tuple[onnx.ModelProto | bytes, dict[str, np.ndarray]]]:
    """Name → model and inputs."""
    cond, x = np.True_, np.arange(5, dtype=np.float32)
    return {
        "constants": (parser.parse_model(CONSTANTS), {"cond": cond}),
        "pair": (parser.parse_model(PAIR), {"cond": cond, "x": x, "z": x}),
        "pass-on": (parser.parse_model(PASS_ON), {"cond": cond, "x": np.ones(1 << 22, np.float32)}),
        "nested-8": (nested(8), {"cond": cond, "x": x}),
        "nested-25": (nested(25), {"cond": cond, "x": x}),
        "nested-100": (nested(100), {"cond": cond, "x": x}),
        "nested-800": (nested(800), {"cond": cond, "x": x}),
        "heavy": (heavy(folder), {}),
    }


def passed_through_ifs(depth: int) -> TfliteModel:
    """An IF in another's then subgraph, and so on: each receives and returns x."""

    def level(number: int) -> str:
        inner = f"level{number + 1}" if number + 1 < depth else "given"
        return f"""
    subgraph level{number} (c{number}: bool[], x{number}: float32[?]) -> (y{number})
      y{number}: float32[?] = IF(c{number}, c{number}, x{number}) then={inner} else=given
"""

    return tflite(
        "".join(map(level, range(depth)))
        + """
    subgraph given (c: bool[], x: float32[?]) -> (x)
"""
    )


PASSED_THROUGH_TRIPS = tflite("""
    subgraph main (n: int32[], i: int32[], x: float32[?]) -> (z)
      m: int32[], j: int32[], z: float32[?] = WHILE(n, i, x) cond=more body=trip
    subgraph more (n: int32[], i: int32[], x: float32[?]) -> (again)
      again: bool[] = LESS(i, n)
    subgraph trip (n: int32[], i: int32[], x: float32[?]) -> (n, next, x)
      one: int32[] = 1
      next: int32[] = ADD(i, one)
""")


def tflite_models() -> dict[str, tuple[TfliteModel, dict[str, np.ndarray]]]:
    """Name → model and inputs: a value that is passed on, of 64 bytes and of 64 MB, and nests of several depths."""
    models = {}
    for size, count in (("64B", 1 << 4), ("64MB", 1 << 24)):
        x = np.ones(count, np.float32)
        models[f"ifs-{size}"] = (passed_through_ifs(100), {"c0": np.True_, "x0": x})
        models[f"trips-{size}"] = (PASSED_THROUGH_TRIPS, {"n": np.int32(1000), "i": np.int32(0), "x": x})
    for depth in (125, 250, 500, 1000):
        models[f"subgraphs-{depth}"] = (passed_through_ifs(depth), {"c0": np.True_, "x0": np.ones(5, np.float32)})
    return models


def main() -> None:
    """Writes them all, and silero_vad beside them."""
    folder = Path(sys.argv[1])
    for name, (model, inputs) in models(folder).items():
        (folder / f"{name}.onnx").write_bytes(model if isinstance(model, bytes) else model.SerializeToString())
        for port, value in inputs.items():
            np.save(folder / f"{name}.{port}.npy", value)
    for depth in (125, 250, 500, 1000):
        (folder / f"tower-{depth}.xml").write_text(tower(depth))
        np.save(folder / f"tower-{depth}.p.npy", np.True_)
    for name, (model, inputs) in tflite_models().items():
        (folder / f"{name}.tflite").write_bytes(model.files()[model.file])
        for port, value in inputs.items():
            np.save(folder / f"{name}.{port}.npy", value)
    package = Path(find_spec("silero_vad").origin).parent
    silero = (package / "data" / "silero_vad.onnx").read_bytes()
    (folder / "silero.onnx").write_bytes(silero)
    unfolded = with_defaults(onnx.ModelProto.FromString(silero))
    (folder / "silero-unfolded.onnx").write_bytes(unfolded.SerializeToString())
    chunk = np.sin(np.arange(576, dtype=np.float32) * 0.07)[None] * np.float32(0.3)
    for port, value in {"input": chunk, "state": np.zeros((2, 1, 128), np.float32), "sr": np.int64(16000)}.items():
        np.save(folder / f"silero.{port}.npy", value)
        np.save(folder / f"silero-unfolded.{port}.npy", value)


if __name__ == "__main__":
    main()
