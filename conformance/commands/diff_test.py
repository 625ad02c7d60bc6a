"""ifcert diff shows what a change of a runtime broke and fixed."""

import json
import os
import re
import subprocess
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
SCHEMA = json.loads((ROOT / "conformance" / "schemas" / "diff.schema.json").read_text())
RULE = "onnx/if/then-when-true"


def ifcert(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([IFCERT, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two folders: of a runtime that computes the rule's vectors, and of a tool that computes nothing."""
    folder = tmp_path_factory.mktemp("results")
    for name in ("reference", "onnx-checker"):
        assert ifcert("certify", name, "--rule", RULE, "--out", folder / name).returncode == 0
    return folder


def test_a_certification_does_not_differ_from_itself(results: Path) -> None:
    run = ifcert("diff", results / "reference", results / "reference" / "results.jsonl")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("reference ")
    assert run.stdout.endswith(" as before\n")


def test_what_passed_and_no_longer_computes_broke(results: Path) -> None:
    run = ifcert("diff", results / "reference", results / "onnx-checker")
    assert run.returncode == 1
    assert f"\n  broke {RULE}\n" in run.stdout
    assert f"\n    {RULE}/test-cc-if: PASS → UNSUPPORTED\n" in run.stdout


def test_the_reverse_is_fixed_and_no_failure(results: Path) -> None:
    run = ifcert("diff", results / "onnx-checker", results / "reference")
    assert (run.returncode, run.stderr) == (0, "")
    assert f"  fixed {RULE}\n" in run.stdout


def test_json_has_its_schema_and_markdown_a_table(results: Path) -> None:
    folders = [results / "reference", results / "onnx-checker"]
    found = json.loads(ifcert("diff", *folders, "--format", "json").stdout)
    jsonschema.validate(found, SCHEMA)
    assert {each["change"] for each in found["adapters"][0]["differences"]} == {"broke"}
    markdown = ifcert("diff", *folders, "--format", "markdown").stdout
    assert f"| broke | `{RULE}` | `{RULE}/test-cc-if` | PASS | UNSUPPORTED | " in markdown


def test_damaged_results_are_exit_2(results: Path, tmp_path: Path) -> None:
    text = (results / "reference" / "results.jsonl").read_text()
    (tmp_path / "results.jsonl").write_text(text.replace("PASS", "FAIL", 1))
    run = ifcert("diff", results / "reference", tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert "is not a result" in run.stderr


def test_a_certificate_is_compared_rule_by_rule(results: Path, tmp_path: Path) -> None:
    reference, checker = results / "reference", results / "onnx-checker"
    same = ifcert("diff", reference / "certificate.json", reference)
    assert (same.returncode, same.stderr) == (0, "")
    assert ": 1 as before (rules, each axis counted once)\nCompared rule by rule: " in same.stdout
    broke = ifcert("diff", reference / "certificate.json", checker / "certificate.json")
    assert broke.returncode == 1
    assert re.search(rf"  broke {RULE}\n    computes: (\d+) PASS → \1 UNSUPPORTED\n", broke.stdout)
    assert ifcert("diff", checker, reference / "certificate.json").returncode == 0

    (tmp_path / "certificate.json").write_bytes((reference / "certificate.json").read_bytes())
    found = json.loads(ifcert("diff", tmp_path, checker, "--format", "json").stdout)
    jsonschema.validate(found, SCHEMA)
    [change] = found["adapters"][0]["differences"]
    assert found["compared"] == "rules"
    assert (change["change"], change["axis"], "vector" in change) == ("broke", "computes", False)


def test_what_is_not_a_certificate_is_exit_2(results: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.json").write_text('{"certificate": 1}')
    run = ifcert("diff", tmp_path / "wrong.json", results / "reference")
    assert (run.returncode, run.stdout) == (2, "")
    assert "wrong.json: not a certificate that this ifcert reads" in run.stderr
