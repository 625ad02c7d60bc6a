"""Refuses the trap, and every model after it in the same process, with the same words."""

from honest import Honest, Message, serve


class DamagedByTheTrap(Honest):
    """Lies in one respect."""

    damaged = False

    def load(self, request: Message) -> Message:
        """Be damaged by the trap."""
        answer = super().load(request)
        self.damaged = self.damaged or self.trapped()
        return {"refused": {"message": "the lock is poisoned"}} if self.damaged else answer


if __name__ == "__main__":
    serve(DamagedByTheTrap())
