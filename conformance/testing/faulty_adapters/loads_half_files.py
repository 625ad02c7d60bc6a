"""Loads whatever is there."""

from honest import Message, serve
from passes_x import PassesX


class LoadsHalfFiles(PassesX):
    """Lies in one respect."""

    def load(self, request: Message) -> Message:
        """Accept every file."""
        super().load(request)
        return {"loaded": {"outputs": []}}

    def name(self) -> str:
        """Return the usual name where there is none."""
        return super().name() if b"y" in self.content else "y"


if __name__ == "__main__":
    serve(LoadsHalfFiles())
