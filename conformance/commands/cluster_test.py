"""--on: shards on several workers end like one process, whoever is killed on the way; here and on a cluster of Ray."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from ray_nodes import cluster_of_two, needs_ray

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
IFCERT = BIN / "ifcert"
RULE = "onnx/if/then-when-true"
VECTORS = 11  # of RULE
SEEDS = 90
TIMES = {"started", "ended", "milliseconds", "runtime_milliseconds", "jobs", "efforts", "sha256"}
TIMES |= {"seconds", "confirming_seconds", "costs"}

ADAPTER = """
import sys
sys.path.insert(0, {lying!r})
from honest import Honest, serve


class Refuser(Honest):
    def load(self, request):
        return {{"refused": {{"message": "there are too many models"}}}}


serve(Refuser())
"""


@pytest.fixture(scope="module", autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder of pytest's for the files that killed processes leave behind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(tmp_path_factory.mktemp("temporary")))
        yield


@pytest.fixture(scope="module")
def refuser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An adapter that refuses every model of the suite."""
    folder = tmp_path_factory.mktemp("adapters") / "refuser"
    folder.mkdir()
    lying = ROOT / "conformance" / "testing" / "faulty_adapters"
    manifest = {"name": "refuser", "systems": ["onnx"], "version": "1.0", "home": "https://example.org"}
    manifest |= {"install": None, "command": ["python3", "{adapter}/adapter.py", "refuser"], "reads": [str(lying)]}
    (folder / "adapter.py").write_text(ADAPTER.format(lying=str(lying)))
    (folder / "adapter.json").write_text(json.dumps(manifest))
    return folder


def order(
    command: str, adapters: list[str], out: Path, on: str, *, resume: bool = False, vectors: int = 6
) -> list[str]:
    """The command with --on, as it hands over to the package; the shards are small, so that there are many."""
    given = {"ADAPTER": adapters, "--on": [on], "--out": [str(out)]} | ({"--resume": ["true"]} if resume else {})
    if command == "certify":
        given |= {"--rule": [RULE]}
        more = {"adapters": adapters, "vectors": VECTORS, "per_shard": vectors}
    else:
        given |= {"--examples": ["2"]}
        more = {"adapters": adapters, "seed": 0, "count": SEEDS, "per_shard": 15}
    words = {"command": command, "program": str(IFCERT), "root": str(ROOT), "given": given} | more
    return [sys.executable, "-m", "ifcert.cluster", json.dumps(words)]


def run(command: list[object]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=240, check=False)


def ledger_of(out: Path) -> list[dict]:
    """The whole lines; a driver may be writing the last one."""
    file = out / "cluster" / "ledger.jsonl"
    lines = file.read_text().split("\n")[:-1] if file.exists() else []
    return [json.loads(line) for line in lines]


def shards_in(lines: list[dict]) -> list[str]:
    return [line["shard"] for line in lines if "digest" in line]


def kill_after(shards: int, command: list[str], out: Path) -> list[str]:
    """Kills the driver when so many shards are done; returns their names."""
    driver = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 120
    while driver.poll() is None and len(shards_in(ledger_of(out))) < shards and time.monotonic() < end:
        time.sleep(0.02)
    driver.kill()
    driver.wait()
    return shards_in(ledger_of(out))


def without_times(value: object) -> object:
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in TIMES}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def certified(out: Path) -> list[object]:
    """The results and the report, without times. By which vector a failure was confirmed depends on the shards, as with
    --shard.
    """
    lines = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    for line in lines:
        line.pop("confirmed_by", None)
    report = json.loads((out / "report.json").read_text())
    for result in report["results"]:
        result.pop("confirmed_by", None)
    return without_times([lines, report])


def fuzzed(out: Path) -> list[object]:
    """The findings, and the outcome of each seed."""
    findings = [json.loads(line) for line in (out / "findings.jsonl").read_text().splitlines()]
    journal = [json.loads(line) for line in (out / "refuser" / "journal.jsonl").read_text().splitlines()]
    seeds = sorted((line for line in journal if "seed" in line), key=lambda line: line["seed"])
    return [[finding | {"folder": Path(finding["folder"]).name} for finding in findings], without_times(seeds)]


