"""A node that changes nothing, before, beside, between and after nodes that optimizers fuse, around an If."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, model
from onnx import ModelProto

# What made a model fail, by the pair and the no-op.
FIELD = {
    ("div-mul", "identity"): issue(
        "microsoft/onnxruntime", 32413, "an Identity was removed although the fusion next to it reads its result"
    ),
    ("div-mul", "cast"): issue(
        "microsoft/onnxruntime",
        32416,
        "a Cast to the same type was removed although the fusion next to it reads its result",
    ),
}


@dataclass(frozen=True)
class Pair:
    """Nodes that compute m from v, nodes that compute z from m and perhaps x, their initializers, and the values."""

    name: str
    first: str
    second: str
    stored: Sequence[str]
    m: np.ndarray
    z: np.ndarray
    v: np.ndarray = field(default_factory=lambda: V)

    @property
    def reads_x(self) -> bool:
        """Whether the second node reads x, too."""
        return "{x}" in self.second

    @property
    def positions(self) -> Sequence[str]:
        """Where the no-op stands, in each of four branches."""
        return ("before", "beside" if self.reads_x else "around", "between", "after")


X, V = floats([1, -3], [4, 8]), floats([2, -4], [0.5, 8])
ROW = V.reshape(1, 1, 4)
ONE, TWO = "float one = {1}", "float two = {2}"
SWAP = "float[2,2] swap = {0, 1, 1, 0}"
FIRST, OWN = "int64[1] first = {0}", "int64[2] own = {2, 2}"

PAIRS = [
    Pair("div-mul", "{m} = Div (one, {v})", "{z} = Mul ({x}, {m})", [ONE], 1 / V, X / V),
    Pair("reciprocal-mul", "{m} = Reciprocal ({v})", "{z} = Mul ({m}, {x})", [], 1 / V, X / V),
    Pair("mul-add", "{m} = Mul ({v}, two)", "{z} = Add ({m}, {x})", [TWO], 2 * V, 2 * V + X),
    Pair("matmul-add", "{m} = MatMul ({v}, swap)", "{z} = Add ({m}, {x})", [SWAP], V[:, ::-1], V[:, ::-1] + X),
    Pair("transpose-matmul", "{m} = Transpose ({v})", "{z} = MatMul ({m}, {x})", [], V.T, V.T @ X),
    Pair(
        "conv-add",
        "{m} = Conv <kernel_shape = [1], pads = [0, 0]> ({v}, w)",
        "{z} = Add ({m}, b)",
        ["float[1,1,1] w = {2}", "float[1,1,1] b = {3}"],
        2 * ROW,
        2 * ROW + 3,
        ROW,
    ),
    Pair(
        "pad-conv",
        "{m} = Pad ({v}, ends)",
        "{z} = Conv <kernel_shape = [3], pads = [0, 0]> ({m}, w)",
        ["int64[6] ends = {0, 0, 1, 0, 0, 1}", "float[1,1,3] w = {1, 1, 1}"],
        np.float32([[[0, 2, -4, 0.5, 8, 0]]]),
        np.float32([[[-2, -1.5, 4.5, 8.5]]]),
        ROW,
    ),
    Pair("two-transposes", "{m} = Transpose ({v})", "{z} = Transpose ({m})", [], V.T, V),
    Pair(
        "two-reshapes",
        "{m} = Reshape ({v}, flat)",
        "{z} = Reshape ({m}, own)",
        ["int64[1] flat = {-1}", OWN],
        V.ravel(),
        V,
    ),
    Pair("two-casts", "{m} = Cast <to = 11> ({v})", "{z} = Cast <to = 1> ({m})", [], np.float64(V), V),
    Pair("shape-reshape", "{m} = Shape ({v})", "{z} = Reshape ({x}, {m})", [], np.int64([2, 2]), X),
    Pair(
        "not-where",
        "{m}_l = Less ({v}, zero)  {m} = Not ({m}_l)",
        "{z} = Where ({m}, {x}, two)",
        ["float zero = {0}", TWO],
        V >= 0,
        floats([1, 2], [4, 8]),
    ),
    Pair(
        "concat-slice",
        "{m} = Concat <axis = 0> ({v}, {v})",
        "{z} = Slice ({m}, at_one, at_three, first)",
        [FIRST, "int64[1] at_one = {1}", "int64[1] at_three = {3}"],
        np.concatenate([V, V]),
        V[::-1],
    ),
]

ELEMENTS = {"float32": ("float", 1), "float64": ("double", 11), "int64": ("int64", 7), "bool": ("bool", 9)}

# Nodes that return a value as OUT, and what they read besides: TYPE, NUMBER, DIMS, RANK and PERM are the value's.
NO_OPS = {
    "identity": ("OUT = Identity (IN)", []),
    "cast": ("OUT = Cast <to = NUMBER> (IN)", []),
    "reshape": ("OUT = Reshape (IN, dims_DIMS)", ["int64[RANK] dims_DIMS = {LENGTHS}"]),
    "transpose": ("OUT = Transpose <perm = [PERM]> (IN)", []),
    "unsqueeze-and-squeeze": ("OUT_t = Unsqueeze (IN, first)  OUT = Squeeze (OUT_t, first)", [FIRST]),
    "concat-of-one": ("OUT = Concat <axis = 0> (IN)", []),
    "whole-slice": ("OUT = Slice (IN, first, end, first)", [FIRST, "int64[1] end = {1000}"]),
    "add-of-zero": ("OUT = Add (IN, zero_TYPE)", ["TYPE zero_TYPE = {0}"]),
    "mul-by-one": ("OUT = Mul (one_TYPE, IN)", ["TYPE one_TYPE = {1}"]),
}
OF_TRUTH = {"add-of-zero": ("Add", "Or"), "mul-by-one": ("Mul", "And")}

PLACES = {
    "in-branches": ("onnx/if/outer-scope-capture", "in four branches", ["ir-outer-scope"]),
    "across-the-border": (
        "onnx/if/outer-scope-capture",
        "some in the main graph, the rest in branches",
        ["ir-outer-scope"],
    ),
    "across-the-inner-border": (
        "onnx/if/nesting",
        "some in a branch, the rest in branches of an If there",
        ["ir-outer-scope"],
    ),
    "in-loop-body": (
        "onnx/if/in-loop",
        "in branches of Ifs in a Loop's body",
        ["ir-outer-scope", "operators-loop-inputs-defined"],
    ),
    "in-function": ("onnx/if/in-function", "in branches of Ifs in a function", ["ir-outer-scope", "ir-function-body"]),
}
# The nodes after the pair in each of the four branches.
RESULTS = (
    "",
    "{last} = Neg ({z})",
    "{last} = Add ({z}, {z})",
    "{last}_less = Neg ({z})  {last} = Add ({last}_less, {last}_less)",
)


class Written:
    """The nodes of a pair with a no-op at any position; it collects the initializers that they read."""

    def __init__(self, pair: Pair, no_op: str) -> None:
        """Begin with the pair's own initializers."""
        self.pair, self.no_op = pair, no_op
        self.stored = list(pair.stored)

    def nothing(self, value: np.ndarray, source: str, to: str) -> str:
        """The no-op on a value with this type and shape."""
        nodes, stored = NO_OPS[self.no_op]
        element, number = ELEMENTS[value.dtype.name]
        if element == "bool":
            nodes = nodes.replace(*OF_TRUTH.get(self.no_op, ("", "")))
        words = {
            "TYPE": element,
            "NUMBER": str(number),
            "DIMS": "_".join(map(str, value.shape)),
            "LENGTHS": ", ".join(map(str, value.shape)),
            "RANK": str(value.ndim),
            "PERM": ", ".join(map(str, range(value.ndim))),
            "IN": source,
            "OUT": to,
        }
        for word, meaning in words.items():
            nodes, stored = nodes.replace(word, meaning), [each.replace(word, meaning) for each in stored]
        self.stored += stored
        return nodes

    def nodes(self, position: str) -> tuple[str, str]:
        """The nodes from v and x to the pair's result, in two parts: the no-op, if it is before or between, ends the
        first, otherwise the second begins with it.

        The last value is `result`; its name and those of the others end in the position.
        """
        pair = self.pair
        v, m, z = (f"{name}_{position}" for name in ("v", "m", "z"))
        first, second = pair.first.format(v="v", m=m), pair.second.format(m=m, x="x", z=f"result_{position}")
        if position == "before":
            return self.nothing(pair.v, "v", v), f"{pair.first.format(v=v, m=m)}  {second}"
        if position == "beside":
            x = f"x_{position}"
            return self.nothing(X, "x", x), f"{first}  {pair.second.format(m=m, x=x, z=f'result_{position}')}"
        if position == "between":
            n = f"n_{position}"
            copied = self.nothing(pair.m, m, n)
            return f"{first}  {copied}", pair.second.format(m=n, x="x", z=f"result_{position}")
        second = pair.second.format(m=m, x="x", z=z)
        last = self.nothing(pair.z, z, f"result_{position}")
        if position == "after":
            return f"{first}  {second}", last
        return self.nothing(pair.v, "v", v), f"{pair.first.format(v=v, m=m)}  {second}  {last}"

    def ifs(self, outside: str = "") -> str:
        """An If in each branch of an If, with the four positions in the branches of the inner ones.

        The four return the pair's result z, -z, 2z and -2z. `outside`: where the first part of the nodes is instead, in
        "main" (the graph of the outer If) or "outer" (its branches).
        """
        kind = typed(self.pair.z)
        first, branches = [], []
        for position, result in zip(self.pair.positions, RESULTS, strict=True):
            begin, end = self.nodes(position)
            first.append(begin)
            returned = f"last_{position}" if result else f"result_{position}"
            last = result.format(z=f"result_{position}", last=returned)
            nodes = end if outside else f"{begin}  {end}"
            branches.append(f"{position} () => ({kind} {returned}) {{ {nodes}  {last} }}")
        in_outer = [f"{first[0]}  {first[1]}", f"{first[2]}  {first[3]}"] if outside == "outer" else ["", ""]
        return f"""
            {"  ".join(first) if outside == "main" else ""}
            [outer_if] y = If (outer) <
                then_branch = outer_then () => ({kind} deep_a) {{
                    {in_outer[0]}
                    [first_if] deep_a = If (cond) <then_branch = {branches[0]}, else_branch = {branches[1]}>
                }},
                else_branch = outer_else () => ({kind} deep_b) {{
                    {in_outer[1]}
                    [second_if] deep_b = If (cond) <then_branch = {branches[2]}, else_branch = {branches[3]}>
                }}>"""

    @property
    def initializers(self) -> list[str]:
        """What the nodes read besides, each once."""
        return list(dict.fromkeys(self.stored))


