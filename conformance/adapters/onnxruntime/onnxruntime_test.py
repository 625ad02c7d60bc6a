"""The adapter of ONNX Runtime, in what no vector asks of it."""

import base64
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import onnx.parser
import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bindings" / "adapters" / "python"))

from adapter_process import AdapterProcess  # noqa: E402 (the SDK is no installed package)

PROGRAM = ROOT / ".adapters" / "onnxruntime" / "build" / "onnxruntime-adapter"

SHAPES = """<ir_version: 8, opset_import: ["" : 17]>
shapes (float x, float[n, 2] y, float[] z, seq(float) s) => (float a, float[n, 2] b, float[] c, seq(float) d) {
   a = Identity (x)
   b = Identity (y)
   c = Identity (z)
   d = Identity (s)
}"""

STRINGS = """<ir_version: 8, opset_import: ["" : 17]>
strings (string[k] x) => (string[k] y) { y = Identity (x) }"""


@pytest.fixture
def adapter() -> Iterator[AdapterProcess]:
    process = AdapterProcess([str(PROGRAM)])
    yield process
    process.kill()


def model(text: str, folder: Path) -> Path:
    path = folder / "model.onnx"
    path.write_bytes(onnx.parser.parse_model(text).SerializeToString())
    return path


def test_a_scalar_is_told_from_what_has_no_shape(adapter: AdapterProcess, tmp_path: Path) -> None:
    loaded = adapter.load(model(SHAPES, tmp_path))["loaded"]["outputs"]
    said = {output["name"]: (output["type"], output["shape"]) for output in loaded}
    assert said == {
        "a": ("tensor(float32)", []),
        "b": ("tensor(float32)", ["n", 2]),
        "c": ("tensor(float32)", None),
        "d": ("seq(tensor(float32))", None),
    }


def test_strings_that_are_no_utf_8_come_back_byte_for_byte(adapter: AdapterProcess, tmp_path: Path) -> None:
    strings = [base64.b64encode(text).decode() for text in (b"\xff\x00\xfe", b"", b"caf\xc3")]
    value = {"kind": "tensor", "type": "string", "shape": [3], "strings": strings}
    adapter.load(model(STRINGS, tmp_path))
    assert adapter.run([{"name": "x", "value": value}])["outputs"] == [{"name": "y", "value": value}]


def test_an_option_that_is_not_known_is_refused() -> None:
    run = subprocess.run([PROGRAM, "--no-optimisation"], capture_output=True, text=True, input="")
    assert run.returncode == 2
    assert "--no-optimisation" in run.stderr
