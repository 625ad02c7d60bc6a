"""An honest adapter for the smoke test's own models: y is x, or -x of a float32 where the model has a Neg.

It knows a whole ONNX file by its end, the imported opset.
"""

import base64
import re
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
        if re.search(rb"B[\x02\x04](\n\x00)?\x10.$", self.content, re.DOTALL):
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
        return max(re.findall("y(?:-Ωλ名)*".encode(), self.content), key=len).decode()

    def run(self, request: Message) -> Message:
        """Pass x through."""
        x = next(each["value"] for each in request["inputs"] if not each["name"].startswith("cond"))
        answer = {"outputs": [{"name": self.name(), "value": self.y(x)}]}
        if request.get("hold"):
            self.answers[request["id"]] = answer
        return answer

    def reread(self, request: Message) -> Message:
        """Return held outputs again."""
        return self.answers[request["held"]]


if __name__ == "__main__":
    serve(PassesX())
