"""Refuses every model until its process has loaded the trap, and none after that."""

from honest import Honest, Message, serve


class CuredByTheTrap(Honest):
    """Lies in one respect."""

    cured = False

    def load(self, request: Message) -> Message:
        """Be cured by the trap."""
        answer = super().load(request)
        self.cured = self.cured or self.trapped()
        return answer if self.cured else {"refused": {"message": "not yet"}}


if __name__ == "__main__":
    serve(CuredByTheTrap())
