"""Models that break the IR's rules around an If: definitions, uses, order, operators, names of graphs."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, branches, edited, else_of, floats, issue, model, replaced, then_of
from onnx import GraphProto, ModelProto, TensorProto, helper

X = floats(1, -2)

CHOICE = model("""
    choice (bool cond, float[2] x) => (float[2] y) <float[2] k = {10, 20}> {
        size = Abs (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { inner = Add (x, size)  a = Add (inner, k) },
            else_branch = else_graph () => (float[2] b) { other = Neg (x)  b = Sub (other, k) }>
    }""")
RUNS = branches({"x": X}, then={"y": floats(12, 20)}, else_={"y": floats(-11, -18)})

MAPPED = model("""<opset_import: ["" : 17]>
    mapped (bool cond, float[2] x) => (float[2] y) <int64 last = {-1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                s = SequenceConstruct (x)
                t = SequenceMap (s) <body = each (float[2] item) => (float[2] r) { r = Neg (item) }>
                a = SequenceAt (t, last)
            },
            else_branch = else_graph () => (float[2] b) { b = Abs (x) }>
    }""")

# A body with an initializer; its result stays the same if that takes the name of a formal input.
LOOPED = model("""
    looped (bool cond, float[2] x) => (float[2] y) <int64 trips = {2}, bool yes = {1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                a = Loop (trips, yes, x) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out)
                        <float[2] w = {10, 20}> { on_out = Identity (on)  v_out = Add (v, w) }>
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

SCANNED = model("""
    scanned (bool cond, float[2] x, float[n,2] rows) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                a = Scan <
                    num_scan_inputs = 1,
                    body = step (float[2] v, float[2] e) => (float[2] v_out)
                        <float[2] w = {10, 20}> { t = Add (v, w)  v_out = Add (t, e) }> (x, rows)
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

FUNCTIONS = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.first <to = 1> (x) },
            else_branch = else_graph () => (float[2] b) { b = Cast <to = 1> (x) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    second (v) => (r) { t = Neg (v)  r = Abs (t) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    first <to> (v) => (r) { t = local.second (v)  r = Cast <to: int = @to> (t) }""")
CAST_LIKE = model("""<opset_import: ["" : 15, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.negated (x) },
            else_branch = else_graph () => (float[2] b) { b = Abs (x) }>
    }
    <domain: "local", opset_import: ["" : 15]>
    negated (v) => (r) { n = Neg (v)  r = CastLike (n, v) }""")

