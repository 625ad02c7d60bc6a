import itertools
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE))

import ifcert_adapter as sdk  # noqa: E402 (the adapters' environments find it by PYTHONPATH)
from adapter_process import AdapterProcess, validator  # noqa: E402

TENSOR_BYTES = bytes([0x01, 0x80, 0x7F, 0xFF, 0x00, 0xC0, 0x7F, 0x80] * 10)


class Toy(AdapterProcess):
    """An adapter of this folder, whose models are texts."""

    def __init__(self, program: Path) -> None:
        buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        super().__init__([sys.executable, str(program)], buffered)

    def load_text(self, model: Path, text: str) -> dict[str, Any]:
        model.write_text(text)
        return self.load(model)

    def run_values(self, *values: sdk.Value) -> dict[str, Any]:
        return self.run([{"name": f"x{i}", "value": sdk.encode(value)} for i, value in enumerate(values)])


@pytest.fixture
def start() -> Iterator[Callable[[str], Toy]]:
    toys: list[Toy] = []

    def start_one(program: str) -> Toy:
        toys.append(Toy(HERE / program))
        return toys[-1]

    yield start_one
    for runner in toys:
        runner.kill()


@pytest.fixture
def toy(start: Callable[[str], Toy]) -> Toy:
    return start("toy_adapter.py")


def test_hello_describes_the_runtime(toy: Toy) -> None:
    hello = toy.ask(cmd="hello", protocol=1)["hello"]
    assert hello["protocol"] == 1
    assert hello["runtime"] == {"name": "toy", "version": "1", "language": "Python", "home": "https://example.org"}
    assert [feature["what"] for feature in hello["unsupported_features"]] == ["type:complex64"]


def test_load_returns_the_declared_outputs(toy: Toy, tmp_path: Path) -> None:
    outputs = toy.load_text(tmp_path / "model", "identity")["loaded"]["outputs"]
    assert outputs == [
        {"name": "y", "type": "tensor(float32)", "shape": [1, "N", None]},
        {"name": "z", "type": None, "shape": None},
    ]


def test_an_exception_of_the_runtime_is_a_refusal(toy: Toy, tmp_path: Path) -> None:
    answer = toy.load_text(tmp_path / "model", "refused")
    assert answer["refused"] == {"message": "ValueError: an If needs a cond"}


def test_runs_of_a_model_that_was_refused_are_skipped(toy: Toy, tmp_path: Path) -> None:
    toy.load_text(tmp_path / "model", "identity")
    toy.load_text(tmp_path / "model", "refused")
    assert toy.run([]) == {"id": 2, "skipped": {}}
    assert toy.ask(cmd="concurrent", id=3, runs=[{"inputs": []}]) == {"id": 3, "skipped": {}}
    assert "unloaded" in toy.ask(cmd="unload", id=4)


def test_an_exception_outside_the_runtime_is_the_adapters(toy: Toy, tmp_path: Path) -> None:
    assert "KeyError" in toy.load_text(tmp_path / "model", "adapter fails")["adapter_error"]["message"]


def test_an_unreadable_model_file_is_not_a_refusal(toy: Toy, tmp_path: Path) -> None:
    answer = toy.ask(cmd="load", id=3, format="onnx", model=str(tmp_path / "nothing"))
    assert answer["id"] == 3
    assert "FileNotFoundError" in answer["adapter_error"]["message"]


def test_the_runtimes_own_status_makes_it_unsupported(toy: Toy, tmp_path: Path) -> None:
    lack = toy.load_text(tmp_path / "model", "not built")["unsupported"]
    assert lack == {"what": "runtime", "message": "NotBuilt: If is not built in", "status": "NOT_BUILT"}


def test_a_declared_feature_is_unsupported_without_a_status(toy: Toy, tmp_path: Path) -> None:
    lack = toy.load_text(tmp_path / "model", "declared lack")["unsupported"]
    assert lack == {"what": "type:complex64", "message": "no complex numbers"}


def test_an_undeclared_feature_is_the_adapters_error(toy: Toy, tmp_path: Path) -> None:
    assert "did not declare" in toy.load_text(tmp_path / "model", "undeclared lack")["adapter_error"]["message"]


def test_an_unknown_feature_cannot_be_declared() -> None:
    with pytest.raises(sdk.AdapterError, match="not a feature of the protocol"):
        sdk.Description(
            "a", "a", "1", "C", "h", unsupported_features=(sdk.UnsupportedFeature("type:float", "typo", "link"),)
        )


