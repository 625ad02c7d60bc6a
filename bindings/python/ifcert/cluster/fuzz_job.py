"""The work of fuzz: ranges of seeds; then the failures that are to be made smaller; then one journal of both.

The journal is that of the same campaign on one machine, and `ifcert fuzz --resume` folds it into findings.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ifcert.cluster import node
from ifcert.cluster.driver import Driver
from ifcert.cluster.ledger import Chain, compact
from ifcert.cluster.order import Order
from ifcert.cluster.shard import OUT, Outcome, Shard, Undone

SEEDS = 2000  # in a shard, or more: of a large campaign the driver would not keep up with so many shards
MOST_SHARDS = 10_000
EXAMPLES = 4  # of each cause, unless --examples says otherwise
ALL = "10000"
JOURNAL = "journal.jsonl"
OF_SHARD = ("seed", "models", "examples")  # settings in which shards of one campaign differ


class Fuzz:
    """Shards of seeds, and of failing seeds."""

    passed_on = ("--timeout", "--relations")

    def __init__(self, order: Order) -> None:
        """Cut."""
        self.order = order
        self.first, self.count = int(order.more["seed"]), int(order.more["count"])

    def begin(self) -> None:
        """As without --on, an earlier campaign is replaced."""

    def shards_of_seeds(self, engine: str) -> list[Shard]:
        """Ranges."""
        end = self.first + self.count
        most = int(self.order.more.get("per_shard", max(SEEDS, -(-self.count // MOST_SHARDS))))
        return [
            self.shard(engine, first, min(most, end - first), ("--examples", "0"))
            for first in range(self.first, end, most)
        ]

    def shard(self, engine: str, first: int, count: int, more: tuple[str, ...]) -> Shard:
        """A campaign of its own."""
        words = ("fuzz", engine, "--seed", str(first), "--count", str(count), *more)
        options = (*self.order.words(*self.passed_on), *self.order.jobs(), "--out", OUT)
        what = f"seeds {first}-{first + count - 1}" if more[1] == "0" else f"smaller {first}"
        return Shard(f"{engine} {what}", engine, (*words, *options), JOURNAL)

    def fault_in(self, shard: Shard, outcome: Outcome) -> str:
        """A journal with every seed of the range, and no other."""
        first, count = (int(shard.words[shard.words.index(name) + 1]) for name in ("--seed", "--count"))
        if len(outcome.files) != 1:
            return f"it has {len(outcome.files)} journals, expected one"
        try:
            found = sorted(
                int(text[8 : text.index(",")])
                for text in lines_in(next(iter(outcome.files.values())).decode())
                if text.startswith('{"seed":')
            )
        except ValueError as fault:
            return f"its journal cannot be read: {fault}"
        if found != list(range(first, first + count)):
            return (
                f"its journal has {len(found)} seeds, expected {count} from {first} on: {node.last_line(outcome.said)}"
            )
        return ""

    def finish(self, driver: Driver, order: Order) -> int:
        """A journal for each engine; then the command tells the findings."""
        for engine in order.more["adapters"]:
            self.collect(driver, engine)
        if driver.undone:
            for name, why in driver.undone.items():
                print(f"Not done: {name}: {why}")
            return 2
        for engine in order.more["adapters"]:
            if why := node.missing_engine(engine, order.project, str(Path.cwd())):
                raise Undone(f"this machine folds the findings, and {why}")
        campaign = ("--seed", str(self.first), "--count", str(self.count))
        options = order.words(*self.passed_on, "--examples", "--shrink-seconds", "--jobs")
        return order.run("fuzz", *order.more["adapters"], *campaign, *options, "--resume", "--out", str(order.out))

    def collect(self, driver: Driver, engine: str) -> None:
        """The engine's journal, in place of an earlier one."""
        seeds = self.shards_of_seeds(engine)
        folders = driver.run(seeds)
        if driver.undone:
            return
        journals = [journal_in(folders[shard.name]) for shard in seeds]
        settings = common_settings(journals)
        wanted = self.failures_to_settle(journals)
        smaller = [
            self.shard(engine, seed, 1, ("--examples", ALL, *self.order.words("--shrink-seconds")))
            for seed in sorted({seed for seed, _ in wanted})
        ]
        settled = driver.run(smaller)
        settings |= {"examples": self.examples()}
        examples = [journal_in(settled[shard.name]) for shard in smaller if shard.name in settled]
        write_journal(self.order.out / journals[0].parent.name / JOURNAL, settings, journals, examples, wanted)

    def examples(self) -> int:
        """How many failures with one cause are made smaller."""
        return int(self.order.given.get("--examples", [str(EXAMPLES)])[0])

    def failures_to_settle(self, journals: Iterable[Path]) -> set[tuple[int, str]]:
        """The first of each cause, as the command chooses them (examples_to_settle() in fuzz/campaign.cpp)."""
        groups: dict[tuple[str, bool], list[dict[str, Any]]] = defaultdict(list)
        for journal in journals:
            for text in lines_in(journal.read_text()):
                if '"failures":' in text:
                    for failure in json.loads(text).get("failures", []):
                        groups[(failure["cause"], failure["kind"].startswith("fault "))].append(failure)
        chosen = set()
        for group in groups.values():
            group.sort(key=lambda failure: int(failure["seed"]))
            most = self.examples() * (3 if "wrong-" in group[0]["verdict"] else 1)
            chosen |= {(int(failure["seed"]), str(failure["kind"])) for failure in group[:most]}
        return chosen


def journal_in(folder: Path) -> Path:
    """The only one."""
    return next(folder.rglob(JOURNAL))


def lines_in(text: str) -> Iterator[str]:
    """Without their digests, up to the first that was changed or cut off."""
    chain = Chain()
    for line in text.split("\n"):
        whole = chain.accepted(line)
        if whole is None:
            return
        yield whole


def common_settings(journals: list[Path]) -> dict[str, Any]:
    """Those of the first shard, which begins where the campaign does; all shards must have run the same engine."""
    first: dict[str, Any] = {}
    for journal in journals:
        settings = json.loads(next(lines_in(journal.read_text())))["terms"]
        first = first or settings
        differing = [name for name in settings if name not in OF_SHARD and settings[name] != first.get(name)]
        if differing:
            found = "; ".join(f"{name} is {settings[name]} there and {first.get(name)} here" for name in differing)
            raise Undone(f"{journal} (there) and {journals[0]} (here) belong to different campaigns: {found}")
    return first


def write_journal(
    file: Path, settings: dict[str, Any], seeds: list[Path], examples: list[Path], wanted: set[tuple[int, str]]
) -> None:
    """Under a temporary name, then renamed."""
    file.parent.mkdir(parents=True, exist_ok=True)
    chain = Chain()
    fresh = file.with_suffix(".tmp")
    with fresh.open("w") as out:
        out.write(chain.with_digest(compact({"terms": settings})) + "\n")
        for journal in seeds:
            for text in lines_in(journal.read_text()):
                if text.startswith('{"seed":'):
                    out.write(chain.with_digest(text) + "\n")
        for journal in examples:
            for text in lines_in(journal.read_text()):
                if text.startswith('{"failure":') and key_of(json.loads(text)["failure"]) in wanted:
                    out.write(chain.with_digest(text) + "\n")
    fresh.rename(file)


def key_of(failure: dict[str, Any]) -> tuple[int, str]:
    """Of a failure in its campaign."""
    return int(failure["seed"]), str(failure["kind"])
