"""Computes, and every element comes out one too large."""

from honest import Honest, Message, elements, outputs, serve


class AlwaysWrong(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Give the negation of x and one more."""
        x = request["inputs"][0]["value"]
        return outputs(x["shape"], [1 - element for element in elements(x)])


if __name__ == "__main__":
    serve(AlwaysWrong())
