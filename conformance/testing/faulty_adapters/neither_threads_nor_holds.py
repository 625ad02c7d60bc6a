"""Declares neither threads nor holds, and would answer wrongly if they were requested anyway."""

from honest import Honest, Message, serve


class Plain(Honest):
    """Lies in one respect."""

    def hello(self) -> Message:
        """Declare no threads, and leave out holds."""
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
