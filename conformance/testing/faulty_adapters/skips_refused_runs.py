"""Hides the refusal of a run: it answers that the run was skipped, although the model was loaded."""

from chooses import Chooses
from honest import Message, serve


class SkipsRefusedRuns(Chooses):
    """Lies in one respect."""

    def with_long_condition(self, inputs: Message) -> Message:
        """Answer as if the load had been refused."""
        del inputs
        return {"skipped": {}}


if __name__ == "__main__":
    serve(SkipsRefusedRuns())