@pytest.fixture(scope="module")
def whole(refuser: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of the vectors in one process."""
    out = tmp_path_factory.mktemp("undisturbed") / "certified"
    done = run([IFCERT, "certify", "reference", refuser, "--rule", RULE, "--out", out])
    assert done.returncode == 1, done.stderr
    return out


@pytest.fixture(scope="module")
def campaign(refuser: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of the seeds in one process."""
    out = tmp_path_factory.mktemp("undisturbed") / "fuzzed"
    done = run([IFCERT, "fuzz", refuser, "--count", SEEDS, "--examples", 2, "--out", out])
    assert done.returncode == 1, done.stderr
    return out


def test_certify_ends_like_one_process_though_its_driver_is_killed(refuser: Path, whole: Path, tmp_path: Path) -> None:
    adapters = ["reference", str(refuser)]
    before = kill_after(1, order("certify", adapters, tmp_path, "local=2"), tmp_path)
    assert 1 <= len(before) < 4
    again = run(order("certify", adapters, tmp_path, "local=2"))
    assert (again.returncode, again.stdout) == (2, "")
    assert "has an earlier run: --resume continues it" in again.stderr
    done = run(order("certify", adapters, tmp_path, "local=2", resume=True))
    assert done.returncode == 1, done.stderr
    assert certified(tmp_path) == certified(whole)
    after = shards_in(ledger_of(tmp_path))
    assert after[: len(before)] == before
    assert len(after) == len(set(after)) == 4
    assert not list(Path(os.environ["TMPDIR"]).glob("ifcert-shard-*"))
    once_more = run(order("certify", adapters, tmp_path, "local=2", resume=True))
    assert (once_more.returncode, once_more.stdout[:17]) == (1, "Nothing to resume")


def test_fuzz_ends_like_one_process_though_its_driver_is_killed(refuser: Path, campaign: Path, tmp_path: Path) -> None:
    before = kill_after(2, order("fuzz", [str(refuser)], tmp_path, "local=2"), tmp_path)
    assert len(before) >= 2
    done = run(order("fuzz", [str(refuser)], tmp_path, "local=2", resume=True))
    assert done.returncode == 1, done.stderr
    assert fuzzed(tmp_path) == fuzzed(campaign)
    after = shards_in(ledger_of(tmp_path))
    assert after[: len(before)] == before
    assert len(after) == len(set(after))


def test_the_commands_hand_over(tmp_path: Path) -> None:
    done = run([IFCERT, "fuzz", "reference", "--count", 20, "--on", "local=1", "--out", tmp_path / "fuzzed"])
    assert done.returncode == 0, done.stderr
    assert "20 seeds" in done.stdout
    assert shards_in(ledger_of(tmp_path / "fuzzed")) == ["reference seeds 0-19"]


@pytest.mark.parametrize("place", ["here", "local=0", "local=many", "ray=", "local="])
def test_other_places_are_refused(place: str, tmp_path: Path) -> None:
    done = run([IFCERT, "fuzz", "reference", "--on", place, "--out", tmp_path])
    assert done.returncode == 2
    assert f"expected local, local=N, ray or ray=ADDRESS; found {place}" in done.stderr


def test_what_cannot_be_cut_is_refused(tmp_path: Path) -> None:
    for words in (["certify", "reference", "--shard", "1/2"], ["fuzz", "reference", "--time", "1"]):
        done = run([IFCERT, *words, "--on", "local", "--out", tmp_path])
        assert (done.returncode, "excludes" in done.stderr) == (2, True)


# Ray


def descendants(pid: int) -> list[int]:
    """Of a process, as /proc has them."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, task.read_text().split()):
                found += [child, *descendants(child)]
    return found


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    with cluster_of_two(tmp_path_factory.mktemp("cluster")) as it:
        yield it


@needs_ray
def test_on_ray_it_ends_like_one_process_though_a_worker_and_then_the_driver_are_killed(
    cluster: tuple[str, int], refuser: Path, campaign: Path, tmp_path: Path
) -> None:
    address, second = cluster
    words = order("fuzz", [str(refuser)], tmp_path, f"ray={address}")
    driver = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 120
    killed: list[int] = []
    while not killed and time.monotonic() < end:
        workers = [
            pid for pid in descendants(second) if Path(f"/proc/{pid}/cmdline").read_bytes()[:11] == b"ray::Worker"
        ]
        busy = [pid for pid in workers if descendants(pid)]
        for pid in busy[:1]:
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)
        time.sleep(0.02)
    assert killed
    while not any("lost" in line for line in ledger_of(tmp_path)) and time.monotonic() < end:
        time.sleep(0.02)
    driver.kill()
    driver.wait()
    lost = [line["given"] for line in ledger_of(tmp_path) if "lost" in line]
    assert len(lost) == 1
    before = shards_in(ledger_of(tmp_path))
    done = run(order("fuzz", [str(refuser)], tmp_path, f"ray={address}", resume=True))
    assert done.returncode == 1, done.stderr
    assert fuzzed(tmp_path) == fuzzed(campaign)
    after = shards_in(ledger_of(tmp_path))
    assert after[: len(before)] == before
    assert set(lost) <= set(after)
    assert len(after) == len(set(after))


@needs_ray
def test_on_ray_the_report_is_that_of_one_process(
    cluster: tuple[str, int], refuser: Path, whole: Path, tmp_path: Path
) -> None:
    done = run(order("certify", ["reference", str(refuser)], tmp_path, f"ray={cluster[0]}"))
    assert done.returncode == 1, done.stderr
    assert certified(tmp_path) == certified(whole)
    lines = ledger_of(tmp_path)
    assert len({line["node"] for line in lines if "digest" in line}) == 2
    assert {line["project"] for line in lines if "digest" in line} == {lines[0]["terms"]["project"]}


@needs_ray
def test_on_ray_a_node_whose_disk_is_full_gets_no_more_shards(refuser: Path, whole: Path, tmp_path: Path) -> None:
    tiny, out = tmp_path / "tiny", tmp_path / "out"
    tiny.mkdir()
    with cluster_of_two(tmp_path, tiny) as (address, _):
        done = run(order("certify", ["reference", str(refuser)], out, f"ray={address}", vectors=2))
    assert done.returncode == 1, done.stderr
    assert certified(out) == certified(whole)
    lines = ledger_of(out)
    failed = [line for line in lines if "failed" in line]
    assert failed
    assert all("No space left on device" in line["why"] for line in failed), failed
    assert not {line["node"] for line in failed} & {line["node"] for line in lines if "digest" in line}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """This one, with a build/mutation of its own: a run that was interrupted in the other one can go on as it was."""
    made = tmp_path / "checkout"
    (made / "build").mkdir(parents=True)
    shutil.copytree(ROOT / "scripts", made / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    for name in (".venv", "bindings", "conformance", "reference", "vectors"):
        (made / name).symlink_to(ROOT / name)
    (made / "build" / "release").symlink_to(BIN.parent)
    return made


@needs_ray
def test_on_ray_mutants_are_tried_in_shards(cluster: tuple[str, int], checkout: Path) -> None:
    words = [checkout / "scripts" / "mutation", "--sample", "2", "--on", f"ray={cluster[0]}"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("every mutant that could be killed was killed\n")
    folder = checkout / "build" / "mutation" / "cluster"
    lines = ledger_of(folder.parent)
    assert [name.partition(" from ")[0] for name in shards_in(lines)] == ["mutants", "mutants"]
    assert len({line["node"] for line in lines if "digest" in line}) == 2
    assert lines[-1]["finished"] == 0
    assert not (folder / "shards").exists()
