"""`ifcert export`: the vectors as tests that the onnx package's own runner runs."""

import json
import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper
from vector_lines import read_vectors

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
ONNXRUNTIME = ROOT / ".adapters" / "onnxruntime" / "bin" / "python"

# Beyond ONNX Runtime's plain Python API, or the package's comparison, with the beginnings of the messages: types that
# numpy lacks, absent optionals, items that are strings, sequences within optionals or of several shapes.
BEYOND_THE_RUNNER = {
    "type:int4": ("RuntimeError: Numpy_type ",),
    "type:uint4": ("RuntimeError: Numpy_type ",),
    "type:bfloat16": ("RuntimeError: Numpy_type ", "RuntimeError: No corresponding Numpy type for Tensor Type."),
    "type:float8": (
        "RuntimeError: Numpy_type ",
        "RuntimeError: No corresponding Numpy type for Tensor Type.",
        "AssertionError: Items are not equal: ACTUAL: dtype('uint8') DESIRED: dtype(float8",
    ),
    "type:complex": ("Fail: [ONNXRuntimeError] : 1 : FAIL : Exception during loading: MLDataType for: tensor(complex",),
    "kind:optional": ("AttributeError: 'NoneType' object has no attribute 'shape'", "TypeError: Unable to compare "),
    "kind:sequence": ("AttributeError: 'str' object has no attribute 'shape'", "TypeError: Unable to compare "),
}


def export(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    command = [IFCERT, "export", "--layout", "onnx-backend-test", folder, *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_a_vector_becomes_a_model_and_data_for_each_run(tmp_path: Path) -> None:
    run = export(tmp_path / "out", "--vector", "onnx/if/cond-single-element/dynamic-length-one")
    assert run.stdout == f"1 tests in {tmp_path / 'out' / 'simple'}\n"
    (test,) = (tmp_path / "out" / "simple").iterdir()
    assert test.name == "test_onnx_if_cond_single_element_dynamic_length_one"
    onnx.checker.check_model(onnx.load(test / "model.onnx"))
    values = []
    for data_set in sorted(test.glob("test_data_set_*")):
        for file in sorted(data_set.iterdir()):
            tensor = onnx.TensorProto.FromString(file.read_bytes())
            values.append((data_set.name[-1], file.stem, tensor.name, numpy_helper.to_array(tensor).tolist()))
    assert values == [
        ("0", "input_0", "cond", [True]),
        ("0", "input_1", "x", [1, -2]),
        ("0", "output_0", "y", [2, -4]),
        ("1", "input_0", "cond", [False]),
        ("1", "input_1", "x", [1, -2]),
        ("1", "output_0", "y", [-1, 2]),
    ]


def test_sequences_optionals_strings_and_small_types_are_onnxs_messages(tmp_path: Path) -> None:
    kinds = ["sequence-of-string", "optional-of-int64", "tensor-of-int4"]
    for kind in kinds:
        assert export(tmp_path / kind, "--vector", f"onnx/if/types-of-opset/{kind}").returncode == 0

    def output(kind: str, run: int) -> bytes:
        (file,) = (tmp_path / kind).glob(f"simple/*/test_data_set_{run}/output_0.pb")
        return file.read_bytes()

    sequence = numpy_helper.to_list(onnx.SequenceProto.FromString(output("sequence-of-string", 0)))
    assert len(sequence) == 2
    assert sequence[0].tolist() == ["", "café", "1"]
    there, absent = (onnx.OptionalProto.FromString(output("optional-of-int64", run)) for run in (0, 1))
    assert numpy_helper.to_optional(there).dtype == np.int64
    assert numpy_helper.to_optional(absent) is None
    four_bits = numpy_helper.to_array(onnx.TensorProto.FromString(output("tensor-of-int4", 0)))
    assert four_bits.astype(int).tolist() == [1, 2, 3]


def test_folders_of_weights_are_included(tmp_path: Path) -> None:
    run = export(tmp_path / "out", "--vector", "onnx/model/external-data/one-name-in-two-folders")
    assert (run.returncode, run.stderr) == (0, "")
    (test,) = (tmp_path / "out" / "simple").iterdir()
    onnx.checker.check_model(test / "model.onnx")
    vector = ROOT / "vectors" / "onnx" / "generated" / "model" / "external-data" / "one-name-in-two-folders"
    assert [file.name for file in (test / "more").iterdir()] == [file.name for file in (vector / "more").iterdir()]


def test_vectors_that_do_not_fit_are_counted_and_a_folder_is_never_overwritten(tmp_path: Path) -> None:
    run = export(tmp_path / "out", "--rule", "onnx/if/output-count")
    assert "vectors left out, each one that must be refused" in run.stdout
    assert export(tmp_path / "out").stderr.endswith("out already exists\n")
    refused = export(tmp_path / "none", "--vector", "onnx/if/output-count/node-has-more")
    assert (refused.returncode, (tmp_path / "none").exists()) == (2, False)
    assert export(tmp_path / "none", "--vector", "no/such").returncode == 2


def failures_of(adapter: str) -> list[dict[str, str]]:
    return json.loads((ROOT / "conformance" / "adapters" / adapter / "known_failures.json").read_text())["failures"]


def name_of(vector: str) -> str:
    return "test_" + vector.replace("/", "_").replace("-", "_")


@pytest.mark.skipif(not ONNXRUNTIME.exists(), reason="onnxruntime is not installed: ifcert adapter install onnxruntime")
def test_the_onnx_packages_runner_runs_them_against_onnxruntime(tmp_path: Path) -> None:
    assert export(tmp_path / "out", "--rule", "onnx/if/[!t]*", "--rule", "onnx/if/then-when-true").returncode == 0
    listed = failures_of("onnxruntime")
    for failure in listed:
        # What may end the process of all tests; a wrong value may be read from memory that is not the value's.
        if failure.get("was", failure["verdict"]) == "CRASH" or failure.get("fault") in ("unstable", "wrong-value"):
            shutil.rmtree(tmp_path / "out" / "simple" / name_of(failure["vector"]), ignore_errors=True)
    packages = Path(find_spec("onnx").origin).parents[1]
    script = Path(__file__).with_name("exported_tests.py")
    run = subprocess.run(
        [ONNXRUNTIME, script, tmp_path / "out", packages], capture_output=True, timeout=300, check=True
    )
    outcomes = json.loads(run.stdout)
    known = {failure["vector"] for failure in (*listed, *failures_of("onnx-reference"))}  # the package's own, too
    passing = 0
    for vector in read_vectors():
        name = name_of(vector["id"])
        if name not in outcomes:
            continue
        passing += outcomes[name] == "passes"
        needs = vector["needs"]
        beyond = [said for need, said in BEYOND_THE_RUNNER.items() if any(each.startswith(need) for each in needs)]
        may_be = ("passes", "NotImplemented: ", *(each for said in beyond for each in said))
        assert vector["id"] in known or outcomes[name].startswith(may_be), (vector["id"], outcomes[name])
    assert passing > 600
    assert outcomes["test_onnx_if_then_when_true_test_cc_if"] == "passes"
