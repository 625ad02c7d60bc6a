"""Names: what a branch sees, what it may define, and what stays inside it."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, replaced, says, then_of, vectors_of
from ifcert.authoring.models import Edit
from onnx import GraphProto, ModelProto

OUTER = says("ir-outer-scope", note="not in inner ones")
NO_SHADOWING = says("ir-distinct-from-outer", "ir-no-shadowing")
PER_GRAPH = says("ir-names-unique", note="of two graphs nothing is said")

definition_before_use = vectors_of("onnx/if/definition-before-use", "ir-ordered", OUTER)
no_leak = vectors_of("onnx/if/no-leak", OUTER, "ir-node-input")
no_shadowing = vectors_of("onnx/if/no-shadowing", NO_SHADOWING)
sibling_names_independent = vectors_of("onnx/if/sibling-names-independent", PER_GRAPH, NO_SHADOWING)

X = floats(1, -2)

ORDERED = model("""
    ordered (bool cond, float[2] x) => (float[2] y) {
        size = Abs (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (size, x) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

ORDERED_DEEP = model("""
    ordered (bool cond, bool inner, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                size = Abs (x)
                a = If (inner) <
                    then_branch = deep_then () => (float[2] c) { c = Add (size, x) },
                    else_branch = deep_else () => (float[2] d) { d = Sub (size, x) }>
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

SEPARATE = model("""
    separate (bool cond, float[2] x) => (float[2] z) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { inside = Abs (x)  a = Add (inside, x) },
            else_branch = else_graph () => (float[2] b) { other = Neg (x)  b = Add (other, other) }>
        z = Add (y, x)
    }""")

SEPARATE_DEEP = model("""
    separate (bool cond, bool inner, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                picked = If (inner) <
                    then_branch = deep_then () => (float[2] c) { inside = Abs (x)  c = Neg (inside) },
                    else_branch = deep_else () => (float[2] d) { d = Neg (x) }>
                a = Add (picked, x)
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

# Then uses neither u, size nor k, so it can be edited to define them again without any other change.
DISTINCT = model("""
    distinct (bool cond, bool inner, float[2] x, float[2] u) => (float[2] y) <float[2] k = {10, 20}> {
        size = Abs (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[2] w = {1, 2}> {
                first = Add (x, w)
                picked = If (inner) <
                    then_branch = deep_then () => (float[2] c) { deep = Neg (x)  c = Add (deep, deep) },
                    else_branch = deep_else () => (float[2] d) { d = Neg (x) }>
                a = Add (picked, first)
            },
            else_branch = else_graph () => (float[2] b) { e = Add (u, k)  b = Add (e, size) }>
    }""")

SIBLINGS = model("""
    siblings (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] out) <float[2] w = {4, 5}> { t = Add (x, w)  out = Neg (t) },
            else_branch = else_graph () => (float[2] out) <float[2] w = {10, 20}> { t = Mul (x, w)  out = Abs (t) }>
    }""")

REUSED_LATER = model("""
    later (bool cond, float[2] x) => (float[2] t) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { t = Add (x, x)  a = Neg (t) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
        t = Add (y, x)
    }""")

OWN_OUTPUT = model("""
    own (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] y) { y = Add (x, x) },
            else_branch = else_graph () => (float[2] y) { y = Neg (x) }>
    }""")

SAME_BODIES = model("""
    twins (bool first, bool second, float[2] x) => (float[2] y, float[2] z) {
        y = If (first) <
            then_branch = then_one () => (float[2] a) { t = Add (x, x)  a = Neg (t) },
            else_branch = else_one () => (float[2] b) { b = Neg (x) }>
        z = If (second) <
            then_branch = then_two () => (float[2] a) { t = Add (x, x)  a = Neg (t) },
            else_branch = else_two () => (float[2] b) { b = Neg (x) }>
    }""")

# The second If could read a value defined in a branch of the first; it is unused.
IN_TURN = model("""
    in_turn (bool cond, bool other, float[2] x) => (float[2] z) {
        y = If (cond) <
            then_branch = then_one () => (float[2] a) { inside = Abs (x)  a = Neg (inside) },
            else_branch = else_one () => (float[2] b) { b = Neg (x) }>
        z = If (other) <
            then_branch = then_two () => (float[2] c) { c = Add (y, x) },
            else_branch = else_two () => (float[2] d) { d = Sub (y, x) }>
    }""")

IN_FUNCTION = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) { y = local.choose (cond, x, x) }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v, extra) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) <float[2] k = {10, 20}> { a = Add (v, k) },
            else_branch = else_graph () => (b) { b = Neg (v) }>
    }""")


def function_initializer_named(name: str) -> Edit:
    """In the function, then's initializer gets this name."""

    def edit(m: ModelProto) -> None:
        then = m.functions[0].node[0].attribute[0].g
        then.initializer[0].name = name
        then.node[0].input[1] = name

    return edit


