"""The records of deviations agree with the lists of known failures, the tables of sentences and the pages."""

import fnmatch
import json
import re
import subprocess
import sys
from pathlib import Path

import deviation_records
import pytest
from deviation_records import (
    GROUPS,
    SEVERITIES,
    disagreements,
    failures_by_record,
    groups_of_rules,
    kind_of,
    read_documents,
    severity_of,
    versions_of,
)
from deviation_vectors import vector_lines
from jsonschema import Draft7Validator
from listed_failures import has_list, listed_failures, listed_rewritings
from vector_lines import read_vectors, rule_of

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = Draft7Validator(json.loads((ROOT / "conformance" / "schemas" / "deviations.schema.json").read_text()))
PLAIN_APIS = json.loads((ROOT / "conformance" / "reproduce" / "plain_apis" / "runtimes.json").read_text())
DOCUMENTS = read_documents()
RECORDS = {record["id"]: record for document in DOCUMENTS.values() for record in document["records"]}
FAILURES = failures_by_record(versions_of(DOCUMENTS))
PAGES = sorted((ROOT / "docs" / "deviations").glob("*.md"))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_file_matches_its_schema(name: str) -> None:
    assert [f"{error.json_path}: {error.message}" for error in SCHEMA.iter_errors(DOCUMENTS[name])] == []


def test_no_two_records_have_one_id() -> None:
    assert len(RECORDS) == sum(len(document["records"]) for document in DOCUMENTS.values())


def test_every_certified_runtime_has_a_file() -> None:
    assert set(versions_of(DOCUMENTS)) == set(filter(has_list, PLAIN_APIS))


def test_the_records_and_the_lists_agree() -> None:
    assert disagreements(DOCUMENTS, FAILURES) == []


def test_the_lists_of_this_project_name_records() -> None:
    entries = [
        (adapter, each)
        for adapter in filter(has_list, versions_of(DOCUMENTS))
        for each in [*listed_failures(adapter), *listed_rewritings(adapter)]
    ]
    assert [adapter for adapter, each in entries if "link" in each] == []


def test_the_sentences_that_a_record_cites_are_in_the_tables() -> None:
    tables = [json.loads(path.read_text()) for path in ROOT.glob("vectors/*/sentences.json")]
    known = {each["id"] for table in tables for each in [*table["sentences"], *table.get("quotes", [])]}
    assert [id for id, record in RECORDS.items() if set(record.get("sentences", [])) - known] == []


def test_the_vectors_and_rules_that_a_text_names_are_there() -> None:
    there = [vector["id"] for vector in read_vectors()]
    there += sorted({rule_of(vector) for vector in there})
    named = [
        (id, pattern)
        for id, record in RECORDS.items()
        for pattern in re.findall(r"`((?:onnx|openvino|tflite)/(?:[a-z0-9-]+/)+[a-z0-9*-]*)`", json.dumps(record))
    ]
    assert len(named) > 100
    assert [(id, name) for id, name in named if not fnmatch.filter(there, name + "*" * name.endswith("/"))] == []


def test_our_own_reference_is_not_a_second_source() -> None:
    sources = {id: record.get("second_source", "") for id, record in RECORDS.items()}
    assert [id for id, source in sources.items() if re.match("(the|our own) reference", source)] == []


def test_the_pages_are_those_of_the_records_and_lists() -> None:
    script = ROOT / "scripts" / "deviations"
    run = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_begins_with_its_silent_wrong_values_in_cells_that_can_be_read(page: Path) -> None:
    rows = [line.strip("|").split(" | ") for line in page.read_text().splitlines() if line.startswith("| ")]
    severities = [cells[0].strip() for cells in rows if cells[0].strip() in SEVERITIES]
    assert severities == sorted(severities, key=SEVERITIES.index)
    shown = [re.sub(r"\]\([^)]*\)", "]", cell) for cells in rows for cell in cells]
    assert [cell for cell in shown if len(cell) > 310] == []


