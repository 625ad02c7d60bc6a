"""Sends a build of the reference's adapter everything that the runner would send for some vectors; keeps the answers.

Nothing is judged here. Nine tenths of the time of a certification are the runner's; a mutant that answers as the
original does passes what the original passes, so that only the other answers need a certification (run.py).
"""

import contextlib
import json
import re
import resource
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vector_lines import folder_of, rule_of

HELLO = '{"cmd":"hello","protocol":1}\n'
PROCESSOR_SECONDS = 4  # for all vectors; the original takes less than 1
SECONDS = 120  # where a mutant waits for something
MOST_FALLS = 3  # then the answers to the remaining vectors stay unknown

# Neither is ever judged: the time that the runtime took, and the text of a refusal.
TIME = re.compile(rb'"runtime_ms":[-+.e\d]+,?')
REFUSAL = re.compile(rb'"refused":\{"message":"(?:[^"\\]|\\.)*"\}')


@dataclass(frozen=True)
class Conversation:
    """All that is sent for one vector; the adapter answers each line with a line."""

    vector: str
    twin: str | None
    lines: tuple[str, ...]


def conversations_of(root: Path, vectors: list[dict[str, Any]]) -> list[Conversation]:
    """The vectors' conversations, in their order."""
    number = 0
    found = []
    for vector in vectors:
        lines = list(lines_of(vector, folder_of(rule_of(vector["id"]), root / "vectors"), number))
        number += len(lines)
        found.append(Conversation(vector["id"], vector.get("twin"), tuple(lines)))
    return found


def lines_of(vector: dict[str, Any], folder: Path, number: int) -> Iterator[str]:
    """The steps, and the unload; the ids begin with `number`."""
    steps = vector["steps"]
    for index, step in enumerate(steps):
        yield json.dumps(request_of(step, vector, folder, number) | {"id": number + index}) + "\n"
    yield json.dumps({"cmd": "unload", "id": number + len(steps)}) + "\n"


def request_of(step: dict[str, Any], vector: dict[str, Any], folder: Path, number: int) -> dict[str, Any]:
    """The request for a step, as described in docs/protocol.md."""
    if "load" in step:
        return {"cmd": "load", "format": vector["system"], "model": str(folder / vector["model"])}
    if "reread" in step:
        return {"cmd": "reread", "held": number + step["reread"]["step"]}
    if "concurrent" in step:
        return {"cmd": "concurrent", "runs": [{"inputs": run["inputs"]} for run in step["concurrent"]["runs"]]}
    request = {"cmd": "run", "inputs": step["run"]["inputs"]}
    return request | ({"hold": True} if step["run"].get("hold") else {})


def answers_of(program: Path, conversations: list[Conversation]) -> dict[str, list[bytes]]:
    """Vector → its answers. A vector during which the program ended is left out; so are those that were not tried
    because it ended too often, or was too slow.
    """
    found: dict[str, list[bytes]] = {}
    falls = 0
    while conversations and falls < MOST_FALLS:
        lines, ended = said(program, conversations)
        begin = 0
        for place, conversation in enumerate(conversations):
            end = begin + len(conversation.lines)
            if end > len(lines):
                conversations = conversations[place + 1 :]
                break
            found[conversation.vector] = lines[begin:end]
            begin = end
        else:
            return found
        falls = falls + 1 if ended else MOST_FALLS
    return found


def said(program: Path, conversations: list[Conversation]) -> tuple[list[bytes], bool]:
    """The whole lines after the answer to hello; and whether the program ended by itself."""
    sent = HELLO + "".join(line for conversation in conversations for line in conversation.lines)
    with (
        program.with_suffix(".requests").open("w+") as requests,
        program.with_suffix(".answers").open("wb+") as answers,
    ):
        requests.write(sent)
        requests.seek(0)
        run = subprocess.Popen(
            [program], stdin=requests, stdout=answers, stderr=subprocess.DEVNULL, preexec_fn=limit_processor_time
        )
        in_time = False
        with contextlib.suppress(subprocess.TimeoutExpired):
            in_time = run.wait(SECONDS) != -24  # SIGXCPU
        run.kill()
        run.wait()
        answers.seek(0)
        return [unjudged_left_out(line) for line in answers.read().split(b"\n")[1:-1]], in_time


def limit_processor_time() -> None:
    """Called in the child. Endless loops end, however busy the machine is."""
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def unjudged_left_out(line: bytes) -> bytes:
    """An answer without what the runner never judges."""
    return REFUSAL.sub(b'"refused":{}', TIME.sub(b"", line))
