"""Adapters that answer otherwise after other models or runs.

The first argument names the adapter: "cured-by-the-trap" is CuredByTheTrap.
"""

from honest import Honest, Message, elements, outputs, serve_named


class CuredByTheTrap(Honest):
    """Refuses every model until its process has loaded the trap, and none after that."""

    cured = False

    def load(self, request: Message) -> Message:
        """Be cured by the trap."""
        answer = super().load(request)
        self.cured = self.cured or self.trapped()
        return answer if self.cured else {"refused": {"message": "not yet"}}


class DamagedByTheTrap(Honest):
    """Refuses the trap, and every model after it in the same process, with the same words."""

    damaged = False

    def load(self, request: Message) -> Message:
        """Be damaged by the trap."""
        answer = super().load(request)
        self.damaged = self.damaged or self.trapped()
        return {"refused": {"message": "the lock is poisoned"}} if self.damaged else answer


class DamagedByTwo(Honest):
    """Refuses the trap, another model, and every model after one of them in the same process, in the same words."""

    damaged = False

    def load(self, request: Message) -> Message:
        """Be damaged by either model."""
        answer = super().load(request)
        self.damaged = self.damaged or self.trapped() or self.said().endswith("after that")
        return {"refused": {"message": "the lock is poisoned"}} if self.damaged else answer


class EverySecondLoad(Honest):
    """Computes correctly after every load except each second one."""

    loads = 0

    def load(self, request: Message) -> Message:
        """Count the models."""
        self.loads += 1
        return super().load(request)

    def run(self, request: Message) -> Message:
        """Return the negation of x, plus one after each second load."""
        x = request["inputs"][0]["value"]
        return outputs(x["shape"], [-element + (self.loads % 2 == 0) for element in elements(x)])


class WrongAfterFirstModel(EverySecondLoad):
    """Computes correctly in a fresh process only: from the second model on, every element is one too large."""

    def run(self, request: Message) -> Message:
        """Return the negation of x, plus one if another model was loaded before."""
        x = request["inputs"][0]["value"]
        return outputs(x["shape"], [-element + (self.loads > 1) for element in elements(x)])


class OverwritesHeld(Honest):
    """Lets a later run overwrite held outputs."""

    def run(self, request: Message) -> Message:
        """Put the new output into the memory of every old one."""
        answer = super().run(request)
        fresh = elements(answer["outputs"][0]["value"])
        for old in self.held.values():
            old[:] = fresh[: len(old)]
        return answer


class Races(Honest):
    """Computes wrong values when runs overlap, and only then."""

    def concurrent(self, request: Message) -> Message:
        """Use one buffer for all runs: each returns the result of the last one."""
        answer = super().concurrent(request)
        return {"runs": [answer["runs"][-1]] * len(answer["runs"])}


if __name__ == "__main__":
    serve_named(globals())
