"""Computes wrong values when runs overlap, and only then."""

from honest import Honest, Message, serve


class Races(Honest):
    """Lies in one respect."""

    def concurrent(self, request: Message) -> Message:
        """Use one buffer for all runs: each returns the result of the last one."""
        answer = super().concurrent(request)
        return {"runs": [answer["runs"][-1]] * len(answer["runs"])}


if __name__ == "__main__":
    serve(Races())
