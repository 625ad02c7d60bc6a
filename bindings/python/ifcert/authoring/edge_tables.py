"""Tables of rows that reach a cond: what an operator reads at the boundaries of a type, and whether cond is then true.

Where an operator returns no boolean, the last operand of a row is the result that cond compares with: the right one,
then a wrong one next to it.
"""

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle, pairwise, product
from typing import Any

from ifcert.authoring.edges import FLOATS, Edge, Exact, encoded, every, integer, nan, numbers

# Dividends and divisors of every sign: quotients that are integers and that are not, 0, and a divisor of 1 and -1.
_SMALL = list(product((7, -7, 6, -6, 0), (3, -3, 1, -1)))


@dataclass(frozen=True)
class Row:
    """What the operator reads, and whether cond is true."""

    operands: tuple[Edge, ...]
    truth: bool


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "less": operator.lt,
    "greater": operator.gt,
    "less-or-equal": operator.le,
    "greater-or-equal": operator.ge,
    "equal": operator.eq,
    "not-equal": operator.ne,
}


def compared(comparison: str, element: str) -> list[Row]:
    """Neighbours in turn in rising and in falling order, the ends with themselves, each zero with each, and NaN."""
    rising = numbers(element)
    couples = list(pairwise(rising))
    pairs = [(b, a) if turn % 2 else (a, b) for turn, (a, b) in enumerate(couples)]
    pairs += [(rising[0], rising[-1]), (rising[-1], rising[0]), (rising[0], rising[0]), (rising[-1], rising[-1])]
    zeros = [edge for edge in rising if edge.exact == 0]
    pairs += [(a, b) for a in zeros for b in zeros]
    if element in FLOATS:
        one, other = Edge(element, encoded(element, Fraction(1))), nan(element)
        pairs += [(other, other)]
        pairs += [pair for edge in (one, zeros[0], rising[-1]) for pair in ((edge, other), (other, edge))]
    return [Row(pair, COMPARISONS[comparison](*(edge.exact for edge in pair))) for pair in pairs]


def as_boolean(element: str) -> list[Row]:
    """Each boundary value alone, which is true where it is not zero."""
    return [Row((edge,), edge.exact != 0) for edge in every(element)]


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sign": lambda number: (number > 0) - (number < 0),
    "abs": abs,
    "neg": operator.neg,
    "ceil": lambda number: number if isinstance(number, float) else -(-number // 1),
}


def applied(function: str, element: str) -> list[Row]:
    """Each number whose result the type has, with the result."""
    return [
        row
        for edge in numbers(element)
        for want in _held(element, FUNCTIONS[function](edge.exact))
        for row in _right_and_wrong((edge,), want)
    ]


PAIRWISE: dict[str, Callable[[Any, Any], Any]] = {"max": max, "min": min}


def of_two(function: str, element: str) -> list[Row]:
    """Neighbours among the numbers, in turn in rising and in falling order, with the greater or the less of them."""
    rising = [edge for edge in numbers(element) if edge.exact or not edge.code]
    couples = [*pairwise(rising), (rising[0], rising[-1]), (rising[1], rising[-1])]
    return [
        row
        for turn, couple in enumerate(couples)
        for row in _right_and_wrong(
            couple[::-1] if turn % 2 else couple, PAIRWISE[function](couple, key=lambda edge: edge.exact)
        )
    ]


