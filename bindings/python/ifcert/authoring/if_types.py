"""The types that each version of If lists for its outputs (V), in the notation of onnx.defs."""

from ifcert.authoring.elements import ELEMENTS

VERSIONS = (1, 11, 13, 16, 19, 21, 23, 24, 25)

_CLASSIC = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
_CLASSIC += ["float16", "float32", "float64", "complex64", "complex128", "string"]
# The types that each version adds: elements of tensors, sequences of tensors, optional tensors, optional sequences of
_NEW_TENSORS = {
    1: _CLASSIC,
    16: ["bfloat16"],
    19: ["float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"],
    21: ["int4", "uint4"],
    23: ["float4e2m1"],
    24: ["float8e8m0"],
    25: ["int2", "uint2"],
}


def version_of(opset: int) -> int:
    """The version of If that a model importing this opset selects: the newest that is not newer."""
    return max(version for version in VERSIONS if version <= opset)


def elements_added(version: int) -> list[str]:
    """The element types whose tensors this version lists for the first time."""
    return list(_NEW_TENSORS.get(version, []))


def elements_listed(version: int) -> list[str]:
    """The element types whose tensors this version lists."""
    return [element for since, added in _NEW_TENSORS.items() if since <= version for element in added]


def listed_types(version: int) -> set[str]:
    """Every type that this version lists, such as seq(tensor(float32))."""
    tensors = elements_listed(version)
    types = {f"tensor({element})" for element in tensors}
    if version >= 13:
        types |= {f"seq(tensor({element}))" for element in tensors}
    if version >= 16:
        types |= {f"optional(tensor({element}))" for element in tensors}
        types |= {f"optional(seq(tensor({element})))" for element in [*_CLASSIC, "bfloat16"]}
    return types


def onnx_name(type_name: str) -> str:
    """The type in ONNX text and in onnx.defs: tensor(float32) is tensor(float) there."""
    for element in ("float32", "float64"):
        type_name = type_name.replace(f"({element})", f"({ELEMENTS[element].text})")
    return type_name
