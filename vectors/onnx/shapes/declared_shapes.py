"""Which shapes may be declared for an If's output: every form of declaration with every pair of branch shapes.

The verdict of each cell follows from `verdict`, which is If's sentence on declared shapes in code.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from ifcert.authoring import Run, Vector, model
from ifcert.authoring.models import declared_as
from ifcert.authoring.sources import MERGED
from ifcert.authoring.vector import Why
from onnx import ModelProto

RULE = "onnx/if/declared-shape-compatible/"

NO_SHAPE = "the page on If lists no shape set as (a), but a graph output must have a shape, indicating the rank"
NOT_UNIQUE = "the page says the dim_param should be unique; yet one value per run, as the IR document requires, is kept"
NOT_STATIC = "the sentence speaks of static shapes; it does not say whether a run must keep to the declaration"

# A declared dim: a length, a name, or "?" for neither. N is the length of the graph input x too; U and V occur nowhere
# else.
Dim = int | str
SHARED = "N"


@dataclass(frozen=True)
class Branch:
    """The shape that a branch returns. Where it is not `known` before a run, its rank may still be."""

    shape: tuple[int, ...]
    known: bool = True
    rank_known: bool = True

    @property
    def constant(self) -> bool:
        """Whether it returns a Constant; one without elements would be a matter of its own."""
        return self.known and 0 not in self.shape


def fed(*shape: int) -> Branch:
    """A branch that negates a fed value: its rank is known before any run."""
    return Branch(shape, known=False)


# The branches of each pair: then, else.
PAIRS = {
    "equal": (Branch((2,)), Branch((2,))),
    "different": (Branch((2,)), Branch((3,))),
    "one-dim-differs": (Branch((2, 3)), Branch((4, 3))),
    "ranks": (Branch((2,)), Branch((1, 2, 1))),
    "one-and-three": (Branch((1,)), Branch((3,))),
    "scalars": (Branch(()), Branch(())),
    "scalar-and-one": (Branch(()), Branch((1,))),
    "both-empty": (Branch((0,)), Branch((0,))),
    "empty-and-two": (Branch((0,)), Branch((2,))),
    "differently-empty": (Branch((0, 2)), Branch((2, 0))),
    "dynamic-else": (Branch((2,)), fed(2)),
    "dynamic-then": (fed(2), Branch((2,))),
    "dynamic-both": (fed(2), fed(2)),
    "dynamic-both-different": (fed(2), fed(3)),
    "unknown-rank": (Branch((2,)), Branch((2,), known=False, rank_known=False)),
}
PLACES = {"value-info": "value_info declares", "graph-output": "the graph output is declared"}


def forms(then: Branch, other: Branch) -> dict[str, tuple[Dim, ...] | None]:
    """The declarations, by name; None means that there is no shape."""
    rank = len(then.shape)
    found: dict[str, tuple[Dim, ...] | None] = {"no-shape": None}
    if rank:
        found["dim-unset"] = ("?",) * rank
        found["own-name"] = ("U", "V")[:rank]
        found["shared-name"] = (SHARED, "?")[:rank]
    found["of-then"] = then.shape
    if other.shape != then.shape:
        found["of-else"] = other.shape
    found["of-neither"] = (5, *then.shape[1:])
    if rank == 2:
        found["first-unset"] = ("?", *then.shape[1:])
    found["rank-more"] = ("?",) * (rank + 1)
    if len(other.shape) > rank + 1:
        found["rank-of-else"] = ("?",) * len(other.shape)
    if rank:
        found["rank-none"] = ()
    return found


@dataclass(frozen=True)
class Verdict:
    """The verdict of a cell: `refused`, or accepted; with a doubt, either."""

    refused: bool = False
    doubt: str = ""


def verdict(place: str, declared: tuple[Dim, ...] | None, then: Branch, other: Branch) -> Verdict:
    """The sentence, applied cell by cell."""
    if declared is None:
        return Verdict(doubt=NO_SHAPE) if place == "graph-output" else Verdict()
    fit = has_room(declared, then) and has_room(declared, other)
    accepted = Verdict(doubt=NOT_UNIQUE) if SHARED in declared else Verdict()
    if not (then.known and other.known):
        return accepted if fit else Verdict(doubt=NOT_STATIC)
    return accepted if fit else Verdict(refused=True)


def has_room(declared: tuple[Dim, ...], branch: Branch) -> bool:
    """A shape is compatible with another of its rank unless two lengths differ; unset dims and names fit any."""
    pairs = zip(declared, branch.shape, strict=False)
    return len(declared) == len(branch.shape) and all(isinstance(dim, str) or dim == length for dim, length in pairs)


# --- the models


def declaring(place: str, declared: tuple[Dim, ...] | None, then: Branch, other: Branch) -> ModelProto:
    """y is declared with this shape; in value_info it feeds nodes that accept any rank. The other output reads x."""
    y = f"{typed(declared)} y"
    outputs, info, uses = y, "", ""
    if place == "value-info":
        outputs, info = "float[?] z, int64[?] shape", f"<{y}>"
        uses = "shape = Shape (y)  flat = Constant <value = int64[1] {-1}> ()  z = Reshape (y, flat)"
    return model(f"""
        declared (bool cond, {", ".join(inputs_text(then, other))}) => ({outputs}, float[{SHARED}] rest) {info} {{
            y = If (cond) <
                then_branch = then_graph () => ({branch_text("a", "v", then)},
                else_branch = else_graph () => ({branch_text("b", "w", other)}>
            {uses}
            rest = Neg (x)
        }}""")


def typed(declared: tuple[Dim, ...] | None) -> str:
    """In ONNX text, where float is a scalar and float[] has no shape."""
    if declared is None:
        return "float[]"
    return f"float[{','.join(map(str, declared))}]" if declared else "float"


def inputs_text(then: Branch, other: Branch) -> Iterator[str]:
    """The inputs besides cond: what the branches negate or reshape, and an x whose length has the shared name."""
    for name, branch in {"v": then, "w": other}.items():
        if not branch.constant:
            yield f"{typed(branch.shape)} {name}" if branch.known else f"float[n_{name}] {name}"
        if not branch.rank_known:
            yield "int64[r] to"
    yield f"float[{SHARED}] x"


def branch_text(output: str, given: str, branch: Branch) -> str:
    """The rest of a branch after its opening parenthesis."""
    if branch.constant:
        return f"{typed(branch.shape)} {output}) {{ {output} = Constant <value = {constant(output, branch)}> () }}"
    made = f"Neg ({given})" if branch.rank_known else f"Reshape ({given}, to)"
    return f"{output}) {{ {output} = {made} }}"


def constant(output: str, branch: Branch) -> str:
    """The tensor in ONNX text."""
    return f"{typed(branch.shape)} {{{', '.join(f'{number:g}' for number in values(output, branch).flat)}}}"


def values(output: str, branch: Branch) -> np.ndarray:
    """Then returns 1, 2, …, else 11, 12, …"""
    count = int(np.prod(branch.shape))
    return (np.arange(count, dtype=np.float32) + (1 if output == "a" else 11)).reshape(branch.shape)


# --- the runs


def runs(place: str, then: Branch, other: Branch) -> list[Run]:
    """Both branches, whichever the verdict."""
    return [
        Run(given, outputs(place, values("a", then) if taken else values("b", other)) | {"rest": -given["x"]})
        for taken in (True, False)
        for given in [inputs(then, other, taken)]
    ]


def inputs(then: Branch, other: Branch, taken: bool) -> dict[str, np.ndarray | np.generic]:
    """The inputs under which both branches return their values; x is as long as the first dim of the taken one."""
    given: dict[str, np.ndarray | np.generic] = {"cond": np.bool_(taken)}
    for name, output, branch in (("v", "a", then), ("w", "b", other)):
        if not branch.constant:
            given[name] = values(output, branch) * np.float32(-1 if branch.rank_known else 1)
        if not branch.rank_known:
            given["to"] = np.int64(branch.shape)
    given["x"] = np.ones((then if taken else other).shape[:1] or (1,), np.float32)
    return given


def outputs(place: str, value: np.ndarray) -> dict[str, np.ndarray]:
    """The value, or what the nodes after it compute from it."""
    return {"y": value} if place == "graph-output" else {"z": value.reshape(-1), "shape": np.int64(value.shape)}


# --- the cells

# Cells that had a vector before there was a matrix.
OLD_IDS = {
    "value-info-different-no-shape": "onnx/if/shape-union/no-shape",
    "value-info-different-dim-unset": RULE + "value-info-dim-unset",
    "value-info-different-own-name": RULE + "dim-param-of-its-own",
    "value-info-different-shared-name": RULE + "dim-param-shared",
    "value-info-different-of-then": RULE + "value-info-of-then",
    "value-info-different-of-else": RULE + "value-info-of-else",
    "value-info-different-of-neither": RULE + "value-info-of-neither",
    "value-info-different-rank-more": RULE + "value-info-rank-two",
    "value-info-different-rank-none": RULE + "value-info-rank-none",
    "graph-output-different-no-shape": "onnx/if/shape-union/graph-output-without-shape",
    "graph-output-different-dim-unset": RULE + "graph-output-dim-unset",
    "graph-output-different-own-name": "onnx/if/shape-union/dim-param-of-its-own",
    "graph-output-different-of-then": RULE + "graph-output-of-then",
    "graph-output-different-of-else": RULE + "graph-output-of-else",
    "graph-output-different-of-neither": RULE + "graph-output-of-neither",
    "graph-output-different-rank-more": RULE + "graph-output-rank-two",
    "graph-output-different-rank-none": RULE + "graph-output-rank-none",
    "graph-output-equal-of-then": RULE + "graph-output-exact",
    "graph-output-dynamic-else-of-then": RULE + "one-branch-unknown",
}


def vectors() -> Iterator[Vector]:
    for place in PLACES:
        for pair in PAIRS:
            yield from _cells(place, pair)


def _cells(place: str, pair: str) -> Iterator[Vector]:
    """Accepted and doubtful cells, then the refused ones, derived from the first that must be accepted.

    No declaration of a graph output must be accepted where the ranks differ; y is in value_info in the twin of those.
    """
    then, other = PAIRS[pair]
    verdicts = {form: verdict(place, declared, then, other) for form, declared in forms(then, other).items()}
    accepted = [_cell(place, pair, form, found) for form, found in verdicts.items() if not found.refused]
    yield from accepted
    sound = [each for each in accepted if not each.doubt and each.rule + "/" == RULE]
    twin = sound[0] if sound else _cell("value-info", pair, "no-shape", Verdict())
    edits = [] if sound else [returned]
    for form, found in verdicts.items():
        if found.refused:
            declared = forms(then, other)[form]
            title = _title(place, declared, then, other)
            yield twin.broken(
                f"{_id(place, pair, form)}: {title}", *edits, declared_as(typed(declared)), why=_why(place, pair, form)
            )


def returned(m: ModelProto) -> None:
    """The result of the If is the only output of the graph, and not in value_info."""
    del m.graph.node[1:], m.graph.output[:]
    m.graph.output.append(m.graph.value_info.pop())


def _cell(place: str, pair: str, form: str, found: Verdict) -> Vector:
    then, other = PAIRS[pair]
    declared = forms(then, other)[form]
    made, expected = declaring(place, declared, then, other), runs(place, then, other)
    if found.doubt == NOT_STATIC and place == "value-info":
        made, expected = without_shape(made, expected)
    return Vector(
        _id(place, pair, form),
        _title(place, declared, then, other),
        _why(place, pair, form),
        made,
        expected,
        doubt=found.doubt,
    )


def without_shape(made: ModelProto, expected: list[Run]) -> tuple[ModelProto, list[Run]]:
    """Omits a Shape of a value whose declaration is false: a runtime may trust the declaration."""
    nodes = [node for node in made.graph.node if node.op_type != "Shape"]
    del made.graph.node[:], made.graph.output[1]
    made.graph.node.extend(nodes)
    return made, [Run(run.inputs, {name: run.expect[name] for name in ("z", "rest")}) for run in expected]


def _id(place: str, pair: str, form: str) -> str:
    name = f"{place}-{pair}-{form}"
    return OLD_IDS.get(name, RULE + name)


def _title(place: str, declared: tuple[Dim, ...] | None, then: Branch, other: Branch) -> str:
    return f"{PLACES[place]} {_said(declared)} where then returns {_gives(then)}, else {_gives(other)}"


def _said(declared: tuple[Dim, ...] | None) -> str:
    if declared is None:
        return "no shape"
    named = ", also a name of x," if SHARED in declared else ""
    return f"[{', '.join(map(str, declared))}]{named}"


def _gives(branch: Branch) -> str:
    return f"{list(branch.shape)}{'' if branch.known else ' (not known before)'}"


def _why(place: str, pair: str, form: str) -> list[Why]:
    found: list[Why] = ["if-declared-shape"]
    if form in ("no-shape", "dim-unset", "own-name", "shared-name"):
        found.append("if-declared-shape-example")
    if pair == "different" and form == "no-shape":
        found.append(MERGED)
    if form in ("of-then", "of-else", "of-neither") and pair != "equal":
        found.append("if-declared-shape-counterexample")
    if place == "graph-output" and form == "no-shape":
        found.append("ir-main-graph-ranks")
    return [*found, "ir-dimension-variables"] if form == "shared-name" else found
