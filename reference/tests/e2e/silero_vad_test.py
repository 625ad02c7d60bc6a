"""Real models with Ifs, on the reference and on ONNX Runtime."""

import importlib.metadata
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
ONNXRUNTIME = ROOT / ".adapters" / "onnxruntime" / "bin" / "python"
sys.path[:0] = [str(HERE), str(ROOT / "bindings" / "adapters" / "python")]

import ifcert_adapter as sdk  # noqa: E402 (the SDK is not an installed package)
from adapter_process import AdapterProcess  # noqa: E402
from voice import chunks  # noqa: E402

COUNT = 200
STATE = np.zeros([2, 1, 128], np.float32)
HIDDEN = np.zeros([1, 1, 128], np.float32)
FED_BACK = {"stateN": "state", "hn": "h", "cn": "c"}


def silero(name: str) -> Path:
    files = importlib.metadata.files("silero-vad") or []
    return next(Path(str(file.locate())) for file in files if file.name == name)


def rate_of(rate: int) -> dict[str, np.ndarray]:
    return {"sr": np.array(rate, np.int64)}


# A model and its inputs: `input` has a row for each run.
CASES: dict[str, tuple[str, dict[str, np.ndarray]]] = {
    "16 kHz": ("silero_vad.onnx", {"input": chunks(COUNT, 16000)[:, None], "state": STATE, **rate_of(16000)}),
    "8 kHz": ("silero_vad.onnx", {"input": chunks(COUNT, 8000)[:, None], "state": STATE, **rate_of(8000)}),
    "half": ("silero_vad_half.onnx", {"input": chunks(COUNT, 16000)[:, None], "state": STATE}),
    "opset 15": (
        "silero_vad_16k_op15.onnx",
        {"input": chunks(COUNT, 16000)[:, None], "state": STATE, **rate_of(16000)},
    ),
    "opset 18, 16 kHz": (
        "silero_vad_op18_ifless.onnx",
        {"input": chunks(COUNT, 16000)[:, None], "state": STATE, **rate_of(16000)},
    ),
    "opset 18, 8 kHz": (
        "silero_vad_op18_ifless.onnx",
        {"input": chunks(COUNT, 8000)[:, None], "state": STATE, **rate_of(8000)},
    ),
    "sequence": ("silero_vad_16k_sequence.onnx", {"input": chunks(COUNT, 16000)[None], "h": HIDDEN, "c": HIDDEN}),
}


def value(array: np.ndarray) -> dict[str, Any]:
    return sdk.encode(sdk.Tensor.of(array))


@pytest.fixture
def reference(tmp_path: Path) -> Iterator[AdapterProcess]:
    process = AdapterProcess([str(BIN / "ifcert-reference-adapter")], {"TMPDIR": str(tmp_path)})
    process.ask(cmd="hello", protocol=1)
    yield process
    process.kill()


def by_reference(process: AdapterProcess, model: Path, given: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Each output of each run, stacked; the state is fed back."""
    given = dict(given)
    rows = given.pop("input")
    assert "loaded" in process.load(model)
    results: dict[str, list[np.ndarray]] = {}
    for row in rows:
        answer = process.run([{"name": k, "value": value(v)} for k, v in {"input": row, **given}.items()])
        for output in answer["outputs"]:
            array = sdk.decode(output["value"]).array()
            results.setdefault(output["name"], []).append(array)
            if output["name"] in FED_BACK:
                given[FED_BACK[output["name"]]] = array
    return {name: np.stack(arrays) for name, arrays in results.items()}


def by_onnxruntime(folder: Path, model: Path, given: dict[str, np.ndarray], mode: str) -> dict[str, np.ndarray]:
    if not ONNXRUNTIME.is_file():
        pytest.fail(f"{ONNXRUNTIME} is missing: install it with `ifcert adapter install onnxruntime`")
    np.savez(folder / "inputs.npz", **given)
    command = [ONNXRUNTIME, HERE / "onnxruntime_runs.py", model, folder / "inputs.npz", folder / "outputs.npz", mode]
    private = {"HOME": str(folder), "TMPDIR": str(folder)}
    subprocess.run(command, check=True, env=private, timeout=60)
    return dict(np.load(folder / "outputs.npz"))


@pytest.mark.parametrize("case", CASES)
def test_the_reference_computes_what_onnxruntime_computes(reference: AdapterProcess, tmp_path: Path, case: str) -> None:
    name, given = CASES[case]
    ours = by_reference(reference, silero(name), given)
    expect_a_moving_probability(next(iter(ours.values())).ravel())
    for mode in ("optimized", "plain"):
        theirs = by_onnxruntime(tmp_path, silero(name), given, mode)
        del theirs["microseconds"]
        assert ours.keys() == theirs.keys()
        for output, array in ours.items():
            assert array.shape == theirs[output].shape
            largest = float(np.abs(theirs[output]).max())
            bound = 1e-5 * max(1.0, largest) if output in FED_BACK else 1e-6
            difference = float(np.abs(array - theirs[output]).max())
            print(f"{case}, {mode}: {output} differs by {difference:.2g}, bound {bound:.2g}, largest {largest:.3g}")
            assert difference <= bound


def expect_a_moving_probability(probability: np.ndarray) -> None:
    """If the state did not change, the comparison would show little."""
    assert probability.min() < 0.05
    assert probability.max() > 0.9
    assert np.count_nonzero(np.abs(np.diff(probability)) > 0.1) >= 10
