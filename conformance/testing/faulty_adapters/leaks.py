"""Keeps 80 MiB for each model that it loads, for good."""

from typing import ClassVar

from honest import Honest, Message, serve


class Leaks(Honest):
    """Lies in one respect."""

    kept: ClassVar[list[bytes]] = []

    def load(self, request: Message) -> Message:
        """Touch every page."""
        self.kept.append(b"\1" * (80 << 20))
        return super().load(request)


if __name__ == "__main__":
    serve(Leaks())
