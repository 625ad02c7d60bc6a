"""Lets a child use memory without limit (2 GiB at most, in case it is not stopped)."""

import os
import time

from honest import Honest, Message, serve


class GrowsInAChild(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Wait for the child, in the trap."""
        if self.trapped():
            if os.fork() == 0:
                kept = []
                for _ in range(128):
                    kept.append(b"\1" * (16 << 20))
                    time.sleep(0.01)
                os._exit(0)
            os.wait()
        return super().run(request)


if __name__ == "__main__":
    serve(GrowsInAChild())
