"""The SDKs for JavaScript, Java, Rust and Go, through the complete adapter that is beside each of them."""

import itertools
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "python"))

import ifcert_adapter as sdk  # noqa: E402
from adapter_process import AdapterProcess  # noqa: E402

# The words of adapter.json that move the protocol to the descriptors 3 and 4.
MOVED = ["sh", "-c", 'exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>&2']

BYTES = bytes([0x01, 0x80, 0x7F, 0xFF, 0x00, 0xC0, 0x7F, 0x80] * 10)


def javascript(_build: Path) -> list[str]:
    path = f"NODE_PATH={HERE / 'javascript'}"
    return ["env", path, *MOVED, "node", str(HERE / "javascript" / "example_adapter.js")]


def java(build: Path) -> list[str]:
    subprocess.run(["javac", "-Xlint:all", "-Werror", "-d", build, *(HERE / "java").glob("*.java")], check=True)
    return [*MOVED, "java", "-cp", str(build), "ExampleAdapter"]


def rust(build: Path) -> list[str]:
    program = build / "adapter"
    source = HERE / "rust" / "example_adapter.rs"
    subprocess.run(["rustc", "--edition", "2021", "-D", "warnings", "-o", program, source], check=True)
    return [str(program)]


def go(build: Path) -> list[str]:
    for source in (HERE / "go").glob("*.go"):
        shutil.copy(source, build)
    (build / "go.mod").write_text("module example\n\ngo 1.22\n")
    subprocess.run(["go", "vet", "."], cwd=build, check=True)
    subprocess.run(["go", "build", "-o", "adapter", "."], cwd=build, check=True)
    return [str(build / "adapter")]


LANGUAGES = {"JavaScript": (javascript, "node"), "Java": (java, "javac"), "Rust": (rust, "rustc"), "Go": (go, "go")}


@pytest.fixture(scope="module", params=LANGUAGES)
def command(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    make, program = LANGUAGES[request.param]
    if not shutil.which(program):
        pytest.skip(f"{program} is not in PATH")
    return make(tmp_path_factory.mktemp(request.param))


@pytest.fixture
def adapter(command: list[str]) -> Iterator[AdapterProcess]:
    process = AdapterProcess(command)
    yield process
    process.kill()


def loaded(adapter: AdapterProcess, folder: Path, text: str) -> dict[str, Any]:
    (folder / "model").write_text(text)
    return adapter.load(folder / "model")


def given(value: sdk.Value) -> list[dict[str, Any]]:
    return [{"name": 'x"\\é😀', "value": sdk.encode(value)}]


FLOATS = sdk.Tensor.of(np.array([1.0, -2.0], np.float32))


def test_an_adapter_says_what_it_is(adapter: AdapterProcess) -> None:
    hello = adapter.ask(cmd="hello", protocol=1)["hello"]
    assert hello["runtime"] | {"language": ""} == {
        "name": "sign", "version": "1", "language": "", "home": "https://example.org",
    }  # fmt: skip
    assert hello["holds"] is True


def test_it_computes_with_the_loaded_model(adapter: AdapterProcess, tmp_path: Path) -> None:
    assert loaded(adapter, tmp_path, "negative")["loaded"] == {"outputs": [{"name": "y", "type": None, "shape": None}]}
    answer = adapter.run(given(FLOATS))
    assert sdk.decode(answer["outputs"][0]["value"]).array().tolist() == [-1.0, 2.0]
    assert answer["runtime_ms"] >= 0
    loaded(adapter, tmp_path, "positive")
    assert adapter.run(given(FLOATS))["outputs"] == [{"name": "y", "value": sdk.encode(FLOATS)}]


def test_a_refusal_of_the_runtime_is_told_and_its_runs_are_skipped(adapter: AdapterProcess, tmp_path: Path) -> None:
    assert 'unknown model: "no\\such' in loaded(adapter, tmp_path, '"no\\such')["refused"]["message"]
    assert adapter.run(given(FLOATS)) == {"id": 2, "skipped": {}}
    assert adapter.ask(cmd="reread", id=3, held=2) == {"id": 3, "skipped": {}}
    assert adapter.ask(cmd="unload", id=4) == {"id": 4, "unloaded": {}}
    loaded(adapter, tmp_path, "negative")
    doubles = sdk.Tensor.of(np.array([1.0]))
    assert "only float32 has a sign here" in adapter.run(given(doubles))["refused"]["message"]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"negative\xff"])
