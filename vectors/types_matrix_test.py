"""Every version of If has a vector for every type: listed types pass through both branches, the rest is refused."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import onnx
import pytest
from ifcert.authoring.elements import element_of_number
from ifcert.authoring.if_types import VERSIONS, elements_listed, listed_types, version_of
from onnx import GraphProto, ModelProto, TypeProto, defs
from vector_lines import model_of, read_vectors

HERE = Path(__file__).parent
ENTRIES = list(read_vectors())
RULE = "onnx/if/types-of-opset"

# The sources of a branch's output.
TENSOR_FORMS = {"fed", "initializer", "computed", "initializer of the branch", "Constant of the branch"}
MADE_FORMS = {"fed", "computed", "made in the branch"}


def type_name(type_: TypeProto) -> str:
    match type_.WhichOneof("value"):
        case "sequence_type":
            return f"seq({type_name(type_.sequence_type.elem_type)})"
        case "optional_type":
            return f"optional({type_name(type_.optional_type.elem_type)})"
        case "tensor_type":
            element = element_of_number(type_.tensor_type.elem_type)
            assert element is not None
            return f"tensor({element.name})"
        case None:
            return "undeclared"
    return "a map or a sparse tensor"


def form(main: GraphProto, branch: GraphProto, output: str) -> str:
    """The source of a branch's output; for an Identity or Loop, the source of its operand in the main graph."""
    if output in {tensor.name for tensor in branch.initializer}:
        return "initializer of the branch"
    node = next(node for node in branch.node if output in node.output)
    if node.op_type not in ("Identity", "Loop"):
        return "Constant of the branch" if node.op_type == "Constant" else "made in the branch"
    captured = node.input[-1]
    if captured in {tensor.name for tensor in main.initializer}:
        return "initializer"
    return "fed" if captured in {info.name for info in main.input} else "computed"


def branches(model: ModelProto) -> list[tuple[bool, GraphProto]]:
    """The branches of the If in the main graph; none if it is in a function."""
    ifs = [node for node in model.graph.node if node.op_type == "If"]
    return [(attribute.name == "then_branch", attribute.g) for node in ifs[:1] for attribute in node.attribute]


def taken(vector: dict[str, Any]) -> dict[bool, str]:
    """The branches that are run, and the expected outcome."""
    found = {}
    for step in vector["steps"]:
        for run in [step["run"]] if "run" in step else []:
            cond = next(item["value"] for item in run["inputs"] if item["name"] == "cond")
            found[cond["data"] == "AQ=="] = next(iter(run["expect"]))  # the byte 1
    return found


@cache
def shown() -> tuple[dict[tuple[int, str, bool], set[str]], set[tuple[int, str]]]:
    """The forms in which each version returns each type from each branch, and the types that a version is to refuse."""
    given, refused = defaultdict(set), set()
    for entry in ENTRIES:
        if entry["rules"][0] != RULE or "coordinates" in entry:  # the If of a cross may lie elsewhere
            continue
        model = onnx.load(model_of(entry))
        version = version_of(model.opset_import[0].version)
        runs = taken(entry)
        for is_then, branch in branches(model):
            names = {output.name: type_name(output.type) for output in branch.output}
            declared = {output: name for output, name in names.items() if name != "undeclared"}
            if runs[is_then] in ("outputs", "either"):
                for output, name in declared.items():
                    given[version, name, is_then].add(form(model.graph, branch, output))
            elif runs[is_then] == "refused":
                at_fault = {name for name in declared.values() if name not in listed_types(version)}
                refused |= {(version, name) for name in at_fault or declared.values()}
    return given, refused


ALL_TYPES = sorted(
    kind.format(f"tensor({element})")
    for element in elements_listed(25)
    for kind in ("{}", "seq({})", "optional({})", "optional(seq({}))")
)


def test_all_types_are_those_of_the_newest_version_and_the_optional_sequences_it_forgot() -> None:
    assert len(ALL_TYPES) == 104
    assert listed_types(25) < set(ALL_TYPES)
    assert all(name.startswith("optional(seq(") for name in set(ALL_TYPES) - listed_types(25))


