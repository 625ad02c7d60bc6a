"""The ledger of distributed work: a line for each event, written when it has happened.

The lines have the digests of the other journals (conformance/results/line_digests.hpp): the last member, "sha256", is
the digest of the previous line's digest followed by this line without that member. A line that was cut off or changed,
and all lines after it, are dropped when the work is resumed.
"""

import fcntl
import hashlib
import json
import os
from pathlib import Path
from typing import Any

from ifcert.cluster.shard import Undone

Line = dict[str, Any]
TAIL = len(',"sha256":""}') + 64


class Chain:
    """Makes and checks the digests of consecutive lines."""

    def __init__(self) -> None:
        """Before the first line."""
        self.last = ""

    def with_digest(self, text: str) -> str:
        """The next line; `text` is a JSON object."""
        self.last = hashlib.sha256((self.last + text).encode()).hexdigest()
        return f'{text[:-1]},"sha256":"{self.last}"}}'

    def accepted(self, line: str) -> str | None:
        """The line without its digest, if it may come next."""
        text = line[:-TAIL] + "}"
        digest = hashlib.sha256((self.last + text).encode()).hexdigest()
        if line[-TAIL:] != f',"sha256":"{digest}"}}':
            return None
        self.last = digest
        return text


def compact(line: Line) -> str:
    """As the C++ side writes it."""
    return json.dumps(line, separators=(",", ":"))


class Ledger:
    """An open ledger, locked against a second driver."""

    def __init__(self, file: Path, settings: Line, *, resume: bool) -> None:
        """Reads what is there if the work is resumed; that must have been begun with the same settings."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self.file = file
        self.chain = Chain()
        self.lines: list[Line] = []
        self.number = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(self.number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Undone(f"another driver is writing {file}") from None
        os.ftruncate(self.number, self.read(settings) if resume else 0)
        if not self.lines:
            self.add({"terms": settings})

    def read(self, settings: Line) -> int:
        """How many bytes of the file are whole lines."""
        whole = 0
        for line in self.file.read_text(errors="replace").splitlines(keepends=True):
            text = self.chain.accepted(line[:-1]) if line.endswith("\n") else None
            if text is None:
                break
            self.lines.append(json.loads(text))
            whole += len(line.encode())
        if self.lines and self.lines[0] != {"terms": settings}:
            there = self.lines[0].get("terms", {})
            differing = sorted(name for name in {*there, *settings} if there.get(name) != settings.get(name))
            found = "; ".join(f"{name} is {there.get(name)} there and {settings.get(name)} here" for name in differing)
            raise Undone(f"{self.file} belongs to other work: {found}")
        return whole

    def add(self, line: Line) -> None:
        """In one call, so that only the last line can be cut off."""
        text = (self.chain.with_digest(compact(line)) + "\n").encode()
        if os.write(self.number, text) != len(text):
            raise Undone(f"cannot write {self.file}: no space is left")
        self.lines.append(line)

    def settled(self) -> dict[str, str]:
        """The digests of the results of finished shards, by name."""
        return {line["shard"]: line["digest"] for line in self.lines if "digest" in line}

    def close(self) -> None:
        """Another driver may open it."""
        os.close(self.number)
