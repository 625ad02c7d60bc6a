"""Declares neither threads nor holds, and would answer wrongly where it were asked nevertheless."""

from honest import Honest, Message, serve


class Plain(Honest):
    """Lies in one respect."""

    def hello(self) -> Message:
        """Say so; that there is no hold by not speaking of it."""
        description = {**super().hello(), "threads": False}
        del description["holds"]
        return description

    def run(self, request: Message) -> Message:
        """Refuse to hold."""
        return {"refused": {"message": "it cannot hold"}} if "hold" in request else super().run(request)

    def concurrent(self, request: Message) -> Message:
        """Refuse every run."""
        return {"runs": [{"refused": {"message": "it has no threads"}} for _ in request["runs"]]}


if __name__ == "__main__":
    serve(Plain())