def test_a_damaged_file_is_refused_by_the_runtime(adapter: AdapterProcess, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model").write_bytes(content)
    assert "unknown model: " in adapter.load(tmp_path / "model")["refused"]["message"]


def test_a_file_that_cannot_be_read_is_not_the_runtimes_fault(adapter: AdapterProcess, tmp_path: Path) -> None:
    assert "adapter_error" in adapter.load(tmp_path / "missing")


def test_outputs_are_held_until_the_model_is_gone(adapter: AdapterProcess, tmp_path: Path) -> None:
    loaded(adapter, tmp_path, "positive")
    held = adapter.ask(cmd="run", id=7, inputs=given(FLOATS), hold=True)
    adapter.run(given(sdk.Tensor.of(np.array([5.0], np.float32))))
    assert adapter.ask(cmd="reread", id=8, held=7)["outputs"] == held["outputs"]
    loaded(adapter, tmp_path, "positive")
    assert "adapter_error" in adapter.ask(cmd="reread", id=9, held=7)


def test_concurrent_runs_are_answered_in_order_where_they_are_declared(adapter: AdapterProcess, tmp_path: Path) -> None:
    threads = adapter.ask(cmd="hello", protocol=1)["hello"]["threads"]
    loaded(adapter, tmp_path, "negative")
    numbers = [np.array([number], np.float32) for number in range(8)]
    runs = [{"inputs": given(sdk.Tensor.of(number))} for number in numbers]
    answer = adapter.ask(cmd="concurrent", id=3, runs=[*runs, {"inputs": given(sdk.Tensor.of(np.array([1])))}])
    if not threads:
        assert "adapter_error" in answer
        return
    *values, refused = answer["runs"]
    assert [sdk.decode(each["outputs"][0]["value"]).array().tolist() for each in values] == [[-n] for n in range(8)]
    assert "refused" in refused


@pytest.mark.parametrize("element_type", [name for name in sdk.ELEMENT_TYPES if name != "string"])
def test_every_element_type_passes_bit_for_bit(adapter: AdapterProcess, tmp_path: Path, element_type: str) -> None:
    loaded(adapter, tmp_path, "positive")
    for shape in [(), (0,), (2, 0, 3), (3,), (1, 2)]:
        count = int(np.prod(shape))
        value = sdk.Tensor.of_memory(element_type, shape, BYTES[: sdk.data_size(element_type, count)])
        assert adapter.run(given(value))["outputs"] == [{"name": "y", "value": sdk.encode(value)}]


STRINGS = sdk.Tensor("string", (3,), strings=(b"", b"a\0b\xff", "é😀".encode()))


@pytest.mark.parametrize(
    "value",
    [
        STRINGS,
        sdk.Tensor("string", (0, 2)),
        sdk.Sequence("tensor(float32)", (FLOATS, FLOATS)),
        sdk.Sequence("tensor(int4)", ()),
        sdk.Sequence("tensor(string)", (STRINGS,)),
        sdk.Optional("tensor(float32)", FLOATS),
        sdk.Optional("tensor(float32)", None),
        sdk.Optional("seq(tensor(float32))", sdk.Sequence("tensor(float32)", (FLOATS,))),
        sdk.Optional("seq(tensor(float32))", None),
    ],
    ids=lambda value: f"{type(value).__name__}-{getattr(value, 'of', '')}",
)
def test_every_kind_passes_unchanged(adapter: AdapterProcess, tmp_path: Path, value: sdk.Value) -> None:
    loaded(adapter, tmp_path, "positive")
    assert adapter.run(given(value))["outputs"] == [{"name": "y", "value": sdk.encode(value)}]


@pytest.mark.parametrize("size", [1 << 10, 1 << 16, 1 << 22])
def test_large_values_pass(adapter: AdapterProcess, tmp_path: Path, size: int) -> None:
    loaded(adapter, tmp_path, "positive")
    value = sdk.Tensor("uint8", (size,), bytes(itertools.islice(itertools.cycle(BYTES), size)))
    assert adapter.run(given(value))["outputs"][0]["value"] == sdk.encode(value)


def test_what_the_runtime_prints_is_evidence_and_no_answer(adapter: AdapterProcess, tmp_path: Path) -> None:
    loaded(adapter, tmp_path, "positive")
    assert b"the model is positive" in adapter.printed_so_far()
    assert adapter.leave() == (0, b"", b"")


def test_the_process_ends_well_when_the_runner_goes_away(adapter: AdapterProcess) -> None:
    assert adapter.leave(b"")[0] == 0
