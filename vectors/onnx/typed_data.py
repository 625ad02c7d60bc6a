"""Constants of branches in the typed fields: where each element type lies, how it is packed, and one field alone."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Source, Vector, attribute, edited, else_of, model, then_of
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.if_types import VERSIONS, elements_added
from ifcert.authoring.models import Edit
from ifcert.authoring.patterns import LENGTH, pattern
from ifcert.authoring.sources import proto
from ifcert.authoring.values import Tensor
from onnx import ModelProto, TensorProto

ONE_FIELD = proto(
    "TensorProto: 'Depending on the data_type field, exactly one of the fields below with name ending in _data is used "
    "to store the elements of the tensor.'"
)
OR_RAW = proto(
    "TensorProto.raw_data: 'Serializations can either use one of the fields above, or use this raw bytes field.'"
)
FLOATS = proto("TensorProto.float_data: 'For float and complex64 values'")
DOUBLES = proto("TensorProto.double_data: 'For double'; 'Complex128 tensors are encoded as a single array of doubles'")
INT32 = proto(
    "TensorProto.int32_data: 'For int32, uint8, int8, uint16, int16, uint4, int4, uint2, int2, bool, (b)float16, "
    "float8, and float4'"
)
BITWISE = proto(
    "TensorProto.int32_data: '(b)float16 and float8 values MUST be converted bit-wise into an unsigned integer "
    "representation before being written to the buffer.'"
)
FOUR_BITS = proto(
    "TensorProto.int32_data: 'Each pair of uint4, int4, and float4 values MUST be packed as two 4-bit elements into a "
    "single byte. The first element is stored in the 4 least significant bits (LSB)'; 'each `int32_data` stores two "
    "elements.'"
)
TWO_BITS = proto(
    "TensorProto.int32_data: 'Each group of four uint2, int2 values MUST be packed as four 2-bit elements into a "
    "single byte.'; 'each `int32_data` stores four elements.'"
)
INT64 = proto("TensorProto.int64_data: 'For int64.'")
UINT64 = proto("TensorProto.uint64_data: 'For uint64 and uint32 values'")
STRINGS = proto("TensorProto.string_data: 'For strings.'")

_FIELDS = {
    "float32": ("float_data", "<f4", FLOATS),
    "complex64": ("float_data", "<f4", FLOATS),
    "float64": ("double_data", "<f8", DOUBLES),
    "complex128": ("double_data", "<f8", DOUBLES),
    "int64": ("int64_data", "<i8", INT64),
    "uint64": ("uint64_data", "<u8", UINT64),
    "uint32": ("uint64_data", "<u4", UINT64),
    "int32": ("int32_data", "<i4", INT32),
    "int16": ("int32_data", "<i2", INT32),
    "uint16": ("int32_data", "<u2", INT32),
    "int8": ("int32_data", "<i1", INT32),
    "uint8": ("int32_data", "<u1", INT32),
    "bool": ("int32_data", "<u1", INT32),
    "float16": ("int32_data", "<u2", BITWISE),
    "bfloat16": ("int32_data", "<u2", BITWISE),
}


def typed(value: Tensor, name: str) -> TensorProto:
    """The tensor with its elements in the field of their type."""
    element = ELEMENTS[value.element]
    tensor = TensorProto(data_type=element.onnx, dims=value.shape, name=name)
    if value.element == "string":
        tensor.string_data.extend(value.strings)
        return tensor
    field, numbers, _ = _FIELDS.get(value.element, ("int32_data", "<u1", None))
    getattr(tensor, field).extend(np.frombuffer(value.data, numbers).tolist())
    return tensor


def sentence(name: str) -> Source:
    """Where onnx.proto says in which field the element type lies."""
    if name == "string":
        return STRINGS
    bits = ELEMENTS[name].bits
    return {4: FOUR_BITS, 2: TWO_BITS}.get(bits) or _FIELDS.get(name, (None, None, BITWISE))[2]


def choice(element: str, opset: int) -> ModelProto:
    """Then returns its initializer, else a Constant."""
    text = ELEMENTS[element].text
    made = model(
        opset,
        f"""
        stored (bool cond) => ({text}[{LENGTH}] y) {{
            y = If (cond) <
                then_branch = then_graph () => ({text}[{LENGTH}] a) {{ a = Identity (k) }},
                else_branch = else_graph () => ({text}[{LENGTH}] b) {{ b = Constant <value = float {{0}}> () }}>
        }}""",
    )
    then_of(made).initializer.append(typed(pattern(element, 0), "k"))
    attribute(else_of(made).node[0], "value").t.CopyFrom(typed(pattern(element, 5), ""))
    return made


def vectors() -> Iterator[Vector]:
    """Each element type; then two fields at once, and fields of other types."""
    # The Constant of opset 1 takes any tensor, but many runtimes begin later.
    opsets = {1: 13}
    for version in VERSIONS:
        opset = opsets.get(version, version)
        for element in elements_added(version):
            yield Vector(
                f"onnx/if/value-unchanged/typed-field-{element}",
                f"an initializer and a Constant of {element} have their elements in the typed field",
                [sentence(element), ONE_FIELD],
                choice(element, opset),
                [
                    Run({"cond": np.True_}, {"y": pattern(element, 0)}),
                    Run({"cond": np.False_}, {"y": pattern(element, 5)}),
                ],
                also=["onnx/model/tensor-data-fits-shape"],
            )
    yield from _fields()


X = np.float32([1, -2])

WEIGHTED = """
    weighted (bool cond, TYPE[2] x) => (TYPE[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (TYPE[2] a) <TYPE[2] k = {10, 20}> { a = Add (x, k) },
            else_branch = else_graph () => (TYPE[2] b) { b = Neg (x) }>
    }"""


def k_of(m: ModelProto) -> TensorProto:
    """Then's initializer."""
    return then_of(m).initializer[0]


def moved(field: str) -> Edit:
    """The numbers of k lie in another field."""

    def edit(m: ModelProto) -> None:
        for other in ("float_data", "int64_data"):
            k_of(m).ClearField(other)
        getattr(k_of(m), field).extend([10, 20])

    return edit


def raw_too(numbers: np.ndarray) -> Edit:
    """k has raw_data beside its typed field."""
    return lambda m: setattr(k_of(m), "raw_data", numbers.tobytes())


def _fields() -> Iterator[Vector]:
    rule = "onnx/model/tensor-data-fits-shape/"
    for element, text, dtype in (("float32", "float", np.float32), ("int64", "int64", np.int64)):
        x, k = dtype([1, -2]), dtype([10, 20])
        runs = [Run({"cond": np.True_, "x": x}, {"y": x + k}), Run({"cond": np.False_, "x": x}, {"y": -x})]
        weighted = model(13, WEIGHTED.replace("TYPE", text))
        field = _FIELDS[element][0]
        twin = Vector(
            f"{rule}in-{field.replace('_', '-')}", f"then's weights lie in {field}", [ONE_FIELD], weighted, runs
        )
        yield twin
        yield twin.broken(
            f"{rule}raw-data-beside-{field.replace('_', '-')}",
            f"then's weights lie in {field} and, the same numbers, in raw_data",
            raw_too(k),
            why=[OR_RAW, ONE_FIELD],
        )
        for other in ("int32_data", "double_data" if element == "float32" else "uint64_data"):
            yield twin.broken(
                f"{rule}{element}-in-{other.replace('_', '-')}",
                f"then's weights, of {element}, lie in {other}",
                moved(other),
                why=[ONE_FIELD, proto(f"TensorProto.{other}: {WHEN_PRESENT[other]}")],
            )
    raw = Vector(
        rule + "in-raw-data",
        "then's weights lie in raw_data",
        [OR_RAW],
        edited(model(13, WEIGHTED.replace("TYPE", "float")), in_raw_data),
        [Run({"cond": np.True_, "x": X}, {"y": np.float32([11, 18])}), Run({"cond": np.False_, "x": X}, {"y": -X})],
    )
    yield raw
    yield raw.broken(
        rule + "raw-data-beside-another-types-field",
        "then's weights lie in raw_data, and numbers in int32_data too",
        lambda m: k_of(m).int32_data.extend([30, 40]),
        why=[OR_RAW, ONE_FIELD],
    )


WHEN_PRESENT = {
    "double_data": "'When this field is present, the data_type field MUST be DOUBLE or COMPLEX128'",
    "int32_data": "'When this field is present, the data_type field MUST be INT32, INT16, INT8, INT4, INT2, UINT16'",
    "uint64_data": "'When this field is present, the data_type field MUST be UINT32 or UINT64'",
}


def in_raw_data(m: ModelProto) -> None:
    """The numbers of k lie in raw_data."""
    k_of(m).ClearField("float_data")
    k_of(m).raw_data = np.float32([10, 20]).tobytes()
