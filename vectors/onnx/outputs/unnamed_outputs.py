"""Nodes whose first output has no name, so that their second is the one in use: If, calls, Loop, Scan, LSTM."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from ifcert.authoring import Run, Vector, branches, edited, floats, issue, model
from ifcert.authoring.models import Edit
from onnx import GraphProto, ModelProto, NodeProto

DOUBT = "the empty name stands for an omitted optional output; {} are not said to be optional"
X = floats(1, -2)

IF = """
    pair (bool cond, float[2] x) => (float[2] q) {
        p, q = If (cond) <
            then_branch = then_graph () => (float[2] a, float[2] b) { a = Add (x, x)  b = Neg (x) },
            else_branch = else_graph () => (float[2] c, float[2] d) { c = Neg (x)  d = Abs (x) }>
    }"""

IF_IN_BRANCH = """
    deep (bool cond, bool inner, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] q) {
                p, q = If (inner) <
                    then_branch = deep_then () => (float[2] a, float[2] b) { a = Add (x, x)  b = Neg (x) },
                    else_branch = deep_else () => (float[2] c, float[2] d) { c = Neg (x)  d = Abs (x) }>
            },
            else_branch = else_graph () => (float[2] e) { e = Mul (x, x) }>
    }"""

CALL = """
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] q) { p, q = local.both (x) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    both (v) => (r, s) { r = Add (v, v)  s = Abs (v) }"""

LOOP = """
    looped (bool cond, float[2] x) => (float[2] y) <int64 trips = {3}, bool yes = {1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] q) {
                p, q = Loop (trips, yes, x, x) <
                    body = step (int64 i, bool on, float[2] v, float[2] w)
                        => (bool on_out, float[2] v_out, float[2] w_out)
                        { on_out = Identity (on)  v_out = Neg (v)  w_out = Add (w, v) }>
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }"""

# The remaining output is a scan output.
LOOP_SCANS = """
    looped (bool cond, float[2] x) => (float[?,2] y) <int64 trips = {3}, bool yes = {1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[?,2] q) {
                p, q = Loop (trips, yes, x) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out, float[2] shown)
                        { on_out = Identity (on)  v_out = Add (v, x)  shown = Identity (v) }>
            },
            else_branch = else_graph () => (float[?,2] b) <int64[2] row = {1, 2}> { b = Reshape (x, row) }>
    }"""

SCAN = """
    scanned (bool cond, float[2] x, float[3,2] rows) => (float[?,2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[?,2] q) {
                p, q = Scan <
                    num_scan_inputs = 1,
                    body = step (float[2] v, float[2] e) => (float[2] v_out, float[2] shown)
                        { v_out = Add (v, e)  shown = Neg (v_out) }> (x, rows)
            },
            else_branch = else_graph () => (float[?,2] b) { b = Neg (rows) }>
    }"""

# With weights of 0 the gates are 1/2 and their input is 0: the cell is halved.
CELL = """
    cell (bool cond, float[1,1,2] x, float[1,1,1] c) => (float[1,1,1] y)
        <float[1,4,2] w = {0, 0, 0, 0, 0, 0, 0, 0}, float[1,4,1] r = {0, 0, 0, 0}, float[1,1,1] h = {0}> {
        y = If (cond) <
            then_branch = then_graph () => (float[1,1,1] q) {
                all, last, q = LSTM <hidden_size = 1> (x, w, r, , , h, c)
            },
            else_branch = else_graph () => (float[1,1,1] b) { b = Neg (c) }>
    }"""

# As above, with operands that are known beforehand: the cell is 3.
KNOWN_CELL = """
    cell (bool cond, float[1,1,1] c) => (float[1,1,1] y)
        <float[1,1,2] k = {1, -2}, float[1,4,2] w = {0, 0, 0, 0, 0, 0, 0, 0}, float[1,4,1] r = {0, 0, 0, 0},
        float[1,1,1] h = {0}, float[1,1,1] six = {6}> {
        y = If (cond) <
            then_branch = then_graph () => (float[1,1,1] a) {
                all, last, q = LSTM <hidden_size = 1> (k, w, r, , , h, six)
                a = Mul (q, c)
            },
            else_branch = else_graph () => (float[1,1,1] b) { b = Neg (c) }>
    }"""


def unnamed(*names: str) -> Edit:
    """These outputs, of whichever nodes, get the empty name."""

    def edit(m: ModelProto) -> None:
        for node in nodes_of(m.graph):
            node.output[:] = ["" if name in names else name for name in node.output]

    return edit


def nodes_of(graph: GraphProto) -> Iterator[NodeProto]:
    """The nodes of the graph and of its nested graphs."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from nodes_of(attribute.g)


