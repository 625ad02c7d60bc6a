"""Each vector's results show which branches ran: with then and else exchanged, the reference returns others."""

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import ifcert
import onnx
import pytest
from ifcert.authoring.generated import declared_vectors
from ifcert.authoring.tflite import TfliteModel
from onnx import FunctionProto, GraphProto, NodeProto
from vector_lines import VECTORS, lay_out, read_vectors
from vector_values import comparable, inputs_of

# Vectors whose results are the same whichever branch runs, and why.
ONNX_SAME = {
    "if/types-of-opset/*passed*": "both branches pass on what is fed; the refused vectors differ in its type alone",
    "if/types-of-opset/optional-*-in-opset-28": "both branches hold what is fed; refused vectors differ in its type",
    "if/same-data-type/*": "only the size is returned, since the branches of the refused vectors differ in type alone",
    "if/declared-type-agrees/value-info*": "only the size is returned, since the refused vectors declare another type",
    "if/same-shape-in-opset-1/*": "only the size is returned; the branches of refused vectors differ in shape",
    "if/declared-shape-compatible/*-both-empty-*": "the results of both branches have no elements",
    "if/declared-shape-compatible/branches-declare-two": "both branches give the same two numbers, one by a Reshape",
    "model/declared-type-agrees/reshaped-by-*": "both branches give the same numbers, flattened",
    "model/declared-type-agrees/no-elements-fed": "the results of both branches have no elements",
    "if/then-when-true/product-of-no-rows-and-a-sum": "the results of both branches have no elements",
    "if/no-state-between-runs/lengths-grow-and-shrink-cold-5": "the results of both branches have no elements",
    "if/in-function/attribute-reference-of-*": "both branches read the attribute, in which the two calls differ",
    "if/in-loop/cond-always-false": "no If is reached",
    "if/in-loop/cond-stored-false": "no If is reached",
    "if/in-loop/cross-fault-none*-place-untripped*": "no If is reached",
    "if/in-loop/never-*": "no If is reached",
    "if/in-loop/no-trip-keeps-the-shape": "no If is reached",
    "if/in-scan/cross-fault-none*-place-unscanned*": "no If is reached",
    "if/in-scan/never-an-element": "no If is reached",
    "if/in-sequence-map/no-items": "no If is reached",
    "if/no-state-between-runs/carried-value-grows-cold-6": "no If is reached",
    "if/operand-positions/if-nobody-reads": "nobody reads the If's result",
    "if/output-count/one-unused": "nobody reads the If's result",
    "if/outer-scope-capture/normalisation-root-captured-between": "for what is fed, the square is twice the root",
    "if/outer-scope-capture/shape-gather-captured-between": "for what is fed, the square is twice the length, 2",
    "if/outer-scope-capture/sigmoid-mul-across-the-border": "0 is fed, since no other sigmoid is exact; both give 0",
    "if/then-when-true/branches-alike-in-nothing": "the branches are alike",
    "model/file-is-whole/dim-value-then-variable": "the two inputs have the same sum",
    "model/operands-fit/sequence-map-*": "the refused vectors differ in the operands of a SequenceMap alone",
}
IR_SAME = {
    "if/cond-required/*as-data-*": "both bodies return x plus cond as a number",
    "if/dynamic-shape/length-0-*": "the results of both bodies have no elements",
    "if/dynamic-shape/matrix-0-by-2": "the results of both bodies have no elements",
    "if/every-parameter-mapped/constant-converted": "both bodies hold the same number",
    "if/nesting/tower-16": "each body returns not p",
    "if/no-state-between-runs/held-input-passed": "both bodies pass on what is fed",
    "if/one-result-one-output/each-of-three-once": "the refused vectors differ in their maps alone",
    "if/output-order/second-converted-to-boolean": "the first output joins a list and itself, whichever body runs",
    "if/output-shape-may-be-undefined/nothing-joined-to-nothing": "the results of both bodies have no elements",
    "if/pass-through/both-bodies": "both bodies pass on what is fed",
    "if/pass-through/swapped-by-both": "both bodies pass on what is fed",
    "if/value-unchanged/[fiu][0-9]*-*": "both bodies compute one number, of two inputs or of an input and a constant",
    "if/value-unchanged/no-*-string": "the results of both bodies have no elements",
    "ir/layer-is-whole/cross-fault-none*": "nobody reads the If's result",
}
TFLITE_SAME = {
    "file/buffer-fits-shape/no-elements": "the results of both subgraphs have no elements",
    "file/operands-fit/*": "then and else are the same subgraph; the refused vectors differ in it",
    "nested/if-in-while/cross-*place-loopcond*": "the results decide on a further trip, in which both agree",
    "if/inputs-positional/one-swaps-in-its-list": "then's list swaps the operands that else's operator swaps",
    "if/outputs-positional/one-lists-them-the-other-way": "then's list swaps the outputs that else swaps",
    "if/shape-of-taken-subgraph/dynamic-length-zero": "the results of both subgraphs have no elements",
    "subgraph/primary-order/nine-inputs": "then and else are the same subgraph",
    "subgraph/shared/by-if-before-while-body": "then and else are the same subgraph",
    "subgraph/shared/then-is-else*": "then and else are the same subgraph",
    "subgraph/value-semantics/both-pass": "both subgraphs pass on what is fed",
    "subgraph/value-semantics/swapped-by-both": "both subgraphs pass on what is fed",
    "while/zero-trips/cross-fault-none*": "no If is reached",
}
SAME = {"onnx": ONNX_SAME, "openvino": IR_SAME, "tflite": TFLITE_SAME}
# With branches exchanged a run of these never ends: that is another result, for which the test need not wait.
ENDLESS = {
    "onnx/if/only-taken-branch-runs/endless-loop",
    "tflite/if/only-taken-subgraph-runs/endless-while-in-else",
    "tflite/if/only-taken-subgraph-runs/endless-while-in-then",
    "tflite/nested/while-in-if/untaken-has-no-end",
    "tflite/subgraph/shared/inside-and-outside-a-while",
}
IF = re.compile(r"\bIF\(")
OTHER = {
    "then_branch": "else_branch",
    "then_body": "else_body",
    "then_port_map": "else_port_map",
    "then": "else",
}
OTHER |= {else_: then for then, else_ in OTHER.items()}


