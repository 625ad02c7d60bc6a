"""Makers of the vectors of a rule, and vectors that are made of others."""

import numpy as np
import pytest

from ifcert.authoring import Run, Source, branches, model, says, vectors_of
from ifcert.authoring.errors import AuthoringError

LIVE_OUT = Source("a text", "the outputs live out")
OTHER = Source("a text", "another sentence")
NEGATED = model("""
    negated (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) { b = Abs (x) }>
    }""")
X = np.float32([1, 2])
ONE_RUN = Run({"cond": np.True_, "x": X}, {"y": -X})
BOTH = branches({"x": X}, then={"y": -X}, else_={"y": X})

output_order = vectors_of("onnx/if/output-order", LIVE_OUT)


def test_a_vector_has_the_rule_and_the_sources_of_its_maker() -> None:
    vector = output_order("one: one output", NEGATED, ONE_RUN)
    assert (vector.id, vector.title) == ("onnx/if/output-order/one", "one output")
    assert list(vector.why) == [LIVE_OUT]


def test_sources_that_a_vector_names_itself_replace_those_of_its_maker() -> None:
    assert list(output_order("one: one output", NEGATED, ONE_RUN, why=[OTHER]).why) == [OTHER]


def test_a_sentence_may_be_given_as_its_id() -> None:
    vector = output_order("one: one output", NEGATED, ONE_RUN, why=["if-cond-single-element", OTHER])
    assert list(vector.why) == [says("if-cond-single-element"), OTHER]


def test_a_sentence_that_no_table_has_is_told_with_its_vector() -> None:
    with pytest.raises(
        AuthoringError, match=r"^onnx/if/output-order/one: none of the tables .* has a sentence if-no-such"
    ):
        output_order("one: one output", NEGATED, ONE_RUN, why=["if-no-such"])


def test_steps_are_single_or_in_lists_and_stay_in_order() -> None:
    vector = output_order("one: one output", NEGATED, ONE_RUN, BOTH, ONE_RUN)
    assert list(vector.runs) == [ONE_RUN, *BOTH, ONE_RUN]


def test_a_title_may_have_a_colon_itself() -> None:
    vector = output_order("one: an output: the only one", NEGATED, ONE_RUN)
    assert (vector.id, vector.title) == ("onnx/if/output-order/one", "an output: the only one")


def test_a_case_without_a_title_is_refused() -> None:
    with pytest.raises(ValueError, match=r"a vector is called 'case: title', .* got 'one'"):
        output_order("one", NEGATED, ONE_RUN)


def test_a_varied_vector_has_the_rule_of_the_first_unless_it_names_another() -> None:
    sound = output_order("one: one output", NEGATED, ONE_RUN)
    other = [sound.varied("two: the same"), sound.varied("onnx/if/nesting/three: another rule")]
    assert [each.id for each in other] == ["onnx/if/output-order/two", "onnx/if/nesting/three"]
