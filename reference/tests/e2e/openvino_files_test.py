"""IR written by OpenVINO's serializer, from models built with its API and from converted vectors: it is read, breaks no
rule, and computes the same bits as in OpenVINO.

OpenVINO computes f64 as f32, 64-bit integers as 32-bit ones and may round halves otherwise, so the models compute in
f32, i32, boolean and the small integers, and pass other types on with values that survive; likewise the vectors that
are used. Strings are compared only with the vectors, because OpenVINO's Python package crashes on them.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from vector_lines import model_of, read_rule, read_vector

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
OPENVINO = ROOT / ".adapters" / "openvino" / "bin" / "python"
SDK = ROOT / "bindings" / "adapters" / "python"
sys.path.insert(0, str(SDK))

from adapter_process import AdapterProcess  # noqa: E402 (the SDK is not an installed package)

# Rules all of whose vectors that the converter takes are tried.
RULES = [
    "both-branches-required",
    "branch-outputs-may-be-untyped",
    "branches-take-no-inputs",
    "cond-is-bool",
    "cond-single-element",
    "cond-source",
    "declared-type-agrees",
    "definition-before-use",
    "else-when-false",
    "in-loop",
    "in-scan",
    "loop-in-branch",
    "nesting",
    "no-leak",
    "no-shadowing",
    "one-input",
    "only-taken-branch-runs",
    "operand-positions",
    "outer-scope-capture",
    "output-count",
    "output-is-initializer",
    "output-order",
    "output-repeated",
    "outputs-may-differ-among-themselves",
    "same-data-type",
    "same-shape-in-opset-1",
    "shape-union",
    "sibling-names-independent",
    "then-when-true",
    "version-of-opset",
]

# Only vectors of this rule go through OpenVINO's converter, which takes a second or so for each.
THROUGH_THE_CONVERTER = "then-when-true"

STRINGS = ["if/value-unchanged/string-empty", "if/value-unchanged/string-not-ascii"]


def has_left_over_result(file: Path) -> bool:
    """Whether a body has a Result that is no output of its If, against "the number of then_body outputs is equal to the
    number of outputs from If" (OpenVINO If-8). Not in files with loops, which the reference does not read so far.
    """
    layers = list(ElementTree.parse(file).iter("layer"))
    if any(layer.get("type") == "Loop" for layer in layers):
        return False
    for layer in layers:
        outputs = layer.findall("output/port")
        for body in ("then_body", "else_body"):
            if layer.get("type") == "If" and len(layer.findall(f"{body}/layers/layer[@type='Result']")) > len(outputs):
                return True
    return False


# The converter turns these into other models, whose results are not those of the vector.
CONVERTED_INTO_ANOTHER = {
    "if--declared-type-agrees--value-info-of-sequence",  # docs/deviations/openvino.md, openvino-onnx-sequences
    "if--in-loop--cond-always-false",  # without its input: docs/deviations/openvino.md, openvino-onnx-loop-cond-false
    "if--in-loop--cond-stored-false",  # without its input: docs/deviations/openvino.md, openvino-onnx-loop-cond-false
    "if--outer-scope-capture--by-two-ifs",
    "if--outer-scope-capture--initializers-of-the-same-bytes",  # openvino-onnx-empty-initializer
    "if--outer-scope-capture--returned-before-the-result",  # docs/deviations/openvino.md, openvino-onnx-two-ifs
    "if--outer-scope-capture--sequence-of-one-before",  # docs/deviations/openvino.md, openvino-onnx-handed-on
    "if--same-data-type--second-is-a-sequence",  # docs/deviations/openvino.md, openvino-onnx-sequences
    "if--shape-union--scalar-and-empty",
    "if--then-when-true--gathered-at-no-index",  # openvino-onnx-empty-initializer
}

# The plug-in computes another value than the file specifies.
PLUGIN_DIFFERS = {
    "if--cond-source--distance-of-shape-from-three",  # docs/deviations/openvino.md, openvino-not-negative
    "if--cond-source--length-less-three-is-minus-one",  # docs/deviations/openvino.md, openvino-equal-to-negative
    "if--outer-scope-capture--weight-of-both",  # else_body's MatMul with then_body's weights
    "if--then-when-true--gathered-at-no-index",  # docs/deviations/openvino.md, openvino-scalar-and-one
    "if--output-order--second-cast-to-bool",  # docs/deviations/openvino.md, openvino-second-output-as-boolean
}

# The plug-in computes something else in each run: docs/deviations/openvino.md, openvino-moved-memory.
PLUGIN_VARIES = {"if--shape-union--unknown-length-returned-in-first-run"}

# The plug-in ends the process (SIGSEGV): openvino-slice-axis-fed and openvino-expanded-scalar of
# docs/deviations/openvino.md.
PLUGIN_CRASHES = {
    "if--cond-source--slice-along-fed-axis",
    "if--then-when-true--scalar-expanded-to-its-own-shape",
}
CRASHED = ["the process ended"]

# Operators that the reference does not have, and those of ONNX that the converter writes so: such files are read and
# checked only.
MADE_FROM = {
    "Convolution": {"Conv"},
    "FakeQuantize": {"QuantizeLinear"},
    "GreaterEqual": {"GreaterOrEqual"},
    "LSTMSequence": {"LSTM"},
    "Loop": {"Loop", "Scan"},
    "Maximum": {"Max"},
    "NonZero": {"NonZero"},
    "OneHot": {"OneHot"},
    "Pad": {"Pad"},
    "Sign": {"Sign"},
    "TensorIterator": {"Loop", "Scan"},
}
LACKING = re.compile(r"the reference has no operator (\w+) ")

# The plug-in's messages where bodies return different ranks or an unknown one, for an Equal of strings, for an input
# that the converter removed, and for a sum of booleans that it made (openvino-converted-length of
# docs/deviations/openvino.md).
PLUGIN_REFUSES = re.compile(
    r"doesn't support .* operation with dynamic rank|unsupported src_prc: string"
    r"|Input for tensor name '.*' is not found|does not support inputs with element type: boolean",
    re.DOTALL,
)

# A process of an adapter lives a minute at most.
MODELS_OF_A_PROCESS = 50

Runs = list[list[dict[str, Any]]]


def runs_of(vector: dict[str, Any]) -> list[dict[str, Any]]:
    """The files that must yield values."""
    runs = [step["run"] for step in vector["steps"] if "run" in step]
    return [run for run in runs if "outputs" in run["expect"]]


def accepted_vectors() -> list[dict[str, Any]]:
    """The vectors of RULES that every runtime must load and run, and STRINGS.

    Those of crosses and of tables of values and axes have no forms of files that others lack; they are about operators,
    in which the plug-in errs for reasons of its own (docs/deviations/openvino.md).
    """
    vectors = [vector for rule in RULES for vector in read_rule(f"onnx/if/{rule}") if not is_of_operators(vector)]
    must = [vector for vector in vectors if vector["axis"] != "open" and runs_of(vector)]
    return must + [read_vector(f"onnx/{name}") for name in STRINGS]


def is_of_operators(vector: dict[str, Any]) -> bool:
    tables = ("/edges-of-", "/axes-of-", "/clauses-of-")
    return "coordinates" in vector or any(table in vector["id"] for table in tables)


def name_of(vector: dict[str, Any]) -> str:
    return vector["id"].removeprefix("onnx/").replace("/", "--")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with built/ and converted/, as OpenVINO wrote them."""
    assert OPENVINO.exists(), "the environment openvino is missing: .venv/bin/ifcert adapter install openvino-ir"
    folder = tmp_path_factory.mktemp("ir")
    listed = folder / "list.json"
    files: dict[str, dict[str, str]] = {"convert_model": {}, "read_model": {}}
    for vector in accepted_vectors():
        rule = vector["rules"][0].rpartition("/")[2]
        way = "convert_model" if rule == THROUGH_THE_CONVERTER else "read_model"
        files[way][name_of(vector)] = str(model_of(vector))
    listed.write_text(json.dumps(files))
    command = [OPENVINO, HERE / "openvino_models.py", folder, listed]
    environment = {"PYTHONPATH": str(SDK), "HOME": str(folder), "PATH": os.environ["PATH"]}
    run = subprocess.run(command, env=environment, timeout=300, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return folder


class Processes:
    """An adapter's process, which is restarted regularly."""

    def __init__(self, command: list[str], home: Path) -> None:
        self._command, self._count = command, 0
        self._environment = {"PYTHONPATH": str(SDK), "HOME": str(home), "TMPDIR": str(home)}
        self._process: AdapterProcess | None = None

    def outputs(self, model: Path, runs: Runs) -> list[Any]:
        """The outputs of each run, or the reason for a refusal of the model or the run; CRASHED without an answer."""
        if self._process is None or self._count % MODELS_OF_A_PROCESS == 0:
            self.end()
            self._process = AdapterProcess(self._command, self._environment)
            self._process.ask(cmd="hello", protocol=1)
        self._count += 1
        try:
            return self._outputs(model, runs)
        except EOFError:
            self._process = None
            return CRASHED

    def _outputs(self, model: Path, runs: Runs) -> list[Any]:
        assert self._process is not None
        loaded = self._process.ask(cmd="load", id=1, format="openvino", model=str(model))
        if "loaded" not in loaded:
            return [(loaded.get("refused") or loaded["unsupported"])["message"]]
        answers = [self._process.run(inputs) for inputs in runs]
        return [[o["value"] for o in a["outputs"]] if "outputs" in a else str(a) for a in answers]

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., Processes]]:
    running: list[Processes] = []

    def start(*command: object) -> Processes:
        running.append(Processes([str(word) for word in command], tmp_path))
        return running[-1]

    yield start
    for processes in running:
        processes.end()


