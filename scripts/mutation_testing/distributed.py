"""--on: mutants in shards, each tried by scripts/mutation itself on some machine that sees this checkout."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mutation_testing.sampling import Mutant
from undone import Undone

MUTANTS = 40  # in a shard at most: it tries the original first
SHARDS = 4  # if there are fewer mutants than for so many, in smaller ones
ENTRIES = "entries.jsonl"
FOLDER = Path("build") / "mutation" / "cluster"


def in_own_python(root: Path) -> None:
    """Starts again in the checkout's Python, which has the package ifcert."""
    python = root / ".venv" / "bin" / "python"
    if Path(sys.prefix) != root / ".venv":
        os.execv(python, [str(python), *sys.argv])


def tried_elsewhere(root: Path, mutants: list[Mutant], on: str, jobs: int) -> Iterator[dict[str, Any]]:
    """The ledger's entries, when all have been tried. Interrupted, the same mutants are continued where they were."""
    from ifcert.cluster import shard as cluster
    from ifcert.cluster.__main__ import place_of
    from ifcert.cluster.driver import Driver, begin, now
    from ifcert.cluster.ledger import Ledger
    from ifcert.cluster.order import Order

    if not mutants:
        return
    project = cluster.Project(root / "build" / "release" / "bin" / "ifcert", root)
    digest = cluster.digest_of_project(project)
    ranks = [mutant.rank(0) for mutant in mutants]
    settings = {"mutants": ranks, "sources": digest_of_sources(root), "project": digest}
    folder = root / FOLDER
    try:
        ledger = Ledger(folder / "ledger.jsonl", settings, resume=is_of(folder / "ledger.jsonl", settings))
        if len(ledger.lines) == 1:
            shutil.rmtree(folder / "shards", ignore_errors=True)
        begin(ledger, on)
        (folder / "shards").mkdir(exist_ok=True)
        place = place_of(on, Order("mutation", project, {"--jobs": [str(jobs)]}, {}), digest)
        try:
            driver = Driver(Whole(), place, ledger, folder / "shards", digest)
            size = min(MUTANTS, -(-len(mutants) // SHARDS))
            found = driver.run([shard_of(root, mutants[at : at + size], jobs) for at in range(0, len(mutants), size)])
        finally:
            place.close()
    except cluster.Undone as fault:
        raise Undone(str(fault)) from None
    for there in found.values():
        yield from map(json.loads, (there / ENTRIES).read_text().splitlines())
    if driver.undone:
        raise Undone("; ".join(f"{name}: {why}" for name, why in driver.undone.items()))
    ledger.add({"finished": 0, "when": now()})
    ledger.close()
    shutil.rmtree(folder / "shards")


def shard_of(root: Path, mutants: list[Mutant], jobs: int) -> Any:  # noqa: ANN401 (imported where it is needed)
    """The command that tries these."""
    from ifcert.cluster.shard import OUT, Shard

    given = json.dumps([asdict(mutant) for mutant in mutants])
    words = (str(root / "scripts" / "mutation"), "--these", given, "--out", OUT, "--jobs", str(jobs))
    return Shard(f"mutants from {mutants[0].rank(0)[:12]}", "", words, ENTRIES, str(root / ".venv" / "bin" / "python"))


class Whole:
    """A job whose shards have an entry for each mutant."""

    def begin(self) -> None:
        """Nothing to protect: the ledger of mutants is written by the caller."""

    def finish(self, driver: object, order: object) -> int:
        """Not used: the caller takes the entries."""
        return 0

    def fault_in(self, shard: Any, outcome: Any) -> str:  # noqa: ANN401
        """The fault of a shard that was interrupted; empty if there is none."""
        expected = len(json.loads(shard.words[2]))
        found = len(outcome.files.get(ENTRIES, b"").splitlines())
        return "" if found == expected else f"{found} mutants were tried, expected {expected}: {outcome.said[-300:]}"


def is_of(ledger: Path, settings: dict[str, Any]) -> bool:
    """Whether the ledger belongs to these mutants, and some are left; a different ledger is started afresh."""
    try:
        lines = ledger.read_text().splitlines()
        return bool(json.loads(lines[0])["terms"] == settings and not lines[-1].startswith('{"finished":'))
    except (OSError, ValueError, KeyError, IndexError):
        return False


def digest_of_sources(root: Path) -> str:
    """The digest of everything that a mutant is built from."""
    from ifcert.cluster.shard import digest_of, files_below

    return digest_of(files_below(root / "reference", "*.[ch]pp"))