def nothing(m: ModelProto) -> None:
    """The call stays as it is."""


def last_input_omitted(m: ModelProto) -> None:
    del m.graph.node[0].input[2]


def if_first(m: ModelProto) -> None:
    _swap_first_two(m.graph)


def inner_if_first(m: ModelProto) -> None:
    _swap_first_two(then_of(m))


def _swap_first_two(graph: GraphProto) -> None:
    first, second = type(graph.node[0])(), type(graph.node[0])()
    first.CopyFrom(graph.node[0])
    second.CopyFrom(graph.node[1])
    graph.node[0].CopyFrom(second)
    graph.node[1].CopyFrom(first)


def renamed_in_then(old: str, new: str) -> Edit:
    """In then, a name is changed wherever it is defined and used."""

    def edit(m: ModelProto) -> None:
        _rename(then_of(m), old, new)

    return edit


def _rename(graph: GraphProto, old: str, new: str) -> None:
    for tensor in graph.initializer:
        tensor.name = new if tensor.name == old else tensor.name
    for node in graph.node:
        node.input[:] = [new if name == old else name for name in node.input]
        node.output[:] = [new if name == old else name for name in node.output]
        for attribute in node.attribute:
            if attribute.HasField("g"):
                _rename(attribute.g, old, new)


def _order() -> Iterator[Vector]:
    flat = definition_before_use(
        "captured-made-before: the captured value is computed before the If",
        ORDERED,
        branches({"x": X}, then={"y": floats(2, 0)}, else_={"y": -X}),
    )
    yield flat.broken(
        "captured-made-after: the captured value is computed by a node after the If",
        if_first,
        why=[
            "ir-ordered",
            OUTER,
            issue("openvinotoolkit/openvino", 36423, "captures were ignored when the order was checked"),
        ],
    )
    deep = definition_before_use(
        "captured-made-before-in-branch: the value that an If within then captures is computed before it, in then",
        ORDERED_DEEP,
        Run({"cond": np.True_, "inner": np.True_, "x": X}, {"y": floats(2, 0)}),
        Run({"cond": np.True_, "inner": np.False_, "x": X}, {"y": floats(0, 4)}),
        Run({"cond": np.False_, "inner": np.False_, "x": X}, {"y": -X}),
    )
    yield deep.broken(
        "captured-made-after-in-branch: the value that an If within then captures is computed after it, in then",
        inner_if_first,
        why=["ir-graph-sorted", OUTER],
    )


def _leaks() -> Iterator[Vector]:
    flat = no_leak(
        "own-values-only: each graph reads its own values and those of the enclosing graphs",
        SEPARATE,
        branches({"x": X}, then={"z": floats(3, -2)}, else_={"z": floats(-1, 2)}),
    )
    yield flat.broken(
        "main-reads-then: a node of the main graph reads a value defined in then",
        replaced("z = Add (y, x)", "z = Add (inside, x)"),
    )
    yield flat.broken(
        "else-reads-then: else reads a value defined in then",
        replaced("b = Add (other, other)", "b = Add (inside, other)"),
    )
    yield flat.broken(
        "then-reads-else: then reads a value defined in else", replaced("a = Add (inside, x)", "a = Add (other, x)")
    )
    in_turn = no_leak(
        "two-ifs-in-turn: the second If reads the first one's output",
        IN_TURN,
        Run({"cond": np.True_, "other": np.True_, "x": X}, {"z": floats(0, -4)}),
        Run({"cond": np.True_, "other": np.False_, "x": X}, {"z": floats(-2, 0)}),
        Run({"cond": np.False_, "other": np.True_, "x": X}, {"z": floats(0, 0)}),
    )
    yield in_turn.broken(
        "later-if-reads-earlier-branch: a branch of an If reads a value defined in one of the preceding If",
        replaced("c = Add (y, x)", "c = Add (y, inside)"),
    )
    yield flat.broken(
        "main-returns-inner: the main graph returns a value defined in then",
        replaced("(float[2] z) {", "(float[2] inside) {"),
    )
    deep = no_leak(
        "own-values-only-nested: each of three levels reads its own values and those of the enclosing levels",
        SEPARATE_DEEP,
        Run({"cond": np.True_, "inner": np.True_, "x": X}, {"y": floats(0, -4)}),
        Run({"cond": np.True_, "inner": np.False_, "x": X}, {"y": floats(0, 0)}),
        Run({"cond": np.False_, "inner": np.True_, "x": X}, {"y": -X}),
    )
    yield deep.broken(
        "then-reads-deeper: then reads a value defined in a branch inside it",
        replaced("a = Add (picked, x)", "a = Add (inside, x)"),
    )


