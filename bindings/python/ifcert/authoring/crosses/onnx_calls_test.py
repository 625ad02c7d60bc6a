"""The models of the cross of calls are legal, and each computes what numpy says, exactly."""

from pathlib import Path

import numpy as np

import ifcert
from ifcert.authoring.crosses.onnx_call_dimensions import ONNX_CALLS
from ifcert.authoring.crosses.onnx_call_vectors import (
    Array,
    V,
    choose,
    constants,
    last_shares,
    shares_from_axis_1,
    vectors_of_calls,
)
from ifcert.authoring.crosses.onnx_call_vectors import result as result_of
from ifcert.authoring.generated import _passed_files
from ifcert.authoring.values import value
from ifcert.authoring.vector import Vector

VECTORS = list(vectors_of_calls())


def loaded(folder: Path, vector: Vector) -> ifcert.Model:
    """The vector's model."""
    for name, data in _passed_files(vector, None).items():
        (folder / name).write_bytes(data)
    (file,) = folder.iterdir()
    return ifcert.load(file)


def test_each_model_is_legal_and_the_reference_computes_what_numpy_says(tmp_path: Path) -> None:
    wrong = []
    for number, vector in enumerate(VECTORS):
        folder = tmp_path / str(number)
        folder.mkdir()
        made = loaded(folder, vector)
        if any(each.level == "error" for each in made.check()):
            wrong.append(vector.id)
        for run in vector.every_run:
            returned = made.run(dict(run.inputs))
            if [(name, value(held)) for name, held in returned.items()] != [
                (name, value(held)) for name, held in run.expected()
            ]:
                wrong.append(vector.id)
    assert wrong == []


def test_each_sum_is_exact_in_float32() -> None:
    for vector in VECTORS:
        for c in (True, False):
            found = result_of(vector.coordinates, True, c, V)
            assert np.array_equal(found, found.astype(np.float32))


def test_a_call_that_leaves_an_attribute_out_has_another_result_than_one_that_inherits_it() -> None:
    def of(attribute: str) -> Array:
        row = ONNX_CALLS.base | {"attribute": attribute}
        return choose(row, True, V, 2, 1, constants(3, -2))[0]

    results = {of(attribute).tobytes() for attribute in ("handed-on", "renamed", "omitted")}
    assert len(results) == 3
    assert np.array_equal(of("default"), of("renamed"))  # the default of a is the value of the other attribute


def test_the_versions_of_softmax_have_other_shares() -> None:
    assert last_shares(V)[0, 0, 0] == 1 / 2
    assert shares_from_axis_1(V)[0, 0, 0] == 1 / 4


def test_a_vector_is_open_where_its_call_leaves_outputs_out_or_two_versions_are_in_question() -> None:
    for vector in VECTORS:
        decided = vector.coordinates["taken"] == "all" and vector.coordinates["imports"] in ("same", "earlier")
        assert (vector.doubt == "") == decided
