"""scripts/scale checks a long run: it finds a shard or a seed that is missing, or there twice."""

import json
import subprocess
from pathlib import Path

import pytest
from scale_costs.long_runs import excerpt_of, expect_ranges, killed_twice, once, text_of, times_in, verdicts_in
from undone import Undone

LINES: list[dict] = [
    {"terms": {}},
    {"driver": "here", "on": "local=2", "when": "2026-01-01T10:00:00Z"},
    {"worker": "one", "node": "here", "when": "2026-01-01T10:00:00Z"},
    {"shard": "a", "node": "here", "worker": "one", "seconds": 50.0, "digest": "d", "when": "2026-01-01T10:01:00Z"},
    {"driver": "here", "on": "local=2", "when": "2026-01-01T11:00:00Z"},
    {"shard": "b", "node": "here", "worker": "one", "seconds": 20.0, "digest": "d", "when": "2026-01-01T11:00:30Z"},
    {"finished": 0, "when": "2026-01-01T11:00:40Z"},
]

IFCERT = """#!/usr/bin/env python3
import json, sys, time
from pathlib import Path
folder = Path(sys.argv[1])
ledger = folder / "cluster" / "ledger.jsonl"
ledger.parent.mkdir(parents=True, exist_ok=True)
with ledger.open("a", buffering=1) as lines:
    lines.write('{"driver":"here"}\\n')
    for number in range(ledger.read_text().count("digest"), 9):
        time.sleep(0.05)
        lines.write(json.dumps({"shard": str(number), "digest": "d"}) + "\\n")
        while number in (2, 5) and ledger.read_text().count("driver") < 3:
            time.sleep(0.05)  # until it is killed
    lines.write('{"finished":0}\\n')
"""


def test_the_time_between_two_drivers_does_not_count() -> None:
    found = times_in(LINES)
    assert (found["seconds"], found["seconds_of_finish"], found["drivers_killed"]) == (100, 10, 1)
    assert (found["seconds_of_workers"], found["on"]) == (70, "local=2")


def test_the_excerpt_is_about_the_drivers() -> None:
    assert [line[2:8] for line in excerpt_of(LINES)] == ["driver", 'shard"', "driver", 'shard"', "finish"]
    many = [*LINES[:4], *[LINES[3] | {"shard": str(number)} for number in range(5)], *LINES[4:]]
    assert [line[:8] for line in excerpt_of(many)][2] == "…"


def test_a_shard_that_was_counted_twice_is_found() -> None:
    assert once(["a", "b"]) == ["a", "b"]
    with pytest.raises(Undone, match="counted twice: a"):
        once(["a", "b", "a"])


@pytest.mark.parametrize(
    "shards",
    [["r seeds 0-4", "r seeds 6-9"], ["r seeds 0-5", "r seeds 5-9"], ["r seeds 1-9"], ["r seeds 0-8"]],
)
def test_seeds_that_are_missing_or_shared_are_found(shards: list[str]) -> None:
    expect_ranges(["r seeds 5-9", "r seeds 0-4"], 10)
    with pytest.raises(Undone, match="the shards are seeds"):
        expect_ranges(shards, 10)


def journal(folder: Path, seeds: list[int]) -> Path:
    lines = [
        '{"terms":{}}',
        *(json.dumps({"seed": seed, "verdicts": {"PASS": 2}}, separators=(",", ":")) for seed in seeds),
    ]
    file = folder / "journal.jsonl"
    file.write_text("".join(line + "\n" for line in lines))
    return file


def test_every_seed_must_be_in_the_journal_once(tmp_path: Path) -> None:
    assert verdicts_in(journal(tmp_path, [0, 1, 2]), 3) == ({"PASS": 6}, [])
    with pytest.raises(Undone, match="expected seed 1, found 2"):
        verdicts_in(journal(tmp_path, [0, 2]), 3)
    with pytest.raises(Undone, match="expected seed 2, found 1"):
        verdicts_in(journal(tmp_path, [0, 1, 1]), 3)
    with pytest.raises(Undone, match="has 2 seeds, expected 3"):
        verdicts_in(journal(tmp_path, [0, 1]), 3)


@pytest.mark.parametrize("shards", [9, 2])
def test_a_driver_is_killed_at_a_third_and_at_two_thirds_or_after_its_first_result(tmp_path: Path, shards: int) -> None:
    program = tmp_path / "build/release/bin/ifcert"
    program.parent.mkdir(parents=True)
    program.write_text(IFCERT)
    program.chmod(0o755)
    out = tmp_path / "out"
    killed_twice(tmp_path, [str(out)], out, shards)
    lines = [json.loads(line) for line in (out / "cluster/ledger.jsonl").read_text().splitlines()]
    assert sum("driver" in line for line in lines) == 3
    assert once([line["shard"] for line in lines if "digest" in line]) == [str(number) for number in range(9)]


def test_the_text_has_the_figures_and_the_excerpt() -> None:
    text = text_of("million", times_in(LINES) | {"verdicts": {"FAIL": 1, "PASS": 2}})
    assert "| their verdicts | 1 FAIL, 2 PASS |\n" in text
    assert text.count("\n    {") == 5


def test_other_runs_are_refused() -> None:
    root = Path(__file__).resolve().parents[1]
    words = [root / "scripts/scale", "--run", "nothing"]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 2
    assert "invalid choice: 'nothing'" in ran.stderr
