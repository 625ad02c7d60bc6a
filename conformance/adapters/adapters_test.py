"""The adapters as the runner starts them. What the runtimes get right is tested by the vectors, not here."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from listed_failures import has_list
from vector_lines import model_of, read_vector

ADAPTERS = Path(__file__).resolve().parent
ROOT = ADAPTERS.parents[1]
SDK = ROOT / "bindings" / "adapters" / "python"
sys.path.insert(0, str(SDK))

from adapter_process import AdapterProcess, validator  # noqa: E402 (the SDK is not an installed package)

EXECUTABLES = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
# scripts/test installs these only with --all, 200 to 600 MB each; they are tried where they are installed.
NOT_INSTALLED = os.environ.get("IFCERT_NOT_INSTALLED", "").split(",")  # by scripts/test --all, which names them
LARGE = {"apache-tvm", "iree", "onnxruntime-openvino", "opencv"}
NOT_CERTIFIED: set[str] = set()  # so nobody has listed their failures yet
NAMES = sorted(path.parent.name for path in ADAPTERS.glob("*/adapter.json"))
EXAMPLES = {
    "onnx": "onnx/if/then-when-true/test-cc-if",
    "openvino": "openvino/if/then-when-true/negated",
    "tflite": "tflite/if/then-when-true/add-or-negate",
}


def manifest(name: str) -> dict[str, Any]:
    return json.loads((ADAPTERS / name / "adapter.json").read_text())


# Each adapter with each format that it reads.
READERS = [(name, system) for name in NAMES for system in manifest(name)["systems"]]


def example(system: str) -> tuple[Path, list[dict[str, Any]], list[dict[str, Any]]]:
    """The model, the inputs of its first run and the outputs expected."""
    vector = read_vector(EXAMPLES[system])
    run = vector["steps"][1]["run"]
    return model_of(vector), run["inputs"], run["expect"]["outputs"]


def filled_in(name: str, word: str) -> str:
    """With the placeholders of a manifest replaced."""
    install = manifest(name)["install"]
    places = {
        "{adapter}": ADAPTERS / name,
        "{adapters}": ADAPTERS,
        "{environment}": ROOT / ".adapters" / (install["environment"] if install else "none"),
        "{bin}": EXECUTABLES,
    }
    for placeholder, place in places.items():
        word = word.replace(placeholder, str(place))
    return re.sub(r"^\{program:(.*)\}$", r"\1", word)


def command(name: str) -> list[str]:
    install = manifest(name)["install"]
    environment = ROOT / ".adapters" / (install["environment"] if install else "none")
    if name in NOT_INSTALLED:
        pytest.skip(f"{name} cannot be installed here: the last lines of scripts/test --all say why")
    if install and not environment.is_dir() and "python" not in install:
        pytest.skip(f"{name} needs tools of another language; `ifcert adapter install {name}` installs it")
    if name in LARGE and not environment.is_dir():
        pytest.skip(f"{name} is large; `ifcert adapter install {name}` installs it")
    if install and not environment.is_dir():
        pytest.fail(f"{environment} is missing: install it with `ifcert adapter install {name}`")
    if not install and not (EXECUTABLES / f"ifcert-{name}-adapter").is_file():
        pytest.fail(f"{EXECUTABLES} has no ifcert-{name}-adapter: build it with `cmake --build --preset release`")
    return [filled_in(name, word) for word in manifest(name)["command"]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[str], AdapterProcess]]:
    processes: list[AdapterProcess] = []
    private = {"PYTHONPATH": str(SDK), "HOME": str(tmp_path), "TMPDIR": str(tmp_path), "PATH": os.environ["PATH"]}

    def start_one(name: str) -> AdapterProcess:
        own = {variable: filled_in(name, value) for variable, value in manifest(name).get("env", {}).items()}
        processes.append(AdapterProcess(command(name), private | own))
        return processes[-1]

    yield start_one
    for process in processes:
        process.kill()


def test_there_are_adapters() -> None:
    runtimes = {"onnxruntime", "onnxruntime-noopt", "onnx-reference", "onnx-checker", "openvino-ir", "openvino-onnx"}
    tflite = {"litert", "litert-plain", "litert-ref", "onert"}
    assert runtimes | tflite | {"reference"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_manifest_matches_its_schema_and_its_folder(name: str) -> None:
    validator("adapter.schema.json").validate(manifest(name))
    assert manifest(name)["name"] == name
    if has_list(name):
        assert json.loads((ADAPTERS / name / "known_failures.json").read_text())["adapter"] == name
    else:
        assert name in NOT_CERTIFIED


def test_adapters_that_share_an_environment_install_the_same() -> None:
    installs: dict[str, dict[str, Any]] = {}
    for install in filter(None, (manifest(name)["install"] for name in NAMES)):
        assert installs.setdefault(install["environment"], install) == install


@pytest.mark.parametrize("name", NAMES)
def test_hello_names_the_adapter_and_the_pinned_version(name: str, start: Callable[[str], AdapterProcess]) -> None:
    hello = start(name).ask(cmd="hello", protocol=1)["hello"]
    assert hello["adapter"] == name
    assert hello["runtime"]["version"] == manifest(name)["version"]
    assert hello["formats"] == manifest(name)["systems"]


@pytest.mark.parametrize(("name", "system"), READERS)
def test_an_example_of_the_specification_is_computed(
    name: str, system: str, start: Callable[[str], AdapterProcess]
) -> None:
    adapter = start(name)
    computes = adapter.ask(cmd="hello", protocol=1)["hello"]["computes"]
    model, inputs, expected = example(system)
    [output] = adapter.load(model)["loaded"]["outputs"]
    assert output["name"] == expected[0]["name"]
    answer = adapter.run(inputs)
    if computes:
        assert answer["outputs"] == expected
        assert answer["runtime_ms"] > 0
    else:
        assert answer["unsupported"]["what"] == "run"
    assert adapter.ask(cmd="unload", id=3)["unloaded"] == {}
    code, rest, _ = adapter.leave()
    assert (code, rest) == (0, b"")


@pytest.mark.parametrize(("name", "system"), READERS)
def test_holding_and_threads_work_where_hello_declares_them(
    name: str, system: str, start: Callable[[str], AdapterProcess]
) -> None:
    adapter = start(name)
    hello = adapter.ask(cmd="hello", protocol=1)["hello"]
    model, inputs, expected = example(system)
    adapter.load(model)
    if hello["holds"]:
        assert adapter.ask(cmd="run", id=5, inputs=inputs, hold=True)["outputs"] == expected
        adapter.run(inputs)
        assert adapter.ask(cmd="reread", id=6, held=5)["outputs"] == expected
    if hello["threads"]:
        runs = adapter.ask(cmd="concurrent", id=7, runs=[{"inputs": inputs}] * 8)["runs"]
        assert runs == [{"outputs": expected}] * 8


@pytest.mark.parametrize(("name", "system"), READERS)
def test_a_file_that_is_not_a_model_is_refused_and_the_next_model_loads(
    name: str, system: str, start: Callable[[str], AdapterProcess], tmp_path: Path
) -> None:
    if name == "onert":
        pytest.skip("it verifies no files, and garbage crashes it: docs/deviations/onert.md#onert-unverified")
    if name == "rten":
        pytest.skip("it reads garbage without end: docs/deviations/rten.md#rten-number-without-end")
    adapter = start(name)
    model, _, _ = example(system)
    garbage = tmp_path / model.name
    garbage.write_bytes(b"\xff" * 40)
    assert "refused" in adapter.load(garbage)
    assert "loaded" in adapter.load(model)


@pytest.mark.parametrize("name", NAMES)
def test_a_run_without_a_model_is_not_a_refusal(name: str, start: Callable[[str], AdapterProcess]) -> None:
    answer = start(name).run([])
    assert "skipped" in answer
