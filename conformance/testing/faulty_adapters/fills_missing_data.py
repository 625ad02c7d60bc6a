"""Takes zeros for data that is missing."""

from chooses import Chooses
from honest import Message, serve


class FillsMissingData(Chooses):
    """Lies in one respect."""

    def without_data(self, loaded: Message) -> Message:
        """Load the model with zeros."""
        self.weights = (0.0, 0.0)
        return loaded


if __name__ == "__main__":
    serve(FillsMissingData())
