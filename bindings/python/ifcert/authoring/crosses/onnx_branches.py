"""The branches of the If of a row: what they read, what they compute, and what they return."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ifcert.authoring.crosses.onnx_pieces import (
    Array,
    Function,
    Graph,
    Piece,
    Some,
    call,
    chosen,
    constant,
    from_attribute,
    node,
    sliced,
    type_of,
)
from ifcert.authoring.crosses.onnx_site import (
    AS_WIDE,
    ONNX_NUMBER,
    Site,
    first_values,
    identity,
    minus,
    plus,
    reshaped,
    sample,
)

BACKWARD, FORWARD = {"lo": [-1], "hi": [-100]}, {"lo": [0], "hi": [100]}


def part_body(site: Site, out: str, data: str) -> list[Piece]:
    """A Slice whose bounds are the function's attributes, and whose axes and steps are its operands."""
    low, high = site.fresh("lo"), site.fresh("hi")
    return [
        from_attribute(low, "lo"),
        from_attribute(high, "hi"),
        node(out, "Slice", [data, low, high, "axes", "steps"], sliced),
    ]


def part_attributes(site: Site) -> dict[str, Sequence[int] | None]:
    """The attributes of such a function: with defaults where a call leaves them out."""
    return dict(BACKWARD) if site.is_(call="default") else {"lo": None, "hi": None}


def part_calls(site: Site) -> list[tuple[list[str], dict[str, list[int]]]]:
    """The optional operands and the attributes of each call."""
    everything = (["axes", "steps"], BACKWARD)
    return {
        "all": [everything],
        "trailing": [(["axes"], FORWARD)],
        "middle": [(["", "steps"], BACKWARD)],
        "default": [(["axes", "steps"], {})],
        "twice": [everything, (["axes"], FORWARD)],
    }[site.row["call"]]


def part_operands() -> list[Piece]:
    """The values of the optional operands, beside a call."""
    return [constant("axes", np.array([0])), constant("steps", np.array([-1]))]


def called_part(site: Site, data: str, element: str) -> tuple[list[Piece], str]:
    """The call, or the two, of a function with optional operands, in a branch; and the name of the result."""
    inner = Site(site.row, element)
    body = part_body(inner, "p", "d")
    function = site.function(Function("part", ["d", "axes", "steps"], ["p"], body, part_attributes(site)))
    names = [site.fresh("p") for _ in part_calls(site)]
    calls = [
        call([name], function, [data, *operands], attributes)
        for name, (operands, attributes) in zip(names, part_calls(site), strict=True)
    ]
    used = {operand for operands, _ in part_calls(site) for operand in operands}
    needed = [piece for piece in part_operands() if piece.text.split()[0] in used]
    if len(names) == 1:
        return [*needed, *calls], names[0]
    both = site.fresh("u")
    return [*needed, *calls, plus(both, *names, element)], both


def _own_part(site: Site, data: str) -> tuple[list[Piece], str]:
    """The Slice whose bounds, axes and steps are those of the function around it."""
    name = site.fresh("u")
    return part_body(site, name, data), name


@dataclass(frozen=True)
class Variant:
    """In which an If differs from the one beside it."""

    key: str = "none"
    second: bool = False

    def differs_in(self, key: str) -> bool:
        """Whether this is the second of two that differ in the key."""
        return self.second and self.key == key


def read(site: Site, source: str, cond: str) -> tuple[list[Piece], str]:
    """What a branch reads: the nodes, and the name."""
    element = site.element
    match site.row["capture"]:
        case "none":
            name = site.fresh("u")
            return [constant(name, sample(element, "x"))], name
        case "2" | "3":
            return _read_below(site, source, cond, int(site.row["capture"]) - 1)
        case "argument":
            function = site.function(
                Function("read", ["d"], ["p"], [constant("s", sample(element, "one")), plus("p", "d", "s", element)])
            )
            name = site.fresh("u")
            return [call([name], function, [source], {})], name
        case _:
            return [], source


def _read_below(site: Site, source: str, cond: str, levels: int) -> tuple[list[Piece], str]:
    """An If in the branch, whose branches read the value, or hold the next."""
    if levels == 0:
        return [], source
    graphs = []
    for word, operation in (("then", plus), ("else", minus)):
        inner, name = _read_below(site, source, cond, levels - 1)
        out, step = site.fresh("u"), site.fresh("s")
        pieces = [*inner, constant(step, sample(site.element, "one")), operation(out, name, step, site.element)]
        graphs.append(Graph(site.graph(word), [out], pieces))
    name = site.fresh("u")
    return [chosen([name], cond, *graphs)], name


