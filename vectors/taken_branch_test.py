"""Each vector's results show which branches ran: with then and else exchanged, the reference returns others."""

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import ifcert
import onnx
from onnx import FunctionProto, GraphProto, NodeProto
from vector_lines import lay_out, read_vectors
from vector_values import comparable, inputs_of

# Vectors whose results are the same whichever branch runs, and why.
SAME = {
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
    "if/in-loop/never-*": "no If is reached",
    "if/in-loop/no-trip-keeps-the-shape": "no If is reached",
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
OTHER = {"then_branch": "else_branch", "else_branch": "then_branch"}


def ifs(body: GraphProto | FunctionProto) -> Iterator[NodeProto]:
    for node in body.node:
        if node.op_type == "If":
            yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from ifs(attribute.g)


def with_branches_exchanged(path: Path) -> Iterator[ifcert.Model]:
    """The model with then and else of each If exchanged, then with those of the first alone; it overwrites the file."""
    original = path.read_bytes()
    for count in (None, 1):
        model = onnx.load_from_string(original)
        nodes = [node for body in (model.graph, *model.functions) for node in ifs(body)]
        for attribute in (attribute for node in nodes[:count] for attribute in node.attribute):
            attribute.name = OTHER.get(attribute.name, attribute.name)
        path.write_bytes(model.SerializeToString())
        yield ifcert.load(path)


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
    path = lay_out(vector, folder / vector["id"]) / "model.onnx"
    model = ifcert.load(path)
    return any(
        results(model, run) != results(other, run) for other in with_branches_exchanged(path) for run in runs_of(vector)
    )


def test_results_show_which_branch_ran_unless_it_is_said_why_not(tmp_path: Path) -> None:
    computing = [each for each in read_vectors() if each["system"] == "onnx" and each["axis"] == "computes"]
    same = {each["id"].removeprefix("onnx/") for each in computing if not shows_the_branch(each, tmp_path)}
    assert {id for id in same if not any(fnmatch(id, pattern) for pattern in SAME)} == set()
    assert {pattern for pattern in SAME if not any(fnmatch(id, pattern) for id in same)} == set()
    assert len(same) * 20 < len(computing)
