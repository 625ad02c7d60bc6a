"""Ends a string at its first NUL."""

import base64

from honest import Message, serve
from passes_x import PassesX


class CutsAtNul(PassesX):
    """Lies in one respect."""

    def y(self, x: Message) -> Message:
        """Cut each element."""
        if "strings" not in x:
            return super().y(x)
        cut = [base64.b64decode(each).split(b"\0")[0] for each in x["strings"]]
        return {**x, "strings": [base64.b64encode(each).decode() for each in cut]}


if __name__ == "__main__":
    serve(CutsAtNul())
