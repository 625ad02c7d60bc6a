"""The vectors on declared shapes form a complete matrix, and their outcomes follow from the sentence."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import onnx
import pytest
from onnx import ModelProto, TypeProto
from vector_lines import model_of, read_vectors

HERE = Path(__file__).parent
ENTRIES = list(read_vectors())
RULES = ("onnx/if/declared-shape-compatible", "onnx/if/shape-union")

Shape = tuple[int | str | None, ...]  # a length, a name, or neither


class Cell(NamedTuple):
    """How the If's last output is declared, where, and the branches' shapes, from a vector's files (None: not known, or
    not set).
    """

    id: str
    place: str
    declared: Shape | None
    shared: bool
    then: Shape | None
    other: Shape | None
    outcome: str


def shape_of(type_: TypeProto) -> Shape | None:
    if not type_.tensor_type.HasField("shape"):
        return None
    dims = type_.tensor_type.shape.dim
    return tuple(getattr(dim, which) if (which := dim.WhichOneof("value")) else None for dim in dims)


def cell(id: str, model: ModelProto, outcome: str) -> Cell | None:
    graph = model.graph
    node = next((node for node in graph.node if node.op_type == "If"), None)
    declared = {info.name: ("value-info", info.type) for info in graph.value_info}
    declared |= {info.name: ("graph-output", info.type) for info in graph.output}
    if node is None or node.output[-1] not in declared:
        return None
    place, type_ = declared[node.output[-1]]
    names = {dim for info in graph.input for dim in shape_of(info.type) or () if isinstance(dim, str)}
    branches = {attribute.name: attribute.g.output[-1].type for attribute in node.attribute}
    shape = shape_of(type_)
    then, other = shape_of(branches["then_branch"]), shape_of(branches["else_branch"])
    return Cell(id, place, shape, bool(names & {*(shape or ())}), then, other, outcome)


@cache
def cells() -> list[Cell]:
    found = []
    for entry in ENTRIES:
        if entry["rules"][0] in RULES and "coordinates" not in entry:  # the If of a cross may lie elsewhere
            outcomes = {next(iter(step["run"]["expect"])) for step in entry["steps"] if "run" in step}
            assert len(outcomes) == 1
            found.append(cell(entry["id"], onnx.load(model_of(entry)), outcomes.pop()))
    return [each for each in found if each is not None]


def static(shape: Shape | None) -> bool:
    return shape is not None and all(isinstance(dim, int) for dim in shape)


def contradicts(declared: Shape, shape: Shape) -> bool:
    if len(declared) != len(shape):
        return True
    return any(isinstance(one, int) and one != other for one, other in zip(declared, shape, strict=True))


def ranks(each: Cell) -> tuple[int, int]:
    return len(each.then or ()), len(each.other or ())


def test_what_contradicts_a_static_shape_is_refused_and_nothing_else() -> None:
    seen = 0
    for each in cells():
        if each.declared is None or not (static(each.then) and static(each.other)):
            continue
        assert each.then is not None and each.other is not None
        refused = contradicts(each.declared, each.then) or contradicts(each.declared, each.other)
        accepted = "either" if each.shared else "outputs"  # a name should be unique
        assert (each.id, each.outcome) == (each.id, "refused" if refused else accepted)
        seen += 1
    assert seen > 100


def test_nothing_is_refused_where_a_branch_is_known_only_when_it_runs() -> None:
    dynamic = [each for each in cells() if not (static(each.then) and static(each.other))]
    assert len(dynamic) > 50
    assert [each.id for each in dynamic if each.outcome == "refused"] == []


DECLARED: dict[str, Callable[[Cell], bool]] = {
    "static": lambda each: bool(each.declared) and static(each.declared),
    "scalar": lambda each: each.declared == (),
    "unknown": lambda each: bool(each.declared) and set(each.declared or ()) == {None},
    "named, own": lambda each: isinstance((each.declared or (None,))[0], str) and not each.shared,
    "named, used elsewhere": lambda each: each.shared,
    "absent": lambda each: each.declared is None,
}
BRANCHES: dict[str, Callable[[Cell], bool]] = {
    "equal": lambda each: static(each.then) and each.then == each.other != (),
    "different": lambda each: (each.then, each.other) == ((2,), (3,)),
    "different rank": lambda each: static(each.then) and static(each.other) and ranks(each)[0] != ranks(each)[1],
    "scalar": lambda each: each.then == each.other == (),
    "zero-size": lambda each: 0 in (each.then or ()) and static(each.other),
    "dynamic": lambda each: not (static(each.then) and static(each.other)),
}
NO_SUCH = {("unknown", "scalar"), ("named, own", "scalar"), ("named, used elsewhere", "scalar")}  # no dim, no name


@pytest.mark.parametrize("place", ["value-info", "graph-output"])
def test_every_form_of_declaration_stands_beside_every_pair_of_branches(place: str) -> None:
    missing = [
        (form, pair)
        for form, is_form in DECLARED.items()
        for pair, is_pair in BRANCHES.items()
        if (form, pair) not in NO_SUCH
        and not any(each.place == place and is_form(each) and is_pair(each) for each in cells())
    ]
    assert missing == []
