"""tinygrad's OnnxRunner on the processor, with clang, which is what it takes by default where there is no accelerator.

Its device PYTHON would need no compiler, but hands some kernels to the processor all the same.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from ifcert_adapter import (
    ELEMENT_TYPES,
    Adapter,
    AdapterError,
    Description,
    Optional,
    Other,
    Outputs,
    Port,
    Sequence,
    Tensor,
    UnsupportedFeature,
    Value,
    serve,
)

if TYPE_CHECKING:
    import tinygrad
    from tinygrad.nn.onnx import OnnxRunner, OnnxValue

DTYPES = "https://docs.tinygrad.org/dtypes/"
NO_DTYPE = "the page lists all dtypes, and has none like it"

LACKING = (
    *("int2", "int4", "uint2", "uint4", "float4e2m1", "float8e8m0"),
    *("complex64", "complex128", "string"),
)
OPERATORS = "https://github.com/tinygrad/tinygrad/blob/v0.14.0/tinygrad/nn/onnx.py"
NO_OPERATOR = "OnnxRunner.onnx_ops does not have it"
NO_OPERATORS = (
    *("Loop", "Scan", "SequenceAt", "SequenceConstruct", "SequenceEmpty", "SequenceInsert"),
    *("SequenceLength", "SequenceMap"),
)
UNSUPPORTED_FEATURES = (
    *(UnsupportedFeature(f"type:{name}", NO_DTYPE, DTYPES) for name in LACKING),
    *(UnsupportedFeature(f"operator:{name}", NO_OPERATOR, OPERATORS) for name in NO_OPERATORS),
)

# Members of ONNX that its enumerations lack: element types, kinds of attributes, and domains, also of functions.
LACKS = re.compile(
    r"(?:8|1[45]|1[7-9]|2[0-7]) is not a valid OnnxDataType"
    r"|(?:9|1[0-4]) is not a valid AttributeType"
    r"|'[^']*' is not a valid Domain"
)


class TinyGrad(Adapter):
    """A runner executes its nodes in order when it is called; the tensors that it returns are computed when read."""

    def __init__(self) -> None:
        """DEV and CC, in the manifest, choose the device and its compiler."""
        import tinygrad
        from tinygrad.nn import onnx

        if shutil.which(os.environ["CC"]) is None:
            raise AdapterError(f"tinygrad needs {os.environ['CC']} (Debian package clang-16), which is not on PATH")
        self._tinygrad = tinygrad
        self._make = onnx.OnnxRunner
        self._parser = onnx.OnnxPBParser
        self._runner: OnnxRunner | None = None
        self._declared: dict[str, OnnxValue | None] = {}  # the types of the model's outputs, in order
        self._folder = Path(tempfile.mkdtemp())

    def describe(self) -> Description:
        """The version is that of the installed package."""
        return Description(
            adapter="tinygrad",
            runtime="tinygrad",
            version=importlib.metadata.version("tinygrad"),
            language="Python",
            home="https://tinygrad.org",
            holds=True,  # its documentation does not mention threads
            unsupported_features=UNSUPPORTED_FEATURES,
        )

    def not_implemented(self, error: Exception) -> str | None:
        """It raises NotImplementedError itself; of numbers that it does not know, only the message tells."""
        if isinstance(error, NotImplementedError):
            return type(error).__name__
        lack = LACKS.search(str(error))
        return lack and lack[0]

    def load(self, model: Path, model_format: str) -> list[Port]:
        """By path, so that external data is found; from a copy, because files are opened for writing too."""
        del model_format
        self.unload()
        shutil.copytree(model.parent, self._folder / "model", ignore=shutil.ignore_patterns(self._folder.name))
        path = str(self._folder / "model" / model.name)
        with self.runtime():
            self._runner = self._make(path)
            outputs = self._parser(path).parse()["graph"]["output"]  # the runner keeps their names alone
        self._declared = {output["name"]: output["parsed_type"] for output in outputs}
        return [Port(name, None, None) for name in self._runner.graph_outputs]

    def unload(self) -> None:
        """A runner is destroyed with the last reference to it, and closes the file."""
        self._runner = None
        shutil.rmtree(self._folder / "model", ignore_errors=True)

    def run(self, inputs: dict[str, Value]) -> Outputs:
        """Every output, in the order of the graph."""
        return self.hold(inputs)()

    def hold(self, inputs: dict[str, Value]) -> Callable[[], Outputs]:
        """Its tensors are computed here, and read later."""
        if self._runner is None:
            raise AdapterError("no model is loaded")
        feeds = {name: self._feed(value) for name, value in inputs.items()}
        with self.runtime():
            results = self._runner(feeds)
            for result in results.values():
                realize(result)
        names, declared = self._runner.graph_outputs, self._declared
        return lambda: [(name, self._read(results[name], declared[name])) for name in names]

    def _feed(self, value: Value) -> np.ndarray | tinygrad.Tensor | list | None:
        match value:
            case Tensor(type="bfloat16"):
                with self.runtime():
                    return self._tinygrad.Tensor(value.array()).bitcast(self._tinygrad.dtypes.bfloat16)
            case Tensor():
                return value.array()
            case Sequence():
                return [self._feed(item) for item in value.items]
            case Optional():
                return None if value.value is None else self._feed(value.value)
        raise AdapterError(f"a {type(value).__name__} cannot be an input")

    def _read(self, result: object, declared: OnnxValue | None) -> Value:
        """Python's None, list and tensor are what tinygrad has for optionals too; the declared type tells which."""
        of = self._type_name(declared)
        value: Value | None
        if isinstance(result, self._tinygrad.Tensor):
            value = self._read_tensor(result)
        elif isinstance(result, list) and all(isinstance(item, self._tinygrad.Tensor) for item in result):
            value = Sequence(of and of.removeprefix("seq(")[:-1], tuple(map(self._read_tensor, result)))
        elif result is None:
            value = None
        else:
            return Other(f"{type(result).__name__}: {result!r}"[:500])
        is_optional = result is None or (declared is not None and declared.is_optional)
        return Optional(of, value) if is_optional else value

    def _type_name(self, declared: OnnxValue | None) -> str | None:
        """The type that an optional holds, or the type itself, in the protocol's words."""
        if declared is None:
            return None
        dtypes = self._tinygrad.dtypes
        tensor = f"tensor({next(each for each in ELEMENT_TYPES if getattr(dtypes, each, None) is declared.dtype)})"
        return f"seq({tensor})" if declared.is_sequence else tensor

    def _read_tensor(self, tensor: tinygrad.Tensor) -> Tensor:
        """numpy has all of its types but bfloat16."""
        is_bfloat16 = tensor.dtype == self._tinygrad.dtypes.bfloat16
        with self.runtime():
            array = (tensor.bitcast(self._tinygrad.dtypes.uint16) if is_bfloat16 else tensor).numpy()
        return Tensor.of(array, "bfloat16" if is_bfloat16 else None)


def realize(result: object) -> None:
    """Compute a tensor, or those of a sequence."""
    for each in result if isinstance(result, list) else [result]:
        if hasattr(each, "realize"):
            each.realize()


if __name__ == "__main__":
    serve(TinyGrad)
