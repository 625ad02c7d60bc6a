"""scripts/install_adapters: an adapter that cannot be installed does not leave out the others, and is named."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("install_adapters")
IFCERT = """#!/bin/sh
[ "$1 $2" = "adapter install" ] || exit 2
case $3 in
  bad*) echo "WARNING: slow"; echo "ifcert: cannot install the adapter $3: protoc is needed" >&2; exit 2;;
  mute) exit 1;;
esac
echo "$3: installed"
"""


def install(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["scripts/install_adapters", *words], cwd=project, capture_output=True, text=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A checkout whose ifcert can install all but bad… and mute."""
    for file in (tmp_path / "scripts" / SCRIPT.name, tmp_path / ".venv" / "bin" / "ifcert"):
        file.parent.mkdir(parents=True)
    shutil.copy(SCRIPT, tmp_path / "scripts")
    (tmp_path / ".venv" / "bin" / "ifcert").write_text(IFCERT)
    (tmp_path / ".venv" / "bin" / "ifcert").chmod(0o755)
    return tmp_path


def test_those_that_cannot_be_installed_are_named_with_the_reason(project: Path) -> None:
    run = install(project, "absent", "one", "--", "bad", "two", "mute", "bad-too", "three")
    assert run.returncode == 0, run.stderr
    assert [line for line in run.stdout.splitlines() if "installed" in line] == [
        f"{name}: installed" for name in ("one", "two", "three")
    ]
    assert (project / "absent").read_text().splitlines() == [
        "bad: cannot install the adapter bad: protoc is needed",
        "mute: no reason was given",
        "bad-too: cannot install the adapter bad-too: protoc is needed",
    ]


def test_one_that_must_be_there_is_an_error_and_the_others_are_tried(project: Path) -> None:
    run = install(project, "absent", "bad", "one", "--", "two")
    assert run.returncode == 1
    assert "protoc is needed" in run.stdout
    assert "one: installed\ntwo: installed\n" in run.stdout
    assert (project / "absent").read_text() == ""


def test_all_are_installed(project: Path) -> None:
    (project / "absent").write_text("old: reason")
    assert install(project, "absent", "one", "two").returncode == 0
    assert (project / "absent").read_text() == ""
