"""The scripts of `ifcert reproduce`: they run without ifcert, and show what the lists of known failures say."""

import ast
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from vector_lines import read_vectors

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
ADAPTERS = Path(os.environ.get("IFCERT_ADAPTERS", ROOT / ".adapters"))
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
PLAIN_APIS = ROOT / "conformance" / "reproduce" / "plain_apis"
RUNTIMES = json.loads((PLAIN_APIS / "runtimes.json").read_text())
# A vector whose script has the short form, and one whose script has the form for all types and steps.
OF_SYSTEM = {
    "onnx": "onnx/if/then-when-true/test-cc-if",
    "openvino": "openvino/if/then-when-true/negated",
    "tflite": PASSING["litert"][0],
}
LONG_OF_SYSTEM = {
    "onnx": "onnx/if/types-of-opset/sequence-of-string",
    "openvino": "openvino/if/no-state-between-runs/held-other-body",
    "tflite": PASSING["litert"][1],
}


def reproduce(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(IFCERT), "reproduce", *arguments], capture_output=True, text=True, check=False)


def shown(vector: str, runtime: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs the vector's script by the runtime's own Python, in an empty folder and without this environment."""
    script = folder / "script.py"
    written = reproduce(vector, "--runtime", runtime, *options, "-o", str(script))
    assert written.returncode == 0, written.stderr
    environment = json.loads((ROOT / "conformance" / "adapters" / runtime / "adapter.json").read_text())["install"]
    python = ADAPTERS / environment["environment"] / "bin" / "python"
    assert python.exists(), f"ifcert adapter install {runtime}"
    return subprocess.run(
        [python, "-I", script], cwd=folder, env={"PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip


def code_of(script: str) -> list[str]:
    """The lines without the comments and the model's bytes."""
    return [line for line in script.splitlines() if line and not line.startswith("#") and "b64decode(" not in line]


def listed(runtime: str, kind: str) -> str:
    failures = json.loads((ROOT / "conformance" / "adapters" / runtime / "known_failures.json").read_text())["failures"]
    return next(each["vector"] for each in failures if each.get("fault", each.get("was", each["verdict"])) == kind)


def test_a_rewritten_model_is_shown_as_it_is_rewritten(tmp_path: Path) -> None:
    run = shown(OF_SYSTEM["onnx"], "onnxruntime", tmp_path, "--rewriting", "main-into-loop")
    assert run.returncode == 0, run.stderr
    script = (tmp_path / "script.py").read_text()
    assert "; its file with main-into-loop" in script
    assert script != reproduce(OF_SYSTEM["onnx"], "--runtime", "onnxruntime").stdout


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("main-into-lop", "there is no rewriting main-into-lop of onnx; did you mean main-into-loop"),
        ("own-data", f"own-data cannot be made of {OF_SYSTEM['onnx']}: "),
    ],
)
def test_a_rewriting_that_cannot_be_made_is_refused(name: str, said: str) -> None:
    run = reproduce(OF_SYSTEM["onnx"], "--runtime", "onnxruntime", "--rewriting", name)
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr


