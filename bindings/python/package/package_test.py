"""`pip install` of the project in an empty environment gives the package, the command, the library and the vectors."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MODEL = ROOT / "vectors" / "onnx" / "generated" / "if" / "then-when-true" / "test-cc-if" / "model.onnx"


def done(*command: str | Path, folder: Path) -> str:
    """Run a command that must succeed, away from the project; its standard output."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("IFCERT_", "PYTHON"))}
    ended = subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=folder, env=outside | {"HOME": str(folder)}
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with nothing in it but ifcert and what it needs."""
    folder = tmp_path_factory.mktemp("empty")
    cache = os.environ.get("CCACHE_DIR", str(Path.home() / ".cache" / "ccache"))
    done(sys.executable, "-m", "venv", folder / "venv", folder=folder)
    pip = [folder / "venv" / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done("env", f"CCACHE_DIR={cache}", *pip, ROOT, folder=folder)
    return folder


def test_the_installed_package_loads_and_runs_a_model(environment: Path) -> None:
    script = f"""
import ifcert
print(ifcert.__file__)
print(ifcert.load({str(MODEL)!r}).run({{"cond": False}})["res"])
"""
    where, result = done(environment / "venv" / "bin" / "python", "-c", script, folder=environment).splitlines()
    assert where.startswith(str(environment))
    assert result == "[3. 4.]"


def test_the_installed_package_is_typed(environment: Path) -> None:
    site = next((environment / "venv" / "lib").glob("python3*")) / "site-packages"
    assert (site / "ifcert" / "py.typed").exists()
    assert (site / "_ifcert.pyi").exists()


def test_the_installed_command_has_its_vectors_and_the_reference(environment: Path) -> None:
    command = environment / "venv" / "bin" / "ifcert"
    assert "onnx/if/then-when-true/test-cc-if" in done(command, "list", "vectors", folder=environment)
    done(command, "certify", "reference", "--rule", "onnx/if/nesting", "--out", "results", folder=environment)
    assert (environment / "results" / "report.html").exists()


def test_the_library_comes_along(environment: Path) -> None:
    site = next((environment / "venv" / "lib").glob("python3*")) / "site-packages"
    assert (site / "ifcert" / "installed" / "include" / "ifcert" / "reference.hpp").exists()
    assert list((site / "ifcert" / "installed" / "lib").glob("cmake/ifcert/ifcertConfig.cmake"))
