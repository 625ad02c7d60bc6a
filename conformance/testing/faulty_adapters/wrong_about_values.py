"""Adapters that are wrong about one kind of value or model, as the smoke test must find.

The first argument names the adapter: "cuts-at-nul" is CutsAtNul.
"""

import base64

from chooses import Chooses
from honest import Message, serve_named
from passes_x import PassesX


class CutsAtNul(PassesX):
    """Ends a string at its first NUL."""

    def y(self, x: Message) -> Message:
        """Cut each element."""
        if "strings" not in x:
            return super().y(x)
        cut = [base64.b64decode(each).split(b"\0")[0] for each in x["strings"]]
        return {**x, "strings": [base64.b64encode(each).decode() for each in cut]}


class CutsLargeValues(PassesX):
    """Sends the first 64 kB of a value."""

    def y(self, x: Message) -> Message:
        """Cut the data."""
        y = super().y(x)
        return {**y, "data": y["data"][: 1 << 16]} if "data" in y else y


class CutsLongNames(PassesX):
    """Has room for 255 characters of a name."""

    def name(self) -> str:
        """Cut the name."""
        return super().name()[:255]


class FillsMissingData(Chooses):
    """Takes zeros for data that is missing."""

    def without_data(self, loaded: Message) -> Message:
        """Load the model with zeros."""
        self.weights = (0.0, 0.0)
        return loaded


class FillsTheAbsent(PassesX):
    """Has no absent optionals."""

    def y(self, x: Message) -> Message:
        """Put an empty tensor into an absent optional."""
        if "absent" not in x:
            return super().y(x)
        return {
            "kind": "optional",
            "of": x["of"],
            "value": {"kind": "tensor", "type": "float32", "shape": [0], "data": ""},
        }


class KeepsTheFirstModel(PassesX):
    """Ignores a load while another model is loaded."""

    loaded = False

    def load(self, request: Message) -> Message:
        """Keep the model that is loaded."""
        if self.loaded:
            return {"loaded": {"outputs": []}}
        answer = super().load(request)
        self.loaded = "loaded" in answer
        return answer

    def unload(self, request: Message) -> Message:
        """Drop the model."""
        self.loaded = False
        return super().unload(request)


class LoadsHalfFiles(PassesX):
    """Loads whatever is there."""

    def load(self, request: Message) -> Message:
        """Accept every file."""
        super().load(request)
        return {"loaded": {"outputs": []}}

    def name(self) -> str:
        """Return the usual name where there is none."""
        return super().name() if b"y" in self.content else "y"


class LosesSignsOfZero(PassesX):
    """Makes every -0.0 of float32 a 0.0."""

    def y(self, x: Message) -> Message:
        """Replace the elements whose only bit is the sign."""
        if x.get("type") != "float32":
            return super().y(x)
        data = base64.b64decode(x["data"])
        elements = [data[i : i + 4] for i in range(0, len(data), 4)]
        lost = b"".join(bytes(4) if each == b"\x00\x00\x00\x80" else each for each in elements)
        return {**x, "data": base64.b64encode(lost).decode()}


class MakesScalarsLists(PassesX):
    """Has no scalars."""

    def y(self, x: Message) -> Message:
        """Give a scalar a dimension."""
        return {**x, "shape": [1]} if x.get("shape") == [] else super().y(x)


class RereadsTheLast(PassesX):
    """Rereads the outputs of the last run, whichever was held."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        super().__init__()
        self.last: Message = {}

    def run(self, request: Message) -> Message:
        """Remember the last answer."""
        self.last = super().run(request)
        return self.last

    def reread(self, request: Message) -> Message:
        """Return another run's outputs, or none."""
        del request
        y, *others = self.last["outputs"]
        value = {**y["value"], "data": "A" * (len(y["value"]["data"]) - 2) + "=="}
        return {"outputs": [{**y, "value": value}, *others]}


class SkipsRefusedRuns(Chooses):
    """Hides the refusal of a run: it answers that the run was skipped, although the model was loaded."""

    def with_long_condition(self, inputs: Message) -> Message:
        """Answer as if the load had been refused."""
        del inputs
        return {"skipped": {}}


class SwapsNibbles(PassesX):
    """Packs the higher element of a byte first."""

    def y(self, x: Message) -> Message:
        """Swap the halves of each byte but the last, which may be half full."""
        if x.get("type") not in ("int4", "uint4", "float4e2m1"):
            return super().y(x)
        data = bytearray(base64.b64decode(x["data"]))
        data[:-1] = bytes((byte >> 4) | (byte & 15) << 4 for byte in data[:-1])
        return {**x, "data": base64.b64encode(data).decode()}


class TakesTheFirstOfCond(Chooses):
    """Runs where its runtime refuses: it hands on the first element of a condition alone."""

    def with_long_condition(self, inputs: Message) -> Message:
        """Choose by the first element."""
        return self.computed(inputs)


if __name__ == "__main__":
    serve_named(globals())
