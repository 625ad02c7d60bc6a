"""Burns processor time in children that end soon and that nobody waits for (a minute at most)."""

import os
import signal
import time

from honest import Honest, Message, serve


class EatsCpuInShortLives(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Start one after the other, in the trap."""
        if self.trapped():
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            end = time.monotonic() + 60
            while time.monotonic() < end:
                if os.fork() == 0:
                    burnt = time.monotonic() + 0.2
                    while time.monotonic() < burnt:
                        pass
                    os._exit(0)
                time.sleep(0.2)
        return super().run(request)


if __name__ == "__main__":
    serve(EatsCpuInShortLives())
