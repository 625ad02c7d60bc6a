"""The graph in which the If of a row lies: what decides it, the If beside it, and who reads its result."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ifcert.authoring.crosses.onnx_branches import Variant, branch
from ifcert.authoring.crosses.onnx_pieces import Graph, Piece, chosen, constant, looped, node, sliced
from ifcert.authoring.crosses.onnx_site import Site, compared, identity, minus, negated, plus, reshaped, sample


def site_if(site: Site, outs: Sequence[str], source: str, cond: str, variant: Variant) -> Piece:
    """The If itself, or the one beside it."""
    begin = site.number
    then = branch(site, "then", source, cond, variant)
    middle, site.number = site.number, begin
    else_ = branch(site, "else", source, cond, variant)
    site.number = max(middle, site.number)
    graphs = (else_, then) if variant.differs_in("swapped") else (then, else_)
    name = "second" if variant.differs_in("name") else ""
    return chosen(outs, cond, *graphs, name=name)


@dataclass(frozen=True)
class Home:
    """The graph in which the If lies: its nodes, and what it returns."""

    pieces: list[Piece]
    results: list[str]


def home(site: Site, source: str, cond: str) -> Home:
    """The If with its cond where that lies beside it, the If beside it, and their readers."""
    pieces = [*beside(site, cond)]
    outs = [f"result{number}" for number in range(int(site.row["outputs"]))]
    key = site.row["identity"]
    ifs = [(outs, Variant(key)), ([f"second{number}" for number in range(len(outs))], Variant(key, second=True))]
    ifs = ifs[: 1 if key == "none" else 2]
    begin, end = site.number, 0
    written = []
    for names, variant in ifs:
        if not variant.differs_in("name"):
            site.number = begin
        written.append(site_if(site, names, source, cond, variant))
        end = site.number = max(end, site.number)
    pieces += reversed(written) if site.is_(order="first") else written
    more, results = readers(site, outs, cond)
    pieces += more
    for names, _ in ifs[1:]:
        flat, name = tensor_of(site, names[0])
        pieces += flat
        results.append(name)
    return Home(pieces, results)


def beside(site: Site, cond: str) -> list[Piece]:
    """The nodes that make cond in the graph of the If."""
    first = site.is_(first="true")
    match site.row["cond"]:
        case "constant":
            return [constant(cond, np.array(first))]
        case "folded":
            return [constant("not_" + cond, np.array(not first)), negated(cond, "not_" + cond)]
        case "computed":
            return compared(cond)
        case "chosen":
            graphs = [
                Graph(site.graph(word), [name], [constant(name, np.array(held))])
                for word, name, held in (("then", "no", False), ("else", "yes", True))
            ]
            return [chosen([cond], "other", *graphs)]
        case _:
            return []


def tensor_of(site: Site, name: str) -> tuple[list[Piece], str]:
    """The tensor that a result of the If holds, as a vector where its rank differs."""
    pieces: list[Piece] = []
    match site.row["kind"]:
        case "sequence":
            at, held = site.fresh("i"), site.fresh("t")
            pieces += [constant(at, np.array(0)), node(held, "SequenceAt", [name, at], lambda items, i: items[int(i)])]
            name = held
        case "optional":
            pieces.append(node(held := site.fresh("t"), "OptionalGetElement", [name], lambda some: some.held))
            name = held
    if site.is_(shapes="rank"):
        flat = site.fresh("t")
        pieces += reshaped(site, flat, name, [-1])
        name = flat
    return pieces, name


def readers(site: Site, outs: Sequence[str], cond: str) -> tuple[list[Piece], list[str]]:
    """The readers of the If's first output, and what the graph returns."""
    element, rest = site.element, list(outs[1:])
    one = site.fresh("s")
    match site.row["reader"]:
        case "output":
            return [], [outs[0], *rest]
        case "unread":
            return [], rest
        case "operator" | "both" as which:
            pieces, t = tensor_of(site, outs[0])
            out = site.fresh("o")
            pieces += [constant(one, sample(element, "one")), plus(out, t, one, element)]
            return pieces, [outs[0], out, *rest] if which == "both" else [out, *rest]
        case "loop":
            pieces, t = tensor_of(site, outs[0])
            return [*pieces, *_read_by_loop(site, out := site.fresh("o"), t, one)], [out, *rest]
        case which:
            pieces, t = tensor_of(site, outs[0])
            if which == "cond":
                more, cond = _cond_of(site, t)
                pieces += more
            graphs = []
            for word, operation, step in (("then", plus, "ten"), ("else", minus, "one")):
                name, held = site.fresh("o"), site.fresh("s")
                body = [constant(held, sample(element, step)), operation(name, t, held, element)]
                graphs.append(Graph(site.graph(word), [name], body))
            out = site.fresh("o")
            return [*pieces, chosen([out], cond, *graphs)], [out, *rest]


def _read_by_loop(site: Site, out: str, t: str, one: str) -> list[Piece]:
    go, twice = site.fresh("g"), site.fresh("m")
    i, on, s, again, more = (site.fresh(word) for word in ("i", "on", "v", "on", "v"))
    body = [identity(again, on), constant(one, sample(site.element, "one")), plus(more, s, one, site.element)]
    graph = Graph(site.graph("body"), [again, more], body, [*counted(site, i, on), s])
    return [constant(go, np.array(True)), constant(twice, np.array(2)), looped([out], twice, go, [t], graph)]


def counted(site: Site, number: str, on: str) -> list[str]:
    """The first two inputs of a Loop's body."""
    return [number, on] if site.is_(declared="untyped") else [f"int64 {number}", f"bool {on}"]


def _cond_of(site: Site, t: str) -> tuple[list[Piece], str]:
    """Whether the first element is greater than eight (or true)."""
    low, high, first, q = (site.fresh(word) for word in ("lo", "hi", "f", "q"))
    pieces = [
        constant(low, np.array([0])),
        constant(high, np.array([1])),
        node(first, "Slice", [t, low, high], lambda data, lo, hi: sliced(data, lo, hi, None, None)),
    ]
    if site.element == "bool":
        return pieces, first
    eight = site.fresh("s")
    pieces.append(constant(eight, sample(site.element, "eight")))
    return [*pieces, node(q, "Greater", [first, eight], np.greater)], q
