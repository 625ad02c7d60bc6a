"""`ifcert check` as a linter: its three formats, several files at once, and models from elsewhere."""

import json
import os
import subprocess
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

import ifcert
import jsonschema
import onnx
import pytest
from onnx.backend.test.case.node import collect_testcases
from vector_lines import model_of, read_rule, read_vectors

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
GENERATED = ROOT / "vectors" / "onnx" / "generated" / "if"
LEGAL = GENERATED / "then-when-true" / "test-cc-if.onnx"
BROKEN = GENERATED / "output-count" / "then-has-more.onnx"
SCHEMAS = ROOT / "conformance" / "schemas"


def check(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the command; its output is text."""
    return subprocess.run([IFCERT, "check", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def three_files(tmp_path: Path) -> list[Path]:
    """One legal, one broken, and one that is not a model and has an awkward name."""
    unreadable = tmp_path / "no mödel %.onnx"
    unreadable.write_bytes(b"\x0a\x01x")
    return [LEGAL, BROKEN, unreadable]


def validated_sarif(text: str) -> dict:
    """The log, after SARIF's own schema has accepted it."""
    log = json.loads(text)
    schema = json.loads((SCHEMAS / "third_party" / "sarif-2.1.0-rtm.4.json").read_text())
    jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).validate(log)
    return log


def test_text_has_everything_an_exporters_author_needs(tmp_path: Path) -> None:
    run = check(*three_files(tmp_path))
    assert run.returncode == 2
    assert f"{LEGAL}: no rule broken\n" in run.stdout
    assert "[onnx/if/output-count]\n  expected: the same number" in run.stdout
    assert "  clause: ONNX Operators, If" in run.stdout
    assert run.stderr.count("\n") == 1
    assert "no mödel %.onnx: model: " in run.stderr


def test_json_matches_its_closed_schema(tmp_path: Path) -> None:
    run = check(*three_files(tmp_path), "--format", "json")
    assert (run.returncode, run.stderr) == (2, "")
    checked = json.loads(run.stdout)
    schema = json.loads((SCHEMAS / "check.schema.json").read_text())
    jsonschema.Draft7Validator(schema).validate(checked)
    legal, broken, unreadable = checked["files"]
    assert (legal["findings"], "unreadable" in legal) == ([], False)
    assert [(finding["level"], finding["rule"]) for finding in broken["findings"]] == [
        ("error", "onnx/if/output-count")
    ]
    assert broken["findings"][0]["clause"].startswith("ONNX Operators, If")
    assert unreadable["unreadable"]["rule"] == "onnx/model/file-is-whole"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(schema).validate({**checked, "files": [{**legal, "more": 1}]})


def test_sarif_is_accepted_by_its_own_schema(tmp_path: Path) -> None:
    files = three_files(tmp_path)
    run = check(*files, "--format", "sarif")
    assert (run.returncode, run.stderr) == (2, "")
    (sarif_run,) = validated_sarif(run.stdout)["runs"]
    (invocation,) = sarif_run["invocations"]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (2, False)
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["associatedRule"]["id"] == "onnx/model/file-is-whole"
    assert [unquote(urlsplit(artifact["location"]["uri"]).path) for artifact in sarif_run["artifacts"]] == [
        str(file) for file in files
    ]


def test_a_sarif_result_has_the_rule_the_place_and_the_expectation() -> None:
    run = check(BROKEN, "--format", "sarif")
    assert run.returncode == 1
    (sarif_run,) = validated_sarif(run.stdout)["runs"]
    (result,) = sarif_run["results"]
    rule = sarif_run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["id"] == result["ruleId"] == "onnx/if/output-count"
    assert "ONNX Operators, If-25" in rule["help"]["text"]
    assert result["message"]["text"].startswith("then_branch has 3, else_branch 2 and the node 2 outputs; expected: ")
    (location,) = result["locations"]
    (logical,) = location["logicalLocations"]
    assert logical == {"name": "node 0 (If)", "fullyQualifiedName": 'graph "pair" / node 0 (If)'}
    assert "region" not in location["physicalLocation"]


def test_a_sarif_log_of_a_legal_model_has_no_results() -> None:
    run = check(LEGAL, "--format", "sarif")
    (sarif_run,) = validated_sarif(run.stdout)["runs"]
    assert (run.returncode, sarif_run["results"]) == (0, [])
    assert sarif_run["invocations"][0]["executionSuccessful"]


