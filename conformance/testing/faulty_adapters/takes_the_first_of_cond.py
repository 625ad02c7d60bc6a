"""Runs where its runtime refuses: it hands on the first element of a condition alone."""

from chooses import Chooses
from honest import Message, serve


class TakesTheFirstOfCond(Chooses):
    """Lies in one respect."""

    def with_long_condition(self, inputs: Message) -> Message:
        """Choose by the first element."""
        return self.computed(inputs)


if __name__ == "__main__":
    serve(TakesTheFirstOfCond())
