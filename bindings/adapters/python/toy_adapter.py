"""An adapter that prints, refuses and fails on purpose, for the SDK's tests. Its models name what to do."""

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from ifcert_adapter import (
    Adapter,
    Description,
    Other,
    Outputs,
    Port,
    Tensor,
    Unsupported,
    UnsupportedFeature,
    Value,
    serve,
)


class NotBuilt(Exception):  # noqa: N818 (as a runtime may call it)
    """The toy runtime's own not-implemented status."""


class Toy(Adapter):
    """Returns its inputs, unless the model names something else."""

    def __init__(self) -> None:
        """Print as some runtimes do when they are imported."""
        print("the toy runtime is imported")
        self._model = ""
        self._memory = np.zeros(1)
        self._meeting = threading.Barrier(3)

    def describe(self) -> Description:
        """Declare one missing feature, to be told apart from an undeclared one."""
        return Description(
            adapter="toy",
            runtime="toy",
            version="1",
            language="Python",
            home="https://example.org",
            threads=True,
            holds=True,
            unsupported_features=(
                UnsupportedFeature("type:complex64", "it has no complex numbers", "https://example.org/types"),
            ),
        )

    def not_implemented(self, error: Exception) -> str | None:
        """`NotBuilt` is the status."""
        return "NOT_BUILT" if isinstance(error, NotBuilt) else None

    def load(self, model: Path, model_format: str) -> list[Port]:
        """Fail as the model specifies."""
        del model_format
        self._model = model.read_text().strip()
        if self._model == "adapter fails":
            raise KeyError("outside the runtime block")
        with self.runtime():
            if self._model == "refused":
                raise ValueError("an If needs a cond")
            if self._model == "not built":
                raise NotBuilt("If is not built in")
        if self._model == "declared lack":
            raise Unsupported("type:complex64", "no complex numbers")
        if self._model == "undeclared lack":
            raise Unsupported("type:float64", "no doubles")
        return [Port("y", "tensor(float32)", (1, "N", None)), Port("z", None, None)]

    def hold(self, inputs: dict[str, Value]) -> Callable[[], Outputs]:
        """Use one buffer for all runs where the model names that: a later run overwrites an earlier one's output."""
        with self.runtime():
            result = inputs["x0"].array()
            if self._model == "one memory":
                self._memory[...] = result
                result = self._memory
        return lambda: [("y", Tensor.of(result))]

    def run(self, inputs: dict[str, Value]) -> Outputs:
        """Print in every possible way, where the model names that."""
        if self._model == "adapter fails to run":
            raise KeyError("outside the runtime block")
        with self.runtime():
            if self._model == "sleeps":
                time.sleep(0.05)
            if self._model == "waits for three":
                self._meeting.wait(10)
            if self._model == "refuses NaN" and np.isnan(inputs["x0"].array()).any():
                raise ValueError("a NaN")
            if self._model == "prints":
                print('{"id":0,"outputs":[]}')
                ctypes.CDLL(None).puts(b"by C")
                os.write(1, b"by descriptor\n")
                os.system("echo by a child")
                print("an error", file=sys.stderr)
            if self._model == "reads":
                return [("y", Other(f"read {sys.stdin.read()!r}"))]
        return list(inputs.items())


if __name__ == "__main__":
    serve(Toy)
