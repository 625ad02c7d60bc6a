"""ONNX Runtime on the CPU."""

#: import
import onnxruntime


#: version
onnxruntime.__version__

#: short load
OPTIONS
session = onnxruntime.InferenceSession(model, ARGUMENTS)

#: short run
returned = session.run(None, FEEDS)


#: plain
def load(path):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.LEVEL
    return onnxruntime.InferenceSession(path, options, PROVIDERS)


#: narrow
def run(session, feeds):
    return session.run(None, feeds)


#: wide
import ctypes

# The element types that numpy lacks, as ONNX numbers them (TensorProto.DataType).
NUMBERS = {"bfloat16": 16, "float8e4m3fn": 17, "float8e4m3fnuz": 18, "float8e5m2": 19, "float8e5m2fnuz": 20}
NUMBERS |= {"uint4": 21, "int4": 22, "float4e2m1": 23, "float8e8m0": 24, "uint2": 25, "int2": 26}


def given(value):
    """Arrays, lists or None; for the types that numpy lacks, an OrtValue whose memory is filled in."""
    if isinstance(value, list):
        return [given(item) for item in value]
    if not isinstance(value, tuple):
        return value
    kind, shape, elements = value
    if kind == "string":
        return object_array([text.decode() for text in elements], shape)
    tensor = onnxruntime.OrtValue.ortvalue_from_shape_and_type(shape, NUMBERS[kind])
    if tensor.tensor_size_in_bytes() != len(elements):
        sys.exit(f"ONNX Runtime stores {kind}{shape} in another size")
    ctypes.memmove(tensor.data_ptr(), elements, len(elements))
    return tensor


def value_of(result):
    names = {number: name for name, number in NUMBERS.items()}
    if result.is_tensor() and result.element_type() in names:
        data = ctypes.string_at(result.data_ptr(), result.tensor_size_in_bytes())
        return names[result.element_type()], list(result.shape()), data
    return result.numpy()


def run(session, feeds):
    """Calls `run`, or `run_with_ort_values` if numpy lacks the type of an output."""
    if not {output.type for output in session.get_outputs()} & {f"tensor({name})" for name in NUMBERS}:
        return session.run(None, feeds)
    values = {
        name: onnxruntime.OrtValue.ortvalue_from_numpy(feed) if isinstance(feed, np.ndarray) else feed
        for name, feed in feeds.items()
    }
    return [value_of(result) for result in session.run_with_ort_values(None, values)]
