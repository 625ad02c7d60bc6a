"""What the tables say of arithmetic, by a few rows that were worked out by hand."""

from fractions import Fraction

import pytest

from ifcert.authoring.edge_tables import ARITHMETIC, Row, computed, raised
from ifcert.authoring.edges import FLOATS, INTEGERS


def exact(rows: list[Row]) -> dict[tuple[Fraction | float, ...], Fraction | float]:
    """The operands of the rows whose cond is true, and the results."""
    numbers = [tuple(edge.exact for edge in row.operands) for row in rows if row.truth]
    return {each[:-1]: each[-1] for each in numbers}


@pytest.mark.parametrize(
    ("operation", "results"),
    {
        "sum": [10, -4, 4, -10],
        "difference": [4, -10, 10, -4],
        "product": [21, -21, -21, 21],
        "quotient-toward-zero": [2, -2, -2, 2],
        "quotient-down": [2, -3, -3, 2],
    }.items(),
)
def test_each_operation_has_the_four_signs_of_seven_and_three(operation: str, results: list[int]) -> None:
    rows = exact(computed(operation, "int32"))
    signs = [(7, 3), (-7, 3), (7, -3), (-7, -3)]
    assert [rows[Fraction(a), Fraction(b)] for a, b in signs] == results


def test_a_result_that_the_type_does_not_have_is_in_no_row() -> None:
    assert (Fraction(7), Fraction(3)) not in exact(computed("quotient", "float32"))
    assert (Fraction(-128), Fraction(-1)) not in exact(computed("quotient-down", "int8"))
    assert (Fraction(127), Fraction(1)) not in exact(computed("sum", "int8"))
    assert all(result >= 0 for result in exact(computed("difference", "uint8")).values())


@pytest.mark.parametrize("element", [*FLOATS, *INTEGERS])
@pytest.mark.parametrize("operation", ARITHMETIC)
def test_right_and_wrong_rows_alternate_and_no_divisor_is_zero(operation: str, element: str) -> None:
    rows = computed(operation, element)
    assert [row.truth for row in rows] == [True, False] * (len(rows) // 2)
    assert len(rows) > 10
    assert "quotient" not in operation or all(row.operands[1].exact != 0 for row in rows)


def test_no_row_of_arithmetic_computes_with_infinities_or_subnormal_numbers() -> None:
    right = [row for operation in ARITHMETIC for row in computed(operation, "float32") if row.truth]
    least, greatest = Fraction(2) ** -126, Fraction(2) ** 128
    assert all(edge.exact == 0 or least <= abs(edge.exact) < greatest for row in right for edge in row.operands)


def test_powers_reach_both_ends_of_a_type() -> None:
    rows = exact(raised("int64"))
    assert rows[Fraction(-2), Fraction(63)] == -(2**63)
    assert rows[Fraction(3), Fraction(39)] == 3**39
    assert (Fraction(2), Fraction(63)) not in rows
