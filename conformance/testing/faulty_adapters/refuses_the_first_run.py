"""Refuses the first run of each model, and no other."""

from honest import Honest, Message, serve


class RefusesTheFirstRun(Honest):
    """Lies in one respect."""

    has_run = False

    def load(self, request: Message) -> Message:
        """Begin anew with each model."""
        self.has_run = False
        return super().load(request)

    def run(self, request: Message) -> Message:
        """Refuse once."""
        if self.has_run:
            return super().run(request)
        self.has_run = True
        return {"refused": {"message": "not yet"}}


if __name__ == "__main__":
    serve(RefusesTheFirstRun())
