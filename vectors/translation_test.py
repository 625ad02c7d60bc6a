"""One semantics: each model is translated to other formats and back; the reference returns the same in each form.

A model that another format cannot express is refused; docs/convert.md counts the reasons.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import ifcert
import onnx
import pytest
from vector_lines import model_of, read_rule, read_vectors
from vector_values import comparable, given_value, inputs_of

HERE = Path(__file__).parent
ROOT = HERE.parent
OPENVINO = ROOT / ".adapters" / "openvino" / "bin" / "python"
LITERT = ROOT / ".adapters" / "litert" / "bin" / "python"

Outcome = list[Any] | str

MEMORY = Path("/dev/shm")


@pytest.fixture
def folder() -> Iterator[Path]:
    """In memory where there is room: each saved model is flushed, which on a disk takes most of these tests' time."""
    roomy = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 1 << 30
    with tempfile.TemporaryDirectory(dir=MEMORY if roomy else None) as name:
        yield Path(name)


def outcome_of(model: ifcert.Model, inputs: dict[str, Any]) -> Outcome:
    """The outputs in the model's order, or the fact that the run is refused."""
    try:
        results = model.run(inputs)
        return [comparable(results[port.name]) for port in model.outputs]  # a name may be listed twice
    except ifcert.EvaluationError:
        return "refused"


# Operators that refuse in one form what they compute in another: Gather returns zeros in IR where ONNX's has no such
# index, and ONNX counts negative ones from the end, which GATHER refuses; ONNX's Slice cuts off what SLICE refuses.
OPERATORS_DIFFER = {"operator:Gather", "operator:GATHER", "operator:SLICE"}

# Other vectors of which one form may refuse a run that the other computes.
FORMS_DIFFER = {
    "openvino/if/cond-shape/reshaped-to-one-by-one-when-it-runs": (
        "ONNX accepts a cond of one element whatever its rank"
    ),
    "onnx/model/shared-dims-agree/two-inputs-of-two-lengths": "only ONNX has dimension variables",
    "onnx/model/shared-dims-agree/two-inputs-one-without-elements": "only ONNX has dimension variables",
    "onnx/model/shared-dims-agree/two-inputs-last-dim-of-two-lengths": "only ONNX has dimension variables",
    "onnx/model/shared-dims-agree/two-inputs-third-dim-of-two-lengths": "only ONNX has dimension variables",
    "onnx/model/shared-dims-agree/two-inputs-second-of-one-element": "only ONNX has dimension variables",
    "onnx/model/shared-dims-agree/two-inputs-second-without-elements": "only ONNX has dimension variables",
    "onnx/model/shared-dims-agree/one-input-of-two-lengths": "only ONNX has dimension variables",
}


def differs(given: Outcome, expected: Outcome, vector: dict[str, Any]) -> bool:
    """Results in both forms are bit-identical; one form refuses what the other refuses, with the exceptions above."""
    may_differ = not OPERATORS_DIFFER.isdisjoint(vector["needs"]) or vector["id"] in FORMS_DIFFER
    if may_differ and "refused" in (given, expected):
        return False
    return given != expected


def runs_of(vector: dict[str, Any]) -> list[dict[str, Any]]:
    return [step["run"] for step in vector["steps"] if "run" in step]


def outcomes_of(model: ifcert.Model, vector: dict[str, Any]) -> list[Outcome]:
    return [outcome_of(model, inputs_of(run)) for run in runs_of(vector)]


def is_legal(model: ifcert.Model) -> bool:
    """Whether all of its findings are warnings."""
    return all(finding.level == "warning" for finding in model.check())


def vectors(
    system: str, is_drawn: Callable[[str], bool] = lambda _: True
) -> Iterator[tuple[Path, dict[str, Any], ifcert.Model]]:
    """The vectors of the system whose model is legal; of those whose path is drawn, "onnx/generated/if/no-leak/x"."""
    for vector in read_vectors():
        if vector["system"] != system or not is_drawn(vector["id"].replace("/", "/generated/", 1)):
            continue
        path = model_of(vector)
        if "refused" in vector["steps"][0]["load"]["expect"]:
            continue
        try:
            model = ifcert.load(path)
        except ifcert.UnreadableModel:
            continue
        if is_legal(model):
            yield path, vector, model


def has_names_of(model: ifcert.Model, original: ifcert.Model) -> bool:
    """Whether each input and output has the name that it had, if any."""
    pairs = [*zip(model.inputs, original.inputs, strict=True), *zip(model.outputs, original.outputs, strict=True)]
    return all(port.name == before.name or not before.name for port, before in pairs)


