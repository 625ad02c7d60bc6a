"""Requirements files in which each package has the digests of its wheels; scripts/pin_packages runs this."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OLDEST_PYTHON = 11  # of CPython 3, as in pyproject.toml
MODELS = "models-requirements.txt"  # of its packages only data is read, so they may require a newer Python
OLDEST_PYTHON_OF_MODELS = 12
ENTRY = re.compile(r"(?P<pin>[A-Za-z0-9._-]+(\[[a-z0-9,-]+\])?==[A-Za-z0-9.+!-]+)(?P<digests>( --hash=sha256:\w{64})*)")
WHEEL = re.compile(r"-(?P<python>[^-]+)-(?P<abi>[^-]+)-(?P<platform>[^-]+)\.whl$")
LINUX = re.compile(r"(many)?linux\w*_(x86_64|aarch64)")


class UnpinnedError(Exception):
    """A file or a package for which there can be no digests; the message says why."""


@dataclass(frozen=True)
class Package:
    """NAME==VERSION, and digests of archives."""

    pin: str
    digests: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As registries compare names."""
        return re.sub(r"[-_.]+", "-", re.split(r"\[|==", self.pin)[0]).lower()


def packages_in(text: str, file: str = "") -> list[Package]:
    """The packages of a file in their order."""
    packages = []
    for line in re.sub(r" *\\\n *", " ", text).splitlines():
        if not line or line.startswith("#"):
            continue
        if not (entry := ENTRY.fullmatch(line)):
            raise UnpinnedError(f"{file}: '{line[:100]}'; expected NAME==VERSION, with or without --hash=sha256:DIGITS")
        packages.append(Package(entry["pin"], tuple(re.findall(r"sha256:(\w+)", entry["digests"]))))
    return packages


def text_of(packages: list[Package]) -> str:
    """The file of these packages."""
    return "".join(
        " \\\n".join([package.pin, *(f"    --hash=sha256:{digest}" for digest in sorted(package.digests))]) + "\n"
        for package in packages
    )


def may_be_installed(wheel: str) -> bool:
    """Whether a wheel of this name fits Linux with glibc on x86-64 or aarch64, and a CPython that is supported."""
    tags = WHEEL.search(wheel)
    if not tags or not any(each == "any" or LINUX.fullmatch(each) for each in tags["platform"].split(".")):
        return False
    for python in tags["python"].split("."):
        minor = int(python.removeprefix("cp3") or 0) if re.fullmatch(r"cp3\d*", python) else 0
        if python == "py3" or "abi3" in tags["abi"].split("."):
            return True
        if minor >= OLDEST_PYTHON and tags["abi"] in (python, "none"):
            return True
    return False


def wheels_in(lock: str) -> dict[str, tuple[str, ...]]:
    """Package → the digests of those of its wheels that may be installed, from a pylock.toml (PEP 751)."""
    found = {}
    for package in tomllib.loads(lock).get("packages", []):
        wheels = package.get("wheels", [])
        named = {wheel.get("name") or wheel["url"].rpartition("/")[2]: wheel["hashes"]["sha256"] for wheel in wheels}
        found[package["name"]] = tuple(sorted({digest for name, digest in named.items() if may_be_installed(name)}))
    return found


def oldest_python(file: Path) -> int:
    """The minor version of the oldest CPython 3 for which the packages of a file are meant."""
    return OLDEST_PYTHON_OF_MODELS if file.name == MODELS else OLDEST_PYTHON


def lock_of(packages: list[Package], python: int) -> str:
    """What the registry has of these versions for CPython 3.`python` and newer, as uv writes it down."""
    command = ["uv", "pip", "compile", "--quiet", "--no-config", "--no-deps", "--no-build", "--universal"]
    command += ["--python-version", f"3.{python}", "--format", "pylock.toml", "--output-file"]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "packages.in").write_text("".join(f"{package.pin}\n" for package in packages))
        ran = subprocess.run([*command, "pylock.toml", "packages.in"], cwd=folder, capture_output=True, text=True)
        if ran.returncode != 0:
            raise UnpinnedError(ran.stderr.strip())
        return (Path(folder) / "pylock.toml").read_text()


def pinned(packages: list[Package], lock: str) -> list[Package]:
    """The packages with the digests in a lock file."""
    wheels = wheels_in(lock)
    for package in packages:
        if not wheels.get(package.name):
            raise UnpinnedError(f"{package.pin} has no wheel for Linux and CPython 3.{OLDEST_PYTHON} or newer")
    return [Package(package.pin, wheels[package.name]) for package in packages]


def files_of_repository() -> list[Path]:
    """All requirements files."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*requirements.txt"]
    listed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [ROOT / name for name in listed.splitlines()]


def main(words: list[str]) -> int:
    """Write or compare."""
    check = "--check" in words
    files = [Path(word) for word in words if word != "--check"] or files_of_repository()
    others = 0
    for file in files:
        before = file.read_text()
        try:
            packages = packages_in(before, str(file))
            after = text_of(pinned(packages, lock_of(packages, oldest_python(file))))
        except UnpinnedError as fault:
            print(f"scripts/pin_packages: {file}: {fault}", file=sys.stderr)
            return 2
        if before == after:
            continue
        others += 1
        print(f"{file}: {'other digests than the registry has' if check else 'written'}")
        if not check:
            file.write_text(after)
    return 1 if check and others else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
