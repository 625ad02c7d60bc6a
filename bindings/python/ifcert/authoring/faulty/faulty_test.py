"""The crosses of faults are whole: each fault breaks its rule alone, and its twin is sound."""

from collections.abc import Callable
from pathlib import Path

import pytest

import ifcert
from ifcert.authoring.crosses.dimensions import Cross, Row
from ifcert.authoring.crosses.systems import CROSSES, TABLES
from ifcert.authoring.faulty import onnx_places, openvino_places, tflite_places
from ifcert.authoring.faulty.table import PLAIN, Table
from ifcert.authoring.faulty.vectors import Sound, broken, twin_of, vectors_of, with_twins
from ifcert.authoring.generated import _passed_files
from ifcert.authoring.sources import VECTORS
from ifcert.authoring.vector import Vector
from ifcert.authoring.vector_files import read_vectors

SOUND: dict[str, Callable[[Row], Sound]] = {
    "onnx-faults": onnx_places.sound,
    "openvino-faults": openvino_places.sound,
    "tflite-faults": tflite_places.sound,
}
NAMES = list(SOUND)


def broken_rules(folder: Path, vector: Vector) -> set[str]:
    """The rules that the reference finds broken in the vector's model."""
    files = _passed_files(vector, vector.accepted)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    try:
        return {each.rule for each in ifcert.load(folder / next(iter(files))).check() if each.level == "error"}
    except ifcert.UnreadableModel as error:
        return {rule for rule in (str(error).rpartition("[")[2].partition("]")[0],) if rule}


@pytest.mark.parametrize("name", NAMES)
def test_each_fault_breaks_its_rule_alone_and_its_twin_none(name: str, tmp_path: Path) -> None:
    wrong = []
    for number, vector in enumerate(vectors_of(CROSSES[name], TABLES[name], SOUND[name])):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = broken_rules(folder, vector)
        if found != ({vector.rule} if vector.refused else set()):
            wrong.append((vector.id, found))
    assert wrong == []


@pytest.mark.parametrize("name", NAMES)
def test_each_fault_has_every_place_that_nothing_excludes(name: str) -> None:
    cross, table = CROSSES[name], TABLES[name]
    rows = list(vectors_of(cross, table, SOUND[name]))
    found = {(each.coordinates["fault"], each.coordinates["place"]) for each in rows}
    places = next(dimension for dimension in cross.dimensions if dimension.name == "place").values
    wanted = {(fault, place) for fault in table.faults for place in places}
    assert {(f, p) for f, p in wanted - found if cross.row({"fault": f, "place": p})} == set()


@pytest.mark.parametrize("name", NAMES)
def test_a_rule_with_refused_vectors_has_a_fault_or_a_reason_to_have_none(name: str) -> None:
    table, system = TABLES[name], CROSSES[name].system
    refused = {
        rule.removeprefix(f"{system}/")
        for vector in read_vectors(VECTORS)
        if vector["axis"] == "diagnoses" and vector["system"] == system
        for rule in vector["rules"]
    }
    of_faults = {fault.rule for fault in table.faults.values()}
    assert refused - of_faults == table.elsewhere.keys()
    assert of_faults <= refused


@pytest.mark.parametrize("name", NAMES)
def test_each_form_that_a_fault_edits_is_one_of_the_table_and_is_edited(name: str) -> None:
    table = TABLES[name]
    assert {fault.of for fault in table.faults.values()} == table.forms.keys()
    assert next(iter(table.forms)) == PLAIN
    assert not table.forms.keys() & table.faults.keys()


def test_rows_get_the_twins_that_they_lack() -> None:
    table: Table = TABLES["onnx-faults"]
    row = {"fault": "loop-carries-less", "place": "untaken", "depth": "1", "around": "then"}
    twin = {**row, "fault": "none-with-loop"}
    assert twin_of(table, row) == twin
    assert with_twins(table, [row, row]) == [row, row, twin]
    assert with_twins(table, [twin, row]) == [twin, row]


def test_a_vector_with_a_fault_counts_for_the_rule_of_the_fault_and_names_the_row_without_it_as_its_twin() -> None:
    cross: Cross = CROSSES["onnx-faults"]
    made = {each.id: each for each in vectors_of(cross, TABLES["onnx-faults"], onnx_places.sound)}
    row = cross.base | {"fault": "no-input"}
    twins = {each.id: each for each in made.values() if not each.refused}
    vector = broken(cross, TABLES["onnx-faults"], twins, onnx_places.sound(row), row)
    assert vector.id == "onnx/if/one-input/cross-fault-no-input"
    assert vector.twin == "onnx/if/outer-scope-capture/cross-fault-none"
    assert vector.coordinates["fault"] == "no-input"
