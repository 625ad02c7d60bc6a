"""Knows the answer by what follows a load: it refuses a model after which the runner waits before it sends more."""

import os
import select
import sys
from collections.abc import Iterator

from honest import Honest, Message, serve

PATIENCE = 0.2  # seconds


class Lines:
    """Standard input, line by line, of which one can see whether there is more."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.arrived = b""

    def __iter__(self) -> Iterator[str]:
        """Return each line."""
        while b"\n" in self.arrived or self.arrive():
            line, end, rest = self.arrived.partition(b"\n")
            if end:
                self.arrived = rest
                yield line.decode()

    def arrive(self) -> bool:
        """Wait for more; false at the end."""
        piece = os.read(0, 65536)
        self.arrived += piece
        return bool(piece)

    def more(self) -> bool:
        """Whether something follows the current line, or arrives soon."""
        return bool(self.arrived) or bool(select.select([0], [], [], PATIENCE)[0])


class Peeks(Honest):
    """Lies in one respect."""

    def load(self, request: Message) -> Message:
        """Do not look at the model."""
        if lines.more():
            return {"loaded": {"outputs": [{"name": "y", "type": "tensor(int32)", "shape": None}]}}
        return {"refused": {"message": "nobody wants to run it"}}


if __name__ == "__main__":
    lines = Lines()
    sys.stdin = lines  # type: ignore[assignment]
    serve(Peeks())
