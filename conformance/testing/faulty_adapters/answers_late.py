"""Answers after the time limit."""

import time

from honest import Honest, Message, serve


class Late(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Take longer than the runner does, in the trap; then answer as usual."""
        if self.trapped():
            time.sleep(3)
        return super().run(request)


if __name__ == "__main__":
    serve(Late())
