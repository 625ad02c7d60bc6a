"""Faults of a table, edited into sound models."""

import numpy as np

from ifcert.authoring import Run, Source, model, replaced, vectors_of
from ifcert.authoring.faults import Faults, case_of, fault, with_fault

LIVE_OUT = Source("a text", "the outputs live out")
ONE_INPUT = Source("a text", "one input")
output_order = vectors_of("onnx/if/output-order", LIVE_OUT)
SOUND = output_order(
    "one: one output",
    model("""
    negated (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) { b = Abs (x) }>
    }"""),
    Run({"cond": np.True_, "x": np.float32([1, 2])}, {"y": np.float32([-1, -2])}),
)
NO_INPUT = "if/one-input/no-input: it has no input"
FAULTS: Faults = {NO_INPUT: fault(replaced("If (cond)", "If ()"), ONE_INPUT, LIVE_OUT)}


def test_the_case_of_a_fault_is_the_end_of_its_id() -> None:
    assert case_of(NO_INPUT) == "no-input"


def test_a_fault_is_named_by_the_vector_that_it_is_in_and_counts_for_its_own_rule_too() -> None:
    broken = with_fault(SOUND, "an If: ", NO_INPUT, FAULTS[NO_INPUT])
    assert (broken.id, broken.title) == ("onnx/if/output-order/one-no-input", "an If: it has no input")
    assert (broken.rule, broken.also) == ("onnx/if/output-order", ["onnx/if/one-input"])


def test_a_fault_cites_its_sentences_before_those_of_the_vector_and_each_once() -> None:
    assert list(with_fault(SOUND, "", NO_INPUT, FAULTS[NO_INPUT]).why) == [ONE_INPUT, LIVE_OUT]


def test_a_fault_of_the_rule_that_the_vector_has_is_counted_for_it_once() -> None:
    written = "if/output-order/no-input: it has no input"
    assert with_fault(SOUND, "", written, FAULTS[NO_INPUT]).also == ()


def test_a_fault_in_a_variant_is_named_by_the_vector_that_it_varies() -> None:
    varied = SOUND.varied("two: the same, otherwise", why=[ONE_INPUT])
    broken = with_fault(varied, "", NO_INPUT, FAULTS[NO_INPUT], twin=SOUND)
    assert (broken.id, broken.twin) == ("onnx/if/output-order/one-no-input", "onnx/if/output-order/two")
