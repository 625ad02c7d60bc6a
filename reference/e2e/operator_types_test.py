"""Each operator that is translated, on each element type: what `convert` writes is run by the released runtimes through
their own APIs, and yields the bits that the operator's definition specifies. Types that the format does not define are
refused.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SDK = ROOT / "bindings" / "adapters" / "python"
OPENVINO = ROOT / ".adapters" / "openvino" / "bin" / "python"
sys.path[:0] = [str(HERE), str(SDK)]

import ifcert  # noqa: E402
from operator_models import OperatorModel, operator_models  # noqa: E402
from tflite_agreement import RESOLVERS, Answer, Case, litert  # noqa: E402

# Why a model is not written: messages of `convert`, and the least number of models for each.
NOT_WRITTEN = {
    ".tflite": {
        r"^TensorFlow Lite does not define [A-Z_0-9]+ on \w+$": 150,
        r"^TensorFlow Lite has no element type \w+$": 100,
        r"^(Split|Tile|MatMul|Sigmoid|Tanh) of this opset is not in the table of operators$": 40,
        r"^Expand of \w+ that is not known to be a scalar has no counterpart$": 8,
    },
    ".xml": {
        r"^OpenVINO does not define \w+ on string$": 8,
        r"^IR has no element type \w+$": 60,
        r"^(CastLike|GreaterOrEqual|LessOrEqual) of this opset is not in the table of operators$": 40,
    },
}

# Models for which LiteRT 2.3.0 returns nothing or something else, by cause.
LITERT_LACKS = {
    "its Python API takes no bfloat16": r".* of bfloat16",
    "its Python API takes and shows int4 as int8": r".* of int4",
    "EQUAL of uint8, which the page has, ends the process: it reads scales that are not there": r"Equal of uint8",
    "its Python API feeds a scalar string as something else": r"Expand-scalar of string",
}

# The same for its own kernels; with XNNPACK it computes them.
LITERT_KERNELS_LACK = {
    "its kernels are older than the page, which has float16": r"(Sub|Div|ReduceSum) of float16",
}

# The same for OpenVINO 2026.4.1.
OPENVINO_LACKS = {
    "its CPU plug-in casts these to boolean only by way of an exception": (
        r"Cast-to bool of (uint2|float8e4m3fn|float8e5m2|float4e2m1)"
    ),
    "its CPU plug-in has no such Convert": (
        r"Cast-(to|from) int32 of (float8e8m0|float4e2m1)|Cast-from bool of float4e2m1"
    ),
    "its CPU plug-in moves elements of less than a byte wrongly": (
        r"(Transpose|ConstantOfShape) of (uint2|float4e2m1)"
    ),
    "its CPU plug-in has no such strings, or ends on them": r"(Equal|Slice|Split|Tile) of string",
}


def written(ending: str, folder: Path) -> tuple[list[OperatorModel], list[Case], list[str]]:
    """The models that can be written with this file extension, their inputs, and the reasons why the others cannot."""
    models, cases, reasons = [], [], []
    for model in operator_models():
        path = model.write(folder)
        file = path.with_suffix(ending)
        try:
            ifcert.load(path).save(file)
        except ifcert.Inexpressible as error:
            reasons.append(error.reason)
            continue
        models.append(model)
        cases.append(Case(file, [[x.json() for x in model.fed]], [[y.json() for y in model.results]]))
    return models, cases, reasons


def expect_only(
    lacks: dict[str, str], models: list[OperatorModel], cases: list[Case], found: list[list[Answer]]
) -> None:
    """Every difference is listed with its cause, and each cause has a difference."""
    differing = {
        model.name: answers[0]
        for model, case, answers in zip(models, cases, found, strict=True)
        if answers[0] != case.outputs[0]
    }
    unexplained = {name: answer for name, answer in differing.items() if cause_of(name, lacks) is None}
    assert unexplained == {}
    assert {cause_of(name, lacks) for name in differing} == set(lacks)


def cause_of(name: str, lacks: dict[str, str]) -> str | None:
    return next((cause for cause, pattern in lacks.items() if re.fullmatch(pattern, name)), None)


@pytest.mark.parametrize("ending", NOT_WRITTEN)
def test_what_the_format_does_not_define_is_refused(ending: str, tmp_path: Path) -> None:
    models, _, reasons = written(ending, tmp_path)
    assert len(models) > (280 if ending == ".tflite" else 500)
    expected = NOT_WRITTEN[ending]
    assert [reason for reason in reasons if not any(re.search(pattern, reason) for pattern in expected)] == []
    for pattern, least in expected.items():
        assert sum(1 for reason in reasons if re.search(pattern, reason)) >= least, pattern


@pytest.mark.parametrize("resolver", RESOLVERS)
def test_litert_gives_the_bits(resolver: str, tmp_path: Path) -> None:
    models, cases, _ = written(".tflite", tmp_path)
    lacks = LITERT_LACKS if resolver == "AUTO" else LITERT_LACKS | LITERT_KERNELS_LACK
    expect_only(lacks, models, cases, litert(cases, resolver, tmp_path))


def test_openvino_gives_the_bits(tmp_path: Path) -> None:
    assert OPENVINO.exists(), "the environment openvino is missing: .venv/bin/ifcert adapter install openvino-ir"
    models, cases, _ = written(".xml", tmp_path)
    requests, answered = tmp_path / "requests.json", tmp_path / "answered.json"
    requests.write_text(json.dumps([{"model": str(case.model), "runs": case.inputs} for case in cases]))
    environment = {"PYTHONPATH": str(SDK), "HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    command = [OPENVINO, HERE / "openvino_runs.py", requests, answered]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=300)
    expect_only(OPENVINO_LACKS, models, cases, json.loads(answered.read_text()))
