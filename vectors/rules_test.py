"""Consistency of the committed rules, sentences, sources of the reference and vectors."""

import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from ifcert.authoring.rule_places import read_comments
from ifcert.authoring.rules import Rule, problems, read_rules
from ifcert.authoring.rules_page import main
from ifcert.authoring.sentences import read_tables
from vector_lines import read_vectors

ROOT = Path(__file__).resolve().parents[1]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"


@pytest.fixture(scope="module")
def listed() -> str:
    return subprocess.run([IFCERT, "list", "rules", "--json"], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def rules(listed: str) -> list[Rule]:
    return read_rules(listed)


def test_every_rule_has_sentences_places_and_vectors_or_a_reason(rules: list[Rule]) -> None:
    assert problems(rules, read_tables(ROOT / "vectors"), ROOT) == []


def test_vectors_are_counted_by_what_they_expect(rules: list[Rule]) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for vector in read_vectors():
        text = json.dumps(vector["steps"])
        must = "diagnoses" if '"refused": {}' in text else "computes"
        counts[vector["rules"][0], "open" if '"either": [' in text else must] += 1
    for rule in rules:
        expected = tuple(counts[rule.name, kind] for kind in ("computes", "diagnoses", "open"))
        assert (rule.computes, rule.diagnoses, rule.open) == expected, rule.name


def test_the_page_is_what_the_generator_writes(listed: str, tmp_path: Path) -> None:
    (tmp_path / "rules.json").write_text(listed)
    assert main(["--root", str(ROOT), "--rules", str(tmp_path / "rules.json"), "--check"]) == 0


def test_what_reports_a_rule_by_its_name_is_a_place_of_the_rule(rules: list[Rule]) -> None:
    tables = {"reference/check/rule_tables.hpp", "reference/check/allowances.cpp"}
    # What these mend, the readers have reported.
    tables |= {f"reference/formats/{name}/mend.cpp" for name in ("onnx", "openvino", "tflite")}
    places = {(rule.name, place.file) for rule in rules for place in rule.places}
    for path in sorted((ROOT / "reference").rglob("*.[ch]pp")):
        file = path.relative_to(ROOT).as_posix()
        if file in tables or path.stem.endswith("_test"):
            continue
        for name in re.findall(r'"((?:onnx|openvino|tflite)/[a-z]+/[a-z0-9-]+)"', path.read_text()):
            assert {(name, file), (name, file.replace(".hpp", ".cpp"))} & places, f"{file} reports {name}"


def test_every_quote_is_cited_by_a_vector_a_comment_of_the_reference_or_a_rewriting() -> None:
    in_comments = {id for comment in read_comments(ROOT) for id in comment.sentences}
    rewritings = (ROOT / "conformance" / "rewritings" / "table.cpp").read_text()
    for table in read_tables(ROOT / "vectors"):
        vectors = [vector for vector in read_vectors() if vector["system"] == table.system]
        cited = {
            why["clause"]
            for vector in vectors
            for why in [*vector["why"], vector.get("obliged_by", {})]
            if "clause" in why
        }
        quotes = [q for q in table.quotes if q.id not in in_comments and f'"{q.id}"' not in rewritings]
        clauses = {quote.id: table.citation(quote.id)[1] for quote in quotes}
        assert [id for id, clause in clauses.items() if not any(clause in each for each in cited)] == []


def test_links_of_the_page_lead_somewhere() -> None:
    page = ROOT / "docs" / "rules.md"
    text = page.read_text()
    anchors = {heading.replace("/", "") for heading in re.findall(r"^### (\S+)$", text, re.MULTILINE)}
    for link in set(re.findall(r"\]\(([^)]+)\)", text)):
        target, _, anchor = link.partition("#")
        if target.startswith("https://"):
            continue
        assert (page.parent / target).exists(), link
        if target == "":
            assert anchor in anchors, link
        if target.startswith("deviations/"):
            assert f"\n### {anchor}\n" in (page.parent / target).read_text(), link
