"""`ifcert certify --rewritings`: what a runtime makes of models that it computes when files are written otherwise."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from controls_test import ADAPTER

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
CHOICE = "onnx/if/then-when-true/test-cc-if"
NOTE = {"link": "https://example.org", "note": "It hates that name."}
LISTED = {"rewriting": "producer-changed", "vectors": [CHOICE], "verdict": "FAIL", "fault": "wrongly-refused"}


def certified(
    folder: Path,
    text: str,
    *options: str,
    listed: list[dict[str, Any]] | None = None,
    also: str = "",
    failures: list[dict[str, Any]] | None = None,
    program: str = ADAPTER,
) -> tuple[int, str, dict[str, Any]]:
    """The exit code, the output and the report of an adapter that refuses files with the text, or with both texts."""
    adapter = folder / "picky"
    adapter.mkdir()
    (adapter / "adapter.py").write_text(program)
    command = [sys.executable, "{adapter}/adapter.py", str(BIN / "ifcert-reference-adapter"), "with", text]
    command += ["with", also] if also else []
    manifest = {"name": "picky", "systems": ["onnx"], "version": "1", "home": "https://example.org", "install": None}
    (adapter / "adapter.json").write_text(json.dumps(manifest | {"command": command, "reads": [str(BIN)]}))
    if listed is not None:
        known = {"adapter": "picky", "failures": failures or [], "rewritings": listed}
        (adapter / "known_failures.json").write_text(json.dumps(known))
    out = folder / "out"
    run = subprocess.run(
        [BIN / "ifcert", "certify", adapter, "--vector", CHOICE, *options, "--out", out],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    report = json.loads((out / "report.json").read_text()) if (out / "report.json").is_file() else {}
    return run.returncode, run.stdout + run.stderr, report


def test_without_the_option_no_rewriting_is_run(tmp_path: Path) -> None:
    code, printed, report = certified(tmp_path, "pytorch")
    assert code == 0
    assert "rewritings" not in printed
    assert "rewritings" not in report
    assert "rewritings" not in report["results"][0]


def test_a_sample_has_three_and_they_are_always_the_same(tmp_path: Path) -> None:
    names = []
    for run in ("one", "other"):
        (tmp_path / run).mkdir()
        code, printed, report = certified(tmp_path / run, "no file has these bytes", "--rewritings")
        assert code == 0, printed
        assert "picky: 0 of 3 rewritings of models that pass fail" in printed
        assert report["rewritings"] == []
        names.append([each["name"] for each in report["results"][0]["rewritings"]])
    assert names[0] == names[1]
    assert len(set(names[0])) == 3


def test_a_rewriting_that_fails_is_a_finding_of_its_own(tmp_path: Path) -> None:
    code, printed, report = certified(tmp_path, "pytorch", "--rewritings", "all")
    assert code == 1
    assert report["results"][0]["verdict"] == "PASS"
    (findings,) = report["rewritings"]
    assert (findings["name"], findings["run"]) == ("producer-changed", 1)
    assert findings["vectors"] == [
        {"vector": CHOICE, "line": "FAIL (wrongly-refused)", "message": "not this one", "known": False}
    ]
    (breach,) = report["breaches"]
    assert (breach["kind"], breach["vector"]) == ("unlisted-and-differs", CHOICE)
    assert "differs with producer-changed (another tool is named as the model's producer): 1 of 1" in printed
    for name in ("report.md", "report.html", "junit.xml"):
        assert "producer-changed" in (tmp_path / "out" / name).read_text(), name


def test_a_refusal_in_other_words_is_the_same_refusal(tmp_path: Path) -> None:
    word = '"".join(chr(97 + byte % 26) for byte in __import__("os").urandom(9))'
    program = ADAPTER.replace('"not this one"', word)
    code, _, report = certified(tmp_path, "pytorch", "--rewritings", "all", program=program)
    assert code == 1
    (findings,) = report["rewritings"]
    assert [each["line"] for each in findings["vectors"]] == ["FAIL (wrongly-refused)"]


def test_of_several_in_one_file_the_one_that_fails_alone_is_told(tmp_path: Path) -> None:
    code, _, report = certified(tmp_path, "pytorch", "--rewritings", "100")
    assert code == 1
    assert len(report["results"][0]["rewritings"]) > 3
    assert [each["name"] for each in report["rewritings"]] == ["producer-changed"]


def test_what_only_fails_together_is_told_together_and_can_be_listed(tmp_path: Path) -> None:
    for run in ("unlisted", "listed"):
        (tmp_path / run).mkdir()
    several = ("pytorch", "--rewritings", "100")
    code, printed, report = certified(tmp_path / "unlisted", *several, also="Documentation:")
    assert code == 1, printed
    (findings,) = report["rewritings"]
    assert {"producer-changed", "documentation-added"} <= set(findings["name"].split(" + "))
    assert "(each alone passes)" in printed
    listed = [LISTED | NOTE | {"rewriting": findings["name"]}]
    code, printed, _ = certified(tmp_path / "listed", *several, also="Documentation:", listed=listed)
    assert code == 0, printed


def test_a_listed_rewriting_does_not_fail_the_run(tmp_path: Path) -> None:
    code, printed, report = certified(tmp_path, "pytorch", "--rewritings", "all", listed=[LISTED | NOTE])
    assert code == 0, printed
    assert report["rewritings"][0]["vectors"][0]["known"]


def test_a_listed_rewriting_that_passes_fails_the_run(tmp_path: Path) -> None:
    code, printed, report = certified(
        tmp_path, "no file has these bytes", "--rewritings", "all", listed=[LISTED | NOTE]
    )
    assert code == 1, printed
    assert [breach["kind"] for breach in report["breaches"]] == ["listed-and-does-not-differ"]


def test_a_rewriting_that_is_listed_as_unstable_may_pass_or_fail(tmp_path: Path) -> None:
    unstable = LISTED | NOTE | {"fault": "unstable"}
    for run, text in (("fails", "pytorch"), ("passes", "no file has these bytes")):
        (tmp_path / run).mkdir()
        code, printed, _ = certified(tmp_path / run, text, "--rewritings", "all", listed=[unstable])
        assert code == 0, printed


def test_a_listed_rewriting_that_is_not_run_is_ignored(tmp_path: Path) -> None:
    code, printed, _ = certified(tmp_path, "no file has these bytes", listed=[LISTED | NOTE])
    assert code == 0, printed


def test_a_model_that_is_listed_as_unstable_has_no_rewritings(tmp_path: Path) -> None:
    unstable = {"vector": CHOICE, "verdict": "FAIL", "fault": "unstable"}
    code, printed, report = certified(tmp_path, "pytorch", "--rewritings", "all", listed=[], failures=[unstable | NOTE])
    assert code == 0, printed
    assert report["results"][0]["verdict"] == "PASS"
    assert "rewritings" not in report["results"][0]


def test_a_list_names_only_rewritings_that_exist(tmp_path: Path) -> None:
    wrong = LISTED | NOTE | {"rewriting": "edges-reversed"}
    code, printed, _ = certified(tmp_path, "pytorch", listed=[wrong])
    assert code == 2
    assert f"edges-reversed, which is no rewriting of {CHOICE}" in printed


def test_a_draft_lists_rewritings_that_fail(tmp_path: Path) -> None:
    certified(tmp_path, "pytorch", "--rewritings", "all")
    draft = subprocess.run(
        [BIN / "ifcert", "known-failures", "init", tmp_path / "out"],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    (entry,) = json.loads(draft.stdout)["rewritings"]
    assert {name: entry[name] for name in LISTED} == LISTED
    assert entry["note"] == "TODO: 1 x producer-changed: not this one"


def test_another_number_of_rewritings_is_another_run(tmp_path: Path) -> None:
    code, _, report = certified(tmp_path, "no file has these bytes", "--rewritings", "3")
    assert code == 0
    assert report["limits"]["rewritings"] == 3


def test_what_is_no_number_of_rewritings_is_refused(tmp_path: Path) -> None:
    code, printed, _ = certified(tmp_path, "pytorch", "--rewritings", "some")
    assert code == 2
    assert "--rewritings is 'some', not a number from 1 on and not 'all'" in printed
