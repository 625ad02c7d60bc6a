"""Then, else and the node have the same number of outputs, at least one."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, else_of, floats, if_node, model, replaced, then_of
from onnx import GraphProto, ModelProto

RULE = "onnx/if/output-count/"

TWO = model("""
    pair (bool cond, float[2] x) => (float[2] p, float[2] q) {
        p, q = If (cond) <
            then_branch = then_graph () => (float[2] a, float[2] b) { a = Add (x, x)  b = Neg (x)  spare = Abs (x) },
            else_branch = else_graph () => (float[2] c, float[2] d) { c = Neg (x)  d = Add (x, x)  spare = Abs (x) }>
    }""")
X = floats(1, -2)

# The If's output is unused, so removing it breaks only If's own rule.
UNUSED = model("""
    lonely (bool cond, float[2] x) => (float[2] z) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, x) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
        z = Neg (x)
    }""")


def then_has_more(m: ModelProto) -> None:
    """Then returns its spare value too."""
    _return_spare(then_of(m))


def else_has_more(m: ModelProto) -> None:
    """Else returns its spare value too."""
    _return_spare(else_of(m))


def no_outputs(m: ModelProto) -> None:
    del then_of(m).output[:]
    del else_of(m).output[:]
    del if_node(m).output[:]


def _return_spare(branch: GraphProto) -> None:
    spare = branch.output.add()
    spare.CopyFrom(branch.output[0])
    spare.name = "spare"


def vectors() -> Iterator[Vector]:
    two = Vector(
        RULE + "two-everywhere",
        "then, else and the node have two outputs each",
        ["if-then-branch-output-count"],
        TWO,
        branches({"x": X}, then={"p": X + X, "q": -X}, else_={"p": -X, "q": X + X}),
    )
    yield two.broken("then-has-more: then has three outputs, else and the node two", then_has_more)
    yield two.broken("else-has-more: else has three outputs, then and the node two", else_has_more)
    yield two.broken(
        "then-has-fewer: then has one output, else and the node two",
        replaced("then_graph () => (float[2] a, float[2] b)", "then_graph () => (float[2] a)"),
    )
    yield two.broken(
        "else-has-fewer: else has one output, then and the node two",
        replaced("else_graph () => (float[2] c, float[2] d)", "else_graph () => (float[2] c)"),
    )
    # The branch that runs has as many outputs as the node: only the other one shows the fault.
    for case, (edit, runs_then) in {
        "then-has-more-else-runs: then has three outputs, else and the node two; only else runs": (
            then_has_more,
            False,
        ),
        "else-has-more-then-runs: else has three outputs, then and the node two; only then runs": (else_has_more, True),
        "then-has-fewer-else-runs: then has one output, else and the node two; only else runs": (
            replaced("then_graph () => (float[2] a, float[2] b)", "then_graph () => (float[2] a)"),
            False,
        ),
        "else-has-fewer-then-runs: else has one output, then and the node two; only then runs": (
            replaced("else_graph () => (float[2] c, float[2] d)", "else_graph () => (float[2] c)"),
            True,
        ),
    }.items():
        yield two.broken(case, edit, runs=[{"cond": np.bool_(runs_then), "x": X}])
    yield two.broken(
        "node-has-more: the node has three outputs, the branches two",
        replaced("p, q = If (cond) <", "p, q, r = If (cond) <"),
        why=["if-then-branch-output-count", "ir-signature"],
    )
    yield two.broken(
        "node-has-fewer: the node has two outputs, the branches three",
        replaced("a, float[2] b)", "a, float[2] b, float[2] spare)"),
        replaced("c, float[2] d)", "c, float[2] d, float[2] spare)"),
        why=["if-then-branch-output-count", "ir-signature"],
    )
    yield two.varied(
        "output-unnamed: the node leaves its second output unnamed",
        replaced("p, float[2] q)", "p)"),
        replaced("p, q = If (cond) <", 'p, "" = If (cond) <'),
        why=["if-outputs", "ir-left-out"],
        runs=branches({"x": X}, then={"p": X + X}, else_={"p": -X}),
        doubt="the empty name stands for an omitted optional output; variadic outputs are not said to be optional",
    )
    one = Vector(
        RULE + "one-unused",
        "an If with one output, which is unused",
        ["if-outputs"],
        UNUSED,
        branches({"x": X}, then={"z": -X}, else_={"z": -X}),
    )
    yield one.broken("none: an If without outputs is refused", no_outputs, why=["if-outputs"])


# Else's own If, which no run reaches, has as many outputs as its branches.
UNTAKEN = model("""
    untaken (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, x) },
            else_branch = else_graph () => (float[2] b) {
                b, more = If (cond) <
                    then_branch = deep_then () => (float[2] c, float[2] d) { c = Abs (x)  d = Neg (x) },
                    else_branch = deep_else () => (float[2] e, float[2] f) { e = Neg (x)  f = Abs (x) }>
            }>
    }""")


def _untaken() -> Iterator[Vector]:
    twin = Vector(
        RULE + "untaken-node-has-as-many",
        "an If that no run reaches has two outputs, and so has each of its branches",
        ["if-then-branch-output-count", "ir-signature"],
        UNTAKEN,
        [Run({"cond": np.True_, "x": X}, {"y": X + X})],
    )
    yield twin.broken(
        "untaken-node-has-fewer: an If that no run reaches has one output, and each of its branches two",
        replaced("b, more = If (cond) <", "b = If (cond) <"),
    )
