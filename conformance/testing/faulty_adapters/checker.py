"""Accepts and refuses truthfully, and computes nothing."""

from honest import Honest, Message, serve


class Checker(Honest):
    """Describes itself truthfully."""

    def hello(self) -> Message:
        """Declare it."""
        return {**super().hello(), "computes": False}


if __name__ == "__main__":
    serve(Checker())
