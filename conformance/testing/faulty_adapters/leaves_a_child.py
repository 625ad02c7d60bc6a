"""Answers as it should, and leaves a child behind in a session of its own."""

import os
import time

from honest import Honest, Message, serve


class LeavesAChild(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Detach it at once: only the system is its parent."""
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(1000)
            os._exit(0)
        return super().run(request)


if __name__ == "__main__":
    serve(LeavesAChild())
