"""An adapter for My Runtime, to be filled in at FILL 1 to FILL 5; docs/adapter_guide.md explains each."""

from pathlib import Path

from ifcert_adapter import Adapter, AdapterError, Description, Optional, Port, Sequence, Tensor, Value, serve


class MyRuntime(Adapter):
    """One model at a time. Put the calls of the runtime inside `self.runtime()`, and nothing else."""

    def __init__(self) -> None:
        """Import the runtime here: from now on, nothing it prints can be mistaken for an answer."""
        # FILL 1: import my_runtime; self._my_runtime = my_runtime
        self._model = None

    def describe(self) -> Description:
        """`adapter` and `version` are those of adapter.json; ask the runtime for its version, do not copy it."""
        # FILL 2: the names, and version=self._my_runtime.__version__
        return Description(
            adapter="my-runtime",
            runtime="My Runtime",
            version="1.0",
            language="Python",
            home="https://example.org/my-runtime",
            # unsupported_features=(UnsupportedFeature("kind:sequence", "it has tensors only", "https://example.org"),),
        )

    def not_implemented(self, error: Exception) -> str | None:
        """The runtime's own not-implemented status, where `error` is one; every other error is a refusal."""
        return "NotImplementedError" if isinstance(error, NotImplementedError) else None

    def load(self, model: Path, model_format: str) -> list[Port]:
        """Load from the path (external data is beside it); return the outputs in the model's order."""
        del model_format
        self.unload()
        # FILL 3: with self.runtime(): self._model = self._my_runtime.load(str(model))
        #         return [Port(name, None, None) for name in self._model.output_names]
        raise AdapterError(f"FILL 3 of the template is still to be filled in: load {model.name}")

    def unload(self) -> None:
        """Drop the model."""
        self._model = None

    def run(self, inputs: dict[str, Value]) -> list[tuple[str, Value]]:
        """Return every output, in the model's order."""
        if self._model is None:
            raise AdapterError("no model is loaded")
        feeds = {name: feed(value) for name, value in inputs.items()}
        # FILL 4: with self.runtime(): results = self._model.run(feeds)
        #         return [(name, read(result)) for name, result in zip(self._model.output_names, results, strict=True)]
        raise AdapterError(f"FILL 4 of the template is still to be filled in: run with {', '.join(feeds)}")


def feed(value: Value) -> object:
    """A value in the runtime's form: FILL 5 where that is not arrays, lists of arrays, and None."""
    match value:
        case Tensor():
            return value.array()  # of codes (element bits) for the types that numpy lacks: Tensor.of(codes, "bfloat16")
        case Sequence():
            return [feed(item) for item in value.items]
        case Optional():
            return None if value.value is None else feed(value.value)
    raise AdapterError(f"a {type(value).__name__} cannot be an input")


def read(result: object) -> Value:
    """The runtime's result, unconverted: a wrong type is a finding. FILL 5 again."""
    if result is None:
        return Optional(None, None)
    if isinstance(result, list):
        items = tuple(Tensor.of(item) for item in result)
        return Sequence(items[0].type_name if items else None, items)
    return Tensor.of(result)


if __name__ == "__main__":
    serve(MyRuntime)
