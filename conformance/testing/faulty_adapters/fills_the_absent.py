"""Has no absent optionals."""

from honest import Message, serve
from passes_x import PassesX


class FillsTheAbsent(PassesX):
    """Lies in one respect."""

    def y(self, x: Message) -> Message:
        """Put an empty tensor into an absent optional."""
        if "absent" not in x:
            return super().y(x)
        return {
            "kind": "optional",
            "of": x["of"],
            "value": {"kind": "tensor", "type": "float32", "shape": [0], "data": ""},
        }


if __name__ == "__main__":
    serve(FillsTheAbsent())
