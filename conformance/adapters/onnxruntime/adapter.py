"""ONNX Runtime through its Python package: CPU, one thread.

With --no-optimization no graph rewriting takes place. With --openvino its OpenVINO execution provider runs what it
supports, on the CPU, and ONNX Runtime's own provider the rest, as for every user of that provider.
"""

from __future__ import annotations

import argparse
import ctypes
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from ifcert_adapter import (
    CODE_BITS,
    Adapter,
    AdapterError,
    Description,
    Optional,
    Other,
    Outputs,
    Port,
    Sequence,
    Tensor,
    Unsupported,
    UnsupportedFeature,
    Value,
    serve,
)

if TYPE_CHECKING:
    from onnxruntime import NodeArg, OrtValue

# The runtime's names of element types, where they differ from ours.
OUR_NAMES = {"float": "float32", "double": "float64"}

# ONNX's numbers (TensorProto.DataType) of the element types that numpy lacks.
ONNX_NUMBERS = {
    "bfloat16": 16,
    "float8e4m3fn": 17,
    "float8e4m3fnuz": 18,
    "float8e5m2": 19,
    "float8e5m2fnuz": 20,
    "uint4": 21,
    "int4": 22,
    "float4e2m1": 23,
    "float8e8m0": 24,
    "uint2": 25,
    "int2": 26,
}

OPENVINO = ("OpenVINOExecutionProvider", {"device_type": "CPU", "precision": "ACCURACY", "num_of_threads": "1"})
CPU = "CPUExecutionProvider"


class Variant(NamedTuple):
    """A way to use the runtime, which is an adapter of its own."""

    adapter: str
    providers: tuple[str | tuple[str, dict[str, str]], ...]
    optimize: bool


VARIANTS = {
    None: Variant("onnxruntime", (CPU,), optimize=True),
    "no-optimization": Variant("onnxruntime-noopt", (CPU,), optimize=False),
    "openvino": Variant("onnxruntime-openvino", (OPENVINO, CPU), optimize=True),
}

C_API = "https://onnxruntime.ai/docs/api/c/group___global.html"
VERSIONS = "https://onnxruntime.ai/docs/reference/compatibility.html"
NO_OPSET = "the runtime itself: 'Current official support for domain ai.onnx is till opset 26'"
NO_COMPLEX = "ONNXTensorElementDataType: 'Currently, Ort doesn't support complex64, complex128'"

# Features that the runtime may support, but its Python package has no call for: not a failure of the runtime.
PYTHON_API = "https://onnxruntime.ai/docs/api/python/api_summary.html"
NO_SEQUENCE = "the Python API represents a sequence as a list of numpy arrays, and numpy has no such element type"

# Its messages about unsupported features under a status that refusals have too.
LACKS = re.compile(
    r"MLDataType for: \S+ is not currently registered or supported|Unsupported model IR version: 14, max supported.*"
    # OpenVINO's words. Where they name a node that the provider has made itself, the failure is its own.
    r"|CPU plug-in doesn't support \w+ operation with dynamic rank"
    r"|OpenVINO does not support the following ONNX operations: (?!.*com\.intel\.ai).*"
)

UNSUPPORTED_FEATURES = (
    *(UnsupportedFeature(f"type:{name}", NO_COMPLEX, C_API) for name in ("complex64", "complex128")),
    *(UnsupportedFeature(f"opset:{number}", NO_OPSET, VERSIONS) for number in (27, 28)),
    *(UnsupportedFeature(f"value:seq(tensor({name}))", NO_SEQUENCE, PYTHON_API) for name in CODE_BITS),
)

# The provider's device has its own page.
CPU_DEVICE = (
    "https://docs.openvino.ai/2026/openvino-workflow/running-inference/inference-devices-and-modes/cpu-device.html"
)
COMPUTES_IN_32_BITS = "'Supported Inference Data Types' of the CPU device are of 32 bits or fewer, and not u32"
UNSUPPORTED_BY_OPENVINO = tuple(
    UnsupportedFeature(f"exact:{name}", COMPUTES_IN_32_BITS, CPU_DEVICE)
    for name in ("int64", "uint32", "uint64", "float64")
)


