"""Dies of a segmentation fault in the middle of a vector."""

import os
import signal
import sys

from honest import Honest, Message, serve


class Crash(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Die in the trap."""
        if self.trapped():
            sys.stderr.write("last words\n")
            sys.stderr.flush()
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().run(request)


if __name__ == "__main__":
    serve(Crash())
