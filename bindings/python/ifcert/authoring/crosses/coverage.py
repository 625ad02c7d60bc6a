"""What a cross covers: our own count of the pairs and triples of coordinates, which trusts no library."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ifcert.authoring.crosses.dimensions import Cross, Exclusion, Row, parts_of

# A pair or a triple: (dimension, value) twice or three times.
Part = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Coverage:
    """The pairs and triples of a cross, each of which is in exactly one of the three."""

    covered: Sequence[Part]
    uncovered: Sequence[Part]
    impossible: Sequence[Part]

    def of(self, size: int) -> "Coverage":
        """The pairs alone (2), or the triples (3)."""
        kept = [
            [part for part in each if len(part) == size] for each in (self.covered, self.uncovered, self.impossible)
        ]
        return Coverage(*kept)


def coverage(cross: Cross, rows: Iterable[Row]) -> Coverage:
    """What the rows cover; what they do not cover although a legal row has it; and what no legal row has."""
    found = {part for row in rows for part in parts_of(cross, row)}
    covered: list[Part] = []
    uncovered: list[Part] = []
    impossible: list[Part] = []
    for wanted in cross.wanted():
        part = tuple(wanted.items())
        if part in found:
            covered.append(part)
        elif cross.row(wanted) is None:
            impossible.append(part)
        else:
            uncovered.append(part)
    return Coverage(covered, uncovered, impossible)


def reasons(cross: Cross, part: Part) -> list[Exclusion]:
    """The exclusions by which no legal row has the coordinates: one that forbids them, or several that together do."""
    direct = cross.forbidding(dict(part))
    if direct:
        return direct[:1]
    needed = list(cross.exclusions)
    for exclusion in cross.exclusions:
        others = [each for each in needed if each is not exclusion]
        if replace(cross, exclusions=others).row(dict(part)) is None:
            needed = others
    return needed
