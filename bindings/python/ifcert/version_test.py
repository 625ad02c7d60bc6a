"""The version is written in pyproject.toml; the command and the package have it from there."""

import os
import subprocess
import tomllib
from pathlib import Path

import ifcert

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"


def test_the_command_and_the_package_have_the_version_of_the_project() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    run = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)
    assert (run.stdout.strip(), ifcert.__version__) == (version, version)
