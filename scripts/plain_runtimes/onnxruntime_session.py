"""ONNX Runtime."""

from __future__ import annotations

import base64
import ctypes
from pathlib import Path
from typing import Any

import numpy as np
from elements import LACKING, array_of


class OnnxRuntime:
    """onnxruntime.InferenceSession on the CPU."""

    computes = True

    def __init__(self, optimize: bool) -> None:
        """`version` is the package's own."""
        import onnxruntime

        self._ort = onnxruntime
        self._options = onnxruntime.SessionOptions()
        if not optimize:
            self._options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        self.version = onnxruntime.__version__

    def load(self, model: Path) -> None:
        """By path, for the external data beside it."""
        self._session = self._ort.InferenceSession(str(model), self._options, providers=["CPUExecutionProvider"])

    def feed(self, value: dict[str, Any]) -> object:
        """Arrays, lists of arrays, None; an OrtValue, whose memory is filled in, for what numpy lacks."""
        match value:
            case {"kind": "tensor", "type": name} if name in LACKING:
                tensor = self._ort.OrtValue.ortvalue_from_shape_and_type(value["shape"], LACKING[name][2])
                data = base64.b64decode(value["data"])
                if tensor.tensor_size_in_bytes() != len(data):
                    raise SystemExit(f"plain_runtimes: ONNX Runtime stores {name}{value['shape']} in another size")
                ctypes.memmove(tensor.data_ptr(), data, len(data))
                return tensor
            case {"kind": "tensor"}:
                return array_of(value)
            case {"kind": "sequence"}:
                return [self.feed(item) for item in value["items"]]
        return None if "absent" in value else self.feed(value["value"])

    def run(self, feeds: dict[str, object]) -> list[object]:
        """`run`, or where numpy lacks an output's type `run_with_ort_values`."""
        kinds = [output.type for output in self._session.get_outputs()]
        if not any(kind == f"tensor({name})" for kind in kinds for name in LACKING):
            return self._session.run(None, feeds)
        values = {
            name: self._ort.OrtValue.ortvalue_from_numpy(feed) if isinstance(feed, np.ndarray) else feed
            for name, feed in feeds.items()
        }
        return self._session.run_with_ort_values(None, values)
