"""Kills the process that watches it, and leaves a child behind."""

import signal

from guards import attack
from honest import Honest, Message, serve


class KillsItsGuard(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Report the result, in the trap."""
        if self.trapped():
            return {"adapter_error": {"message": attack(signal.SIGKILL)}}
        return super().run(request)


if __name__ == "__main__":
    serve(KillsItsGuard())
