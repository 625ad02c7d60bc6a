"""The work of certify and of history: its shards, and one result of theirs. That of fuzz is in fuzz_job."""

from pathlib import Path

from ifcert.cluster.driver import Driver
from ifcert.cluster.order import Order
from ifcert.cluster.shard import OUT, Outcome, Shard, Undone

VECTORS = 1000  # in a shard: the command reads the manifest and starts the engine once for them


class Certify:
    """Shards of each engine's vectors, merged by `ifcert merge`."""

    passed_on = ("--profile", "--rule", "--vector", "--timeout", "--memory", "--processor-time", "--repeat", "--strict")

    def __init__(self, order: Order) -> None:
        """Cut."""
        self.order = order

    def begin(self) -> None:
        """An interrupted run has its own ledger; `ifcert merge` protects results."""

    def shards(self) -> list[Shard]:
        """Engine by engine."""
        count = -(-int(self.order.more["vectors"]) // int(self.order.more.get("per_shard", VECTORS)))
        return [
            self.shard(engine, number, count)
            for engine in self.order.more["adapters"]
            for number in range(1, count + 1)
        ]

    def shard(self, engine: str, number: int, count: int) -> Shard:
        """One part of an engine's vectors."""
        part = ("--shard", f"{number}/{count}") if count > 1 else ()
        words = ("certify", engine, *part, *self.order.words(*self.passed_on), *self.order.jobs(), "--out", OUT)
        return Shard(f"{engine} {number}/{count}", engine, words, "results.jsonl")

    def fault_in(self, shard: Shard, outcome: Outcome) -> str:
        """`ifcert merge` reads every line."""
        return "" if "results.jsonl" in outcome.files else f"it has no results: {outcome.said[-300:]}"

    def finish(self, driver: Driver, order: Order) -> int:
        """The results and the reports of all engines that every shard was done of."""
        folders = driver.run(self.shards())
        left_out = {name.rsplit(" ", 1)[0]: why for name, why in driver.undone.items()}
        whole = [str(folder) for name, folder in folders.items() if name.rsplit(" ", 1)[0] not in left_out]
        code = order.run("merge", *whole, "--out", str(order.out), *order.words("--replace", "--sign")) if whole else 2
        for engine, why in left_out.items():
            print(f"Not certified: {engine}: {why}")
        return 2 if left_out else code


class History:
    """A shard for each version; `ifcert history` writes the pages."""

    def __init__(self, order: Order) -> None:
        """Cut."""
        self.order = order

    def begin(self) -> None:
        """Results of a run without --on are not replaced."""
        for version in self.order.more["versions"]:
            if (self.order.out / version).exists():
                raise Undone(f"{self.order.out / version} has results of a run without --on; expected another --out")

    def shards(self) -> list[Shard]:
        """In the order of the versions."""
        return [self.shard(version) for version in self.order.more["versions"]]

    def shard(self, version: str) -> Shard:
        """As `ifcert history` certifies it."""
        engine = f"{self.order.given['ADAPTER'][0]}@{version}"
        options = (*self.order.words("--rule", "--vector"), *self.order.jobs())
        return Shard(engine, engine, ("certify", engine, "--strict", *options, "--out", OUT), "*")

    def fault_in(self, shard: Shard, outcome: Outcome) -> str:
        """An interrupted run leaves its journal."""
        done = "results.jsonl" in outcome.files and "results.jsonl.part" not in outcome.files
        return "" if done else f"it has no results: {outcome.said[-300:]}"

    def finish(self, driver: Driver, order: Order) -> int:
        """The folders of the versions, moved to where the command puts them. A driver that was stopped meanwhile has
        moved some, and those go back first: the ledger tells whether they are whole.
        """
        shards = self.shards()
        for shard in shards:
            there, moved = driver.place_for(shard.name), self.place_of(shard.name)
            if moved.exists() and not there.exists():
                moved.rename(there)
        for name, folder in driver.run(shards).items():
            folder.rename(self.place_of(name))
        for name, why in driver.undone.items():
            print(f"Not certified: {name}: {why}", flush=True)
        versions = [word for version in order.more["versions"] for word in ("--certified", version)]
        return order.run(
            "history", order.given["ADAPTER"][0], order.given["FROM..TO"][0], "--out", str(order.out), *versions
        )

    def place_of(self, name: str) -> Path:
        """Where the command puts the version of a shard."""
        return self.order.out / name.split("@", 1)[1]
