"""The rewritings on the page: a section of their own, by rewriting."""

from collections.abc import Callable
from typing import Any

from browser import Page

Drive = Callable[..., Any]
Open = Callable[..., Page]


def test_rewritings_have_a_section_of_their_own(drive: Drive) -> None:
    text = drive('return document.getElementById("rewritings").innerText;')
    assert "Files written otherwise" in text
    assert "quick: 1 of 3 rewritings of models that pass fail" in text
    assert "narrow:" not in text  # it ran none


def test_differences_are_grouped_by_rewriting(drive: Drive) -> None:
    groups = drive("""
        const bodies = [...document.querySelectorAll("#rewritings tbody")];
        return bodies.map((body) => [body.dataset.rewriting, body.innerText]);
    """)
    assert [name for name, _ in groups] == ["value-names-long"]
    assert "differs with value-names-long values have names of 300 characters" in groups[0][1]
    assert "1 of 2" in groups[0][1] and "FAIL (wrongly-refused)" in groups[0][1]


def test_the_models_of_a_difference_are_a_click_away(drive: Drive) -> None:
    seen = drive("""
        document.querySelector("#rewritings details summary").click();
        await new Promise((done) => setTimeout(done, 50));
        return document.querySelector("#rewritings .open-list").innerText;
    """)
    assert "onnx/if/then-when-true/constant-cond" in seen
    assert "<img src=x onerror" in seen  # as text
