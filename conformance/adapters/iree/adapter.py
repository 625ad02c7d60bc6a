"""IREE: its ONNX importer, its compiler for llvm-cpu and its runtime, in one process through their Python packages.

The steps are those of the tools iree-import-onnx and iree-compile with their defaults, except that f64 is computed as
such: the imported module goes to the compiler as text, and each model has a compiler session of its own.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
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
    Tensor,
    Unsupported,
    UnsupportedFeature,
    Value,
    serve,
)
from ifcert_onnx_values import feed, read

if TYPE_CHECKING:
    from iree.runtime import FunctionInvoker

# The options of iree-compile. A generic processor is its default, but it warns unless the option names it. Unless
# told otherwise it computes f64 as f32 (github.com/iree-org/iree/issues/15830); its maintainers advise this flag.
FLAGS = (
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=generic",
    "--iree-input-demote-f64-to-f32=false",
)

# The not-implemented status of the importer, and of the compiler: IREE's guide to ONNX says of the last one "The
# operator is not implemented, or the implementation is missing a case".
LACKS = re.compile(
    r"ONNX importer does not support generic node attribute type \w+"
    r"|Unhandled ONNX TensorProto data"  # no handler for the type's typed field
    r"|Unknown ONNX tensor element type: \d+"
    r"|Unsupported builtin tensor type"
    r"|unhandled torch type"
    r"|failed to legalize operation '[\w.]+'"
)

# The unsigned element types of TensorProto.DataType. What is compiled returns signless integers
# (github.com/iree-org/iree/issues/12665), which the Python package passes as signed ones.
UNSIGNED = {2: "uint8", 4: "uint16", 12: "uint32", 13: "uint64"}

FUNCTIONS = "https://iree.dev/reference/bindings/python/"
BY_POSITION = "a compiled function has positional arguments"
NO_ARRAY = "the Python API takes numpy arrays, and knows no such array"
NO_ARRAYS = ("int2", "uint2", "int4", "uint4", "float4e2m1", "string")

# The compiler's C API passes diagnostics to such a function; its Python package only prints them, or calls Python
# without the interpreter's lock. The numbers of severities are those of embedding_api.h.
DIAGNOSTIC = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
ERROR = 2

# The compiler repeats some errors for each place.
MOST_ERRORS = 5


class CompilerError(Exception):
    """The errors that the compiler reports instead of returning a module."""


class Iree(Adapter):
    """One compiled model at a time, on the device that works in the thread of the caller."""

    def __init__(self) -> None:
        """The compiler's diagnostics become the message of a refusal."""
        import iree.compiler.api
        import iree.runtime
        from iree.compiler import _mlir_libs, ir
        from iree.compiler.extras import onnx_importer
        from iree.compiler.tools.import_onnx import __main__ as import_onnx
        from iree.runtime import version

        self._api, self._ir = iree.compiler.api, ir
        self._importer, self._tool = onnx_importer, import_onnx
        self._version = version.VERSION.partition("rc")[0]
        self._library = ctypes.CDLL(str(Path(_mlir_libs.__path__[0]) / "libIREECompiler.so"))
        self._library.ireeCompilerInvocationEnableCallbackDiagnostics.argtypes = (
            ctypes.c_void_p,
            ctypes.c_int,
            DIAGNOSTIC,
            ctypes.c_void_p,
        )
        self._rt = iree.runtime
        integers = iree.runtime.HalElementType
        self._signless = [int(kind) for kind in (integers.INT_8, integers.INT_16, integers.INT_32, integers.INT_64)]
        self._config = iree.runtime.Config("local-sync")
        self.unload()

    def describe(self) -> Description:
        """The runtime's version; the compiler of the same release is pinned beside it."""
        return Description(
            adapter="iree",
            runtime="IREE",
            version=self._version,
            language="C++ through Python",
            home="https://iree.dev",
            holds=True,  # its documentation does not promise that a context may be called from several threads
            unsupported_features=(
                UnsupportedFeature("inputs:named", BY_POSITION, FUNCTIONS),
                *(UnsupportedFeature(f"value:tensor({name})", NO_ARRAY, FUNCTIONS) for name in NO_ARRAYS),
            ),
        )

    def not_implemented(self, error: Exception) -> str | None:
        """Only messages tell it."""
        lack = LACKS.search(str(error))
        return lack and lack[0]

    def load(self, model: Path, model_format: str) -> list[Port]:
        """Import, compile, and load the module that results."""
        del model_format
        self.unload()
        with self.runtime():
            proto = self._tool.load_onnx_model(self._tool.parse_arguments([str(model)]))
            info = self._importer.ModelInfo(proto)
            module = info.create_module(context=self._ir.Context()).operation
            self._importer.NodeImporter.define_function(info.main_graph, module).import_all()
            module.verify()
            code = self._compile(module.get_asm(assume_verified=True))
            loaded = self._rt.VmModule.copy_buffer(self._config.vm_instance, code)
            context = self._rt.SystemContext(vm_modules=[loaded], config=self._config)
            self._function = context.modules[loaded.name][proto.graph.name]
        self._inputs = list(info.main_graph.input_map)
        self._outputs = [output.name for output in proto.graph.output]
        self._kinds = [UNSIGNED.get(output.type.tensor_type.elem_type) for output in proto.graph.output]
        return [Port(name, None, None) for name in self._outputs]

    def unload(self) -> None:
        """The function keeps its context alive."""
        self._function: FunctionInvoker | None = None
        self._inputs: list[str] = []
        self._outputs: list[str] = []
        self._kinds: list[str | None] = []

    def _compile(self, text: str) -> bytes:
        """The compiler's output for a module in MLIR's text form."""
        session = self._api.Session()
        session.set_flags(*FLAGS)
        errors: list[str] = []

        def keep(severity: int, text: int, size: int, _: object) -> None:
            if severity == ERROR:
                errors.append(ctypes.string_at(text, size).decode(errors="replace")[:1000])

        callback = DIAGNOSTIC(keep)
        invocation = session.invocation()
        self._library.ireeCompilerInvocationEnableCallbackDiagnostics(invocation._inv_p, 0, callback, None)
        try:
            source = self._api.Source.wrap_buffer(session, text.encode() + b"\0", buffer_name="model.mlir")
            if not invocation.parse_source(source) or not invocation.execute():
                raise CompilerError(
                    "\n".join(list(dict.fromkeys(errors))[:MOST_ERRORS]) or "it failed without a message"
                )
            output = self._api.Output.open_membuffer()
            invocation.output_vm_bytecode(output)
            return bytes(output.map_memory())
        finally:
            invocation.close()
            session.close()

    def run(self, inputs: dict[str, Value]) -> Outputs:
        """Outputs are read as copies."""
        return self.hold(inputs)()

    def hold(self, inputs: dict[str, Value]) -> Callable[[], Outputs]:
        """The arrays that the call returned are kept; they show the device's memory."""
        if self._function is None:
            raise AdapterError("no model is loaded")
        names = [name for name in self._inputs if name in inputs]
        if names != self._inputs[: len(names)]:
            raise Unsupported("inputs:named", BY_POSITION)
        surplus = [name for name in inputs if name not in self._inputs]  # the importer drops what has an initializer
        arguments = [argument(inputs[name]) for name in names + surplus]
        with self.runtime():
            results = self._function(*arguments)
        results = results if isinstance(results, tuple) else (results,)
        if len(results) != len(self._outputs):
            return lambda: [("", Other(f"{len(results)} results"))]
        triples = list(zip(self._outputs, self._kinds, results, strict=True))
        return lambda: [(name, self._read(result, kind)) for name, kind, result in triples]

    def _read(self, result: object, unsigned: str | None) -> Value:
        """A compiled function's integers are signless, and numpy's are not: the model says whether they have a sign."""
        if isinstance(result, self._rt.DeviceArray):
            signless = int(result._buffer_view.element_type) in self._signless
            with self.runtime():
                result = result.to_host()
            if signless and unsigned is not None and result.dtype.itemsize == np.dtype(unsigned).itemsize:
                result = result.view(unsigned)
        return read(result, None)


def argument(value: Value) -> np.ndarray | list | None:
    """The argument for a compiled function."""
    if isinstance(value, Tensor) and value.type in NO_ARRAYS:
        raise Unsupported(f"value:{value.type_name}", NO_ARRAY)
    return feed(value)


if __name__ == "__main__":
    serve(Iree)