class OnnxRuntime(Adapter):
    """One session at a time; the declared types of its outputs determine how they are read."""

    def __init__(self, variant: Variant) -> None:
        """The log goes to standard error, where the runner keeps it as evidence."""
        import onnxruntime

        self._ort = onnxruntime
        self._variant = variant
        self._options = onnxruntime.SessionOptions()
        self._options.intra_op_num_threads = 1
        self._options.inter_op_num_threads = 1
        if not variant.optimize:
            self._options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        self._session = None
        self._declared: dict[str, str | None] = {}  # the types of the model's outputs, in order

    def describe(self) -> Description:
        """The version is that of the installed package."""
        lacking = UNSUPPORTED_BY_OPENVINO if OPENVINO in self._variant.providers else ()
        return Description(
            adapter=self._variant.adapter,
            runtime="ONNX Runtime",
            version=self._ort.__version__,
            language="C++ through Python",
            home="https://onnxruntime.ai",
            threads=True,
            holds=True,
            unsupported_features=(*UNSUPPORTED_FEATURES, *lacking),
        )

    def not_implemented(self, error: Exception) -> str | None:
        """ONNX Runtime has a status for that; for some types and the newest IR version only the message states it."""
        if isinstance(error, self._ort.capi.onnxruntime_pybind11_state.NotImplemented):
            return "NOT_IMPLEMENTED"
        lack = LACKS.search(str(error))
        return lack and lack[0]

    def load(self, model: Path, model_format: str) -> list[Port]:
        """A session made from the path, so that external data is found."""
        del model_format
        self.unload()
        with self.runtime():
            self._session = self._ort.InferenceSession(
                str(model), self._options, providers=list(self._variant.providers)
            )
        outputs = self._session.get_outputs()
        self._declared = {output.name: our_type(output.type) for output in outputs}
        return [Port(output.name, our_type(output.type), declared_shape(output)) for output in outputs]

    def unload(self) -> None:
        """A session is destroyed with the last reference to it; that is the runtime's work, and counts as its time."""
        with self.runtime():
            self._session = None

    def run(self, inputs: dict[str, Value]) -> Outputs:
        """`run` reads whatever numpy has, strings and sequences included; tensors of other types are read as OrtValues.

        A model with outputs of both kinds is run once for each kind: no call of the Python API reads both.
        """
        declared = self._declared
        self._expect_calls_for(inputs)
        raw = [name for name, kind in declared.items() if element_of(kind) in CODE_BITS]
        natural = [name for name in declared if name not in raw]
        feeds = {name: self._feed(value) for name, value in inputs.items()}
        found: dict[str, Value] = {}
        if natural:
            with self.runtime():
                results = self._session.run(natural, feeds)
            found |= {name: read(result, declared[name]) for name, result in zip(natural, results, strict=True)}
        if raw:
            values = self._as_ort_values(feeds)
            with self.runtime():
                results = self._session.run_with_ort_values(raw, values)
            found |= {name: read_memory(result, declared[name]) for name, result in zip(raw, results, strict=True)}
        return [(name, found[name]) for name in declared]

    def hold(self, inputs: dict[str, Value]) -> Callable[[], Outputs]:
        """Tensors are kept as OrtValues, the runtime's own memory; `run` returns numpy arrays that are copies already.

        Where an input or an output cannot be an OrtValue in the Python API, the result of `run` is kept.
        """
        declared = self._declared
        self._expect_calls_for(inputs)
        feeds = {name: self._feed(value) for name, value in inputs.items()}
        if all(is_numeric(kind) for kind in declared.values()) and all(map(self._fits_ort_value, feeds.values())):
            values = self._as_ort_values(feeds)
            with self.runtime():
                kept = self._session.run_with_ort_values(list(declared), values)
            return lambda: [
                (name, read_memory(value, kind)) for (name, kind), value in zip(declared.items(), kept, strict=True)
            ]
        with self.runtime():
            results = self._session.run(list(declared), feeds)
        return lambda: [
            (name, read(result, kind)) for (name, kind), result in zip(declared.items(), results, strict=True)
        ]

    def _expect_calls_for(self, inputs: dict[str, Value]) -> None:
        """Unsupported where the Python API has no calls for the type of an input or an output."""
        if self._session is None:
            raise AdapterError("no model is loaded")
        for kind in [*map(type_of, inputs.values()), *self._declared.values()]:
            if kind is not None and "seq(" in kind and element_of_sequence(kind) in CODE_BITS:
                raise Unsupported(f"value:seq(tensor({element_of_sequence(kind)}))", NO_SEQUENCE)

    def _fits_ort_value(self, feed: np.ndarray | OrtValue | list | None) -> bool:
        if isinstance(feed, np.ndarray):
            return feed.dtype != object
        return feed is None or isinstance(feed, self._ort.OrtValue)

    def _feed(self, value: Value) -> np.ndarray | OrtValue | list | None:
        match value:
            case Tensor(type=name) if name in CODE_BITS:
                return self._fill_memory(value)
            case Tensor():
                return value.array()
            case Sequence():
                return [item.array() for item in value.items]
            case Optional(value=None):
                return None
            case Optional():
                return self._feed(value.value)
        raise AdapterError(f"a {type(value).__name__} cannot be an input")

    def _fill_memory(self, tensor: Tensor) -> OrtValue:
        """The runtime's own memory, filled byte by byte."""
        with self.runtime():
            value = self._ort.OrtValue.ortvalue_from_shape_and_type(list(tensor.shape), ONNX_NUMBERS[tensor.type])
            size = value.tensor_size_in_bytes()
        if size != len(tensor.data):
            raise AdapterError(f"ONNX Runtime stores {tensor.type}{list(tensor.shape)} in {size} bytes")
        if size:
            ctypes.memmove(value.data_ptr(), tensor.data, size)
        return value

    def _as_ort_values(self, feeds: dict[str, np.ndarray | OrtValue | list | None]) -> dict[str, OrtValue]:
        """An absent optional is passed by leaving it out."""
        return {name: self._as_ort_value(name, feed) for name, feed in feeds.items() if feed is not None}

    def _as_ort_value(self, name: str, feed: np.ndarray | OrtValue | list) -> OrtValue:
        if isinstance(feed, self._ort.OrtValue):
            return feed
        if not self._fits_ort_value(feed):
            raise AdapterError(
                f"input {name!r} is not a numeric tensor, and an output has a type that numpy lacks: "
                "the Python API of ONNX Runtime has no call for both"
            )
        with self.runtime():
            return self._ort.OrtValue.ortvalue_from_numpy(feed)


