"""The output of scripts/package is complete, and its wheel needs nothing but Python."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHOICE = "onnx/generated/if/then-when-true/test-cc-if.onnx"
BROKEN = "onnx/generated/if/output-count/then-has-more.onnx"

pytestmark = pytest.mark.skipif(
    "IFCERT_LONG" not in os.environ, reason="compiles everything once more: scripts/test --all does it"
)


@pytest.fixture(scope="module")
def made() -> Path:
    """The folder with the release, built again."""
    ended = subprocess.run([ROOT / "scripts" / "package"], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ROOT / "dist"


@pytest.fixture(scope="module")
def wheel(made: Path) -> Path:
    """The one wheel."""
    (only,) = made.glob("*.whl")
    return only


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python environment into which the wheel was installed."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "-q", wheel], check=True)
    (folder / "bin" / "true").symlink_to("/usr/bin/true")  # every Linux has it; used to try starting an adapter
    if bubblewrap := shutil.which("bwrap"):
        (folder / "bin" / "bwrap").symlink_to(bubblewrap)  # which also needs `true`
    return folder


def run(
    environment: Path, program: str, *arguments: object, cwd: Path, home: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a program of the environment with nothing else in PATH: no compiler, no tools of this project."""
    only = {"PATH": str(environment / "bin"), "HOME": str(home or cwd)}
    passed = {name: value for name, value in os.environ.items() if name.startswith("PIP_") or "SSL" in name}
    return subprocess.run(
        [environment / "bin" / program, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=passed | only,
    )


def test_the_digests_are_those_of_the_files(made: Path) -> None:
    subprocess.run(["sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS"], check=True, cwd=made)
    named = {line.split()[1] for line in (made / "SHA256SUMS").read_text().splitlines()}
    assert named == {file.name for file in made.iterdir()} - {"SHA256SUMS"}
    assert (made / "manifest.json").read_bytes() == (ROOT / "vectors" / "manifest.json").read_bytes()


def test_the_archive_of_the_vectors_has_each_of_the_manifest(made: Path) -> None:
    manifest = json.loads((made / "manifest.json").read_text())
    (archive,) = made.glob("ifcert-vectors-*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {name.split("/", 1)[1] for name in tar.getnames()}
    assert "manifest.json" in names
    folders = {entry["path"] for entry in manifest["vectors"]}
    assert folders <= {str(Path(name).parent) for name in names}


def test_no_library_is_missing_that_the_wheels_tag_does_not_promise(wheel: Path, environment: Path) -> None:
    assert re.search(r"-manylinux_2_\d+_x86_64", wheel.name), wheel.name
    promised = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libz.so.1", "ld-linux-x86-64.so.2"}
    (site,) = environment.glob("lib/python3*/site-packages")
    programs = [*(site / "ifcert" / "installed" / "bin").iterdir(), *site.glob("ifcert/_ifcert*.so")]
    assert len(programs) == 4
    for program in programs:
        listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        for name, path in re.findall(r"^\s*(\S+) => (.*?)(?: \(0x[0-9a-f]+\))?$", listed, re.MULTILINE):
            assert name in promised or Path(path).resolve().is_relative_to(site), f"{program.name}: {name} => {path}"


def test_the_list_of_what_is_inside_has_each_library_of_the_wheel(made: Path, wheel: Path) -> None:
    (file,) = made.glob("*.cdx.json")
    listed = {component["bom-ref"] for component in json.loads(file.read_text())["components"]}
    with zipfile.ZipFile(wheel) as archive:
        libraries = {name for name in archive.namelist() if ".libs/lib" in name}
    assert libraries, "auditwheel put nothing beside the programs"
    assert libraries <= listed


def test_the_commands_on_models(environment: Path, tmp_path: Path) -> None:
    vectors = ROOT / "vectors"
    run_of = {
        ("check", vectors / CHOICE): (0, "no rule broken"),
        ("check", vectors / BROKEN): (1, "onnx/if/output-count"),
        ("run", vectors / CHOICE, "--input", "cond=true"): (0, "res: float32[2] [1, 2]"),
        ("show", vectors / CHOICE): (0, "digraph"),
        ("show", vectors / CHOICE, "-o", "choice.html"): (0, ""),
        ("convert", vectors / CHOICE, "choice.xml"): (0, ""),
        ("run", "choice.xml", "--input", "cond=true"): (0, "res: float32[2] [1, 2]"),
        ("explain", "onnx/if/output-count"): (0, "reference/check/"),
        ("list", "vectors"): (0, "onnx/if/then-when-true/test-cc-if"),
        ("list", "adapters"): (0, "onnxruntime"),
        ("export", "--layout", "onnx-backend-test", "tests"): (0, ""),
    }
    for arguments, (status, printed) in run_of.items():
        ended = run(environment, "ifcert", *arguments, cwd=tmp_path)
        assert (ended.returncode, printed in ended.stdout) == (status, True), (arguments, ended)


def test_the_module(environment: Path, tmp_path: Path) -> None:
    text = f"import ifcert; print(ifcert.load({str(ROOT / 'vectors' / CHOICE)!r}).run({{'cond': True}}))"
    ended = run(environment, "python", "-c", text, cwd=tmp_path)
    assert ended.stdout == "{'res': array([1., 2.], dtype=float32)}\n", ended.stderr


@pytest.mark.parametrize(
    ("runtime", "place"),
    [("reference", "temporary folder"), ("reference", "home"), ("onnxruntime", "temporary folder")],
)
def test_a_certification(environment: Path, tmp_path: Path, runtime: str, place: str) -> None:
    home = environment.parent if place == "home" else tmp_path
    ended = run(environment, "ifcert", "certify", runtime, "--out", "results", cwd=tmp_path, home=home)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (computed,) = re.findall(rf"^{runtime}: computes (\d+) of", ended.stdout, re.MULTILINE)
    assert int(computed) > 0
    assert (tmp_path / "results" / "report.html").is_file()
