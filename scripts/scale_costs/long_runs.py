"""Two long runs whose drivers are killed twice on the way, and what their ledgers tell about them.

All figures but the peaks of memory and of the disk are computed from the ledger and the results, so a run that was
itself stopped goes on where it was.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from undone import Undone

Line = dict[str, Any]
FOLDER = Path("build") / "scale"
MODELS = 1_000_000  # seeds, each of which makes at least one
SHARD = 2000  # seeds (ifcert.cluster.fuzz_job)
ENGINE, VERSIONS = "onnxruntime", "1.24.4..1.31.1"  # ten
KILLS = 2
LOOK = 0.5  # seconds between two looks at a driver
MIB = 1024 * 1024


@dataclass
class Peaks:
    """The most that was seen."""

    driver: int = 0  # bytes
    folding: int = 0  # bytes: of the command that tells the findings in the end
    disk: int = 0  # bytes below the folder of the results
    looked: float = field(default_factory=time.monotonic)

    def look(self, driver: int, out: Path) -> None:
        """At the driver, what it has started, and now and then at its folder."""
        self.driver = max(self.driver, peak_memory(driver))
        for child in children_of(driver):
            if b"--resume" in command_line(child):
                self.folding = max(self.folding, peak_memory(child))
        if time.monotonic() - self.looked > 10:
            self.looked = time.monotonic()
            self.disk = max(self.disk, size_of(out))


def million(root: Path, on: str, count: int) -> Line:
    """A campaign of so many seeds on the reference."""
    out = root / FOLDER / f"fuzzed-{count}"
    words = ["fuzz", "reference", "--count", str(count), "--on", on, "--resume", "--out", str(out)]
    peaks = killed_twice(root, words, out, -(-count // SHARD))
    lines = ledger_of(out)
    shards = once([line["shard"] for line in lines if "digest" in line])
    expect_ranges([shard for shard in shards if " seeds " in shard], count)
    verdicts, troubles = verdicts_in(out / "reference" / "journal.jsonl", count)
    found = times_in(lines)
    sharing = found["seconds"] - found["seconds_of_finish"]
    return found | {
        "seeds": count,
        "models": sum(verdicts.values()),
        "verdicts": dict(sorted(verdicts.items())),
        "not_judged": "; ".join(troubles) or "none",
        "shards": len(shards),
        "models_per_second": round(sum(verdicts.values()) / sharing),
        "megabytes_of_driver": round(peaks.driver / MIB),
        "megabytes_of_folding": round(peaks.folding / MIB),
        "megabytes_on_disk": round(max(peaks.disk, size_of(out)) / MIB),
        "megabytes_left_on_disk": round(size_of(out) / MIB),
    }


def history(root: Path, on: str, _: int) -> Line:
    """Versions of a runtime, each with all its vectors."""
    out = root / FOLDER / "history"
    words = ["history", ENGINE, VERSIONS, "--on", on, "--out", str(out)]
    killed_twice(root, words, out, 10)
    lines = ledger_of(out)
    shards = once([line["shard"] for line in lines if "digest" in line])
    expected = [f"{ENGINE}@{version}" for version in lines[0]["terms"]["versions"]]
    if sorted(shards) != sorted(expected):
        raise Undone(f"the ledger has {', '.join(sorted(shards))}; expected {', '.join(sorted(expected))}")
    results = [out / version / "results.jsonl" for version in lines[0]["terms"]["versions"]]
    lines_of_results = [line for file in results for line in map(json.loads, file.open())]
    verdicts = Counter(line["verdict"] for line in lines_of_results if "verdict" in line)
    return times_in(lines) | {"shards": len(shards), "verdicts": dict(sorted(verdicts.items()))}


RUNS: dict[str, Callable[[Path, str, int], Line]] = {"million": million, "history": history}


def killed_twice(root: Path, words: list[str], out: Path, shards: int) -> Peaks:
    """Runs the command to its end; its driver is killed when a third, and when two thirds, of the shards are done, and
    never before it has a result.
    """
    peaks = Peaks()
    if any("finished" in line for line in ledger_of(out)):
        shutil.rmtree(out)  # an earlier run, which is complete
    while True:
        drivers, done = drivers_and_results(out)
        enough = max(done + 1, shards * (drivers + 1) // (KILLS + 1))
        killed = False
        print(f"$ ifcert {' '.join(words)}", flush=True)
        process = subprocess.Popen([str(root / "build/release/bin/ifcert"), *words])
        try:
            while process.poll() is None:
                peaks.look(process.pid, out)
                if drivers < KILLS and drivers_and_results(out)[1] >= enough:
                    killed = True
                    process.kill()
                time.sleep(LOOK)
        finally:
            process.kill()
        if not killed or process.returncode != -signal.SIGKILL:
            break
    # 2 is also the exit code where some models could not be judged; the page names them.
    if process.returncode not in (0, 1, 2) or drivers_and_results(out)[1] < shards:
        raise Undone(f"ifcert {words[0]} ended with exit code {process.returncode}; its folder is {out}")
    return peaks


def drivers_and_results(out: Path) -> tuple[int, int]:
    """How many there have been."""
    lines = ledger_of(out)
    return sum("driver" in line for line in lines), sum("digest" in line for line in lines)


def ledger_of(out: Path) -> list[Line]:
    """Its whole lines; a driver may be writing the last one."""
    with suppress(FileNotFoundError):
        return [json.loads(line) for line in (out / "cluster" / "ledger.jsonl").read_text().split("\n")[:-1]]
    return []


def once(shards: list[str]) -> list[str]:
    """The same, if none is there twice."""
    twice = [shard for shard, count in Counter(shards).items() if count > 1]
    if twice:
        raise Undone(f"these shards were counted twice: {', '.join(twice)}")
    return shards


def expect_ranges(shards: list[str], count: int) -> None:
    """Their seeds are all from 0 to `count`, each in one shard."""
    ranges = sorted(tuple(map(int, shard.rpartition(" ")[2].split("-"))) for shard in shards)
    gaps = [f"{last} and {first}" for (_, last), (first, _) in pairwise(ranges) if first != last + 1]
    if gaps or ranges[0][0] != 0 or ranges[-1][1] != count - 1:
        raise Undone(f"the shards are seeds {ranges[0][0]} to {ranges[-1][1]}, and do not fit between {gaps}")


def verdicts_in(journal: Path, count: int) -> tuple[Counter[str], list[str]]:
    """How many models have which, and those that could not be judged; every seed must be there once, in order."""
    verdicts: Counter[str] = Counter()
    troubles: list[str] = []
    expected = 0
    with journal.open() as lines:
        for line in lines:
            if line.startswith('{"seed":'):
                entry = json.loads(line)
                if entry["seed"] != expected:
                    raise Undone(f"{journal}: expected seed {expected}, found {entry['seed']}")
                expected += 1
                verdicts.update(entry["verdicts"])
                troubles += entry.get("troubles", [])
    if expected != count:
        raise Undone(f"{journal} has {expected} seeds, expected {count}")
    return verdicts, troubles


def times_in(lines: list[Line]) -> Line:
    """How long the drivers worked, without the time from the last result of a killed one to the next one's start."""
    sessions = list(sessions_in(lines))
    seconds = sum((moment(session[-1]) - moment(session[0])).total_seconds() for session in sessions)
    last = max(moment(line) for line in lines if "digest" in line)
    return {
        "on": sessions[0][0]["on"],
        "drivers_killed": len(sessions) - 1,
        "seconds": round(seconds),
        "seconds_of_finish": round((moment(sessions[-1][-1]) - last).total_seconds()),
        "seconds_of_workers": round(sum(line["seconds"] for line in lines if "digest" in line)),
        "excerpt": excerpt_of(lines),
    }


