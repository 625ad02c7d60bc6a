"""The listed failures of a runtime occur without the runner and the adapter, too."""

import importlib.machinery
import importlib.util
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import listed_failures as lists
import pytest
from listed_failures import has_list, listed_failures
from vector_lines import lay_out, read_vector

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "confirm_deviations"
NOT_INSTALLED = os.environ.get("IFCERT_NOT_INSTALLED", "").split(",")  # by scripts/test --all, which names them


def listed(adapter: str) -> int:
    return len(listed_failures(adapter))


def test_every_listed_failure_is_what_the_runtime_does() -> None:
    names = ["onnxruntime", "onnx-checker", "litert"]  # they take seconds; scripts/test --all confirms them all
    if "IFCERT_LONG" in os.environ:
        known = json.loads((ROOT / "conformance" / "reproduce" / "plain_apis" / "runtimes.json").read_text())
        names = [name for name in known if has_list(name) and name not in NOT_INSTALLED]
    # By hand, five tries show more of what is unstable; here one try saves time.
    environment = os.environ | {"IFCERT_TRIES": os.environ.get("IFCERT_TRIES", "1")}
    run = subprocess.run([sys.executable, SCRIPT, *names], capture_output=True, text=True, env=environment)
    unexpected = [line for line in run.stdout.splitlines() if not line.startswith(("confirmed", "not seen"))]
    assert run.returncode == 0, "\n".join([*unexpected, run.stderr])
    table = re.findall(r"^(\S+) +\S+ +(\d+) of +(\d+) confirmed(?:, (\d+) unstable)?", run.stdout, re.MULTILINE)
    assert [(name, int(seen) + int(unseen or 0), int(count)) for name, seen, count, unseen in table] == [
        (name, listed(name), listed(name)) for name in names
    ]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("confirm_deviations", str(SCRIPT))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode, kept = True, sys.dont_write_bytecode
    loader.exec_module(module)
    sys.dont_write_bytecode = kept
    return module


def vector(*expected: str) -> dict[str, Any]:
    load, *runs = ({"expect": {word: {}}} for word in expected)
    return {"steps": [{"load": load}, *({"run": run} for run in runs)]}


def answer(*did: str) -> dict[str, Any]:
    return {"steps": [{"did": word, "text": word} for word in did]}


EITHER = {
    "steps": [{"load": {"expect": {"loaded": {}}}}, {"run": {"expect": {"either": [{"outputs": []}, {"refused": {}}]}}}]
}


@pytest.mark.parametrize(
    ("expected", "answered", "fault"),
    [
        (vector("loaded", "outputs"), answer("loaded", "expected"), ""),
        (vector("loaded", "outputs"), answer("loaded", "wrong-value"), "wrong-value"),
        (vector("loaded", "outputs"), answer("refused"), "wrongly-refused"),
        (vector("loaded", "outputs", "outputs"), answer("loaded", "expected", "refused"), "wrongly-refused"),
        (vector("refused", "refused"), answer("loaded", "wrong-value"), "wrongly-accepted"),
        (vector("refused", "refused"), answer("loaded", "refused"), ""),
        (vector("refused", "refused"), answer("refused"), ""),
        (vector("loaded", "outputs", "refused"), answer("loaded", "expected", "wrong-value"), "wrongly-accepted"),
        (vector("loaded", "outputs", "refused"), answer("loaded", "expected", "refused"), ""),
        (vector("loaded", "refused", "refused"), answer("loaded", "wrong-value", "refused"), "wrongly-accepted"),
        (EITHER, answer("loaded", "refused"), ""),
        (EITHER, answer("loaded", "wrong-shape"), "wrong-shape"),
        (vector("loaded", "outputs"), {"died": "signal 11", "steps": []}, "CRASH"),
        (vector("loaded", "outputs"), answer("loaded", "expected") | {"died": "signal 6"}, "CRASH"),
        (vector("loaded", "outputs"), answer("loaded", "wrong-value") | {"died": "signal 6"}, "wrong-value"),
        (vector("loaded", "outputs"), {"died": "TIMEOUT", "steps": []}, "TIMEOUT"),
    ],
)
def test_a_fault_is_named_as_in_the_lists(
    script: ModuleType, expected: dict[str, Any], answered: dict[str, Any], fault: str
) -> None:
    assert script.deviation(expected, answered, computes=True)[0] == fault


