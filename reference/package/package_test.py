"""An installed ifcert is enough: another project finds, links and uses it, and the command finds its files."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")).parent
MODELS = ROOT / "vectors" / "onnx" / "generated" / "if"


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a command to the end and captures its output."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("IFCERT_")}
    return subprocess.run(command, check=False, capture_output=True, text=True, env=inherited | environment)


def done(*command: str | Path) -> str:
    """Runs a command that must succeed, and returns its standard output."""
    ended = run(*command)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which ifcert was installed."""
    folder = tmp_path_factory.mktemp("installed")
    done("cmake", "--install", BUILD, "--prefix", folder)
    return folder


@pytest.fixture(scope="module")
def consumer(prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The consumer's program, built outside the project's tree."""
    source = tmp_path_factory.mktemp("consumer")
    shutil.copytree(Path(__file__).parent / "consumer", source, dirs_exist_ok=True)
    done("cmake", "-G", "Ninja", "-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    done("cmake", "--build", source / "build")
    return source / "build" / "consumer"


def test_the_prefix_has_no_files_of_ours_in_its_root(prefix: Path) -> None:
    assert sorted(entry.name for entry in prefix.iterdir()) == ["bin", "include", "lib", "share"]


def test_manual_pages_and_completions_lie_where_they_are_looked_for(prefix: Path) -> None:
    pages = {page.name for page in (prefix / "share" / "man" / "man1").iterdir()}
    assert {"ifcert.1", "ifcert-check.1", "ifcert-adapter-smoke.1"} <= pages
    for shell, place in {
        "bash": "bash-completion/completions/ifcert",
        "zsh": "zsh/site-functions/_ifcert",
        "fish": "fish/vendor_completions.d/ifcert.fish",
    }.items():
        assert (prefix / "share" / place).read_text() == done(prefix / "bin" / "ifcert", "completion", shell)


def test_a_consumer_evaluates_a_model(consumer: Path) -> None:
    model = MODELS / "then-when-true" / "test-cc-if.onnx"
    assert done(consumer, model).splitlines() == ["float32[2] [1, 2]", "float32[2] [3, 4]"]


def test_a_consumer_sees_the_outputs_as_maps_of_eigen(consumer: Path) -> None:
    model = MODELS / "then-when-true" / "test-cc-if.onnx"
    assert done(consumer.parent / "eigen_consumer", model).split() == ["3", "7"]


@pytest.mark.parametrize("components", ["", "OPTIONAL_COMPONENTS eigen", "COMPONENTS eigen"])
def test_only_the_component_eigen_needs_eigen(prefix: Path, tmp_path: Path, components: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\nfind_package(ifcert REQUIRED {components})\n"
    )
    options = ["-DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON", f"-DCMAKE_PREFIX_PATH={prefix}"]
    ended = run("cmake", "-G", "Ninja", "-S", tmp_path, "-B", tmp_path / "build", *options)
    assert (ended.returncode == 0) == (components != "COMPONENTS eigen"), ended.stderr


def test_a_consumer_sees_the_rule_that_is_broken(consumer: Path) -> None:
    ended = run(consumer, MODELS / "output-count" / "then-has-more.onnx")
    assert (ended.returncode, ended.stdout) == (1, "onnx/if/output-count\n")


def test_a_consumer_is_told_what_is_no_model(consumer: Path, tmp_path: Path) -> None:
    (tmp_path / "none.onnx").write_bytes(b"\xff\xff")
    ended = run(consumer, tmp_path / "none.onnx")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "wire type" in ended.stderr or "expected" in ended.stderr, ended.stderr


def test_every_public_header_stands_alone(prefix: Path, tmp_path: Path) -> None:
    headers = sorted((prefix / "include" / "ifcert").glob("*.hpp"))
    assert len(headers) >= 10
    for header in headers:
        source = tmp_path / f"{header.stem}.cpp"
        source.write_text(f"#include <ifcert/{header.name}>\n#include <ifcert/{header.name}>\n")
        eigen = ["-isystem/usr/include/eigen3"] if header.name == "eigen.hpp" else []
        flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{prefix / 'include'}", *eigen]
        done("c++", *flags, source)


def test_the_installed_command_brings_the_vectors(prefix: Path, tmp_path: Path) -> None:
    vectors = run(prefix / "bin" / "ifcert", "list", "vectors", HOME=str(tmp_path))
    assert vectors.stdout == run(BUILD / "bin" / "ifcert", "list", "vectors", IFCERT_HOME=str(ROOT)).stdout
    assert "onnx/if/then-when-true/test-cc-if" in vectors.stdout


def test_the_installed_command_certifies_outside_the_tree(prefix: Path, tmp_path: Path) -> None:
    ended = run(
        prefix / "bin" / "ifcert",
        "certify",
        "reference",
        "--rule",
        "onnx/if/nesting",
        "--out",
        tmp_path / "results",
        HOME=str(tmp_path),
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert (tmp_path / "results" / "report.html").exists()


def test_a_copied_checkout_uses_what_lies_in_it(tmp_path: Path) -> None:
    for folder in ("conformance/adapters/reference", "conformance/protocol"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "vectors").mkdir()
    program = tmp_path / "build" / "release" / "bin" / "ifcert"
    program.parent.mkdir(parents=True)
    shutil.copy(BUILD / "bin" / "ifcert", program)
    assert [line.split()[0] for line in done(program, "list", "adapters").splitlines()] == ["reference"]
    shutil.rmtree(tmp_path / "vectors")  # there is no checkout any more, which it falls back to
    assert "onnxruntime" in done(program, "list", "adapters")
