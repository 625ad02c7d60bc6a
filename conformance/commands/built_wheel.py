"""Wheels of the programs that were built here, with the vectors of one rule; scripts/package compiles the real one."""

import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")).parent


def wheel_in(folder: Path, rule: str, tag: str = "py3-none-any") -> Path:
    """The wheel, made in that folder."""
    tree = folder / "tree"
    package = tree / "ifcert"
    shutil.copytree(ROOT / "bindings/python/ifcert", package, ignore=shutil.ignore_patterns("*_test.py", "__pycache__"))
    (module,) = (BUILD / "python" / "ifcert").glob("_ifcert*.so")
    shutil.copy2(module, package)
    installed = package / "installed"
    command = ["cmake", "--install", str(BUILD), "--component", "command", "--prefix", str(installed)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    keep_vectors_of_one_rule(installed / "share" / "ifcert" / "vectors", rule)
    about = tree / "ifcert-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ifcert\nVersion: 0.1.0\nRequires-Dist: numpy\n")
    (about / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: false\nTag: {tag}\n")
    (about / "entry_points.txt").write_text("[console_scripts]\nifcert = ifcert.command:main\n")
    files = [path for path in sorted(tree.rglob("*")) if path.is_file()]
    (about / "RECORD").write_text("".join(f"{path.relative_to(tree)},,\n" for path in files))
    file = folder / f"ifcert-0.1.0-{tag}.whl"
    with zipfile.ZipFile(file, "w") as archive:
        for path in [*files, about / "RECORD"]:
            archive.write(path, path.relative_to(tree))
    return file


def keep_vectors_of_one_rule(vectors: Path, rule: str) -> None:
    """A tenth of a second instead of many to install."""
    manifest = json.loads((vectors / "manifest.json").read_text())
    system, _, rest = rule.partition("/")
    kept = f"{system}/generated/{rest}/vectors.jsonl"
    for file in manifest["files"].keys() - {kept}:
        shutil.rmtree((vectors / file).parent)
    manifest["files"] = {kept: manifest["files"][kept]}
    (vectors / "manifest.json").write_text(json.dumps(manifest))