def branch(site: Site, word: str, source: str, cond: str, variant: Variant) -> Graph:
    """The then or the else branch."""
    then = word == "then"
    element = site.element
    pieces, u = read(site, source, cond)
    if site.row["call"] != "none":
        more, u = _own_part(site, u) if site.in_function else called_part(site, u, element)
        pieces += more
    if variant.key == "type":
        element = AS_WIDE[element] if variant.second else element
        name = site.fresh("u")
        kind = element
        pieces.append(node(name, "Cast", [u], lambda held: held.astype(kind), f"to = {ONNX_NUMBER[element]}"))
        u = name
    more, k, initializers = operand(site, element, variant)
    pieces += more
    operation, opposite = (plus, minus) if then else (minus, plus)
    returns = site.row["returns"] if then else "computed"
    if returns == "nested":
        nested = []
        for inner, compute in (("then", plus), ("else", minus)):
            found, name = finished(site, u, k, compute, element, then, variant)
            nested.append(Graph(site.graph(inner), [name], found))
        first = [site.fresh("r")]
        pieces.append(chosen(first, cond, *nested))
    elif returns in ("initializer", "constant"):
        first = [site.fresh("r")]
        held = _returned_constant(site, pieces, u, k, element, variant, initializers)
        if returns == "initializer":
            initializers[first[0]] = held
        else:
            pieces.append(constant(first[0], held))
    else:
        compute = None if returns == "identity" else operation
        found, name = finished(site, u, k, compute, element, then, variant)
        pieces += found
        first = [name]
        if returns == "identity":
            first = [site.fresh("r")]
            pieces.append(identity(first[0], name))
        elif returns == "twice":
            first = [site.fresh("r"), site.fresh("r")]
            pieces += [identity(each, name) for each in first]
    outs = [*first, *_further(site, pieces, u, k, opposite, element, 1 + 1 - len(first))]
    return Graph(
        site.graph(word), _declared(site, outs, initializers), _needed(pieces, outs), initializers=initializers
    )


def _declared(site: Site, outs: Sequence[str], initializers: Mapping[str, Array]) -> list[str]:
    """The outputs, with the types of those that are initializers: inference does not find these (neutral.py)."""
    held = {} if site.is_(declared="untyped") else initializers
    return [f"{type_of(held[name], held[name].shape)} {name}" if name in held else name for name in outs]


def _further(
    site: Site, pieces: list[Piece], u: str, k: str, operation: Callable[..., Piece], element: str, others: int
) -> list[str]:
    """The outputs after the first (`others`: how many of the two of one type are still to be computed)."""
    names = []
    if site.is_(outputs="2 3") and others:
        names.append(site.fresh("r"))
        pieces.append(operation(names[-1], u, k, element))
    if site.is_(outputs="3"):
        names.append(site.fresh("r"))
        pieces.append(node(names[-1], "Shape", [u], lambda held: np.array(held.shape, np.int64)))
    return names


def finished(
    site: Site, u: str, k: str, operation: Callable[..., Piece] | None, element: str, then: bool, variant: Variant
) -> tuple[list[Piece], str]:
    """The nodes from what is read to what is returned, and its name: the operation, its shape and its kind."""
    pieces, name = [], u
    if operation is not None:
        name = site.fresh("a")
        pieces.append(operation(name, u, k, element))
    if variant.key == "attribute":
        column, joined, flat = site.fresh("a"), site.fresh("a"), site.fresh("a")
        axis = int(variant.second)
        pieces += reshaped(site, column, name, [-1, 1])
        pieces.append(
            node(joined, "Concat", [column, column], lambda a, b: np.concatenate([a, b], axis), f"axis = {axis}")
        )
        pieces += reshaped(site, flat, joined, [-1])
        name = flat
    match site.row["shapes"]:
        case "length" if not then:
            longer = site.fresh("a")
            pieces.append(node(longer, "Concat", [name, name], lambda a, b: np.concatenate([a, b]), "axis = 0"))
            name = longer
        case "rank" if not then:
            higher = site.fresh("a")
            pieces += reshaped(site, higher, name, [1, -1])
            name = higher
        case "empty" if then:
            low, high, none = site.fresh("lo"), site.fresh("hi"), site.fresh("a")
            pieces += [constant(low, np.array([0])), constant(high, np.array([0]))]
            pieces.append(node(none, "Slice", [name, low, high], lambda data, lo, hi: sliced(data, lo, hi, None, None)))
            name = none
    match site.row["kind"]:
        case "sequence":
            pieces.append(node(held := site.fresh("a"), "SequenceConstruct", [name], lambda data: (data,)))
            name = held
        case "optional":
            pieces.append(node(held := site.fresh("a"), "Optional", [name], Some))
            name = held
    return pieces, name


def operand(site: Site, element: str, variant: Variant) -> tuple[list[Piece], str, dict[str, Array]]:
    """The constant of the branches: its node, its name, and the branch's initializers."""
    held = sample(element, "other k" if variant.differs_in("bytes") else "k")
    if variant.differs_in("type"):
        held = sample(site.element, "k").view(element)
    if variant.differs_in("shape"):
        held = held.reshape(1, 1)
    if variant.differs_in("range"):
        held = sample(element, "other k")
    match site.row["operand"]:
        case "constant":
            name = site.fresh("k")
            return [constant(name, held)], name, {}
        case "own":
            name = site.fresh("k")
            return [], name, {name: held}
        case _:
            return [], "k", {}


def _returned_constant(
    site: Site,
    pieces: Sequence[Piece],
    u: str,
    k: str,
    element: str,
    variant: Variant,
    initializers: Mapping[str, Array],
) -> Array:
    """A constant of the shape that the branch would compute for what is fed first."""
    computed, name = finished(replace(site), u, k, plus, element, True, variant)
    env = first_values(site) | dict(initializers)
    for piece in [*pieces, *computed]:
        piece.run(env)
    return np.resize(sample(element, "x")[::-1], env[name].shape)


def _needed(pieces: Sequence[Piece], outs: Sequence[str]) -> list[Piece]:
    """The pieces without nodes whose results nothing reads."""
    kept: list[Piece] = []
    words = set(outs)
    for piece in reversed(pieces):
        if words & set(re.findall(r"\w+", piece.text.partition(" = ")[0])):
            kept.insert(0, piece)
            words |= set(re.findall(r"\w+", piece.text.partition(" = ")[2]))
    return kept