# Nothing calls third and fourth.
UNCALLED = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.first (x) },
            else_branch = else_graph () => (float[2] b) { b = Identity (x) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    first (v) => (r) { t = Neg (v)  r = Abs (t) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    third (v) => (r) { r = local.first (v) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    fourth (v) => (r) { r = local.third (v) }""")
LOOPS = branches({"x": X}, then={"y": floats(21, 38)}, else_={"y": -X})
CALLED = branches({"x": X}, then={"y": np.abs(X)}, else_={"y": X})


def sound(rule: str, why: list) -> Vector:
    """The model without a fault, as this rule's twin."""
    return Vector(rule + "sound", "the model without a fault", why, CHOICE, RUNS)


def named(made: ModelProto, name: str) -> ModelProto:
    """The model, whose main graph has this name."""
    return edited(made, lambda m: setattr(m.graph, "name", name))


# --- definitions and uses


def _definitions() -> Iterator[Vector]:
    rule = "onnx/model/one-definition-per-name/"
    twin = sound(rule, ["ir-unique-definition", "ir-node-ssa"])
    yield twin.broken("two-nodes: two nodes of the main graph define size", main_defines_twice)
    yield twin.broken("two-nodes-in-branch: two nodes of then define inner", then_defines_twice)
    yield twin.broken("node-and-graph-input: a node of the main graph defines the graph input x", main_defines_input)
    yield twin.broken(
        "node-and-initializer: a node of the main graph defines the initializer k", main_defines_initializer
    )
    yield twin.broken(
        "two-initializers: the main graph has two initializers k",
        replaced("k = {10, 20}> {", "k = {10, 20}, float[2] k = {30, 40}> {"),
    )
    yield twin.broken(
        "two-graph-inputs: the main graph has two inputs x",
        replaced("x) => (float[2]", "x, float[2] x) => (float[2]"),
    )
    yield twin.broken(
        "two-initializers-of-graph-input: "
        "the main graph has two initializers x, either of which could be the default of its input x",
        replaced("k = {10, 20}> {", "k = {10, 20}, float[2] x = {30, 30}, float[2] x = {40, 40}> {"),
    )
    has_name = "proto-initializer-named"
    for place, graph in (("main-graph", lambda m: m.graph), ("branch", else_of)):
        yield twin.broken(
            f"initializer-without-name-in-{place}: "
            f"the {'main graph' if place == 'main-graph' else 'else branch'} has an initializer without a name",
            lambda m, graph=graph: graph(m).initializer.append(helper.make_tensor("", TensorProto.FLOAT, [1], [7])),
            why=[has_name],
        )


def _bodies() -> Iterator[Vector]:
    rule = "onnx/model/nested-input-is-no-initializer/"
    subgraph = "ir-4-subgraph-input-no-initializer"
    field = issue("microsoft/onnxruntime", 32609, "memory past a buffer's end was read")
    looped = Vector(rule + "loop-body", "a Loop in then, whose body has an initializer", [subgraph], LOOPED, LOOPS)
    rows = floats([1, 2], [3, 4])
    scanned = Vector(
        rule + "scan-body",
        "a Scan in then, whose body has an initializer",
        [subgraph],
        SCANNED,
        branches({"x": X, "rows": rows}, then={"y": floats(25, 44)}, else_={"y": -X}),
    )
    for twin, kind in ((looped, "Loop"), (scanned, "Scan")):
        yield twin.broken(
            f"{twin.id}-input-and-initializer: "
            f"the initializer of the {kind}'s body has the name of one of the body's inputs",
            body_initializer_is_input,
            why=[subgraph, field],
        )


def body_of(m: ModelProto) -> GraphProto:
    """The body of the loop in then."""
    return next(given.g for given in then_of(m).node[0].attribute if given.name == "body")


def body_initializer_is_input(m: ModelProto) -> None:
    body = body_of(m)
    body.initializer[0].name = "v"
    for node in body.node:
        node.input[:] = ["v" if name == "w" else name for name in node.input]


def main_defines_twice(m: ModelProto) -> None:
    m.graph.node.insert(1, helper.make_node("Abs", ["x"], ["size"]))


def then_defines_twice(m: ModelProto) -> None:
    then_of(m).node.insert(1, helper.make_node("Add", ["x", "size"], ["inner"]))


def main_defines_input(m: ModelProto) -> None:
    m.graph.node.insert(1, helper.make_node("Neg", ["size"], ["x"]))


def main_defines_initializer(m: ModelProto) -> None:
    m.graph.node.insert(1, helper.make_node("Neg", ["size"], ["k"]))


def _uses() -> Iterator[Vector]:
    rule = "onnx/model/every-use-is-defined/"
    twin = sound(rule, ["ir-node-input"])
    yield twin.broken(
        "main-reads-nothing: a node of the main graph reads a name that is not defined",
        replaced("size = Abs (x)", "size = Abs (absent)"),
    )
    yield twin.broken(
        "then-reads-nothing: a node of then reads a name that is not defined",
        replaced("inner = Add (x, size)", "inner = Add (absent, size)"),
    )
    yield twin.broken(
        "else-returns-nothing: else returns a name that is not defined",
        replaced("else_graph () => (float[2] b)", "else_graph () => (float[2] absent)"),
    )
    yield twin.broken(
        "main-returns-nothing: the main graph returns a name that is not defined",
        replaced("y) <float[2] k", "absent) <float[2] k"),
    )
    uncalled = Vector(
        rule + "uncalled-functions",
        "two functions are never called",
        ["ir-node-input"],
        named(UNCALLED, "uses"),
        CALLED,
    )
    yield uncalled.broken(
        "uncalled-function-returns-nothing: a function that is never called returns a name that is not defined",
        lambda m: m.functions[1].output.__setitem__(0, "absent"),
        why=["ir-definition-and-use", "ir-unique-definition"],
    )


def _cycles() -> Iterator[Vector]:
    rule = "onnx/model/no-cycles/"
    twin = sound(rule, ["ir-no-cycles"])
    yield twin.broken(
        "node-reads-itself: then's first node reads its own output",
        replaced("inner = Add (x, size)", "inner = Add (inner, size)"),
    )
    yield twin.broken(
        "two-nodes-in-branch: two nodes of else read each other", replaced("other = Neg (x)", "other = Neg (b)")
    )
    yield twin.broken(
        "through-a-branch: a branch captures a value that is computed from the If's own output",
        replaced("size = Abs (x)", "size = Abs (y)"),
    )


def _operators() -> Iterator[Vector]:
    rule = "onnx/model/operators-are-declared/"
    twin = sound(rule, ["ir-operators-declared", "ir-model-support-or-reject"])
    yield twin.broken(
        "unknown-operator: the main graph has an operator that the opset does not have",
        replaced("size = Abs (x)", "size = Abbs (x)"),
    )
    yield twin.broken(
        "unknown-operator-in-branch: else has an operator that the opset does not have",
        replaced("other = Neg (x)", "other = Negg (x)"),
    )
    yield twin.broken(
        "domain-not-imported: then has an operator of a domain that is not imported",
        replaced("inner = Add (x, size)", "inner = example.absent.Add (x, size)"),
    )
    yield twin.broken(
        "operator-of-later-opset: then has an operator of a later opset",
        replaced("inner = Add (x, size)", "inner = BitwiseAnd (x, size)"),
    )
    mapped = Vector(
        rule + "sequence-map-of-its-opset",
        "then has a SequenceMap, in opset 17, the first that has it",
        ["ir-operators-declared", "operators-sequencemap-since-17"],
        MAPPED,
        branches({"x": X}, then={"y": -X}, else_={"y": np.abs(X)}),
    )
    yield mapped.broken(
        "sequence-map-of-later-opset: then has a SequenceMap, in opset 16, which does not have it yet",
        replaced('<ir_version: 8, opset_import: ["" : 17]>', '<ir_version: 8, opset_import: ["" : 16]>'),
    )
    yield twin.broken(
        "opset-from-the-future: the model imports opset 100000",
        replaced('<ir_version: 8, opset_import: ["" : 16]>', '<ir_version: 8, opset_import: ["" : 100000]>'),
        obliged_by="ir-model-support-or-reject",
    )
    yield twin.broken(
        "opset-without-version: the import of ONNX's operators has no version",
        lambda m: m.opset_import[0].ClearField("version"),
        why=["proto-opset-version-present"],
    )
    called = Vector(
        rule + "in-function",
        "the operators of functions are those of their opset",
        ["ir-operators-declared"],
        named(FUNCTIONS, "operators"),
        CALLED,
    )
    for case, edit in {
        (
            "function-called-without-its-domain: then calls a function by its name alone, which no operator of ONNX has"
        ): lambda m: then_of(m).node[0].ClearField("domain"),
        "unknown-operator-in-function: a function has an operator that the opset does not have": unknown_in_function,
        (
            "domain-not-imported-in-function: "
            "a function has an operator of a domain that neither it nor the model imports"
        ): foreign_in_function,
        "domain-of-function-not-imported: then calls a function of a domain that the model does not import": (
            without_local
        ),
    }.items():
        yield called.broken(case, edit)
    like = Vector(
        rule + "cast-like-of-its-opset",
        "a function has a CastLike, in opset 15, the first that has it",
        ["ir-operators-declared", "operators-castlike-since-15"],
        CAST_LIKE,
        branches({"x": X}, then={"y": -X}, else_={"y": np.abs(X)}),
    )
    yield like.broken(
        "cast-like-of-later-opset: a function has a CastLike, in opset 14, which does not have it yet",
        replaced('15, "local" : 1]>', '14, "local" : 1]>'),
        replaced('<domain: "local", opset_import: ["" : 15]>', '<domain: "local", opset_import: ["" : 14]>'),
    )
    yield twin.varied(
        "no-opset-import: the model imports no operator set at all",
        replaced('<ir_version: 8, opset_import: ["" : 16]>', "<ir_version: 8, opset_import: []>"),
        why=["proto-opset-import", "ir-default-set-implicit"],
        doubt="models import the default set implicitly, yet each MUST have an entry that gives its version",
    )


def unknown_in_function(m: ModelProto) -> None:
    m.functions[0].node[1].op_type = "Abbs"


def foreign_in_function(m: ModelProto) -> None:
    m.functions[0].node[1].domain = "example.absent"


def without_local(m: ModelProto) -> None:
    del m.opset_import[1]


def _names() -> Iterator[Vector]:
    rule = "onnx/model/graphs-have-names/"
    twin = sound(rule, ["ir-graph-name"])
    yield twin.broken("then-without-name: then has no name", then_nameless)
    yield twin.broken("main-without-name: the main graph has no name", main_nameless)
    looped = Vector(
        rule + "loop-body",
        "a Loop in then, whose body has a name",
        ["ir-graph-name"],
        named(LOOPED, "with_names"),
        LOOPS,
    )
    yield looped.broken(
        "loop-body-without-name: the body of a Loop has no name", lambda m: body_of(m).ClearField("name")
    )


def then_nameless(m: ModelProto) -> None:
    then_of(m).ClearField("name")


def main_nameless(m: ModelProto) -> None:
    m.graph.ClearField("name")
