"""--on ray from an installed package: a node that has no ifcert works with the driver's wheel, or not at all."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from built_wheel import wheel_in
from ray_nodes import cluster_of_one, needs_ray, session_of

RULE = "onnx/if/then-when-true"
MANIFEST = Path("ifcert", "installed", "share", "ifcert", "conformance", "adapters", "reference", "adapter.json")
PROJECT = """
from ifcert.cluster.on_ray import installed_project
from ifcert.cluster.shard import digest_of_project
print(digest_of_project(installed_project()))
"""

pytestmark = needs_ray


@dataclass(frozen=True)
class Environment:
    """A Python environment without this checkout, which finds Ray and NumPy in the tests' own."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def site(self) -> Path:
        (site,) = self.folder.glob("lib/python3*/site-packages")
        return site

    def variables(self) -> dict[str, str]:
        """Its programs go first; pip takes nothing but the wheel, whose dependencies are there."""
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return {"PATH": path, "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PIP_NO_COMPILE": "1"}

    def run(self, *words: object) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("IFCERT_")}
        return subprocess.run(
            [str(self.python), *map(str, words)],
            cwd=self.folder, env=environment | self.variables(), capture_output=True, text=True, timeout=280,
            check=False,
        )  # fmt: skip

    def project(self) -> str:
        """The digest of its copy of ifcert."""
        ran = self.run("-c", PROJECT)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.strip()

    def certify(self, address: str, out: Path) -> subprocess.CompletedProcess[str]:
        command = (self.folder / "bin" / "ifcert", "certify", "reference", "--rule", RULE)
        return self.run(*command, "--on", f"ray={address}", "--out", out)


def environment_in(folder: Path) -> Environment:
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    made = Environment(folder)
    ours = next(path for path in sys.path if (Path(path) / "ray").is_dir())
    (made.site / "tests.pth").write_text(f"{ours}\n")
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the vectors of one rule."""
    return wheel_in(tmp_path_factory.mktemp("wheel"), RULE)


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Environment:
    """Where the driver is."""
    made = environment_in(tmp_path / "installed")
    ran = made.run("-m", "pip", "install", "-q", "--disable-pip-version-check", wheel)
    assert ran.returncode == 0, ran.stderr
    return made


@pytest.fixture
def bare(tmp_path: Path) -> Environment:
    """Where the node is: nothing but Ray and NumPy."""
    made = environment_in(tmp_path / "bare")
    ran = made.run("-c", "import ray, numpy, ifcert")
    assert "No module named 'ifcert'" in ran.stderr
    return made


@pytest.fixture
def address(bare: Environment, tmp_path: Path) -> Iterator[str]:
    with cluster_of_one(tmp_path, bare.python, bare.variables()) as it:
        yield it


def projects_in(out: Path) -> set[str]:
    """The digests in the results of the shards."""
    lines = [json.loads(line) for line in (out / "cluster" / "ledger.jsonl").read_text().splitlines()]
    return {line["project"] for line in lines if "digest" in line}


def change(file: Path, space: str) -> None:
    """So that its digest is another, and what it says is the same."""
    file.write_text(file.read_text() + space)


def test_nodes_work_with_the_drivers_wheel(installed: Environment, address: str, tmp_path: Path) -> None:
    first = installed.project()
    ran = installed.certify(address, tmp_path / "first")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert projects_in(tmp_path / "first") == {first}
    (there,) = session_of(address).glob(f"session_2*/runtime_resources/py_modules_files/*/{MANIFEST}")
    assert there.read_bytes() == (installed.site / MANIFEST).read_bytes()

    change(there, "\n")
    ran = installed.certify(address, tmp_path / "refused")
    refused = [line for line in ran.stderr.splitlines() if "gets no more shards" in line]
    assert len(refused) == 1, ran.stderr
    assert f"its files of ifcert have the digest {digest_in(refused[0])}, expected {first}" in refused[0]
    assert digest_in(refused[0]) != first
    assert ran.returncode == 2
    assert projects_in(tmp_path / "refused") == set()

    change(installed.site / MANIFEST, "\n\n")
    second = installed.project()
    ran = installed.certify(address, tmp_path / "second")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert projects_in(tmp_path / "second") == {second}
    assert second != first


def digest_in(line: str) -> str:
    """Of the files that were found."""
    return line.split("have the digest ")[1].split(",")[0]
