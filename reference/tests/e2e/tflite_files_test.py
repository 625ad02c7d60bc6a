"""Files that TensorFlow's converter writes for tf.cond and tf.while_loop: they are read, break no rule, and yield the
bits that were worked out by hand. So do LiteRT and onert, except where this file lists a difference.
"""

import hashlib
import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "bindings" / "adapters" / "python")]

import ifcert  # noqa: E402
import ifcert_adapter as sdk  # noqa: E402 (the SDK is not an installed package)
from tflite_agreement import RESOLVERS, Case, broken, differing, explained, litert, onert, reference  # noqa: E402
from tflite_file_runs import RUNS, TRUE  # noqa: E402

PROVENANCE = json.loads((HERE / "tflite_files" / "provenance.json").read_text())

# The operators in files whose names begin with "lacking", which the reference does not have.
LACKING = {"lacking_custom": "FlexStringJoin", "lacking_exp": "EXP", "lacking_variable": "CALL_ONCE"}

# The runs in which LiteRT returns something else.
LITERT_DIFFERS = {
    "cond_string_constant": [1],  # crashes where the output is read
    "cond_value_twice": [0],  # the first output is uninitialized memory
    "tensor_array": [2],  # refuses to show an output without elements
    "while_growing_from_none": [0, 1, 2],  # refuses a loop variable without elements
    "while_rotate": [1, 2, 3],  # overwrites variables that it still reads
}

# Its reference kernels have no ABS of the version that the converter writes for int32.
REFERENCE_KERNELS_LACK = {"cond_captures": [0, 1]}

# Those in which onert does. It has no strings and no int16, nor some operators of int32.
ONERT_DIFFERS = {
    "cond_captures": [0, 1],  # ABS of int32
    "cond_constants_behind_the_table": [0, 1],  # does not read these and returns zeros
    "cond_dims_unknown": [0, 1, 2, 3],  # MAXIMUM of int32
    "cond_in_while": [0, 1, 2],  # DIV of int32
    "cond_rank_unknown": [1],  # [-1] as the new shape leaves a scalar as it is
    "cond_ranks_differ": [1],  # the other branch's shape
    "cond_small_integers": [0, 1],  # int16
    "cond_string_constant": [0, 1],
    "cond_strings": [0, 1],
    "tensor_array": [0, 1, 2],  # refuses a shape that is not known before the run
    "while_in_while": [2],  # refuses an inner loop that makes no trip, in its second turn
}

# Those that the reference has; the files hold each.
OPERATORS = {
    "ABS",
    "ADD",
    "CAST",
    "CONCATENATION",
    "DIV",
    "EQUAL",
    "FILL",
    "GATHER",
    "GREATER",
    "GREATER_EQUAL",
    "IF",
    "LESS",
    "LESS_EQUAL",
    "LOGICAL_AND",
    "LOGICAL_NOT",
    "LOGICAL_OR",
    "MAXIMUM",
    "MINIMUM",
    "MUL",
    "NEG",
    "PACK",
    "RESHAPE",
    "SELECT",
    "SHAPE",
    "SLICE",
    "SUB",
    "SUM",
    "WHILE",
}


def encoded(arrays: list[np.ndarray]) -> list[Any]:
    return [sdk.encode(sdk.Tensor.of(array)) for array in arrays]


@pytest.fixture(name="files", scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the files."""
    folder = tmp_path_factory.mktemp("converted")
    with zipfile.ZipFile(HERE / "tflite_files" / "converted.zip") as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(name="cases", scope="module")
def all_cases(files: Path) -> list[Case]:
    """The files that the reference computes, with their runs."""
    return [
        Case(files / f"{name}.tflite", [encoded(i) for i, _ in runs], [encoded(o) for _, o in runs])
        for name, runs in RUNS.items()
    ]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def operators_of(name: str) -> set[str]:
    lists = [re.sub(r".*: ", "", graph) for graph in PROVENANCE["files"][name]["subgraphs"]]
    return set(" ".join(words for words in lists if words != "no operator").split())


def test_files_and_sources_are_those_of_the_provenance(files: Path) -> None:
    sources = {name: digest(ROOT / name) for name in PROVENANCE["sources"]}
    assert sources == PROVENANCE["sources"], "scripts/convert_tflite_files.py writes the files again"
    there = {path.stem: digest(path) for path in files.iterdir()}
    assert there == {name: file["sha256"] for name, file in PROVENANCE["files"].items()}
    assert set(there) == set(RUNS) | set(LACKING)


def test_files_hold_every_operator_that_the_reference_has() -> None:
    assert set().union(*map(operators_of, RUNS)) == OPERATORS


def test_every_file_breaks_no_rule(files: Path) -> None:
    models = sorted(files.iterdir())
    assert len(models) >= 35
    assert broken(models) == {}


def test_the_reference_gives_what_each_function_means(cases: list[Case], tmp_path: Path) -> None:
    found = reference(cases, tmp_path)
    assert differing(cases, found) == {}, explained(cases, found)


def test_circles_identifier_changes_nothing(cases: list[Case], tmp_path: Path) -> None:
    circles = [case.as_circle(tmp_path) for case in cases]
    assert broken([case.model for case in circles]) == {}
    found = reference(circles, tmp_path)
    assert differing(circles, found) == {}, explained(circles, found)


@pytest.mark.parametrize("resolver", RESOLVERS)
def test_litert_gives_the_same_bits(resolver: str, cases: list[Case], tmp_path: Path) -> None:
    listed = LITERT_DIFFERS | (REFERENCE_KERNELS_LACK if resolver == "BUILTIN_REF" else {})
    found = litert(cases, resolver, tmp_path)
    assert differing(cases, found) == listed, explained(cases, found)
    same = sum(len(case.inputs) for case in cases) - sum(map(len, listed.values()))
    print(f"\n{same} runs of {len(cases)} files the same")
    assert same >= 80


def test_onert_gives_the_same_bits(cases: list[Case], tmp_path: Path) -> None:
    found = onert(cases, tmp_path)
    assert differing(cases, found) == ONERT_DIFFERS, explained(cases, found)


def test_python_loads_them_by_their_ending(files: Path) -> None:
    model = ifcert.load(files / "cond_in_while.tflite")
    assert model.check() == []
    assert [port.name for port in model.inputs] == ["n"]
    assert model.run({"n": np.int32(27)})["Identity"] == 111


@pytest.mark.parametrize("name", sorted(LACKING))
def test_what_the_reference_lacks_is_refused_by_name(name: str, files: Path) -> None:
    model = ifcert.load(files / f"{name}.tflite")
    assert model.check() == []
    given = {"lacking_custom": np.array(["a", "b"], object), "lacking_exp": np.zeros(3, np.float32)}
    x = given.get(name, np.zeros(2, np.float32))
    inputs = {port.name: x if "float32" in port.type or "string" in port.type else TRUE for port in model.inputs}
    with pytest.raises(ifcert.EvaluationError) as error:
        model.run(inputs)
    assert LACKING[name] in str(error.value)
    assert error.value.missing_operator
