"""Apache TVM: imported, compiled for LLVM and run by its virtual machine."""

#: import
import onnx
import tvm
import tvm_ffi
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx


#: plain
def load(path):
    model = onnx.load(path)
    module = relax.transform.LegalizeOps()(from_onnx(model))
    machine = relax.VirtualMachine(tvm.compile(module, "llvm"), tvm.cpu())
    initialized = {tensor.name for tensor in model.graph.initializer}
    inputs = [value.name for value in model.graph.input if value.name not in initialized]
    return machine["main"], inputs, len(model.graph.output)


def passed(value):
    """Its own tensor; a list of them for a sequence, None for an optional without a value."""
    if isinstance(value, list):
        return [passed(item) for item in value]
    return None if value is None else tvm.runtime.tensor(value)


def value_of(result):
    """Anything but a tensor is shown as it is."""
    if isinstance(result, tvm_ffi.Array):
        return [value_of(item) for item in result]
    return result.numpy() if isinstance(result, tvm.runtime.Tensor) else (type(result).__name__, [], str(result))


def run(model, feeds):
    main, inputs, count = model
    results = main(*[passed(feeds[name]) for name in sorted(feeds, key=inputs.index)])
    return [value_of(result) for result in ([results] if count == 1 else results)]


#: wide
import math

import ml_dtypes

# The element types that numpy lacks: the bits of an element, and the name in the package ml_dtypes.
LACKING = {"bfloat16": (16, "bfloat16"), "float8e4m3fn": (8, "float8_e4m3fn"), "float8e4m3fnuz": (8, "float8_e4m3fnuz")}
LACKING |= {"float8e5m2": (8, "float8_e5m2"), "float8e5m2fnuz": (8, "float8_e5m2fnuz"), "uint4": (4, "uint4")}
LACKING |= {"int4": (4, "int4"), "float4e2m1": (4, "float4_e2m1fn"), "float8e8m0": (8, "float8_e8m0fnu")}
LACKING |= {"uint2": (2, "uint2"), "int2": (2, "int2")}


def given(value):
    """Arrays (of ml_dtypes for the types that numpy lacks), lists or None."""
    if isinstance(value, list):
        return [given(item) for item in value]
    if not isinstance(value, tuple):
        return value
    kind, shape, elements = value
    bits, theirs = LACKING[kind]
    data = np.frombuffer(elements, "<u2" if bits == 16 else "u1")
    if bits < 8:  # one element in a byte
        planes = np.unpackbits(data, bitorder="little", count=math.prod(shape) * bits).reshape(-1, bits)
        data = (planes << np.arange(bits, dtype=np.uint8)).sum(axis=1, dtype=np.uint8)
    return data.view(getattr(ml_dtypes, theirs)).reshape(shape)
