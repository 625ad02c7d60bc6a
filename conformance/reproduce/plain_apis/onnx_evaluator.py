"""The reference evaluator of the onnx package."""

#: import
import onnx.reference


#: version
onnx.__version__

#: short load
evaluator = onnx.reference.ReferenceEvaluator(model)

#: short run
returned = evaluator.run(None, FEEDS)


#: plain
def load(path):
    return onnx.reference.ReferenceEvaluator(path)


#: narrow
def run(evaluator, feeds):
    return evaluator.run(None, feeds)


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
    if kind == "string":
        return object_array([text.decode() for text in elements], shape)
    bits, theirs = LACKING[kind]
    data = np.frombuffer(elements, "<u2" if bits == 16 else "u1")
    if bits < 8:  # one element in a byte
        planes = np.unpackbits(data, bitorder="little", count=math.prod(shape) * bits).reshape(-1, bits)
        data = (planes << np.arange(bits, dtype=np.uint8)).sum(axis=1, dtype=np.uint8)
    return data.view(getattr(ml_dtypes, theirs)).reshape(shape)


def value_of(result):
    if isinstance(result, list):
        return [value_of(item) for item in result]
    name = next((ours for ours, (_, theirs) in LACKING.items() if getattr(result, "dtype", None) == theirs), None)
    if name is None:
        return result
    bits = LACKING[name][0]
    codes = np.ascontiguousarray(result).view(f"u{result.dtype.itemsize}").ravel()
    if bits < 8:
        codes = np.packbits((codes[:, None] >> np.arange(bits)) & 1, bitorder="little")
    return name, list(result.shape), codes.tobytes()


def run(evaluator, feeds):
    return [value_of(result) for result in evaluator.run(None, feeds)]
