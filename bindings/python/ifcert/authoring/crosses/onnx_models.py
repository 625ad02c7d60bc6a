"""Models of the rows of ONNX's cross, composed of pieces: each with its inputs, and what it computes from them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ifcert.authoring.crosses.dimensions import Row
from ifcert.authoring.crosses.onnx_pieces import (
    Array,
    Env,
    Function,
    Graph,
    Held,
    Piece,
    Some,
    array_of,
    call,
    chosen,
    constant,
    element_of,
    from_attribute,
    looped,
    mapped,
    node,
    scanned,
    sliced,
)

# Of each element type, what is fed (two lengths), and constants: no two results of the branches are equal.
NUMBERS = {"x": [7, 9], "long": [11, 5, 8], "k": [2], "other k": [3], "one": [1], "ten": [10], "eight": [8]}
BOOLS = {"x": [True, False], "long": [False, True, True], "k": [True], "other k": [False], "one": [True], "ten": [True]}
STRINGS = {
    "x": [b"ab", b"c"],
    "long": [b"d", b"", b"ef"],
    "k": [b"k"],
    "other k": [b"o"],
    "one": [b"1"],
    "ten": [b"10"],
}
# The type whose values have as many bytes.
AS_WIDE = {
    "float32": "int32",
    "float64": "int64",
    "float16": "int16",
    "int64": "float64",
    "int32": "float32",
    "int8": "uint8",
    "uint8": "int8",
}
ONNX_NUMBER = {
    "float32": 1,
    "uint8": 2,
    "int8": 3,
    "int16": 5,
    "int32": 6,
    "int64": 7,
    "bool": 9,
    "float16": 10,
    "float64": 11,
}


def sample(element: str, name: str) -> Array:
    """A value of this type."""
    table = {"bool": BOOLS, "string": STRINGS}.get(element, NUMBERS)
    return array_of(element, table[name])


def _within(element: str, found: Array) -> Array:
    """A sum or difference that has its value in the type: overflow is not specified."""
    limits = np.iinfo(element) if np.issubdtype(np.dtype(element), np.integer) else None
    assert limits is None or ((limits.min <= found).all() and (found <= limits.max).all()), found
    return found.astype(element)


def plus(out: str, left: str, right: str, element: str) -> Piece:
    """What the then branches compute: a sum, exclusive or, or two texts one after the other."""
    if element == "bool":
        return node(out, "Xor", [left, right], np.logical_xor)
    if element == "string":
        return node(out, "Concat", [left, right], lambda a, b: np.concatenate([a, b]), "axis = 0")
    return node(out, "Add", [left, right], lambda a, b: _within(element, _wide(a) + _wide(b)))


def minus(out: str, left: str, right: str, element: str) -> Piece:
    """What the else branches compute: a difference, or, or the other way round."""
    if element == "bool":
        return node(out, "Or", [left, right], np.logical_or)
    if element == "string":
        return plus(out, right, left, element)
    return node(out, "Sub", [left, right], lambda a, b: _within(element, _wide(a) - _wide(b)))


def _wide(array: Array) -> Array:
    return array.astype(np.int64) if array.dtype.kind in "iu" else array


@dataclass
class Site:
    """The row of which a model is made, and the names that it has used."""

    row: Row
    element: str
    number: int = 0
    graphs: int = 0
    functions: list[Function] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)

    def fresh(self, word: str) -> str:
        """A value's name: branches of one If, and Ifs that are alike, begin again at the same number."""
        self.number += 1
        return f"{word}{self.number}"

    def graph(self, word: str) -> str:
        """A graph's name, which no other has."""
        self.graphs += 1
        return f"{word}_{self.graphs}"

    def function(self, function: Function) -> Function:
        """The function, of which the model has one of its name."""
        if function.name not in [each.name for each in self.functions]:
            self.functions.append(function)
        return function

    def is_(self, **wanted: str) -> bool:
        """Whether the row has, for each of these dimensions, one of the values named, with spaces between them."""
        return all(self.row[name] in values.split() for name, values in wanted.items())

    @property
    def in_function(self) -> bool:
        """Whether the If lies in a function whose operands a call may leave out."""
        return self.is_(place="function call")


# --- functions with optional operands


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


def identity(out: str, data: str) -> Piece:
    """An Identity."""
    return node(out, "Identity", [data], lambda held: held)


# --- branches


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
    return Graph(site.graph(word), outs, _needed(pieces, outs), initializers=initializers)


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


def reshaped(site: Site, out: str, data: str, to: Sequence[int]) -> list[Piece]:
    """A Reshape."""
    dims = site.fresh("d")
    return [constant(dims, np.array(to)), node(out, "Reshape", [data, dims], lambda held, dims: held.reshape(dims))]


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


# --- the If, what decides it, and who reads it


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


def negated(out: str, data: str) -> Piece:
    """A Not."""
    return node(out, "Not", [data], np.logical_not)


def compared(cond: str) -> list[Piece]:
    """cond is true where the number n that is fed is greater than zero."""
    return [constant("zero", np.array(0)), node(cond, "Greater", ["n", "zero"], np.greater)]


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


# --- places


@dataclass(frozen=True)
class Whole:
    """A model: its main graph's nodes and initializers, and what it returns."""

    pieces: list[Piece]
    results: list[str]
    initializers: dict[str, Array]


COND = "c"


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


def first_values(site: Site) -> Env:
    """The values that nodes can read from outside."""
    x = sample(site.element, "x")
    first = np.array(site.is_(first="true"))
    return {
        "x": x,
        "v": x,
        COND: first,
        "other": ~first,
        "n": np.array(1 if first else -1),
        "k": sample(site.element, "k"),
        "axes": np.array([0]),
        "steps": np.array([-1]),
        "@lo": [-1],
        "@hi": [-100],
    }


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
        env |= dict(zip(outs, env["@when_true"]() if env["f"].item() else other.results(env), strict=True))

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
