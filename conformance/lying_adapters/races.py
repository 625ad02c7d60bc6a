"""Computes wrongly when runs meet, and only then."""

from honest import Honest, Message, serve


class Races(Honest):
    """Lies in one respect."""

    def concurrent(self, request: Message) -> Message:
        """Give the runs one memory: each answers what the last one computed."""
        answer = super().concurrent(request)
        return {"runs": [answer["runs"][-1]] * len(answer["runs"])}


if __name__ == "__main__":
    serve(Races())
