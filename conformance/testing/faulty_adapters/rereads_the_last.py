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
        """Return another run's outputs, or none."""
        del request
        y = self.last["outputs"][0]["value"]
        return {"outputs": [{"name": "y", "value": {**y, "data": "A" * (len(y["data"]) - 2) + "=="}}]}


if __name__ == "__main__":
    serve(RereadsTheLast())