def typed(array: np.ndarray) -> str:
    """The type of a float tensor in the text of a model."""
    return f"float[{','.join(map(str, array.shape))}]"


def graph(written: Written, nodes: str, more: Sequence[str] = ()) -> str:
    """A main graph with the pair's inputs, the result y, and all initializers."""
    kind = typed(written.pair.z)
    inputs = f"bool outer, bool cond, {kind} v" + (f", {kind} x" if written.pair.reads_x else "")
    stored = [*written.initializers, *more]
    held = f"<{', '.join(stored)}>" if stored else ""
    return f"main_graph ({inputs}) => ({kind} y) {held} {{ {nodes} }}"


def in_branches(written: Written) -> ModelProto:
    """The Ifs in the main graph."""
    nodes = written.ifs()
    return model(graph(written, nodes))


def across_the_border(written: Written) -> ModelProto:
    """The first nodes in the main graph."""
    nodes = written.ifs("main")
    return model(graph(written, nodes))


def across_the_inner_border(written: Written) -> ModelProto:
    """The first nodes in the branches of the outer If."""
    nodes = written.ifs("outer")
    return model(graph(written, nodes))


def in_loop_body(written: Written) -> ModelProto:
    """The Ifs in the body of a Loop of two trips, which adds their result to what it carries, at first v."""
    kind = typed(written.pair.z)
    body = written.ifs().replace("] y = If", "] made = If")
    nodes = f"""
        y = Loop (trips, go, v) <
            body = step (int64 i, bool on, {kind} p) => (bool on_out, {kind} p_out) {{
                on_out = Identity (on)
                {body}
                p_out = Add (p, made)
            }}>"""
    return model(graph(written, nodes, ["int64 trips = {2}", "bool go = {1}"]))