def differences(system: str, endings: list[str], folder: Path) -> tuple[list[str], list[str]]:
    """Translates each model to each file ending in turn; returns the differences and the vectors that were written.

    What a form refuses, the forms after it may refuse too, or not.
    """
    found, expressed = [], []
    for number, (path, vector, model) in enumerate(vectors(system)):
        expected, original = None, model
        for step, ending in enumerate(endings):
            file = folder / f"{number}-{step}{ending}"
            try:
                model.save(file)
            except ifcert.Inexpressible:
                break
            expected = expected or outcomes_of(ifcert.load(path), vector)
            model = ifcert.load(file)
            if not is_legal(model):
                found.append(f"{vector['id']} as {ending}: {model.check()}")
                break
            if not has_names_of(model, original):
                found.append(f"{vector['id']} as {ending}: other names")
                break
            pairs = list(zip(outcomes_of(model, vector), expected, strict=True))
            if any(differs(*pair, vector) for pair in pairs):
                found.append(f"{vector['id']} as {ending}: other outcomes")
                break
            expected = ["refused" if "refused" in pair else pair[1] for pair in pairs]
        else:
            expressed.append(vector["id"])
    return found, expressed


# Legal models that cannot be written again, since the graph form, which is what is written, lacks a part of them.
NOT_WRITTEN = {
    "onnx/model/attribute-holds-one-value/type-of-sparse-tensor-as-default": "the element type of a sparse tensor type",
    "tflite/file/one-producer/sparse-constant": "a sparse constant",
    "tflite/if/then-when-true/quantized-sum": "the scales of quantized tensors",
}


@cache
def written_again(system: str) -> set[str]:
    """The vectors whose model is written in its own format."""
    return {vector["id"] for _, vector, _ in vectors(system)} - NOT_WRITTEN.keys()


def test_every_onnx_model_written_again_computes_the_same(folder: Path) -> None:
    found, expressed = differences("onnx", [".onnx"], folder)
    assert found == []
    assert set(expressed) == written_again("onnx")
    assert len(expressed) > 1500


def test_every_ir_model_written_again_computes_the_same(folder: Path) -> None:
    found, expressed = differences("openvino", [".xml"], folder)
    assert found == []
    assert set(expressed) == written_again("openvino")
    assert len(expressed) > 70


def test_every_onnx_model_that_ir_can_express_computes_the_same_there_and_back(folder: Path) -> None:
    found, expressed = differences("onnx", [".xml", ".onnx"], folder)
    assert found == []
    assert len(expressed) > 750


def test_every_ir_model_that_onnx_can_express_computes_the_same_there_and_back(folder: Path) -> None:
    found, expressed = differences("openvino", [".onnx", ".xml"], folder)
    assert found == []
    assert len(expressed) > 70


def test_every_tflite_model_written_again_computes_the_same(folder: Path) -> None:
    found, expressed = differences("tflite", [".tflite", ".circle"], folder)
    assert found == []
    assert set(expressed) == written_again("tflite")
    assert len(expressed) > 400


def test_every_onnx_model_that_tflite_can_express_computes_the_same_there_and_back(folder: Path) -> None:
    found, expressed = differences("onnx", [".tflite", ".onnx"], folder)
    assert found == []
    assert len(expressed) > 800


def test_every_ir_model_that_tflite_can_express_computes_the_same_there_and_back(folder: Path) -> None:
    found, expressed = differences("openvino", [".tflite", ".xml"], folder)
    assert found == []
    assert len(expressed) > 340


def test_every_tflite_model_that_onnx_can_express_computes_the_same_there_and_back(folder: Path) -> None:
    found, expressed = differences("tflite", [".onnx", ".tflite"], folder)
    assert found == []
    assert len(expressed) > 430


def test_every_tflite_model_that_ir_can_express_computes_the_same_there_and_back(folder: Path) -> None:
    found, expressed = differences("tflite", [".xml", ".circle"], folder)
    assert found == []
    assert len(expressed) > 280


def test_a_known_vector_gives_what_it_expects_in_each_form(folder: Path) -> None:
    """The others are compared with the reference's results; here, with the vector's expected values."""
    checked = 0
    for vector in islice(read_rule("onnx/if/outer-scope-capture"), 40):
        model = ifcert.load(model_of(vector))
        for name in ("there.xml", "on.tflite", "back.onnx"):
            try:
                model.save(folder / name)
            except (ifcert.Inexpressible, ifcert.IllegalModel):
                break
            model = ifcert.load(folder / name)
            for run in runs_of(vector):
                for output in run["expect"].get("outputs", []):
                    given = model.run(inputs_of(run))[output["name"]]
                    assert comparable(given) == comparable(given_value(output["value"]))
                    checked += 1
    assert checked > 30


