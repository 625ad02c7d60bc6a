"""An onnx.backend Backend over the reference, so that the onnx package's own tests run on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx.backend.base import Backend, BackendRep

from ifcert.model import Model, load


class Prepared(BackendRep):
    """A model ready to run."""

    def __init__(self, model: Model) -> None:
        """`model` may need an operator that the reference lacks; then running it fails."""
        self.model = model

    def run(self, inputs: Sequence[Any] | dict[str, Any], **kwargs: Any) -> tuple[Any, ...]:  # noqa: ANN401 (the interface's)
        """The outputs in order; the inputs are passed in order, or by name."""
        del kwargs
        if not isinstance(inputs, dict):
            inputs = dict(zip((port.name for port in self.model.inputs), inputs, strict=False))
        return tuple(self.model.run(inputs).values())


class Reference(Backend):
    """The reference as a Backend; its one device is the CPU."""

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> Prepared:  # noqa: ANN401
        """Load a model. Raises UnreadableModel; a model that cannot be run is reported only by `run`."""
        super().prepare(model, device, **kwargs)
        return Prepared(load(model))

    @classmethod
    def run_node(
        cls,
        node: onnx.NodeProto,
        inputs: Sequence[np.ndarray],
        device: str = "CPU",
        outputs_info: Sequence[tuple[np.dtype, tuple[int, ...]]] | None = None,
        **kwargs: Any,  # noqa: ANN401
    ) -> tuple[Any, ...]:
        """Evaluate one node on tensors, under the opset given as `opset_version` or else the newest.

        The outputs have the types of `outputs_info`, or else those that the onnx package infers.
        """
        ports = [
            onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
            for name, x in zip((name for name in node.input if name), inputs, strict=True)
        ]
        names = [name for name in node.output if name]
        if outputs_info is None:
            outputs = [onnx.ValueInfoProto(name=name) for name in names]
        else:
            outputs = [
                onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)
                for name, (dtype, shape) in zip(names, outputs_info, strict=True)
            ]
        graph = onnx.helper.make_graph([node], "node", ports, outputs)
        opset = kwargs.get("opset_version", onnx.defs.onnx_opset_version())
        model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid(node.domain, opset)])
        return cls.prepare(onnx.shape_inference.infer_shapes(model), device).run(list(inputs))

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Only the CPU."""
        return device.split(":")[0] == "CPU"


is_compatible = Reference.is_compatible
prepare = Reference.prepare
run = Reference.run_model
run_node = Reference.run_node
supports_device = Reference.supports_device
