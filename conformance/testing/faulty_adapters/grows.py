"""Uses memory without limit (2 GiB at most, in case it is not stopped)."""

import time

from honest import Honest, Message, serve


class Grows(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Touch every page, in the trap."""
        kept = []
        for _ in range(128 if self.trapped() else 0):
            kept.append(b"\1" * (16 << 20))
            time.sleep(0.01)
        return super().run(request)


if __name__ == "__main__":
    serve(Grows())
