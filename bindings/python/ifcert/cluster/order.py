"""The options of the command line."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ifcert.cluster.shard import Project


@dataclass(frozen=True)
class Order:
    """Of a command with --on."""

    command: str
    project: Project
    given: dict[str, list[str]]  # "--rule" → its words
    more: dict[str, Any]  # what the command adds for its own job

    @property
    def out(self) -> Path:
        """The folder of the results."""
        return Path(self.more.get("out") or self.given.get("--out", ["results"])[0]).absolute()

    def has(self, flag: str) -> bool:
        """Whether it was given."""
        return flag in self.given

    def words(self, *names: str) -> tuple[str, ...]:
        """Those of these options that were given, as on the command line."""
        found: list[str] = []
        for name in names:
            for value in self.given.get(name, []):
                found += [name] if value == "true" else [name, value]
        return tuple(found)

    def settings(self) -> dict[str, Any]:
        """The settings that the results depend on."""
        kept = {
            name: values
            for name, values in sorted(self.given.items())
            if name not in ("--on", "--out", "--resume", "--replace", "--sign", "--jobs")
        }
        return {"command": self.command, "given": kept} | {
            name: value for name, value in self.more.items() if name != "out"
        }

    def run(self, *words: str) -> int:
        """The command itself, here."""
        return subprocess.run([self.project.program, *words], check=False).returncode

    def jobs(self) -> tuple[str, ...]:
        """Adapter processes of a worker."""
        return ("--jobs", self.given.get("--jobs", ["1"])[0])