@pytest.mark.parametrize(
    "word", ["type:bfloat16", "kind:optional", "operator:Scan", "opset:25", "format:circle", "run"]
)
def test_each_word_of_the_protocol_can_be_declared(word: str) -> None:
    lack = sdk.UnsupportedFeature(word, "it is not there", "https://example.org")
    assert sdk.Description("a", "a", "1", "C", "h", unsupported_features=(lack,)).unsupported_features == (lack,)
    definitions = validator("answer.schema.json").schema["definitions"]
    jsonschema.Draft7Validator({"definitions": definitions, "$ref": "#/definitions/feature"}).validate(word)


def test_a_feature_can_be_declared_by_the_older_names() -> None:
    lack = sdk.Cannot("run", "it is not there", "https://example.org")
    assert sdk.Description("a", "a", "1", "C", "h", cannot=(lack,)).unsupported_features == (lack,)


def test_printed_text_never_disturbs_the_protocol_and_is_there_before_the_answer(toy: Toy, tmp_path: Path) -> None:
    toy.load_text(tmp_path / "model", "prints")
    value = sdk.Tensor.of(np.array([1.5], np.float32))
    assert toy.run_values(value)["outputs"] == [{"name": "x0", "value": sdk.encode(value)}]
    evidence = toy.printed_so_far()
    for printed in ("is imported", '{"id":0,"outputs":[]}', "by C", "by descriptor", "by a child", "an error"):
        assert printed.encode() in evidence
    assert toy.leave() == (0, b"", b"")


def test_a_runtime_that_reads_standard_input_consumes_no_request(toy: Toy, tmp_path: Path) -> None:
    toy.load_text(tmp_path / "model", "reads")
    assert toy.run_values()["outputs"] == [{"name": "y", "value": {"kind": "other", "is": "read ''"}}]
    assert toy.ask(cmd="unload", id=9) == {"id": 9, "unloaded": {}}


def test_the_process_ends_well_when_the_runner_goes_away(toy: Toy) -> None:
    assert toy.leave(b"")[0] == 0


def one(number: float) -> dict[str, Any]:
    return {"name": "x0", "value": sdk.encode(sdk.Tensor.of(np.array([number])))}


def read_back(answer: dict[str, Any]) -> float:
    return sdk.decode(answer["outputs"][0]["value"]).array().item()


def test_held_outputs_are_the_runtimes_own_and_are_read_again(toy: Toy, tmp_path: Path) -> None:
    for model, expected in (("identity", 1.0), ("one memory", 2.0)):
        toy.load_text(tmp_path / "model", model)
        assert read_back(toy.ask(cmd="run", id=5, inputs=[one(1)], hold=True)) == 1.0
        assert read_back(toy.ask(cmd="run", id=6, inputs=[one(2)], hold=True)) == 2.0
        assert read_back(toy.ask(cmd="reread", id=7, held=5)) == expected


def test_outputs_are_held_no_longer_than_the_model(toy: Toy, tmp_path: Path) -> None:
    toy.load_text(tmp_path / "model", "identity")
    toy.ask(cmd="run", id=5, inputs=[one(1)], hold=True)
    toy.ask(cmd="unload", id=6)
    assert "skipped" in toy.ask(cmd="reread", id=7, held=5)
    toy.load_text(tmp_path / "model", "identity")
    assert "there are no held outputs of run 5" in toy.ask(cmd="reread", id=7, held=5)["adapter_error"]["message"]
    toy.ask(cmd="run", id=8, inputs=[one(1)], hold=True)
    toy.load_text(tmp_path / "model", "identity")
    assert "there are no held outputs of run 8" in toy.ask(cmd="reread", id=9, held=8)["adapter_error"]["message"]


def kept_model(toy: Toy, folder: Path, text: str, number: int) -> dict[str, Any]:
    (folder / "model").write_text(text)
    return toy.ask(cmd="load", id=number, format="onnx", model=str(folder / "model"), keep=True)


