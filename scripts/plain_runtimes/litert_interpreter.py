"""LiteRT."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np
from elements import Parts, array_of


class LiteRt:
    """ai_edge_litert.interpreter.Interpreter, one thread."""

    computes = True

    def __init__(self, resolver: str) -> None:
        """`resolver` is a member of OpResolverType; `version` is the package's own."""
        import ai_edge_litert
        from ai_edge_litert import interpreter

        self._litert = interpreter
        self._resolver = interpreter.OpResolverType[resolver]
        self.version = ai_edge_litert.__version__

    def load(self, model: Path) -> None:
        """Allocates memory; where an input's shape is open the declared one may fail, and the run decides."""
        self._interpreter = self._litert.Interpreter(
            model_path=str(model), num_threads=1, experimental_op_resolver_type=self._resolver
        )
        self._inputs = {details["name"]: details for details in self._interpreter.get_input_details()}
        self._allocated = not any(self._is_open(details) for details in self._inputs.values())
        try:
            self._interpreter.allocate_tensors()
        except RuntimeError:
            if self._allocated:
                raise

    def unload(self) -> None:
        """The interpreter is destroyed with its last reference."""
        self._interpreter = None

    def feed(self, value: dict[str, Any]) -> np.ndarray:
        """An array; strings are objects of bytes."""
        if value["type"] != "string":
            return array_of(value)
        flat = np.empty(len(value["strings"]), object)
        flat[:] = [base64.b64decode(item) for item in value["strings"]]
        return flat.reshape(value["shape"])

    def run(self, feeds: dict[str, np.ndarray]) -> list[object]:
        """All outputs; inputs of open shape get that of the value."""
        for name, array in feeds.items():
            details = self._inputs[name]
            if self._is_open(details) and tuple(details["shape"]) != array.shape:
                self._interpreter.resize_tensor_input(details["index"], array.shape)
                details["shape"], self._allocated = array.shape, False
        if not self._allocated:
            self._interpreter.allocate_tensors()
            self._allocated = True
        for name, array in feeds.items():
            self._interpreter.set_tensor(self._inputs[name]["index"], array)
        self._interpreter.invoke()
        return [self._shown(self._read(details)) for details in self._interpreter.get_output_details()]

    def _read(self, details: dict[str, Any]) -> np.ndarray:
        """`get_tensor` raises ValueError for a tensor that has become empty."""
        if 0 in details["shape"]:
            return np.empty(details["shape"], details["dtype"])
        return np.asarray(self._interpreter.get_tensor(details["index"]))

    @staticmethod
    def _is_open(details: dict[str, Any]) -> bool:
        """A dim is -1; or there is none: a scalar, or an unknown rank."""
        return -1 in details["shape_signature"] or len(details["shape_signature"]) == 0

    @staticmethod
    def _shown(array: np.ndarray) -> object:
        if array.dtype.kind not in "OS":
            return array
        strings = [item and item.decode(errors="surrogateescape") for item in array.ravel().tolist()]
        return Parts("string", list(array.shape), ["" if item == b"" else item for item in strings])