READ = """
import json, sys
import openvino
core = openvino.Core()
refused = {}
for path, compiled in json.load(sys.stdin).items():
    try:
        model = core.read_model(path)
        if compiled:
            core.compile_model(model, "CPU")
    except Exception as error:
        refused[path] = str(error)
json.dump(refused, sys.stdout)
"""

# The time that OpenVINO takes to read a nest grows with the third power of its depth: 0.4 s at 24 levels.
READ_UP_TO = 40_000

# Files that the released OpenVINO does not read, by a part of its message, with the reason why the file is valid.
EXCEPTIONS = {
    "CPU plug-in doesn't support If operation with dynamic rank": "its CPU plug-in's own limit; the file is read",
}


# Always compiled: the exceptions concern them.
COMPILED = {"onnx/if/shape-union/ranks-differ"}

# Never compiled: they end the process (docs/deviations/openvino.md, openvino-gather-at-no-index).
NOT_COMPILED = {
    "onnx/if/only-taken-branch-runs/gathered-at-no-index",
    "onnx/if/then-when-true/gathered-at-no-index",
}


def is_warned_of(model: ifcert.Model) -> bool:
    """Whether a branch that may never run has shapes that cannot fit, which a runtime may refuse in any format."""
    return any(finding.level == "warning" for finding in model.check())


def test_the_released_openvino_reads_what_is_translated(folder: Path) -> None:
    if not OPENVINO.exists():
        pytest.fail("OpenVINO is missing: ifcert adapter install openvino-ir")
    ids = {}
    for number, (_, vector, model) in enumerate(vectors("onnx")):
        path = folder / f"{number}.xml"
        try:
            model.save(path)
        except ifcert.Inexpressible:
            continue
        if path.stat().st_size <= READ_UP_TO and not is_warned_of(model):
            ids[str(path)] = vector["id"]
    # One in forty is compiled, always the same ones, whatever vectors are added.
    drawn = {path: zlib.crc32(name.encode()) % 40 == 0 or name in COMPILED for path, name in ids.items()}
    compiled = {path: drawn[path] and name not in NOT_COMPILED for path, name in ids.items()}
    run = subprocess.run([OPENVINO, "-c", READ], input=json.dumps(compiled), capture_output=True, text=True, check=True)
    refused = {ids[path]: message for path, message in json.loads(run.stdout).items()}
    unexplained = {
        name: message for name, message in refused.items() if not any(text in message for text in EXCEPTIONS)
    }
    assert unexplained == {}
    for text in EXCEPTIONS:
        assert any(text in message for message in refused.values()), f"no file is refused with {text!r} any more"


# Reasons why the onnx package refuses a translated model of TensorFlow Lite, by its message.
CHECKER_LACKS = {
    "Field 'shape' of 'type' is required but missing": (
        "an output whose rank neither the file nor the operators determine"
    ),
    "Unable to parse proto": "it reads 100 levels of messages",
}


def test_the_onnx_package_takes_what_tflite_becomes(folder: Path) -> None:
    refused, taken = {}, 0
    for _, vector, model in vectors("tflite"):
        file = folder / "model.onnx"
        try:
            model.save(file)
            onnx.checker.check_model(file)
            taken += 1
        except ifcert.Inexpressible:
            continue
        except onnx.checker.ValidationError as error:
            if not any(text in str(error) for text in CHECKER_LACKS):
                refused[vector["id"]] = str(error)
    assert refused == {}
    assert taken > 400


# The share of the translated models that LiteRT runs: one in this number.
LITERT_RUNS_ONE_IN = 7

# Reasons why LiteRT may refuse a run of a file, or crash in it, by its message.
LITERT_LACKS = {
    "unsupported by op|only supports|[Oo]nly currently supports|Does not support type|is not supported, requires"
    "|is_supported_type": "its kernel does not have that element type",
    "Invalid data-type for array|Expected a numpy array of int8 for INT4": "its Python API has no such type",
    "exit status -11": "strings that an If returns are wrong or missing",
    "Invalid tensor size": "it returns no tensor without elements",
    "RESHAPE.*failed to prepare": "it prepares the branch that is not taken, too",
    r"\(WHILE\) failed to invoke": "a While is refused whose variable has no elements before the first trip",
}

