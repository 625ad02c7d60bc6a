import re
from pathlib import Path

import onnx
import pytest

HEADER = (Path(__file__).parent / "fields.hpp").read_text()
MESSAGES = re.findall(r"struct (\w+) \{\s*enum : std::uint32_t \{(.*?)\};", HEADER, re.DOTALL)
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
    assert len(MESSAGES) == HEADER.count("struct ")
