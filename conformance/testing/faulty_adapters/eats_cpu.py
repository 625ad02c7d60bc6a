"""Lets children burn processor time (a minute at most, in case it is not stopped), and answers nothing meanwhile."""

import os
import time

from honest import Honest, Message, serve


class EatsCpu(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Wait for them, in the trap."""
        children = 4 if self.trapped() else 0
        for _ in range(children):
            if os.fork() == 0:
                end = time.monotonic() + 60
                while time.monotonic() < end:
                    pass
                os._exit(0)
        for _ in range(children):
            os.wait()
        return super().run(request)


if __name__ == "__main__":
    serve(EatsCpu())
