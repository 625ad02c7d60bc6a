"""`ifcert specialise`: which Ifs it replaces, what it writes, and its exit codes."""

import importlib.metadata
import os
import subprocess
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
CHOICE = ROOT / "vectors/onnx/generated/if/then-when-true/test-cc-if.onnx"
BROKEN = ROOT / "vectors/onnx/generated/if/output-count/then-has-more.onnx"

NESTED = """<ir_version: 8, opset_import: ["" : 16]>
main (bool training, bool c, float[2] x) => (float[2] y) {
    y = If (training) <
        then_branch = trains () => (t) {
            t = If (c) <then_branch = a () => (n) { n = Neg (x) }, else_branch = b () => (k) { k = Abs (x) }>
        },
        else_branch = infers () => (i) {
            i = If (training) <then_branch = d () => (m) { m = Exp (x) }, else_branch = e () => (o) { o = Tanh (x) }>
        }>
}"""


def ifcert(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the command; its output is text."""
    return subprocess.run([IFCERT, *map(str, arguments)], capture_output=True, text=True, timeout=60)


def run_of(model: Path, folder: Path, inputs: dict[str, NDArray[np.generic]]) -> dict[str, NDArray[np.generic]]:
    """The outputs of a model."""
    words: list[object] = []
    folder.mkdir()
    for name, value in inputs.items():
        np.save(folder / f"{name}.npy", value)
        words += ["--input", f"{name}={folder / f'{name}.npy'}"]
    done = ifcert("run", model, *words, "--output", folder / "out")
    assert done.returncode == 0, done.stderr
    return {file.stem: np.load(file) for file in (folder / "out").iterdir()}


@pytest.fixture
def nested(tmp_path: Path) -> Path:
    """An If in each branch of an If."""
    (tmp_path / "nested.onnx").write_bytes(onnx.parser.parse_model(NESTED).SerializeToString())
    return tmp_path / "nested.onnx"


def operators(file: Path) -> list[str]:
    """Those of the main graph."""
    return [node.op_type for node in onnx.load(file).graph.node]


def test_it_says_what_becomes_of_each_if_and_writes_nothing_without_out(nested: Path, tmp_path: Path) -> None:
    run = ifcert("specialise", nested, "--input", "training=true")
    assert (run.returncode, run.stderr) == (0, "")
    outer = 'graph "main" / node 0 (If)'
    assert run.stdout.splitlines() == [
        f"{outer}: replaced by its then_branch",
        f"{outer} / then_branch / node 0 (If): stays: these inputs do not decide its cond",
        f"{outer} / else_branch / node 0 (If): goes, with a branch that is not taken",
    ]
    assert [file.name for file in tmp_path.iterdir()] == ["nested.onnx"]


def test_the_written_model_computes_the_same_for_these_inputs(nested: Path, tmp_path: Path) -> None:
    out = tmp_path / "inference.onnx"
    assert ifcert("specialise", nested, "--input", "training=false", "-o", out).returncode == 0
    assert operators(out) == ["Tanh"]
    assert [value.name for value in onnx.load(out).graph.input] == ["training", "c", "x"]
    inputs = {"training": np.array(False), "c": np.array(True), "x": np.float32([1, -2])}
    before = run_of(nested, tmp_path / "before", inputs)
    np.testing.assert_equal(run_of(out, tmp_path / "after", inputs), before)


def test_a_constant_cond_needs_no_input(tmp_path: Path) -> None:
    text = NESTED.replace("y = If (training)", "yes = Constant <value = bool {1}> ()\n y = If (yes)")
    (tmp_path / "constant.onnx").write_bytes(onnx.parser.parse_model(text).SerializeToString())
    assert ifcert("specialise", tmp_path / "constant.onnx", "-o", tmp_path / "out.onnx").returncode == 0
    assert operators(tmp_path / "out.onnx") == ["Constant", "If"]


def test_silero_vad_for_one_sampling_rate_has_half_its_weights_and_computes_the_same(tmp_path: Path) -> None:
    files = importlib.metadata.files("silero-vad") or []
    silero = next(Path(str(file.locate())) for file in files if file.name == "silero_vad.onnx")
    out = tmp_path / "silero-16k.onnx"
    assert ifcert("specialise", silero, "--input", "sr=16000", "-o", out).returncode == 0
    assert out.stat().st_size < 0.6 * silero.stat().st_size
    random = np.random.default_rng(1)
    inputs = {
        "input": random.standard_normal([1, 576]).astype(np.float32) * np.float32(0.1),
        "state": np.zeros([2, 1, 128], np.float32),
        "sr": np.array(16000, np.int64),
    }
    before = run_of(silero, tmp_path / "before", inputs)
    np.testing.assert_equal(run_of(out, tmp_path / "after", inputs), before)


def test_a_model_without_an_if_says_so(tmp_path: Path) -> None:
    text = '<ir_version: 8, opset_import: ["" : 16]> main (float[2] x) => (float[2] y) { y = Neg (x) }'
    (tmp_path / "plain.onnx").write_bytes(onnx.parser.parse_model(text).SerializeToString())
    run = ifcert("specialise", tmp_path / "plain.onnx")
    assert (run.returncode, run.stdout) == (0, "the model has no If\n")


def test_a_broken_model_is_not_specialised(tmp_path: Path) -> None:
    run = ifcert("specialise", BROKEN, "-o", tmp_path / "out.onnx")
    assert run.returncode == 1
    assert "onnx/if/output-count" in run.stderr
    assert not (tmp_path / "out.onnx").exists()


def test_another_format_and_the_model_itself_are_refused_as_output(tmp_path: Path) -> None:
    run = ifcert("specialise", CHOICE, "-o", tmp_path / "out.xml")
    assert run.returncode == 2
    assert "ifcert convert writes other formats" in run.stderr
    copy = tmp_path / "copy.onnx"
    copy.write_bytes(CHOICE.read_bytes())
    assert ifcert("specialise", copy, "-o", copy).returncode == 2
    assert copy.read_bytes() == CHOICE.read_bytes()


def test_an_input_that_the_model_lacks_is_named() -> None:
    run = ifcert("specialise", CHOICE, "--input", "no=true")
    assert run.returncode == 2
    assert '"no"' in run.stderr
