"""Writes a line that does not end."""

from honest import Honest, Message, say, serve


class Flood(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Write on and on in the trap."""
        while self.trapped():
            say("x" * 1048576)
        return super().run(request)


if __name__ == "__main__":
    serve(Flood())
