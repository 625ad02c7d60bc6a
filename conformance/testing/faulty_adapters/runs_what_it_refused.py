"""Refuses a model, and answers its runs anyway."""

from honest import Honest, Message, serve


class RunsWhatItRefused(Honest):
    """Lies in one respect."""

    skips = False

    def load(self, request: Message) -> Message:
        """Refuse the trap."""
        answer = super().load(request)
        return {"refused": {"message": "not this one"}} if self.trapped() else answer


if __name__ == "__main__":
    serve(RunsWhatItRefused())
