"""Says at load that the output has a shape that it then does not have."""

from honest import Honest, Message, serve


class SaysAnotherShape(Honest):
    """Lies in one respect."""

    def load(self, request: Message) -> Message:
        """Say three rows of the trap's output."""
        answer = super().load(request)
        if self.trapped():
            answer["loaded"]["outputs"][0]["shape"] = [3]
        return answer


if __name__ == "__main__":
    serve(SaysAnotherShape())
