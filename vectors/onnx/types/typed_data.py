"""Constants of branches: each element type in its typed field and in raw_data, its packing, and one field alone."""

from collections.abc import Callable, Iterator, MutableSequence, Sequence
from dataclasses import replace

import numpy as np
from ifcert.authoring import Vector, Why, branches, codes, floats, model, replaced, says, strings
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.if_types import VERSIONS, elements_added
from ifcert.authoring.models import Edit, attribute, edited, else_of, then_of
from ifcert.authoring.values import Tensor, value
from onnx import ModelProto, TensorProto

DOUBLES = says("proto-double-data", "proto-double-data-complex128")

RAW_PACKED = {"int4": "proto-4-bit-packing", "uint2": "proto-2-bit-packing"}

_FIELDS = {
    "float32": ("float_data", "<f4", "proto-float-data"),
    "complex64": ("float_data", "<f4", "proto-float-data"),
    "float64": ("double_data", "<f8", DOUBLES),
    "complex128": ("double_data", "<f8", DOUBLES),
    "int64": ("int64_data", "<i8", "proto-int64-data"),
    "uint64": ("uint64_data", "<u8", "proto-uint64-data"),
    "uint32": ("uint64_data", "<u4", "proto-uint64-data"),
    "int32": ("int32_data", "<i4", "proto-int32-data"),
    "int16": ("int32_data", "<i2", "proto-int32-data"),
    "uint16": ("int32_data", "<u2", "proto-int32-data"),
    "int8": ("int32_data", "<i1", "proto-int32-data"),
    "uint8": ("int32_data", "<u1", "proto-int32-data"),
    "bool": ("int32_data", "<u1", "proto-int32-data"),
    "float16": ("int32_data", "<u2", "proto-int32-data-small-floats"),
    "bfloat16": ("int32_data", "<u2", "proto-int32-data-small-floats"),
}

# Five plain numbers, so that only reading the wrong field, or the right one wrongly, fails: no NaN, no -0.0.
# The floats are 1.5, -2.5, 100, 0.25 and -3, where the type has them.
LENGTH = 5
RAW_LENGTH = 9  # more than eight elements, and not whole bytes of 4-bit and 2-bit ones
_FLOATS = {
    "float16": [0x3E00, 0xC100, 0x5640, 0x3400, 0xC200],
    "bfloat16": [0x3FC0, 0xC020, 0x42C8, 0x3E80, 0xC040],
    "float8e4m3fn": [0x3C, 0xC2, 0x6C, 0x28, 0xC4],
    "float8e4m3fnuz": [0x44, 0xCA, 0x74, 0x30, 0xCC],
    "float8e5m2": [0x3E, 0xC1, 0x56, 0x34, 0xC2],
    "float8e5m2fnuz": [0x42, 0xC5, 0x5A, 0x38, 0xC6],
    "float8e8m0": [0x7F, 0x80, 0x85, 0x7D, 0x81],
    "float4e2m1": [0x2, 0xB, 0x7, 0x1, 0xD],
}
_NUMBERS = [1.5, -2.5, 100, 0.25, -3]


