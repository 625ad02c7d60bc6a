"""The scripts of `ifcert reproduce`: they run without ifcert, and show what the lists of known failures say."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
ADAPTERS = Path(os.environ.get("IFCERT_ADAPTERS", ROOT / ".adapters"))
MANIFEST = json.loads((ROOT / "vectors" / "manifest.json").read_text())["vectors"]
PASSING = {
    "onnxruntime": [
        "onnx/if/then-when-true/test-cc-if",
        "onnx/if/value-unchanged/float32-edges",
        "onnx/if/value-unchanged/bfloat16-edges",
        "onnx/if/types-of-opset/sequence-of-string",
        "onnx/if/output-count/then-has-more",
    ],
    "litert": [
        "tflite/if/then-when-true/add-or-negate",
        "tflite/subgraph/value-unchanged/string",
        "tflite/if/subgraph-index/then-99",
    ],
}
# A failure of each kind, in the words of known_failures.json.
KINDS = {"onnxruntime": ["LENIENT", "CRASH", "wrongly-refused"], "litert": ["LENIENT", "wrong-value"]}


def reproduce(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(IFCERT), "reproduce", *arguments], capture_output=True, text=True, check=False)


def shown(vector: str, runtime: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the vector's script by the runtime's own Python, in an empty folder and without this environment."""
    script = folder / "script.py"
    written = reproduce(vector, "--runtime", runtime, "-o", str(script))
    assert written.returncode == 0, written.stderr
    environment = json.loads((ROOT / "conformance" / "adapters" / runtime / "adapter.json").read_text())["install"]
    python = ADAPTERS / environment["environment"] / "bin" / "python"
    assert python.exists(), f"ifcert adapter install {runtime}"
    return subprocess.run(
        [python, "-I", script], cwd=folder, env={"PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip


def listed(runtime: str, kind: str) -> str:
    failures = json.loads((ROOT / "conformance" / "adapters" / runtime / "known_failures.json").read_text())["failures"]
    return next(each["vector"] for each in failures if each.get("fault", each["verdict"]) == kind)


@pytest.mark.parametrize(("runtime", "vector"), [(name, each) for name, some in PASSING.items() for each in some])
def test_a_script_ends_with_0_where_the_runtime_does_as_expected(runtime: str, vector: str, tmp_path: Path) -> None:
    run = shown(vector, runtime, tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.endswith("\nas expected\n")


@pytest.mark.parametrize(("runtime", "kind"), [(name, each) for name, some in KINDS.items() for each in some])
def test_a_script_ends_with_1_where_the_defect_shows(runtime: str, kind: str, tmp_path: Path) -> None:
    run = shown(listed(runtime, kind), runtime, tmp_path)
    assert run.returncode == 1, run.stdout + run.stderr
    if kind == "wrongly-refused":
        assert "Traceback" in run.stderr and "as expected" not in run.stdout
    else:
        assert "not as expected" in run.stdout
    assert ("was ended by SIG" in run.stdout) == (kind == "CRASH")


def test_a_script_shows_model_inputs_expected_and_returned(tmp_path: Path) -> None:
    run = shown("onnx/if/then-when-true/test-cc-if", "onnxruntime", tmp_path)
    text = (tmp_path / "script.py").read_text()
    assert "# choice (bool cond) => (float[2] res) {" in text
    assert '{"cond": np.array(True, "bool")}' in text
    assert run.stdout.count("array([1., 2.], dtype=float32)") == 2


@pytest.mark.parametrize(
    "vector", [PASSING["onnxruntime"][0], PASSING["onnxruntime"][4], "onnx/if/in-scan/ranks-of-branches-differ"]
)
def test_a_script_is_short_unless_the_runtime_may_crash(vector: str) -> None:
    """Without the comments and the model's bytes."""
    lines = reproduce(vector, "--runtime", "onnxruntime").stdout.splitlines()
    code = [line for line in lines if line and not line.startswith("#") and not re.match(r' {4}"[\w+/=]+"', line)]
    assert len(code) <= 36
    crash = reproduce(listed("onnxruntime", "CRASH"), "--runtime", "onnxruntime").stdout
    assert "os.fork()" in crash and not any("os.fork()" in line for line in lines)


def test_a_script_without_the_runtime_ends_with_2(tmp_path: Path) -> None:
    script = reproduce("onnx/if/then-when-true/test-cc-if", "--runtime", "onnxruntime").stdout
    (tmp_path / "script.py").write_text(script.replace("import onnxruntime\n", "import no_such_runtime\n", 1))
    python = ROOT / ".venv" / "bin" / "python"
    run = subprocess.run([python, "-I", tmp_path / "script.py"], capture_output=True, text=True, check=False)
    assert run.returncode == 2, run.stdout + run.stderr


def test_scripts_of_all_vectors_and_runtimes_are_python() -> None:
    for runtime, system in (("onnxruntime", "onnx"), ("openvino-ir", "openvino"), ("onert", "tflite")):
        vectors = [entry["id"] for entry in MANIFEST if entry["system"] == system][::400]
        for vector in vectors:
            compile(reproduce(vector, "--runtime", runtime).stdout, vector, "exec")


def test_what_cannot_be_written_is_named() -> None:
    assert "does not read tflite" in reproduce(PASSING["litert"][0], "--runtime", "onnxruntime").stderr
    assert re.search("no plain API is known for 'ort'; known: .*onnxruntime", reproduce("x", "--runtime", "ort").stderr)
    wrong = reproduce("onnx/if/then-when-true/test-cc-iff", "--runtime", "onnxruntime")
    assert wrong.returncode == 2 and "did you mean onnx/if/then-when-true/test-cc-if?" in wrong.stderr
