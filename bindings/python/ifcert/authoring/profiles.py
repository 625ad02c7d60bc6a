"""The profiles of a vector: the parts of the suite that a runtime's author certifies by."""

from collections.abc import Collection

# The versions of If in ONNX's operator sets; each is current until the next.
IF_VERSIONS = (1, 11, 13, 16, 19, 21, 23, 24, 25)
# From this version on an If may return more than tensors.
FIRST_WITH_SEQUENCES = 13
BEYOND_TENSORS = ("kind:sequence", "kind:optional")


def profiles(system: str, needs: Collection[str]) -> list[str]:
    """The names of the profiles that contain a vector of the system with these `needs`.

    A vector of TensorFlow Lite is of `tflite` or of `circle`, by its file's format. One of OpenVINO is also of
    `openvino-8`. One of ONNX is also of `onnx-V`, if If-V is current in its operator set, and of `onnx-V-tensors` if
    its model and values are tensors alone.
    """
    if system == "tflite":
        return ["circle" if "format:circle" in needs else "tflite"]
    if system == "openvino":
        return ["openvino", "openvino-8"]
    opsets = [int(need.removeprefix("opset:")) for need in needs if need.startswith("opset:")]
    if not opsets:
        return ["onnx"]
    version = max(version for version in IF_VERSIONS if version <= opsets[0])
    names = ["onnx", f"onnx-{version}"]
    if version >= FIRST_WITH_SEQUENCES and not any(need in needs for need in BEYOND_TENSORS):
        names.append(f"onnx-{version}-tensors")
    return names
