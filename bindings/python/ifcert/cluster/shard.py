"""The messages between a driver and its workers: plain data."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

OUT = "{out}"  # among a shard's words: the folder for its results


class Undone(Exception):  # noqa: N818 (an exit code, 2)
    """The work cannot be done; the message says why."""


@dataclass(frozen=True)
class Project:
    """Where a machine has the command and the vectors."""

    program: Path
    root: Path


@dataclass(frozen=True)
class Shard:
    """A piece of the work: a command, and which of the files that it writes are its result."""

    name: str
    engine: str  # the adapter that it needs
    words: tuple[str, ...]  # of the command
    brings: str  # a glob below the folder of its results
    program: str = ""  # of the command; otherwise it is ifcert


@dataclass(frozen=True)
class Outcome:
    """A worker's answer: the files of the result, or why there are none."""

    shard: str
    node: str
    project: str  # the digest of the files that did the work
    seconds: float
    installing: float = 0.0  # seconds of them
    files: dict[str, bytes] = field(default_factory=dict)
    digest: str = ""  # of the files
    fault: str = ""
    lacks_engine: bool = False  # the node cannot install it
    said: str = ""  # the end of what the command printed


def digest_of(files: dict[str, bytes]) -> str:
    """Of the names and the contents."""
    whole = hashlib.sha256()
    for name in sorted(files):
        whole.update(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n".encode())
    return whole.hexdigest()


def files_below(folder: Path, pattern: str = "*") -> dict[str, bytes]:
    """The contents of the plain files below a folder whose names match, by their path from there."""
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob(pattern)) if path.is_file()
    }


def digest_of_project(project: Project) -> str:
    """Of everything that can influence a result: the programs, the manifest (which has the digests of the vectors), the
    adapters with their SDKs, the protocol, and this package. An installed wheel has the same on every machine.
    """
    whole = hashlib.sha256()
    package = Path(__file__).parent
    parts = [(project.program.parent, "ifcert*"), (package, "*.py"), (project.root / "vectors", "manifest.json")]
    parts += [
        (project.root / "conformance" / name, "*")
        for name in ("adapters", "reproduce/plain_apis", "protocol", "schemas")
    ]
    parts += [(project.root / "bindings" / "adapters", "*")]
    for folder, pattern in parts:
        found = {
            name: content
            for name, content in files_below(folder, pattern).items()
            if "__pycache__" not in name and not name.endswith("_test.py")
        }
        whole.update(digest_of(found).encode())
    return whole.hexdigest()
