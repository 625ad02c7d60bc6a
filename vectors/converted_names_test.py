"""Names after a conversion: in the released runtimes each input and output is found by the name that it had.

Every run passes its inputs by name and looks by name for the outputs that the vector expects. IFCERT_LONG=1 converts
every vector to every format; without it, each direction has a sample, always the same one.
"""

import json
import os
import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import ifcert
import numpy as np
import pytest

sys.path[:0] = [str(Path(__file__).parent)]

from translation_test import (  # noqa: E402
    LITERT_DIFFERS,
    LITERT_LACKS,
    ROOT,
    folder,  # noqa: F401 (a fixture)
    runs_of,
    vectors,
)
from vector_lines import read_vectors  # noqa: E402
from vector_values import adapter, array_of  # noqa: E402

SYSTEMS = ("onnx", "openvino", "tflite")
LONG = os.environ.get("IFCERT_LONG") == "1"

# Of the vectors of one direction, one in this number is in the sample.
SAMPLE = 1 if LONG else 40

# The bytes of an .xml that OpenVINO compiles within a second or so: for a deeper nest it needs minutes.
COMPILED_UP_TO = 30_000


class Target(NamedTuple):
    """A format, with the released runtime that reads it."""

    adapter: str
    environment: str
    failing: tuple[str, ...]  # adapters of the same runtime, whose known failures are its own
    lacks: dict[str, str]  # parts of its messages, and why it then refuses a legal model or a run of it
    differs: dict[str, str]  # patterns of vectors that it computes wrongly once they are converted, and why


TARGETS = {
    ".onnx": Target(
        "onnxruntime",
        "onnxruntime",
        ("onnxruntime", "onnxruntime-noopt"),
        {
            "^Unsupported: ": "it has no implementation, as it says itself",
            "Protobuf parsing failed": "it reads 100 levels of messages",
            "subgraph input [0-9]+ has unknown shape": "it needs the ranks of what a nested Loop carries",
            "Graph attribute inferencing failed:.*ShapeInferenceError": "it evaluates a branch that is not taken, too",
            "Integer division by zero": "it evaluates a branch that is not taken, too",
            "UnicodeDecodeError": "its Python API has no strings that are not UTF-8",
        },
        {
            "onnx/model/no-function-recursion/given-graph-calls": (
                "a function must import the domains of a graph that its caller passes"
            ),
        },
    ),
    ".xml": Target(
        "openvino-ir",
        "openvino",
        ("openvino-ir", "openvino-onnx"),
        {
            r"rank\(\)\.is_dynamic\(\)": "its CPU plug-in has no dynamic rank",
            "unsupported src_prc: string": "its CPU plug-in compares no strings",
            "unsupported src_prc: f8": "its CPU plug-in converts no numbers of 8 bits to boolean",
        },
        {
            "onnx/if/outer-scope-capture/weight-of-both": (
                "with one thread, a product by a constant's transpose is that by the constant, if the other body has it"
            ),
            "onnx/if/value-unchanged/string-with-nul": "its Python API cuts strings at a NUL",
            "tflite/subgraph/value-unchanged/strings-with-nul": "the same",
            "tflite/if/(then-when-true|else-when-false)/cond-selected": "cond and a value of a Select are the same",
            "tflite/(if|subgraph)/.*/.*(64|uint32)(-.*)?": "constants of 64 bits are computed in 32 bits",
            "tflite/if/inputs-positional/one-operand-twice": "one input is mapped to two Parameters",
            "tflite/nested/.*/cross-.*-feeds-twice.*": "the same",
            "tflite/subgraph/value-semantics/one-value-is-two-operands": "the same",
            "tflite/subgraph/types-agree/three-levels-down": "the same",
            "openvino/if/every-parameter-mapped/same-value-at-two-ports-both-by-then": "the same",
            "tflite/if/shape-of-taken-subgraph/(dynamic-ranks|scalar-and-length-one)": (
                "a scalar that a body returns becomes a list, if the other body returns one"
            ),
            "openvino/if/dynamic-shape/cond-of-negative": "what may be negative is taken for not negative",
        },
    ),
    ".tflite": Target(
        "litert",
        "litert",
        ("litert", "litert-plain", "litert-ref"),
        LITERT_LACKS
        | {
            "^Unsupported: ": "it has no implementation, as it says itself",
            "XNNPack delegate failed to reshape": "it evaluates a branch that is not taken, too",
        },
        LITERT_DIFFERS
        | {
            "openvino/if/cond-is-boolean/made-by-equal-of-strings-(case|last-letter)": (
                "its Python API feeds a scalar string as something else"
            ),
            "onnx/if/output-repeated/computed-constant": "an output that is returned twice is uninitialized memory",
            "openvino/if/output-order/computed-value-twice": "the same",
            "openvino/if/output-order/constant-twice": "the same",
            "openvino/if/dynamic-shape/length-returned-by-a-body": "an If returns zeros where SHAPE was prepared",
            "onnx/if/value-unchanged/raw-data-int4": "int4 is returned as int8",
            "onnx/if/value-unchanged/typed-field-int4": "int4 is returned as int8",
            "openvino/if/value-unchanged/texts": "strings that an If returns are wrong or missing",
            "openvino/ir/constant-in-weights/one-empty-string": "the same",
            "tflite/while/body-feeds-next-trip/swap-circle": "of two variables that are swapped, one is lost",
        },
    ),
}


class Converted(NamedTuple):
    """A vector, its model's names by port, and the file that the model became."""

    vector: dict[str, Any]
    inputs: list[str]
    outputs: list[str]
    file: Path

    @property
    def fed(self) -> list[dict[str, Any]]:
        """The inputs of each run, by name."""
        return [{item["name"]: item["value"] for item in run["inputs"]} for run in runs_of(self.vector)]


