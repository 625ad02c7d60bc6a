"""OpenVINO on the CPU, for IR and for ONNX alike."""

#: import
import openvino


#: version
openvino.__version__

#: short load
model = openvino.Core().compile_model(path, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
ports = {name: port for port in model.inputs for name in {port.node.friendly_name, *port.names}}

#: short run
returned = list(model({ports[name]: openvino.Tensor(value) for name, value in FEEDS.items()}).values())


#: plain
import threading


def load(path):
    """The model, and an inference request for each thread."""
    core = openvino.Core()
    settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
    return core.compile_model(core.read_model(path), "CPU", settings), threading.local()


def run(loaded, feeds):
    model, own = loaded
    if not hasattr(own, "request"):
        own.request = model.create_infer_request()
    for name, value in feeds.items():
        ports = [port for port in model.inputs if name in port.names or name == port.node.friendly_name]
        own.request.set_tensor(ports[0] if ports else name, tensor_of(value))
    own.request.infer()
    return [value_of(own.request.get_tensor(port)) for port in model.outputs]


#: narrow
def tensor_of(value):
    tensor = openvino.Tensor(openvino.Type(value.dtype), value.shape)
    if value.size:
        tensor.data[...] = value
    return tensor


def value_of(tensor):
    return tensor.data.copy() if tensor.size else np.empty(tensor.shape, tensor.element_type.to_dtype())


#: wide
import ctypes
import math

OPTIONALS = False  # OpenVINO has only tensors, and declares that such an output is one
TYPES = {"boolean": "bool", "string": "string", "bf16": "bfloat16", "f8e4m3": "float8e4m3fn", "f8e5m2": "float8e5m2"}
TYPES |= {"f8e8m0": "float8e8m0", "f4e2m1": "float4e2m1"}
TYPES |= {f"{kind[0]}{bits}": f"{kind}{bits}" for kind in ("int", "uint", "float") for bits in (2, 4, 8, 16, 32, 64)}


def tensor_of(value):
    """A tensor, filled byte by byte. Lists and None are passed on, so that OpenVINO itself refuses them."""
    if value is None or isinstance(value, list):
        return value
    kind, shape, elements = parts(value)
    theirs = next((theirs for theirs, ours in TYPES.items() if ours == kind), kind)
    tensor = openvino.Tensor(getattr(openvino.Type, theirs), shape)
    if kind == "string" and elements:
        tensor.bytes_data = np.array(elements).reshape(shape)
    elif elements:
        if tensor.byte_size != len(elements):
            sys.exit(f"OpenVINO stores {kind}{shape} in another size")
        ctypes.memmove(tensor.data.ctypes.data, elements, len(elements))
    return tensor


def value_of(tensor):
    kind, shape = tensor.element_type.to_string(), list(tensor.shape)
    name = TYPES.get(kind, kind)
    if math.prod(shape) == 0:
        return name, shape, [] if name == "string" else b""
    if name == "string":
        texts = tensor.bytes_data
        if texts.dtype.itemsize == 1 and not any(tensor.str_data.ravel()):
            texts = np.zeros_like(texts)  # bytes_data has a byte for each empty string that nobody has written
        return name, shape, texts.ravel().tolist()
    data = bytearray(ctypes.string_at(tensor.data.ctypes.data, tensor.byte_size))
    bits = {"int2": 2, "uint2": 2, "int4": 4, "uint4": 4, "float4e2m1": 4}.get(name, 8)
    if used := math.prod(shape) * bits % 8:
        data[-1] &= (1 << used) - 1  # padding has no meaning
    return name, shape, bytes(data)
