"""Answers unsupported for a feature that it never declared."""

from honest import Honest, Message, serve


class Undeclared(Honest):
    """Lies in one respect."""

    def load(self, request: Message) -> Message:
        """Answer unsupported."""
        return {"unsupported": {"what": "operator:If", "message": "too hard"}}


if __name__ == "__main__":
    serve(Undeclared())