def test_kept_models_are_there_besides_others_until_they_are_unloaded(toy: Toy, tmp_path: Path) -> None:
    assert toy.ask(cmd="hello", protocol=1)["hello"]["keeps"] is True
    assert "loaded" in kept_model(toy, tmp_path, "identity", 7)
    assert "refused" in kept_model(toy, tmp_path, "refused", 8)
    assert "refused" in toy.load_text(tmp_path / "model", "refused")
    assert read_back(toy.ask(cmd="run", id=9, kept=7, inputs=[one(3)])) == 3.0
    assert toy.ask(cmd="run", id=10, kept=8, inputs=[one(3)]) == {"id": 10, "skipped": {}}
    assert toy.ask(cmd="run", id=11, inputs=[one(3)]) == {"id": 11, "skipped": {}}
    assert "loaded" in toy.load_text(tmp_path / "model", "identity")
    assert "unloaded" in toy.ask(cmd="unload", id=12, kept=7)
    assert toy.ask(cmd="run", id=13, kept=7, inputs=[one(3)]) == {"id": 13, "skipped": {}}
    assert read_back(toy.ask(cmd="run", id=14, inputs=[one(4)])) == 4.0


def test_concurrent_runs_overlap_in_the_runtime(toy: Toy, tmp_path: Path) -> None:
    toy.load_text(tmp_path / "model", "waits for three")
    runs = [{"inputs": [one(number)]} for number in (1, 2, 3)]
    assert [read_back(run) for run in toy.ask(cmd="concurrent", id=3, runs=runs)["runs"]] == [1, 2, 3]


def test_each_concurrent_run_has_its_own_outcome(toy: Toy, tmp_path: Path) -> None:
    toy.load_text(tmp_path / "model", "refuses NaN")
    runs = [{"inputs": [one(number)]} for number in (1, np.nan, 3)]
    first, second, third = toy.ask(cmd="concurrent", id=3, runs=runs)["runs"]
    assert (read_back(first), read_back(third)) == (1, 3)
    assert second == {"refused": {"message": "ValueError: a NaN"}}
    toy.load_text(tmp_path / "model", "adapter fails to run")
    assert "KeyError" in toy.ask(cmd="concurrent", id=3, runs=runs)["adapter_error"]["message"]


def test_the_runtimes_time_is_reported_where_it_was_called(toy: Toy, tmp_path: Path) -> None:
    toy.load_text(tmp_path / "model", "sleeps")
    assert 50 <= toy.ask(cmd="run", id=2, inputs=[one(1)])["runtime_ms"] < 5000
    assert 50 <= toy.ask(cmd="concurrent", id=3, runs=[{"inputs": [one(1)]}] * 4)["runtime_ms"] < 5000
    assert "runtime_ms" in toy.load_text(tmp_path / "model", "refused")
    assert "runtime_ms" not in toy.load_text(tmp_path / "model", "adapter fails")
    assert "runtime_ms" not in toy.ask(cmd="unload", id=4)


def round_trips(toy: Toy, value: sdk.Value) -> None:
    [output] = toy.run_values(value)["outputs"]
    assert sdk.decode(output["value"]) == value
    assert output["value"] == sdk.encode(value)


@pytest.mark.parametrize("element_type", [t for t in sdk.ELEMENT_TYPES if t != "string"])
def test_every_element_type_round_trips_bit_for_bit(toy: Toy, tmp_path: Path, element_type: str) -> None:
    toy.load_text(tmp_path / "model", "identity")
    for shape in [(), (3,), (1, 5), (0, 4)]:
        count = int(np.prod(shape))
        codes = np.frombuffer(TENSOR_BYTES, np.uint8)[: sdk.data_size(element_type, count)]
        if element_type == "bool":
            codes = codes & 1
        if element_type in sdk.CODE_BITS and sdk.CODE_BITS[element_type] < 8:
            bits = sdk.CODE_BITS[element_type]
            codes = np.frombuffer(sdk.pack(np.arange(count, dtype=np.uint8) & ((1 << bits) - 1), bits), np.uint8)
        tensor = sdk.Tensor(element_type, shape, codes.tobytes())
        round_trips(toy, tensor)
        assert sdk.Tensor.of(tensor.array(), element_type) == tensor


def test_strings_round_trip_with_nul_and_bytes_beyond_ascii(toy: Toy, tmp_path: Path) -> None:
    toy.load_text(tmp_path / "model", "identity")
    strings = (b"", b"a\0b\0", "größe".encode(), b"\xff\xfe")
    round_trips(toy, sdk.Tensor("string", (2, 2), strings=strings))
    text = sdk.Tensor("string", (3,), strings=strings[:3])
    assert sdk.Tensor.of(text.array()) == text


