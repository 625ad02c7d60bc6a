import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ifcert.authoring.field_bugs import Linking, Row, main, page, problems, read_linking, read_rows, short

ROOT = Path(__file__).parents[4]
VECTORS = ROOT / "vectors"

ROW = Row(7, "a runtime", ["one/repo#1", "one/repo#2"], "it crashes", "open", rule="onnx/if/nesting")
UNREACHED = Row(8, "a tool", ["one/tool#3"], "it forgets", "fixed", out_of_reach="a tool")
DEEP = Linking("onnx/if/nesting/deep", "../vectors/onnx/nesting/deep.py", ["onnx/if/nesting"], ["one/repo#2"])


def test_the_committed_page_is_what_the_script_writes() -> None:
    run = subprocess.run([ROOT / "scripts" / "generate_field_bugs", "--check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_rows_and_vectors_that_fit_together() -> None:
    assert problems([ROW, UNREACHED], [DEEP]) == []
    assert problems([ROW], [replace(DEEP, rules=["onnx/if/in-loop", "onnx/if/nesting"])]) == []


@pytest.mark.parametrize(
    ("rows", "vectors", "problem"),
    [
        ([ROW], [], "row 7 (one/repo#1) has neither a vector that links one of its issues nor a reason"),
        ([ROW], [replace(DEEP, issues=["one/repo#9"])], "row 7 (one/repo#1) has neither"),
        ([UNREACHED], [replace(DEEP, issues=["one/tool#3"])], "row 8 (one/tool#3) has a reason why no vector"),
        (
            [ROW],
            [replace(DEEP, rules=["onnx/if/in-loop"])],
            "row 7 (one/repo#1): none of its vectors belongs to onnx/if/nesting",
        ),
        ([ROW, replace(UNREACHED, id=7)], [DEEP], "row 7: this id is used twice"),
        ([UNREACHED, replace(UNREACHED, id=9)], [], "one/tool#3 is in two rows"),
    ],
)
def test_what_does_not_fit_is_said(rows: list[Row], vectors: list[Linking], problem: str) -> None:
    found = problems(rows, vectors)
    assert len(found) == 1
    assert found[0].startswith(problem)


def test_a_row_shows_its_issues_its_rule_and_its_vectors() -> None:
    line = next(line for line in page([ROW], [DEEP]).splitlines() if line.startswith("| 7 "))
    issues = "[one/repo#1](https://github.com/one/repo/issues/1), [one/repo#2](https://github.com/one/repo/issues/2)"
    vectors = "[if/nesting/deep](../vectors/onnx/nesting/deep.py)"
    assert line == f"| 7 | a runtime | {issues} | it crashes | open | `onnx/if/nesting` | {vectors} |"


def test_a_row_out_of_reach_shows_the_reason() -> None:
    text = page([ROW, UNREACHED], [DEEP])
    assert text.count("| fixed | — | a tool |") == 1
    assert "2 defects: vectors test 1; 1 cannot be tested by a vector." in text


def test_a_defect_of_another_format_says_that_only_onnx_has_vectors() -> None:
    assert "(the same in ONNX; there are no TFLite vectors yet)" in page([replace(ROW, format="tflite")], [DEEP])
    own = replace(DEEP, id="tflite/nested/if/deep", rules=["onnx/if/nesting"])
    assert "vectors yet" not in page([replace(ROW, format="tflite")], [DEEP, own])


def test_vectors_of_the_rule_come_first_and_many_are_counted() -> None:
    others = [replace(DEEP, id=f"onnx/if/in-loop/case-{n}", rules=["onnx/if/in-loop"]) for n in range(7)]
    line = next(line for line in page([ROW], [*others, DEEP]).splitlines() if line.startswith("| 7 "))
    assert line.endswith(" and 3 more |")
    assert line.index("if/nesting/deep") < line.index("if/in-loop/case-0")


def test_issues_that_are_no_row_are_listed() -> None:
    text = page([ROW], [DEEP, replace(DEEP, id="onnx/if/nesting/other", issues=["two/repo#5"])])
    assert "## Other issues that vectors link" in text
    assert (
        "| [two/repo#5](https://github.com/two/repo/issues/5) | [if/nesting/other](../vectors/onnx/nesting/deep.py) |"
        in text
    )
    assert "Other issues" not in page([ROW], [DEEP])


def test_addresses_become_short() -> None:
    assert short("https://github.com/one/repo/issues/12") == "one/repo#12"
    assert short("https://github.com/one/repo/pull/12") == "one/repo#12"
    assert short("https://example.org/12") == "https://example.org/12"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with one row and one vector that links it."""
    shutil.copytree(VECTORS / "schemas", tmp_path / "schemas")
    lines = "onnx/generated/if/nesting/vectors.jsonl"
    (tmp_path / lines).parent.mkdir(parents=True)
    why = [{"source": "a", "clause": "b"}, {"issue": "https://github.com/one/repo/issues/2", "note": "n"}]
    vector = {"id": DEEP.id, "source": "vectors/onnx/nesting/deep.py", "rules": DEEP.rules, "why": why}
    (tmp_path / lines).write_text(json.dumps(vector) + "\n")
    (tmp_path / "manifest.json").write_text(json.dumps({"files": {lines: ""}}))
    put_row(tmp_path)
    return tmp_path


def put_row(root: Path, **changes: object) -> None:
    row = {
        "id": 7,
        "project": "p",
        "issues": ["one/repo#2"],
        "symptom": "s",
        "status": "open",
        "rule": "onnx/if/nesting",
    }
    row = {name: value for name, value in (row | changes).items() if value is not None}
    (root / "field_bugs.json").write_text(json.dumps({"format": 1, "rows": [row]}))


def run(root: Path, *options: str) -> int:
    return main(["--root", str(root), "--page", str(root / "page.md"), *options])


def test_rows_and_vectors_are_read(root: Path) -> None:
    assert [row.issues for row in read_rows(root / "field_bugs.json")] == [["one/repo#2"]]
    assert read_linking(root) == [DEEP]


def test_check_writes_nothing_and_compares(root: Path) -> None:
    assert run(root, "--check") == 1
    assert not (root / "page.md").exists()
    assert run(root) == 0
    assert run(root, "--check") == 0
    put_row(root, symptom="another")
    assert run(root, "--check") == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rule": None}, "is not valid under any of the given schemas"),
        ({"out_of_reach": "a reason"}, "is valid under each of"),
        ({"symptom": "a | b"}, "does not match"),
        ({"issues": ["https://github.com/one/repo/issues/2"]}, "does not match"),
        ({"severity": "high"}, "Additional properties are not allowed"),
        ({"issues": ["one/repo#3"]}, "row 7 (one/repo#3) has neither a vector"),
    ],
)
def test_a_wrong_row_is_refused(
    root: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], said: str
) -> None:
    put_row(root, **changes)
    assert run(root) == 1
    assert said in capsys.readouterr().err
    assert not (root / "page.md").exists()
