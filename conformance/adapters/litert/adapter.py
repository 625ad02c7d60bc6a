"""LiteRT through its Python package: an interpreter of one thread, with one of the resolvers of its operators."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from ifcert_adapter import (
    Adapter,
    AdapterError,
    Description,
    Other,
    Outputs,
    Port,
    Refused,
    Tensor,
    Unsupported,
    UnsupportedFeature,
    Value,
    serve,
)

if TYPE_CHECKING:
    from ai_edge_litert.interpreter import Interpreter

# The adapter's name, and the member of OpResolverType: optimized kernels with XNNPACK, without it, reference kernels.
RESOLVERS = {"litert": "AUTO", "litert-plain": "BUILTIN_WITHOUT_DEFAULT_DELEGATES", "litert-ref": "BUILTIN_REF"}

REPOSITORY = "https://github.com/tensorflow/tensorflow/blob/0373b8f3cb4d5033ac26e388f1e10a5126654200"
SCHEMA = f"{REPOSITORY}/tensorflow/compiler/mlir/lite/schema/schema.fbs"
INTERPRETER = "https://ai.google.dev/edge/api/tflite/python/tf/lite/Interpreter"
DETAILS = f"{INTERPRETER}#get_input_details"
EMPTY_SCALAR = "value:tensor(string)"
UNSUPPORTED_FEATURES = (
    UnsupportedFeature("format:circle", 'the schema that it reads by says: file_identifier "TFL3"', SCHEMA),
    UnsupportedFeature("type:bfloat16", 'a tensor\'s dtype is "the numpy data type", and numpy has none', DETAILS),
    UnsupportedFeature(
        EMPTY_SCALAR,
        "set_tensor takes numpy arrays: a scalar of bytes is never empty, and of a scalar object it reads the address",
        f"{INTERPRETER}#set_tensor",
    ),
)

# The messages of kernels about element types that they do not support, in ValueErrors and RuntimeErrors.
LACKS = re.compile(r"[Tt]ype [^.\n]{1,40}(?:un|not )supported|only (?:currently )?supports|Does not support type")


class LiteRt(Adapter):
    """One interpreter at a time. It is not safe to use from several threads, as its documentation states."""

    def __init__(self, name: str) -> None:
        """Nothing is loaded yet."""
        import ai_edge_litert
        from ai_edge_litert import interpreter

        self._package, self._litert = ai_edge_litert, interpreter
        self._name = name
        self.unload()

    def describe(self) -> Description:
        """`get_tensor` returns copies, and these are held."""
        return Description(
            adapter=self._name,
            runtime="LiteRT",
            version=self._package.__version__,
            language="C++ through Python",
            home="https://ai.google.dev/edge/litert",
            formats=("tflite",),
            holds=True,
            unsupported_features=UNSUPPORTED_FEATURES,
        )

    def not_implemented(self, error: Exception) -> str | None:
        """A kernel that lacks the element type states that in the message."""
        status = LACKS.search(str(error))
        return status and status[0]

    def load(self, model: Path, model_format: str) -> list[Port]:
        """Memory is allocated at once, and again in a run in which an input has another shape.

        Declared shapes are not reported: an input may be resized, and a subgraph's result may have any shape.
        """
        del model_format
        self.unload()
        resolver = self._litert.OpResolverType[RESOLVERS[self._name]]
        with self.runtime():
            loaded = self._litert.Interpreter(
                model_path=str(model), num_threads=1, experimental_op_resolver_type=resolver
            )
            inputs, outputs = loaded.get_input_details(), loaded.get_output_details()
            self._open = any(is_open(details) for details in inputs)
            self._allocate(loaded)
        self._interpreter, self._inputs, self._outputs = loaded, inputs, outputs
        return [Port(name_of(details), declared_type(details), None) for details in outputs]

    def unload(self) -> None:
        """An interpreter is destroyed with the last reference to it."""
        self._interpreter: Interpreter | None = None
        self._inputs: list[dict] = []
        self._outputs: list[dict] = []

    def run(self, inputs: dict[str, Value]) -> Outputs:
        """The held outputs are copies already."""
        return self.hold(inputs)()

    def hold(self, inputs: dict[str, Value]) -> Callable[[], Outputs]:
        """The arrays that `get_tensor` returns."""
        if self._interpreter is None:
            raise AdapterError("no model is loaded")
        feeds = [(self._input(name), feed(value)) for name, value in inputs.items()]
        with self.runtime():
            self._resize(feeds)
            for details, array in feeds:
                self._interpreter.set_tensor(details["index"], array)
            self._interpreter.invoke()
            results = [self._read(details["index"]) for details in self._outputs]
        names = [name_of(details) for details in self._outputs]
        return lambda: [(name, read(result)) for name, result in zip(names, results, strict=True)]

    def _allocate(self, loaded: Interpreter) -> None:
        """Also where a shape is open, and the declared one may fail: a While accepts empty tensors only afterwards."""
        try:
            loaded.allocate_tensors()
        except RuntimeError:
            if not self._open:
                raise

    def _read(self, index: int) -> np.ndarray:
        """`get_tensor` raises ValueError for a tensor that has become empty; shape and type are all there is."""
        try:
            return self._interpreter.get_tensor(index)
        except ValueError:
            details = next(one for one in self._interpreter.get_output_details() if one["index"] == index)
            if 0 not in details["shape"]:
                raise
            return np.empty(details["shape"], details["dtype"])

    def _input(self, name: str) -> dict:
        for details in self._inputs:
            if name_of(details) == name:
                return details
        raise Refused(f"the model has no input {name!r}")

    def _resize(self, feeds: list[tuple[dict, np.ndarray]]) -> None:
        """Inputs of which a dim, or the rank, is not declared get the shape of the value; others keep theirs."""
        for details, array in feeds:
            if is_open(details) and tuple(details["shape"]) != array.shape:
                self._interpreter.resize_tensor_input(details["index"], array.shape)
                details["shape"], self._open = array.shape, True
        if self._open:
            self._interpreter.allocate_tensors()
            self._open = False


def is_open(details: dict) -> bool:
    """A dim is -1; or there is none, which in TensorFlow Lite means either a scalar or an unknown rank."""
    signature = details["shape_signature"]
    return len(signature) == 0 or -1 in signature


def name_of(details: dict) -> str:
    """A tensor of the file need not have a name."""
    return details["name"] or ""


def declared_type(details: dict) -> str | None:
    """In the protocol's words; None for types that it lacks."""
    return element_type(np.dtype(details["dtype"])) and f"tensor({element_type(np.dtype(details['dtype']))})"