# Vectors whose results LiteRT gets wrong (docs/deviations/litert.md).
LITERT_DIFFERS = {
    "onnx/if/cond-source/edges-of-equal-string": "its Python API feeds a scalar string as something else",
    "openvino/if/nesting/cross-cond-output-place-deep-capture-none": "what is computed during preparation is lost",
    "onnx/if/branch-outputs-may-be-untyped/no-types": "an If returns zeros where SHAPE was computed during preparation",
    "onnx/if/outer-scope-capture/equal-initializers": "likewise for the product of two constants",
    "onnx/if/outer-scope-capture/copy-of-initializer-captured-in-branch": "the same",
    "onnx/if/output-repeated/same-name-twice": "of an output returned twice the first is uninitialized memory",
    "onnx/if/output-repeated/through-identities": "the same",
    "openvino/if/nesting/cross-fault-none-with-two-outputs-depth-2-around-else": "the same, in a branch",
    "onnx/if/types-of-opset/tensor-of-int4": "int4 is returned as int8",
    "onnx/if/value-unchanged/shape-rank-none-of-string": "a scalar string is returned as the bytes of an address",
    "onnx/model/declared-type-agrees/list-of-one-fed-a-scalar": "in TensorFlow Lite a declared shape is only a hint",
    "openvino/if/output-type/both-i4": "int4 is returned as int8",
    "openvino/if/value-unchanged/scalar-string": "a scalar string is returned as the bytes of an address",
    "openvino/if/cond-shape/reshaped-to-one-by-one-when-it-runs": "only IR limits the rank of cond",
    "onnx/model/shared-dims-agree/two-inputs-last-dim-of-two-lengths": "only ONNX has dimension variables",
    "onnx/model/shared-dims-agree/two-inputs-third-dim-of-two-lengths": "only ONNX has dimension variables",
    "onnx/model/shared-dims-agree/two-inputs-second-without-elements": "only ONNX has dimension variables",
    "onnx/model/shared-dims-agree/two-inputs-second-is-a-column": "an input is fed by its bytes, whatever their rank",
    "onnx/model/declared-type-agrees/no-elements-fed-two": "an input is resized to what it is fed",
}


def litert_outcome(answer: list[Any] | str) -> Outcome:
    """The outputs, or that the run is refused for a limit of LiteRT, or the text of another error."""
    if isinstance(answer, list):
        return [comparable(given_value(value)) for value in answer]
    return "lacking" if any(re.search(text, answer, re.DOTALL) for text in LITERT_LACKS) else answer


def litert_answers(requests: list[dict[str, Any]], folder: Path) -> list[list[list[Any] | str]]:
    """The results of LiteRT's reference kernels, by model and run."""
    (folder / "requests.json").write_text(json.dumps(requests))
    environment = {
        "PYTHONPATH": str(ROOT / "bindings/adapters/python"),
        "HOME": str(folder),
        "PATH": os.environ["PATH"],
    }
    command = [LITERT, ROOT / "reference/tests/e2e/litert_runs.py", folder / "requests.json", folder / "answered.json"]
    subprocess.run([*command, "BUILTIN_REF"], env=environment, check=True, capture_output=True)
    return json.loads((folder / "answered.json").read_text())


def test_litert_gives_the_same_for_what_is_translated(folder: Path) -> None:
    if not LITERT.exists():
        pytest.fail("LiteRT is missing: ifcert adapter install litert")
    requests, expected, ids = [], [], []
    for system in ("onnx", "openvino"):
        for path, vector, model in vectors(system):
            file = folder / f"{len(requests)}.tflite"
            if zlib.crc32(vector["id"].encode()) % LITERT_RUNS_ONE_IN:
                continue
            if is_warned_of(model):
                continue
            try:
                model.save(file)
            except ifcert.Inexpressible:
                continue
            given = [{item["name"]: item["value"] for item in run["inputs"]} for run in runs_of(vector)]
            requests.append({"model": str(file), "runs": [[run[port.name] for port in model.inputs] for run in given]})
            expected.append(outcomes_of(ifcert.load(path), vector))
            ids.append(vector["id"])
    found, same = [], 0
    for name, outcomes, answers in zip(ids, expected, litert_answers(requests, folder), strict=True):
        for outcome, answer in zip(outcomes, answers, strict=True):
            given = litert_outcome(answer)
            agrees = given == outcome or (outcome == "refused" and isinstance(answer, str))
            same += agrees
            if not agrees and given != "lacking" and name not in LITERT_DIFFERS:
                found.append(f"{name}: {str(answer)[:200]}")
    assert found == []
    assert same > 300
