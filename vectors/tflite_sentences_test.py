"""TensorFlow Lite's table of sentences against onert's document on control flow and this project's page on the files.

Quotes of TensorFlow's pages and of the schema's comments were compared by hand.
"""

from pathlib import Path

from ifcert.authoring.quotes import plain, stands_in, unquoted
from ifcert.authoring.sentences import Sentence, read_tables

HERE = Path(__file__).parent
(TABLE,) = (table for table in read_tables(HERE) if table.system == "tflite")
ONERT = (HERE / "tflite" / "texts" / "control_flow.md").read_text()


def sentences_of(document: str) -> list[Sentence]:
    return [sentence for sentence in TABLE.sentences if sentence.document == document]


def test_a_sentence_of_onert_stands_in_the_copy_of_its_text() -> None:
    assert [each.id for each in sentences_of("onert") if not stands_in(each.quote, ONERT)] == []


def test_no_sentence_of_onert_is_missing() -> None:
    """The text that no quote covers is headings, which the places name, and quotation marks."""
    sentences = sentences_of("onert")
    headings = {plain(part) for each in sentences for part in each.place.split(", ")} | {">"}
    left = unquoted(ONERT, (each.quote for each in sentences))
    assert [piece for piece in left if piece not in headings] == []


def test_sentences_of_this_project_stand_on_its_page() -> None:
    text = (HERE.parent / "docs" / "tflite.md").read_text()
    assert [each.id for each in sentences_of("reader") if not stands_in(each.quote, text)] == []


def test_no_demand_of_this_project_is_missing() -> None:
    """Each item of the page's lists is quoted in full."""
    unwrapped = (HERE.parent / "docs" / "tflite.md").read_text().replace("\n  ", " ").splitlines()
    items = "\n".join(line.removeprefix("- ") for line in unwrapped if line.startswith("- "))
    assert unquoted(items, (each.quote for each in sentences_of("reader"))) == []


def test_ids_begin_with_the_document() -> None:
    for sentence in (*TABLE.sentences, *TABLE.quotes):
        assert sentence.id.startswith(sentence.document + "-")