@dataclass(frozen=True)
class Case:
    """The rest of an id, the node without a first output, its model, and the runs."""

    id: str
    what: str
    text: str
    runs: list[Run]


def vectors() -> Iterator[Vector]:
    yes, no = {"cond": np.True_, "x": X}, {"cond": np.False_, "x": X}
    rows = floats([1, 3], [3, 4], [5, 6])
    cases = [
        Case("output-count/first-output-unnamed", "an If", IF, [Run(yes, {"q": -X}), Run(no, {"q": np.abs(X)})]),
        Case(
            "output-count/first-output-unnamed-in-branch",
            "an If in then",
            IF_IN_BRANCH,
            [
                Run({"cond": np.True_, "inner": np.True_, "x": X}, {"y": -X}),
                Run({"cond": np.True_, "inner": np.False_, "x": X}, {"y": np.abs(X)}),
                Run({"cond": np.False_, "inner": np.False_, "x": X}, {"y": X * X}),
            ],
        ),
        Case(
            "in-function/first-output-of-call-unnamed",
            "a call in then",
            CALL,
            [Run(yes, {"y": np.abs(X)}), Run(no, {"y": -X})],
        ),
        # v is x, -x, x; what is added to w is x - x + x.
        Case(
            "loop-in-branch/first-output-unnamed", "a Loop in then", LOOP, [Run(yes, {"y": 2 * X}), Run(no, {"y": -X})]
        ),
        Case(
            "loop-in-branch/first-output-unnamed-then-scanned",
            "a Loop in then that also has a scan output",
            LOOP_SCANS,
            [Run(yes, {"y": floats(X, 2 * X, 3 * X)}), Run(no, {"y": X.reshape(1, 2)})],
        ),
        Case(
            "loop-in-branch/first-output-of-scan-unnamed",
            "a Scan in then",
            SCAN,
            [
                Run(yes | {"rows": rows}, {"y": -(X + np.cumsum(rows, axis=0, dtype=np.float32))}),
                Run(no | {"rows": rows}, {"y": -rows}),
            ],
        ),
    ]
    for case in cases:
        calls = "local." in case.text
        yield Vector(
            "onnx/if/" + case.id,
            f"{case.what} leaves its first output unnamed, and the second is used",
            ["ir-left-out"] if calls else ["ir-left-out", "ir-variadic-arity"],
            edited(model(case.text, domains={"local": 1} if calls else None), unnamed("p")),
            case.runs,
            doubt=DOUBT.format("the outputs of functions" if calls else "variadic outputs"),
        )
    x, c = np.float32([[[1, -2]]]), np.float32([[[6]]])
    yield Vector(
        "onnx/if/operand-positions/first-outputs-of-lstm-left-out",
        "in then, the third output of an LSTM is used and the two before it have no names; all are optional",
        ["ir-left-out", "operators-lstm-outputs"],
        edited(model(CELL, 14), unnamed("all", "last")),
        branches({"x": x, "c": c}, then={"y": np.float32([[[3]]])}, else_={"y": -c}),
        about=["absent-operands"],
    )
    yield Vector(
        "onnx/if/operand-positions/first-outputs-of-known-lstm-left-out",
        "an LSTM in then leaves out its first two outputs, and reads initializers alone",
        [
            "ir-left-out",
            "operators-lstm-outputs",
            issue(
                "microsoft/onnxruntime",
                27620,
                "computing such a node beforehand looked for the outputs that it leaves out",
            ),
        ],
        edited(model(KNOWN_CELL, 14), unnamed("all", "last")),
        branches({"c": c}, then={"y": 3 * c}, else_={"y": -c}),
        about=["absent-operands"],
    )
