"""Says that it has threads, runs one after the other, and gives the answers in the wrong order."""

from honest import Honest, Message, serve


class RunsOutOfOrder(Honest):
    """Lies in one respect."""

    def concurrent(self, request: Message) -> Message:
        """Take the last run first."""
        return {"runs": [self.run(run) for run in reversed(request["runs"])]}


if __name__ == "__main__":
    serve(RunsOutOfOrder())
