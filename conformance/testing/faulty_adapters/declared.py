"""Declares that it cannot do int32."""

from honest import Honest, Message, serve


class Declared(Honest):
    """Describes itself truthfully."""

    def hello(self) -> Message:
        """Declare it, with a link."""
        narrow = {"what": "type:int32", "why": "it knows no int32", "link": "https://example.org/types"}
        return {**super().hello(), "unsupported_features": [narrow]}


if __name__ == "__main__":
    serve(Declared())
