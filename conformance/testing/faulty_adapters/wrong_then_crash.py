"""Answers a held run wrongly, and dies when it is read again."""

import os

from honest import Honest, Message, outputs, serve


class WrongThenCrash(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Be wrong in the run that is held."""
        return outputs([2], [0, 0]) if request.get("hold") else super().run(request)

    def reread(self, request: Message) -> Message:
        """Die."""
        os.abort()


if __name__ == "__main__":
    serve(WrongThenCrash())
