"""The model of a row of ONNX's cross: the main graph, and on the way from it the graph of the If."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ifcert.authoring.crosses.onnx_branches import part_attributes, part_calls, part_operands
from ifcert.authoring.crosses.onnx_homes import Home, counted, home
from ifcert.authoring.crosses.onnx_pieces import (
    SEEN,
    Array,
    Env,
    Function,
    Graph,
    Held,
    Piece,
    Some,
    call,
    chosen,
    constant,
    element_of,
    looped,
    mapped,
    node,
    scanned,
)
from ifcert.authoring.crosses.onnx_site import (
    COND,
    Site,
    compared,
    first_values,
    identity,
    negated,
    plus,
    sample,
)


@dataclass(frozen=True)
class Whole:
    """A model: its main graph's nodes and initializers, and what it returns."""

    pieces: list[Piece]
    results: list[str]
    initializers: dict[str, Array]


def whole(site: Site) -> Whole:
    """The main graph."""
    held: dict[str, Array] = {}
    if site.is_(cond="initializer"):
        held[COND] = np.array(site.is_(first="true"))
    if site.is_(operand="main"):
        held["k"] = sample(site.element, "k")
    around = compared(COND) if site.is_(cond="output captured") else []
    placed = PLACES[site.row["place"]](site, held)
    results = placed.results + ([COND] if site.is_(cond="output") else [])
    return Whole([*around, *placed.pieces], results, held)


def _source(site: Site, own: str) -> str:
    return "x" if site.is_(capture="outer") else own


def _main(site: Site, held: dict[str, Array]) -> Home:
    return home(site, "x", COND)


def _in_branch(site: Site, held: dict[str, Array]) -> Home:
    inner = home(site, _source(site, "v"), COND)
    made = (
        []
        if site.is_(capture="outer none")
        else [constant("w", sample(site.element, "one")), plus("v", "x", "w", site.element)]
    )
    return _branched(site, Home([*made, *inner.pieces], inner.results))


def _branched(site: Site, inner: Home) -> Home:
    """An If in whose then branch (or else branch) the nodes lie; the other returns constants like what they compute."""
    outs = [f"y{number}" for number in range(len(inner.results))]
    entered = Graph(site.graph("entered"), inner.results, inner.pieces)
    other = _other_branch(site, probe(site, inner))
    graphs = (other, entered) if site.is_(place="else") else (entered, other)
    return Home([chosen(outs, "enter", *graphs)], outs)


def _other_branch(site: Site, like: Sequence[Any]) -> Graph:
    pieces: list[Piece] = []
    names = []
    for each in like:
        more, name = constant_like(site, each)
        pieces += more
        names.append(name)
    return Graph(site.graph("other"), names, pieces)


def constant_like(site: Site, held: Held) -> tuple[list[Piece], str]:
    """Nodes that make a value of the same type and shape, and the name."""
    name = site.fresh("e")
    match held:
        case tuple():
            pieces, inner = constant_like(site, held[0])
            return [*pieces, node(name, "SequenceConstruct", [inner], lambda data: (data,))], name
        case Some():
            pieces, inner = constant_like(site, held.held)
            return [*pieces, node(name, "Optional", [inner], Some)], name
    filled = np.resize(sample(element_of(held), "ten"), held.shape)
    return [constant(name, filled)], name


def probe(site: Site, inner: Home) -> list[Any]:
    """What the nodes compute for what is fed first."""
    env = first_values(site)
    for piece in inner.pieces:
        piece.run(env)
    return [env[name] for name in inner.results]


def _in_loop(site: Site, held: dict[str, Array]) -> Home:
    """The body carries all that it returns; of the first it reads what it is passed."""
    inner = home(site, _source(site, "v"), COND)
    found = probe(site, inner)
    pieces: list[Piece] = [constant("go", np.array(True))]
    initial = []
    for number, each in enumerate(found):
        if number == 0:
            more, name = _wrapped(site, "x", each)
        else:
            more, name = constant_like(site, each)
        pieces += more
        initial.append(name)
    inputs = ["v", *(f"kept{number}" for number in range(1, len(found)))]
    body = list(inner.pieces)
    if not isinstance(found[0], np.ndarray):
        inputs[0] = "held"
        body = [*_unwrapped(found[0]), *body]
    elif element_of(found[0]) != site.element:
        raise AssertionError("the first result has the type of the loop's value")
    inputs, results = [*counted(site, "i", "on"), *inputs], ["again", *inner.results]
    if site.is_(cond="carried"):
        inputs.append(COND)
        results.append("turned")
        body.append(negated("turned", COND))
        initial.append("c0")
    outs = [f"y{number}" for number in range(len(found))]
    graph = Graph(site.graph("body"), results, [identity("again", "on"), *body], inputs)
    carried = [*outs, "ended"] if site.is_(cond="carried") else outs
    return Home([*pieces, looped(carried, "trips", "go", initial, graph)], outs)


