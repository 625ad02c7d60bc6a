"""OpenVINO's table of sentences against local copies of both texts of If, and this project's page on IR.

Quotes of OpenVINO's and W3C's other pages were compared by hand.
"""

from pathlib import Path

import pytest
from ifcert.authoring.quotes import plain, stands_in, unquoted
from ifcert.authoring.sentences import Sentence, read_tables

HERE = Path(__file__).parent
(TABLE,) = (table for table in read_tables(HERE) if table.system == "openvino")
TEXTS = {"if-draft": "if_8_draft.md", "if": "if_8.md"}


def copy_of(document: str) -> str:
    return (HERE / "openvino" / "texts" / TEXTS[document]).read_text()


def sentences_of(document: str) -> list[Sentence]:
    return [sentence for sentence in TABLE.sentences if sentence.document == document]


@pytest.mark.parametrize("document", TEXTS)
def test_a_sentence_of_if_stands_in_the_copy_of_its_text(document: str) -> None:
    text = copy_of(document)
    assert [each.id for each in sentences_of(document) if not stands_in(each.quote, text)] == []


@pytest.mark.parametrize("document", TEXTS)
def test_no_sentence_of_if_is_missing(document: str) -> None:
    """The text that no quote covers is headings, which the places name, and punctuation of code and lists."""
    sentences = sentences_of(document)
    headings = {plain(part) for each in sentences for part in each.place.split(", ")} | {"xml", "2", "3"}
    left = unquoted(copy_of(document), (each.quote for each in sentences))
    assert [piece for piece in left if piece not in headings] == []


def test_sentences_of_this_project_stand_on_its_page() -> None:
    text = (HERE.parent / "docs" / "openvino_ir.md").read_text()
    assert [each.id for each in sentences_of("reader") if not stands_in(each.quote, text)] == []


def test_ids_say_the_document() -> None:
    prefixes = {"if": "if-8-"}
    for sentence in (*TABLE.sentences, *TABLE.quotes):
        assert sentence.id.startswith(prefixes.get(sentence.document, sentence.document + "-"))
