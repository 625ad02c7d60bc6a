"""`ifcert convert`: the files it writes, and its exit codes."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
GENERATED = ROOT / "vectors" / "onnx" / "generated" / "if"
LEGAL = GENERATED / "then-when-true" / "test-cc-if.onnx"
BROKEN = GENERATED / "output-count" / "then-has-more.onnx"
SEQUENCE = GENERATED / "value-unchanged" / "sequence-of-strings.onnx"


def ifcert(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the program; its output is text."""
    return subprocess.run([IFCERT, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def test_a_model_is_converted_to_ir_and_back(tmp_path: Path) -> None:
    there, back = tmp_path / "there.xml", tmp_path / "back.onnx"
    assert ifcert("convert", LEGAL, there).returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["there.bin", "there.xml"]
    assert ifcert("convert", there, back).returncode == 0
    for model in (LEGAL, there, back):
        assert ifcert("run", model, "--input", "cond=true").stdout == "res: float32[2] [1, 2]\n"


def test_a_model_is_converted_through_every_format(tmp_path: Path) -> None:
    model = LEGAL
    for name in ("1.tflite", "2.xml", "3.circle", "4.tflite", "5.onnx"):
        assert ifcert("convert", model, tmp_path / name).returncode == 0
        model = tmp_path / name
        assert ifcert("run", model, "--input", "cond=true").stdout == "res: float32[2] [1, 2]\n"
    assert (tmp_path / "1.tflite").read_bytes()[4:8] == b"TFL3"
    assert (tmp_path / "3.circle").read_bytes()[4:8] == b"CIR0"


def test_squeeze_skips_a_dim_that_is_not_1_after_conversion_too(tmp_path: Path) -> None:
    folder = ROOT / "vectors" / "openvino" / "generated" / "if" / "only-taken-body-runs"
    squeezes, converted = folder / "constant-squeezed-dim-of-two.xml", tmp_path / "converted.onnx"
    assert ifcert("convert", squeezes, converted).returncode == 0
    for model in (squeezes, converted):
        run = ifcert("run", model, "--input", "cond=true", "--input", "x=[5,7]")
        assert run.stdout == "y: int32[2] [5, 7]\n", run.stderr


def test_a_model_that_breaks_a_rule_is_exit_code_1_and_no_file(tmp_path: Path) -> None:
    run = ifcert("convert", BROKEN, tmp_path / "out.xml")
    assert run.returncode == 1
    assert "onnx/if/output-count" in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_ir_cannot_express_is_exit_code_2_with_place_and_reason(tmp_path: Path) -> None:
    run = ifcert("convert", SEQUENCE, tmp_path / "out.xml")
    assert run.returncode == 2
    assert 'value "x": IR has only tensors; this is seq(tensor(string))' in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_tflite_cannot_express_is_exit_code_2_with_place_and_reason(tmp_path: Path) -> None:
    run = ifcert("convert", SEQUENCE, tmp_path / "out.tflite")
    assert run.returncode == 2
    assert 'value "x": TensorFlow Lite has only tensors; this is seq(tensor(string))' in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_extension_is_exit_code_2(tmp_path: Path) -> None:
    run = ifcert("convert", LEGAL, tmp_path / "out.pb")
    assert run.returncode == 2
    assert 'unknown file extension ".pb"' in run.stderr