@pytest.mark.parametrize("kind", ["text", "json", "sarif"])
def test_findings_go_to_a_file_on_request(tmp_path: Path, kind: str) -> None:
    run = check(LEGAL, BROKEN, "--format", kind, "-o", tmp_path / "findings")
    assert (run.returncode, run.stdout) == (1, "")
    assert (tmp_path / "findings").read_text() == check(LEGAL, BROKEN, "--format", kind).stdout
    assert [file.name for file in tmp_path.iterdir()] == ["findings"]


def test_a_vector_is_named_by_its_id() -> None:
    named = subprocess.run(
        [IFCERT, "check", "onnx/if/output-count/then-has-more"], cwd=ROOT, capture_output=True, text=True
    )
    assert named.returncode == 1
    assert named.stdout.replace("vectors/onnx", f"{ROOT}/vectors/onnx") == check(BROKEN).stdout


def test_a_file_with_the_form_of_an_id_is_the_file(tmp_path: Path) -> None:
    model = tmp_path / "onnx" / "if" / "output-count" / "then-has-more"
    model.parent.mkdir(parents=True)
    model.write_bytes(LEGAL.read_bytes())
    named = subprocess.run(
        [IFCERT, "check", "onnx/if/output-count/then-has-more"], cwd=tmp_path, capture_output=True, text=True
    )
    assert 'unknown file extension ""' in named.stderr


def test_an_id_of_no_vector_is_a_file_that_is_missing() -> None:
    assert "onnx/if/output-count/gone: " in check("onnx/if/output-count/gone").stderr


def misfits(system: str, rule: str) -> Iterator[tuple[Path, str]]:
    """The models of vectors of shapes that cannot fit, each with its expected load: loaded, open or refused."""
    for vector in read_rule(f"{system}/{rule}"):
        expect = vector["steps"][0]["load"]["expect"]
        yield model_of(vector), "open" if "either" in expect else next(iter(expect))


@pytest.mark.parametrize(("system", "rule"), [("onnx", "model/shapes-fit"), ("openvino", "ir/shapes-fit")])
def test_shapes_that_cannot_fit_are_an_error_where_they_certainly_run_else_a_warning(system: str, rule: str) -> None:
    models = list(misfits(system, rule))
    run = check(*(path for path, _ in models), "--format", "json")
    found = [[(it["level"], it["rule"]) for it in file["findings"]] for file in json.loads(run.stdout)["files"]]
    expected = {"loaded": [], "refused": [("error", f"{system}/{rule}")], "open": [("warning", f"{system}/{rule}")]}
    assert found == [expected[outcome] for _, outcome in models]
    assert {outcome for _, outcome in models} == set(expected)


def test_a_warning_alone_is_not_a_failure() -> None:
    warned = next(path for path, outcome in misfits("onnx", "model/shapes-fit") if outcome == "open")
    run = check(warned)
    assert run.returncode == 0
    assert "(Sub): warning: Sub: shapes [2] and [3] do not broadcast [onnx/model/shapes-fit]" in run.stdout
    assert run.stdout.endswith(": no rule broken, 1 warning\n")
    sarif = check(warned, "--format", "sarif")
    (result,) = validated_sarif(sarif.stdout)["runs"][0]["results"]
    assert (sarif.returncode, result["level"]) == (0, "warning")
    assert ifcert.load(warned).check()[0].level == "warning"


def test_silero_vads_models_break_no_rule() -> None:
    models = sorted((Path(find_spec("silero_vad").origin).parent / "data").glob("*.onnx"))
    assert models
    run = check(*models, "--format", "json")
    assert [file["findings"] for file in json.loads(run.stdout)["files"]] == [[] for _ in models]


def test_every_vector_that_loads_is_free_of_errors() -> None:
    """The models of every format that no rule refuses."""
    models = []
    for vector in read_vectors():
        if "loaded" in vector["steps"][0]["load"]["expect"]:
            models.append(model_of(vector))
    assert len(models) > 1000
    run = check(*models, "--format", "json")
    assert [file["model"] for file in json.loads(run.stdout)["files"] if file["findings"]] == []


def test_onnxs_own_cases_break_no_rule(tmp_path: Path) -> None:
    """The onnx package's node tests: every operator, function bodies expanded and not, types declared throughout."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = [case for case in collect_testcases(None) if case.model is not None]
    for case in cases:
        onnx.save(case.model, tmp_path / f"{case.name}.onnx")
    kept = Path(onnx.__file__).parent / "backend" / "test" / "data"
    models = [*tmp_path.glob("*.onnx"), *kept.rglob("*.onnx")]
    assert len(models) > 1000
    run = check(*models, "--format", "json")
    checked = json.loads(run.stdout)["files"]
    assert [file for file in checked if file["findings"] or "unreadable" in file] == []
    assert run.returncode == 0
