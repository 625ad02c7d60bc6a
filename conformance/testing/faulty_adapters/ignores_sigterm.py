"""Does not end on SIGTERM."""

import signal
import time

from honest import Honest, Message, serve


class IgnoresSigterm(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Ignore it, in the trap."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP) if self.trapped() else ():
            signal.signal(number, signal.SIG_IGN)
        while self.trapped():
            time.sleep(60)
        return super().run(request)


if __name__ == "__main__":
    serve(IgnoresSigterm())
