"""Tables of sentences against their schema."""

import json
from pathlib import Path
from typing import Any

import pytest

from ifcert.authoring.errors import AuthoringError
from ifcert.authoring.sentences import Document, NoVectors, Quote, RuleText, Sentence, Table, read_tables

SCHEMA = Path(__file__).resolve().parents[4] / "vectors" / "schemas" / "sentences.schema.json"
RULED = {
    "id": "a-sentence",
    "document": "page",
    "place": "Inputs",
    "versions": [1, 11],
    "quote": "It must.",
    "status": "rule",
    "rules": ["onnx/if/one-input"],
}
UNRULED = {"id": "b", "document": "page", "place": "Head", "quote": "It is.", "status": "informative", "why": "a name"}
TABLE: dict[str, Any] = {
    "format": 1,
    "documents": {"page": {"title": "A page", "url": "https://example.org"}},
    "rules": [{"id": "onnx/if/one-input", "holds": "One input.", "sentence": "a-sentence"}],
    "sentences": [RULED, UNRULED],
    "quotes": [
        {"id": "c", "document": "page", "place": "Add", "quote": "It adds."},
        {"id": "d", "document": "page", "place": "Add, axis", "fact": "an integer"},
    ],
    "without": [{"rule": "onnx/if/one-input", "vectors": ["diagnoses"], "why": "none can be"}],
}


def written(vectors: Path, table: dict[str, Any]) -> Path:
    (vectors / "schemas").mkdir()
    (vectors / "schemas" / SCHEMA.name).write_text(SCHEMA.read_text())
    (vectors / "onnx").mkdir()
    (vectors / "onnx" / "sentences.json").write_text(json.dumps(table))
    return vectors


def test_a_table_is_read_as_it_stands(tmp_path: Path) -> None:
    assert read_tables(written(tmp_path, TABLE)) == [
        Table(
            "onnx",
            {"page": Document("A page", "https://example.org")},
            [
                Sentence("a-sentence", "page", "Inputs", "It must.", "rule", [1, 11], ["onnx/if/one-input"]),
                Sentence("b", "page", "Head", "It is.", "informative", why="a name"),
            ],
            [NoVectors("onnx/if/one-input", ["diagnoses"], "none can be")],
            [RuleText("onnx/if/one-input", "One input.", "a-sentence")],
            [Quote("c", "page", "Add", "It adds."), Quote("d", "page", "Add, axis", fact="an integer")],
        )
    ]


def test_a_citation_is_the_document_in_its_newest_version_and_the_place_with_its_words(tmp_path: Path) -> None:
    (table,) = read_tables(written(tmp_path, TABLE))
    assert table.citation("a-sentence") == ("A page-11", "Inputs: 'It must.'")
    assert table.citation("a-sentence", mark='"') == ("A page-11", 'Inputs: "It must."')
    assert table.citation("c") == ("A page", "Add: 'It adds.'")
    assert table.citation("d") == ("A page", "Add, axis: an integer")


@pytest.mark.parametrize(
    "sentence",
    [
        RULED | {"id": "A Sentence"},
        RULED | {"rules": []},
        RULED | {"rules": ["one-input"]},
        RULED | {"why": "both"},
        RULED | {"note": "unknown"},
        RULED | {"status": "informative"},
        RULED | {"quote": ""},
        {key: value for key, value in UNRULED.items() if key != "why"},
        UNRULED | {"status": "perhaps"},
    ],
)
def test_a_sentence_that_is_not_as_the_schema_says_is_refused(sentence: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(AuthoringError, match=r"onnx/sentences\.json"):
        read_tables(written(tmp_path, TABLE | {"sentences": [sentence]}))