def test_an_unstable_vector_is_tried_several_times_and_counted(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = iter(["CRASH", "", "CRASH", "wrong-value", ""])
    monkeypatch.setattr(script, "found_alone", lambda *_: (next(found), "seen"))
    assert script.seen_in_tries("any", Path(), None) == ("unstable", "2x CRASH, 2x right, 1x wrong-value")
    monkeypatch.setattr(script, "found_alone", lambda *_: ("", "seen"))
    assert script.seen_in_tries("any", Path(), None) == ("", "5x right")


def test_a_runtime_that_hangs_is_ended_with_the_programs_that_it_started(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(script, "SECONDS", 1)
    number = tmp_path / "number"
    started = f"import subprocess; p = subprocess.Popen(['sleep', '600']); open({str(number)!r}, 'w').write(str(p.pid))"
    _, end = script.answers_of_process([sys.executable, "-c", f"{started}; p.wait()"], [tmp_path])
    assert end == "TIMEOUT"
    until = time.monotonic() + 30
    while not has_ended(number.read_text()):
        assert time.monotonic() < until


def has_ended(process: str) -> bool:
    """Whether it has: a zombie that nobody waits for has, too."""
    status = Path("/proc") / process / "stat"
    return not status.exists() or status.read_text().split()[2] == "Z"


def test_lenient_is_an_illegal_model_that_is_computed(script: ModuleType) -> None:
    assert script.claim_of({"verdict": "LENIENT"}) == "wrongly-accepted"
    assert script.claim_of({"verdict": "FAIL", "fault": "wrong-shape"}) == "wrong-shape"
    assert script.claim_of({"verdict": "CRASH"}) == "CRASH"


def test_a_failure_that_is_not_of_the_if_is_what_it_was(script: ModuleType) -> None:
    assert script.claim_of({"verdict": "NOT-IF", "was": "CRASH"}) == "CRASH"
    assert script.claim_of({"verdict": "NOT-IF", "was": "FAIL", "fault": "wrong-value"}) == "wrong-value"


def test_a_named_runtime_without_listed_failures_is_not_confirmed(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(script, "ROOT", tmp_path)
    monkeypatch.setattr(script, "ADAPTERS", tmp_path)
    monkeypatch.setattr(sys, "argv", ["confirm_deviations", "onnxruntime", "rten"])
    for name, failures in (("onnxruntime", [{"vector": "any"}]), ("rten", [])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "known_failures.json").write_text(json.dumps({"failures": failures}))
    with pytest.raises(script.Undone, match=r"^nothing is listed for rten, so there is nothing to confirm$"):
        script.main()
    (tmp_path / "rten" / "known_failures.json").unlink()
    with pytest.raises(script.Undone, match=r"^rten/known_failures\.json is missing; expected a list of failures$"):
        script.main()


def test_a_record_counts_only_for_the_version_that_it_describes(script: ModuleType) -> None:
    documents = {"file": {"adapters": {"runtime": "1.0"}, "records": [{"id": "a-record"}]}}
    assert script.record_fault({"deviation": "a-record"}, "runtime", "1.0", documents) == ""
    other = "the records of runtime are of version 1.0, this is 2.0"
    assert script.record_fault({"deviation": "a-record"}, "runtime", "2.0", documents) == other
    unknown = "conformance/deviations has no record no-record"
    assert script.record_fault({"deviation": "no-record"}, "runtime", "1.0", documents) == unknown


@pytest.mark.parametrize("adapter", ["onnxruntime", "onnx-reference", "openvino-onnx"])
def test_results_are_held_and_sessions_are_run_from_threads(adapter: str, tmp_path: Path) -> None:
    description = read_vector("onnx/if/no-state-between-runs/lengths-grow-and-shrink")
    load, first, second, *_ = description["steps"]
    first["run"]["hold"] = True
    same = {"reread": {"step": 1, "expect": first["run"]["expect"]}}
    other = {"reread": {"step": 1, "expect": second["run"]["expect"]}}
    together = {"concurrent": {"runs": [first["run"], second["run"]]}}
    crossed = {"concurrent": {"runs": [first["run"], second["run"] | {"expect": first["run"]["expect"]}]}}
    description["steps"] = [load, first, second, same, other, together, crossed]
    lay_out(description, tmp_path)
    environment = json.loads((ROOT / "conformance" / "adapters" / adapter / "adapter.json").read_text())["install"]
    python = ROOT / ".adapters" / environment["environment"] / "bin" / "python"
    command = [python, ROOT / "scripts" / "plain_runtimes", adapter]
    run = subprocess.run(command, input=f"{tmp_path}\n", capture_output=True, text=True, check=True)
    *_, answered, gone = map(json.loads, run.stdout.splitlines())
    assert gone["unloaded"]
    did = [step["did"] for step in answered["steps"]]
    assert did == ["loaded", "expected", "expected", "expected", "wrong-shape", "expected", "wrong-shape"]


def test_an_entry_of_several_vectors_is_one_failure_for_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    why = {"verdict": "LENIENT", "link": "l", "note": "n"}
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "known_failures.json").write_text(
        json.dumps({"adapter": "mine", "failures": [{"vectors": ["a", "b"], **why}, {"vector": "c", **why}]})
    )
    monkeypatch.setattr(lists, "ADAPTERS", tmp_path)
    assert listed_failures("mine") == [{"vector": vector, **why} for vector in "abc"]
