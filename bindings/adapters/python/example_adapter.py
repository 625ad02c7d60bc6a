"""A complete adapter, for a runtime of three lines whose models are text files that name a numpy function."""

from pathlib import Path

from ifcert_adapter import Adapter, Description, Port, Tensor, Value, serve


class NumpyByName(Adapter):
    """Its models have one input and one output, y."""

    def __init__(self) -> None:
        """Import the runtime here, after `serve` has moved the protocol away from standard output."""
        import numpy

        self._numpy = numpy
        self._function = None

    def describe(self) -> Description:
        """The version comes from the runtime itself."""
        return Description(
            adapter="example",
            runtime="numpy by name",
            version=self._numpy.__version__,
            language="Python",
            home="https://numpy.org",
        )

    def load(self, model: Path, model_format: str) -> list[Port]:
        """The block has only calls of the runtime: an unreadable file is not the runtime's fault."""
        del model_format
        content = model.read_bytes()
        with self.runtime():
            self._function = getattr(self._numpy, content.decode().strip())
        return [Port("y", None, None)]

    def run(self, inputs: dict[str, Value]) -> list[tuple[str, Value]]:
        """`Tensor.of` copies, so a later run cannot change the answer of this one."""
        arrays = [value.array() for value in inputs.values()]
        with self.runtime():
            result = self._function(*arrays)
        return [("y", Tensor.of(result))]


if __name__ == "__main__":
    serve(NumpyByName)
