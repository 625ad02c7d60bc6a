"""The costs of the parts of distributed work, measured with the command itself."""

import json
import os
import platform
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from undone import Undone
from vector_lines import read_vectors

Figures = dict[str, Any]
FILE = Path("docs") / "scale.json"
SEEDS = 500
SEEDS_SHARED = 48_000  # 24 shards: the ledger has whole seconds
SHARDS_OF_DRIVER = 3000
RESULT = 300_000  # bytes: about the journal of a shard of seeds
PORT = 7399


def ifcert(root: Path, *words: object, environment: dict[str, str] | None = None) -> tuple[float, float]:
    """The seconds that the command takes, and those of processors, which depend little on what else is running."""
    since, before = time.monotonic(), os.times()
    run = subprocess.run(
        [str(root / "build/release/bin/ifcert"), *map(str, words)],
        env=os.environ | (environment or {}), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if run.returncode > 1:
        raise Undone(f"ifcert {' '.join(map(str, words))}: {run.stderr.strip()}")
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - since, used


def certify(root: Path, folder: Path) -> Figures:
    """A shard of few vectors and one of many, and the merge of the latter, in seconds of processors."""
    _, few = ifcert(root, "certify", "reference", "--rule", "onnx/if/one-input", "--jobs", 1, "--out", folder / "few")
    _, many = ifcert(root, "certify", "reference", "--rule", "onnx/if/*", "--jobs", 1, "--out", folder / "many")
    counts = [(folder / name / "results.jsonl").read_text().count('"vector":') for name in ("few", "many")]
    _, merging = ifcert(root, "merge", folder / "many", "--out", folder / "merged")
    vector = (many - few) / (counts[1] - counts[0])
    return {
        "seconds_per_shard_of_vectors": round(few - counts[0] * vector, 3),
        "milliseconds_per_vector": round(1000 * vector, 3),
        "milliseconds_per_merged_vector": round(1000 * merging / counts[1], 3),
        "vectors": sum(1 for _ in read_vectors(root / "vectors")),
    }


def fuzz(root: Path, folder: Path) -> Figures:
    """A shard of one seed and one of many, and what folding adds for each seed, in seconds of processors."""
    from ifcert.cluster.fuzz_job import common_settings, write_journal

    _, one = ifcert(root, "fuzz", "reference", "--count", 1, "--jobs", 1, "--out", folder / "one")
    _, many = ifcert(root, "fuzz", "reference", "--count", SEEDS, "--jobs", 1, "--out", folder / "many")
    journal = folder / "many/reference/journal.jsonl"
    since = time.process_time()
    write_journal(folder / "joined.jsonl", common_settings([journal]), [journal], [], set())
    joining = time.process_time() - since
    _, folding = ifcert(root, "fuzz", "reference", "--count", SEEDS, "--resume", "--out", folder / "many")
    _, folding_one = ifcert(root, "fuzz", "reference", "--count", 1, "--resume", "--out", folder / "one")
    return {
        "seconds_per_shard_of_seeds": round(one, 3),
        "milliseconds_per_seed": round(1000 * (many - one) / (SEEDS - 1), 3),
        "milliseconds_per_folded_seed": round(1000 * (joining + max(folding - folding_one, 0.0)) / SEEDS, 4),
        "bytes_per_seed": journal.stat().st_size // SEEDS,
    }


def environment(root: Path, folder: Path) -> Figures:
    """Of onnxruntime, into an empty folder."""
    seconds, _ = ifcert(root, "adapter", "install", "onnxruntime", environment={"IFCERT_ADAPTERS": str(folder / "all")})
    size = sum(file.stat().st_size for file in (folder / "all").rglob("*") if file.is_file() and not file.is_symlink())
    return {"seconds_per_environment": round(seconds, 1), "megabytes_per_environment": round(size / 1e6)}


def mutant(root: Path, folder: Path) -> Figures:
    """Three of them, besides a shard of one; with the original of its file, and in seconds of processors."""
    used = []
    for count in (1, 4):
        before = os.times()
        words = [str(root / "scripts/mutation"), "--sample", str(count), "--seed", "7", "--jobs", "1"]
        if subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode > 1:
            raise Undone("scripts/mutation --sample failed")
        after = os.times()
        used.append(after.children_user + after.children_system - before.children_user - before.children_system)
    each = (used[1] - used[0]) / 3
    return {
        "seconds_per_mutant": round(each, 1),
        "seconds_per_shard_of_mutants": round(used[0] - each, 1),
        "mutants": len((root / "conformance/mutants/mutation/ledger.jsonl").read_text().splitlines()),
    }


def driver(root: Path, folder: Path) -> Figures:
    """The driver alone, with workers that answer at once."""
    from ifcert.cluster.driver import Answer, Driver, Event, Ready
    from ifcert.cluster.ledger import Ledger
    from ifcert.cluster.order import Order
    from ifcert.cluster.shard import Outcome, Shard, digest_of

    files = {"journal.jsonl": b"x" * RESULT}
    digest = digest_of(files)

    class Instant:
        happened: list[Event] = [Ready(f"worker {number}", f"node {number // 16}", "p") for number in range(160)]  # noqa: RUF012

        def give(self, worker: str, shard: Shard) -> None:
            self.happened.append(Answer(worker, Outcome(shard.name, "node", "p", 0.0, 0.0, files, digest)))

        def events(self, seconds: float) -> list[Event]:
            happened, self.happened = self.happened, []
            return happened

        def expects_workers(self) -> bool:
            return False

        def close(self) -> None:
            pass

    class Nothing:
        def begin(self) -> None:
            pass

        def finish(self, driver: Driver, order: Order) -> int:
            return 0

        def fault_in(self, shard: Shard, outcome: Outcome) -> str:
            return ""

    (folder / "shards").mkdir()
    shards = [Shard(f"shard {number}", "engine", (), "*") for number in range(SHARDS_OF_DRIVER)]
    since = time.process_time()
    Driver(Nothing(), Instant(), Ledger(folder / "ledger", {}, resume=False), folder / "shards", "p").run(shards)
    return {"milliseconds_of_driver_per_shard": round(1000 * (time.process_time() - since) / len(shards), 3)}


def efficiency(root: Path, folder: Path) -> Figures:
    """How much faster two workers do the same seeds than one; on Ray each on a node of its own."""
    seconds: dict[int, float] = {}
    with_ray = (root / ".venv/bin/ray").exists()
    for workers in (1, 2):
        with cluster(root, workers) if with_ray else here(workers) as place:
            out = folder / str(workers)
            ifcert(root, "fuzz", "reference", "--count", SEEDS_SHARED, "--on", place, "--out", out)
            lines = [json.loads(line) for line in (out / "cluster" / "ledger.jsonl").read_text().splitlines()]
            moments = [datetime.fromisoformat(line["when"]) for line in lines if "worker" in line and "when" in line]
            seconds[workers] = (max(moments) - min(moments)).total_seconds()
    return {
        "place": "ray" if with_ray else "local",
        "seconds_with_one_worker": seconds[1],
        "seconds_with_two_workers": seconds[2],
        "two_workers_against_one": round(seconds[1] / seconds[2], 2),
        "seeds_of_efficiency": SEEDS_SHARED,
    }


@contextmanager
def here(workers: int) -> Iterator[str]:
    """Without Ray."""
    yield f"local={workers}"


@contextmanager
def cluster(root: Path, nodes: int) -> Iterator[str]:
    """Of Ray, with one worker on each node."""
    session = Path(tempfile.mkdtemp(prefix="scale-", dir="/tmp"))
    first = ["--head", f"--port={PORT}", "--include-dashboard=false", f"--temp-dir={session}"]
    started = []
    # Of its own: Ray would demand the user's, if there is one, and would not send it to an address.
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    try:
        for number in range(nodes):
            words = first if number == 0 else [f"--address=127.0.0.1:{PORT}"]
            words += ["--num-cpus=1", "--disable-usage-stats", "--object-store-memory=100000000", "--block"]
            command = [str(root / ".venv/bin/ray"), "start", "--node-ip-address=127.0.0.1", *words]
            environment = os.environ | {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}
            started.append(
                subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
            )
            wait_for(root, number + 1)
        yield f"ray=127.0.0.1:{PORT}"
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            process.wait(60)
        shutil.rmtree(session, ignore_errors=True)


NODES_ARE_THERE = """
import sys, ray
ray.init(sys.argv[1], log_to_driver=False)
sys.exit(ray.cluster_resources().get("CPU") != int(sys.argv[2]))
"""


def wait_for(root: Path, nodes: int) -> None:
    """Until the cluster has so many."""
    command = [str(root / ".venv/bin/python"), "-c", NODES_ARE_THERE, f"127.0.0.1:{PORT}", str(nodes)]
    for _ in range(30):
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            return
        time.sleep(1)
    raise Undone(f"a cluster of {nodes} nodes has not started")


MEASURED: dict[str, Callable[[Path, Path], Figures]] = {
    "certify": certify,
    "fuzz": fuzz,
    "environment": environment,
    "mutant": mutant,
    "driver": driver,
    "efficiency": efficiency,
}


def measure(root: Path, names: list[str]) -> None:
    """Into the file, each with its conditions."""
    figures = read(root) if (root / FILE).exists() else {}
    sys.path.append(str(root / "bindings/python"))
    for name in names:
        load = os.getloadavg()[0]
        with tempfile.TemporaryDirectory(prefix="scale-") as folder:
            found = MEASURED[name](root, Path(folder))
        found |= {"when": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), "load": round(load, 1)}
        figures[name] = found | {"processors": os.cpu_count(), "machine": platform.machine()}
        print(json.dumps({name: figures[name]}), flush=True)
        write(root, figures)


