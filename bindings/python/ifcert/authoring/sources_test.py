"""Citations of sentences by their ids."""

import pytest

from ifcert.authoring.errors import AuthoringError
from ifcert.authoring.sources import Source, says


def test_a_sentence_is_cited_as_its_table_has_it() -> None:
    clause = "Inputs, cond: 'The tensor must contain a single element.'"
    assert says("if-cond-single-element") == Source("ONNX Operators, If-25", clause)
    assert says("if-cond-single-element", note="constant or not").clause == f"{clause} (constant or not)"
    assert says("if-1-same-shape-and-type").source == "ONNX Operators, If-1"


def test_several_sentences_of_one_document_are_one_citation() -> None:
    cited = says("if-then-branch-runs", "if-else-branch-runs")
    then, other = "Graph to run if condition is true.", "Graph to run if condition is false."
    assert cited.clause == f"Attributes, then_branch: '{then}'; Attributes, else_branch: '{other}'"


def test_a_fact_is_cited_in_our_words() -> None:
    assert says("operators-add-same-type").clause == "Add: both operands are of type T"


@pytest.mark.parametrize(
    ("ids", "problem"),
    [
        (["if-no-such"], "none of the tables vectors/.* has a sentence if-no-such"),
        (["if-cond", "ir-outer-scope"], "sentences of ONNX Operators, If-25 and of ONNX IR"),
    ],
)
def test_what_cannot_be_cited_is_told(ids: list[str], problem: str) -> None:
    with pytest.raises(AuthoringError, match=problem):
        says(*ids)
