"""Answers a run as if it were a load."""

from honest import Honest, Message, serve


class AnotherKind(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Say loaded in the trap."""
        return {"loaded": {"outputs": []}} if self.trapped() else super().run(request)


if __name__ == "__main__":
    serve(AnotherKind())
