"""An adapter that prints, refuses and fails on purpose: the SDK's tests talk to it. Its models name what to do."""

import ctypes
import os
import sys
from pathlib import Path

from ifcert_adapter import Adapter, Cannot, Description, Other, Port, Unsupported, Value, serve


class NotBuilt(Exception):  # noqa: N818 (as a runtime may call it)
    """The toy runtime's own not-implemented status."""


class Toy(Adapter):
    """Gives back its inputs, unless the model asks for something else."""

    def __init__(self) -> None:
        """Print as some runtimes do when they are imported."""
        print("the toy runtime is imported")
        self._model = ""

    def describe(self) -> Description:
        """One declared lack, so that an undeclared one can be told from it."""
        return Description(
            adapter="toy",
            runtime="toy",
            version="1",
            language="Python",
            home="https://example.org",
            cannot=(Cannot("type:complex64", "it has no complex numbers", "https://example.org/types"),),
        )

    def not_implemented(self, error: Exception) -> str | None:
        """`NotBuilt` is the status."""
        return "NOT_BUILT" if isinstance(error, NotBuilt) else None

    def load(self, model: Path, model_format: str) -> list[Port]:
        """Fail as the model says."""
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

    def run(self, inputs: dict[str, Value]) -> list[tuple[str, Value]]:
        """Print by every road there is, where the model says so."""
        with self.runtime():
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
