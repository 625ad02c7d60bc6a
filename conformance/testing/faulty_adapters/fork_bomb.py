"""Starts processes without end (2000 at most, in case it is not stopped)."""

import os
import time

from honest import Honest, Message, serve


class ForkBomb(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Fork in the trap."""
        for _ in range(2000 if self.trapped() else 0):
            if os.fork() == 0:
                os.setsid()
                time.sleep(1000)
        return super().run(request)


if __name__ == "__main__":
    serve(ForkBomb())
