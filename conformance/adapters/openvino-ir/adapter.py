"""OpenVINO through its Python package: CPU plug-in, one thread, f32 by preference. With --onnx it reads ONNX."""

from __future__ import annotations

import argparse
import ctypes
import re
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from ifcert_adapter import (
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
    import openvino

# No other precision than the model's, one thread for each run. Nothing is cached: no cache folder is set.
CONFIGURATION = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}

# OpenVINO's names of element types, and ours. (The protocol lacks u1, u3, u6 and nf4.)
OUR_NAMES = {
    "boolean": "bool",
    **{f"i{bits}": f"int{bits}" for bits in (4, 8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (2, 4, 8, 16, 32, 64)},
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
    "bf16": "bfloat16",
    "f8e4m3": "float8e4m3fn",
    "f8e5m2": "float8e5m2",
    "f8e8m0": "float8e8m0",
    "f4e2m1": "float4e2m1",
    "string": "string",
}
THEIR_NAMES = {ours: theirs for theirs, ours in OUR_NAMES.items()}

ELEMENT_TYPES = "https://docs.openvino.ai/2026/api/c_cpp_api/group__ov__element__cpp__api.html"
NO_SUCH_TYPE = "'Enum to define possible element types' does not have it"
LACKING = ("complex64", "complex128", "float8e4m3fnuz", "float8e5m2fnuz", "int2")

# The runtime's own not-implemented status: a front end names operators that it has no rule to convert, or states that
# it does not support an element type, a sequence that a Loop carries, or the lengths of a Scan of opset 8; so does a
# kernel of the CPU plug-in of an element type.
NO_RULE = re.compile(
    r"failed with (OpConversionFailure|NotImplementedFailure):.*No conversion rule found"
    r"|(Loading input model.*Unsupported type)"
    r"|(unsupported src_prc: \w+)"
    r"|(the loop-carried sequence pattern is not supported)"
    r"|(ONNX Scan-8 `sequence_lens` input is not supported)",
    re.DOTALL,
)

CPU_DEVICE = (
    "https://docs.openvino.ai/2026/openvino-workflow/running-inference/inference-devices-and-modes/cpu-device.html"
)
COMPUTES_IN_32_BITS = "'Supported Inference Data Types' of the CPU device are of 32 bits or fewer, and not u32"
NO_DYNAMIC_RANK = "'The CPU plugin does not support tensors with dynamically changing rank.'"
DYNAMIC_RANK = re.compile(r"CPU plug-in doesn't support .* with dynamic rank")

# An infer request accepts only tensors. Strings go through numpy's arrays of bytes, which drop NULs at the end.
TENSOR = "https://docs.openvino.ai/2026/api/ie_python_api/_autosummary/openvino.Tensor.html"
NO_CONTAINER = "its API has only tensors"
STRINGS = "https://docs.openvino.ai/2026/openvino-workflow/running-inference/string-tensors.html"
NO_LAST_NUL = "'in Python, numpy.str_/numpy.bytes_ populated Numpy arrays are used', which drop NULs at the end"
CONTAINERS = ("seq(tensor({}))", "optional(tensor({}))", "optional(seq(tensor({})))")

# The suffix that the ONNX front end appends to an output's name for the name of the Result.
RESULT_SUFFIX = "/sink_port_0"


class OpenVino(Adapter):
    """One compiled model at a time; each thread has an infer request of its own, which serves run after run."""

    def __init__(self, name: str, model_format: str) -> None:
        """One Core for all models, as its documentation recommends."""
        import openvino

        self._openvino = openvino
        self._name = name
        self._format = model_format
        self._core = openvino.Core()
        self.unload()

    def describe(self) -> Description:
        """The version is that of the installed package, without the build number."""
        return Description(
            adapter=self._name,
            runtime="OpenVINO",
            version=self._openvino.__version__.partition("-")[0],
            language="C++ through Python",
            home="https://docs.openvino.ai",
            formats=(self._format,),
            threads=True,
            holds=True,
            unsupported_features=(
                *(UnsupportedFeature(f"type:{name}", NO_SUCH_TYPE, ELEMENT_TYPES) for name in LACKING),
                UnsupportedFeature("rank:dynamic", NO_DYNAMIC_RANK, CPU_DEVICE),
                *(
                    UnsupportedFeature(f"exact:{name}", COMPUTES_IN_32_BITS, CPU_DEVICE)
                    for name in ("int64", "uint32", "uint64", "float64")
                ),
                UnsupportedFeature("value:tensor(string)", NO_LAST_NUL, STRINGS),
                *(
                    UnsupportedFeature("value:" + container.format(name), NO_CONTAINER, TENSOR)
                    for container in CONTAINERS
                    for name in THEIR_NAMES
                ),
            ),
        )

    def not_implemented(self, error: Exception) -> str | None:
        """The exceptions are all RuntimeErrors; the message contains the front ends' status."""
        if DYNAMIC_RANK.search(str(error)):
            raise Unsupported("rank:dynamic", str(error)[:500]) from error
        status = NO_RULE.search(str(error))
        return status and next(filter(None, status.groups()))

    def load(self, model: Path, model_format: str) -> list[Port]:
        """By path, so that weights beside the model are found."""
        del model_format
        self.unload()
        with self.runtime():
            network = self._core.read_model(str(model))
            self._compiled = self._core.compile_model(network, "CPU", CONFIGURATION)
        self._names = [output_name(port) for port in network.outputs]
        return [
            Port(name, declared_type(port), declared_shape(port))
            for name, port in zip(self._names, self._compiled.outputs, strict=True)
        ]

    def unload(self) -> None:
        """A compiled model is destroyed with the last reference to it and to its infer requests."""
        self._compiled: openvino.CompiledModel | None = None
        self._names: list[str] = []
        self._mine = threading.local()

    def run(self, inputs: dict[str, Value]) -> Outputs:
        """In this thread's infer request; its outputs are copied."""
        if self._compiled is None:
            raise AdapterError("no model is loaded")
        if not hasattr(self._mine, "request"):
            with self.runtime():
                self._mine.request = self._compiled.create_infer_request()
        return self._infer(self._mine.request, inputs)()

    def hold(self, inputs: dict[str, Value]) -> Callable[[], Outputs]:
        """In an infer request of its own, whose output tensors are kept: a request's next run overwrites them."""
        if self._compiled is None:
            raise AdapterError("no model is loaded")
        with self.runtime():
            request = self._compiled.create_infer_request()
        return self._infer(request, inputs)

    def _infer(self, request: openvino.InferRequest, inputs: dict[str, Value]) -> Callable[[], Outputs]:
        places = [self._input_place(name) for name in inputs]
        tensors = [self._feed(value) for value in inputs.values()]
        with self.runtime():
            for place, tensor in zip(places, tensors, strict=True):
                request.set_input_tensor(place, tensor)
            request.infer(share_outputs=True)
            # Each with the request, which a tensor does not keep alive by itself.
            results = [(request.get_output_tensor(place), request) for place in range(len(self._names))]
        return lambda: [(name, read(result)) for name, (result, _) in zip(self._names, results, strict=True)]

    def _input_place(self, name: str) -> int:
        """The input that has the name: one of its tensor's, or its Parameter's. Some are lost at load."""
        for place, port in enumerate(self._compiled.inputs):
            if name in port.names or name == port.node.friendly_name:
                return place
        with self.runtime():
            return self._compiled.input(name).index

    def _feed(self, value: Value) -> openvino.Tensor:
        """Tensors, except those whose strings the binding would cut."""
        match value:
            case Sequence():
                raise Unsupported(f"value:seq({value.of})", NO_CONTAINER)
            case Optional():
                raise Unsupported(f"value:optional({value.of})", NO_CONTAINER)
            case Tensor() if any(text.endswith(b"\0") for text in value.strings):
                raise Unsupported("value:tensor(string)", NO_LAST_NUL)
            case Tensor():
                return self._tensor(value)
        raise AdapterError(f"a {type(value).__name__} cannot be an input")

    def _tensor(self, value: Tensor) -> openvino.Tensor:
        """A tensor of the runtime's own, filled byte by byte; strings as its API expects them."""
        with self.runtime():
            kind = getattr(self._openvino.Type, THEIR_NAMES.get(value.type, value.type))
            tensor = self._openvino.Tensor(kind, list(value.shape))
            if value.type == "string" and value.strings:
                tensor.bytes_data = np.array(value.strings).reshape(value.shape)
        if value.type == "string" or not value.data:
            return tensor
        if tensor.byte_size != len(value.data):
            raise AdapterError(f"OpenVINO stores {value.type}{list(value.shape)} in {tensor.byte_size} bytes")
        ctypes.memmove(tensor.data.ctypes.data, value.data, len(value.data))
        return tensor


def output_name(port: openvino.Output) -> str:
    """A name of the tensor that the Result returns: the Result's own name, else the first that is not its layer's.

    Where there is none, it is the layer's, with the number of the output where it has several. (A tensor of IR version
    10 gets its layer's name besides its own.)
    """
    result = port.node
    source = result.input_value(0)
    layer = source.node
    called = result.friendly_name.removesuffix(RESULT_SUFFIX)
    if called in port.names:
        return called
    if port.names:
        return min(port.names - {layer.friendly_name} or port.names)
    return layer.friendly_name if layer.get_output_size() == 1 else f"{layer.friendly_name}.{source.index}"


def declared_type(port: openvino.ConstOutput) -> str | None:
    """In the protocol's words; None for types that it lacks."""
    name = OUR_NAMES.get(port.element_type.to_string())
    return name and f"tensor({name})"


def declared_shape(port: openvino.ConstOutput) -> tuple[int | str | None, ...] | None:
    """None for a dynamic rank and for a dynamic dim."""
    shape = port.partial_shape
    if shape.rank.is_dynamic:
        return None
    return tuple(None if dim.is_dynamic else dim.get_length() for dim in shape)


def read(tensor: openvino.Tensor) -> Value:
    """A copy of a tensor's contents, bit for bit."""
    theirs, shape = tensor.element_type.to_string(), tuple(tensor.shape)
    name = OUR_NAMES.get(theirs)
    if name is None:
        return Other(f"a tensor of {theirs}, shape {list(shape)}")
    if 0 in shape:
        return Tensor(name, shape)
    if name == "string":
        return Tensor.of(strings_of(tensor))
    if not tensor.is_continuous():
        raise AdapterError(f"OpenVINO stores {name}{list(shape)} with strides")
    return Tensor.of_memory(name, shape, ctypes.string_at(tensor.data.ctypes.data, tensor.byte_size))


def strings_of(tensor: openvino.Tensor) -> np.ndarray:
    """Its strings. Where all are empty, bytes_data has for each a byte that the package has not written."""
    texts = tensor.bytes_data
    return np.zeros_like(texts) if texts.dtype.itemsize == 1 and not any(tensor.str_data.ravel()) else texts


def main() -> None:
    """Serve the reader of IR, or that of ONNX."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--onnx", action="store_true", help="read ONNX, not IR")
    onnx = parser.parse_args().onnx
    serve(partial(OpenVino, *(("openvino-onnx", "onnx") if onnx else ("openvino-ir", "openvino"))))


if __name__ == "__main__":
    main()
