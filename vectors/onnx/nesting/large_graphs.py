"""A hundred nodes, dozens of initializers, captures, outputs, operands or Ifs, in a graph of every kind."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from ifcert.authoring import Run, Vector, Why, floats, model, says
from onnx import ModelProto

MAY_HAVE = says("ir-graph-node-outputs", note="no sentence limits a number")
NODES = says("ir-graph-parts", note="no sentence limits their number")
HELD = says("ir-initializer-default", note="no sentence limits their number")

X, K = floats(1, -3), floats(1, 2)
SUM = 465  # of 1 to 30
AGAIN = sum(i * ((i - 1) % 30 + 1) for i in range(1, 41))


@dataclass(frozen=True)
class Kind:
    """Nodes that compute r from v and k with an If on cond, the sentences, and the values that r may have."""

    what: str
    nodes: str
    of_then: Callable[[np.ndarray], np.ndarray]
    of_else: Callable[[np.ndarray], np.ndarray]
    why: Sequence[Why]
    stored: Sequence[str] = field(default=())  # initializers of the graph around the If


def chain(operator: str, operands: Sequence[str], begin: str, end: str) -> str:
    """A node for each operand, the first on `begin`, each other on the node before it; the last makes `end`."""
    made = [begin, *(f"{end}_{i}" for i in range(1, len(operands))), end]
    return "  ".join(f"{made[i + 1]} = {operator} ({made[i]}, {each})" for i, each in enumerate(operands))


def choice(then_nodes: str, else_nodes: str, then_stored: str = "", else_stored: str = "") -> str:
    """An If whose branches compute a and b."""
    return f"""
        r = If (cond) <
            then_branch = then_graph () => (float[2] a) {then_stored} {{ {then_nodes} }},
            else_branch = else_graph () => (float[2] b) {else_stored} {{ {else_nodes} }}>"""


def held(name: str) -> list[str]:
    """Initializers or Constants of the multiples of [1, 2]."""
    return [f"float[2] {name}{i} = {{{i}, {2 * i}}}" for i in range(1, 31)]


def constants(name: str) -> str:
    """Nodes for them."""
    return "  ".join(f"{name}{i} = Constant <value = float[2] {{{i}, {2 * i}}}> ()" for i in range(1, 31))


def listed(name: str, count: int = 30) -> list[str]:
    """The names of numbered values, from 1."""
    return [f"{name}{i}" for i in range(1, count + 1)]


def multiples(count: int) -> str:
    """Nodes that compute c1, c2, … as v + k, v + 2k, …"""
    before = ["v", *listed("c", count)]
    return "  ".join(f"c{i} = Add ({before[i - 1]}, k)" for i in range(1, count + 1))


def of_many_outputs(then_nodes: str, else_nodes: str) -> str:
    """An If with the outputs o1 to o40, of which r is the sum of each multiplied by its number."""
    outputs = {branch: ", ".join(f"float[2] {branch}{i}" for i in range(1, 41)) for branch in "ab"}
    return f"""
        {", ".join(listed("o", 40))} = If (cond) <
            then_branch = then_graph () => ({outputs["a"]}) {{ {then_nodes} }},
            else_branch = else_graph () => ({outputs["b"]}) {{ {else_nodes} }}>
        rows = Constant <value = int64[2] {{40, 2}}> ()
        numbers = Constant <value = float[1,40] {{{", ".join(map(str, range(1, 41)))}}}> ()
        flat = Constant <value = int64[1] {{2}}> ()
        all = Concat <axis = 0> ({", ".join(listed("o", 40))})
        high = Reshape (all, rows)
        sum = MatMul (numbers, high)
        r = Reshape (sum, flat)"""


HUNDRED = ["k"] * 100
# 820 is the sum of 1 to 40, 22140 that of their squares.
KINDS = {
    "hundred-nodes": Kind(
        "an If has a hundred nodes in each branch",
        choice(chain("Add", HUNDRED, "v", "a"), chain("Sub", HUNDRED, "v", "b")),
        lambda v: v + 100 * K,
        lambda v: v - 100 * K,
        [NODES],
    ),
    "hundred-nodes-before": Kind(
        "a hundred nodes are before an If, which reads the last",
        chain("Add", HUNDRED, "v", "last") + choice("a = Add (last, k)", "b = Neg (last)"),
        lambda v: v + 101 * K,
        lambda v: -v - 100 * K,
        [NODES, "ir-outer-scope"],
    ),
    "thirty-initializers": Kind(
        "an If has thirty initializers in each branch",
        choice(
            chain("Add", listed("w"), "v", "a"),
            chain("Sub", listed("u"), "v", "b"),
            f"<{', '.join(held('w'))}>",
            f"<{', '.join(held('u'))}>",
        ),
        lambda v: v + SUM * K,
        lambda v: v - SUM * K,
        [HELD],
    ),
    "thirty-initializers-captured": Kind(
        "both branches of an If read thirty initializers of the graph around it",
        choice(chain("Add", listed("w"), "v", "a"), chain("Sub", listed("w"), "v", "b")),
        lambda v: v + SUM * K,
        lambda v: v - SUM * K,
        [HELD, "ir-outer-scope"],
        held("w"),
    ),
    "thirty-constants": Kind(
        "an If has thirty Constants in each branch",
        choice(
            constants("w") + chain("Add", listed("w"), "v", "a"), constants("u") + chain("Sub", listed("u"), "v", "b")
        ),
        lambda v: v + SUM * K,
        lambda v: v - SUM * K,
        [NODES],
    ),
    "thirty-values-captured": Kind(
        "both branches of an If read thirty nodes' results of the graph around it",
        multiples(30) + choice(chain("Add", listed("c"), "v", "a"), chain("Sub", listed("c"), "v", "b")),
        lambda v: 31 * v + SUM * K,
        lambda v: -29 * v - SUM * K,
        ["ir-outer-scope"],
    ),
    "forty-operands": Kind(
        "in each branch of an If, one node has forty operands, nodes' results of the graph around it",
        multiples(40) + choice(f"a = Max ({', '.join(listed('c', 40))})", f"b = Min ({', '.join(listed('c', 40))})"),
        lambda v: v + 40 * K,
        lambda v: v + K,
        [MAY_HAVE, "ir-outer-scope"],
    ),
    "twenty-ifs": Kind(
        "there are twenty Ifs, each of which reads the result of the one before",
        "".join(
            f"""
            [if_{i}] {"r" if i == 20 else f"r{i}"} = If (cond) <
                then_branch = then_{i} () => (float[2] a{i}) {{ a{i} = Add ({f"r{i - 1}" if i > 1 else "v"}, k) }},
                else_branch = else_{i} () => (float[2] b{i}) {{ b{i} = Sub ({f"r{i - 1}" if i > 1 else "v"}, k) }}>"""
            for i in range(1, 21)
        ),
        lambda v: v + 20 * K,
        lambda v: v - 20 * K,
        [NODES, "ir-outer-scope"],
    ),
    "forty-outputs": Kind(
        "an If has forty outputs, all of which are read",
        of_many_outputs(
            "  ".join(f"a{i} = Add ({f'a{i - 1}' if i > 1 else 'v'}, k)" for i in range(1, 41)),
            "  ".join(f"b{i} = Sub ({f'b{i - 1}' if i > 1 else 'v'}, k)" for i in range(1, 41)),
        ),
        lambda v: 820 * v + 22140 * K,
        lambda v: 820 * v - 22140 * K,
        [MAY_HAVE, "if-then-branch-outputs"],
    ),
    "forty-outputs-of-thirty-captures": Kind(
        "an If has forty outputs, computed from thirty nodes' results of the graph around it",
        multiples(30)
        + of_many_outputs(
            "  ".join(f"a{i} = Add (c{(i - 1) % 30 + 1}, v)" for i in range(1, 41)),
            "  ".join(f"b{i} = Sub (v, c{(i - 1) % 30 + 1})" for i in range(1, 41)),
        ),
        # Output i is made of capture i, the last ten of the first ten again.
        lambda v: 1640 * v + AGAIN * K,
        lambda v: -AGAIN * K,
        [MAY_HAVE, "if-then-branch-outputs", "ir-outer-scope"],
    ),
}


def in_main_graph(kind: Kind) -> ModelProto:
    """The nodes on x."""
    stored = ", ".join(["float[2] k = {1, 2}", *kind.stored])
    return model(
        f"main_graph (bool cond, float[2] v) => (float[2] y) <{stored}> {{ {kind.nodes}  y = Identity (r) }}", 17
    )


def in_branch(kind: Kind) -> ModelProto:
    """The nodes in then; else returns -v."""
    stored = f"<{', '.join(kind.stored)}>" if kind.stored else ""
    return model(f"""<opset_import: ["" : 17]>
        main_graph (bool outer, bool cond, float[2] v) => (float[2] y) <float[2] k = {{1, 2}}> {{
            y = If (outer) <
                then_branch = outer_then () => (float[2] r) {stored} {{ {kind.nodes} }},
                else_branch = outer_else () => (float[2] less) {{ less = Neg (v) }}>
        }}""")


def in_loop_body(kind: Kind) -> ModelProto:
    """The nodes in the body of a Loop of two trips, which carries x and x - k, and stacks r."""
    stored = f"<{', '.join(kind.stored)}>" if kind.stored else ""
    return model(f"""<opset_import: ["" : 17]>
        main_graph (bool cond, float[2] x) => (float[m,2] y)
        <float[2] k = {{1, 2}}, int64 trips = {{2}}, bool go = {{1}}> {{
            carried, y = Loop (trips, go, x) <
                body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] next, float[2] r) {stored} {{
                    on_out = Identity (on)
                    {kind.nodes}
                    next = Sub (v, k)
                }}>
        }}""")


def in_scan_body(kind: Kind) -> ModelProto:
    """The nodes in the body of a Scan of x and x - k."""
    stored = f"<{', '.join(kind.stored)}>" if kind.stored else ""
    return model(f"""<opset_import: ["" : 17]>
        main_graph (bool cond, float[2,2] x) => (float[2,2] y) <float[2] k = {{1, 2}}> {{
            y = Scan <num_scan_inputs = 1, body = step (float[2] v) => (float[2] r) {stored} {{ {kind.nodes} }}> (x)
        }}""")


def in_function(kind: Kind) -> ModelProto:
    """The nodes in a function."""
    return model(f"""<opset_import: ["" : 17, "local" : 1]>
        main_graph (bool cond, float[2] v) => (float[2] y) <float[2] k = {{1, 2}}> {{
            y = local.change (cond, v, k)
        }}
        <domain: "local", opset_import: ["" : 17]>
        change (cond, v, k) => (r) {{ {kind.nodes} }}""")


# The rule, the words, the sentences, and what builds the model.
PLACES = {
    "in-main-graph": ("onnx/if/outer-scope-capture", "in the main graph", [], in_main_graph),
    "in-branch": ("onnx/if/nesting", "in a branch of another If", [], in_branch),
    "in-loop-body": ("onnx/if/in-loop", "in a Loop's body", ["operators-loop-values-concatenated"], in_loop_body),
    "in-scan-body": ("onnx/if/in-scan", "in a Scan's body", [], in_scan_body),
    "in-function": ("onnx/if/in-function", "in a function", ["ir-function-body"], in_function),
}


def runs(kind: Kind, place: str) -> list[Run]:
    """Both branches."""
    results = {np.True_: kind.of_then, np.False_: kind.of_else}
    if place in ("in-loop-body", "in-scan-body"):
        fed = {"x": np.stack([X, X - K]) if place == "in-scan-body" else X}
        return [Run({"cond": cond} | fed, {"y": np.stack([of(X), of(X - K)])}) for cond, of in results.items()]
    more = {"outer": np.True_} if place == "in-branch" else {}
    made = [Run(more | {"cond": cond, "v": X}, {"y": of(X)}) for cond, of in results.items()]
    return [*made, Run({"outer": np.False_, "cond": np.True_, "v": X}, {"y": -X})] if more else made


def vectors() -> Iterator[Vector]:
    for case, kind in KINDS.items():
        for place, (rule, where, why, built) in PLACES.items():
            if not (place == "in-function" and kind.stored):
                yield Vector(
                    f"{rule}/{case}-{place}",
                    f"{where}, {kind.what}",
                    [*kind.why, *why],
                    built(kind),
                    runs(kind, place),
                )
    yield _of_the_main_graph()


def _of_the_main_graph() -> Vector:
    """As a decoder with a cache has them: then appends to each of the inputs, else begins anew."""
    inputs = ", ".join(f"float[n,2] p{i}" for i in range(30))
    outputs, then_outputs, else_outputs = (
        ", ".join(f"float[{dim},2] {name}{i}" for i in range(40)) for dim, name in (("m", "y"), ("t", "a"), ("e", "b"))
    )
    then_nodes = "  ".join(f"a{i} = Concat <axis = 0> (p{i % 30}, x{i})" for i in range(40))
    else_nodes = "  ".join(f"b{i} = Neg (x{i})" for i in range(40))
    scaled = "  ".join(f"x{i} = Mul (x, c{i})" for i in range(40))
    numbers = ", ".join(f"float c{i} = {{{i + 1}}}" for i in range(40))
    m = model(f"""<opset_import: ["" : 17]>
        main_graph (bool[1] use_cache, float[1,2] x, {inputs}) => ({outputs}) <{numbers}> {{
            {scaled}
            {", ".join(f"y{i}" for i in range(40))} = If (use_cache) <
                then_branch = then_graph () => ({then_outputs}) {{ {then_nodes} }},
                else_branch = else_graph () => ({else_outputs}) {{ {else_nodes} }}>
        }}""")
    x = floats([1, -2])
    past = {f"p{i}": floats([i, i], [-i - 1, 100]) for i in range(30)}
    appended = {f"y{i}": np.concatenate([past[f"p{i % 30}"], (i + 1) * x]) for i in range(40)}
    return Vector(
        "onnx/if/output-order/forty-graph-outputs-of-thirty-inputs",
        "an If, whose then reads thirty inputs of the main graph, has the forty outputs of the main graph",
        [MAY_HAVE, "if-then-branch-outputs", "ir-outer-scope"],
        m,
        [
            Run({"use_cache": np.bool_([True]), "x": x} | past, appended),
            Run({"use_cache": np.bool_([False]), "x": x} | past, {f"y{i}": -(i + 1) * x for i in range(40)}),
        ],
    )
