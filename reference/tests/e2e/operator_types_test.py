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
ROOT = HERE.parents[2]
SDK = ROOT / "bindings" / "adapters" / "python"
OPENVINO = ROOT / ".adapters" / "openvino" / "bin" / "python"
sys.path[:0] = [str(HERE), str(SDK)]

import ifcert  # noqa: E402
from ifcert.authoring.elements import ELEMENTS  # noqa: E402
from operator_models import OperatorModel, operator_models, tensor  # noqa: E402
from tflite_agreement import RESOLVERS, Answer, Case, in_litert, litert  # noqa: E402

TABLE = ROOT / "reference" / "convert" / "defined_types.cpp"  # of element types, read as text

# Why a model is not written: messages of `convert`, and the least number of models for each.
NOT_WRITTEN = {
    ".tflite": {
        r"^TensorFlow Lite does not define [A-Z_0-9]+ on \w+$": 150,
        r"^LiteRT has no (DIV|SUB|SUM) on float16$": 3,
        r"^LiteRT has no EQUAL on uint8$": 1,
        r"^LiteRT has no CAST from int4 to \w+$": 2,
        r"^LiteRT has no CAST from \w+ to int4$": 2,
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

# Models for which LiteRT 2.3.0 returns nothing or something else, by cause: it has the operator with that type, as
# test_litert_accepts_what_is_written shows, but its Python API does not pass the values.
LITERT_LACKS = {
    "its Python API takes no bfloat16": r".* of bfloat16",
    "its Python API takes and shows int4 as int8": r".* of int4",
    "its Python API feeds a scalar string as something else": r"Expand-scalar of string",
}

# The same for OpenVINO 2026.4.1, with the page of OpenVINO's Operation Specifications that allows the types.
OPENVINO_LACKS = {
    "its CPU plug-in casts these to boolean only by way of an exception (Convert-1)": (
        r"Cast-to bool of (uint2|float8e4m3fn|float8e5m2|float4e2m1)"
    ),
    "its CPU plug-in has no such Convert (Convert-1)": (
        r"Cast-(to|from) int32 of (float8e8m0|float4e2m1)|Cast-from bool of float4e2m1"
    ),
    "its CPU plug-in moves elements of less than a byte wrongly (Transpose-1, Broadcast-3)": (
        r"(Transpose|ConstantOfShape) of (uint2|float4e2m1)"
    ),
    "its CPU plug-in has no such strings, or ends on them (Equal-1, Slice-8, Split-1, Tile-1)": (
        r"(Equal|Slice|Split|Tile) of string"
    ),
}

# The operators whose first operand is not the one that a type is chosen for.
SECOND = ("FILL", "SELECT_V2")


def table_source() -> str:
    """Without comments, on one line."""
    return re.sub(r"\s+", " ", re.sub(r"//.*", "", TABLE.read_text()))


def joined(text: str, sets: dict[str, str]) -> str:
    """The text, with each set written out."""
    for name in sets:
        text = re.sub(rf"\b{name}\b", f"{{{sets[name]}}}", text)
    text = re.sub(r"ElementTypes(?=\{)", "", text)
    while "} | {" in text:
        text = text.replace("} | {", ", ", 1)
    return text


def element_types(rows: str) -> dict[str, list[str]]:
    """Operator → the types of the operand that it works on. `rows` is the name of the array."""
    sets: dict[str, str] = {}
    for name, listed, added in re.findall(r"constexpr ElementTypes (\w+)(?:\{([^;]*)\}| = ([^;]*));", table_source()):
        sets[name] = listed or joined(added, sets).strip("{}")
    body = table_source().split(f"constexpr std::array {rows}{{", 1)[1].split("};", 1)[0]
    found = {}
    for operator, row in re.findall(r'DefinedTypes\{"(\w+)", (.*?)(?=DefinedTypes|$)', body):
        operands = [re.findall(r"\w+", group) for group in re.findall(r"\{([\w, ]+)\}", joined(row, sets))]
        found[operator] = operands[1 if operator in SECOND else 0]
    return found


def litert_lacks() -> list[tuple[str, str]]:
    """Operators and types that are not written, since LiteRT refuses them."""
    return re.findall(r'Lack\{"(\w+)", (\w+)\}', table_source())


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
    expect_only(LITERT_LACKS, models, cases, litert(cases, resolver, tmp_path))


# Types that the pages of operators list, and TensorFlow Lite's schema has not, or only since its last version.
NOT_IN_SCHEMA = {"int2", "uint2", "uint4", *(name for name in ELEMENTS if name.startswith(("float8", "float4")))}


def casts(folder: Path) -> tuple[list[str], list[str]]:
    """The pairs of element types ("FROM TO") that CAST is written with, and those that LiteRT is said to lack."""
    names = [name for name in element_types("tflite_types")["CAST"] if name not in {*NOT_IN_SCHEMA, "complex64"}]
    names = ["bool" if name == "boolean" else name for name in names]
    done, lacking = [], []
    for first in names:
        for second in names:
            operands, results = [tensor(first, [1, 0])], [tensor(second, [1, 0])]
            model = OperatorModel("Cast", f"to {second}", first, operands, results, {"to": ELEMENTS[second].onnx})
            path = model.write(folder)
            try:
                ifcert.load(path).save(path.with_suffix(".tflite"))
                done.append(f"{first} {second}")
            except ifcert.Inexpressible as error:
                assert error.reason == f"LiteRT has no CAST from {first} to {second}"
                lacking.append(f"{first} {second}")
    return done, lacking


def in_litert_by_place(pairs: list[tuple[str, str]], folder: Path) -> list[dict[str, str]]:
    """For each operator and type what LiteRT says: tflite_operator_types.py describes it."""
    asked, answered = folder / "asked.json", folder / "answered.json"
    asked.write_text(json.dumps(pairs))
    in_litert("tflite_operator_types.py", asked, answered, home=folder, timeout_s=1800)
    return json.loads(answered.read_text())


def test_litert_accepts_what_is_written(tmp_path: Path) -> None:
    """Each pair in the table, with each resolver, in the primary subgraph and in a branch."""
    pairs = [
        (operator, element)
        for operator, elements in element_types("tflite_types").items()
        for element in elements
        if operator != "CAST" and element not in NOT_IN_SCHEMA and (operator, element) not in litert_lacks()
    ]
    written_casts, _ = casts(tmp_path)
    pairs += [("CAST", pair) for pair in written_casts]
    assert len(pairs) > 300
    answers = in_litert_by_place(pairs, tmp_path)
    refused = {
        f"{operator} on {element} ({where})": found
        for (operator, element), answer in zip(pairs, answers, strict=True)
        for where, found in answer.items()
        if found != "accepted"
    }
    assert refused == {}


def test_litert_refuses_what_it_is_said_to_lack(tmp_path: Path) -> None:
    _, lacking_casts = casts(tmp_path)
    assert len(lacking_casts) > 20
    pairs = [*litert_lacks(), *(("CAST", pair) for pair in lacking_casts)]
    for pair, answer in zip(pairs, in_litert_by_place(pairs, tmp_path), strict=True):
        own_kernels = {found for where, found in answer.items() if where.startswith("BUILTIN")}
        assert "accepted" not in own_kernels, pair


def test_openvino_gives_the_bits(tmp_path: Path) -> None:
    assert OPENVINO.exists(), "the environment openvino is missing: .venv/bin/ifcert adapter install openvino-ir"
    models, cases, _ = written(".xml", tmp_path)
    requests, answered = tmp_path / "requests.json", tmp_path / "answered.json"
    requests.write_text(json.dumps([{"model": str(case.model), "runs": case.inputs} for case in cases]))
    environment = {"PYTHONPATH": str(SDK), "HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    command = [OPENVINO, HERE / "openvino_runs.py", requests, answered]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=300)
    expect_only(OPENVINO_LACKS, models, cases, json.loads(answered.read_text()))
