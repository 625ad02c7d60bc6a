"""Packs the higher element of a byte first."""

import base64

from honest import Message, serve
from passes_x import PassesX


class SwapsNibbles(PassesX):
    """Lies in one respect."""

    def y(self, x: Message) -> Message:
        """Swap the halves of each byte but the last, which may be half full."""
        if x.get("type") not in ("int4", "uint4", "float4e2m1"):
            return super().y(x)
        data = bytearray(base64.b64decode(x["data"]))
        data[:-1] = bytes((byte >> 4) | (byte & 15) << 4 for byte in data[:-1])
        return {**x, "data": base64.b64encode(data).decode()}


if __name__ == "__main__":
    serve(SwapsNibbles())
