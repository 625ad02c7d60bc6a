"""Then, else and the node have the same number of outputs, at least one."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, else_of, if_node, model, then_of
from ifcert.authoring.sources import if_page, ir
from onnx import GraphProto, ModelProto

RULE = "onnx/if/output-count/"
COUNT = if_page("Attributes, then_branch: 'The number of outputs must match the number of outputs in the else_branch.'")
SIGNATURE = ir(
    "Nodes: 'The number of inputs and outputs in a node [...] MUST satisfy the constraints imposed by the signature.'"
)
AT_LEAST_ONE = if_page("Outputs (1 - 2147483647)")

TWO = model("""
    pair (bool cond, float[2] x) => (float[2] p, float[2] q) {
        p, q = If (cond) <
            then_branch = then_graph () => (float[2] a, float[2] b) { a = Add (x, x)  b = Neg (x)  spare = Abs (x) },
            else_branch = else_graph () => (float[2] c, float[2] d) { c = Neg (x)  d = Add (x, x)  spare = Abs (x) }>
    }""")
X = np.float32([1, -2])


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


def node_has_more(m: ModelProto) -> None:
    """The node names a third output, which the branches do not have."""
    if_node(m).output.append("r")


def branches_have_more(m: ModelProto) -> None:
    """Both branches return three values; the node has two outputs."""
    then_has_more(m)
    else_has_more(m)


def then_has_fewer(m: ModelProto) -> None:
    """Then returns its first value only."""
    del then_of(m).output[1]


def else_has_fewer(m: ModelProto) -> None:
    """Else returns its first value only."""
    del else_of(m).output[1]


def second_output_unnamed(m: ModelProto) -> None:
    """The node gives its second output the empty name; the main graph returns the first only."""
    if_node(m).output[1] = ""
    del m.graph.output[1]


def no_outputs(m: ModelProto) -> None:
    """Neither the branches nor the node have any output."""
    del then_of(m).output[:]
    del else_of(m).output[:]
    del if_node(m).output[:]


def _return_spare(branch: GraphProto) -> None:
    spare = branch.output.add()
    spare.CopyFrom(branch.output[0])
    spare.name = "spare"


def vectors() -> Iterator[Vector]:
    """Each direction of inequality alone."""
    two = Vector(
        RULE + "two-everywhere",
        "then, else and the node have two outputs each",
        [COUNT],
        TWO,
        branches({"x": X}, then={"p": X + X, "q": -X}, else_={"p": -X, "q": X + X}),
    )
    yield two
    yield two.broken("then-has-more", "then has three outputs, else and the node two", then_has_more)
    yield two.broken("else-has-more", "else has three outputs, then and the node two", else_has_more)
    yield two.broken("then-has-fewer", "then has one output, else and the node two", then_has_fewer)
    yield two.broken("else-has-fewer", "else has one output, then and the node two", else_has_fewer)
    # The branch that runs has as many outputs as the node: only the other one shows the fault.
    for case, title, edit, runs_then in [
        (
            "then-has-more-else-runs",
            "then has three outputs, else and the node two; only else runs",
            then_has_more,
            False,
        ),
        (
            "else-has-more-then-runs",
            "else has three outputs, then and the node two; only then runs",
            else_has_more,
            True,
        ),
        (
            "then-has-fewer-else-runs",
            "then has one output, else and the node two; only else runs",
            then_has_fewer,
            False,
        ),
        (
            "else-has-fewer-then-runs",
            "else has one output, then and the node two; only then runs",
            else_has_fewer,
            True,
        ),
    ]:
        yield two.broken(case, title, edit, runs=[{"cond": np.bool_(runs_then), "x": X}])
    yield two.broken(
        "node-has-more", "the node has three outputs, the branches two", node_has_more, why=[COUNT, SIGNATURE]
    )
    yield two.broken(
        "node-has-fewer", "the node has two outputs, the branches three", branches_have_more, why=[COUNT, SIGNATURE]
    )
    yield two.varied(
        "output-unnamed",
        "the node leaves its second output unnamed",
        second_output_unnamed,
        why=[
            AT_LEAST_ONE,
            ir("Static Optional: 'the second method is to use an empty string in place of an input or output name'"),
        ],
        runs=branches({"x": X}, then={"p": X + X}, else_={"p": -X}),
        doubt="the empty name stands for an omitted optional output; variadic outputs are not said to be optional",
    )
    one = Vector(
        RULE + "one-unused",
        "an If with one output, which is unused",
        [AT_LEAST_ONE],
        UNUSED,
        branches({"x": X}, then={"z": -X}, else_={"z": -X}),
    )
    yield one
    yield one.broken("none", "an If without outputs is refused", no_outputs, why=[AT_LEAST_ONE])


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


def deep_node_has_fewer(m: ModelProto) -> None:
    """Else's If does not name its second output."""
    del else_of(m).node[0].output[1]


def _untaken() -> Iterator[Vector]:
    twin = Vector(
        RULE + "untaken-node-has-as-many",
        "an If that no run reaches has two outputs, and so has each of its branches",
        [COUNT, SIGNATURE],
        UNTAKEN,
        [Run({"cond": np.True_, "x": X}, {"y": X + X})],
    )
    yield twin
    yield twin.broken(
        "untaken-node-has-fewer",
        "an If that no run reaches has one output, and each of its branches two",
        deep_node_has_fewer,
    )
