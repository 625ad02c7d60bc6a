"""A model as readable text: ONNX's own printer, on a copy in which everything can be printed."""

import math

import numpy as np
from google.protobuf import text_format
from onnx import FunctionProto, GraphProto, ModelProto, StringStringEntryProto, TensorProto, printer

from ifcert.authoring.elements import element_of_number

# The printer writes an ellipsis for these types.
_NOT_PRINTED = {"complex64", "complex128", "int2", "uint2", "int4", "uint4", "float4e2m1"}


# The number of bytes shown of a file that is not a model.
_MOST_BYTES = 4096


def model_text(model: ModelProto | bytes) -> str:
    """Text of a model, always ending in a newline; a file that is not a model is shown as its bytes.

    A tensor that the printer cannot write exactly is shown by its bytes, as in `int4[3] a = ["bytes": "21 03"]`;
    bytes of strings that are not printable are shown as <hex>.
    """
    if isinstance(model, bytes):
        return f"This file of {len(model)} bytes cannot be read as a model:\n{_dump(model)}"
    copy = ModelProto()
    copy.CopyFrom(model)
    for body in (copy.graph, *copy.functions):
        _make_printable(body)
    try:
        text = printer.to_text(copy)
    except Exception:  # the printer refuses some invalid models, each with an error of its own kind
        text = text_format.MessageToString(copy)
    return "\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n"


def _dump(data: bytes) -> str:
    shown = data[:_MOST_BYTES]
    lines = [f"{offset:08x}  {shown[offset : offset + 16].hex(' ')}\n" for offset in range(0, len(shown), 16)]
    return "".join(lines) + (f"… and {len(data) - len(shown)} bytes more\n" if len(data) > len(shown) else "")


def _make_printable(body: GraphProto | FunctionProto) -> None:
    for tensor in body.initializer if isinstance(body, GraphProto) else ():
        _make_tensor_printable(tensor)
    for node in body.node:
        for attribute in node.attribute:
            if attribute.HasField("s"):
                attribute.s = _printable(attribute.s)
            attribute.strings[:] = [_printable(text) for text in attribute.strings]
            if attribute.HasField("t"):
                _make_tensor_printable(attribute.t)
            for graph in [attribute.g, *attribute.graphs] if attribute.HasField("g") else attribute.graphs:
                _make_printable(graph)


def _make_tensor_printable(tensor: TensorProto) -> None:
    tensor.string_data[:] = [_printable(text) for text in tensor.string_data]
    if tensor.HasField("raw_data") and not _prints_exactly(tensor):
        # The printer writes the keys and values of external data, whatever they are.
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.append(StringStringEntryProto(key="bytes", value=tensor.raw_data.hex(" ")))
        tensor.ClearField("raw_data")


def _prints_exactly(tensor: TensorProto) -> bool:
    element = element_of_number(tensor.data_type)
    if element is None or element.name in _NOT_PRINTED:
        return False
    if len(tensor.raw_data) * 8 != math.prod(tensor.dims) * element.bits or min(tensor.dims, default=0) < 0:
        return False
    if element.name in ("float32", "float64"):
        numbers = np.frombuffer(tensor.raw_data, element.numpy)
        return bool(np.all(np.abs(numbers) < 1e6) and np.all(numbers == np.trunc(numbers)))
    return True


def _printable(text: bytes) -> bytes:
    """Printable UTF-8 as it is; in anything else the bytes that are not printable ASCII as <hex>."""
    try:
        if text.decode().isprintable():
            return text
    except UnicodeDecodeError:
        pass
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else f"<{byte:02x}>" for byte in text).encode()
