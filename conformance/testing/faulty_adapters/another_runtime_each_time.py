"""Declares another runtime in each process, and dies in the middle of a vector."""

import os

from honest import Honest, Message, serve


class AnotherRuntimeEachTime(Honest):
    """Lies in one respect."""

    def hello(self) -> Message:
        """Name a runtime that no other process has named."""
        answer = super().hello()
        answer["runtime"]["name"] = f"Negator {os.urandom(8).hex()}"
        return answer

    def run(self, request: Message) -> Message:
        """Die in the trap, so that another process is started."""
        if self.trapped():
            os._exit(3)
        return super().run(request)


if __name__ == "__main__":
    serve(AnotherRuntimeEachTime())
