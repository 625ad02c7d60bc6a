"""Computes, and every element of the result is one too large."""

from honest import Honest, Message, elements, outputs, serve


class AlwaysWrong(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Return the negation of x plus one."""
        x = request["inputs"][0]["value"]
        return outputs(x["shape"], [1 - element for element in elements(x)])


if __name__ == "__main__":
    serve(AlwaysWrong())
