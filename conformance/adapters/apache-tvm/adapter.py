"""Apache TVM: its ONNX importer, its compiler for LLVM and its virtual machine, as its documentation calls them.

The importer is called with its defaults: shapes come from the file, and those that it leaves open are compiled so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from ifcert_adapter import (
    Adapter,
    AdapterError,
    Description,
    Other,
    Outputs,
    Port,
    Tensor,
    Unsupported,
    UnsupportedFeature,
    Value,
    serve,
)
from ifcert_onnx_values import element_names, feed, read, type_name

FUNCTIONS = "https://tvm.apache.org/docs/reference/api/python/relax/relax.html#tvm.relax.VirtualMachine"
BY_POSITION = "a compiled function has positional arguments"
TENSORS = "https://tvm.apache.org/tirx/reference/python/generated/tvm_tirx.runtime.tensor_function.html"
NO_ARRAY = "the Python API takes numpy arrays, and packs none of such elements"
NO_ARRAYS = ("int2", "uint2", "int4", "uint4")
TYPE_CODES = "https://tvm.apache.org/ffi/_modules/tvm_ffi/_dtype.html"
LACKING = ("string", "complex64", "complex128")
OPERATORS = "https://github.com/apache/tvm/blob/v0.27.0/python/tvm/relax/frontend/onnx/onnx_frontend.py"
NO_OPERATOR = "_get_convert_map does not have it"
NO_ABSENT_OUTPUT = "'Empty optional graph outputs are not supported by the Relax ONNX frontend'"

# The messages about features that its importer does not implement, if it does not raise NotImplementedError.
LACKS = re.compile(r"not supported|[Oo]nly [\w ]+ supported")


class ApacheTvm(Adapter):
    """One compiled model at a time."""

    def __init__(self) -> None:
        """The compiler is in the same library as the virtual machine."""
        import onnx
        import tvm
        import tvm_ffi
        from tvm import relax
        from tvm.relax.frontend.onnx import from_onnx

        self._onnx, self._tvm, self._relax, self._from_onnx = onnx, tvm, relax, from_onnx
        self._array = tvm_ffi.Array
        self.unload()

    def describe(self) -> Description:
        """The version is that of the library."""
        return Description(
            adapter="apache-tvm",
            runtime="Apache TVM",
            version=self._tvm.__version__,
            language="C++ through Python",
            home="https://tvm.apache.org",
            holds=True,
            unsupported_features=(
                UnsupportedFeature("inputs:named", BY_POSITION, FUNCTIONS),
                *(UnsupportedFeature(f"type:{name}", "DataTypeCode does not list it", TYPE_CODES) for name in LACKING),
                UnsupportedFeature("output:absent", NO_ABSENT_OUTPUT, OPERATORS),
                *(
                    UnsupportedFeature(f"{direction}:tensor({name})", NO_ARRAY, TENSORS)
                    for direction in ("input", "output")
                    for name in NO_ARRAYS
                ),
                *(
                    UnsupportedFeature(f"operator:{name}", NO_OPERATOR, OPERATORS)
                    for name in ("Loop", "Scan", "SequenceMap")
                ),
            ),
        )

    def not_implemented(self, error: Exception) -> str | None:
        """An exception of Python's own, or words."""
        if isinstance(error, NotImplementedError | self._tvm.error.OpNotImplemented):
            return type(error).__name__
        lack = LACKS.search(str(error)) if isinstance(error, ValueError | AssertionError) else None
        return lack and lack[0]

    def load(self, model: Path, model_format: str) -> list[Port]:
        """Import, lower and compile."""
        del model_format
        self.unload()
        with self.runtime():
            proto = self._onnx.load(model)
            module = self._relax.transform.LegalizeOps()(self._from_onnx(proto))
            machine = self._relax.VirtualMachine(self._tvm.compile(module, "llvm"), self._tvm.cpu())
            self._function = machine["main"]
        initialized = {tensor.name for tensor in proto.graph.initializer}
        self._inputs = [value.name for value in proto.graph.input if value.name not in initialized]
        elements = element_names(dict(self._onnx.TensorProto.DataType.items()))
        self._outputs = [(output.name, type_name(output.type, elements)) for output in proto.graph.output]
        return [Port(name, None, None) for name, _ in self._outputs]

    def unload(self) -> None:
        """The function keeps its virtual machine alive."""
        self._function: Callable[..., object] | None = None
        self._inputs: list[str] = []
        self._outputs: list[tuple[str, str | None]] = []  # names and declared types

    def run(self, inputs: dict[str, Value]) -> Outputs:
        """Outputs are read as copies."""
        return self.hold(inputs)()

    def hold(self, inputs: dict[str, Value]) -> Callable[[], Outputs]:
        """The tensors that the call returned are kept."""
        if self._function is None:
            raise AdapterError("no model is loaded")
        names = [name for name in self._inputs if name in inputs]
        if names != self._inputs[: len(names)]:
            raise Unsupported("inputs:named", BY_POSITION)
        surplus = [name for name in inputs if name not in self._inputs]  # the importer drops what has an initializer
        feeds = [argument(inputs[name]) for name in names + surplus]
        with self.runtime():
            results = self._function(*map(self._tensor, feeds))
        results = [results] if len(self._outputs) == 1 else list(results)
        if len(results) != len(self._outputs):
            return lambda: [("", Other(f"{len(results)} results"))]
        outputs = zip(self._outputs, results, strict=True)
        kept = [(name, declared, result) for (name, declared), result in outputs]
        return lambda: [(name, self._read(result, declared)) for name, declared, result in kept]

    def _tensor(self, array: object) -> object:
        """Its own tensor; a list of them for a sequence, None for an optional without a value."""
        if isinstance(array, list):
            return [self._tensor(item) for item in array]
        return None if array is None else self._tvm.runtime.tensor(array)

    def _read(self, result: object, declared: str | None) -> Value:
        """The value of a result; TVM returns a sequence as an array of its own."""
        is_array = isinstance(result, self._array)
        tensors = list(result) if is_array else [result]
        if not all(isinstance(tensor, self._tvm.runtime.Tensor) for tensor in tensors):
            return Other(f"a {type(result).__name__}: {result}"[:500])
        if lacking := [str(tensor.dtype) for tensor in tensors if str(tensor.dtype) in NO_ARRAYS]:
            raise Unsupported(f"output:tensor({lacking[0]})", NO_ARRAY)
        with self.runtime():
            arrays = [tensor.numpy() for tensor in tensors]
        return read(arrays if is_array else arrays[0], declared)


def argument(value: Value) -> object:
    """The numpy array, or list of arrays, from which its tensors are made."""
    if isinstance(value, Tensor) and value.type in NO_ARRAYS:
        raise Unsupported(f"input:{value.type_name}", NO_ARRAY)
    return feed(value)


if __name__ == "__main__":
    serve(ApacheTvm)
