"""Answers with brackets within brackets, deep enough to exhaust a careless reader's stack."""

from honest import Honest, Message, say, serve


class Deep(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Nest in the trap."""
        if self.trapped():
            say("[" * 1000000 + "]" * 1000000 + "\n")
        return super().run(request)


if __name__ == "__main__":
    serve(Deep())
