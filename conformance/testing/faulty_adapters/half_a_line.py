"""Ends, with exit code 0, in the middle of its answer."""

import os

from honest import Honest, Message, say, serve


class HalfALine(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Break off in the trap."""
        if self.trapped():
            say('{"id": 3, "outp')
            os._exit(0)
        return super().run(request)


if __name__ == "__main__":
    serve(HalfALine())
