"""onnx.reference.ReferenceEvaluator, the evaluator that comes with the onnx package."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from ifcert_adapter import Adapter, AdapterError, Description, Outputs, Port, Value, serve
from ifcert_onnx_values import declared_shape, element_names, feed, read, type_name

# Its messages about what it does not implement, in RuntimeErrors. The last one it also has for operators that an opset
# lacks, where it is a refusal; DequantizeLinear exists from opset 10 on.
LACKS = re.compile(
    r"Scan is not implemented for other [\w ]+ than 0"
    r"|Scan with zero scan-input length and scan outputs is not supported"
    r"|No implementation for operator 'DequantizeLinear' domain '' and version 1\d, found 19"
)


class ReferenceEvaluator(Adapter):
    """It checks next to nothing at load: that is the checker's task."""

    def __init__(self) -> None:
        """The evaluator is Python, so its exceptions are its only messages."""
        import onnx.reference

        self._onnx = onnx
        self._elements = element_names(dict(onnx.TensorProto.DataType.items()))
        self._evaluator = None

    def describe(self) -> Description:
        """The version is that of the installed package."""
        return Description(
            adapter="onnx-reference",
            runtime="onnx.reference.ReferenceEvaluator",
            version=self._onnx.__version__,
            language="Python",
            home="https://onnx.ai/onnx/api/reference.html",
            holds=True,  # its documentation does not mention threads
        )

    def not_implemented(self, error: Exception) -> str | None:
        """The evaluator's RuntimeImplementationError is a NotImplementedError, it raises that itself too, or words."""
        if isinstance(error, NotImplementedError):
            return type(error).__name__
        lack = LACKS.search(str(error)) if isinstance(error, RuntimeError) else None
        return lack and lack[0]

    def load(self, model: Path, model_format: str) -> list[Port]:
        """By path, so that external data is found."""
        del model_format
        self.unload()
        with self.runtime():
            self._evaluator = self._onnx.reference.ReferenceEvaluator(str(model))
        types = zip(self._evaluator.output_names, self._evaluator.output_types, strict=True)
        return [Port(name, type_name(kind, self._elements), declared_shape(kind)) for name, kind in types]

    def unload(self) -> None:
        """An evaluator is destroyed with the last reference to it."""
        self._evaluator = None

    def run(self, inputs: dict[str, Value]) -> Outputs:
        """Every output, in the order of the graph."""
        return self.hold(inputs)()

    def hold(self, inputs: dict[str, Value]) -> Callable[[], Outputs]:
        """The evaluator returns numpy arrays and lists of them; they are kept unchanged."""
        if self._evaluator is None:
            raise AdapterError("no model is loaded")
        feeds = {name: feed(value) for name, value in inputs.items()}
        with self.runtime():
            results = self._evaluator.run(None, feeds)
        names = self._evaluator.output_names
        kinds = [type_name(kind, self._elements) for kind in self._evaluator.output_types]
        return lambda: [(name, read(result, kind)) for name, result, kind in zip(names, results, kinds, strict=True)]


if __name__ == "__main__":
    serve(ReferenceEvaluator)
