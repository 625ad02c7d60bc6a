"""Declares another version of the runtime than its manifest pins."""

from honest import Honest, Message, serve


class AnotherVersion(Honest):
    """Lies in one respect."""

    def hello(self) -> Message:
        """Name another version."""
        answer = super().hello()
        answer["runtime"]["version"] = "2.0"
        return answer


if __name__ == "__main__":
    serve(AnotherVersion())
