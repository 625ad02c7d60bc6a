"""The crosses cover what they promise: every pair, and every triple of some dimensions, that no sentence forbids."""

import json
from pathlib import Path

import pytest
from ifcert.authoring.crosses.__main__ import MADE, coordinates
from ifcert.authoring.crosses.coverage import coverage
from ifcert.authoring.crosses.page import page
from ifcert.authoring.crosses.rows import read_rows
from ifcert.authoring.crosses.systems import CROSSES
from ifcert.authoring.sentences import read_tables

HERE = Path(__file__).parent
ROWS = coordinates(HERE)


@pytest.mark.parametrize("system", CROSSES)
def test_every_pair_and_triple_that_can_be_is_in_a_vector(system: str) -> None:
    assert coverage(CROSSES[system], ROWS[system]).uncovered == []


@pytest.mark.parametrize("system", MADE)
def test_each_vector_is_a_row_and_no_row_is_excluded(system: str) -> None:
    rows = read_rows(HERE / CROSSES[system].system, CROSSES[system])
    key = json.dumps
    assert sorted(map(key, map(dict, ROWS[system]))) == sorted(map(key, rows))
    assert [row for row in rows if CROSSES[system].forbidding(row)] == []


@pytest.mark.parametrize("system", MADE)
def test_without_one_of_its_vectors_something_is_missing(system: str) -> None:
    assert coverage(CROSSES[system], ROWS[system][1:]).uncovered != []


def test_the_page_is_what_the_generator_writes() -> None:
    assert (HERE.parent / "docs" / "coverage.md").read_text() == page(ROWS, CROSSES, read_tables(HERE))
