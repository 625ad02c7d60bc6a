"""Refuses a model that it should load, skips its runs, and continues in the same process."""

from honest import Honest, Message, outputs, serve


class RefusesTheTrap(Honest):
    """Lies in one respect."""

    refused = False

    def load(self, request: Message) -> Message:
        """Refuse the trap."""
        answer = super().load(request)
        if not self.trapped():
            return answer
        self.refused = True
        return {"refused": {"message": "not this one"}}

    def run(self, request: Message) -> Message:
        """Be wrong where another process had the trap."""
        after_the_trap = "after" in self.said()
        return super().run(request) if self.refused or not after_the_trap else outputs([1], [0])


if __name__ == "__main__":
    serve(RefusesTheTrap())
