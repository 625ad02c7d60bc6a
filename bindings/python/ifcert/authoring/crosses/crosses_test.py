from itertools import combinations
from pathlib import Path

import pytest

from ifcert.authoring.crosses.arrays import covering_rows
from ifcert.authoring.crosses.coverage import coverage, reasons
from ifcert.authoring.crosses.dimensions import Cross, Dimension, without
from ifcert.authoring.crosses.page import page
from ifcert.authoring.crosses.rows import case_of_row, read_rows, rows_text
from ifcert.authoring.crosses.systems import CROSSES

SIZE = Dimension("size", "how large", {"small": "one", "large": "two"})
COLOUR = Dimension("colour", "its colour", {"red": "as blood", "blue": "as the sky", "green": "as grass"})
TASTE = Dimension("taste", "how it tastes", {"sweet": "like sugar", "sour": "like lemons"})
FRUIT = Cross(
    "onnx",
    [SIZE, COLOUR, TASTE],
    [
        without("if-cond", colour="blue", size="large"),
        without("no such fruit", colour="blue", taste="sour"),
        without("too sweet", size="small", taste="sour"),
    ],
    triples=("size", "colour", "taste"),
)


def test_rows_cover_every_pair_and_triple_that_a_legal_row_has() -> None:
    rows = covering_rows(FRUIT)
    found = coverage(FRUIT, rows)
    assert found.uncovered == []
    assert [row for row in rows if FRUIT.forbidding(row)] == []
    assert len(found.covered) + len(found.impossible) == 6 + 4 + 6 + 12


def test_what_a_row_lacks_is_uncovered_and_what_no_row_can_have_is_impossible() -> None:
    found = coverage(FRUIT, [FRUIT.base]).of(2)
    assert len(found.covered) == 3
    assert (("size", "large"), ("colour", "blue")) in found.impossible
    assert (("size", "large"), ("colour", "green")) in found.uncovered


def test_several_exclusions_can_together_leave_no_row() -> None:
    two = Cross("onnx", [SIZE, COLOUR, TASTE], [*FRUIT.exclusions, without("too large", size="large")], ())
    assert two.row({"taste": "sour"}) is None
    assert [each.because for each in reasons(two, (("taste", "sour"),))] == ["too sweet", "too large"]


def test_the_same_rows_are_made_each_time_and_rows_that_are_there_stay() -> None:
    rows = covering_rows(FRUIT)
    assert covering_rows(FRUIT) == rows
    kept = {"size": "large", "colour": "green", "taste": "sour"}
    assert kept in covering_rows(FRUIT, [kept])


def test_a_row_is_plain_where_no_pair_needs_another_value() -> None:
    alone = Cross("onnx", [SIZE, COLOUR], [], ())
    assert len(covering_rows(alone)) == 6
    rows = covering_rows(Cross("onnx", [SIZE, COLOUR, TASTE], [], ()))
    assert sum(row["size"] == "large" for row in rows) == 3


def test_a_file_of_rows_is_read_as_it_was_written(tmp_path: Path) -> None:
    rows = covering_rows(FRUIT)
    (tmp_path / "crosses.json").write_text(rows_text(FRUIT, rows))
    key = str
    assert sorted(read_rows(tmp_path, FRUIT), key=key) == sorted(rows, key=key)


def test_a_case_is_named_by_what_is_not_plain_and_a_new_dimension_renames_nothing() -> None:
    row = {"size": "large", "colour": "green", "taste": "sweet"}
    assert case_of_row(FRUIT, FRUIT.base) == "cross-plain"
    assert case_of_row(FRUIT, row) == "cross-size-large-colour-green"
    peel = Dimension("peel", "its peel", {"thin": "like paper", "thick": "like leather"})
    wider = Cross("onnx", [*FRUIT.dimensions, peel], FRUIT.exclusions, ())
    assert case_of_row(wider, wider.base | row) == case_of_row(FRUIT, row)


def test_a_long_name_ends_in_a_digest_of_the_coordinates() -> None:
    many = [
        Dimension(f"dimension{number}", "one of many", {"plain": "", "other": "", "third": ""}) for number in range(9)
    ]
    cross = Cross("onnx", many, [], ())
    cases = {case_of_row(cross, {each.name: "third" if each is last else "other" for each in many}) for last in many}
    assert len(cases) == 9
    assert max(map(len, cases)) <= 70


def test_an_exclusion_of_a_value_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ValueError, match="excludes colour=purple"):
        Cross("onnx", [SIZE, COLOUR], [without("no", colour="purple")], ())


def test_the_page_counts_what_rows_cover_and_quotes_the_sentence_that_forbids() -> None:
    text = page({"onnx": covering_rows(FRUIT)}, {"onnx": FRUIT}, [])
    assert "| `colour` blue with `size` large | if-cond | 1 | 2 |" in text
    assert "| pairs | 13 | 3 | 0 |" in text


@pytest.mark.parametrize("system", CROSSES)
def test_each_dimension_has_a_name_and_values_that_ids_can_have(system: str) -> None:
    for dimension in CROSSES[system].dimensions:
        words = [dimension.name, *dimension.values]
        assert [word for word in words if not word.replace("-", "").isalnum() or word != word.lower()] == []


@pytest.mark.parametrize("system", CROSSES)
def test_no_two_exclusions_of_a_cross_say_the_same(system: str) -> None:
    whens = [each.when for each in CROSSES[system].exclusions]
    assert [(one, other) for one, other in combinations(whens, 2) if one == other] == []
