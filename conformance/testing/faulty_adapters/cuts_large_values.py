"""Sends the first 64 kB of a value."""

from honest import Message, serve
from passes_x import PassesX


class CutsLargeValues(PassesX):
    """Lies in one respect."""

    def y(self, x: Message) -> Message:
        """Cut the data."""
        y = super().y(x)
        return {**y, "data": y["data"][: 1 << 16]} if "data" in y else y


if __name__ == "__main__":
    serve(CutsLargeValues())
