"""Loads every model and computes on it."""

from honest import Honest, Message, serve


class AcceptEverything(Honest):
    """Lies in one respect."""

    def load(self, request: Message) -> Message:
        """Accept."""
        return {"loaded": {"outputs": []}}


if __name__ == "__main__":
    serve(AcceptEverything())
