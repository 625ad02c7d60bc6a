"""Inconsistencies between rules, sentences, the reference's sources and vectors; each kind of fault once."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ifcert.authoring.rules import Deviation, Place, Rule, defines, problems, read_rules
from ifcert.authoring.sentences import Document, NoVectors, Sentence, Table

NAME = "onnx/if/one-input"
RULE = Rule(NAME, "If has one input.", [Place("reference/rules.cpp", "one_input")], computes=1, diagnoses=2, open=0)
SENTENCE = Sentence("inputs", "page", "Inputs", "Inputs (1 - 1)", "rule", rules=[NAME])
TABLE = Table("onnx", {"page": Document("A page", "https://example.org")}, [SENTENCE])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "rules.cpp").write_text("void one_input(const Node& node) {\n  other(node);\n}\n")
    return tmp_path


def without(*kinds: str, rule: str = NAME) -> Table:
    return replace(TABLE, without=[NoVectors(rule, kinds, "a reason")])


def test_a_rule_with_everything_is_in_order(root: Path) -> None:
    assert problems([RULE], [TABLE], root) == []


def test_a_rule_of_a_system_without_a_table_needs_a_place_and_can_have_no_vectors(root: Path) -> None:
    other = replace(RULE, name="openvino/if/one-input", computes=0, diagnoses=0)
    assert problems([RULE, other], [TABLE], root) == []
    assert problems([RULE, replace(other, places=[])], [TABLE], root) == [
        "openvino/if/one-input: no function of the reference checks or implements it"
    ]
    assert problems([RULE, replace(other, diagnoses=1)], [TABLE], root) == [
        "openvino/if/one-input: it has vectors, but openvino has no sentences.json"
    ]
    assert "no sentence of a text requires it" in problems([other], [replace(TABLE, system="openvino")], root)[1]


def test_a_reason_stands_for_vectors_of_its_kind(root: Path) -> None:
    assert problems([replace(RULE, diagnoses=0)], [without("diagnoses")], root) == []
    assert problems([replace(RULE, computes=0, diagnoses=0)], [without("computes", "diagnoses")], root) == []


@pytest.mark.parametrize(
    ("rule", "table", "problem"),
    [
        (replace(RULE, computes=0), TABLE, "no vector on the axis computes, and"),
        (replace(RULE, diagnoses=0), TABLE, "no vector on the axis diagnoses, and"),
        (replace(RULE, diagnoses=0), without("computes"), "no vector on the axis diagnoses, and"),
        (replace(RULE, computes=0, diagnoses=0, open=3), without("diagnoses"), "no vector on the axis computes, and"),
        (RULE, without("diagnoses"), "gives a reason for having no vector on the axis diagnoses, but there is one"),
        (
            replace(RULE, diagnoses=0),
            replace(TABLE, without=[*without("diagnoses").without] * 2),
            "gives two reasons for having no vector on the axis diagnoses",
        ),
        (RULE, without("diagnoses", rule="onnx/if/never-heard-of"), "onnx/if/never-heard-of: there is no such rule"),
        (RULE, replace(TABLE, sentences=[]), "no sentence of a text requires it"),
        (
            RULE,
            replace(TABLE, sentences=[SENTENCE, replace(SENTENCE, id="other", rules=["onnx/if/two-inputs"])]),
            "onnx/if/two-inputs: there is no such rule",
        ),
        (RULE, replace(TABLE, sentences=[SENTENCE, SENTENCE]), "inputs: this id is used twice"),
        (RULE, replace(TABLE, documents={}), "inputs: there is no document page"),
        (replace(RULE, places=[]), TABLE, "no function of the reference"),
        (replace(RULE, places=[Place("reference/gone.cpp", "one_input")]), TABLE, "there is no file reference/gone"),
        (replace(RULE, places=[Place("reference/rules.cpp", "other")]), TABLE, "defines no function other"),
    ],
)
def test_what_is_missing_is_named(rule: Rule, table: Table, problem: str, root: Path) -> None:
    found = problems([rule], [table], root)
    assert any(problem in each for each in found), found


@pytest.mark.parametrize(
    ("source", "function", "found"),
    [
        ("void Run::give(const At& at,\n               const Node& node) {", "Run::give", True),
        ("  void spend(std::size_t amount) {", "spend", True),
        ("void give(const At& at);", "give", False),
        ("  give(at, node);", "give", False),
        ("  return give(at);", "give", False),
        ("  results = give(at,", "give", False),
        ("void forgive(At at) {", "give", False),
        ("  return give(at,", "give", False),
        ("  if (give(at)) {", "give", False),
        ("// give (see above)", "give", False),
        ("[[noreturn]] void fail(const Place& place) {", "fail", True),
        ("std::optional<Type> *find(const Graph& graph,", "find", True),
    ],
)
def test_a_definition_is_told_from_a_use(source: str, function: str, found: bool) -> None:
    assert defines(source, function) == found


def test_rules_are_read_as_the_command_lists_them() -> None:
    listed = {
        "name": NAME,
        "vectors": 3,
        "holds": "If has one input.",
        "clause": "a clause",
        "sentences": ["inputs"],
        "places": [{"file": "reference/rules.cpp", "function": "one_input"}],
        "allowable": False,
        "allowance": "it changes the meaning",
        "computes": 1,
        "diagnoses": 2,
        "open": 0,
        "without": [],
        "deviations": [{"adapter": "some", "vectors": 2, "link": "docs/deviations.md#some-thing"}],
    }
    deviations = [Deviation("some", 2, "docs/deviations.md#some-thing")]
    assert read_rules(json.dumps([listed])) == [replace(RULE, deviations=deviations)]
