"""Declares threads, runs one after the other, and returns the answers in the wrong order."""

from honest import Honest, Message, serve


class RunsOutOfOrder(Honest):
    """Lies in one respect."""

    def concurrent(self, request: Message) -> Message:
        """Run the last one first."""
        return {"runs": [self.run(run) for run in reversed(request["runs"])]}


if __name__ == "__main__":
    serve(RunsOutOfOrder())
