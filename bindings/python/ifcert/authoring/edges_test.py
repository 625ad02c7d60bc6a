"""The boundary values against numpy, which knows the same formats."""

import random
from fractions import Fraction

import numpy as np
import pytest

from ifcert.authoring.edges import FLOATS, INTEGERS, Edge, encoded, every, listed, nan, numbers

OF_NUMPY = {"float16": (np.float16, np.uint16), "float32": (np.float32, np.uint32), "float64": (np.float64, np.uint64)}


@pytest.mark.parametrize("element", OF_NUMPY)
def test_bits_are_the_number_that_numpy_reads(element: str) -> None:
    number_type, code_type = OF_NUMPY[element]
    for edge in numbers(element):
        assert float(edge.exact) == float(code_type(edge.code).view(number_type))
    assert nan(element).is_nan and np.isnan(code_type(nan(element).code).view(number_type))


@pytest.mark.parametrize("element", ["float16", "float32"])
def test_a_number_is_rounded_as_numpy_rounds_it(element: str) -> None:
    number_type, code_type = OF_NUMPY[element]
    rounds = random.Random(1)
    near = [rounds.randrange(1 << 64) / 2.0 ** rounds.randrange(96) for _ in range(200)]
    halves = [1 + 2.0**-11, 1 + 3 * 2.0**-11, 2.0**24 + 1, 2.0**24 + 3, 65519.0, 65520.0, 2.0**-25, 2.0**-150, 1e300]
    for number in [*near, *halves, *(-each for each in halves), float("inf"), 0.0]:
        with np.errstate(over="ignore", under="ignore"):
            expected = int(number_type(number).view(code_type))
        assert encoded(element, Fraction(number) if np.isfinite(number) else number) == expected, number


@pytest.mark.parametrize("element", FLOATS)
def test_every_number_is_its_own_nearest(element: str) -> None:
    minus_zero = numbers(element)[len(numbers(element)) // 2 - 1]
    assert minus_zero.exact == 0 and minus_zero.code
    assert [e for e in every(element) if encoded(element, e.exact) != e.code and e != minus_zero] == []


@pytest.mark.parametrize("element", [*FLOATS, *INTEGERS])
def test_numbers_rise(element: str) -> None:
    exact = [edge.exact for edge in numbers(element)]
    assert exact == sorted(exact) and len(exact) >= 7


def test_a_list_holds_the_bits_in_order() -> None:
    assert listed([Edge("int16", 0x8000), Edge("int16", 1)]).data == b"\x00\x80\x01\x00"
