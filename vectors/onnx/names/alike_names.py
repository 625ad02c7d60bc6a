"""Names that are nearly the same: different case, Unicode normalization, or only the last letter."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, attribute, branches, edited, floats, if_node, model, says, then_of
from ifcert.authoring.models import Edit
from onnx import ModelProto

UNIQUE = says("ir-unique-definition", note="names of another case are others")
IDENTIFIERS = says("ir-names-c90", note="which tell x from X")

X, LARGE = floats(1, -2), floats(100, 200)

CAPTURED = model("""
    cases (bool cond, float[2] x, float[2] X) => (float[2] y) <float[2] k = {10, 20}, float[2] K = {30, 40}> {
        size = Neg (x)
        Size = Neg (X)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { t = Add (X, K)  a = Sub (t, size) },
            else_branch = else_graph () => (float[2] b) { t = Add (x, k)  b = Sub (t, Size) }>
    }""")

# The branches' own names differ in case from each other and from those around them.
INNER = model("""
    cases (bool cond, float[2] x) => (float[2] y) <float[2] k = {10, 20}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] Y) <float[2] K = {30, 40}> { X = Add (x, K)  Y = Sub (X, k) },
            else_branch = else_graph () => (float[2] b) <float[2] w = {1, 2}, float[2] W = {3, 4}> {
                B = Mul (x, W)
                b = Add (B, w)
            }>
    }""")

OUTPUTS = model("""
    cases (bool cond, float[2] x) => (float[2] Y, float[2] y) {
        y, Y = If (cond) <
            then_branch = then_graph () => (float[2] a, float[2] A) { A = Add (x, x)  a = Neg (x) },
            else_branch = else_graph () => (float[2] B, float[2] b) { b = Abs (x)  B = Mul (x, x) }>
    }""")

FUNCTIONS = model("""<opset_import: ["" : 19, "local" : 1, "Local" : 1]>
    cases (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.change <K = 5.0> (x) },
            else_branch = else_graph () => (float[2] b) { t = local.Change (x)  b = Local.change (t) }>
    }
    <domain: "local", opset_import: ["" : 19]>
    change <k: float = 2.0, K: float = 3.0> (v) => (r) {
        f = Constant <value_float: float = @k> ()
        F = Constant <value_float: float = @K> ()
        t = Mul (v, f)
        r = Add (t, F)
    }
    <domain: "local", opset_import: ["" : 19]>
    Change (v) => (r) { r = Neg (v) }
    <domain: "Local", opset_import: ["" : 19]>
    change (v) => (r) { r = Mul (v, v) }""")

DIMS = model("""
    cases (bool cond, float[n] x, float[N] z) => (float[m] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[n] a) { a = Neg (x) },
            else_branch = else_graph () => (float[N] b) { b = Neg (z) }>
    }""")


def renamed(names: dict[str, str]) -> Edit:
    """Renames values of the main graph and of the branches wherever they occur."""

    def edit(m: ModelProto) -> None:
        graphs = [m.graph, *(given.g for given in if_node(m).attribute)]
        for graph in graphs:
            for named in [*graph.input, *graph.output, *graph.initializer]:
                named.name = names.get(named.name, named.name)
            for node in graph.node:
                node.input[:] = [names.get(name, name) for name in node.input]
                node.output[:] = [names.get(name, name) for name in node.output]

    return edit


def _both(first: str, second: str) -> list[Run]:
    """The runs of CAPTURED with x and X renamed."""
    fed = {first: X, second: LARGE}
    return [
        Run({"cond": np.True_} | fed, {"y": LARGE + floats(30, 40) + X}),
        Run({"cond": np.False_} | fed, {"y": X + floats(10, 20) + LARGE}),
    ]


def vectors() -> Iterator[Vector]:
    why = [UNIQUE, IDENTIFIERS]
    captured = Vector(
        "onnx/if/outer-scope-capture/names-in-two-cases",
        "inputs, initializers and node outputs whose names differ only in case; each branch reads half of them",
        [*why, "ir-outer-scope"],
        CAPTURED,
        _both("x", "X"),
    )
    yield captured
    composed, decomposed = "h\u00f6he", "ho\u0308he"
    yield captured.varied(
        "names-in-two-unicode-forms: "
        "two inputs whose names are one word in composed and decomposed form, which are different code points",
        renamed({"x": composed, "X": decomposed}),
        why=[UNIQUE, says("ir-names-c90", note="so they need not"), "ir-outer-scope"],
        runs=_both(composed, decomposed),
    )
    long = "a_name_of_the_kind_that_an_exporter_makes_of_modules_in_modules_" * 5
    yield captured.varied(
        "names-that-differ-at-their-end: two inputs whose names have 321 letters, of which only the last differs",
        renamed({"x": long + "1", "X": long + "2"}),
        why=[UNIQUE, "ir-outer-scope"],
        runs=_both(long + "1", long + "2"),
    )
    yield Vector(
        "onnx/if/no-shadowing/inner-names-in-another-case",
        "inner names differ only in case from those around them",
        why,
        INNER,
        branches({"x": X}, then={"y": X + floats(20, 20)}, else_={"y": X * floats(3, 4) + floats(1, 2)}),
    )
    yield Vector(
        "onnx/if/output-order/names-in-two-cases",
        "the If's outputs, and those of each branch, differ only in case; each list is in a different order",
        ["ir-node-positional", *why],
        OUTPUTS,
        branches({"x": X}, then={"Y": X + X, "y": -X}, else_={"Y": np.abs(X), "y": X * X}),
    )
    yield Vector(
        "onnx/if/in-function/names-in-two-cases",
        "functions, their domains and their attributes whose names differ only in case",
        ["ir-function-name-and-domain", "ir-node-attributes-by-name"],
        FUNCTIONS,
        branches({"x": X}, then={"y": 2 * X + 5}, else_={"y": X * X}),
    )
    yield Vector(
        "onnx/if/shape-union/dims-in-two-cases",
        "the branches return [n] and [N], which are 2 and 3 in each run",
        ["ir-dimension-variables", "ir-dimension-names-c90"],
        DIMS,
        branches({"x": X, "z": floats(1, 2, 3)}, then={"y": -X}, else_={"y": floats(-1, -2, -3)}),
    )


ONE_CASE = model("""
    one (bool cond, float[2] x) => (float[2] y) {
        size = Abs (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, size) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")


def _faults() -> Iterator[Vector]:
    for rule, (case, fault, why) in {
        "onnx/model/every-use-is-defined": (
            "read-in-another-case: then reads Size, but only size is defined",
            lambda m: then_of(m).node[0].input.__setitem__(1, "Size"),
            "ir-node-input",
        ),
        "onnx/model/operators-are-declared": (
            "operator-in-another-case: then's operator is add instead of Add",
            lambda m: setattr(then_of(m).node[0], "op_type", "add"),
            "ir-operators-declared",
        ),
        "onnx/if/both-branches-required": (
            "then-in-another-case: the attribute is called Then_branch",
            lambda m: setattr(attribute(if_node(m), "then_branch"), "name", "Then_branch"),
            says("if-then-branch-is-required", "if-else-branch-is-required"),
        ),
    }.items():
        twin = Vector(
            f"{rule}/all-in-one-case",
            "every name is spelled as it was defined",
            [why, IDENTIFIERS],
            edited(ONE_CASE, graph_named(rule)),
            branches({"x": X}, then={"y": X + np.abs(X)}, else_={"y": -X}),
        )
        yield twin.broken(case, fault)


def graph_named(rule: str) -> Edit:
    """The main graph is named after the rule."""
    return lambda m: setattr(m.graph, "name", rule.rpartition("/")[2].replace("-", "_"))
