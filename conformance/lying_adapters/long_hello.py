"""Says 30 MB of itself."""

from honest import Honest, Message, serve


class LongHello(Honest):
    """Lies in one respect."""

    def hello(self) -> Message:
        """Have a home page whose address has no end."""
        answer = super().hello()
        answer["runtime"]["home"] = "https://example.org/" + "a" * 30_000_000
        return answer


if __name__ == "__main__":
    serve(LongHello())
