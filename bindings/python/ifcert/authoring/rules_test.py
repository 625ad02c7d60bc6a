"""Inconsistencies between rules, sentences, the reference's sources and vectors; each kind of fault once."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ifcert.authoring.rule_places import Place
from ifcert.authoring.rules import Deviation, Rule, problems, read_rules
from ifcert.authoring.sentences import Document, NoVectors, Quote, Sentence, Table

NAME = "onnx/if/one-input"
RULE = Rule(NAME, "If has one input.", [Place("reference/rules.cpp", "one_input")], computes=1, diagnoses=2, open=0)
SENTENCE = Sentence("inputs", "page", "Inputs", "Inputs (1 - 1)", "rule", rules=[NAME])
TABLE = Table("onnx", {"page": Document("A page", "https://example.org")}, [SENTENCE])


def without(*kinds: str, rule: str = NAME) -> Table:
    return replace(TABLE, without=[NoVectors(rule, kinds, "a reason")])


def test_a_rule_with_everything_is_in_order(tmp_path: Path) -> None:
    assert problems([RULE], [TABLE], tmp_path) == []


def test_a_rule_of_a_system_without_a_table_needs_a_place_and_can_have_no_vectors(tmp_path: Path) -> None:
    other = replace(RULE, name="openvino/if/one-input", computes=0, diagnoses=0)
    assert problems([RULE, other], [TABLE], tmp_path) == []
    assert problems([RULE, replace(other, places=[])], [TABLE], tmp_path) == [
        "openvino/if/one-input: no function of the reference checks or implements it"
    ]
    assert problems([RULE, replace(other, diagnoses=1)], [TABLE], tmp_path) == [
        "openvino/if/one-input: it has vectors, but openvino has no sentences.json"
    ]
    assert "no sentence of a text requires it" in problems([other], [replace(TABLE, system="openvino")], tmp_path)[1]


def test_a_reason_stands_for_vectors_of_its_kind(tmp_path: Path) -> None:
    assert problems([replace(RULE, diagnoses=0)], [without("diagnoses")], tmp_path) == []
    assert problems([replace(RULE, computes=0, diagnoses=0)], [without("computes", "diagnoses")], tmp_path) == []


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
        (RULE, replace(TABLE, sentences=[SENTENCE, SENTENCE]), "inputs: this id is used twice, in onnx and onnx"),
        (
            RULE,
            replace(TABLE, quotes=[Quote("inputs", "page", "Add", "It adds.")]),
            "inputs: this id is used twice, in onnx and onnx",
        ),
        (RULE, replace(TABLE, documents={}), "inputs: there is no document page"),
        (RULE, replace(TABLE, quotes=[Quote("add", "pages", "Add", "It adds.")]), "add: there is no document pages"),
        (replace(RULE, places=[]), TABLE, "no function of the reference"),
    ],
)
def test_what_is_missing_is_named(rule: Rule, table: Table, problem: str, tmp_path: Path) -> None:
    found = problems([rule], [table], tmp_path)
    assert any(problem in each for each in found), found


def test_an_id_is_of_one_sentence_in_all_systems(tmp_path: Path) -> None:
    other = Table("openvino", TABLE.documents, [replace(SENTENCE, status="informative", rules=[], why="a limit")])
    assert problems([RULE], [TABLE, other], tmp_path) == ["inputs: this id is used twice, in onnx and openvino"]


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
        "group": "around If",
        "without": [],
        "deviations": [{"adapter": "some", "vectors": 2, "link": "docs/deviations/some.md#some-thing"}],
    }
    deviations = [Deviation("some", 2, "docs/deviations/some.md#some-thing")]
    assert read_rules(json.dumps([listed])) == [replace(RULE, deviations=deviations, group="around If")]
