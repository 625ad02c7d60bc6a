"""certify --onnx-backend MODULE: any backend of the onnx package's interface, without an adapter of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
THEN = "onnx/if/then-when-true"

# The evaluator of the onnx package with its backend interface, and what may go wrong with a backend.
BACKENDS = """
from onnx.backend.base import Backend, BackendRep
from onnx.reference import ReferenceEvaluator

class Prepared(BackendRep):
    def __init__(self, model):
        self.evaluator = ReferenceEvaluator(model)

    def run(self, inputs, **kwargs):
        return tuple(self.evaluator.run(None, dict(zip(self.evaluator.input_names, inputs))))

class Evaluator(Backend):
    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        return Prepared(model)

class Choosy(Evaluator):
    @classmethod
    def is_compatible(cls, model, device="CPU", **kwargs):
        return False

class Swapped(Evaluator):
    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        for node in model.graph.node:
            for attribute in node.attribute:
                if attribute.name in ("then_branch", "else_branch"):
                    attribute.name = "else_branch" if attribute.name == "then_branch" else "then_branch"
        return Prepared(model)

prepare = Evaluator.prepare
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's folder with a backend of their own."""
    folder = tmp_path_factory.mktemp("user")
    (folder / "my_backend.py").write_text(BACKENDS)
    return folder


def certify(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    # The Python of this test has the onnx package, and is the first in PATH, as in an active virtual environment.
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = [BIN / "ifcert", "certify", *map(str, words)]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def verdicts(out: Path) -> set[str]:
    lines = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    return {line["verdict"] for line in lines if "verdict" in line}


@pytest.mark.parametrize("name", ["my_backend", "my_backend.Evaluator"])
def test_a_backend_is_a_module_or_a_class(folder: Path, tmp_path: Path, name: str) -> None:
    run = certify(folder, "--onnx-backend", name, "--rule", THEN, "--strict", "--out", tmp_path / "out")
    assert run.returncode == 0, run.stdout + run.stderr
    assert verdicts(tmp_path / "out") == {"PASS"}
    header = json.loads((tmp_path / "out" / "results.jsonl").read_text().splitlines()[0])
    assert header["adapters"][0]["name"] == f"onnx-backend:{name}"


def test_it_is_an_adapter_like_others_by_its_full_name(folder: Path, tmp_path: Path) -> None:
    run = certify(folder, "onnx-backend:my_backend", "reference", "--rule", THEN, "--out", tmp_path / "out")
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_wrong_branch_is_a_wrong_value(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run = certify(folder, "--onnx-backend", "my_backend.Swapped", "--rule", "onnx/if/then-when-true", "--out", out)
    assert run.returncode == 1, run.stderr
    assert "FAIL (wrong-value)" in run.stdout


def test_a_model_that_is_not_compatible_is_unsupported(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    certify(folder, "--onnx-backend", "my_backend.Choosy", "--rule", THEN, "--out", out)
    assert verdicts(out) == {"UNSUPPORTED"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_such_backend", "No module named 'no_such_backend'"),
        ("my_backend.Nothing", "my_backend contains no Nothing"),
        ("json", "json has no function prepare"),
    ],
)
def test_what_is_not_a_backend_is_named(folder: Path, tmp_path: Path, name: str, message: str) -> None:
    run = certify(folder, "--onnx-backend", name, "--out", tmp_path / "out")
    assert run.returncode == 2
    assert message in run.stderr
    assert f"python3 has no backend {name}" in run.stderr
    assert not (tmp_path / "out").exists()


def test_certify_needs_something_to_certify(folder: Path) -> None:
    run = certify(folder)
    assert (run.returncode, run.stderr) == (2, "ifcert: name an ADAPTER, or --onnx-backend MODULE\n")
