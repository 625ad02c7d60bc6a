"""The SDKs for JavaScript, Java, Rust and Go, through the complete adapter that is beside each of them."""

import functools
import itertools
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
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


def javascript(source: Path, build: Path) -> list[str]:
    shutil.copy(source, build)
    return ["env", f"NODE_PATH={HERE / 'javascript'}", *MOVED, "node", str(build / source.name)]


def java(source: Path, build: Path) -> list[str]:
    sources = [source, HERE / "java" / "IfcertAdapter.java"]
    subprocess.run(["javac", "-Xlint:all", "-Werror", "-d", build, *sources], check=True)
    return [*MOVED, "java", "-cp", str(build), source.stem]


def rust(source: Path, build: Path) -> list[str]:
    for each in (source, HERE / "rust" / "ifcert_adapter.rs"):
        shutil.copy(each, build)
    program = build / "adapter"
    subprocess.run(["rustc", "--edition", "2021", "-D", "warnings", "-o", program, build / source.name], check=True)
    return [str(program)]


def go(source: Path, build: Path) -> list[str]:
    for each in (source, HERE / "go" / "ifcert_adapter.go"):
        shutil.copy(each, build)
    (build / "go.mod").write_text("module example\n\ngo 1.22\n")
    subprocess.run(["go", "vet", "."], cwd=build, check=True)
    subprocess.run(["go", "build", "-o", "adapter", "."], cwd=build, check=True)
    return [str(build / "adapter")]


# How an adapter is made of its source, the program that does it, and the source of a complete and of a faulty adapter.
LANGUAGES = {
    "JavaScript": (javascript, "node", "javascript/example_adapter.js", "faulty/faulty_adapter.js"),
    "Java": (java, "javac", "java/ExampleAdapter.java", "faulty/FaultyAdapter.java"),
    "Rust": (rust, "rustc", "rust/example_adapter.rs", "faulty/faulty_adapter.rs"),
    "Go": (go, "go", "go/example_adapter.go", "faulty/faulty_adapter.go"),
}

# Where a panic, or an Error of Java, is nobody's refusal; any exception of JavaScript in the runtime is one.
PANICKING = ["Java", "Rust", "Go"]

# The message of AdapterProcess for a process that ended with an exit code and these words.
ENDED = r"gone: \([1-9][0-9]*, .*index"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, bool], list[str]]:
    """The command of an adapter in a language."""

    @functools.cache
    def make(language: str, faulty: bool = False) -> list[str]:
        how, program, complete, broken = LANGUAGES[language]
        if not shutil.which(program):
            pytest.skip(f"{program} is not in PATH")
        return how(HERE / (broken if faulty else complete), tmp_path_factory.mktemp(language))

    return make


@pytest.fixture(scope="module", params=LANGUAGES)
def command(request: pytest.FixtureRequest, made: Callable[[str, bool], list[str]]) -> list[str]:
    return made(request.param, False)


@pytest.fixture(params=LANGUAGES)
def faulty(request: pytest.FixtureRequest, made: Callable[[str, bool], list[str]]) -> Iterator[AdapterProcess]:
    process = AdapterProcess(made(request.param, True))
    yield process
    process.kill()


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


@pytest.mark.parametrize("place", ["load", "run", "read"])
def test_a_panic_outside_the_runtime_is_the_adapters_fault(faulty: AdapterProcess, tmp_path: Path, place: str) -> None:
    answer = loaded(faulty, tmp_path, place)
    if place != "load":
        assert "loaded" in answer
        answer = faulty.run(given(FLOATS))
    assert "index" in answer["adapter_error"]["message"] or place in answer["adapter_error"]["message"]
    assert "loaded" in loaded(faulty, tmp_path, "none"), "and the process goes on"
    assert faulty.run(given(FLOATS))["outputs"] == [{"name": 'x"\\é😀', "value": sdk.encode(FLOATS)}]


def test_a_run_that_returns_nothing_holds_nothing(adapter: AdapterProcess, tmp_path: Path) -> None:
    loaded(adapter, tmp_path, "negative")
    doubles = given(sdk.Tensor.of(np.array([1.0])))
    assert "refused" in adapter.ask(cmd="run", id=7, inputs=doubles, hold=True)
    assert "no outputs" in adapter.ask(cmd="reread", id=8, held=7)["refused"]["message"]


@pytest.mark.parametrize("faulty", PANICKING, indirect=True)
@pytest.mark.parametrize("place", ["inside load", "inside run"])
def test_a_panic_inside_the_runtime_ends_the_process(faulty: AdapterProcess, tmp_path: Path, place: str) -> None:
    with pytest.raises(EOFError, match=ENDED):
        loaded(faulty, tmp_path, place)
        faulty.run(given(FLOATS))


@pytest.mark.parametrize("faulty", ["Java", "Go"], indirect=True)
def test_concurrent_runs_panic_alike(faulty: AdapterProcess, tmp_path: Path) -> None:
    runs = [{"inputs": given(FLOATS)}] * 4
    loaded(faulty, tmp_path, "run")
    assert "index" in faulty.ask(cmd="concurrent", id=3, runs=runs)["adapter_error"]["message"]
    loaded(faulty, tmp_path, "inside run")
    with pytest.raises(EOFError, match=ENDED):
        faulty.ask(cmd="concurrent", id=3, runs=runs)


@pytest.mark.parametrize("faulty", ["JavaScript"], indirect=True)
class TestJavaScript:
    def test_has_no_threads_whatever_it_declares(self, faulty: AdapterProcess) -> None:
        hello = faulty.ask(cmd="hello", protocol=1)["hello"]
        assert (hello["adapter"], hello["threads"]) == ("faulty", False)

    def test_reads_again_with_an_async_function(self, faulty: AdapterProcess, tmp_path: Path) -> None:
        loaded(faulty, tmp_path, "none")
        held = faulty.ask(cmd="run", id=7, inputs=given(FLOATS), hold=True)
        assert faulty.ask(cmd="reread", id=8, held=7)["outputs"] == held["outputs"]

    def test_an_exception_in_the_runtime_is_its_refusal(self, faulty: AdapterProcess, tmp_path: Path) -> None:
        assert "RangeError" in loaded(faulty, tmp_path, "inside load")["refused"]["message"]
        loaded(faulty, tmp_path, "inside read")
        assert "RangeError" in faulty.run(given(FLOATS))["refused"]["message"]

    def test_may_find_out_asynchronously_what_is_not_implemented(self, faulty: AdapterProcess, tmp_path: Path) -> None:
        loaded(faulty, tmp_path, "lacks")
        assert faulty.run(given(FLOATS))["unsupported"]["what"] == "value:tensor(int2)"
        loaded(faulty, tmp_path, "not implemented")
        assert faulty.run(given(FLOATS))["unsupported"]["status"] == "NOT_IMPLEMENTED"
