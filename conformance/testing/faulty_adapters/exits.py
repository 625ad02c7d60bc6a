"""Ends with exit code 3 in the middle of a vector."""

import os

from honest import Honest, Message, serve


class Exits(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """End in the trap."""
        if self.trapped():
            os._exit(3)
        return super().run(request)


if __name__ == "__main__":
    serve(Exits())
