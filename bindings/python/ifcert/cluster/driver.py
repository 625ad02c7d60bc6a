"""Gives shards to workers and takes their results, each shard's once."""

import contextlib
import platform
import shutil
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from ifcert.cluster.ledger import Ledger
from ifcert.cluster.order import Order
from ifcert.cluster.shard import Outcome, Shard, Undone, digest_of, files_below

TRIES = 4  # of a shard, before the work is given up
STRIKES = 3  # shards that fail one after the other on a node, before it gets no more
PATIENCE = 30.0  # seconds without anything to wait for


@dataclass(frozen=True)
class Ready:
    """A worker that waits for its first shard."""

    worker: str
    node: str
    project: str  # its digest


@dataclass(frozen=True)
class Answer:
    """Of a worker that waits for its next shard."""

    worker: str
    outcome: Outcome


@dataclass(frozen=True)
class Lost:
    """A worker that does not answer any more."""

    worker: str
    why: str


Event = Ready | Answer | Lost


class Place(Protocol):
    """Where workers are."""

    def give(self, worker: str, shard: Shard) -> None:
        """To a worker that waits."""

    def events(self, seconds: float) -> list[Event]:
        """The events since the last call; waits up to `seconds` for the first one."""

    def expects_workers(self) -> bool:
        """Whether a worker may become ready without being given anything."""

    def close(self) -> None:
        """End all workers."""


class Job(Protocol):
    """The work of a command."""

    def begin(self) -> None:
        """Raises Undone if it must not be begun; not called when it is resumed."""

    def finish(self, driver: "Driver", order: Order) -> int:
        """Has the shards done, makes one result of theirs, and returns the exit code."""

    def fault_in(self, shard: Shard, outcome: Outcome) -> str:
        """Why the files are not the whole result of the shard; nothing if they are."""


