"""Adapters that end, hang, or do not end when they should.

The first argument names the adapter: "busy" is Busy.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import TextIO

from honest import Honest, Message, outputs, serve_named
from passes_x import PassesX


class BadFarewell(Honest):
    """Ends with an error when the runner sends bye."""

    def end(self) -> None:
        """Fail."""
        sys.exit(5)


class Busy(Honest):
    """Uses a second of processor time for each run, as is allowed: it is not charged for other vectors."""

    def run(self, request: Message) -> Message:
        """Compute for a second."""
        end = time.process_time() + 1
        while time.process_time() < end:
            pass
        return super().run(request)


class Crash(Honest):
    """Dies of a segmentation fault in the middle of a vector."""

    def run(self, request: Message) -> Message:
        """Die in the trap."""
        if self.trapped():
            sys.stderr.write("last words\n")
            sys.stderr.flush()
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().run(request)


class CrashAtUnload(Honest):
    """Computes, and dies when the model is unloaded."""

    def unload(self, request: Message) -> Message:
        """Die in the trap."""
        if self.trapped():
            os.abort()
        return super().unload(request)


class DiesAfterItsAnswer(Honest):
    """Dies when a model is unloaded that it accepted though it is illegal, or that it reported as unsupported."""

    def load(self, request: Message) -> Message:
        """Accept the illegal model; report the trap as unsupported, with a status as if the runtime had said so."""
        answer = super().load(request)
        if self.trapped():
            return {"unsupported": {"what": "runtime", "status": "NotImplemented", "message": "cannot read this"}}
        return {"loaded": {"outputs": []}} if "refused" in answer else answer

    def unload(self, request: Message) -> Message:
        """Die after either."""
        if self.trapped() or not self.said().startswith("negate"):
            os.abort()
        return super().unload(request)


class Exits(Honest):
    """Ends with exit code 3 in the middle of a vector."""

    def run(self, request: Message) -> Message:
        """End in the trap."""
        if self.trapped():
            os._exit(3)
        return super().run(request)


class FailsAtStart(Honest):
    """Dies of an error before its first line, like an adapter whose runtime is not installed."""

    def __init__(self) -> None:
        """Fail."""
        raise ImportError("no runtime is here")


class FailsAtTheEndOfInput(PassesX):
    """Ends with an error when its standard input ends, though not after bye."""

    def __init__(self) -> None:
        """Read lines whose end is an error."""
        super().__init__()
        sys.stdin = lines_and_exit(sys.stdin)  # type: ignore[assignment]


class Hang(Honest):
    """Never answers."""

    def run(self, request: Message) -> Message:
        """Sleep in the trap."""
        while self.trapped():
            time.sleep(60)
        return super().run(request)


class IgnoresSigterm(Honest):
    """Does not end on SIGTERM."""

    def run(self, request: Message) -> Message:
        """Ignore it, in the trap."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP) if self.trapped() else ():
            signal.signal(number, signal.SIG_IGN)
        while self.trapped():
            time.sleep(60)
        return super().run(request)


class LeavesAChild(Honest):
    """Answers as it should, and leaves a child behind in a session of its own."""

    def run(self, request: Message) -> Message:
        """Detach it at once: only the system is its parent."""
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(1000)
            os._exit(0)
        return super().run(request)


class WrongThenCrash(Honest):
    """Answers a held run wrongly, and dies when it is read again."""

    def run(self, request: Message) -> Message:
        """Be wrong in the run that is held."""
        return outputs([2], [0, 0]) if request.get("hold") else super().run(request)

    def reread(self, request: Message) -> Message:
        """Die."""
        os.abort()


def lines_and_exit(given: TextIO) -> Iterator[str]:
    """Yield the lines of a file; its end is an error."""
    yield from given
    sys.exit(5)


if __name__ == "__main__":
    serve_named(globals())
