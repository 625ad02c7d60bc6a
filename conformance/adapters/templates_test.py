"""The templates of docs/adapter_guide.md: copied out of the tree, filled in as in the guide, named by their path."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "bindings" / "adapters" / "templates"
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
GUIDE = (ROOT / "docs" / "adapter_guide.md").read_text()

# The text at each FILL of the Python template, and the guide's replacement for onnx's own evaluator.
FILLED = {
    "        # FILL 1: import my_runtime; self._my_runtime = my_runtime\n": (
        "        import onnx.reference\n\n        self._my_runtime = onnx\n"
    ),
    '            version="1.0",\n': "            version=self._my_runtime.__version__,\n",
    '        raise AdapterError(f"FILL 3 of the template is still to be filled in: load {model.name}")\n': (
        "        with self.runtime():\n"
        "            self._model = self._my_runtime.reference.ReferenceEvaluator(str(model))\n"
        "        return [Port(name, None, None) for name in self._model.output_names]\n"
    ),
    "        raise AdapterError(f\"FILL 4 of the template is still to be filled in: run with {', '.join(feeds)}\")\n": (
        "        with self.runtime():\n"
        "            results = self._model.run(None, feeds)\n"
        "        return [(name, read(result)) "
        "for name, result in zip(self._model.output_names, results, strict=True)]\n"
    ),
}


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "mine"


def set_manifest(adapter: Path, **members: object) -> None:
    file = adapter / "adapter.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | members))


def certify(adapter: Path, *rules: str) -> subprocess.CompletedProcess[str]:
    selection = [word for rule in rules for word in ("--rule", rule)]
    command = [IFCERT, "certify", "./mine", *selection, "--jobs", "1", "--out", "results"]
    return subprocess.run(command, cwd=adapter.parent, capture_output=True, text=True)


def test_a_python_adapter_filled_in_as_in_the_guide_is_certified(mine: Path) -> None:
    shutil.copytree(TEMPLATES / "python", mine)
    text = (mine / "adapter.py").read_text()
    for place, filling in FILLED.items():
        assert text.count(place) == 1, place
        assert all(line.strip() in GUIDE for line in filling.splitlines()), f"the guide does not show {filling}"
        text = text.replace(place, filling)
    (mine / "adapter.py").write_text(text)
    same_packages = json.loads((ROOT / "conformance" / "adapters" / "onnx-reference" / "adapter.json").read_text())
    set_manifest(mine, version=same_packages["version"], install=same_packages["install"])
    run = certify(mine, "onnx/if/then-when-true", "onnx/if/no-state-between-runs", "onnx/if/output-order")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "All results match the known-failure lists (known: 0 failures)" in run.stdout


def test_an_adapter_that_is_not_filled_in_blames_itself(mine: Path) -> None:
    shutil.copytree(TEMPLATES / "python", mine)
    set_manifest(mine, install=None, command=[sys.executable, "{adapter}/adapter.py"])
    run = certify(mine, "onnx/if/else-when-false")
    assert run.returncode == 2, "nothing was judged"
    assert run.stdout.count("ADAPTER, not listed: the adapter itself failed: AdapterError: FILL 3 of the template") == 2


def test_the_cpp_template_builds_in_any_folder_and_blames_itself_until_it_is_filled_in(mine: Path) -> None:
    shutil.copytree(TEMPLATES / "cpp", mine)
    configure = ["cmake", "-G", "Ninja", "-S", mine, "-B", mine / "build", f"-DIFCERT={ROOT}"]
    subprocess.run(configure, check=True, capture_output=True)
    subprocess.run(["cmake", "--build", mine / "build"], check=True, capture_output=True)
    run = certify(mine, "onnx/if/else-when-false")
    assert run.returncode == 2, "nothing was judged"
    assert (
        run.stdout.count(
            "ADAPTER, not listed: the adapter itself failed: FILL 4 of the template is still to be filled in"
        )
        == 2
    )


def test_a_missing_adapter_is_named(mine: Path) -> None:
    run = certify(mine)
    assert run.returncode == 2
    assert "mine contains no adapter.json" in run.stderr
