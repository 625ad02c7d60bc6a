"""The tables of the reader are those of the onnx package: field numbers, operators and the newest operator set."""

import re
from pathlib import Path

import onnx
import onnx.defs
import pytest

HERE = Path(__file__).parent
FIELDS = (HERE / "fields.hpp").read_text()
MESSAGES = re.findall(r"struct (\w+) \{\s*enum : std::uint32_t \{(.*?)\};", FIELDS, re.DOTALL)
NESTED = {
    "TypeProtoTensor": onnx.TypeProto.Tensor,
    "TypeProtoSequence": onnx.TypeProto.Sequence,
    "TypeProtoOptional": onnx.TypeProto.Optional,
    "TensorShapeProtoDimension": onnx.TensorShapeProto.Dimension,
}


@pytest.mark.parametrize(("message", "body"), MESSAGES, ids=[name for name, _ in MESSAGES])
def test_field_numbers_are_those_of_the_onnx_package(message: str, body: str) -> None:
    kind = NESTED.get(message) or getattr(onnx, message)
    numbers = {name: int(number) for name, number in re.findall(r"(\w+) = (\d+)", body)}
    assert numbers
    assert numbers == {name: kind.DESCRIPTOR.fields_by_name[name].number for name in numbers}


def test_every_message_of_the_reader_is_compared() -> None:
    assert len(MESSAGES) == FIELDS.count("struct ")


def test_the_operator_table_is_that_of_the_onnx_package() -> None:
    rows = re.findall(r'\{"(\w+)", (\d+)\}', (HERE / "operator_set.cpp").read_text())
    since: dict[str, int] = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "":
            since[schema.name] = min(since.get(schema.name, schema.since_version), schema.since_version)
    assert {name: int(version) for name, version in rows} == since


def test_the_newest_opset_is_that_of_the_onnx_package() -> None:
    header = (HERE / "operator_set.hpp").read_text()
    assert f"newest_opset = {onnx.defs.onnx_opset_version()};" in header
