"""Adapters that take memory, processor time, processes, threads, files or disk without limit.

The first argument names the adapter: "eats-cpu" is EatsCpu.
"""

import contextlib
import os
import signal
import threading
import time
from pathlib import Path
from typing import ClassVar

from honest import Honest, Message, serve_named


class EatsCpu(Honest):
    """Lets children burn processor time, a minute at most in case it is not stopped; answers nothing meanwhile."""

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


class EatsCpuInShortLives(Honest):
    """Burns processor time in children that end soon and that nobody waits for (a minute at most)."""

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


class FillsItsFolders(Honest):
    """Writes without end into its folders (2 GiB at most, in case it is not stopped)."""

    def run(self, request: Message) -> Message:
        """Write to each in turn, in the trap."""
        for number in range(128 if self.trapped() else 0):
            for place in (os.environ["HOME"], "/tmp", "/dev/shm"):
                with contextlib.suppress(OSError):
                    (Path(place) / f"filled-{number}").write_bytes(b"x" * (5 << 20))
            time.sleep(0.01)
        return super().run(request)


class ForkBomb(Honest):
    """Starts processes without end (2000 at most, in case it is not stopped)."""

    def run(self, request: Message) -> Message:
        """Fork in the trap."""
        for _ in range(2000 if self.trapped() else 0):
            if os.fork() == 0:
                os.setsid()
                time.sleep(1000)
        return super().run(request)


class Forks(Honest):
    """Leaves a child in a session of its own that holds the pipes open and writes into them."""

    def run(self, request: Message) -> Message:
        """Leave a grandchild, and die, in the trap."""
        if self.trapped() and os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(0.2)
                while True:
                    os.write(1, b'{"id":1,"outputs":[]}\n')
            os._exit(0)
        if self.trapped():
            time.sleep(0.1)
            os._exit(3)
        return super().run(request)


class Grows(Honest):
    """Uses memory without limit (2 GiB at most, in case it is not stopped)."""

    def run(self, request: Message) -> Message:
        """Touch every page, in the trap."""
        kept = []
        for _ in range(128 if self.trapped() else 0):
            kept.append(b"\1" * (16 << 20))
            time.sleep(0.01)
        return super().run(request)


class GrowsAfterBye(Honest):
    """Uses memory without limit (2 GiB at most, in case it is not stopped) once there is nothing left to answer."""

    def end(self) -> None:
        """Grow."""
        kept = []
        for _ in range(128):
            kept.append(b"\1" * (16 << 20))
            time.sleep(0.01)


class GrowsInAChild(Honest):
    """Lets a child use memory without limit (2 GiB at most, in case it is not stopped)."""

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


class Leaks(Honest):
    """Keeps 80 MiB for each model that it loads, for good."""

    kept: ClassVar[list[bytes]] = []

    def load(self, request: Message) -> Message:
        """Touch every page."""
        self.kept.append(b"\1" * (80 << 20))
        return super().load(request)


class MakesEmptyFiles(Honest):
    """Creates empty files without limit: their names alone fill the memory of its folders."""

    def run(self, request: Message) -> Message:
        """Create them, in the trap."""
        if self.trapped():
            for number in range(2_000_000):
                os.mknod(f"/tmp/{number}")
        return super().run(request)


class OpensFiles(Honest):
    """Opens files without limit."""

    def run(self, request: Message) -> Message:
        """Report the error that stopped it, in the trap."""
        kept = []
        trapped = self.trapped()
        while trapped:
            try:
                kept.append(open("/dev/null"))  # noqa: PTH123, SIM115
            except OSError as error:
                return {"adapter_error": {"message": f"{len(kept)} files: {error}"}}
        return super().run(request)


class StartsThreads(Honest):
    """Starts sleeping threads without limit: they need hardly any memory, but every user has a limited number."""

    def run(self, request: Message) -> Message:
        """Start them, in the trap."""
        if self.trapped():
            threading.stack_size(65536)
            awake = threading.Event()
            for _ in range(30_000):
                threading.Thread(target=awake.wait, daemon=True).start()
            awake.wait()
        return super().run(request)


class TakesWhatItGets(Honest):
    """Takes all the memory that it gets (2 GiB at most), in the trap and for models that it then refuses."""

    def load(self, request: Message) -> Message:
        """Touch every page, and refuse when there is no more."""
        answer = super().load(request)
        kept = []
        try:
            for _ in range(128 if "refused" in answer or self.trapped() else 0):
                kept.append(b"\1" * (16 << 20))
                time.sleep(0.01)
        except MemoryError:
            return {"refused": {"message": "out of memory"}}
        return answer


if __name__ == "__main__":
    serve_named(globals())
