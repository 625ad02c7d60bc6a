"""The tables of docs/scale.md, and the simulation behind them."""

import subprocess
from pathlib import Path

import pytest
from scale_costs.plan import Work, mutation, simulated

ROOT = Path(__file__).resolve().parents[1]
FIGURES = {"driver": {"milliseconds_of_driver_per_shard": 1.0}}


def test_the_page_has_the_figures_that_were_measured() -> None:
    run = subprocess.run([ROOT / "scripts/scale", "--check"], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def work(shards: int, seconds: float) -> Work:
    return Work("work", shards, seconds, result=0.0, engines=1, environment=0.0, merging=0.0)


def test_a_node_works_off_its_shards_sixteen_at_a_time() -> None:
    assert simulated(work(160, 10.0), 1, FIGURES, 1).sharing == pytest.approx(100.0, rel=0.02)


def test_more_nodes_need_less_time() -> None:
    totals = [simulated(work(10_000, 100.0), nodes, FIGURES, 1).total for nodes in (1, 10, 100, 1000)]
    assert totals == sorted(totals, reverse=True)
    assert totals[0] > 5 * totals[1]


def test_short_shards_keep_the_driver_busy() -> None:
    run = simulated(work(10_000, 0.01), 10, FIGURES, 1)
    assert run.driver > 0.8
    assert run.sharing >= 10_000 * 0.001


def test_engines_are_installed_one_after_the_other() -> None:
    one = Work("work", 16, 1.0, result=0.0, engines=20, environment=30.0, merging=0.0)
    assert simulated(one, 1, FIGURES, 20).installing == pytest.approx(600.0, rel=0.01)


def test_mutants_are_worked_off_forty_at_a_time() -> None:
    work = mutation({"mutants": 100, "seconds_per_mutant": 2.0, "seconds_per_shard_of_mutants": 30.0})
    assert (work.shards, work.seconds) == (3, 110.0)
    assert simulated(work, 1, FIGURES, 0).installing == pytest.approx(0.136)
