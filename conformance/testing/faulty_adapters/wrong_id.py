"""Answers with the wrong id."""

from honest import Honest, Message, serve


class WrongId(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Replace the right id in the trap."""
        answer = super().run(request)
        return {**answer, "id": request["id"] + 1} if self.trapped() else answer


if __name__ == "__main__":
    serve(WrongId())
