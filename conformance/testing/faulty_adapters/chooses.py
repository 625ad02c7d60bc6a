"""Honest, and it also computes the two models of the smoke test whose branches differ.

One reads what it adds from a file beside it; the other doubles or negates.
"""

import base64
import struct
from pathlib import Path

from honest import Message, serve
from passes_x import PassesX

FACTORS = (3.0, 5.0)  # of the branch that is not chosen, which are in the model file


class Chooses(PassesX):
    """Refuses a model without its data, and a condition that is not a single element."""

    weights: tuple[float, ...] = ()

    def load(self, request: Message) -> Message:
        """Read the data now: it goes with the model."""
        answer = super().load(request)
        if b"weights.bin" not in self.content or "loaded" not in answer:
            return answer
        file = Path(request["model"]).parent / "weights.bin"
        if not file.exists():
            return self.without_data(answer)
        self.weights = struct.unpack("<2f", file.read_bytes())
        return answer

    def without_data(self, loaded: Message) -> Message:
        """Return the answer to a load of a model whose data is missing."""
        del loaded
        return {"refused": {"message": "weights.bin is missing"}}

    def run(self, request: Message) -> Message:
        """Choose by the condition."""
        inputs = {each["name"]: each["value"] for each in request["inputs"]}
        if b"weights.bin" not in self.content and b"doubled" not in self.content:
            return super().run(request)
        if len(base64.b64decode(inputs["cond"]["data"])) != 1:
            return self.with_long_condition(inputs)
        return self.computed(inputs)

    def with_long_condition(self, inputs: Message) -> Message:
        """Return the answer to a run whose condition has several elements."""
        del inputs
        return {"refused": {"message": "the condition is not a single element"}}

    def computed(self, inputs: Message) -> Message:
        """Return y, by the first element of the condition."""
        is_then = base64.b64decode(inputs["cond"]["data"])[0] == 1
        x = struct.unpack("<2f", base64.b64decode(inputs["x"]["data"]))
        if b"doubled" in self.content:
            y = [each + each if is_then else -each for each in x]
        elif is_then:
            y = [each + weight for each, weight in zip(x, self.weights, strict=True)]
        else:
            y = [each * factor for each, factor in zip(x, FACTORS, strict=True)]
        data = base64.b64encode(struct.pack("<2f", *y)).decode()
        return {"outputs": [{"name": "y", "value": {**inputs["x"], "data": data}}]}


if __name__ == "__main__":
    serve(Chooses())
