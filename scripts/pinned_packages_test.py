"""Everything that is installed from a registry has a digest; scripts/pin_packages writes those of Python packages."""

import json
import re
from pathlib import Path

import pytest
from pinned_packages import (
    Package,
    UnpinnedError,
    files_of_repository,
    may_be_installed,
    oldest_python,
    packages_in,
    pinned,
    text_of,
    wheels_in,
)

ROOT = Path(__file__).resolve().parents[1]
ADAPTERS = sorted((ROOT / "conformance" / "adapters").glob("*/adapter.json"))
TEMPLATES = sorted((ROOT / "bindings" / "adapters" / "templates").glob("*/adapter.json"))
LOCK = """
[[packages]]
name = "two-words"
version = "1.0"
wheels = [
  { url = "https://registry.example/two_words-1.0-cp311-cp311-manylinux_2_28_x86_64.whl", hashes = { sha256 = "bb" } },
  { url = "https://registry.example/two_words-1.0-cp311-cp311-manylinux_2_28_aarch64.whl", hashes = { sha256 = "aa" } },
  { url = "https://registry.example/two_words-1.0-cp311-cp311-win_amd64.whl", hashes = { sha256 = "cc" } },
]
"""


def listed(file: Path) -> str:
    return str(file.relative_to(ROOT))


@pytest.mark.parametrize("file", files_of_repository(), ids=listed)
def test_each_package_has_digests_as_the_tool_writes_them(file: Path) -> None:
    packages = packages_in(file.read_text(), str(file))
    assert packages
    assert [package.pin for package in packages if not package.digests] == []
    assert file.read_text() == text_of(packages)


def test_all_files_are_found() -> None:
    found = {listed(file) for file in files_of_repository()}
    assert {"scripts/requirements.txt", "scripts/pin-requirements.txt"} <= found
    assert {file for file in found if "adapters/" in file} == {
        listed(Path(pins)) for manifest in [*ADAPTERS, *TEMPLATES] if (pins := pins_of(manifest))
    }


def pins_of(manifest: Path) -> str | None:
    """The file that an adapter.json names; it may not list packages itself."""
    pins = ((json.loads(manifest.read_text())["install"]) or {}).get("python")
    assert pins is None or isinstance(pins, str), f"{manifest} lists packages; expected a file with their digests"
    paths = {"{adapter}": str(manifest.parent), "{adapters}": str(manifest.parents[1])}
    return pins and re.sub(r"\{adapters?\}", lambda name: paths[name[0]], pins)


def test_packages_of_other_languages_have_digests() -> None:
    folders = [manifest.parent for manifest in ADAPTERS]
    checked = 0
    for folder in folders:
        if (lock := folder / "package-lock.json").exists():
            packages = json.loads(lock.read_text())["packages"]
            assert [name for name, package in packages.items() if name and "integrity" not in package] == [], lock
            checked += 1
        if (lock := folder / "Cargo.lock.in").exists():
            for package in lock.read_text().split("[[package]]")[1:]:
                assert ("source = " in package) == ('checksum = "' in package), package
            checked += 1
        if (lock := folder / "go.sum").exists():
            modules = re.findall(r"^\s*(?:require )?(\S+) (v\S+)", (folder / "go.mod").read_text(), re.MULTILINE)
            assert [name for name, version in modules if f"{name} {version} h1:" not in lock.read_text()] == [], lock
            checked += 1
        if (lock := folder / "jars.sha256").exists():
            assert all(re.fullmatch(r"[0-9a-f]{64}  \S+\.jar", line) for line in lock.read_text().splitlines()), lock
            checked += 1
    assert checked >= 5


def test_no_script_lets_pip_install_without_comparing_digests() -> None:
    installing = 0
    for script in sorted((ROOT / "scripts").rglob("*")):
        if script.is_dir() or script.name.endswith(("_test.py", ".txt")) or "__pycache__" in script.parts:
            continue
        text = script.read_text()
        commands = re.findall(r"pip install (?:.*\\\n)*.*|\"pip\", \"install\".*|\"-m\", \"pip\", \"install\".*", text)
        commands = [command for command in commands if re.search(r"-r\b|-q\b|--quiet", command)]
        if commands:
            assert text.count("--require-hashes") >= len(commands), f"{script}: {commands}"
            assert text.count(":all:") >= len(commands), f"{script}: {commands}"
        installing += len(commands)
    assert installing >= 6


def test_the_tools_that_build_a_package_are_those_that_pyproject_names() -> None:
    packages = {package.pin for package in packages_in((ROOT / "scripts" / "package-requirements.txt").read_text())}
    (required,) = re.findall(r"^requires = (\[.*\])$", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert {pin.replace("-", "_") for pin in json.loads(required)} <= {pin.replace("-", "_") for pin in packages}


def test_wheels_for_linux_and_supported_pythons_are_kept() -> None:
    for wheel in (
        "a-1-py3-none-any.whl", "a-1-py2.py3-none-any.whl", "a-1-cp311-cp311-manylinux_2_28_x86_64.whl",
        "a-1-cp314-cp314-manylinux2014_aarch64.manylinux_2_17_aarch64.whl", "a-1-cp39-abi3-linux_x86_64.whl",
        "a-1-1build-cp312-none-manylinux_2_17_x86_64.whl", "a-1-py3-none-manylinux_2_5_x86_64.whl",
    ):  # fmt: skip
        assert may_be_installed(wheel), wheel
    for other in (
        "a-1.tar.gz", "a-1-cp310-cp310-manylinux_2_28_x86_64.whl", "a-1-cp313-cp313t-manylinux_2_28_x86_64.whl",
        "a-1-cp311-cp311-musllinux_1_2_x86_64.whl", "a-1-cp311-cp311-win_amd64.whl", "a-1-py2-none-any.whl",
        "a-1-cp311-cp311-macosx_11_0_arm64.whl", "a-1-pp311-pypy311_pp73-manylinux_2_28_x86_64.whl",
        "a-1-cp311-cp311-manylinux_2_17_armv7l.whl",
    ):  # fmt: skip
        assert not may_be_installed(other), other


def test_digests_come_from_the_lock_file_and_the_order_from_the_requirements() -> None:
    assert wheels_in(LOCK) == {"two-words": ("aa", "bb")}
    assert text_of(pinned([Package("Two_Words==1.0")], LOCK)) == (
        "Two_Words==1.0 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n"
    )


def test_only_packages_of_models_may_require_a_newer_python_than_ours() -> None:
    newer = {listed(file) for file in files_of_repository() if oldest_python(file) != 11}
    assert newer == {"scripts/models-requirements.txt"}


def test_a_package_without_a_wheel_is_an_error() -> None:
    with pytest.raises(UnpinnedError, match=r"other==1 has no wheel for Linux"):
        pinned([Package("other==1")], LOCK)


def test_what_is_no_pinned_package_is_an_error() -> None:
    for line in ("a", "a>=1", "-r other.txt", "a==1 --hash=md5:00", "./a.whl"):
        with pytest.raises(UnpinnedError, match="expected NAME==VERSION"):
            packages_in(line + "\n", "file")
