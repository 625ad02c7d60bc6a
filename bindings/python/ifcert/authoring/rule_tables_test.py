"""The generated tables of rules: their contents, and the exit status of their generator."""

import json
from pathlib import Path

import pytest

from ifcert.authoring.rule_tables import FILE, group_of, main
from ifcert.authoring.sentences import Document, RuleText, Sentence, Table

SCHEMA = Path(__file__).resolve().parents[4] / "vectors" / "schemas" / "sentences.schema.json"
RULE = "onnx/if/one-input"
SENTENCE = {"id": "page-inputs", "document": "page", "place": "Inputs", "versions": [1, 11], "quote": 'One "x"'}
TABLE = {
    "format": 1,
    "documents": {"page": {"title": "A page", "url": "https://example.org"}},
    "rules": [{"id": RULE, "holds": "If has one input.", "sentence": "page-inputs"}],
    "sentences": [SENTENCE | {"status": "rule", "rules": [RULE]}],
    "without": [],
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("vectors/schemas", "vectors/onnx", "reference/check"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "vectors" / "schemas" / SCHEMA.name).write_text(SCHEMA.read_text())
    (tmp_path / "vectors" / "onnx" / "sentences.json").write_text(json.dumps(TABLE))
    (tmp_path / "reference" / "check" / "a.cpp").write_text(f"// Rule: {RULE}.\nvoid one_input(const Node& node) {{\n")
    return tmp_path


def test_a_rule_has_its_sentence_as_its_clause_and_its_functions(root: Path) -> None:
    assert main(["--root", str(root)]) == 0
    text = (root / FILE).read_text()
    assert f'{{"{RULE}", "If has one input.", "Inputs: \\"One \\"x\\"\\"", "A page-11", RuleGroup::around}},' in text
    assert f'{{"{RULE}", "reference/check/a.cpp", "one_input"}},' in text
    assert main(["--root", str(root), "--check"]) == 0


@pytest.mark.parametrize(
    ("rule", "document", "place", "group"),
    [
        (RULE, {"operation": True}, "Inputs", "operation"),
        (RULE, {}, "Inputs", "around"),
        (RULE, {}, "If, Inputs", "operation"),
        ("onnx/model/graph-required", {"operation": True}, "Inputs", "file"),
    ],
)
def test_a_rule_is_of_the_operation_by_its_sentence_and_of_the_file_by_its_name(
    rule: str, document: dict[str, bool], place: str, group: str
) -> None:
    sentence = Sentence("inputs", "page", place, "One.", "rule", rules=[rule])
    table = Table("onnx", {"page": Document("A page", "https://example.org", **document)}, [sentence])
    assert group_of(table, RuleText(rule, "It holds.", "inputs")) == group


def test_check_writes_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--root", str(root), "--check"]) == 1
    assert not (root / FILE).exists()
    assert "reference/check/rule_tables.hpp differs from the output" in capsys.readouterr().err


def test_a_rule_without_a_function_is_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "reference" / "check" / "a.cpp").unlink()
    assert main(["--root", str(root)]) == 1
    assert f"{RULE}: no function of the reference has the comment" in capsys.readouterr().err


def test_the_clause_of_a_rule_is_one_of_its_sentences(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = TABLE | {"rules": [{"id": RULE, "holds": "If has one input.", "sentence": "page-outputs"}]}
    (root / "vectors" / "onnx" / "sentences.json").write_text(json.dumps(table))
    assert main(["--root", str(root)]) == 1
    assert f"{RULE}: page-outputs is not a sentence that names it" in capsys.readouterr().err
