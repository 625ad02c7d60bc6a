"""Refuses the trap and another model, and every model after one of them in the same process, with the same words."""

from honest import Honest, Message, serve


class DamagedByTwo(Honest):
    """Lies in two respects."""

    damaged = False

    def load(self, request: Message) -> Message:
        """Be damaged by either model."""
        answer = super().load(request)
        self.damaged = self.damaged or self.trapped() or self.said().endswith("after that")
        return {"refused": {"message": "the lock is poisoned"}} if self.damaged else answer


if __name__ == "__main__":
    serve(DamagedByTwo())
