"""What cannot run and does not leaves a model legal, which computes what is around it."""

from pathlib import Path

import pytest

import ifcert
from ifcert.authoring.faulty.onnx_run_faults import FAULTS, ONNX_UNREACHED
from ifcert.authoring.faulty.onnx_unreached import SEEN, vectors_of_run_faults
from ifcert.authoring.generated import _passed_files
from ifcert.authoring.vector import Vector

VECTORS = list(vectors_of_run_faults())


def errors(folder: Path, vector: Vector) -> list[str]:
    """The rules that the reference finds broken in the vector's model."""
    for name, data in _passed_files(vector, None).items():
        (folder / name).write_bytes(data)
    (file,) = folder.iterdir()
    return [each.rule for each in ifcert.load(file).check() if each.level == "error"]


def test_no_node_that_no_run_enters_is_an_error_of_the_model(tmp_path: Path) -> None:
    found = {}
    for number, vector in enumerate(VECTORS):
        folder = tmp_path / str(number)
        folder.mkdir()
        found[vector.id] = errors(folder, vector)
    assert {id: rules for id, rules in found.items() if rules} == {}


def test_a_model_is_open_where_its_constants_show_that_the_node_cannot_run() -> None:
    for vector in VECTORS:
        assert vector.doubt == ("" if vector.coordinates["operands"] == "fed" else SEEN)


@pytest.mark.parametrize("unentered", ONNX_UNREACHED.dimensions[2].values)
def test_each_fault_is_at_each_place(unentered: str) -> None:
    assert {each.coordinates["failing"] for each in VECTORS if each.coordinates["unentered"] == unentered} == set(
        FAULTS
    )
