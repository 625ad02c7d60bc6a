"""Writes without end into its folders (2 GiB at most, in case it is not stopped)."""

import contextlib
import os
import time
from pathlib import Path

from honest import Honest, Message, serve


class FillsItsFolders(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Write to each in turn, in the trap."""
        for number in range(128 if self.trapped() else 0):
            for place in (os.environ["HOME"], "/tmp", "/dev/shm"):
                with contextlib.suppress(OSError):
                    (Path(place) / f"filled-{number}").write_bytes(b"x" * (5 << 20))
            time.sleep(0.01)
        return super().run(request)


if __name__ == "__main__":
    serve(FillsItsFolders())