def write(root: Path, figures: Figures) -> None:
    """Whole or not at all."""
    fresh = (root / FILE).with_suffix(".new")
    fresh.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    fresh.rename(root / FILE)


def read(root: Path) -> Figures:
    """The last measurements."""
    return dict(json.loads((root / FILE).read_text()))


ROWS = [
    ("one vector on the reference", "certify", "milliseconds_per_vector", "ms"),
    ("a shard of vectors, besides its vectors", "certify", "seconds_per_shard_of_vectors", "s"),
    ("merging, for one result", "certify", "milliseconds_per_merged_vector", "ms"),
    ("one seed on the reference", "fuzz", "milliseconds_per_seed", "ms"),
    ("a shard of seeds, besides its seeds", "fuzz", "seconds_per_shard_of_seeds", "s"),
    ("folding, for one seed", "fuzz", "milliseconds_per_folded_seed", "ms"),
    ("the journal of one seed", "fuzz", "bytes_per_seed", "bytes"),
    ("one mutant, with the original of its file", "mutant", "seconds_per_mutant", "s"),
    ("a shard of mutants, besides its mutants", "mutant", "seconds_per_shard_of_mutants", "s"),
    ("an environment (onnxruntime)", "environment", "seconds_per_environment", "s"),
    ("its files", "environment", "megabytes_per_environment", "MB"),
    ("the driver, for one shard", "driver", "milliseconds_of_driver_per_shard", "ms"),
    ("the same seeds with one worker", "efficiency", "seconds_with_one_worker", "s"),
    ("with two workers", "efficiency", "seconds_with_two_workers", "s"),
    ("two workers are faster by a factor of", "efficiency", "two_workers_against_one", ""),
]


def table(figures: Figures) -> str:
    """For the page."""
    lines = ["| what | cost | measured | load before |", "|---|---|---|---|"]
    for what, part, name, unit in ROWS:
        if part in figures:
            found = figures[part]
            lines.append(f"| {what} | {found[name]} {unit}".rstrip() + f" | {found['when']} | {found['load']} |")
    return "\n".join(lines) + "\n"