class Driver:
    """Of one job. The results are folders in `folder`, named in the ledger with their digests."""

    def __init__(self, job: Job, place: Place, ledger: Ledger, folder: Path, project: str) -> None:
        """`project` is the digest of the files that must do the work."""
        self.job, self.place, self.ledger, self.folder, self.project = job, place, ledger, folder, project
        self.waiting: list[Shard] = []
        self.given: dict[str, Shard] = {}  # by worker
        self.idle: list[str] = []  # workers
        self.nodes: dict[str, str] = {}  # of workers
        self.open: dict[str, Shard] = {}  # shards without a result, by name
        self.total = 0
        self.tries: Counter[str] = Counter()
        self.failures: dict[str, str] = {}  # of shards: why, the last time
        self.failed_on: set[tuple[str, str]] = set()  # shard, node
        self.nodes_with: defaultdict[str, set[str]] = defaultdict(set)  # engine: where its shards were given
        self.lacking: dict[tuple[str, str], str] = {}  # node, engine: why
        self.strikes: dict[str, set[str]] = {}  # node: the shards that failed there one after the other
        self.unfit: dict[str, str] = {}  # node: why
        self.lost = ""  # why, the last worker
        self.undone: dict[str, str] = {}  # shards that no node could do: why
        self.quiet_since = self.told = time.monotonic()

    def run(self, shards: Sequence[Shard]) -> dict[str, Path]:
        """The folder of each shard's result, those of an earlier driver included; a shard without one is in `undone`.
        Raises Undone if there is no worker for what is left.
        """
        settled = self.ledger.settled()
        folders = {shard.name: self.place_for(shard.name) for shard in shards}
        for shard in shards:
            there = folders[shard.name]
            if settled.get(shard.name) != (digest_of(files_below(there)) if there.is_dir() else ""):
                self.open[shard.name] = shard
        self.total = len(shards)
        self.waiting = list(self.open.values())
        while self.open:
            self.give()
            for event in self.place.events(1.0):
                self.take(event)
            self.give_up()
            self.show()
            if why := self.stuck():
                raise Undone(f"{why}; the same command with --resume continues")
        return {name: folder for name, folder in folders.items() if name not in self.undone}

    def place_for(self, shard: str) -> Path:
        """The folder of its result: a name that is a folder's, and no other shard's."""
        return self.folder / quote(shard, safe="@")

    def give_up(self) -> None:
        """Shards that have failed often enough, and those of an engine that no node has, if all nodes are known."""
        if not self.failures:
            return
        fit = sorted({node for node in self.nodes.values() if node not in self.unfit})
        engines = {engine for _, engine in self.lacking}
        for shard in [shard for shard in self.waiting if shard.engine in engines or self.tries[shard.name] >= TRIES]:
            lacking = [self.lacking.get((node, shard.engine), "") for node in fit]
            nowhere = bool(fit) and all(lacking) and not self.place.expects_workers()
            if nowhere or self.tries[shard.name] >= TRIES:
                why = lacking[0] if nowhere else self.failures[shard.name]
                self.waiting.remove(shard)
                del self.open[shard.name]
                self.undone[shard.name] = why
                self.ledger.add({"undone": shard.name, "why": why, "when": now()})

    def give(self) -> None:
        """Every worker that waits the first shard that its node can do."""
        for worker in [worker for worker in self.idle if self.nodes[worker] not in self.unfit]:
            shard = self.shard_for(self.nodes[worker])
            if shard is None:
                continue
            self.waiting.remove(shard)
            self.idle.remove(worker)
            self.given[worker] = shard
            self.nodes_with[shard.engine].add(self.nodes[worker])
            self.place.give(worker, shard)

    def shard_for(self, node: str) -> Shard | None:
        """One of an engine that the node has; otherwise of one that the fewest nodes have, since installing takes long.
        One that has failed there only if it can be given to no other node.
        """
        failed: list[Shard] = []
        others: dict[str, Shard] = {}  # by engine
        for shard in self.waiting:
            if (node, shard.engine) in self.lacking:
                continue
            if (shard.name, node) in self.failed_on:
                failed.append(shard)
            elif node in self.nodes_with[shard.engine]:
                return shard
            else:
                others.setdefault(shard.engine, shard)
        if others:
            return min(others.values(), key=lambda shard: len(self.nodes_with[shard.engine]))
        fit = {there for there in self.nodes.values() if there not in self.unfit}
        return next((each for each in failed if all((each.name, other) in self.failed_on for other in fit)), None)

    def take(self, event: Event) -> None:
        """Handles an event."""
        self.quiet_since = time.monotonic()
        if isinstance(event, Ready):
            self.nodes[event.worker] = event.node
            self.idle.append(event.worker)
            self.ledger.add({"worker": event.worker, "node": event.node, "project": event.project, "when": now()})
            if event.project != self.project:
                self.set_aside(
                    event.node, f"its files of ifcert have the digest {event.project}, expected {self.project}"
                )
        elif isinstance(event, Lost):
            node = self.nodes.pop(event.worker, "")
            shard = self.given.pop(event.worker, None)
            if event.worker in self.idle:
                self.idle.remove(event.worker)
            name = shard.name if shard else ""
            self.lost = event.why
            self.ledger.add({"lost": event.worker, "node": node, "given": name, "why": event.why, "when": now()})
            if shard and shard.name in self.open:
                self.failures[shard.name] = f"its worker on {node} was lost: {event.why}"
                self.again(shard)
        else:
            self.take_answer(event.worker, event.outcome)

    def take_answer(self, worker: str, outcome: Outcome) -> None:
        """A result counts once, whoever sends it how often."""
        given = self.given.get(worker)
        late = given is None or given.name != outcome.shard
        if not late:
            del self.given[worker]
            self.idle.append(worker)
        shard = self.open.get(outcome.shard)
        if shard is None:
            self.ledger.add({"ignored": outcome.shard, "node": outcome.node, "why": "it has a result", "when": now()})
            return
        if fault := self.fault_in(shard, outcome):
            self.ledger.add(
                {"failed": shard.name, "node": outcome.node, "seconds": round(outcome.seconds, 3), "why": fault}
                | {"when": now()}
            )
            self.failures[shard.name] = fault
            self.blame(shard, outcome, fault)
            if not any(other.name == shard.name for other in [*self.given.values(), *self.waiting]):
                self.again(shard)
            return
        keep(self.place_for(shard.name), outcome.files)
        self.strikes.pop(outcome.node, None)
        if late:
            self.waiting = [other for other in self.waiting if other.name != shard.name]
        del self.open[shard.name]
        self.ledger.add(
            {"shard": shard.name, "node": outcome.node, "worker": worker, "seconds": round(outcome.seconds, 3)}
            | {"installing": round(outcome.installing, 3), "project": outcome.project, "digest": outcome.digest}
            | {"when": now()}
        )

    def fault_in(self, shard: Shard, outcome: Outcome) -> str:
        """Why the outcome does not count as a result; empty if it does."""
        if outcome.project != self.project:
            return f"its files of ifcert have the digest {outcome.project}, expected {self.project}"
        if outcome.fault:
            return outcome.fault
        if digest_of(outcome.files) != outcome.digest:
            return "the files have other digests than on the node"
        return self.job.fault_in(shard, outcome)

    def blame(self, shard: Shard, outcome: Outcome, fault: str) -> None:
        """The node, the node with this engine, or the shard on this node."""
        node = outcome.node
        if outcome.project != self.project:
            self.set_aside(node, fault)
        elif outcome.lacks_engine:
            self.lacking[(node, shard.engine)] = fault
            self.tries[shard.name] -= 1  # nothing was tried
            say(f"{node}: {fault}; it gets no shard of {shard.engine}")
        else:
            self.failed_on.add((shard.name, node))
            self.strikes.setdefault(node, set()).add(shard.name)
            say(f"{node}: {shard.name} failed: {fault}")
            if len(self.strikes[node]) == STRIKES:
                self.set_aside(node, f"{STRIKES} shards failed there one after the other, the last one: {fault}")

    def set_aside(self, node: str, why: str) -> None:
        """It gets no more shards."""
        if node not in self.unfit:
            self.unfit[node] = why
            self.ledger.add({"set aside": node, "why": why, "when": now()})
            say(f"{node} gets no more shards: {why}")

    def again(self, shard: Shard) -> None:
        """Before those that have not been tried."""
        self.tries[shard.name] += 1
        self.waiting.insert(0, shard)

    def stuck(self) -> str:
        """Why the work cannot go on; nothing while it can."""
        if self.given or not self.open or time.monotonic() - self.quiet_since < PATIENCE:
            return ""
        if self.place.expects_workers() and time.monotonic() - self.quiet_since < 10 * PATIENCE:
            return ""
        reasons = [*(f"{node}: {why}" for node, why in self.unfit.items())]
        reasons += [f"{node}: {why}" for (node, _), why in self.lacking.items()]
        why = "; ".join(reasons) or (
            f"there is none; the last one was lost: {self.lost}" if self.lost else "there is none"
        )
        return f"no worker can do {next(iter(self.open))}: {why}"

    def show(self) -> None:
        """A line every five seconds; in a terminal always the same one."""
        terminal = sys.stderr.isatty()
        if time.monotonic() - self.told < (0.2 if terminal else 5.0) and self.open:
            return
        self.told = time.monotonic()
        workers, nodes = len(self.nodes), len(set(self.nodes.values()))
        doing = f", {next(iter(self.given.values())).name}" if self.given else ""
        places = f"{workers} worker{'s' * (workers != 1)} on {nodes} node{'s' * (nodes != 1)}"
        text = f"{self.total - len(self.open)} of {self.total} shards, {places}{doing}"
        print(f"\r\x1b[K{text}" if terminal else text, file=sys.stderr, flush=True, end="" if terminal else "\n")
        if terminal and not self.open:
            print(file=sys.stderr)


def keep(folder: Path, files: dict[str, bytes]) -> None:
    """Under a temporary name, then renamed."""
    fresh = folder.with_name(folder.name + ".tmp")
    for there in (fresh, folder):
        shutil.rmtree(there, ignore_errors=True)
    for name, content in files.items():
        if ".." in Path(name).parts or Path(name).is_absolute():
            raise Undone(f"a worker sent a file named {name}")
        (fresh / name).parent.mkdir(parents=True, exist_ok=True)
        (fresh / name).write_bytes(content)
    fresh.rename(folder)


def say(text: str) -> None:
    """To the person who waits."""
    with contextlib.suppress(BrokenPipeError):
        print(f"ifcert: {text}", file=sys.stderr, flush=True)


def now() -> str:
    """In UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def begin(ledger: Ledger, on: str) -> None:
    """The driver's own line."""
    ledger.add({"driver": platform.node(), "on": on, "when": now()})
