"""Has children that share its memory: counted once, it is within the limit."""

import os
import time

from honest import Honest, Message, serve


class SharesMemory(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Wait until the runner has measured it."""
        kept = b"\1" * (96 << 20)
        for _ in range(4):
            if os.fork() == 0:
                time.sleep(0.3)
                os._exit(len(kept) % 7)
        for _ in range(4):
            os.wait()
        return super().run(request)


if __name__ == "__main__":
    serve(SharesMemory())
