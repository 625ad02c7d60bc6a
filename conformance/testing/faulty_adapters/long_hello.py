"""Answers hello with 30 MB."""

from honest import Honest, Message, serve


class LongHello(Honest):
    """Lies in one respect."""

    def hello(self) -> Message:
        """Declare a home page with a very long address."""
        answer = super().hello()
        answer["runtime"]["home"] = "https://example.org/" + "a" * 30_000_000
        return answer


if __name__ == "__main__":
    serve(LongHello())
