"""Ends with an error when its standard input ends, though not after bye."""

import sys
from collections.abc import Iterator
from typing import TextIO

import honest
from passes_x import PassesX


class Lines:
    """Standard input, whose end is an error."""

    def __init__(self, given: TextIO) -> None:
        """Read from the file that is given."""
        self.given = given

    def __iter__(self) -> Iterator[str]:
        """Return its lines."""
        yield from self.given
        sys.exit(5)


if __name__ == "__main__":
    sys.stdin = Lines(sys.stdin)  # type: ignore[assignment]
    honest.serve(PassesX())
