"""Tests of the profiles of vectors."""

import onnx
import pytest

from ifcert.authoring.profiles import IF_VERSIONS, profiles


def test_the_versions_of_if_are_those_of_the_onnx_package() -> None:
    versions = {schema.since_version for schema in onnx.defs.get_all_schemas_with_history() if schema.name == "If"}
    assert set(IF_VERSIONS) == versions


@pytest.mark.parametrize(
    ("system", "needs", "expected"),
    [
        ("onnx", ["opset:12", "type:bool"], ["onnx", "onnx-11"]),
        ("onnx", ["opset:18", "type:bool"], ["onnx", "onnx-16", "onnx-16-tensors"]),
        ("onnx", ["kind:optional", "opset:16"], ["onnx", "onnx-16"]),
        ("onnx", ["kind:sequence", "opset:28"], ["onnx", "onnx-25"]),
        ("onnx", [], ["onnx"]),
        ("openvino", ["type:bool"], ["openvino", "openvino-8"]),
        ("tflite", ["type:bool"], ["tflite"]),
        ("tflite", ["format:circle", "type:bool"], ["circle"]),
    ],
)
def test_a_profile_is_a_format_and_a_version(system: str, needs: list[str], expected: list[str]) -> None:
    assert profiles(system, needs) == expected
