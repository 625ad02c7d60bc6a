"""Returns the input as the output."""

from honest import Honest, Message, serve


class Echo(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Name the input y and send it back."""
        return {"outputs": [{"name": "y", "value": request["inputs"][0]["value"]}]}


if __name__ == "__main__":
    serve(Echo())
