"""A certification of ONNX Runtime that is killed and resumed ends with the verdicts of an undisturbed one."""

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from listed_failures import listed_failures

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
ADAPTER = "onnxruntime"
# Some of these models read uninitialized memory, one of them crashes, others are refused only at times.
GLOB = "onnx/if/o*"
DEATHS = 3  # of one certification, each at a different moment


def command(out: Path, *more: str) -> list[str]:
    """One certification; two processes at a time."""
    return [str(IFCERT), "certify", ADAPTER, "--vector", GLOB, "--jobs", "2", "--out", str(out), *more]


def run(out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Runs to the end."""
    environment = os.environ | {"IFCERT_HOME": str(ROOT)}
    return subprocess.run(command(out, *more), env=environment, capture_output=True, text=True, timeout=120)


def results(out: Path) -> list[dict[str, Any]]:
    """The results' lines."""
    lines = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    return [line for line in lines if "verdict" in line]


def undefined() -> set[str]:
    """The vectors whose results depend on the contents of memory."""
    return {failure["vector"] for failure in listed_failures(ADAPTER) if failure.get("fault") == "unstable"}


def verdicts(out: Path) -> dict[str, tuple[str, str | None]]:
    """Verdict and fault of each vector; for undefined values only that there is a result."""
    left_out = undefined()
    return {
        line["vector"]: ("any", None) if line["vector"] in left_out else (line["verdict"], line.get("fault"))
        for line in results(out)
    }


def lines_of(journal: Path) -> int:
    """The number of whole lines."""
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def kill_at(lines: int, out: Path, *more: str) -> bool:
    """Kills the runner once its journal has so many lines; returns whether it was still running."""
    environment = os.environ | {"IFCERT_HOME": str(ROOT)}
    process = subprocess.Popen(
        command(out, *more), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while process.poll() is None and lines_of(out / "results.jsonl.part") < lines:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


@pytest.mark.parametrize("lists", [[], ["--strict"]], ids=["compared with its list", "every failure retried"])
def test_a_killed_certification_ends_like_an_undisturbed_one(lists: list[str], tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", *lists)
    assert whole.returncode == (1 if lists else 0), whole.stderr
    expected = verdicts(tmp_path / "whole")
    count = len(expected)
    assert count > 300
    assert {verdict for verdict, _ in expected.values()} >= {"PASS", "FAIL", "LENIENT"}
    chance = random.Random(16)
    moments = sorted(chance.sample(range(2, count), DEATHS - 1))
    moments.append(
        count + 2 + len(lists)
    )  # the header, hello and all vectors; with --strict, when failures are retried
    deaths = 0
    for number, lines in enumerate(moments):
        deaths += kill_at(lines, tmp_path / "killed", *lists, *(["--resume"] if number else []))
    assert deaths >= DEATHS - 1  # after the last vector it may have finished first
    resumed = run(tmp_path / "killed", *lists, "--resume")
    assert resumed.returncode == whole.returncode, resumed.stderr
    assert verdicts(tmp_path / "killed") == expected
    assert not (tmp_path / "killed" / "results.jsonl.part").exists()
