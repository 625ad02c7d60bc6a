"""The boundary values of each element type, and what arithmetic says of them: in fractions, never in floating point."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.values import Tensor, codes

# The bits of the exponent and of the fraction of each type with IEEE's layout.
FLOATS = {"float16": (5, 10), "bfloat16": (8, 7), "float32": (8, 23), "float64": (11, 52)}
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")

# Integers near which a number loses bits on its way through another type: 2 to the power of these.
_POWERS = (7, 8, 11, 15, 16, 24, 31, 32, 53, 63)

Exact = Fraction | float  # a float only where it is infinite or NaN; Python compares the two exactly


@dataclass(frozen=True)
class Edge:
    """One value of an element type: its bits, and the number that they are."""

    element: str
    code: int

    @property
    def exact(self) -> Exact:
        """The number; infinities and NaN are floats."""
        if self.element in FLOATS:
            return _decoded(self.code, *FLOATS[self.element])
        bits = ELEMENTS[self.element].bits
        negative = self.element.startswith("int") and self.code >> (bits - 1)
        return Fraction(self.code - (1 << bits) if negative else self.code)

    @property
    def is_nan(self) -> bool:
        """Whether it is no number."""
        return self.exact != self.exact

    def tensor(self) -> Tensor:
        """It, in a tensor of rank 0."""
        return codes(self.element, [], [self.code])


def listed(edges: Sequence[Edge]) -> Tensor:
    """They, in a tensor of rank 1; they are of one type, and there is at least one."""
    return codes(edges[0].element, [len(edges)], [edge.code for edge in edges])


def numbers(element: str) -> list[Edge]:
    """The boundary values of a type that are numbers, from the least to the greatest, -0.0 before 0.0."""
    if element in FLOATS:
        exponent, fraction = FLOATS[element]
        sign, one = 1 << (exponent + fraction), ((1 << (exponent - 1)) - 1) << fraction
        half, infinity = one - (1 << fraction), ((1 << exponent) - 1) << fraction
        exact_integers = encoded(element, Fraction(2 ** (fraction + 1)))
        positive = [0, 1, (1 << fraction) - 1, 1 << fraction, half, one - 1, one, one + 1]
        positive += [exact_integers - 1, exact_integers, exact_integers + 1, infinity - 1, infinity]
        return [Edge(element, sign | code) for code in reversed(positive)] + [Edge(element, code) for code in positive]
    bits = ELEMENTS[element].bits
    least, greatest = (-(1 << bits - 1), (1 << bits - 1) - 1) if element.startswith("int") else (0, (1 << bits) - 1)
    near = {sign * (2**power + step) for power in _POWERS for step in (-1, 0, 1) for sign in (-1, 1)}
    chosen = {least, least + 1, -1, 0, 1, greatest - 1, greatest, *near}
    return [integer(element, number) for number in sorted(chosen) if least <= number <= greatest]


def nan(element: str) -> Edge:
    """The quiet NaN of a floating-point type."""
    exponent, fraction = FLOATS[element]
    return Edge(element, ((1 << exponent) - 1) << fraction | 1 << (fraction - 1))


def every(element: str) -> list[Edge]:
    """The boundary values of a type, NaN among them."""
    return [*numbers(element), *([nan(element)] if element in FLOATS else [])]


def integer(element: str, number: int) -> Edge:
    """An integer of an integer type, of which the lowest bits are kept."""
    return Edge(element, number & ((1 << ELEMENTS[element].bits) - 1))


def encoded(element: str, number: Exact) -> int:
    """The bits of the number of a floating-point type that is nearest, of two as near the even one."""
    exponent, fraction = FLOATS[element]
    if number != number:
        return nan(element).code
    sign = 1 << (exponent + fraction) if number < 0 else 0
    infinity = ((1 << exponent) - 1) << fraction
    # The codes of the numbers that are not negative are in the order of the numbers.
    low, high = 0, infinity
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _decoded(middle, exponent, fraction) <= abs(number) else (low, middle)
    below = _decoded(low, exponent, fraction)
    # Infinity stands where the next number would be.
    above = _decoded(high, exponent, fraction) if high < infinity else Fraction(2) ** (1 << (exponent - 1))
    if abs(number) == float("inf") or abs(number) - below > above - abs(number):
        return sign | high
    return sign | (low + low % 2 if abs(number) - below == above - abs(number) else low)


def _decoded(code: int, exponent: int, fraction: int) -> Exact:
    sign = -1 if code >> (exponent + fraction) else 1
    power, rest = code >> fraction & ((1 << exponent) - 1), code & ((1 << fraction) - 1)
    if power == (1 << exponent) - 1:
        return float("nan") if rest else sign * float("inf")
    bias = (1 << (exponent - 1)) - 1
    whole = rest | (1 << fraction if power else 0)
    return sign * Fraction(whole) * Fraction(2) ** (max(power, 1) - bias - fraction)
