"""The page of rules: its contents, and the exit status of its generator."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ifcert.authoring.rule_places import Place
from ifcert.authoring.rules import Deviation, Rule
from ifcert.authoring.rules_page import main, page
from ifcert.authoring.sentences import Document, NoVectors, Sentence, Table

RULE = Rule(
    "onnx/if/one-input",
    "If has one_input.",
    [Place("reference/rules.cpp", "one_input"), Place("reference/run.cpp", "Run::run")],
    computes=1,
    diagnoses=2,
    open=0,
    deviations=[Deviation("some-runtime", 1, "docs/deviations/some-runtime.md#some-thing")],
)
TABLE = Table(
    "onnx",
    {"page": Document("A page", "https://example.org")},
    [
        Sentence("inputs", "page", "Inputs", "Inputs [1 | 1]", "rule", [1, 11, 13], [RULE.name]),
        Sentence("inputs-11", "page", "Inputs", "One.", "rule", [11, 13], [RULE.name]),
        Sentence("inputs-1", "page", "Inputs", "Uno.", "rule", [1, 11], [RULE.name]),
        Sentence("head", "page", "Head", "If", "informative", why="a name"),
    ],
)


def section(rule: Rule, table: Table) -> str:
    return page([rule], [table]).partition(f"### {rule.name}\n")[2].partition("\n##")[0]


def test_rules_of_a_system_without_a_table_stand_apart_with_their_places() -> None:
    other = replace(RULE, name="openvino/if/one-input", computes=0, diagnoses=0, deviations=[])
    text = page([RULE, other], [TABLE])
    assert "### openvino/" not in text
    assert "| openvino/if/one-input | If has one\\_input. | [reference/rules.cpp](../reference/rules.cpp)" in text
    assert "without vectors" not in page([RULE], [TABLE])


def test_each_system_has_a_part_with_its_rules_and_sentences() -> None:
    other = replace(RULE, name="openvino/if/one-input", computes=0, diagnoses=0, deviations=[])
    theirs = [Sentence("inputs-8", "page", "Inputs", "Required.", "rule", rules=[other.name])]
    text = page([RULE, other], [TABLE, replace(TABLE, system="openvino", sentences=theirs)])
    onnx, _, openvino = text.partition("## OpenVINO IR: rules\n")
    assert "## ONNX: rules\n" in onnx
    assert "## ONNX: all sentences\n" in onnx
    assert f"### {RULE.name}\n" in onnx
    assert f"### {other.name}\n" in openvino
    assert "`inputs-8`" not in onnx
    assert "## OpenVINO IR: all sentences\n" in openvino
    assert "### onnx/" not in openvino


def test_a_rule_has_all_that_is_known_of_it_with_links() -> None:
    assert section(RULE, TABLE).splitlines()[1:] == [
        r"If has one\_input.",
        "",
        "| | |",
        "|---|---|",
        "| about | If |",
        r'| sentences | "Inputs \[1 \| 1\]" ([A page](https://example.org), Inputs, every version)<br>'
        '"One." ([A page](https://example.org), Inputs, version 11 and later)<br>'
        '"Uno." ([A page](https://example.org), Inputs, versions 1, 11) |',
        "| check in the reference | [reference/rules.cpp](../reference/rules.cpp): `one_input`<br>"
        "[reference/run.cpp](../reference/run.cpp): `Run::run` |",
        "| vectors | [1 computes, 2 diagnoses](../vectors/onnx/generated/if/one-input) |",
        "| known deviations | some-runtime: [1 vector](deviations/some-runtime.md#some-thing) |",
    ]


def test_a_rule_without_vectors_says_why() -> None:
    reason = [NoVectors(RULE.name, ["computes", "diagnoses"], "nobody can")]
    rule = replace(RULE, computes=0, diagnoses=0, deviations=[])
    lines = section(rule, replace(TABLE, without=reason)).splitlines()
    assert lines[-2:] == [
        "| vectors | none on computes, none on diagnoses: nobody can |",
        "| known deviations | none known |",
    ]


def test_every_sentence_is_listed_and_what_is_no_rule_says_why() -> None:
    text = page([RULE], [TABLE])
    assert '| "If" ([A page](https://example.org), Head) | informative: a name |' in text
    assert '| `head` | Head | "If" | informative |' in text
    assert '| `inputs-11` | Inputs, version 11 and later | "One." | [onnx/if/one-input](#onnxifone-input) |' in text


@pytest.fixture
def project(tmp_path: Path) -> list[str]:
    """The arguments for a project of one rule."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "vectors" / "schemas").mkdir(parents=True)
    (tmp_path / "vectors" / "schemas" / "sentences.schema.json").write_text("{}")
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "rules.cpp").write_text(f"// Rule: {RULE.name}.\nvoid one_input() {{\n")
    listed = {
        "name": RULE.name,
        "holds": RULE.holds,
        "computes": 1,
        "diagnoses": 1,
        "open": 0,
        "group": "If",
        "deviations": [],
    }
    listed |= {"allowable": False, "allowance": "it changes the meaning"}
    listed["places"] = []
    (tmp_path / "rules.json").write_text(json.dumps([listed]))
    sentence = {"id": "a", "document": "page", "place": "Head", "quote": "One.", "status": "rule", "rules": [RULE.name]}
    documents = {"page": {"title": "A page", "url": "https://example.org"}}
    (tmp_path / "vectors" / "onnx").mkdir()
    (tmp_path / "vectors" / "onnx" / "sentences.json").write_text(
        json.dumps({"documents": documents, "sentences": [sentence], "without": []})
    )
    return ["--root", str(tmp_path), "--rules", str(tmp_path / "rules.json")]


def test_a_page_that_was_written_passes_the_check(project: list[str], tmp_path: Path) -> None:
    assert main([*project, "--check"]) == 1
    assert not (tmp_path / "docs" / "rules.md").exists()
    assert main(project) == 0
    assert "reference/rules.cpp): `one_input`" in (tmp_path / "docs" / "rules.md").read_text()
    assert main([*project, "--check"]) == 0
    (tmp_path / "docs" / "rules.md").write_text("edited by hand")
    assert main([*project, "--check"]) == 1


def test_a_rule_that_lacks_something_fails_the_check(
    project: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(project) == 0
    (tmp_path / "reference" / "rules.cpp").write_text("void one_input() {\n")
    assert main([*project, "--check"]) == 1
    assert "no function of the reference checks or implements it" in capsys.readouterr().err