def in_function(written: Written) -> ModelProto:
    """The Ifs in a function, in which Constants are what initializers are elsewhere."""
    nodes = written.ifs()
    names = "outer, cond, v, x" if written.pair.reads_x else "outer, cond, v"
    constants = "  ".join(constant(each) for each in written.initializers)
    written.stored = []
    main = graph(written, f"y = local.choose ({names})")
    called = f'<domain: "local", opset_import: ["" : 16]> choose ({names}) => (y) {{ {constants} {nodes} }}'
    return model(main + called, domains={"local": 1})


def constant(initializer: str) -> str:
    """A Constant with the type, name and value of an initializer."""
    kind, name, value = re.fullmatch(r"(\S+) (\S+) = (.*)", initializer).groups()
    return f"{name} = Constant <value = {kind} {value}> ()"


BUILT = {
    "in-branches": in_branches,
    "across-the-border": across_the_border,
    "across-the-inner-border": across_the_inner_border,
    "in-loop-body": in_loop_body,
    "in-function": in_function,
}


def runs(pair: Pair, place: str) -> list[Run]:
    """All four branches of the inner Ifs."""
    fed = {"v": pair.v} | ({"x": X} if pair.reads_x else {})
    results = {(True, True): pair.z, (True, False): -pair.z, (False, True): 2 * pair.z, (False, False): -2 * pair.z}
    if place == "in-loop-body":
        results = {path: pair.v + 2 * result for path, result in results.items()}
    return [
        Run({"outer": np.bool_(outer), "cond": np.bool_(cond)} | fed, {"y": result})
        for (outer, cond), result in results.items()
    ]


def vectors() -> Iterator[Vector]:
    """Each pair with each no-op; the places take turns, so that each pair and each no-op is in each of them.

    The pair and the no-ops of the issues are in all places.
    """
    places = list(PLACES)
    for i, pair in enumerate(PAIRS):
        for k, no_op in enumerate(NO_OPS):
            for place in places if (pair.name, no_op) in FIELD else [places[(i + k) % len(places)]]:
                yield _vector(pair, no_op, place)


def _vector(pair: Pair, no_op: str, place: str) -> Vector:
    rule, where, why = PLACES[place]
    positions = ", ".join(pair.positions[:-1]) + " and " + pair.positions[-1]
    what, which = (name.replace("-", " ") for name in (no_op, pair.name))
    return Vector(
        f"{rule}/{no_op}-at-{pair.name}-{place}",
        f"a no-op, {what}, {positions} nodes that may be fused, {which}, {where}",
        [
            "ir-edges",
            *why,
            "ir-runtime-agnostic",
            *([FIELD[pair.name, no_op]] if (pair.name, no_op) in FIELD else []),
        ],
        BUILT[place](Written(pair, no_op)),
        runs(pair, place),
    )
