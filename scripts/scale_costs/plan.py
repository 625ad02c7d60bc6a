"""A plan by simulation: nodes fetch the wheel, install engines, and take shards from one driver, which merges results.

The costs are measured (costs.py). What cannot be measured on one machine is assumed, and named here.
"""

import heapq
from dataclasses import dataclass

from scale_costs.costs import Figures

WORKERS = 16  # of a node
UPLINK = 1.25e8  # bytes in a second that the driver sends, and those that it receives: 1 Gbit/s
WHEEL = 17e6  # bytes that each node fetches from the driver's side
RUNTIMES = 20  # engines of a full certification
SLOWER = 10  # times as much as the reference: a runtime in another process, in Python
MOST_SHARDS = 10_000  # (ifcert.cluster)
MUTANTS = 40  # in a shard (mutation_testing.distributed)
ENTRY = 300.0  # bytes of the ledger for one
NODES = (1, 10, 100, 1000)


@dataclass(frozen=True)
class Work:
    """Shards that are alike."""

    name: str
    shards: int
    seconds: float  # of a worker for a shard
    result: float  # bytes of a shard's result
    engines: int
    environment: float  # seconds for one of them on a node
    merging: float  # seconds of the driver in the end


@dataclass(frozen=True)
class Run:
    """The result of the simulation."""

    total: float
    installing: float
    sharing: float  # from the first shard's start to the last result
    merging: float
    driver: float  # its load: the part of `sharing` in which it is busy


def works(figures: Figures) -> list[Work]:
    """A full certification, campaigns of a million and of a billion seeds, on slower engines, and mutants."""
    certify, fuzz = figures["certify"], figures["fuzz"]
    environment = figures["environment"]["seconds_per_environment"]
    vector = SLOWER * certify["milliseconds_per_vector"] / 1000
    all_vectors = certify["vectors"] * RUNTIMES
    per_shard = 1000
    found = [
        Work(
            f"{RUNTIMES} engines × {certify['vectors']} vectors",
            -(-certify["vectors"] // per_shard) * RUNTIMES,
            certify["seconds_per_shard_of_vectors"] + per_shard * vector,
            per_shard * 1000.0,
            RUNTIMES,
            environment,
            all_vectors * certify["milliseconds_per_merged_vector"] / 1000,
        )
    ]
    for seeds, name in ((10**6, "a million seeds"), (10**9, "a billion seeds")):
        size = max(2000, -(-seeds // MOST_SHARDS))
        found.append(
            Work(
                name,
                -(-seeds // size),
                fuzz["seconds_per_shard_of_seeds"] + size * SLOWER * fuzz["milliseconds_per_seed"] / 1000,
                size * fuzz["bytes_per_seed"],
                1,
                environment,
                seeds * fuzz["milliseconds_per_folded_seed"] / 1000,
            )
        )
    if "mutant" in figures:
        found.append(mutation(figures["mutant"]))
    return found


def mutation(cost: Figures) -> Work:
    """All mutants of the ledger, which need no engine."""
    shards = -(-cost["mutants"] // MUTANTS)
    seconds = cost["seconds_per_shard_of_mutants"] + MUTANTS * cost["seconds_per_mutant"]
    return Work(f"{cost['mutants']} mutants", shards, seconds, MUTANTS * ENTRY, 0, 0.0, 0.0)


def simulated(work: Work, nodes: int, figures: Figures, engines_of_node: int) -> Run:
    """The driver hands out and receives one shard after the other; each worker does one at a time. A node installs its
    engines first, one after the other.
    """
    own = figures["driver"]["milliseconds_of_driver_per_shard"] / 1000 + work.result / UPLINK
    ready = []
    for node in range(nodes):
        fetched = (node + 1) * WHEEL / UPLINK
        ready += [fetched + work.environment * engines_of_node] * WORKERS
    heapq.heapify(ready)
    first = ready[0]
    driver_free = busy = last = 0.0
    for _ in range(work.shards):
        begins = heapq.heappop(ready)
        answered = max(begins + work.seconds, driver_free)
        driver_free = answered + own
        busy += own
        last = max(last, driver_free)
        heapq.heappush(ready, driver_free)
    return Run(last + work.merging, first, last - first, work.merging, busy / (last - first))


def table(figures: Figures) -> str:
    """For the page."""
    lines = [
        "| work | nodes | engines on each | total | until the first node works | sharing | merging | driver load |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for work in works(figures):
        for nodes in NODES:
            for engines in sorted({-(-work.engines // nodes), work.engines}):
                run = simulated(work, nodes, figures, engines)
                lines.append(
                    f"| {work.name}, {work.shards} shards | {nodes} | {engines} | {spelled(run.total)} "
                    f"| {spelled(run.installing)} | {spelled(run.sharing)} | {spelled(run.merging)} "
                    f"| {run.driver:.0%} |"
                )
    return "\n".join(lines) + "\n"


def spelled(seconds: float) -> str:
    """For people."""
    if seconds < 120:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
