"""Models written by the object API of ai_edge_litert, so that the reader is not only tested on files of our own writer:
they are read, break no rule, and yield the bits that were worked out by hand, as TFL3 and as CIR0. So do LiteRT and
onert, except where this file lists a difference.
"""

import json
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "bindings" / "adapters" / "python")]

from tflite_agreement import RESOLVERS, Case, broken, differing, explained, in_litert, litert, onert, reference  # noqa: E402

# The reference and the adapters take inputs by name.
NOT_FED = {"ports_without_names"}

# Circle reads the deprecated code first, which is ADD here.
NO_CIRCLE = {"current_code_only"}

# The runs in which LiteRT returns something else.
LITERT_DIFFERS = {
    "strings_as_output": [1],  # crashes where the output is read
    "value_twice": [0],  # the first output is uninitialized memory
}

# Those in which onert does.
ONERT_DIFFERS = {
    "buffers_behind_the_table": [0, 1],  # does not read these, and crashes
    "concatenation_with_relu": [0, 1, 2],  # as options_of_operators
    "current_code_only": [0, 1],  # reads the deprecated code, and crashes
    "operand_twice": [0, 1],  # crashes where there is no vector of operators
    "options_of_operators": [0, 1, 2],  # refuses RESHAPE with one operand
    "others_that_nobody_uses": [0, 1],  # refuses a tensor of float64, used or not
    "strings_as_output": [0, 1],  # has no strings
    "strings_gathered": [0, 1],
    "tensors_without_names": [0, 1],  # crashes
    "value_twice": [0, 1],  # as operand_twice
}

# The kernels without XNNPACK refuse CONCATENATION with an activation; XNNPACK leaves the activation out.
CONCATENATION_REFUSED, CONCATENATION_WRONG = {"concatenation_with_relu": [0, 1, 2]}, {"concatenation_with_relu": [0]}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    folder = tmp_path_factory.mktemp("tflite")
    in_litert("tflite_object_models.py", folder, home=folder)
    files = sorted(folder.glob("*.tflite"))
    assert len(files) >= 30
    runs = [json.loads(file.with_suffix(".json").read_text()) for file in files]
    assert all(runs)
    return [
        Case(file, [run["inputs"] for run in of_file], [run["outputs"] for run in of_file])
        for file, of_file in zip(files, runs, strict=True)
    ]


def without(cases: list[Case], names: set[str]) -> list[Case]:
    left = [case for case in cases if case.model.stem not in names]
    assert len(left) == len(cases) - len(names)
    return left


def test_every_model_breaks_no_rule(written: list[Case]) -> None:
    assert broken([case.model for case in written]) == {}


def test_the_reference_gives_what_was_worked_out(written: list[Case], tmp_path: Path) -> None:
    cases = without(written, NOT_FED)
    found = reference(cases, tmp_path)
    assert differing(cases, found) == {}, explained(cases, found)


def test_circles_identifier_changes_nothing(written: list[Case], tmp_path: Path) -> None:
    cases = [case.as_circle(tmp_path) for case in without(written, NO_CIRCLE)]
    assert broken([case.model for case in cases]) == {}
    fed = without(cases, NOT_FED)
    found = reference(fed, tmp_path)
    assert differing(fed, found) == {}, explained(fed, found)


def test_circle_takes_the_deprecated_code_where_both_differ(written: list[Case], tmp_path: Path) -> None:
    (case,) = (case for case in written if case.model.stem in NO_CIRCLE)
    assert broken([case.as_circle(tmp_path).model]) != {}  # an ADD with three operands


@pytest.mark.parametrize("resolver", RESOLVERS)
def test_litert_gives_the_same_bits(written: list[Case], resolver: str, tmp_path: Path) -> None:
    listed = LITERT_DIFFERS | (CONCATENATION_WRONG if resolver == "AUTO" else CONCATENATION_REFUSED)
    found = litert(written, resolver, tmp_path)
    assert differing(written, found) == listed, explained(written, found)


def test_onert_gives_the_same_bits(written: list[Case], tmp_path: Path) -> None:
    fed = without(written, NOT_FED)
    found = onert(fed, tmp_path)
    assert differing(fed, found) == ONERT_DIFFERS, explained(fed, found)
