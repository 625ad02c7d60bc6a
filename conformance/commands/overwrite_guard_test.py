"""A run never removes the results of a wider one unasked, and the command that a report prints works anywhere."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from vector_lines import read_vectors

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
RULE = "onnx/if/else-when-false"
VECTOR = f"{RULE}/else-first-in-file"


def certify(folder: Path, *arguments: str, adapter: str = "reference") -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "IFCERT_HOME"}
    return subprocess.run(
        [str(IFCERT), "certify", adapter, *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_smaller_run_does_not_remove_the_results_of_a_wider_one(tmp_path: Path) -> None:
    assert certify(tmp_path, "--rule", RULE).returncode == 0
    before = contents(tmp_path)
    run = certify(tmp_path, "--vector", VECTOR)
    assert run.returncode == 2
    assert "results that would be removed, not replaced: 1 of reference" in run.stderr
    assert "--out" in run.stderr and "--replace" in run.stderr
    assert contents(tmp_path) == before


def test_neither_does_a_merger(tmp_path: Path) -> None:
    assert certify(tmp_path, "--rule", RULE).returncode == 0
    assert certify(tmp_path, "--vector", VECTOR, "--out", "part").returncode == 0
    before = contents(tmp_path / "results")
    merge = [str(IFCERT), "merge", "part", "--out", "results"]
    refused = subprocess.run(merge, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert refused.returncode == 2
    assert "results that would be removed, not replaced: 1 of reference" in refused.stderr
    assert contents(tmp_path / "results") == before
    assert subprocess.run([*merge, "--replace"], cwd=tmp_path, capture_output=True, check=False).returncode == 0
    assert len(json.loads((tmp_path / "results" / "report.json").read_text())["results"]) == 1


def test_it_does_so_when_told_to(tmp_path: Path) -> None:
    assert certify(tmp_path, "--rule", RULE).returncode == 0
    assert certify(tmp_path, "--vector", VECTOR, "--replace").returncode == 0
    assert len(json.loads((tmp_path / "results" / "report.json").read_text())["results"]) == 1


def test_the_same_or_a_wider_run_replaces_the_results(tmp_path: Path) -> None:
    assert certify(tmp_path, "--vector", VECTOR).returncode == 0
    assert certify(tmp_path, "--vector", VECTOR).returncode == 0
    assert certify(tmp_path, "--rule", RULE).returncode == 0


def test_an_interrupted_wider_run_is_protected_too(tmp_path: Path) -> None:
    out = tmp_path / "results"
    out.mkdir()
    journal = json.dumps({"result": {"adapter": "litert", "vector": VECTOR}}) + "\n"
    (out / "results.jsonl.part").write_text(journal)
    run = certify(tmp_path, "--rule", RULE)
    assert run.returncode == 2
    assert "1 of litert" in run.stderr
    assert (out / "results.jsonl.part").read_text() == journal


def test_an_interrupted_run_may_be_begun_anew_although_it_ran_twins_that_it_does_not_select(tmp_path: Path) -> None:
    illegal = next(vector for vector in read_vectors() if vector["system"] == "onnx" and "twin" in vector)
    out = tmp_path / "results"
    out.mkdir()
    ran = json.dumps({"result": {"adapter": "reference", "vector": illegal["twin"]}}) + "\n"
    (out / "results.jsonl.part").write_text(ran)
    run = certify(tmp_path, "--vector", illegal["id"])
    assert run.returncode == 0, run.stderr


def test_results_of_vectors_that_no_longer_exist_are_replaced(tmp_path: Path) -> None:
    out = tmp_path / "results"
    out.mkdir()
    (out / "results.jsonl").write_text(json.dumps({"adapter": "reference", "vector": "onnx/if/gone/long-ago"}) + "\n")
    assert certify(tmp_path, "--vector", VECTOR).returncode == 0


def test_the_printed_command_works_in_another_folder_and_leaves_the_wider_results_alone(tmp_path: Path) -> None:
    mine = tmp_path / "home" / "my reference"
    shutil.copytree(ROOT / "conformance" / "adapters" / "reference", mine, ignore=shutil.ignore_patterns("*.cpp"))
    assert certify(tmp_path / "home", "--rule", RULE, adapter="./my reference").returncode == 0
    report = json.loads((tmp_path / "home" / "results" / "report.json").read_text())
    command = next(result["reproduce"] for result in report["results"] if result["vector"] == VECTOR)
    before = contents(tmp_path / "home")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    environment = {"PATH": os.environ["PATH"]}
    for _ in range(2):  # it may be repeated
        run = subprocess.run(command, shell=True, cwd=elsewhere, env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
    assert contents(tmp_path / "home") == before
    (written,) = elsewhere.rglob("report.json")
    assert [result["vector"] for result in json.loads(written.read_text())["results"]] == [VECTOR]
    assert written.parent == elsewhere / "reproduced" / "reference" / VECTOR
