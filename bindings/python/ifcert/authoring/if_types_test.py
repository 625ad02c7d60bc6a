"""Our lists of If's types against those of the onnx package."""

import pytest
from onnx import defs

from ifcert.authoring.if_types import VERSIONS, listed_types, onnx_name, version_of


def schema_types(version: int) -> set[str]:
    constraints = defs.get_schema("If", version).type_constraints
    return next(set(each.allowed_type_strs) for each in constraints if each.type_param_str == "V")


@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_lists_what_onnx_lists(version: int) -> None:
    assert {onnx_name(type_) for type_ in listed_types(version)} == schema_types(version)


def test_the_lists_have_the_sizes_that_the_page_prints() -> None:
    assert [len(listed_types(version)) for version in VERSIONS] == [15, 15, 30, 64, 76, 82, 85, 88, 94]


def test_onnx_knows_no_other_version_of_if() -> None:
    known = {
        each.since_version for each in defs.get_all_schemas_with_history() if each.name == "If" and not each.domain
    }
    assert known == set(VERSIONS)


@pytest.mark.parametrize(
    ("opset", "version"), [(1, 1), (10, 1), (12, 11), (15, 13), (20, 19), (22, 21), (25, 25), (28, 25)]
)
def test_an_opset_means_the_newest_version_that_is_not_newer(opset: int, version: int) -> None:
    assert version_of(opset) == version
    assert defs.get_schema("If", opset).since_version == version
