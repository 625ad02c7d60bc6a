"""Any backend of the onnx package's interface: onnx.load, then prepare(model), then run(inputs), as its users do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from backend import backend_named, page_of, version_of
from ifcert_adapter import (
    Adapter,
    AdapterError,
    Description,
    Outputs,
    Port,
    Unsupported,
    UnsupportedFeature,
    Value,
    serve,
)
from ifcert_onnx_values import declared_shape, element_names, feed, read, type_name

INTERFACE = "https://onnx.ai/onnx/api/backend.html"


class OnnxBackend(Adapter):
    """The interface takes a model that was parsed before, so a file that cannot be parsed is refused by onnx.load."""

    def __init__(self, name: str) -> None:
        """Imports the backend, and the onnx package that it uses."""
        import onnx

        self._onnx = onnx
        self._name = name
        self._backend = backend_named(name)
        self._elements = element_names(dict(onnx.TensorProto.DataType.items()))
        self._inputs: list[str] = []
        self._ports: list[Port] = []
        self._prepared = None

    def describe(self) -> Description:
        """The interface does not mention threads; its inputs are a list."""
        return Description(
            adapter=f"onnx-backend:{self._name}",
            runtime=self._name,
            version=version_of(self._name),
            language="Python",
            home=page_of(self._name),
            holds=True,
            unsupported_features=(UnsupportedFeature("inputs:named", "run takes a list of inputs", INTERFACE),),
        )

    def not_implemented(self, error: Exception) -> str | None:
        """Besides is_compatible, which is called in load, a backend can raise this."""
        return type(error).__name__ if isinstance(error, NotImplementedError) else None

    def load(self, model: Path, model_format: str) -> list[Port]:
        """With external data, which onnx.load reads into the model."""
        del model_format
        self.unload()
        with self.runtime():
            proto = self._onnx.load(str(model))
            is_compatible = getattr(self._backend, "is_compatible", None)
            compatible = is_compatible is None or is_compatible(proto, device="CPU")
        if not compatible:
            raise Unsupported("model", "is_compatible(model) is false", status="is_compatible")
        with self.runtime():
            self._prepared = self._backend.prepare(proto, device="CPU")
        self._inputs = [port.name for port in proto.graph.input]
        self._ports = [
            Port(port.name, type_name(port.type, self._elements), declared_shape(port.type))
            for port in proto.graph.output
        ]
        return self._ports

    def unload(self) -> None:
        """The prepared model is destroyed with the last reference to it."""
        self._prepared = None

    def run(self, inputs: dict[str, Value]) -> Outputs:
        """Every output, in the order of the graph."""
        return self.hold(inputs)()

    def hold(self, inputs: dict[str, Value]) -> Callable[[], Outputs]:
        """Inputs are passed by position: those that have an initializer instead may only be the last ones."""
        if self._prepared is None:
            raise AdapterError("no model is loaded")
        names = [name for name in self._inputs if name in inputs]
        if names != self._inputs[: len(names)] or len(names) != len(inputs):
            raise Unsupported("inputs:named", f"run takes a list, which cannot be {', '.join(sorted(inputs))} alone")
        feeds = [feed(inputs[name]) for name in names]
        with self.runtime():
            results = list(self._prepared.run(feeds))
        names = [port.name for port in self._ports] + [f"result {i}" for i in range(len(self._ports), len(results))]
        kinds = [port.type for port in self._ports] + [None] * len(results)
        return lambda: [(name, read(result, kind)) for name, result, kind in zip(names, results, kinds, strict=False)]


if __name__ == "__main__":
    sys.path.append(sys.argv[2])
    serve(lambda: OnnxBackend(sys.argv[1]))
