"""tract, through its Python package: into_model() infers and declutters, into_runnable() optimises.

A model is prepared with the shapes of its file. Where tract refuses that, and the file leaves a shape of an input open,
the model is prepared in each run for the shapes and types of that run's inputs, as its documentation of InferenceModel
advises.

tract's README calls the crate `tract`, and for Python this package, its public API; tract-onnx and the others beneath
are not to be depended on. Both know inputs and outputs by position, and outputs by the names of their nodes, so the
adapter takes the outputs' names from the file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ifcert_adapter import (
    Adapter,
    AdapterError,
    Description,
    Outputs,
    Port,
    Tensor,
    Unsupported,
    UnsupportedFeature,
    Value,
    serve,
)

if TYPE_CHECKING:
    import numpy as np

TYPES = "https://docs.rs/tract-api/0.23.9/tract_api/enum.DatumType.html"
VALUES = "https://docs.rs/tract/0.23.9/tract/struct.Tensor.html"
RUN = "https://docs.rs/tract/0.23.9/tract/struct.Runnable.html"

# Element types that are not in its DatumType. Those of complex numbers need a feature that is off by default.
LACKING = (
    *("int2", "int4", "uint2", "uint4", "bfloat16", "complex64", "complex128", "string"),
    *("float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0", "float4e2m1"),
)

# The messages about features that it does not implement: the first is followed by an operator; the others are about
# shapes, all of which have to be known, as numbers or expressions of symbols, before a model runs.
LACKS = (
    "Unimplemented(",
    "shape input is variable",
    "Source node without a determined fact",
    "StridedSlice is typable only if axis is a const",
)


class Tract(Adapter):
    """One model at a time, prepared for the shapes of its file or of each run."""

    def __init__(self) -> None:
        """Its library is loaded here."""
        import onnx
        import tract

        self._onnx, self._tract = onnx, tract
        self._inputs: list[str] = []
        self._outputs: list[str] = []
        self._model: Path | None = None
        self._runnable = None

    def describe(self) -> Description:
        """The version is that of its native library."""
        types = [UnsupportedFeature(f"type:{name}", "DatumType does not list it", TYPES) for name in LACKING]
        kinds = [
            UnsupportedFeature(f"kind:{kind}", "a Tensor is its only value", VALUES)
            for kind in ("sequence", "optional")
        ]
        position = UnsupportedFeature("inputs:named", "run takes a list of all inputs", RUN)
        return Description(
            adapter="tract",
            runtime="tract",
            version=self._tract.version(),
            language="Rust",
            home="https://github.com/sonos/tract",
            holds=True,
            unsupported_features=(*types, *kinds, position),
        )

    def not_implemented(self, error: Exception) -> str | None:
        """It has no codes for errors."""
        return next((words.rstrip("(") for words in LACKS if words in str(error)), None)

    def load(self, model: Path, model_format: str) -> list[Port]:
        """By path, so that external data is found."""
        del model_format
        self.unload()
        with self.runtime():
            loaded = self._tract.onnx().load(model)
            inputs = range(loaded.input_count())
            self._inputs = [loaded.input_name(at) for at in inputs]
            self._outputs = [loaded.output_name(at) for at in range(loaded.output_count())]
            has_open_shapes = any(is_open(loaded.input_fact(at).dump()) for at in inputs)
            try:
                self._runnable = loaded.into_model().into_runnable()
            except self._tract.TractError:
                if not has_open_shapes:
                    raise
        self._model = model
        self._outputs = self._names_in_file(model) or self._outputs
        return [Port(name, None, None) for name in self._outputs]

    def _prepared(self, feeds: list[np.ndarray]) -> object:
        """The model for inputs of these shapes and types."""
        loaded = self._tract.onnx().load(self._model)
        for at, array in enumerate(feeds):
            loaded.set_input_fact(at, fact_of(array))
        return loaded.into_model().into_runnable()

    def _names_in_file(self, model: Path) -> list[str]:
        """The names of its outputs, or none where only tract can read it."""
        try:
            return [output.name for output in self._onnx.load(str(model), load_external_data=False).graph.output]
        except Exception:  # protobuf has several of its own
            return []

    def unload(self) -> None:
        """A model is destroyed with the last reference to it."""
        self._model = self._runnable = None

    def run(self, inputs: dict[str, Value]) -> Outputs:
        """Every output, in the order of the graph."""
        return self.hold(inputs)()

    def hold(self, inputs: dict[str, Value]) -> Callable[[], Outputs]:
        """Its own tensors are kept; each reading copies them."""
        if self._model is None:
            raise AdapterError("no model is loaded")
        feeds = [self._feed(inputs, name) for name in self._inputs]
        with self.runtime():
            if unknown := [name for name in inputs if name not in self._inputs]:
                raise LookupError(f"the model's inputs are {self._inputs}: there is no {unknown}")
            results = (self._runnable or self._prepared(feeds)).run(feeds)
        return lambda: [(name, self._read(result)) for name, result in zip(self._outputs, results, strict=True)]

    def _feed(self, inputs: dict[str, Value], name: str) -> np.ndarray:
        """The package passes a null pointer for one that is left out, so none is."""
        value = inputs.get(name)
        if value is None:
            raise Unsupported("inputs:named", f"{name} is left out")
        if not isinstance(value, Tensor):
            raise AdapterError(f"hello declares that there is no {type(value).__name__}")
        return value.array()

    def _read(self, result: object) -> Tensor:
        """For int64 it has a second type, TDim, of sizes (doc/symbolic-shapes.md); numpy's is the first."""
        try:
            return Tensor.of(result.to_numpy())
        except self._tract.TractError as error:
            if "TDim" not in str(error):
                raise
        with self.runtime():  # a size may still be an expression of symbols, which it refuses to convert
            numbers = result.convert_to(self._tract.DatumType.I64)
        return Tensor.of(numbers.to_numpy())


def is_open(fact: str) -> bool:
    """Whether a fact such as "2,n,f32" has a dim that is no number, or no known rank."""
    return not all(dim.isdecimal() for dim in fact.split(",")[:-1])


def fact_of(array: np.ndarray) -> str:
    """Its dims and its type, as in "2,3,f32"."""
    kind = array.dtype.kind
    element_type = "bool" if kind == "b" else f"{kind}{array.dtype.itemsize * 8}"
    return ",".join([*map(str, array.shape), element_type])


if __name__ == "__main__":
    serve(Tract)
