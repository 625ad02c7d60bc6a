"""Packages of an adapter are installed only if their archives have the digests that its requirements.txt lists."""

import hashlib
import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A package of one module, in a folder in which pip finds it."""
    file = tmp_path / "wheels" / "toyengine-1.4-py3-none-any.whl"
    file.parent.mkdir()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("toyengine.py", "VERSION = '1.4'\n")
        about = "toyengine-1.4.dist-info"
        archive.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: toyengine\nVersion: 1.4\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return file


def install(folder: Path, python: object, pins: str) -> subprocess.CompletedProcess[str]:
    toy = folder / "toy"
    toy.mkdir(exist_ok=True)
    manifest = {
        "name": "toy", "systems": ["onnx"], "version": "1.4", "home": "https://example.org",
        "install": {"environment": "toy", "python": python}, "command": ["{environment}/bin/python"],
    }  # fmt: skip
    (toy / "adapter.json").write_text(json.dumps(manifest))
    (toy / "requirements.txt").write_text(pins)
    places = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder / "wheels"), "IFCERT_ADAPTERS": str(folder / "made")}
    command = [BIN / "ifcert", "adapter", "install", "./toy"]
    return subprocess.run(command, cwd=folder, env=os.environ | places, capture_output=True, text=True, check=False)


def digest(wheel: Path) -> str:
    return hashlib.sha256(wheel.read_bytes()).hexdigest()


def test_an_archive_with_its_digest_is_installed(wheel: Path, tmp_path: Path) -> None:
    pins = f"toyengine==1.4 \\\n    --hash=sha256:{'0' * 64} \\\n    --hash=sha256:{digest(wheel)}\n"
    ran = install(tmp_path, "{adapter}/requirements.txt", pins)
    assert (ran.returncode, ran.stdout) == (0, "./toy: installed toyengine==1.4\n"), ran.stderr
    assert install(tmp_path, "{adapter}/requirements.txt", pins).stdout == "./toy: already installed\n"
    ran = install(tmp_path, "{adapter}/requirements.txt", pins.replace("0" * 64, "1" * 64))
    assert ran.stdout == "./toy: installed toyengine==1.4\n", "other digests make another environment"


def test_another_archive_is_refused(wheel: Path, tmp_path: Path) -> None:
    pins = f"toyengine==1.4 --hash=sha256:{digest(wheel)}\n"
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("more.py", "")
    ran = install(tmp_path, "{adapter}/requirements.txt", pins)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in ran.stderr
    assert "ifcert: cannot install the adapter toy: " in ran.stderr
    assert not (tmp_path / "made" / "toy").exists()


def test_a_package_without_a_digest_is_refused_before_pip_is_asked(wheel: Path, tmp_path: Path) -> None:
    ran = install(tmp_path, "{adapter}/requirements.txt", "toyengine==1.4\n")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "requirements.txt:1: 'toyengine==1.4'; expected a package with a version and its digests" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_list_without_digests_is_installed_and_what_pip_saw_is_kept(wheel: Path, tmp_path: Path) -> None:
    ran = install(tmp_path, ["toyengine==1.4"], "")
    assert ran.returncode == 0, ran.stderr
    seen = tmp_path / "made" / "toy" / "ifcert-installed.txt"
    assert "there were no digests to compare these packages with" in ran.stdout
    assert str(seen) in ran.stdout
    assert seen.read_text().startswith("toyengine==1.4")
