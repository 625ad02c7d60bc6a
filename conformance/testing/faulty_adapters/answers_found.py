"""Adapters that compute nothing: they find out what answer is expected.

The first argument names the adapter: "reads-the-answer" is ReadsTheAnswer.
"""

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from honest import Honest, Message, serve_named

PATIENCE = 0.2  # seconds


class AnswersFromTheCheckout(Honest):
    """Has no runtime: it answers with what the vectors of a checkout expect, which it reads from files or from git.

    The environment variable IFCERT_VICTIMS names the folders in which it looks.
    """

    steps: list[Any]

    def load(self, request: Message) -> Message:
        """Find the vector that has the same model."""
        super().load(request)
        model = self.model.read_bytes()
        for folder in map(Path, os.environ["IFCERT_VICTIMS"].split(":")):
            if vector := in_files(folder, model) or in_history(folder, model):
                self.steps = json.loads(vector)["steps"]
                expected = self.steps.pop(0)["load"]["expect"]
                return {"loaded": {"outputs": []}} if "loaded" in expected else {"refused": {"message": "as expected"}}
        return {"adapter_error": {"message": "no answer is visible"}}

    def run(self, request: Message) -> Message:
        """Return the expected answer."""
        expected = self.steps.pop(0)["run"]["expect"]
        return expected if "outputs" in expected else {"refused": {"message": "as expected"}}


class ReadsTheAnswer(Honest):
    """Loads nothing and computes nothing: it answers with what the vector beside the model expects."""

    steps: list[Any]

    def load(self, request: Message) -> Message:
        """Look for the answer beside the model, and around it."""
        super().load(request)
        found = sorted(self.model.parent.parent.rglob("vectors.jsonl"))
        if not found:
            around = sorted(path.name for path in self.model.parent.parent.rglob("*") if path.is_file())
            return {"adapter_error": {"message": f"nothing but {', '.join(around)} beside {self.model}"}}
        self.steps = json.loads(found[0].read_text().splitlines()[0])["steps"][1:]
        return {"loaded": {"outputs": []}}

    def run(self, request: Message) -> Message:
        """Return the expected answer."""
        expected = self.steps.pop(0)["run"]["expect"]
        return expected if "outputs" in expected else {"refused": {"message": "as expected"}}


class TimingSideChannel(Honest):
    """Refuses a model after which the runner waits before it sends more."""

    def __init__(self) -> None:
        """Read lines of which it sees whether there are more."""
        super().__init__()
        self.lines = Lines()
        sys.stdin = self.lines  # type: ignore[assignment]

    def load(self, request: Message) -> Message:
        """Do not look at the model."""
        if self.lines.more():
            return {"loaded": {"outputs": [{"name": "y", "type": "tensor(int32)", "shape": None}]}}
        return {"refused": {"message": "nobody wants to run it"}}


def in_files(folder: Path, model: bytes) -> str:
    """Return the line of the vector with this model; an empty text if there is none."""
    for lines in folder.rglob("vectors.jsonl"):
        for line in lines.read_text().splitlines():
            if (lines.parent / json.loads(line)["model"]).read_bytes() == model:
                return line
    return ""


def in_history(folder: Path, model: bytes) -> str:
    """Return the same, from the last commit."""
    same = git(folder, "hash-object", "--stdin", given=model).strip()
    for line in git(folder, "ls-tree", "-r", "HEAD").splitlines():
        about, path = line.split("\t")
        if same and about.split()[2] == same:
            lines = git(folder, "show", f"HEAD:{Path(path).parent}/vectors.jsonl").splitlines()
            return next(line for line in lines if json.loads(line)["model"] == Path(path).name)
    return ""


def git(folder: Path, *words: str, given: bytes = b"") -> str:
    """Return what git prints, about a repository of whomever."""
    command = ["git", "-c", "safe.directory=*", f"--git-dir={folder}/.git", *words]
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()


class Lines:
    """Standard input, line by line, of which one can see whether there is more."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.arrived = b""

    def __iter__(self) -> Iterator[str]:
        """Return each line."""
        while b"\n" in self.arrived or self.arrive():
            line, end, rest = self.arrived.partition(b"\n")
            if end:
                self.arrived = rest
                yield line.decode()

    def arrive(self) -> bool:
        """Wait for more; false at the end."""
        piece = os.read(0, 65536)
        self.arrived += piece
        return bool(piece)

    def more(self) -> bool:
        """Whether something follows the current line, or arrives soon."""
        return bool(self.arrived) or bool(select.select([0], [], [], PATIENCE)[0])


if __name__ == "__main__":
    serve_named(globals())
