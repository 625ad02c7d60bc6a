"""Tests of models from text, and of edits to it."""

import numpy as np
import pytest

from ifcert.authoring.models import edited, model, replaced
from ifcert.authoring.vector import Run, branches

TEXT = """
    g (bool cond, float x) => (float y) {
        y = If (cond) <
            then_branch = t () => (float a) { a = Neg (x) },
            else_branch = e () => (float b) { b = Abs (x) }>
    }"""
CHOICE = model(TEXT)


def test_the_opset_is_16_unless_the_text_or_the_call_says_another() -> None:
    versions = [
        made.opset_import[0].version for made in (CHOICE, model(f'<opset_import: ["" : 17]>{TEXT}'), model(TEXT, 18))
    ]
    assert versions == [16, 17, 18]


def test_the_version_of_ir_follows_from_the_opset_unless_it_is_given() -> None:
    assert model(f'<opset_import: ["" : 21, "local" : 1]>{TEXT}') == model(TEXT, 21, domains={"local": 1})
    assert model(TEXT, 21).ir_version == 10
    assert model(f'<ir_version: 4, opset_import: ["" : 21]>{TEXT}') == model(TEXT, 21, ir=4)


def test_a_replacement_edits_the_text_of_a_model() -> None:
    negates = edited(CHOICE, replaced("b = Abs (x)", "b = Neg (x)"))
    assert negates == model(TEXT.replace("Abs", "Neg"))
    assert edited(negates, replaced("a = Neg (x)", "a = Abs (x)")) == model(
        TEXT.replace("Abs", "?").replace("Neg", "Abs").replace("?", "Neg")
    )


@pytest.mark.parametrize(("old", "times"), [("x)", 3), ("Sqrt", 0)])
def test_what_is_replaced_occurs_once(old: str, times: int) -> None:
    with pytest.raises(ValueError, match=f"occurs {times} times in the text, not once"):
        edited(CHOICE, replaced(old, "z"))


def test_a_model_that_another_edit_has_changed_has_no_text_to_edit() -> None:
    with pytest.raises(ValueError, match="the model is not as its text was parsed"):
        edited(CHOICE, lambda m: setattr(m.graph, "name", "h"), replaced("Abs", "Neg"))


def test_branches_are_a_run_of_each_branch_with_the_same_inputs() -> None:
    x = {"x": np.float32(1)}
    assert branches(x, then={"y": np.float32(-1)}, else_={"y": np.float32(1)}, cond="c") == [
        Run({"c": np.True_} | x, {"y": np.float32(-1)}),
        Run({"c": np.False_} | x, {"y": np.float32(1)}),
    ]