ARITHMETIC: dict[str, Callable[[Fraction, Fraction], Exact]] = {
    "sum": operator.add,
    "difference": operator.sub,
    "product": operator.mul,
    "quotient": operator.truediv,
    "quotient-toward-zero": lambda a, b: Fraction(int(a / b)),
    "quotient-down": lambda a, b: Fraction(a // b),
}


def computed(operation: str, element: str) -> list[Row]:
    """Two small numbers, or a boundary value and a small number in either order, with the result that the type has.

    What no text says is left out: a quotient by zero, a result that the type does not have, how infinities and
    subnormal numbers are computed with, and how exact the reciprocal is by which a quotient of floats may be computed:
    their divisors are powers of two.
    """
    pairs = [(Fraction(a), Fraction(b)) for a, b in _SMALL]
    rising = [Fraction(edge.exact) for edge in numbers(element) if _is_normal(edge)]
    for turn, (number, small) in enumerate(zip(rising, cycle([1, -1, 2, 3]), strict=False)):
        pairs.append((Fraction(small), number) if turn % 2 else (number, Fraction(small)))
    pairs += [(rising[0], rising[0]), (rising[-1], rising[-1]), (rising[0], Fraction(1)), (rising[-1], Fraction(-1))]
    if "quotient" in operation:
        pairs = [(a, b) for a, b in pairs if b and (element not in FLOATS or _is_power_of_two(abs(b)))]
    results = [(a, b, ARITHMETIC[operation](a, b)) for a, b in dict.fromkeys(pairs)]
    return [row for result in results for row in _exactly(element, *result)]


def _is_power_of_two(number: Fraction) -> bool:
    return all(part & (part - 1) == 0 for part in (number.numerator, number.denominator))


def raised(element: str) -> list[Row]:
    """Small integers, none of them 0, to powers that are not negative, as far as the type has the result."""
    exponents = (0, 1, 2, 3, 5, 6, 7, 15, 19, 20, 30, 31, 39, 62, 63)
    powers = [(Fraction(base), Fraction(exponent)) for base in (1, -1, 2, -2, 3, -3, 7, -10) for exponent in exponents]
    return [row for base, exponent in powers for row in _exactly(element, base, exponent, base**exponent)]


def _exactly(element: str, *exact: Exact) -> list[Row]:
    """The right row and the wrong one of operands and a result, if the type has them all."""
    held = [edge for each in exact for edge in _held(element, each) if _is_normal(edge)]
    return list(_right_and_wrong(tuple(held[:-1]), held[-1])) if len(held) == len(exact) else []


def _is_normal(edge: Edge) -> bool:
    """Whether it is a finite number that is not subnormal; zero is one."""
    if edge.element not in FLOATS:
        return True
    exponent, fraction = FLOATS[edge.element]
    power = edge.code >> fraction & ((1 << exponent) - 1)
    return edge.exact == 0 or 0 < power < (1 << exponent) - 1


def converted(source: str, target: str) -> list[Row]:
    """Each boundary value of either type that the other has too; beyond its ends, the bits that a text keeps.

    No text says how a number between two is rounded, nor what an integer is made of a number that it cannot hold.
    """
    edges = dict.fromkeys([*numbers(source), *(each for edge in numbers(target) for each in _held(source, edge.exact))])
    return [row for edge in edges for want in _converted(edge, target) for row in _right_and_wrong((edge,), want)]


def _converted(edge: Edge, target: str) -> Iterator[Edge]:
    exact = edge.exact
    if target not in FLOATS and edge.element not in FLOATS:
        yield integer(target, int(exact))
    elif target in FLOATS and edge.element in FLOATS and abs(exact) > 2 * _greatest(target):
        yield Edge(target, encoded(target, exact))
    else:
        yield from _held(target, exact)


def holds(element: str, exact: Exact) -> bool:
    """Whether the type has this number."""
    return any(True for _ in _held(element, exact))


def _greatest(element: str) -> Exact:
    return numbers(element)[-2].exact


def _held(element: str, exact: Exact) -> Iterator[Edge]:
    """The value of the type that is this number, if there is one."""
    if element in FLOATS:
        edge = Edge(element, encoded(element, exact))
    elif isinstance(exact, float) or Fraction(exact).denominator != 1:
        return
    else:
        edge = integer(element, int(exact))
    if edge.exact == exact:
        yield edge


def _right_and_wrong(operands: tuple[Edge, ...], want: Edge) -> Iterator[Row]:
    """The row with its result, and the one with the number whose lowest bit differs."""
    wrong = Edge(want.element, want.code ^ 1)
    yield Row((*operands, want), True)
    if not wrong.is_nan:
        yield Row((*operands, wrong), False)