def type_of(value: Value) -> str | None:
    """As the protocol spells it."""
    if isinstance(value, Sequence):
        return f"seq({value.of})"
    return value.of if isinstance(value, Optional) else None


@cache
def our_type(declared: str) -> str | None:
    """'seq(tensor(float))' in the protocol's words; None for types that it lacks."""
    parts = re.fullmatch(r"((?:optional\()?(?:seq\()?tensor\()(\w+)(\)+)", declared)
    return parts and parts[1] + OUR_NAMES.get(parts[2], parts[2]) + parts[3]


@cache
def element_of(kind: str | None) -> str | None:
    """The element type of a tensor, or of an optional tensor; None for every other type."""
    tensor = re.fullmatch(r"(?:optional\()?tensor\((\w+)\)+", kind or "")
    return tensor and tensor[1]


def element_of_sequence(kind: str) -> str | None:
    """The element type of a sequence's tensors, in an optional too."""
    sequence = re.search(r"seq\(tensor\((\w+)\)\)", kind)
    return sequence and sequence[1]


def is_numeric(kind: str | None) -> bool:
    """A tensor whose elements are not strings, or an optional one."""
    return element_of(kind) not in (None, "string")


def declared_shape(output: NodeArg) -> tuple[int | str | None, ...] | None:
    """The runtime returns [] for a scalar, for an unknown shape and for anything but a tensor, so [] means nothing."""
    return tuple(output.shape) or None


def read(result: object, declared: str | None) -> Value:
    """The result of `run`, as a value of the declared kind."""
    if declared is not None and declared.startswith("optional("):
        of = declared.removeprefix("optional(")[:-1]
        inner = None if result is None else read(result, of)
        return inner if isinstance(inner, Other) else Optional(of, inner)
    if isinstance(result, np.ndarray):
        return Tensor.of(result)
    if isinstance(result, list) and all(isinstance(item, np.ndarray) for item in result):
        of = declared.removeprefix("seq(")[:-1] if declared is not None and declared.startswith("seq(") else None
        return Sequence(of, tuple(Tensor.of(item) for item in result))
    return Other(f"{declared or 'no type of the protocol'}, returned as {type(result).__name__}: {result!r}"[:500])


def read_memory(value: OrtValue, declared: str | None) -> Value:
    """A copy of a numeric tensor that the runtime holds, or of an optional that holds one."""
    if declared is not None and declared.startswith("optional("):
        of = declared.removeprefix("optional(")[:-1]
        return Optional(of, read_memory(value, of) if value.has_value() else None)
    if value.element_type() not in ONNX_NUMBERS.values():
        return Tensor.of(value.numpy())
    name = next(ours for ours, number in ONNX_NUMBERS.items() if number == value.element_type())
    shape = tuple(value.shape())
    size = value.tensor_size_in_bytes()
    return Tensor.of_memory(name, shape, ctypes.string_at(value.data_ptr(), size) if size else b"")


def main() -> None:
    """Serve the variant that the options name."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    which = parser.add_mutually_exclusive_group()
    for option in filter(None, VARIANTS):
        which.add_argument(f"--{option}", dest="variant", action="store_const", const=option)
    serve(partial(OnnxRuntime, VARIANTS[parser.parse_args().variant]))


if __name__ == "__main__":
    main()
