"""The patches of a folder: mutants that somebody wrote, each a change of one source below a head that describes it.

    Mutant: cond-of-the-first-call
    System: onnx
    Kind: A
    Decided by: a reference to an attribute is replaced by the value that the call passes

    The idea, in one or two sentences.

    --- a/reference/if/evaluate_if.cpp

The kinds: A, the cross of two features; B, an order that means nothing; C, an edge value; D, another. Where nothing
decides what is right, the line is "Decided by: texts are silent", and then a reason.
"""

import difflib
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from mutation_testing.functions import functions_of
from undone import Undone

MEMBERS = ("Mutant", "System", "Kind", "Decided by")
MEMBER = re.compile(rf"^({'|'.join(MEMBERS)}): (.+)$", re.MULTILINE)
FILE = re.compile(r"^--- a/(reference/\S+\.cpp)\s*$", re.MULTILINE)
SYSTEMS = ("onnx", "openvino", "tflite")
KINDS = "ABCD"
SILENT = "texts are silent"


@dataclass(frozen=True)
class Patch:
    """A mutant; its head's members, the source that it changes, and the file that has it."""

    name: str
    system: str
    kind: str
    decided_by: str
    file: str
    path: Path

    @property
    def is_decided(self) -> bool:
        """Whether the texts decide that the mutant is wrong, so that a vector may demand it."""
        return not self.decided_by.startswith(SILENT)


def read_patches(folder: Path) -> list[Patch]:
    """In the order of the files' names."""
    patches = [read_patch(path) for path in sorted(folder.glob("*.patch"))]
    if not patches:
        raise Undone(f"{folder} has no .patch")
    names = [patch.name for patch in patches]
    for name in names:
        if names.count(name) > 1:
            raise Undone(f"{folder}: two patches are named {name}")
    return patches


def read_patch(path: Path) -> Patch:
    """Fails where the head lacks a member, or the patch does not change exactly one source of the reference."""
    text = path.read_text()
    files = FILE.findall(text)
    if len(files) != 1 or len(re.findall(r"^--- ", text, re.MULTILINE)) != 1:
        raise Undone(f"{path} changes {len(files)} sources; expected one below reference/")
    head = dict(MEMBER.findall(text[: text.index("--- a/")]))
    for member in MEMBERS:
        if member not in head:
            raise Undone(f'{path} has no line "{member}: …" above the patch')
    if head["System"] not in SYSTEMS or head["Kind"] not in KINDS:
        raise Undone(
            f"{path}: System is {head['System']} and Kind {head['Kind']}; expected one of {', '.join(SYSTEMS)}, and "
            f"one of {', '.join(KINDS)}"
        )
    return Patch(head["Mutant"], head["System"], head["Kind"], head["Decided by"], files[0], path)


def patched_text(root: Path, patch: Patch) -> str:
    """The mutated source. The patch must fit exactly."""
    command = ["patch", "--strip=1", "--fuzz=0", "--forward", "--quiet", "--reject-file=-", "--output=-"]
    run = subprocess.run([*command, patch.file, patch.path.resolve()], cwd=root, capture_output=True, text=True)
    if run.returncode != 0:
        raise Undone(f"{patch.path} does not fit {patch.file}: {run.stdout.strip()[-500:]}{run.stderr.strip()}")
    return run.stdout


def changed_functions(before: str, after: str) -> list[str]:
    """The functions of the original that the change touches, each once, in their order."""
    lines = before.splitlines()
    names = functions_of(lines)
    changed: list[str] = []
    for kind, first, last, _, _ in difflib.SequenceMatcher(None, lines, after.splitlines(), False).get_opcodes():
        if kind != "equal":
            changed += names[first : max(last, first + 1)]
    return [name for name in dict.fromkeys(changed) if name]
