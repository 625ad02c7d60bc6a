"""Properties of ONNX Runtime's adapter that no vector tests."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
SDK = ROOT / "bindings" / "adapters" / "python"
sys.path.insert(0, str(SDK))

from adapter_process import AdapterProcess  # noqa: E402 (the SDK is not an installed package)

TYPES = ROOT / "vectors" / "onnx" / "generated" / "if" / "types-of-opset"
PROGRAM = [
    str(ROOT / ".adapters" / "onnxruntime" / "bin" / "python"),
    str(ROOT / "conformance" / "adapters" / "onnxruntime" / "adapter.py"),
]
COND = {"name": "cond", "value": {"kind": "tensor", "type": "bool", "shape": [], "data": "AQ=="}}
HALVES = {"kind": "tensor", "type": "bfloat16", "shape": [5], "data": "gD8AAIB/wP8BAA=="}


@pytest.fixture
def adapter() -> Iterator[AdapterProcess]:
    process = AdapterProcess(PROGRAM, {"PYTHONPATH": str(SDK)})
    yield process
    process.kill()


def result_of(adapter: AdapterProcess, case: str, value: dict[str, Any]) -> dict[str, Any]:
    adapter.load(TYPES / f"{case}.onnx")
    return adapter.run([COND, {"name": "v", "value": value}])


@pytest.mark.parametrize("held", [{"value": HALVES}, {"absent": True}])
def test_an_optional_of_a_type_that_numpy_lacks_is_returned(adapter: AdapterProcess, held: dict[str, Any]) -> None:
    value = {"kind": "optional", "of": "tensor(bfloat16)"} | held
    assert result_of(adapter, "optional-of-bfloat16", value)["outputs"] == [{"name": "y", "value": value}]


@pytest.mark.parametrize("items", [[HALVES], []])
def test_a_sequence_of_a_type_that_numpy_lacks_is_reported_as_unsupported(
    adapter: AdapterProcess, items: list[dict[str, Any]]
) -> None:
    value = {"kind": "sequence", "of": "tensor(bfloat16)", "items": items}
    lack = result_of(adapter, "sequence-of-bfloat16", value)["unsupported"]
    assert lack["what"] == "value:seq(tensor(bfloat16))"
    assert "status" not in lack


def test_an_unknown_option_is_refused() -> None:
    run = subprocess.run([*PROGRAM, "--no-optimisation"], capture_output=True, text=True, env={"PYTHONPATH": str(SDK)})
    assert run.returncode == 2
    assert "--no-optimisation" in run.stderr
