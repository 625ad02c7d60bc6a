"""Computes correctly in a fresh process only: from the second model on, every element is one too large."""

from honest import Honest, Message, elements, outputs, serve


class Warm(Honest):
    """Lies in one respect."""

    loads = 0

    def load(self, request: Message) -> Message:
        """Count the models."""
        self.loads += 1
        return super().load(request)

    def run(self, request: Message) -> Message:
        """Return the negation of x, plus one if another model was loaded before."""
        x = request["inputs"][0]["value"]
        return outputs(x["shape"], [-element + (self.loads > 1) for element in elements(x)])


if __name__ == "__main__":
    serve(Warm())
