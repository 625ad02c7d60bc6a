"""Writes lines that are not JSON."""

from honest import Honest, Message, say, serve


class Garbage(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Babble in the trap."""
        if self.trapped():
            say("Segmentation fault? No: \x00\x01 just babble\n")
        return super().run(request)


if __name__ == "__main__":
    serve(Garbage())