@pytest.fixture
def reference(started: Callable[..., Processes]) -> Processes:
    return started(BIN / "ifcert-reference-adapter")


@pytest.fixture
def openvino(started: Callable[..., Processes]) -> Processes:
    return started(OPENVINO, ROOT / "conformance" / "adapters" / "openvino-ir" / "adapter.py")


def broken(files: list[Path]) -> dict[str, list[str]]:
    """The rules that each file breaks, with warnings, according to `ifcert check`."""
    command = [BIN / "ifcert", "check", "--format", "json", *files]
    checked = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=300).stdout)["files"]
    assert len(checked) == len(files)
    found = [{d["rule"] for d in file["findings"]} | ({"unreadable"} & set(file)) for file in checked]
    return {file.stem: sorted(rules) for file, rules in zip(files, found, strict=True) if rules}


def test_what_the_api_builds_gives_openvinos_bits(written: Path, reference: Processes, openvino: Processes) -> None:
    files = sorted((written / "built").glob("*.xml"))
    assert len(files) >= 22
    assert broken(files) == {}
    given: dict[str, list[Any]] = {}
    wrong = []
    for file in files:
        runs = json.loads(file.with_suffix(".json").read_text())
        ours, theirs = reference.outputs(file, runs), openvino.outputs(file, runs)
        given[file.stem] = ours
        assert len(ours) == len(runs) >= 2
        refused = file.stem == "rank_unknown" and "with dynamic rank" in theirs[0]
        if not refused and (ours != theirs or any(isinstance(outputs, str) for outputs in ours)):
            wrong.append(f"{file.stem}: {ours} and {theirs}")
    assert not wrong, "\n".join(wrong)
    assert given["rank_unknown"] == given["dim_unknown"]  # the same computation, which the plug-in refuses


