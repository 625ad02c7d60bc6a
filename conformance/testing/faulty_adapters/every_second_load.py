"""Computes correctly after every load except each second one."""

from honest import Honest, Message, elements, outputs, serve


class EverySecondLoad(Honest):
    """Lies in one respect."""

    loads = 0

    def load(self, request: Message) -> Message:
        """Count the models."""
        self.loads += 1
        return super().load(request)

    def run(self, request: Message) -> Message:
        """Return the negation of x, plus one after each second load."""
        x = request["inputs"][0]["value"]
        return outputs(x["shape"], [-element + (self.loads % 2 == 0) for element in elements(x)])


if __name__ == "__main__":
    serve(EverySecondLoad())