def converted(system: str, ending: str, to: Path) -> Iterator[Converted]:
    """The models that the format can express; of IR, those that OpenVINO reads within a reasonable time."""

    def is_drawn(path: str) -> bool:
        return zlib.crc32(f"{path} as {ending}".encode()) % SAMPLE == 0

    for number, (_, vector, model) in enumerate(vectors(system, is_drawn)):
        file = to / f"{number}{ending}"
        try:
            model.save(file)
        except ifcert.Inexpressible:
            continue
        if ending != ".xml" or file.stat().st_size <= COMPILED_UP_TO:
            yield Converted(vector, [port.name for port in model.inputs], [port.name for port in model.outputs], file)


def answers(ending: str, asked: list[dict[str, Any]], home: Path) -> list[Any]:
    """What the released runtime says of the files and runs: named_runs.py describes it."""
    target = TARGETS[ending]
    python = ROOT / ".adapters" / target.environment / "bin" / "python"
    assert python.exists(), f"{target.adapter} is missing: .venv/bin/ifcert adapter install {target.adapter}"
    requests, answered = home / "requests.json", home / "answered.json"
    requests.write_text(json.dumps(asked))
    variables = {"PYTHONPATH": str(ROOT / "bindings/adapters/python"), "HOME": str(home), "PATH": os.environ["PATH"]}
    command = [python, ROOT / "reference/tests/e2e/named_runs.py", target.adapter, requests, answered]
    run = subprocess.run(command, env=variables, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(answered.read_text())


def agrees(given: Any, expected: Any) -> bool:  # noqa: ANN401 (a value as JSON)
    """Type, shape and elements; how exact a runtime's arithmetic is, is not a question of names."""
    if given.get("kind") != "tensor" or expected["kind"] != "tensor":
        return bool(given == expected)
    ours, theirs = adapter.decode(given), adapter.decode(expected)
    if (ours.type, tuple(ours.shape)) != (theirs.type, tuple(theirs.shape)):
        return False
    if ours.type not in ("float16", "float32", "float64"):
        return bool(given == expected)
    return np.allclose(array_of(ours), array_of(theirs), rtol=1e-3, atol=1e-6, equal_nan=True)


def accepts(expectation: dict[str, Any], found: dict[str, Any] | str) -> bool:
    """Whether each expected output has its value under its name."""
    if "either" in expectation:
        return any(accepts(choice, found) for choice in expectation["either"])
    if "refused" in expectation:
        return isinstance(found, str)
    if isinstance(found, str):
        return False
    return all(item["name"] in found and agrees(found[item["name"]], item["value"]) for item in expectation["outputs"])


def is_kept(given: list[list[str]], kept: list[str]) -> bool:
    """Whether each port has the name that it had. (A port of IR may have several, or none.)"""
    pairs = zip(given, kept, strict=False)
    return len(given) == len(kept) and all(name in (names or [""]) for names, name in pairs)


def are_kept(answer: dict[str, Any], model: Converted, ending: str) -> bool:
    """Whether all ports have their names. ONNX Runtime lists inputs with a default after the others, or not at all."""
    inputs, kept = answer["inputs"], model.inputs
    if ending == ".onnx":
        inputs, kept = sorted(inputs), sorted(name for name in kept if [name] in inputs)
    return is_kept(inputs, kept) and is_kept(answer["outputs"], model.outputs)


@cache
def known_failures(ending: str) -> set[str]:
    """The vectors that the runtime fails in a format of its own (docs/deviations.md)."""
    failing: set[str] = set()
    for name in TARGETS[ending].failing:
        listed = json.loads((ROOT / "conformance" / "adapters" / name / "known_failures.json").read_text())
        failing |= {failure["vector"] for failure in listed["failures"]}
    return failing


@cache
def wide_vectors() -> set[str]:
    """The vectors that need all bits of wide elements, which OpenVINO's plug-in does not keep, as it says itself."""
    return {each["id"] for each in read_vectors() if any(need.startswith("exact:") for need in each["needs"])}


def is_explained(vector: str, found: Any, ending: str) -> bool:  # noqa: ANN401 (an answer of named_runs.py)
    """Whether the difference is the runtime's own, by the lists above."""
    target = TARGETS[ending]
    if isinstance(found, str) and any(re.search(pattern, found, re.DOTALL) for pattern in target.lacks):
        return True
    if ending == ".xml" and vector in wide_vectors():
        return True
    return vector in known_failures(ending) or any(re.fullmatch(pattern, vector) for pattern in target.differs)


@pytest.mark.parametrize("ending", TARGETS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_runtime_finds_inputs_and_outputs_by_the_names_that_they_had(
    system: str,
    ending: str,
    folder: Path,  # noqa: F811
) -> None:
    models = list(converted(system, ending, folder))
    asked = [{"model": str(model.file), "runs": model.fed} for model in models]
    renamed, differing, same = [], [], 0
    for model, answer in zip(models, answers(ending, asked, folder), strict=True):
        name = model.vector["id"]
        loaded = isinstance(answer, dict)
        if loaded and not are_kept(answer, model, ending):
            renamed.append(f"{name}: {model.inputs} → {model.outputs} became {answer['inputs']} → {answer['outputs']}")
        found = answer["runs"] if loaded else [answer]
        load = model.vector["steps"][0]["load"]["expect"]
        expected = [run["expect"] for run in runs_of(model.vector)] if loaded else [load]
        for expectation, outputs in zip(expected, found, strict=True):
            if "refused" in expectation:
                continue
            if accepts(expectation, outputs):
                same += 1
            elif not is_explained(name, outputs, ending):
                differing.append(f"{name}: {str(outputs)[:300]}")
    assert renamed == []
    assert differing == []
    assert same > (len(models) if LONG else 0)
