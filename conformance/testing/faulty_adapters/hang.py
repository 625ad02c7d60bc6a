"""Never answers."""

import time

from honest import Honest, Message, serve


class Hang(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Sleep in the trap."""
        while self.trapped():
            time.sleep(60)
        return super().run(request)


if __name__ == "__main__":
    serve(Hang())