def _wrapped(site: Site, name: str, like: Held) -> tuple[list[Piece], str]:
    match like:
        case tuple():
            return [node("held0", "SequenceConstruct", [name], lambda data: (data,))], "held0"
        case Some():
            return [node("held0", "Optional", [name], Some)], "held0"
    return [], name


def _unwrapped(like: Held) -> list[Piece]:
    if isinstance(like, Some):
        return [node("v", "OptionalGetElement", ["held"], lambda some: some.held)]
    return [constant("at", np.array(0)), node("v", "SequenceAt", ["held", "at"], lambda items, i: items[int(i)])]


def _in_scan(site: Site, held: dict[str, Array]) -> Home:
    inner = home(site, _source(site, "v"), COND)
    outs = [f"y{number}" for number in range(len(inner.results))]
    if not site.is_(cond="carried"):
        graph = Graph(site.graph("body"), inner.results, inner.pieces, ["v"])
        return Home([scanned(outs, [], "xs", graph)], outs)
    body = [*inner.pieces, negated("turned", COND)]
    graph = Graph(site.graph("body"), ["turned", *inner.results], body, [COND, "v"])
    return Home([scanned(["ended", *outs], ["c0"], "xs", graph)], outs)


def _in_map(site: Site, held: dict[str, Array]) -> Home:
    inner = home(site, _source(site, "v"), COND)
    outs = [f"y{number}" for number in range(len(inner.results))]
    graph = Graph(site.graph("body"), inner.results, inner.pieces, ["v"])
    return Home([mapped(outs, "xs", graph)], outs)


def _in_function(site: Site, held: dict[str, Array]) -> Home:
    inner = home(site, "x", COND)
    wanted = {"x", COND, "n", "other", "k"} - ({COND} if site.is_(cond="constant folded computed chosen") else set())
    read_names = set(re.findall(r"\w+", " ".join(piece.text for piece in inner.pieces)))
    formal = sorted(wanted & read_names)
    optional = ["axes", "steps"] if site.row["call"] != "none" else []
    attributes = part_attributes(site) if optional else {}
    function = site.function(Function("home", [*formal, *optional], inner.results, inner.pieces, attributes))
    calls = part_calls(site) if optional else [([], {})]
    pieces = list(part_operands()) if optional else []
    used = {operand for operands, _ in calls for operand in operands}
    pieces = [piece for piece in pieces if piece.text.split()[0] in used]
    outs = []
    for number, (operands, given) in enumerate(calls):
        names = [f"h{number}{place}" for place in range(len(inner.results))]
        pieces.append(call(names, function, [*formal, *operands], given))
        outs += names
    return Home(pieces, outs)


def _in_called(site: Site, held: dict[str, Array]) -> Home:
    return _branched(site, _in_function(site, held))


def _in_passed(site: Site, held: dict[str, Array]) -> Home:
    """The graph that a call passes has its own value, since what is around the call is not its own."""
    inner = home(site, "v", COND)
    made = [] if site.is_(capture="none") else [constant("v", sample(site.element, "x"))]
    given = Graph(site.graph("given"), inner.results, [*made, *inner.pieces])
    other = _other_branch(site, probe(site, inner))
    outs = [f"o{number}" for number in range(len(inner.results))]

    def results(env: Env) -> None:
        taken, left = (env["@when_true"], lambda: other.results(env))[:: 1 if env["f"].item() else -1]
        if SEEN in env:
            left()
        env |= dict(zip(outs, taken(), strict=True))

    text = f"{', '.join(outs)} = If (f) <then_branch: graph = @when_true, else_branch = {other.text}>"
    function = site.function(Function("choose", ["f"], outs, [Piece(text, results)], graph="when_true"))
    names = [f"y{number}" for number in range(len(outs))]
    return Home([call(names, function, ["enter"], {"when_true": given})], names)


PLACES: Mapping[str, Callable[[Site, dict[str, Array]], Home]] = {
    "main": _main,
    "then": _in_branch,
    "else": _in_branch,
    "loop": _in_loop,
    "scan": _in_scan,
    "map": _in_map,
    "function": _in_function,
    "call": _in_called,
    "passed": _in_passed,
}
