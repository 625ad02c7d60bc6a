"""Has no scalars."""

from honest import Message, serve
from passes_x import PassesX


class MakesScalarsLists(PassesX):
    """Lies in one respect."""

    def y(self, x: Message) -> Message:
        """Give a scalar a dimension."""
        return {**x, "shape": [1]} if x.get("shape") == [] else super().y(x)


if __name__ == "__main__":
    serve(MakesScalarsLists())