def failure(verdict: str, fault: str = "", **more: str) -> dict[str, str]:
    return {"verdict": verdict, "fault": fault, "rule": "onnx/if/a", "vector": "onnx/if/a/b", **more}


def test_a_record_and_a_list_that_disagree_are_named() -> None:
    record = {"id": "a-cause", "axes": ["computes"], "severity": "crash or hang"}
    documents = {"one": {"adapters": {"one": "1.0"}, "records": [record]}}
    crash = failure("CRASH", adapter="one", axis="computes")
    assert disagreements(documents, {"a-cause": [crash]}) == []
    nobody = "a-cause: no list of one names it, so it is in the wrong file or no longer seen"
    assert disagreements(documents, {}) == [nobody]
    assert disagreements(documents, {"a-cause": [crash | {"adapter": "other"}]}) == [nobody]
    (unknown,) = disagreements(documents, {"a-cause": [crash], "another": [crash]})
    assert unknown.startswith("another: no file of conformance/deviations has a record of this id")
    assert disagreements(documents, {"a-cause": [crash | {"axis": "open"}]}) == [
        "a-cause: its axes are computes; those of the listed vectors open"
    ]
    assert disagreements(documents, {"a-cause": [crash | {"verdict": "LENIENT"}]}) == [
        "a-cause: its severity is crash or hang; of the listed failures it is leniency"
    ]


def test_a_severity_is_that_of_the_verdict_and_fault() -> None:
    unstable = {"severity": "silent wrong value"}
    assert severity_of(failure("FAIL", "wrong-shape"), {}) == "silent wrong value"
    assert severity_of(failure("MEMORY"), {}) == "crash or hang"
    assert severity_of(failure("FAIL", "unstable"), unstable) == "silent wrong value"
    assert severity_of(failure("NOT-IF", "wrongly-refused", was="FAIL"), {}) == "wrongly refused"
    assert severity_of(failure("NOT-IF", was="CRASH"), {}) == "crash or hang"


def test_a_kind_is_what_the_lists_and_the_groups_of_the_rules_say() -> None:
    found, elsewhere = failure("CRASH"), failure("NOT-IF", was="CRASH")
    assert kind_of({}, [elsewhere], {}) == "not If"
    assert kind_of({}, [found, elsewhere], {}) == "If, and elsewhere"
    assert kind_of({}, [failure("LENIENT")], {"onnx/if/a": "If"}) == "—"
    assert kind_of({"needs_if": False}, [found], {}) == "not If"
    assert [kind_of({}, [found], {"onnx/if/a": group}) for group in GROUPS] == ["If", "around If", "file"]
    both = [found, failure("CRASH", rule="onnx/if/b")]
    assert kind_of({}, both, {"onnx/if/a": "file", "onnx/if/b": "If"}) == "If"


SUITE = [*(f"onnx/if/a/b-cold-{n}" for n in (2, 3, 4)), *(f"onnx/if/a/{n}" for n in "bcdefgh"), "onnx/if/i/j"]


def lines(vectors: list[str], suite: list[str] = SUITE) -> list[str]:
    of = {"adapter": "one", "axis": "open"}
    return vector_lines([failure("CRASH", **of) | {"vector": vector} for vector in vectors], suite)


def test_the_vectors_of_a_record_are_sorted_by_rule() -> None:
    assert lines(SUITE[4:5]) == ["1 crash: `onnx/if/a/c`"]
    assert lines([SUITE[-1], *SUITE[3:5]]) == ["3 crash: `onnx/if/a/` `b`, `c`; `onnx/if/i/j`"]


def test_many_vectors_of_a_rule_are_a_count_with_examples() -> None:
    assert lines(SUITE[:-1]) == ["10 crash: `onnx/if/a/*` (all 10)"]
    assert lines(SUITE[3:-1]) == ["7 crash: `onnx/if/a/` `b`, `c`, `d`, `e`, `f`, `g` and others (7 of 10)"]
    suite = [f"onnx/if/{rule}/{name}" for rule in "abcdefghi" for name in "wxyz"]
    (many,) = lines([vector for vector in suite if not vector.endswith("w")], suite)
    assert many.startswith("27 crash:\n  - `onnx/if/a/` `x`, `y` and others (3 of 4)\n  - `onnx/if/b/")


