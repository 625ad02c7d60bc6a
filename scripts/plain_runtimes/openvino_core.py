"""OpenVINO."""

from __future__ import annotations

import base64
import ctypes
import math
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from elements import LACKING, Parts
from refusal import ask

if TYPE_CHECKING:
    import openvino


class OpenVino:
    """openvino.Core on the CPU, for IR and for ONNX alike."""

    computes = True

    def __init__(self) -> None:
        """`version` is the package's own, without the build number."""
        import openvino

        self._openvino = openvino
        self._core = openvino.Core()
        self._types = {
            f"{letter}{bits}": f"{name}{bits}"
            for letter, name in (("i", "int"), ("u", "uint"), ("f", "float"))
            for bits in (2, 4, 8, 16, 32, 64)
        } | {"boolean": "bool", "string": "string", "bf16": "bfloat16"}
        self._types |= {
            "f8e4m3": "float8e4m3fn",
            "f8e5m2": "float8e5m2",
            "f8e8m0": "float8e8m0",
            "f4e2m1": "float4e2m1",
        }
        self.version = openvino.__version__.partition("-")[0]

    def load(self, model: Path) -> None:
        """By path, for the weights beside it."""
        settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
        self._compiled = self._core.compile_model(self._core.read_model(str(model)), "CPU", settings)
        self._own = threading.local()

    def unload(self) -> None:
        """Some models crash the process when they are unloaded."""
        self._compiled = self._own = None

    def feed(self, value: dict[str, Any]) -> object:
        """Tensors, filled byte by byte; lists and None for types that openvino lacks, so that it refuses them."""
        if value["kind"] == "sequence":
            return [self.feed(item) for item in value["items"]]
        if value["kind"] == "optional":
            return None if "absent" in value else self.feed(value["value"])
        kind = next((theirs for theirs, ours in self._types.items() if ours == value["type"]), value["type"])
        tensor = ask(lambda: self._openvino.Tensor(getattr(self._openvino.Type, kind), value["shape"]))
        if kind == "string" and value["strings"]:
            tensor.bytes_data = np.array([base64.b64decode(item) for item in value["strings"]]).reshape(value["shape"])
        elif kind != "string" and 0 not in value["shape"]:
            data = base64.b64decode(value["data"])
            if tensor.byte_size != len(data):
                raise SystemExit(f"plain_runtimes: OpenVINO stores {kind}{value['shape']} in another size")
            ctypes.memmove(tensor.data.ctypes.data, data, len(data))
        return tensor

    def run(self, feeds: dict[str, object]) -> list[object]:
        """Runs in the thread's own request; the output tensors are read before the next run."""
        if not hasattr(self._own, "request"):
            self._own.request = self._compiled.create_infer_request()
        request = self._own.request
        for name, tensor in feeds.items():
            ports = [port for port in self._compiled.inputs if name in port.names or name == port.node.friendly_name]
            request.set_tensor(ports[0] if ports else name, tensor)
        request.infer()
        return [self._parts(request.get_tensor(port)) for port in self._compiled.outputs]

    def _parts(self, tensor: openvino.Tensor) -> Parts:
        kind, shape = tensor.element_type.to_string(), list(tensor.shape)
        name = self._types.get(kind, kind)
        if math.prod(shape) == 0:
            return Parts(name, shape, [] if name == "string" else b"")
        if name == "string":
            return Parts(
                name, shape, [item.decode(errors="surrogateescape") for item in tensor.bytes_data.ravel().tolist()]
            )
        data = bytearray(ctypes.string_at(tensor.data.ctypes.data, tensor.byte_size))
        used = math.prod(shape) * LACKING.get(name, (8,))[0] % 8
        if used and name in LACKING:
            data[-1] &= (1 << used) - 1  # padding has no meaning
        return Parts(name, shape, bytes(data))
