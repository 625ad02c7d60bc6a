"""Runs vectors on a mutant with `ifcert certify`, and interrupts it as soon as the answer is known.

The results are read from the certification's journal while it is being written: reports, and second tries of failures
in fresh processes, are not needed.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from undone import Undone

IFCERT = "build/release/bin/ifcert"
SECONDS = 10  # for each answer
PROCESSOR_SECONDS = 3  # for all answers of a process; endless loops take longer
MIB = 1024
PATIENCE = 10  # seconds from the first failure on in which more are collected
WRONG = ("FAIL", "LENIENT", "NOT-SHOWN", "UNSUPPORTED")
FELL = ("CRASH", "TIMEOUT", "MEMORY", "ADAPTER")


@dataclass(frozen=True)
class Verdict:
    """The verdict on a mutant for one vector."""

    vector: str
    rule: str
    verdict: str  # with its fault: "FAIL (wrong-value)"

    @property
    def is_wrong(self) -> bool:
        """The mutant answered, and the answer was wrong."""
        return self.verdict.split(" ")[0] in WRONG

    @property
    def fell(self) -> bool:
        """The mutant did not answer."""
        return self.verdict.split(" ")[0] in FELL


def adapter_in(root: Path, folder: Path, program: Path) -> Path:
    """The folder of an adapter like the reference's, but for its program."""
    manifest = json.loads((root / "conformance/adapters/reference/adapter.json").read_text())
    adapter = folder / "reference"
    adapter.mkdir(parents=True, exist_ok=True)
    (adapter / "adapter.json").write_text(json.dumps(manifest | {"command": [str(program)]}))
    return adapter


def certified(
    root: Path,
    adapter: Path,
    vectors: Collection[str],
    known: Callable[[list[Verdict]], bool],
    *,
    are_all: bool = False,
    options: Sequence[str] = (),
) -> list[Verdict]:
    """The verdicts of these vectors, and of their twins, until the answer is `known`. With `options`, of certify, there
    may be more verdicts than vectors, so that the certification's end is awaited.
    """
    out = adapter.parent / "results"
    shutil.rmtree(out, ignore_errors=True)
    command = [root / IFCERT, "certify", adapter, "--strict", "--no-controls", "--jobs", "1", "--out", out]
    command += ["--timeout", str(SECONDS), "--memory", str(MIB), "--processor-time", str(PROCESSOR_SECONDS)]
    command += options
    for vector in () if are_all else vectors:
        command += ["--vector", vector]
    with (adapter.parent / "said.txt").open("w+") as said:
        run = subprocess.Popen(command, stdout=said, stderr=said, start_new_session=True)
        try:
            verdicts, whole = watched(run, out, None if options else set(vectors), known)
        finally:
            end(run)
        said.seek(0)
        if not whole:
            raise Undone(f"`{IFCERT} certify` ended before it had run all vectors:\n{said.read()[-2000:]}")
    return verdicts


def watched(
    run: subprocess.Popen, out: Path, vectors: set[str] | None, known: Callable[[list[Verdict]], bool]
) -> tuple[list[Verdict], bool]:
    """Reads the journal until nothing more is to be learnt; False where the certification ended before that. Without
    `vectors`, its end is awaited.
    """
    verdicts: dict[str, Verdict] = {}
    since, at = None, 0
    while True:
        ended = run.poll() is not None
        for file in (out / "results.jsonl.part", out / "results.jsonl"):
            with contextlib.suppress(FileNotFoundError):
                lines, at = lines_from(file, at if file.suffix == ".part" else 0)
                for verdict in (each for line in lines for each in verdicts_in(line)):
                    verdicts.setdefault(verdict.vector, verdict)  # the first result, not that of a second try
        found = list(verdicts.values())
        if since is None and any(verdict.is_wrong or verdict.fell for verdict in found):
            since = time.monotonic()
        too_long = since is not None and time.monotonic() - since > PATIENCE
        if too_long or (vectors is not None and vectors <= verdicts.keys()) or known(found):
            return found, True
        if ended:
            return found, vectors is None and run.returncode in (0, 1)
        time.sleep(0.05)


def lines_from(file: Path, at: int) -> tuple[list[bytes], int]:
    """The whole lines from this position on, and the position after them."""
    with file.open("rb") as opened:
        opened.seek(at)
        text = opened.read()
    end = text.rfind(b"\n") + 1
    return text[:end].splitlines(), at + end


def verdicts_in(line: bytes) -> Iterator[Verdict]:
    """The verdict in a line of a journal or a results file, and those of its rewritings; other lines have none.

    A rewriting that fails once and not again may only have taken too long.
    """
    entry = json.loads(line)
    result = entry.get("result", entry)
    if "verdict" in result:
        vector, rule = result["vector"], result["rule"]
        yield Verdict(vector, rule, named(result))
        for rewriting in result.get("rewritings", []):
            if rewriting.get("fault") == "unstable":
                continue
            yield Verdict(f"{vector} with {rewriting['name']}", rule, named(rewriting))


def named(result: dict[str, Any]) -> str:
    """The verdict, and its fault in brackets."""
    return result["verdict"] + (f" ({result['fault']})" if "fault" in result else "")


def end(run: subprocess.Popen) -> None:
    """Interrupts a certification, which then ends its adapter; after a while, kills it."""
    if run.poll() is None:
        run.send_signal(signal.SIGINT)
        try:
            run.wait(SECONDS + 5)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
