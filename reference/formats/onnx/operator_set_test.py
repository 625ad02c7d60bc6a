import re
from pathlib import Path

from onnx import defs

SOURCE = Path(__file__).parent


def test_the_operator_table_is_that_of_the_onnx_package() -> None:
    rows = re.findall(r'\{"(\w+)", (\d+)\}', (SOURCE / "operator_set.cpp").read_text())
    since: dict[str, int] = {}
    for schema in defs.get_all_schemas_with_history():
        if schema.domain == "":
            since[schema.name] = min(since.get(schema.name, schema.since_version), schema.since_version)
    assert {name: int(version) for name, version in rows} == since


def test_the_newest_opset_is_that_of_the_onnx_package() -> None:
    header = (SOURCE / "operator_set.hpp").read_text()
    assert f"newest_opset = {defs.onnx_opset_version()};" in header