def _shadows() -> Iterator[Vector]:
    u = floats(5, 7)
    distinct = no_shadowing(
        "distinct-names: every name of a branch differs from the names visible to it",
        DISTINCT,
        Run({"cond": np.True_, "inner": np.True_, "x": X, "u": u}, {"y": floats(0, 4)}),
        Run({"cond": np.True_, "inner": np.False_, "x": X, "u": u}, {"y": floats(1, 2)}),
        Run({"cond": np.False_, "inner": np.True_, "x": X, "u": u}, {"y": floats(16, 29)}),
    )
    why = [
        NO_SHADOWING,
        issue("onnx/onnx", 2303, "whether a branch may reuse an outer name: the answer changed over the years"),
        issue("pytorch/pytorch", 137428, "an exporter gave a branch value the name of a visible outer one"),
    ]
    names = {"graph-input": "u", "initializer": "k", "node-output": "size"}
    for kind, name in names.items():
        what = f"the name of the main graph's {kind.replace('-', ' ')}"
        yield distinct.broken(
            f"node-output-named-as-{kind}: a node of then has an output with {what}",
            renamed_in_then("first", name),
            why=why,
        )
        yield distinct.broken(
            f"initializer-named-as-{kind}: an initializer of then has {what}", renamed_in_then("w", name), why=why
        )
    yield distinct.broken(
        "node-output-named-as-value-of-middle-branch: "
        "a node two levels down has an output with the name of a value of then",
        replaced("deep = Neg (x)", "first = Neg (x)"),
        replaced("c = Add (deep, deep)", "c = Add (first, first)"),
        why=why,
    )
    yield distinct.broken(
        "node-output-named-as-initializer-two-levels-up: "
        "a node two levels down has an output with the name of the main graph's initializer",
        replaced("deep = Neg (x)", "k = Neg (x)"),
        replaced("c = Add (deep, deep)", "c = Add (k, k)"),
        why=why,
    )

    called = no_shadowing(
        "distinct-names-in-function: a branch in a function has an initializer with a name of its own",
        IN_FUNCTION,
        branches({"x": X}, then={"y": floats(11, 18)}, else_={"y": -X}),
        also=["onnx/if/in-function"],
    )
    faults = {"function-input": ("v", nothing), "omitted-function-input": ("extra", last_input_omitted)}
    for kind, (name, call) in faults.items():
        yield called.broken(
            f"initializer-named-as-{kind}: an initializer of then has the name of a {kind.replace('-', ' ')}",
            function_initializer_named(name),
            call,
            why=[NO_SHADOWING, issue("onnx/onnx", 8305, "an omitted input of that name caused a null dereference")],
        )


def _siblings() -> Iterator[Vector]:
    yield sibling_names_independent(
        "same-inner-names: both branches use the same names for different values",
        SIBLINGS,
        branches({"x": X}, then={"y": floats(-5, -3)}, else_={"y": floats(10, 40)}),
        why=[
            PER_GRAPH,
            issue("NVIDIA/TensorRT", 4739, "sibling branches with the same names failed to build"),
            issue("apache/tvm", 18946, "bindings of one branch must not reach the other"),
        ],
    )
    yield sibling_names_independent(
        "outer-value-later: after the If, the main graph computes a value with the name of one in then",
        REUSED_LATER,
        branches({"x": X}, then={"t": -X}, else_={"t": floats(0, 0)}),
    )
    yield sibling_names_independent(
        "name-of-the-own-output: both branches return a value with the name of the If's own output",
        OWN_OUTPUT,
        branches({"x": X}, then={"y": X + X}, else_={"y": -X}),
    )
    bodies = sibling_names_independent(
        "identical-bodies: two Ifs have branches with the same nodes and names",
        SAME_BODIES,
        Run({"first": np.True_, "second": np.False_, "x": X}, {"y": -2 * X, "z": -X}),
        Run({"first": np.False_, "second": np.True_, "x": X}, {"y": -X, "z": -2 * X}),
        why=[PER_GRAPH],
    )
    yield bodies
    yield bodies.varied(
        "identical-graph-names: two Ifs have branches with the same graph names",
        replaced("then_two () => (float[2] a)", "then_one () => (float[2] a)"),
        replaced("else_two () => (float[2] b)", "else_one () => (float[2] b)"),
        why=["ir-names-graph"],
        doubt="graph names are to be unique within the model domain, but no lookup of a branch uses its name",
    )
