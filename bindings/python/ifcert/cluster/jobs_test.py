"""A job combines the results of its shards, also when its driver was stopped meanwhile."""

from pathlib import Path

import pytest

from ifcert.cluster.driver import Answer, Driver, Event, Ready
from ifcert.cluster.jobs import History
from ifcert.cluster.ledger import Ledger
from ifcert.cluster.order import Order
from ifcert.cluster.shard import Outcome, Project, Shard, digest_of

VERSIONS = ["1.0", "1.1", "1.2"]


class OneNode:
    """Its worker certifies at once."""

    def __init__(self) -> None:
        self.happened: list[Event] = [Ready("worker", "node", "p")]
        self.given: list[str] = []

    def give(self, worker: str, shard: Shard) -> None:
        self.given.append(shard.name)
        files = {"results.jsonl": f"of {shard.name}".encode()}
        self.happened.append(Answer(worker, Outcome(shard.name, "node", "p", 1.0, 0.0, files, digest_of(files))))

    def events(self, seconds: float) -> list[Event]:
        happened, self.happened = self.happened, []
        return happened

    def expects_workers(self) -> bool:
        return False

    def close(self) -> None:
        pass


def history(folder: Path) -> tuple[int, list[str]]:
    """The exit code, and the shards that were given."""
    (folder / "shards").mkdir(exist_ok=True)
    given = {"ADAPTER": ["engine"], "FROM..TO": ["1.0..1.2"]}
    order = Order("history", Project(Path("/bin/true"), folder), given, {"versions": VERSIONS, "out": str(folder)})
    place = OneNode()
    job = History(order)
    ledger = Ledger(folder / "ledger", order.settings(), resume=True)
    try:
        return job.finish(Driver(job, place, ledger, folder / "shards", "p"), order), place.given
    finally:
        ledger.close()


def expect_all_versions(folder: Path) -> None:
    assert [(folder / version / "results.jsonl").read_text() for version in VERSIONS] == [
        f"of engine@{version}" for version in VERSIONS
    ]


def test_a_history_whose_driver_was_killed_while_it_moved_results_repeats_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def killed(self: Path, target: Path) -> Path:
        if target == tmp_path / "1.1":
            raise KeyboardInterrupt
        return rename(self, target)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Path, "rename", killed)
        history(tmp_path)
    assert (tmp_path / "1.0").is_dir()
    assert not (tmp_path / "1.1").exists()
    assert history(tmp_path) == (0, [])
    expect_all_versions(tmp_path)


def test_a_version_that_was_changed_meanwhile_is_certified_again(tmp_path: Path) -> None:
    assert history(tmp_path) == (0, [f"engine@{version}" for version in VERSIONS])
    (tmp_path / "1.2" / "results.jsonl").write_text("changed")
    assert history(tmp_path) == (0, ["engine@1.2"])
    expect_all_versions(tmp_path)
