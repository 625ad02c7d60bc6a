"""Refuses every model."""

from honest import Honest, Message, serve


class RefuseEverything(Honest):
    """Lies in one respect."""

    def load(self, request: Message) -> Message:
        """Refuse."""
        return {"refused": {"message": "no"}}


if __name__ == "__main__":
    serve(RefuseEverything())