def sessions_in(lines: list[Line]) -> Iterator[list[Line]]:
    """From a driver's line up to the next one's; those with a time."""
    session: list[Line] = []
    for line in [line for line in lines if "when" in line]:
        if "driver" in line and session:
            yield session
            session = []
        session.append(line)
    yield session


def moment(line: Line) -> datetime:
    """Of an event."""
    return datetime.fromisoformat(line["when"])


def excerpt_of(lines: list[Line]) -> list[str]:
    """The lines around the starts of drivers, and the last one: the first three members of each."""
    kept = [line for line in lines if {"driver", "digest", "finished"} & line.keys()]
    shown = {len(kept) - 1}
    for number, line in enumerate(kept):
        if "driver" in line:
            shown |= {number - 1, number, number + 1}
    some = sorted(number for number in shown if 0 <= number < len(kept))
    text: list[str] = []
    for before, number in zip([-1, *some], some, strict=False):
        first = [(name, value) for name, value in kept[number].items() if name != "sha256"][:3]
        text += [] if number == before + 1 else ["…"]
        text.append(json.dumps(dict(first), separators=(",", ":")).removesuffix("}") + ",…")
    return text


def children_of(pid: int) -> list[int]:
    """As /proc has them."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, task.read_text().split())
    return found


def command_line(pid: int) -> bytes:
    """Of a process that may have ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def peak_memory(pid: int) -> int:
    """The most bytes that the process has had resident; 0 if it has ended."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def size_of(folder: Path) -> int:
    """The bytes of its files, which may vanish meanwhile."""
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                size += Path(place, name).lstat().st_size
    return size


LABELS = {
    "seeds": "seeds",
    "models": "models",
    "verdicts": "their verdicts",
    "not_judged": "models that could not be judged",
    "shards": "shards in the ledger, each once",
    "on": "where",
    "drivers_killed": "drivers killed (`kill -9`)",
    "seconds": "seconds, all drivers together",
    "seconds_of_finish": "of these, from the last result to the end",
    "seconds_of_workers": "seconds of workers, for results that counted",
    "models_per_second": "models in a second, until the last result",
    "megabytes_of_driver": "memory of the driver at most, MiB",
    "megabytes_of_folding": "memory of the command that folds the findings at most, MiB",
    "megabytes_on_disk": "its folder at most, MiB",
    "megabytes_left_on_disk": "its folder in the end, MiB",
    "when": "begun",
    "load": "load before",
}


def text_of(name: str, found: Line) -> str:
    """For the page: a table, and an excerpt of the ledger."""
    rows = [f"| {label} | {spelled(found[key])} |" for key, label in LABELS.items() if key in found]
    excerpt = [f"    {line}" for line in found["excerpt"]]
    return "\n".join([f"| `scripts/scale --run {name}` | |", "|---|---|", *rows, "", *excerpt, ""])


def spelled(value: object) -> str:
    """A count of each, or one value."""
    if isinstance(value, dict):
        return ", ".join(f"{count} {verdict}" for verdict, count in value.items())
    return str(value)


def conditions() -> Line:
    """When the run was begun, and what else the machine did."""
    return {
        "when": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "load": round(os.getloadavg()[0], 1),
        "processors": os.cpu_count(),
    }
