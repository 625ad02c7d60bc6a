"""Accepts and refuses truthfully, and computes nothing."""

from honest import Honest, Message, serve


class Checker(Honest):
    """Tells the truth of itself."""

    def hello(self) -> Message:
        """Declare it."""
        return {**super().hello(), "computes": False}


if __name__ == "__main__":
    serve(Checker())