@pytest.mark.parametrize(("runtime", "vector"), [(name, each) for name, some in PASSING.items() for each in some])
def test_a_script_ends_with_0_where_the_runtime_does_as_expected(runtime: str, vector: str, tmp_path: Path) -> None:
    run = shown(vector, runtime, tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.endswith("\nas expected\n")


@pytest.mark.parametrize(("runtime", "kind"), [(name, each) for name, some in KINDS.items() for each in some])
def test_a_script_ends_with_1_where_the_defect_shows(runtime: str, kind: str, tmp_path: Path) -> None:
    run = shown(listed(runtime, kind), runtime, tmp_path)
    if kind == "CRASH":  # the process itself ends by the signal, after it has shown what is expected
        assert -run.returncode in set(signal.Signals) - {signal.SIGALRM}, run.stdout + run.stderr
        assert "expected:" in run.stdout and "as expected" not in run.stdout
        return
    assert run.returncode == 1, run.stdout + run.stderr
    assert "as expected" not in run.stdout
    assert ("Traceback" if kind == "wrongly-refused" else "not as expected") in run.stderr


def test_a_script_shows_model_inputs_expected_and_returned(tmp_path: Path) -> None:
    run = shown("onnx/if/then-when-true/test-cc-if", "onnxruntime", tmp_path)
    text = (tmp_path / "script.py").read_text()
    assert "# main (cond: bool[]) -> (res: float32[2])" in text
    assert '{"cond": np.array(True, "bool")}' in text
    assert run.stdout.count("array([1., 2.], dtype=float32)") == 2


@pytest.mark.parametrize(
    ("runtime", "vector", "most"),
    [
        ("onnxruntime", PASSING["onnxruntime"][0], 13),
        ("onnxruntime", PASSING["onnxruntime"][4], 17),
        ("onnxruntime", "onnx/if/in-scan/ranks-of-branches-differ", 17),
        ("openvino-onnx", PASSING["onnxruntime"][0], 15),
        ("openvino-ir", "openvino/if/then-when-true/negated", 20),  # two runs
        ("litert", PASSING["litert"][0], 22),
        ("onert", PASSING["litert"][0], 24),
    ],
)
def test_a_script_is_short(runtime: str, vector: str, most: int) -> None:
    assert len(code_of(reproduce(vector, "--runtime", runtime).stdout)) <= most


def test_a_script_of_a_crash_is_short_too() -> None:
    script = reproduce(listed("onnxruntime", "CRASH"), "--runtime", "onnxruntime").stdout
    assert len(code_of(script)) <= 17 and "os.fork()" not in script


def test_scripts_of_all_vectors_and_runtimes_are_python() -> None:
    for runtime, system in (("onnxruntime", "onnx"), ("openvino-ir", "openvino"), ("onert", "tflite")):
        vectors = [vector["id"] for vector in read_vectors() if vector["system"] == system][::400]
        for vector in vectors:
            compile(reproduce(vector, "--runtime", runtime).stdout, vector, "exec")


def test_every_runtime_that_computes_has_both_forms_of_run() -> None:
    """The one for models with types that numpy has, and the one for all types; a script without it would only load."""
    for module in PLAIN_APIS.glob("*.py"):
        plain, _, rest = module.read_text().partition("#: narrow\n")
        narrow, _, wide = rest.partition("#: wide\n")
        if "run(" in rest:
            assert "def run(" in plain + narrow and "def run(" in plain + wide, module.name


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_each_word_that_stands_for_something_is_in_the_runtimes_file(runtime: str) -> None:
    entry = RUNTIMES[runtime]
    text = (PLAIN_APIS / entry["file"]).read_text()
    assert [word for word in entry.get("words", {}) if word not in text] == []


# A program as program.py starts them: it returns its first input and a sequence, refuses, or panics.
PROGRAM = """
import base64, os, sys
answers = os.fdopen(int(sys.argv[1]), "w")
for line in sys.stdin:
    kind, *words = line.split()
    if kind == "load":
        path = base64.b64decode(words[0]).decode()
        if path == "panic":
            sys.exit(7)
        refusal = base64.b64encode(b"no such model").decode()
        print("loaded 1.2" if path == "model" else f"refused {refusal}", file=answers, flush=True)
    else:
        print("returned", *words[1:4], "(", "string 2 =YQ==,=", ")", file=answers, flush=True)
"""


def program_script(path: str, folder: Path) -> str:
    """Python code that loads that model with program.py and PROGRAM, and prints what a run returns."""
    (folder / "program.py").write_text(PROGRAM)
    command = [sys.executable, str(folder / "program.py")]
    own = f"import numpy as np\nPANIC, PASSED_TYPES = 7, ('string',)\ndef command(folder):\n    return {command!r}\n"
    use = f"model = load({path!r})\nprint(model.version, run(model, {{'x': np.array([[1, -2]], 'int16')}}))\n"
    return (PLAIN_APIS / "program.py").read_text() + own + use


def test_a_program_of_another_language_loads_returns_refuses_and_dies(tmp_path: Path) -> None:
    runs = {}
    for path in ("model", "other", "panic"):
        command = [sys.executable, "-c", program_script(path, tmp_path)]
        runs[path] = subprocess.run(command, capture_output=True, text=True, check=False)
    assert runs["model"].stdout == "1.2 [array([[ 1, -2]], dtype=int16), [('string', [2], [b'a', b''])]]\n"
    assert runs["other"].stderr.endswith("RuntimeError: no such model\n")
    assert runs["panic"].returncode == -signal.SIGABRT


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_script_overwrites_none_of_its_functions(runtime: str) -> None:
    """A second run would call what the first one returned."""
    systems = json.loads((ROOT / "conformance" / "adapters" / runtime / "adapter.json").read_text())["systems"]
    for vector in [each for system in systems for each in (OF_SYSTEM[system], LONG_OF_SYSTEM[system])]:
        script = ast.parse(reproduce(vector, "--runtime", runtime).stdout)
        functions = {each.name for each in script.body if isinstance(each, ast.FunctionDef | ast.ClassDef)}
        rest = [each for each in script.body if not isinstance(each, ast.FunctionDef | ast.ClassDef)]
        names = [each for statement in rest for each in ast.walk(statement) if isinstance(each, ast.Name)]
        stored = {each.id for each in names if isinstance(each.ctx, ast.Store)}
        assert stored and not functions & stored, vector


def test_what_cannot_be_written_is_named() -> None:
    assert "does not read tflite" in reproduce(PASSING["litert"][0], "--runtime", "onnxruntime").stderr
    assert re.search("no plain API is known for 'ort'; known: .*onnxruntime", reproduce("x", "--runtime", "ort").stderr)
    wrong = reproduce("onnx/if/then-when-true/test-cc-iff", "--runtime", "onnxruntime")
    assert wrong.returncode == 2 and "did you mean onnx/if/then-when-true/test-cc-if?" in wrong.stderr
