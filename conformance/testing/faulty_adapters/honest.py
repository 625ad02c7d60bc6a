"""An honest adapter, which the lying ones change in one point.

Its runtime negates: the model file begins with the word `negate`, the one input x and the output y are int32. Any
other model is refused.
"""

import base64
import json
import struct
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Message = dict[str, Any]


class Honest:
    """Answers every request truthfully."""

    model = Path()
    skips = True  # runs of a model that was refused

    def __init__(self) -> None:
        """Hold nothing yet."""
        self.held: dict[int, list[int]] = {}

    def hello(self) -> Message:
        """Describe the adapter; its name is the first argument of the process."""
        runtime = {"name": "Negator", "version": "1.0", "language": "Python", "home": "https://example.org"}
        return {
            "protocol": 1,
            "adapter": sys.argv[1],
            "runtime": runtime,
            "formats": ["onnx"],
            "computes": True,
            "threads": True,
            "holds": True,
            "unsupported_features": [],
        }

    def load(self, request: Message) -> Message:
        """Accept a model that begins with `negate`, refuse any other."""
        self.model = Path(request["model"])
        if self.said().startswith("negate"):
            return {"loaded": {"outputs": [{"name": "y", "type": "tensor(int32)", "shape": None}]}}
        return {"refused": {"message": "this model does not say negate"}}

    def run(self, request: Message) -> Message:
        """Return the negation of x, and hold it where that is requested."""
        x = request["inputs"][0]["value"]
        y = [-element for element in elements(x)]
        if request.get("hold"):
            self.held[request["id"]] = y
        return outputs(x["shape"], y)

    def reread(self, request: Message) -> Message:
        """Read held outputs again."""
        y = self.held[request["held"]]
        return outputs([len(y)], y)

    def concurrent(self, request: Message) -> Message:
        """Run each in a thread, once all are ready."""
        runs = request["runs"]
        answers: list[Message] = [{}] * len(runs)
        together = threading.Barrier(len(runs))

        def run_one(index: int) -> None:
            together.wait()
            answers[index] = self.run(runs[index])

        threads = [threading.Thread(target=run_one, args=[index]) for index in range(len(runs))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return {"runs": answers}

    def unload(self, request: Message) -> Message:
        """Drop the model and the held outputs."""
        self.held = {}
        return {"unloaded": {}}

    def end(self) -> None:
        """Do nothing more: the runner said bye, or is gone."""

    def trapped(self) -> bool:
        """Whether the current model is the one on which an adapter that lies only once does so."""
        return self.said().endswith("here is the trap")

    def said(self) -> str:
        """Return the contents of the model file: its path reveals nothing."""
        return self.model.read_text()


def elements(tensor: Message) -> tuple[int, ...]:
    """Return the elements of an int32 tensor."""
    data = base64.b64decode(tensor["data"])
    return struct.unpack(f"<{len(data) // 4}i", data)


def outputs(shape: list[int], values: list[int]) -> Message:
    """Return the answer that y is an int32 tensor of these values."""
    data = base64.b64encode(struct.pack(f"<{len(values)}i", *values)).decode()
    return {"outputs": [{"name": "y", "value": {"kind": "tensor", "type": "int32", "shape": shape, "data": data}}]}


def say(text: str) -> None:
    """Write to the runner, at once and unchanged."""
    sys.stdout.write(text)
    sys.stdout.flush()


def serve(adapter: Honest) -> None:
    """Answer requests until the runner sends bye or is gone."""
    loaded = False
    for line in sys.stdin:
        request = json.loads(line)
        command = request["cmd"]
        if command == "bye":
            break
        if command == "hello":
            answer = {"hello": adapter.hello()}
        elif command in ("run", "reread", "concurrent") and not loaded and adapter.skips:
            answer = {"id": request["id"], "skipped": {}}
        else:
            answer = {"id": request["id"], **getattr(adapter, command)(request)}
        if command in ("load", "unload"):
            loaded = "loaded" in answer
        say(json.dumps(answer) + "\n")
    adapter.end()


def serve_named(adapters: Mapping[str, Any]) -> None:
    """Serve the adapter that the first argument names: "wrong-id" is the class WrongId."""
    serve(adapters["".join(word.capitalize() for word in sys.argv[1].split("-"))]())


if __name__ == "__main__":
    serve(Honest())