def test_converted_vectors_give_openvinos_bits(written: Path, reference: Processes, openvino: Processes) -> None:
    vectors = {name_of(vector): vector for vector in accepted_vectors()}
    files = sorted((written / "converted").glob("*.xml"))
    print(f"\n{len(files)} of {len(vectors)} vectors converted")
    assert len(files) >= 300
    left_over = {file.stem for file in files if has_left_over_result(file)}
    assert broken(files) == {name: ["openvino/if/output-count"] for name in left_over}
    wrong, same, lacking, refused = [], 0, 0, 0
    for file in files:
        if file.stem in left_over:
            continue
        runs = runs_of(vectors[file.stem])
        inputs = [run["inputs"] for run in runs]
        expected = [[output["value"] for output in run["expect"]["outputs"]] for run in runs]
        ours = reference.outputs(file, inputs)
        if isinstance(ours[0], str) and (found := LACKING.search(ours[0])):
            lacking += 1
            needs = vectors[file.stem]["needs"]
            if not any(f"operator:{operator}" in needs for operator in MADE_FROM.get(found[1], ())):
                wrong.append(f"{file.stem}: {ours}, the vector needs {needs}")
            continue
        if (ours == expected) == (file.stem in CONVERTED_INTO_ANOTHER):
            wrong.append(f"{file.stem}: {ours}, the vector asks for {expected}")
        if "--string-" in file.stem or file.stem in PLUGIN_VARIES:
            continue
        theirs = openvino.outputs(file, inputs)
        if (theirs == CRASHED) != (file.stem in PLUGIN_CRASHES):
            wrong.append(f"{file.stem}: OpenVINO {theirs}")
        if theirs == CRASHED:
            continue
        if isinstance(theirs[0], str) and PLUGIN_REFUSES.search(theirs[0]):
            refused += file.stem not in CONVERTED_INTO_ANOTHER
            continue
        same += ours == theirs
        if (ours == theirs) == (file.stem in PLUGIN_DIFFERS):
            wrong.append(f"{file.stem}: {ours}, OpenVINO {theirs}")
    print(f"{same} the same, {lacking} with operators that the reference lacks, {refused} refused by OpenVINO")
    assert not wrong, "\n".join(wrong)
    assert same >= 300
    assert refused <= 11  # most for ranks that differ; Equals of strings, a sum of booleans
