"""Sends fewer bytes than its shape holds."""

from honest import Honest, Message, outputs, serve


class Contradiction(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Say that three elements are four in the trap."""
        return outputs([4], [1, 2, 3]) if self.trapped() else super().run(request)


if __name__ == "__main__":
    serve(Contradiction())