def ifs(body: GraphProto | FunctionProto) -> Iterator[NodeProto]:
    for node in body.node:
        if node.op_type == "If":
            yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from ifs(attribute.g)


def onnx_exchanged(file: bytes, most: int | None) -> bytes:
    """The model with then and else of its first Ifs exchanged, or of all."""
    model = onnx.load_from_string(file)
    nodes = [node for body in (model.graph, *model.functions) for node in ifs(body)]
    for attribute in (attribute for node in nodes[:most] for attribute in node.attribute):
        attribute.name = OTHER.get(attribute.name, attribute.name)
    return model.SerializeToString()


def ir_exchanged(file: bytes, most: int | None) -> bytes:
    net = ElementTree.fromstring(file)
    for layer in [each for each in net.iter("layer") if each.get("type") == "If"][:most]:
        for part in layer:
            part.tag = OTHER.get(part.tag, part.tag)
    return ElementTree.tostring(net)


@cache
def texts() -> dict[str, TfliteModel]:
    """The texts of TensorFlow Lite's models, by the ids of their vectors."""
    return {each.id: each.model for each in declared_vectors(VECTORS) if isinstance(each.model, TfliteModel)}


def tflite_exchanged(id: str, most: int | None) -> bytes:
    lines = texts()[id].text.splitlines()
    for number in [number for number, line in enumerate(lines) if IF.search(line)][:most]:
        lines[number] = re.sub(r"\b(then|else)(?==)", lambda found: OTHER[found[0]], lines[number])
    (file,) = TfliteModel("\n".join(lines) + "\n").files().values()
    return file


def with_branches_exchanged(id: str, path: Path) -> Iterator[ifcert.Model]:
    """The model with then and else of each If exchanged, then with those of the first alone; it overwrites the file."""
    original = path.read_bytes()
    for most in (None, 1):
        match path.suffix:
            case ".onnx":
                changed = onnx_exchanged(original, most)
            case ".xml":
                changed = ir_exchanged(original, most)
            case _:
                changed = tflite_exchanged(id, most)
        path.write_bytes(changed)
        yield ifcert.load(path)


def has_an_if(vector: dict[str, Any], system: str) -> bool:
    """Whether it is of the system, and has an If; for TensorFlow Lite only those with a text are looked at."""
    if system != "tflite" or vector["system"] != system:
        return vector["system"] == system
    return vector["id"] in texts() and IF.search(texts()[vector["id"]].text) is not None


def makes_no_trip(vector: dict[str, Any]) -> bool:
    """Whether a cross puts its If into a body that no run enters."""
    return vector.get("coordinates", {}).get("trips") == "none"


def runs_of(vector: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for step in vector["steps"]:
        yield from [step["run"]] if "run" in step else step.get("concurrent", {}).get("runs", ())


def results(model: ifcert.Model, run: dict[str, Any]) -> object:
    try:
        found = model.run(inputs_of(run))
    except ifcert.EvaluationError:
        return "refused"
    return [comparable(found[port.name]) for port in model.outputs]


def shows_the_branch(vector: dict[str, Any], folder: Path) -> bool:
    """Whether some run of the vector has other results with branches exchanged."""
    if vector["id"] in ENDLESS:
        return True
    path = lay_out(vector, folder / vector["id"]) / f"model{Path(vector['model']).suffix}"
    model = ifcert.load(path)
    others = with_branches_exchanged(vector["id"], path)
    return any(results(model, run) != results(other, run) for other in others for run in runs_of(vector))


@pytest.mark.parametrize("system", SAME)
def test_results_show_which_branch_ran_unless_it_is_said_why_not(system: str, tmp_path: Path) -> None:
    computing = [each for each in read_vectors() if each["axis"] == "computes" and has_an_if(each, system)]
    reached = [each for each in computing if not makes_no_trip(each)]
    same = {each["id"].removeprefix(f"{system}/") for each in reached if not shows_the_branch(each, tmp_path)}
    assert {id for id in same if not any(fnmatch(id, pattern) for pattern in SAME[system])} == set()
    assert {pattern for pattern in SAME[system] if not any(fnmatch(id, pattern) for id in same)} == set()