def test_sequences_and_optionals_round_trip(toy: Toy, tmp_path: Path) -> None:
    toy.load_text(tmp_path / "model", "identity")
    one, two = sdk.Tensor.of(np.arange(2.0)), sdk.Tensor("string", (1,), strings=(b"s",))
    for sequence in (sdk.Sequence("tensor(float64)", (one, one)), sdk.Sequence("tensor(string)", ())):
        round_trips(toy, sequence)
        round_trips(toy, sdk.Optional(f"seq({sequence.of})", sequence))
    round_trips(toy, sdk.Optional("tensor(string)", two))
    round_trips(toy, sdk.Optional("seq(tensor(int4))", None))


def test_padding_in_the_last_byte_is_not_part_of_a_packed_value() -> None:
    assert sdk.Tensor.of_memory("int4", (3,), b"\x21\xf3").data == b"\x21\x03"
    assert sdk.Tensor.of_memory("float32", (1,), b"\0\0\xc0\x7f").data == b"\0\0\xc0\x7f"
    with pytest.raises(sdk.AdapterError, match="has 3 bytes"):
        sdk.Tensor.of_memory("int4", (3,), b"\x21\xf3\0")


def test_packing_puts_the_first_element_in_the_lowest_bits() -> None:
    assert sdk.pack(np.array([0x1, 0x2, 0xF], np.uint8), 4) == bytes([0x21, 0x0F])
    assert sdk.pack(np.array([1, 2, 3, 0, 2], np.uint8), 2) == bytes([0b00_11_10_01, 0b10])
    assert sdk.pack(np.array([0x3F80], np.uint16), 16) == bytes([0x80, 0x3F])


@pytest.mark.parametrize(("bits", "count"), list(itertools.product([2, 4, 8, 16], [0, 1, 3, 4, 9])))
def test_unpacking_undoes_packing(bits: int, count: int) -> None:
    codes = np.arange(1, count + 1, dtype=np.uint8 if bits <= 8 else np.uint16) & ((1 << bits) - 1)
    assert np.array_equal(sdk.unpack(sdk.pack(codes, bits), bits, count), codes)


@pytest.mark.parametrize(
    ("array", "element_type"),
    [
        (np.zeros(2, np.float32), "float64"),
        (np.zeros(2, np.uint8), "bfloat16"),
        (np.full(2, 16, np.uint8), "int4"),
        (np.array(["a"]), "float32"),
        (np.array([1], object), None),
        (np.zeros(1, "M8[s]"), None),
        (np.zeros(1), "float128"),
    ],
)
def test_an_array_of_another_type_is_not_converted_silently(array: np.ndarray, element_type: str | None) -> None:
    with pytest.raises(sdk.AdapterError):
        sdk.Tensor.of(array, element_type)


@pytest.mark.parametrize(
    ("element_type", "shape", "data"), [("int4", (3,), b"\0"), ("float32", (2,), b"\0" * 9), ("string", (1,), b"a")]
)
def test_data_that_does_not_fill_the_shape_is_the_adapters_error(
    element_type: str, shape: tuple[int, ...], data: bytes
) -> None:
    with pytest.raises(sdk.AdapterError):
        sdk.Tensor(element_type, shape, data)


def test_tensors_of_one_run_are_copies() -> None:
    array = np.zeros(3, np.float32)
    tensor = sdk.Tensor.of(array)
    array[:] = 7
    assert not tensor.array().any()
    tensor.array()[:] = 7
    assert not tensor.array().any()


def test_the_documented_example_is_a_working_adapter(start: Callable[[str], Toy], tmp_path: Path) -> None:
    example = start("example_adapter.py")
    assert example.ask(cmd="hello", protocol=1)["hello"]["runtime"]["version"] == np.__version__
    assert "AttributeError" in example.load_text(tmp_path / "model", "no_such_function")["refused"]["message"]
    (tmp_path / "model").write_bytes(b"\xff\xfe")
    assert "UnicodeDecodeError" in example.load(tmp_path / "model")["refused"]["message"], (
        "it is the runtime that reads"
    )
    assert "loaded" in example.load_text(tmp_path / "model", "negative")
    [output] = example.run_values(sdk.Tensor.of(np.array([1.0, -2.0])))["outputs"]
    assert sdk.decode(output["value"]).array().tolist() == [-1.0, 2.0]
    assert example.leave()[0] == 0


@pytest.mark.parametrize("program", ["python/example_adapter.py", "cpp/example_adapter.cpp"])
def test_the_page_about_the_protocol_shows_the_examples_that_are_tested(program: str) -> None:
    page = (ROOT / "docs" / "protocol.md").read_text()
    assert (ROOT / "bindings" / "adapters" / program).read_text() in page