@pytest.mark.parametrize("version", VERSIONS)
def test_every_listed_type_comes_through_both_branches(version: int) -> None:
    given, _ = shown()
    assert [
        (name, is_then)
        for name in listed_types(version)
        for is_then in (True, False)
        if (version, name, is_then) not in given
    ] == []


@pytest.mark.parametrize("version", VERSIONS)
def test_no_other_type_is_to_come_through(version: int) -> None:
    assert {name for other, name, _ in shown()[0] if other == version} == listed_types(version)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_tensor_comes_from_everywhere(version: int) -> None:
    for element in elements_listed(version):
        for is_then in (True, False):
            assert shown()[0][version, f"tensor({element})", is_then] >= TENSOR_FORMS, (element, is_then)


@pytest.mark.parametrize("version", [version for version in VERSIONS if version >= 13])
def test_every_container_comes_from_everywhere_it_can_be(version: int) -> None:
    for name in listed_types(version):
        if name.startswith("tensor"):
            continue
        element = name.rpartition("(")[2].rstrip(")")
        # All others are results of an operator, except sequences of bfloat16 before opset 24 (SplitToSequence).
        forms = MADE_FORMS if element in elements_listed(1) else {"fed"}
        for is_then in (True, False):
            assert shown()[0][version, name, is_then] >= forms, (name, is_then)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_other_type_is_refused(version: int) -> None:
    _, refused = shown()
    assert [name for name in ALL_TYPES if name not in listed_types(version) and (version, name) not in refused] == []
    assert [name for other, name in refused if other == version and name in listed_types(version)] == []


OF_PYTHON = {"float": "float32", "double": "float64"}
NEWEST = max(schema.since_version for schema in defs.get_all_schemas_with_history() if schema.domain == "")


@cache
def made_by_operators(opset: int) -> set[str]:
    """The types that an operator of the opset, other than If and Loop, returns."""
    newest: dict[str, defs.OpSchema] = {}
    for schema in defs.get_all_schemas_with_history():
        known = newest.get(schema.name)
        if schema.domain == "" and (known.since_version if known else 0) < schema.since_version <= opset:
            newest[schema.name] = schema
    return {
        re.sub(r"tensor\((\w+)\)", lambda found: f"tensor({OF_PYTHON.get(found[1], found[1])})", name)
        for schema in newest.values()
        if schema.name not in ("If", "Loop")
        for name in output_types(schema)
    }


def output_types(schema: defs.OpSchema) -> Iterator[str]:
    listed = {each.type_param_str: each.allowed_type_strs for each in schema.type_constraints}
    for output in schema.outputs:
        yield from listed.get(output.type_str, [output.type_str])


def branch_operators() -> Iterator[tuple[str, ModelProto, str, set[str]]]:
    """The id, model, axis and the operators in the branches of each of the rule's vectors."""
    for entry in ENTRIES:
        if entry["rules"][0] == RULE:
            model = onnx.load(model_of(entry))
            yield entry["id"], model, entry["axis"], {n.op_type for _, branch in branches(model) for n in branch.node}


def test_where_an_operator_gives_an_unlisted_type_if_alone_is_at_fault() -> None:
    """A model in which Identity does not accept the type either is kept only where no operator of If's version does."""
    alone = set()
    for id, model, axis, operators in branch_operators():
        version = version_of(model.opset_import[0].version)
        if axis != "diagnoses" or operators != {"Identity"}:
            continue
        name = type_name(branches(model)[0][1].output[0].type)
        of_version = [opset for opset in range(1, NEWEST + 1) if version_of(opset) == version]
        if any(name in made_by_operators(opset) for opset in of_version):
            alone.add(id)
    assert alone == set()


def test_a_body_that_returns_its_own_input_is_open() -> None:
    """The IR document does not say enough about it (docs/doubts.md)."""
    assert {axis for _, _, axis, operators in branch_operators() if "Loop" in operators} == {"open"}
