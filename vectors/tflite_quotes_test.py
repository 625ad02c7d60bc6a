"""The quotes in TensorFlow Lite's vectors occur in the texts, or among the sentences taken from them."""

import re
from pathlib import Path

import pytest
from ifcert.authoring.quotes import stands_in
from ifcert.authoring.sentences import read_tables
from vector_lines import read_vectors

HERE = Path(__file__).parent
(TABLE,) = (table for table in read_tables(HERE) if table.system == "tflite")
TEXTS = {
    "onert: control flow": (HERE / "tflite" / "texts" / "control_flow.md").read_text(),
    "ifcert, docs/tflite.md": (HERE.parent / "docs" / "tflite.md").read_text(),
}
DOCUMENTS = {
    "Control Flow in TensorFlow Lite (RFC 20190315)": "rfc",
    "TensorFlow, If (api_def_If.pbtxt)": "if",
    "TensorFlow, While (api_def_While.pbtxt)": "while",
    "TensorFlow Lite schema, version 3 (schema.fbs)": "schema",
    "Circle schema (circle_schema.fbs)": "circle",
    "TensorFlow Lite, verifier of models (core/tools/verifier.cc)": "verifier",
    "TensorFlow Lite, tensors of strings (string_util.h)": "strings",
}


def quoted() -> list[tuple[str, str]]:
    """Source and quote of each vector, each once."""
    found = set()
    for vector in read_vectors():
        if vector["system"] == "tflite":
            found |= {
                (why["source"], why["clause"].partition(": '")[2][:-1]) for why in vector["why"] if "source" in why
            }
    return sorted(found)


@pytest.mark.parametrize(("source", "quote"), quoted())
def test_a_quote_stands_in_its_text(source: str, quote: str) -> None:
    assert quote
    for part in re.split(r" ?\[(?:\.\.\.|…)\] ?|(?<=[.)]) +(?=[A-Z])", quote):
        if source in TEXTS:
            assert stands_in(part, TEXTS[source]), part
        else:
            sentences = [each.quote for each in TABLE.sentences if each.document == DOCUMENTS[source]]
            assert any(stands_in(part, sentence) for sentence in sentences), part