def element_type(dtype: np.dtype) -> str | None:
    """Strings are arrays of `bytes` objects."""
    if dtype.kind in "OS":
        return "string"
    return dtype.name if dtype.kind in "biufc" else None


def feed(value: Value) -> np.ndarray:
    """There are tensors only."""
    if not isinstance(value, Tensor):
        raise AdapterError(f"a {type(value).__name__} cannot be an input")
    if value.type != "string":
        return value.array()
    if not value.shape:
        return scalar_string(value.strings[0])
    strings = np.empty(len(value.strings), object)
    strings[:] = value.strings
    return strings.reshape(value.shape)


def scalar_string(string: bytes) -> np.ndarray:
    """An array of bytes, as long as the string, NULs at its end included; `set_tensor` misreads a scalar object."""
    if not string:
        raise Unsupported(EMPTY_SCALAR, "a scalar of no bytes")
    return np.array(string)


def read(result: object) -> Value:
    """A copy of the result, bit for bit. In a damaged list of strings some are None."""
    array = np.asarray(result)
    if element_type(array.dtype) is None or any(item is None for item in array.ravel().tolist()):
        return Other(f"an array of {array.dtype}, shape {list(array.shape)}")
    return Tensor.of(array)


def main() -> None:
    """Serve with the resolver that belongs to the name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", choices=RESOLVERS, default="litert", help="the adapter's name")
    serve(partial(LiteRt, parser.parse_args().name))


if __name__ == "__main__":
    main()
