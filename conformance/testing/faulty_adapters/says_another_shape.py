"""Declares at load a shape that the output then does not have."""

from honest import Honest, Message, serve


class SaysAnotherShape(Honest):
    """Lies in one respect."""

    def load(self, request: Message) -> Message:
        """Declare three rows for the trap's output."""
        answer = super().load(request)
        if self.trapped():
            answer["loaded"]["outputs"][0]["shape"] = [3]
        return answer


if __name__ == "__main__":
    serve(SaysAnotherShape())
