"""Converts the functions of reference/tests/e2e/tflite_functions.py to the files of
reference/tests/e2e/tflite_files/converted.zip.

usage: .venv/bin/python scripts/convert_tflite_files.py [--check]

It uses TensorFlow's converter, in an environment of its own (.adapters/tensorflow, 1.6 GB), created where it is
missing. Nobody needs to run this: the files are committed, described in provenance.json, and tests read them. Nothing
happens where the files already belong to the current sources. With --check everything is converted again, nothing is
written, and each file that differs is named (exit status 1).
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "reference" / "tests" / "e2e" / "tflite_files"
FILES = FOLDER / "converted.zip"
PROVENANCE = FOLDER / "provenance.json"
FUNCTIONS = ROOT / "reference" / "tests" / "e2e" / "tflite_functions.py"
REQUIREMENTS = FOLDER / "requirements.txt"
ENVIRONMENT = ROOT / ".adapters" / "tensorflow"
INSTALLED = ENVIRONMENT / "installed.txt"

# The converter writes buffers after the table, and attributes of TensorFlow's own operators, in an order that differs
# from run to run.
OF_NO_FIXED_ORDER = {"cond_constants_behind_the_table", "lacking_custom"}


def digest(data: bytes) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def committed_files() -> dict[str, bytes]:
    """The files by name, without the ending."""
    if not FILES.exists():
        return {}
    with zipfile.ZipFile(FILES) as archive:
        return {name.removesuffix(".tflite"): archive.read(name) for name in archive.namelist()}


def sources() -> dict[str, str]:
    """The digests of everything that the files depend on."""
    return {path.relative_to(ROOT).as_posix(): digest(path.read_bytes()) for path in (FUNCTIONS, REQUIREMENTS)}


def committed() -> dict[str, Any]:
    """The current provenance."""
    return json.loads(PROVENANCE.read_text()) if PROVENANCE.exists() else {"sources": {}, "files": {}}


def current(provenance: dict[str, Any]) -> bool:
    """Whether the sources and the files are those of the provenance."""
    there = {name: digest(data) for name, data in committed_files().items()}
    return provenance["sources"] == sources() and there == {
        name: file["sha256"] for name, file in provenance["files"].items()
    }


def install() -> None:
    """The environment, with the packages of requirements.txt; an existing one is kept."""
    if INSTALLED.exists() and INSTALLED.read_text() == REQUIREMENTS.read_text():
        return
    subprocess.run([sys.executable, "-m", "venv", "--clear", ENVIRONMENT], check=True)
    only = ["--require-hashes", "--only-binary", ":all:"]
    subprocess.run([ENVIRONMENT / "bin" / "pip", "install", "--quiet", *only, "-r", REQUIREMENTS], check=True)
    INSTALLED.write_text(REQUIREMENTS.read_text())


def convert(folder: Path) -> dict[str, Any]:
    """Converts the files into the folder; returns their provenance."""
    home = {"HOME": str(folder), "PATH": os.environ["PATH"], "TF_ENABLE_ONEDNN_OPTS": "0"}
    subprocess.run([ENVIRONMENT / "bin" / "python", FUNCTIONS, folder], env=home, check=True, stderr=subprocess.DEVNULL)
    return {"sources": sources(), **json.loads((folder / "converted.json").read_text())}


def differing(provenance: dict[str, Any], made: dict[str, Any]) -> list[str]:
    """Names of files that differ, or are missing."""
    names = sorted(set(provenance["files"]) | set(made["files"]))
    before, after = ({name: dict(these["files"].get(name, {})) for name in names} for these in (provenance, made))
    for name in OF_NO_FIXED_ORDER & set(names):
        before[name]["sha256"] = after[name]["sha256"] = ""
    return [name for name in names if before[name] != after[name]]


def write(folder: Path, provenance: dict[str, Any], made: dict[str, Any]) -> None:
    """Replaces the files, except those that differ in their order alone."""
    kept = (OF_NO_FIXED_ORDER & set(provenance["files"])) - set(differing(provenance, made))
    made["files"] |= {name: provenance["files"][name] for name in kept}
    before = committed_files() if kept else {}
    files = {name: before[name] if name in kept else (folder / f"{name}.tflite").read_bytes() for name in made["files"]}
    with zipfile.ZipFile(FILES, "w") as archive:
        for name, data in sorted(files.items()):
            of_no_time = zipfile.ZipInfo(f"{name}.tflite")
            archive.writestr(of_no_time, data, compress_type=zipfile.ZIP_DEFLATED)
    PROVENANCE.write_text(json.dumps(made, indent=2, ensure_ascii=False) + "\n")


def main() -> int:
    """Write the files, or compare them with the conversion."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where a file differs")
    options = parser.parse_args()
    provenance = committed()
    if not options.check and current(provenance):
        print("the files belong to the current sources")
        return 0
    install()
    with tempfile.TemporaryDirectory() as folder:
        made = convert(Path(folder))
        if not options.check:
            write(Path(folder), provenance, made)
            return 0
    names = differing(provenance, made)
    for name in names:
        print(f"{name}.tflite in {FILES.relative_to(ROOT)} differs", file=sys.stderr)
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
