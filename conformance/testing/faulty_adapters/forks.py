"""Leaves a child in a session of its own that holds the pipes open and writes into them."""

import os
import time

from honest import Honest, Message, serve


class Forks(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Leave a grandchild, and die, in the trap."""
        if self.trapped() and os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(0.2)
                while True:
                    os.write(1, b'{"id":1,"outputs":[]}\n')
            os._exit(0)
        if self.trapped():
            time.sleep(0.1)
            os._exit(3)
        return super().run(request)


if __name__ == "__main__":
    serve(Forks())
