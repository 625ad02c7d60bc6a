"""onert through the native class of its Python package: the cpu backend, for TensorFlow Lite and for Circle."""

from __future__ import annotations

import os
import re
import struct
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from ifcert_adapter import (
    ELEMENT_TYPES,
    Adapter,
    AdapterError,
    Description,
    Outputs,
    Port,
    Refused,
    Tensor,
    UnsupportedFeature,
    Value,
    serve,
)

# The element types of the enum NNFW_TYPE, which has quantized ones of 8 and 16 bits beside them.
HEADER = "https://github.com/Samsung/ONE/blob/master/runtime/onert/api/nnfw/include/nnfw.h"
THERE = ("bool", "float32", "int8", "int32", "int64", "uint8")
LACKING = tuple(name for name in ELEMENT_TYPES if name not in THERE)

# The messages of its loader and its kernels about element types and activations that they do not support.
LACKS = re.compile(
    r"(?:[Uu]nsupported|[Nn]ot supported) (?:input |output |tensor )?(?:data ?)?type|does not support non-float|"
    r"Unsupported (?:OpType|reduce type|fused activation)|type that runtime API does not support"
)

Result = TypeVar("Result")


class Session:
    """A model in the runtime, and the shapes of its inputs."""

    def __init__(self, native: Any, model: Path) -> None:  # noqa: ANN401 (an extension module without stubs)
        """Prepared at once, except where a dim of an input is unknown: it cannot be set after that."""
        self._session = native.infer.nnfw_session(str(model), "cpu")
        self._session.set_prepare_config(native.prepare_config.ENABLE_INTERNAL_OUTPUT_ALLOC)
        infos = [self._session.input_tensorinfo(place) for place in range(self._session.input_size())]
        self._shapes = [tuple(info.dims[: info.rank]) for info in infos]
        infos = [self._session.output_tensorinfo(place) for place in range(self._session.output_size())]
        self.output_types = [np.dtype(info.dtype).name for info in infos]
        self._prepared = False
        self._refusal: Exception | None = None
        if not any(-1 in shape for shape in self._shapes):
            self._prepare()

    def _prepare(self) -> None:
        """A session that could not be prepared is not used again: a second try ends the process."""
        if self._refusal is None:
            try:
                self._session.prepare()
            except Exception as error:  # the package has classes of its own for each status
                self._refusal = error
        if self._refusal is not None:
            raise self._refusal
        self._prepared = True

    @property
    def inputs(self) -> int:
        """The number of inputs."""
        return len(self._shapes)

    def run(self, feeds: dict[int, np.ndarray]) -> list[np.ndarray]:
        """Inputs get the shape of the value, where they have another."""
        for place, array in feeds.items():
            if self._refusal is None and self._shapes[place] != array.shape:
                self._resize(place, array.shape)
        if not self._prepared:
            self._prepare()
        for place, array in feeds.items():
            self._session.set_input(place, array)
        self._session.run()
        return [self._session.get_output(place) for place in range(len(self.output_types))]

    def _resize(self, place: int, shape: tuple[int, ...]) -> None:
        info = self._session.input_tensorinfo(place)
        info.rank, info.dims = len(shape), list(shape)
        self._session.set_input_tensorinfo(place, info)
        self._shapes[place] = shape


