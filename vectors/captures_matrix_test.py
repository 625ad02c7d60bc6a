"""Branches capture every kind of value, from every distance, by every reader, in every form, as the files show."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import onnx
import pytest
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto
from vector_lines import model_of, read_vectors

HERE = Path(__file__).parent
ENTRIES = list(read_vectors())
RULES = ("onnx/if/outer-scope-capture", "onnx/if/output-is-outer-value")

SOURCES = ("graph-input", "initializer", "node-output", "loop-state", "scan-state", "function-input")
LEVELS = (1, 2, 3, 8)
READERS = ("then", "else", "both", "output")
FORMS = ("Identity before", "Cast before", "declared on the way", "read by a node too", "by two Ifs", "returned too")


@dataclass(frozen=True)
class VisibleValue:
    """A visible value: its source, the number of branches it has entered, and the way it is used there."""

    source: str
    level: int
    forms: frozenset[str] = frozenset()


class Captured(NamedTuple):
    """The values that an If's branches capture: reads `then`, `else` or `both`; `output` returns it without a node."""

    id: str
    source: str
    levels: int
    reader: str
    forms: frozenset[str]
    axis: str


def graphs_of(node: NodeProto) -> list[AttributeProto]:
    return [attribute for attribute in node.attribute if attribute.HasField("g")]


def reads(graph: GraphProto) -> set[str]:
    """The values that the nodes of a graph and of its nested graphs read."""
    within = [reads(attribute.g) for node in graph.node for attribute in graphs_of(node)]
    return {name for node in graph.node for name in node.input}.union(*within)


def known_of(graph: GraphProto, inputs: dict[str, str], level: int) -> dict[str, VisibleValue]:
    """The values that a graph defines."""
    sources = inputs | {tensor.name: "initializer" for tensor in graph.initializer}
    through: dict[str, str] = {}
    for node in graph.node:
        if node.op_type in ("Identity", "Cast") and node.input[0] in sources:
            through[node.output[0]] = f"{node.op_type} before"
            sources[node.output[0]] = sources[node.input[0]]
        else:
            sources |= dict.fromkeys(node.output, "node-output")
    returned, ifs = {info.name for info in graph.output}, [node for node in graph.node if node.op_type == "If"]
    found = {}
    for name, source in sources.items():
        forms = {through[name]} if name in through else set()
        forms |= {"returned too"} if name in returned else set()
        forms |= {"read by a node too"} if any(name in node.input for node in graph.node) else set()
        readers = [node for node in ifs if any(name in reads(attribute.g) for attribute in graphs_of(node))]
        forms |= {"by two Ifs"} if len(readers) > 1 else set()
        found[name] = VisibleValue(source, level, frozenset(forms))
    return found


def inputs_of(graph: GraphProto, node: NodeProto) -> dict[str, str]:
    """The sources of a body's inputs."""
    names = [info.name for info in graph.input]
    if node.op_type == "Loop":
        return dict.fromkeys(names[:2], "trip") | dict.fromkeys(names[2:], "loop-state")
    scanned = next((attribute.i for attribute in node.attribute if attribute.name == "num_scan_inputs"), len(names))
    states = len(names) - scanned
    return dict.fromkeys(names[:states], "scan-state") | dict.fromkeys(names[states:], "element")


def captures(
    graph: GraphProto, visible: dict[str, VisibleValue], level: int
) -> Iterator[tuple[VisibleValue, int, str, bool]]:
    """For each If in a graph: each captured value, its distance, the branches that read it, and whether it is declared
    there.
    """
    for node in graph.node:
        by: dict[tuple[str, str], set[str]] = {}
        declared = set()
        for attribute in graphs_of(node):
            below, within = attribute.g, level + (node.op_type == "If")
            own = known_of(below, {} if node.op_type == "If" else inputs_of(below, node), within)
            yield from captures(below, visible | own, within)
            declared |= {info.name for info in below.value_info}
            for name in {name for each in below.node for name in each.input} - own.keys():
                by.setdefault((name, "read"), set()).add(attribute.name.removesuffix("_branch"))
            for name in {info.name for info in below.output} - own.keys():
                by.setdefault((name, "output"), set()).add(attribute.name)
        if node.op_type != "If":
            continue
        for (name, how), branches in by.items():
            if known := visible.get(name):
                reader = "output" if how == "output" else "both" if len(branches) == 2 else branches.pop()
                yield known, level + 1 - known.level, reader, name in declared


def captured(id: str, axis: str, model: ModelProto) -> Iterator[Captured]:
    initializers = {tensor.name for tensor in model.graph.initializer}
    inputs = {info.name: "graph-input" for info in model.graph.input if info.name not in initializers}
    bodies = [(model.graph, inputs)]
    for function in model.functions:
        body = GraphProto(node=function.node, output=[onnx.ValueInfoProto(name=name) for name in function.output])
        bodies.append((body, dict.fromkeys(function.input, "function-input")))
    for body, names in bodies:
        for known, levels, reader, declared in captures(body, known_of(body, names, 0), 0):
            forms = known.forms | ({"declared on the way"} if declared else set())
            yield Captured(id, known.source, levels, reader, forms, axis)


@cache
def cells() -> list[Captured]:
    found: list[Captured] = []
    for entry in ENTRIES:
        if entry["rules"][0] in RULES and "twin" not in entry:
            model = onnx.load(model_of(entry))
            found += captured(entry["id"], entry["axis"], model)
    return found


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_is_captured_from_every_distance_by_every_reader(source: str) -> None:
    there = {(each.levels, each.reader) for each in cells() if each.source == source}
    assert [(levels, reader) for levels in LEVELS for reader in READERS if (levels, reader) not in there] == []


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_is_captured_in_every_form(source: str) -> None:
    there = {form for each in cells() if each.source == source and each.reader != "output" for form in each.forms}
    assert [form for form in FORMS if form not in there] == []


def main_graph(id: str) -> GraphProto:
    (vector,) = (entry for entry in ENTRIES if entry["id"] == id)
    return onnx.load(model_of(vector)).graph


def has_a_default(id: str) -> bool:
    """Whether an input of the main graph has an initializer, which a runtime may let a caller override."""
    graph = main_graph(id)
    return bool({given.name for given in graph.input} & {tensor.name for tensor in graph.initializer})


def is_stored_sparse(graph: GraphProto) -> bool:
    """Whether an initializer, at any depth, is in sparse format, of which the texts do not decide whether it is a
    tensor.
    """
    within = (is_stored_sparse(attribute.g) for node in graph.node for attribute in graphs_of(node))
    return bool(graph.sparse_initializer) or any(within)


def test_a_read_capture_must_work_but_where_a_graph_returns_its_own_input_or_initializer_too() -> None:
    doubtful = {each.id for each in cells() if each.reader == "output"}
    doubtful |= {each.id for each in cells() if "returned too" in each.forms and each.source != "node-output"}
    doubtful |= {id for id in {each.id for each in cells()} if has_a_default(id) or is_stored_sparse(main_graph(id))}
    assert {each.id for each in cells() if each.axis == "open"} == doubtful
    assert len(cells()) > 200
