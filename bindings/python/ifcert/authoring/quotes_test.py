"""Quotes that occur and do not occur, and the parts of a text that they leave uncovered."""

import pytest

from ifcert.authoring.quotes import stands_in, unquoted


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("must match", "they must\n    // match", True),
        ("a […] c", "a b c", True),
        ("c […] a", "a b c", False),
        ("must `match`", "must *match*", True),
        ("must not match", "must match", False),
    ],
)
def test_a_quote_is_word_for_word(quote: str, text: str, found: bool) -> None:
    assert stands_in(quote, text) == found


TEXT = """**Heads**

* *cond*: it is `true`. It is one element.

  * *Type*: bool
"""


def test_what_no_quote_covers_is_left_in_pieces() -> None:
    assert unquoted(TEXT, ["it is true."]) == ["Heads", "cond", "It is one element", "Type", "bool"]


def test_a_quote_covers_every_place_it_stands_at_and_what_it_leaves_out() -> None:
    assert unquoted(TEXT, ["cond: it […] element.", "Type: bool"]) == ["Heads"]
    assert unquoted("a. b. a.", ["a."]) == ["b"]
