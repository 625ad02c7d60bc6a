"""The new engine of OpenCV's dnn module, on one thread.

Its Python package takes numpy's arrays and makes int32 of int64 and uint64, so no value of these types can be passed.
It returns int64; an array of uint64 that it returns may in fact hold bfloat16.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from ifcert_adapter import (
    CODE_BITS,
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
    from cv2.dnn import Net

NET = "https://docs.opencv.org/5.x/db/d30/classcv_1_1dnn_1_1Net.html"
MAT_ONLY = "Net::setInput takes, and Net::forward returns, blobs (Mat): tensors of numbers"

# The limits of the Python package: values that it changes, and types that numpy lacks.
BINDINGS = "https://docs.opencv.org/5.x/da/d49/tutorial_py_bindings_basics.html"
NARROWED = "the Python package passes int32 in its place"
AMBIGUOUS = "the Python package returns bfloat16 as uint64"
NO_ARRAY = "the Python package passes numpy's arrays, and numpy has no such type"
COMPLEX = "the Python package says that blobs of complex numbers are not supported"
NO_ELEMENTS = "the Python package returns None for a tensor without elements, whatever its type and shape"
EMPTY = "output:no-elements"

UNSUPPORTED_FEATURES = (
    UnsupportedFeature("kind:sequence", MAT_ONLY, NET),
    UnsupportedFeature("kind:optional", MAT_ONLY, NET),
    UnsupportedFeature("input:tensor(int64)", NARROWED, BINDINGS),
    UnsupportedFeature("input:tensor(uint64)", NARROWED, BINDINGS),
    UnsupportedFeature("input:tensor(complex64)", COMPLEX, BINDINGS),
    UnsupportedFeature("input:tensor(complex128)", COMPLEX, BINDINGS),
    UnsupportedFeature("output:tensor(uint64)", AMBIGUOUS, BINDINGS),
    *(
        UnsupportedFeature(f"{direction}:tensor({name})", NO_ARRAY, BINDINGS)
        for direction in ("input", "output")
        for name in CODE_BITS
    ),
    UnsupportedFeature(EMPTY, NO_ELEMENTS, BINDINGS),
)

# The messages about features that it lacks: a status for that, or one that it also reports for damaged files.
LACKS = re.compile(r"\(-213:[^)]*\) .*|\(-210:[^)]*\) (?:Unsupported data type|.*: unsupported input/output type).*")

# The reason in its log, if it leaves a net empty.
REASON = re.compile(r"DNN/ONNX: error '(.*?)\s*' occurred", re.DOTALL)


class OpenCv(Adapter):
    """A net keeps its inputs until it is given others."""

    def __init__(self) -> None:
        """Its log goes to standard error, where the runner keeps it as evidence; why it refuses a node is an INFO."""
        import cv2

        cv2.setNumThreads(1)
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_INFO)
        self._cv2 = cv2
        self._net: Net | None = None

    def describe(self) -> Description:
        """The version is that of the installed package."""
        return Description(
            adapter="opencv",
            runtime="OpenCV",
            version=importlib.metadata.version("opencv-python-headless"),
            language="C++ through Python",
            home="https://opencv.org",
            holds=True,  # its documentation does not mention threads
            unsupported_features=UNSUPPORTED_FEATURES,
        )

    def not_implemented(self, error: Exception) -> str | None:
        """The message begins with the status."""
        lack = LACKS.search(str(error))
        return lack and lack[0]

    def load(self, model: Path, model_format: str) -> list[Port]:
        """By path, so that external data is found. An empty net is OpenCV's refusal, and its reason is in the log."""
        del model_format
        self.unload()
        with logged() as log, self.runtime():
            self._net = self._cv2.dnn.readNetFromONNX(str(model), self._cv2.dnn.ENGINE_NEW)
            is_empty = self._net.empty()
        if is_empty:
            self._net = None
            lacking = re.search(r"Unsupported operations:\s*(.*\S)", log.text, re.DOTALL) or LACKS.search(log.text)
            if lacking:
                raise Unsupported("runtime", log.text, " ".join(lacking[0].split()))
            raise Refused(f"the net is empty: {' '.join(REASON.findall(log.text)) or log.text}")
        with self.runtime():
            names = self._net.getUnconnectedOutLayersNames()
        return [Port(name, None, None) for name in names]

    def unload(self) -> None:
        """A net is destroyed with the last reference to it; that is the runtime's work, and counts as its time."""
        with self.runtime():
            self._net = None

    def run(self, inputs: dict[str, Value]) -> Outputs:
        """Every output, in the order of the graph."""
        return self.hold(inputs)()

    def hold(self, inputs: dict[str, Value]) -> Callable[[], Outputs]:
        """The arrays that `forward` returns are kept unchanged."""
        if self._net is None:
            raise AdapterError("no model is loaded")
        feeds = {name: fed(value) for name, value in inputs.items()}
        with self.runtime():
            for name, feed in feeds.items():
                self._net.setInput(feed, name)
            names = self._net.getUnconnectedOutLayersNames()
            results = self._net.forward(names)
        return lambda: [(name, read(result)) for name, result in zip(names, results, strict=True)]


class Log:
    """The text printed in a block of `logged`: OpenCV's warnings on standard error, its infos on standard output."""

    text = ""


@contextmanager
def logged() -> Iterator[Log]:
    """Reads what the block prints, and prints it once more, as evidence."""
    log = Log()
    printed = {descriptor: os.dup(descriptor) for descriptor in (1, 2)}
    with tempfile.TemporaryFile() as file:
        for descriptor in printed:
            os.dup2(file.fileno(), descriptor)
        try:
            yield log
        finally:
            for descriptor, copy in printed.items():
                os.dup2(copy, descriptor)
                os.close(copy)
            file.seek(0)
            log.text = file.read().decode(errors="replace")
            sys.stderr.write(log.text)
            sys.stderr.flush()


def fed(value: Value) -> np.ndarray:
    """An array, of a type that arrives as it is."""
    if not isinstance(value, Tensor):
        raise AdapterError(f"hello declares that a {type(value).__name__} cannot be an input")
    if value.type in ("int64", "uint64"):
        raise Unsupported(f"input:{value.type_name}", NARROWED)
    if value.type in ("complex64", "complex128"):
        raise Unsupported(f"input:{value.type_name}", COMPLEX)
    if value.type in CODE_BITS:
        raise Unsupported(f"input:{value.type_name}", NO_ARRAY)
    return value.array()


def read(result: object) -> Value:
    """The value of a result."""
    if isinstance(result, np.ndarray) and result.dtype == np.uint64:
        raise Unsupported("output:tensor(uint64)", AMBIGUOUS)
    if isinstance(result, np.ndarray):
        return Tensor.of(result)
    if result is None:
        raise Unsupported(EMPTY, NO_ELEMENTS)
    return Other(f"{type(result).__name__}: {result!r}"[:500])


if __name__ == "__main__":
    serve(OpenCv)
