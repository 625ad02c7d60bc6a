"""The package's types for type checkers, and its help()."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import ifcert

GOOD = """
import io
import math
from pathlib import Path

import numpy as np

import ifcert

model = ifcert.load("model.onnx")
for source in (b"", bytearray(), memoryview(b""), Path("model.onnx"), io.BytesIO()):
    ifcert.load(source)
with open("model.onnx", "rb") as opened:
    ifcert.load(opened, operators={"my.Scale": lambda x, factor: x * factor})
for finding in model.check():
    print(finding.rule, finding.place, finding.found, finding.expected, finding.clause, finding.level.upper())
named: dict[str, object] = model.run({"cond": True}, max_seconds=math.inf)
print(model.run({"cond": np.True_})["y"].tolist(), model.run([True], lambda place, taken: None)[0].shape)
print(model.inputs[0].name, model.inputs[0].shape, model.opsets[""] + model.ir_version, model.producer.lower())
model.show().save("model.svg")
try:
    model.run()
except ifcert.EvaluationError as error:
    print(error.missing_operator)
"""

BAD = {
    "model.rnu({})": 'has no attribute "rnu"',
    "model.run(7)": "No overload variant",
    "model.run({}, max_second=1)": 'Unexpected keyword argument "max_second"',
    "model.check()[0].rul": 'has no attribute "rul"',
    "model.inputs.name": 'has no attribute "name"',
    "ifcert.load(7)": "incompatible type",
    "ifcert.laod(7)": 'has no attribute "laod"',
    "x: int = model.producer": "Incompatible types in assignment",
}


def mypy(script: Path) -> subprocess.CompletedProcess[str]:
    """As a user runs it: the package is installed, and declares by py.typed that it has types."""
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", script.parent / "cache", script]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=script.parent)


def test_a_strict_type_checker_passes_a_right_script(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(GOOD)
    judged = mypy(tmp_path / "good.py")
    assert (judged.returncode, judged.stderr) == (0, ""), judged.stdout


def test_a_strict_type_checker_catches_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text('import ifcert\nmodel = ifcert.load("x.onnx")\n' + "\n".join(BAD) + "\n")
    judged = mypy(tmp_path / "bad.py")
    assert judged.returncode == 1, judged.stderr
    for number, message in enumerate(BAD.values(), 3):
        assert f"bad.py:{number}: error" in judged.stdout, judged.stdout
        lines = [line for line in judged.stdout.splitlines() if f"bad.py:{number}: error" in line]
        assert message in lines[0]


def test_the_stubs_are_in_the_package() -> None:
    package = Path(ifcert.__file__).parent
    assert (package / "py.typed").exists()
    assert (package / "_ifcert.pyi").exists()


@pytest.mark.parametrize(
    "name", ["run", "check", "save", "show", "inputs", "outputs", "opsets", "ir_version", "producer"]
)
def test_every_member_is_documented(name: str) -> None:
    said = inspect.getdoc(getattr(ifcert.Model, name))
    assert said
    assert len(said) > 40


def test_help_of_run_lists_everything_that_a_run_accepts() -> None:
    said = inspect.getdoc(ifcert.Model.run) or ""
    for word in ("dtype", "shape", "seconds", "bytes", "None", "ml_dtypes", "Nothing is cast", "clause"):
        assert word in said, word
    for name in ("inputs", "observer", "max_seconds", "max_memory"):
        assert f"`{name}" in said, name
    for error in ("IllegalModel", "EvaluationError", "LimitExceeded", "MemoryError", "TypeError", "ValueError"):
        assert error in said, error
    assert str(inspect.signature(ifcert.Model.run)).endswith(
        "inputs={}, observer=None, *, max_seconds=60.0, max_memory=4294967296)"
    )


@pytest.mark.parametrize("kind", ["Diagnostic", "Rule", "Port"])
def test_every_part_of_a_result_is_documented(kind: str) -> None:
    given = getattr(ifcert, kind)
    assert given.__doc__
    for name, member in vars(given).items():
        if not name.startswith("_"):
            assert member.__doc__, name
