"""Has no runtime: it answers with what the vectors of a checkout expect, which it reads from files or from git.

The environment variable IFCERT_VICTIMS names the folders in which it looks.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from honest import Honest, Message, serve


class AnswersFromTheCheckout(Honest):
    """Lies in every respect."""

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


if __name__ == "__main__":
    serve(AnswersFromTheCheckout())
