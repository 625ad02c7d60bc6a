"""Rereads the outputs of the last run, whichever was held."""

from honest import Message, serve
from passes_x import PassesX


class RereadsTheLast(PassesX):
    """Lies in one respect."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        super().__init__()
        self.last: Message = {}

    def run(self, request: Message) -> Message:
        """Remember the last answer."""
        self.last = super().run(request)
        return self.last

    def reread(self, request: Message) -> Message:
        """Return another run's outputs."""
        return self.last


if __name__ == "__main__":
    serve(RereadsTheLast())
