"""An honest adapter for the smoke test's own models: y is x, or -x of a float32 where the model has a Neg.

Where the model has an output `way`, it is 1 from then and 2 from else.

It knows a whole ONNX file by the lengths of its fields.
"""

import base64
import re
import struct
from pathlib import Path

from honest import Honest, Message, serve


class PassesX(Honest):
    """Answers every request truthfully, values of all types."""

    def __init__(self) -> None:
        """Hold nothing yet."""
        super().__init__()
        self.answers: dict[int, Message] = {}
        self.content = b""

    def load(self, request: Message) -> Message:
        """Refuse what does not end as a model does."""
        self.content = Path(request["model"]).read_bytes()
        if is_whole(self.content):
            return {"loaded": {"outputs": []}}
        return {"refused": {"message": "this file is not whole"}}

    def y(self, x: Message) -> Message:
        """Return the value of the output."""
        if b"Neg" not in self.content:
            return x
        data = bytearray(base64.b64decode(x["data"]))
        data[3::4] = bytes(byte ^ 0x80 for byte in data[3::4])
        return {**x, "data": base64.b64encode(data).decode()}

    def name(self) -> str:
        """Return the name of the output, which is y and perhaps a long tail."""
        return self.longest("(?<!wa)y")

    def longest(self, name: str) -> str:
        """Return the name with the longest tail that the model has, or nothing."""
        return max(re.findall(f"{name}(?:-Ωλ名)*".encode(), self.content), key=len, default=b"").decode()

    def way(self, cond: Message) -> list[Message]:
        """Return the output that says which branch ran, where there is one."""
        name = self.longest("way")
        number = struct.pack("<f", 1 if base64.b64decode(cond["data"])[0] else 2)
        value = {"kind": "tensor", "type": "float32", "shape": [], "data": base64.b64encode(number).decode()}
        return [{"name": name, "value": value}] if name else []

    def run(self, request: Message) -> Message:
        """Pass x through."""
        cond, x = (each["value"] for each in sorted(request["inputs"], key=lambda each: each["name"]))
        answer = {"outputs": [{"name": self.name(), "value": self.y(x)}, *self.way(cond)]}
        if request.get("hold"):
            self.answers[request["id"]] = answer
        return answer

    def reread(self, request: Message) -> Message:
        """Return held outputs again."""
        return self.answers[request["held"]]


def is_whole(data: bytes) -> bool:
    """Whether the bytes are the fields of one protobuf message, and nothing is missing."""
    at, fields = 0, 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 not in (0, 2):
            return False
        number, at = varint(data, at)
        at += number if tag & 7 == 2 else 0
        fields += 1
    return fields > 1 and at == len(data)


def varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number there, and where it ends."""
    number = shift = 0
    while at < len(data):
        number |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            break
    return number, at


if __name__ == "__main__":
    serve(PassesX())