class Onert(Adapter):
    """One session at a time, for one thread. The wrapper around the native class does not accept inputs of rank 0."""

    def __init__(self) -> None:
        """The package has no version; its metadata have one."""
        from importlib.metadata import version

        import tflite
        from onert.native import libnnfw_api_pybind as native

        self._native, self._tflite = native, tflite
        self._version = version("onert")
        self.unload()

    def describe(self) -> Description:
        """`get_output` returns copies, and these are held."""
        return Description(
            adapter="onert",
            runtime="onert",
            version=self._version,
            language="C++ through Python",
            home="https://github.com/Samsung/ONE",
            formats=("tflite",),
            holds=True,
            unsupported_features=tuple(
                UnsupportedFeature(f"type:{name}", "the enum NNFW_TYPE does not have it", HEADER) for name in LACKING
            ),
        )

    def not_implemented(self, error: Exception) -> str | None:
        """There is no status for it; the message states it."""
        status = LACKS.search(str(error))
        return status and status[0]

    def load(self, model: Path, model_format: str) -> list[Port]:
        """By path, whose extension determines the format.

        Declared shapes are not reported: an input may be resized, and a subgraph's result may have any shape.
        """
        del model_format
        self.unload()
        with self.runtime():
            loaded = heard(lambda: Session(self._native, model), lambda: Session(self._native, model))
        self._session, self._model = loaded, model
        self._inputs, self._outputs = self._names(loaded.inputs, len(loaded.output_types))
        return [
            Port(name, f"tensor({type_})", None) for name, type_ in zip(self._outputs, loaded.output_types, strict=True)
        ]

    def unload(self) -> None:
        """A session is destroyed with the last reference to it."""
        self._session: Session | None = None
        self._inputs: list[str] = []
        self._outputs: list[str] = []

    def run(self, inputs: dict[str, Value]) -> Outputs:
        """The held outputs are copies already."""
        return self.hold(inputs)()

    def hold(self, inputs: dict[str, Value]) -> Callable[[], Outputs]:
        """The arrays that `get_output` returns."""
        if self._session is None:
            raise AdapterError("no model is loaded")
        session, feeds = self._session, {self._input(name): feed(value) for name, value in inputs.items()}
        with self.runtime():
            results = heard(lambda: session.run(feeds), lambda: Session(self._native, self._model).run(feeds))
        return lambda: [(name, Tensor.of(array)) for name, array in zip(self._outputs, results, strict=True)]

    def _input(self, name: str) -> int:
        if name not in self._inputs:
            raise Refused(f"the model has no input {name!r}")
        return self._inputs.index(name)

    def _names(self, inputs: int, outputs: int) -> tuple[list[str], list[str]]:
        """The names of the primary subgraph's tensors, read from the file, because the runtime does not report them.

        Numbers, where the file has no names or cannot be read so.
        """
        try:
            graph = self._tflite.Model.GetRootAs(self._model.read_bytes(), 0).Subgraphs(0)
            places = [[graph.Inputs(i) for i in range(inputs)], [graph.Outputs(i) for i in range(outputs)]]
            ins, outs = ([graph.Tensors(place).Name().decode() for place in group] for group in places)
        except (struct.error, IndexError, AttributeError, TypeError, ValueError):
            ins, outs = ([str(place) for place in range(count)] for count in (inputs, outputs))
        return ins, outs


def heard(call: Callable[[], Result], again: Callable[[], object]) -> Result:
    """The runtime throws just NNFW_STATUS_ERROR; it prints the reason on standard error.

    So the call is made a second time, and its output is captured. The first time it is not captured, since a process
    that crashes would lose it.
    """
    try:
        return call()
    except Exception as error:
        with overheard() as said, suppress(Exception):
            again()
        raise RuntimeError(f"{error}: {' '.join(said)}") from error


@contextmanager
def overheard() -> Iterator[list[str]]:
    """The words printed on standard error meanwhile."""
    words: list[str] = []
    with tempfile.TemporaryFile() as kept:
        standard_error = os.dup(2)
        os.dup2(kept.fileno(), 2)
        try:
            yield words
        finally:
            os.dup2(standard_error, 2)
            os.close(standard_error)
            kept.seek(0)
            words += kept.read().decode(errors="replace").split()


def feed(value: Value) -> np.ndarray:
    """There are tensors only."""
    if not isinstance(value, Tensor):
        raise AdapterError(f"a {type(value).__name__} cannot be an input")
    return value.array()


if __name__ == "__main__":
    serve(Onert)
