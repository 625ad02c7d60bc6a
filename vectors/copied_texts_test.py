"""The tables of OpenVINO and TensorFlow Lite against copies of the texts of If, and our pages on the formats.

Quotes of other pages of OpenVINO and W3C, of TensorFlow's pages and of its schema's comments were compared by hand.
"""

from pathlib import Path

import pytest
from ifcert.authoring.quotes import plain, stands_in, unquoted
from ifcert.authoring.sentences import Sentence, read_tables

HERE = Path(__file__).parent
TABLES = {table.system: table for table in read_tables(HERE)}
COPIES = {
    ("openvino", "if-draft"): "if_8_draft.md",
    ("openvino", "if"): "if_8.md",
    ("tflite", "onert"): "control_flow.md",
}
PAGES = {"openvino": "openvino_ir.md", "tflite": "tflite.md"}
# What no quote covers, beside the headings, which the places name: punctuation of code, lists and quotations.
PUNCTUATION = {"openvino": {"xml", "2", "3"}, "tflite": {">"}}


def copy_of(system: str, document: str) -> str:
    return (HERE / system / "texts" / COPIES[system, document]).read_text()


def page_of(system: str) -> str:
    return (HERE.parent / "docs" / PAGES[system]).read_text()


def sentences_of(system: str, document: str) -> list[Sentence]:
    return [sentence for sentence in TABLES[system].sentences if sentence.document == document]


@pytest.mark.parametrize(("system", "document"), COPIES)
def test_a_sentence_stands_in_the_copy_of_its_text(system: str, document: str) -> None:
    text = copy_of(system, document)
    assert [each.id for each in sentences_of(system, document) if not stands_in(each.quote, text)] == []


@pytest.mark.parametrize(("system", "document"), COPIES)
def test_no_sentence_of_a_copied_text_is_missing(system: str, document: str) -> None:
    sentences = sentences_of(system, document)
    headings = {plain(part) for each in sentences for part in each.place.split(", ")}
    left = unquoted(copy_of(system, document), (each.quote for each in sentences))
    assert [piece for piece in left if piece not in headings | PUNCTUATION[system]] == []


@pytest.mark.parametrize("system", PAGES)
def test_sentences_of_this_project_stand_on_its_page(system: str) -> None:
    text = page_of(system)
    assert [each.id for each in sentences_of(system, "reader") if not stands_in(each.quote, text)] == []


def test_no_demand_of_this_project_on_tensorflow_lite_is_missing() -> None:
    """Each item of the page's lists is quoted in full."""
    unwrapped = page_of("tflite").replace("\n  ", " ").splitlines()
    items = "\n".join(line.removeprefix("- ") for line in unwrapped if line.startswith("- "))
    assert unquoted(items, (each.quote for each in sentences_of("tflite", "reader"))) == []


@pytest.mark.parametrize("system", PAGES)
def test_ids_begin_with_the_document(system: str) -> None:
    prefixes = {("openvino", "if"): "if-8-"}
    for sentence in (*TABLES[system].sentences, *TABLES[system].quotes):
        assert sentence.id.startswith(prefixes.get((system, sentence.document), f"{sentence.document}-"))