def plain(name: str, turn: int, length: int = LENGTH) -> Tensor:
    """The numbers of that element type, rotated by this many places; a longer tensor begins again with the first."""

    def turned(numbers: Sequence) -> list:
        return [numbers[(turn + i) % LENGTH] for i in range(length)]

    element = ELEMENTS[name]
    if name == "string":
        return strings([length], turned([b"one", b"", b"caf\xc3\xa9", b"a text of some words", b"0"]))
    if name in _FLOATS:
        return codes(name, [length], turned(_FLOATS[name]))
    if name == "bool":
        return codes(name, [length], turned([1, 0, 0, 1, 1]))
    if name.startswith(("float", "complex")):
        numbers = np.array(turned(_NUMBERS), element.numpy)
        made = value(np.array(numbers * (1 + 2j), element.numpy) if name.startswith("complex") else numbers)
        assert isinstance(made, Tensor)
        return made
    top = 1 << (min(element.bits, 17) - 1)
    signed = [number % (1 << element.bits) for number in (1, -2, top // 2, -1, top - 1)]
    return codes(name, [length], turned([1, 2, top, 3, top + 1] if name.startswith("u") else signed))


def typed(held: Tensor, name: str) -> TensorProto:
    """The tensor with its elements in the field of their type."""
    element = ELEMENTS[held.element]
    tensor = TensorProto(data_type=element.onnx, dims=held.shape, name=name)
    if held.element == "string":
        tensor.string_data.extend(held.strings)
        return tensor
    field, numbers, _ = _FIELDS.get(held.element, ("int32_data", "<u1", None))
    getattr(tensor, field).extend(np.frombuffer(held.data, numbers).tolist())
    return tensor


def sentence(name: str) -> Why:
    """The sentence of onnx.proto on the field of the element type."""
    if name == "string":
        return "proto-string-data"
    bits = ELEMENTS[name].bits
    return {
        4: says("proto-int32-data-4-bit", "proto-int32-data-stores-two"),
        2: says("proto-int32-data-2-bit", "proto-int32-data-stores-four"),
    }.get(bits) or _FIELDS.get(name, (None, None, "proto-int32-data-small-floats"))[2]


def choice(opset: int, then: Tensor, other: Tensor, stored: Callable[[Tensor, str], TensorProto]) -> ModelProto:
    """Then returns its initializer, else a Constant."""
    text, (length,) = ELEMENTS[then.element].text, then.shape
    made = model(
        f"""
        stored (bool cond) => ({text}[{length}] y) {{
            y = If (cond) <
                then_branch = then_graph () => ({text}[{length}] a) {{ a = Identity (k) }},
                else_branch = else_graph () => ({text}[{length}] b) {{ b = Constant <value = float {{0}}> () }}>
        }}""",
        opset,
    )
    then_of(made).initializer.append(stored(then, "k"))
    attribute(else_of(made).node[0], "value").t.CopyFrom(stored(other, ""))
    return made


def vectors() -> Iterator[Vector]:
    # The Constant of opset 1 takes any tensor, but many runtimes begin later.
    opsets = {1: 13}
    for version in VERSIONS:
        opset = opsets.get(version, version)
        for element in elements_added(version):
            stored = _stored(element, opset, "", plain(element, 0), plain(element, 2))
            yield stored
            if element in COUNTED:
                yield from _counts(stored, element)
            if element != "string":
                raw = _raw(element, opset)
                yield raw
                if element in RAW_COUNTED:
                    yield from _raw_counts(raw, element)
                if element == "float32":
                    yield from _raw_constants(raw)
    for element, edge in (("int64", 1 << 63), ("uint64", 1 << 63), ("uint32", 1 << 31)):
        large = [edge, edge + 1, edge - 1, 2 * edge - 1, edge // 2]
        yield _stored(element, 13, "-large", codes(element, [5], large), codes(element, [5], large[::-1]))


def _stored(element: str, opset: int, which: str, then: Tensor, other: Tensor) -> Vector:
    numbers = f"large numbers of {element}" if which else element
    return Vector(
        f"onnx/if/value-unchanged/typed-field-{element}{which}",
        f"an initializer and a Constant of {numbers} have their elements in the typed field",
        [sentence(element), "proto-one-payload"],
        choice(opset, then, other, typed),
        branches({}, then={"y": then}, else_={"y": other}),
        also=["onnx/model/tensor-data-fits-shape"],
        about=["typed-fields"],
    )


def _raw(element: str, opset: int) -> Vector:
    then, other = plain(element, 0, RAW_LENGTH), plain(element, 2, RAW_LENGTH)
    return Vector(
        f"onnx/if/value-unchanged/raw-data-{element}",
        f"an initializer and a Constant of {element} have their {RAW_LENGTH} elements in raw_data",
        ["proto-raw-data", *([says("proto-4-bit-packing", "proto-2-bit-order")] if ELEMENTS[element].bits < 8 else [])],
        choice(opset, then, other, lambda held, name: held.proto(name)),
        branches({}, then={"y": then}, else_={"y": other}),
        also=["onnx/model/tensor-data-fits-shape"],
    )


X = floats(1, -2)

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
    """The numbers of k are in another field."""

    def edit(m: ModelProto) -> None:
        for other in ("float_data", "int64_data"):
            k_of(m).ClearField(other)
        getattr(k_of(m), field).extend([10, 20])

    return edit


def raw_too(numbers: np.ndarray) -> Edit:
    """k has raw_data beside its typed field."""
    return lambda m: setattr(k_of(m), "raw_data", numbers.tobytes())


# In opset 13, each with a field of another width.
COUNTED = (
    "string",
    "complex64",
    "complex128",
    "float64",
    "int64",
    "int32",
    "uint32",
    "int16",
    "uint8",
    "bool",
    "float16",
)

RAW_COUNTED = ("float32", "int64", "bool", "float16", "int4", "uint2")


def one_more(m: ModelProto) -> None:
    held = numbers_of(k_of(m))
    held.append(held[0])


def one_less(m: ModelProto) -> None:
    del numbers_of(k_of(m))[-1]


def numbers_of(tensor: TensorProto) -> MutableSequence:
    """The field with the tensor's elements."""
    (held,) = (held for field, held in tensor.ListFields() if field.name.endswith("_data"))
    return held


def _counts(stored: Vector, element: str) -> Iterator[Vector]:
    """An entry more, an entry less, in a branch that the run does not take."""
    entry = "string" if element == "string" else "number"
    for case, title, edit in (
        ("too-many", f"one {entry} too many", one_more),
        ("too-few", f"one {entry} too few", one_less),
    ):
        yield replace(stored, also=[]).broken(
            f"onnx/model/tensor-data-fits-shape/{element}-one-{entry}-{case}: "
            f"the field of then's initializer of {element}, which the run does not read, has {title}",
            edit,
            why=["ir-tensor", sentence(element)],
            runs=[{"cond": np.False_}],
        )


def _raw_counts(stored: Vector, element: str) -> Iterator[Vector]:
    """A byte more, a byte less, in a branch that the run does not take."""
    for case, title, edit in (
        ("too-many", "one byte too many", raw_of(lambda data: data + data[:1])),
        ("too-few", "one byte too few", raw_of(lambda data: data[:-1])),
    ):
        yield replace(stored, also=[]).broken(
            f"onnx/model/tensor-data-fits-shape/{element}-one-raw-byte-{case}: "
            f"the raw_data of then's initializer of {element}, which the run does not read, has {title}",
            edit,
            why=["ir-tensor", RAW_PACKED.get(element, "proto-raw-data")],
            runs=[{"cond": np.False_}],
        )


def _raw_constants(stored: Vector) -> Iterator[Vector]:
    """The same of the Constant in else, which the run does not take."""
    for case, title, change in (
        ("too-many", "one byte too many", lambda data: data + data[:1]),
        ("too-few", "one byte too few", lambda data: data[:-1]),
    ):
        yield replace(stored, also=[]).broken(
            f"onnx/model/tensor-data-fits-shape/constant-one-raw-byte-{case}: "
            f"the raw_data of else's Constant, which the run does not reach, has {title}",
            constant_raw(change),
            why=["ir-tensor", "proto-raw-data"],
            runs=[{"cond": np.True_}],
        )


def constant_raw(change: Callable[[bytes], bytes]) -> Edit:
    """The raw_data of else's Constant is changed."""

    def edit(m: ModelProto) -> None:
        held = attribute(else_of(m).node[0], "value").t
        held.raw_data = change(held.raw_data)

    return edit


def raw_of(change: Callable[[bytes], bytes]) -> Edit:
    """The raw_data of then's initializer is changed."""
    return lambda m: setattr(k_of(m), "raw_data", change(k_of(m).raw_data))


def _scalar() -> Iterator[Vector]:
    sound = Vector(
        "onnx/model/tensor-data-fits-shape/scalar",
        "then's weight is a scalar, with one number",
        ["ir-tensor-scalar-has-one-value"],
        model("""<opset_import: ["" : 13]>
            weighted (bool cond, float[2] x) => (float[2] y) {
                y = If (cond) <
                    then_branch = then_graph () => (float[2] a) <float k = {10}> { a = Add (x, k) },
                    else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
            }"""),
        branches({"x": X}, then={"y": floats(11, 8)}, else_={"y": -X}),
        about=["typed-fields"],
    )
    yield sound.broken(
        "scalar-of-two-numbers: then's weight, which the run does not read, is a scalar with two numbers",
        replaced("<float k = {10}>", "<float k = {10, 20}>"),
        runs=[{"cond": np.False_, "x": X}],
    )


def _fields() -> Iterator[Vector]:
    rule = "onnx/model/tensor-data-fits-shape/"
    for element, text, dtype in (("float32", "float", np.float32), ("int64", "int64", np.int64)):
        x, k = dtype([1, -2]), dtype([10, 20])
        runs = branches({"x": x}, then={"y": x + k}, else_={"y": -x})
        weighted = model(WEIGHTED.replace("TYPE", text), 13)
        field = _FIELDS[element][0]
        twin = Vector(
            f"{rule}in-{field.replace('_', '-')}",
            f"then's weights are in {field}",
            ["proto-one-payload"],
            weighted,
            runs,
            about=["typed-fields"],
        )
        yield twin.broken(
            f"raw-data-beside-{field.replace('_', '-')}: "
            f"then's weights are in {field} and, the same numbers, in raw_data",
            raw_too(k),
            why=["proto-raw-data-or-field", "proto-one-payload"],
        )
        for other in ("int32_data", "double_data" if element == "float32" else "uint64_data"):
            yield twin.broken(
                f"{element}-in-{other.replace('_', '-')}: then's weights, of {element}, are in {other}",
                moved(other),
                why=["proto-one-payload", WHEN_PRESENT[other]],
            )
    raw = Vector(
        rule + "in-raw-data",
        "then's weights are in raw_data",
        ["proto-raw-data-or-field"],
        edited(model(WEIGHTED.replace("TYPE", "float"), 13), in_raw_data),
        branches({"x": X}, then={"y": floats(11, 18)}, else_={"y": -X}),
    )
    yield raw.broken(
        "raw-data-beside-another-types-field: then's weights are in raw_data, and there are numbers in int32_data too",
        lambda m: k_of(m).int32_data.extend([30, 40]),
        why=["proto-raw-data-or-field", "proto-one-payload"],
    )


WHEN_PRESENT = {
    "double_data": "proto-double-data-types",
    "int32_data": "proto-int32-data-types",
    "uint64_data": "proto-uint64-data-types",
}


def in_raw_data(m: ModelProto) -> None:
    """The numbers of k are in raw_data."""
    k_of(m).ClearField("float_data")
    k_of(m).raw_data = floats(10, 20).tobytes()