def test_a_series_of_vectors_is_one_pattern_and_says_how_much_of_it_fails() -> None:
    assert lines(SUITE[:3]) == ["3 crash: `onnx/if/a/b-cold-*`"]
    assert lines(SUITE[:2]) == ["2 crash: `onnx/if/a/b-cold-*` (2 of 3)"]
    assert lines(SUITE[:1]) == ["1 crash: `onnx/if/a/b-cold-2`"]


def test_each_outcome_axis_and_set_of_adapters_has_a_line() -> None:
    of = {"adapter": "one", "axis": "open"}
    seen = failure("FAIL", "wrong-value", **of)
    assert vector_lines([seen, seen | {"verdict": "NOT-IF", "was": "FAIL", "vector": "onnx/if/i/j"}], SUITE) == [
        "1 wrong value: `onnx/if/a/b`",
        "1 wrong value, without the If too: `onnx/if/i/j`",
    ]
    assert vector_lines([seen, seen | {"adapter": "two"}, seen | {"vector": "onnx/if/i/j"}], SUITE) == [
        "1 wrong value (`one`): `onnx/if/i/j`",
        "1 wrong value (`one`, `two`): `onnx/if/a/b`",
    ]
    assert vector_lines([seen, seen | {"axis": "computes", "vector": "onnx/if/i/j"}], SUITE) == [
        "1 wrong value (computes): `onnx/if/i/j`",
        "1 wrong value (open): `onnx/if/a/b`",
    ]
    assert vector_lines([failure("MEMORY", **of) | {"or": "TIMEOUT"}], SUITE)[0].startswith("1 memory or time-out: ")


def test_a_failure_of_a_rewriting_has_a_line_of_its_own() -> None:
    of = {"adapter": "one", "axis": "open"}
    seen = [failure("CRASH", **of), failure("CRASH", rewriting="fields-reversed", **of) | {"vector": "onnx/if/i/j"}]
    assert vector_lines(seen, SUITE) == ["1 crash: `onnx/if/a/b`", "1 crash with `fields-reversed`: `onnx/if/i/j`"]


def test_a_record_may_be_named_by_rewritings_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"vector": "onnx/if/cond-source/sum-of-nothing-from-the-end", "verdict": "CRASH", "note": "n"}
    monkeypatch.setattr(deviation_records, "has_list", lambda _: True)
    monkeypatch.setattr(deviation_records, "listed_failures", lambda _: [])
    monkeypatch.setattr(
        deviation_records,
        "listed_rewritings",
        lambda _: [entry | {"rewriting": "main-into-loop", "deviation": "some-record"}],
    )
    ((found,),) = failures_by_record(["any"]).values()
    assert (found["rewriting"], found["rule"]) == ("main-into-loop", "onnx/if/cond-source")


def test_the_page_of_the_rules_has_the_group_of_every_rule_that_a_record_breaks() -> None:
    groups = groups_of_rules()
    assert {failure["rule"] for failures in FAILURES.values() for failure in failures} - groups.keys() == set()
    assert set(groups.values()) == set(GROUPS)


def test_an_entry_with_a_link_names_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"vector": "onnx/if/cond-source/sum-of-nothing-from-the-end", "verdict": "CRASH", "note": "n"}
    both = [entry | {"link": "https://example.org"}, entry | {"deviation": "some-record"}]
    monkeypatch.setattr(deviation_records, "has_list", lambda _: True)
    monkeypatch.setattr(deviation_records, "listed_failures", lambda _: both)
    monkeypatch.setattr(deviation_records, "listed_rewritings", lambda _: [])
    assert {id: len(failures) for id, failures in failures_by_record(["any"]).items()} == {"some-record": 1}
