"""Answers a held run wrongly, and dies in the next."""

import os

from honest import Honest, Message, outputs, serve


class WrongThenCrash(Honest):
    """Lies in one point."""

    runs = 0

    def run(self, request: Message) -> Message:
        """Be wrong in the first run that is to be held, die in the second."""
        if not request.get("hold"):
            return super().run(request)
        self.runs += 1
        if self.runs > 1:
            os.abort()
        return outputs([2], [0, 0])


if __name__ == "__main__":
    serve(WrongThenCrash())
