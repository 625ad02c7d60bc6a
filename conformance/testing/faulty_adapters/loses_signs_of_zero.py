"""Makes every -0.0 of float32 a 0.0."""

import base64

from honest import Message, serve
from passes_x import PassesX


class LosesSignsOfZero(PassesX):
    """Lies in one respect."""

    def y(self, x: Message) -> Message:
        """Replace the elements whose only bit is the sign."""
        if x.get("type") != "float32":
            return super().y(x)
        data = base64.b64decode(x["data"])
        elements = [data[i : i + 4] for i in range(0, len(data), 4)]
        lost = b"".join(bytes(4) if each == b"\x00\x00\x00\x80" else each for each in elements)
        return {**x, "data": base64.b64encode(lost).decode()}


if __name__ == "__main__":
    serve(LosesSignsOfZero())
