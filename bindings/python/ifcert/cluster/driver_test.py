"""The driver counts every shard once, whatever workers do; the ledger remembers it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ifcert.cluster import driver as driver_module
from ifcert.cluster.driver import Answer, Driver, Event, Lost, Ready
from ifcert.cluster.ledger import Ledger
from ifcert.cluster.order import Order
from ifcert.cluster.shard import Outcome, Shard, Undone, digest_of

SHARDS = [Shard(f"engine {number}/6", "engine", (), "*") for number in range(1, 7)]
Answers = Callable[[str, Shard, Outcome], list[Event]]


class Played:
    """A place whose workers answer at once; `answers` says what."""

    def __init__(self, nodes: dict[str, str], answers: Answers | None = None, project: str = "p") -> None:
        self.answers = answers or (lambda worker, shard, outcome: [Answer(worker, outcome)])
        self.nodes = nodes
        self.happened: list[Event] = [Ready(worker, node, project) for worker, node in nodes.items()]
        self.given: list[tuple[str, str]] = []

    def give(self, worker: str, shard: Shard) -> None:
        self.given.append((worker, shard.name))
        files = {"result": f"of {shard.name}".encode()}
        outcome = Outcome(shard.name, self.nodes[worker], "p", 1.0, 0.0, files, digest_of(files))
        self.happened += self.answers(worker, shard, outcome)

    def events(self, seconds: float) -> list[Event]:
        happened, self.happened = self.happened, []
        return happened

    def expects_workers(self) -> bool:
        return False

    def close(self) -> None:
        pass


class Work:
    """Every result is whole."""

    def begin(self) -> None:
        pass

    def finish(self, driver: Driver, order: Order) -> int:
        return 0

    def fault_in(self, shard: Shard, outcome: Outcome) -> str:
        return ""


def driver_of(place: Played, folder: Path, *, resume: bool = False) -> Driver:
    (folder / "shards").mkdir(exist_ok=True)
    return Driver(Work(), place, Ledger(folder / "ledger", {"of": "a test"}, resume=resume), folder / "shards", "p")


def assert_every_shard_counts_once(driver: Driver, folders: dict[str, Path]) -> None:
    assert list(folders) == [shard.name for shard in SHARDS]
    assert [(folder / "result").read_text() for folder in folders.values()] == [f"of {name}" for name in folders]
    assert sorted(line["shard"] for line in driver.ledger.lines if "digest" in line) == sorted(folders)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_module, "PATIENCE", 0.1)


def test_two_workers_share_the_shards(tmp_path: Path) -> None:
    place = Played({"one": "north", "two": "south"})
    driver = driver_of(place, tmp_path)
    assert_every_shard_counts_once(driver, driver.run(SHARDS))
    assert {worker for worker, _ in place.given} == {"one", "two"}


def test_nodes_keep_to_the_engines_that_they_have(tmp_path: Path) -> None:
    place = Played({"one": "north", "two": "south"})
    shards = [Shard(f"{engine} {number}", engine, (), "*") for engine in "ab" for number in range(5)]
    driver_of(place, tmp_path).run(shards)
    assert {(worker, name[0]) for worker, name in place.given} == {("one", "a"), ("two", "b")}


def test_a_worker_that_answers_twice_counts_once(tmp_path: Path) -> None:
    def twice(worker: str, shard: Shard, outcome: Outcome) -> list[Event]:
        other = replace(outcome, files={"result": b"another"}, digest=digest_of({"result": b"another"}))
        return [Answer(worker, outcome), Answer(worker, other)]

    driver = driver_of(Played({"one": "north"}, twice), tmp_path)
    assert_every_shard_counts_once(driver, driver.run(SHARDS))
    assert len([line for line in driver.ledger.lines if "ignored" in line]) >= len(SHARDS) - 1


def test_the_shard_of_a_lost_worker_is_given_again(tmp_path: Path) -> None:
    def lost(worker: str, shard: Shard, outcome: Outcome) -> list[Event]:
        return [Lost(worker, "killed")] if worker == "one" else [Answer(worker, outcome)]

    place = Played({"one": "north", "two": "south"}, lost)
    driver = driver_of(place, tmp_path)
    assert_every_shard_counts_once(driver, driver.run(SHARDS))
    assert ("one", SHARDS[0].name) in place.given
    assert ("two", SHARDS[0].name) in place.given
    assert [line["given"] for line in driver.ledger.lines if "lost" in line] == [SHARDS[0].name]


def test_a_late_answer_of_a_lost_worker_counts_once(tmp_path: Path) -> None:
    def late(worker: str, shard: Shard, outcome: Outcome) -> list[Event]:
        return [Lost(worker, "silent"), Answer(worker, outcome)] if worker == "one" else [Answer(worker, outcome)]

    driver = driver_of(Played({"one": "north", "two": "south"}, late), tmp_path)
    assert_every_shard_counts_once(driver, driver.run(SHARDS))


def test_a_worker_with_another_project_gets_nothing(tmp_path: Path) -> None:
    place = Played({"one": "north"}, project="another")
    with pytest.raises(Undone, match="north: its files of ifcert have the digest another, expected p"):
        driver_of(place, tmp_path).run(SHARDS)
    assert place.given == []


def test_if_all_workers_are_lost_the_reason_is_told(tmp_path: Path) -> None:
    def lost(worker: str, shard: Shard, outcome: Outcome) -> list[Event]:
        return [Lost(worker, "no pip there")]

    with pytest.raises(Undone, match="there is none; the last one was lost: no pip there; the same command with"):
        driver_of(Played({"one": "north"}, lost), tmp_path).run(SHARDS)


def test_a_result_of_another_project_is_refused(tmp_path: Path) -> None:
    def changed(worker: str, shard: Shard, outcome: Outcome) -> list[Event]:
        return [Answer(worker, replace(outcome, project="another") if worker == "one" else outcome)]

    driver = driver_of(Played({"one": "north", "two": "south"}, changed), tmp_path)
    assert_every_shard_counts_once(driver, driver.run(SHARDS))
    assert {line["node"] for line in driver.ledger.lines if "digest" in line} == {"south"}


def test_files_that_changed_on_their_way_are_refused(tmp_path: Path) -> None:
    def changed(worker: str, shard: Shard, outcome: Outcome) -> list[Event]:
        return [Answer(worker, replace(outcome, files={"result": b"changed"}) if worker == "one" else outcome)]

    driver = driver_of(Played({"one": "north", "two": "south"}, changed), tmp_path)
    assert_every_shard_counts_once(driver, driver.run(SHARDS))


def test_a_node_that_cannot_install_an_engine_gets_no_shard_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def lacking(worker: str, shard: Shard, outcome: Outcome) -> list[Event]:
        if worker == "two":
            return [Answer(worker, outcome)]
        return [Answer(worker, replace(outcome, files={}, fault="cannot install engine: no pip", lacks_engine=True))]

    place = Played({"one": "north", "two": "south"}, lacking)
    driver = driver_of(place, tmp_path)
    assert_every_shard_counts_once(driver, driver.run(SHARDS))
    assert [worker for worker, _ in place.given].count("one") == 1
    assert "north: cannot install engine: no pip; it gets no shard of engine" in capsys.readouterr().err


def test_an_engine_that_no_node_can_install_is_named_and_others_go_on(tmp_path: Path) -> None:
    def lacking(worker: str, shard: Shard, outcome: Outcome) -> list[Event]:
        lacks = shard.engine == "rare"
        return [Answer(worker, replace(outcome, fault="no pip", lacks_engine=True) if lacks else outcome)]

    driver = driver_of(Played({"one": "north", "two": "south"}, lacking), tmp_path)
    folders = driver.run([Shard("rare 1/1", "rare", (), "*"), *SHARDS])
    assert_every_shard_counts_once(driver, folders)
    assert driver.undone == {"rare 1/1": "no pip"}


def test_a_node_where_everything_fails_is_set_aside(tmp_path: Path) -> None:
    def full(worker: str, shard: Shard, outcome: Outcome) -> list[Event]:
        return [Answer(worker, replace(outcome, files={}, fault="disk full") if worker == "one" else outcome)]

    place = Played({"one": "north", "two": "south"}, full)
    driver = driver_of(place, tmp_path)
    assert_every_shard_counts_once(driver, driver.run(SHARDS))
    assert [worker for worker, _ in place.given].count("one") <= driver_module.STRIKES


def test_a_shard_that_fails_everywhere_is_not_done_and_others_are(tmp_path: Path) -> None:
    def failing(worker: str, shard: Shard, outcome: Outcome) -> list[Event]:
        return [Answer(worker, replace(outcome, files={}, fault="crashed") if shard == SHARDS[2] else outcome)]

    driver = driver_of(Played({"one": "north"}, failing), tmp_path)
    folders = driver.run(SHARDS)
    assert list(folders) == [shard.name for shard in SHARDS if shard != SHARDS[2]]
    assert driver.undone == {SHARDS[2].name: "crashed"}


def test_a_resumed_driver_gives_only_what_is_left(tmp_path: Path) -> None:
    driver = driver_of(Played({"one": "north"}), tmp_path)
    folders = driver.run(SHARDS[:4])
    driver.ledger.close()
    (folders[SHARDS[1].name] / "result").write_text("changed since")
    with (tmp_path / "ledger").open("a") as lines:
        lines.write('{"shard":"engine 6/6","digest":"torn')
    place = Played({"one": "north"})
    driver = driver_of(place, tmp_path, resume=True)
    folders = driver.run(SHARDS)
    assert [name for _, name in place.given] == [SHARDS[1].name, SHARDS[4].name, SHARDS[5].name]
    assert [(folder / "result").read_text() for folder in folders.values()] == [f"of {name}" for name in folders]


def test_a_ledger_is_resumed_only_with_its_own_settings_and_by_one_driver(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger", {"seed": 1}, resume=False)
    with pytest.raises(Undone, match="another driver is writing"):
        Ledger(tmp_path / "ledger", {"seed": 1}, resume=True)
    ledger.close()
    with pytest.raises(Undone, match="seed is 1 there and 2 here"):
        Ledger(tmp_path / "ledger", {"seed": 2}, resume=True)


def test_a_changed_line_of_a_ledger_and_all_after_it_are_dropped(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger", {}, resume=False)
    for shard in SHARDS:
        ledger.add({"shard": shard.name, "digest": "d"})
    ledger.close()
    text = (tmp_path / "ledger").read_text()
    (tmp_path / "ledger").write_text(text.replace("engine 3/6", "engine 9/6"))
    ledger = Ledger(tmp_path / "ledger", {}, resume=True)
    assert list(ledger.settled()) == [SHARDS[0].name, SHARDS[1].name]
