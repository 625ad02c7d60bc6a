"""Answers fewer concurrent runs than were requested."""

from honest import Honest, Message, serve


class TooFewRuns(Honest):
    """Lies in one respect."""

    def concurrent(self, request: Message) -> Message:
        """Leave out the last."""
        return {"runs": super().concurrent(request)["runs"][:-1]}


if __name__ == "__main__":
    serve(TooFewRuns())
