"""Outputs of nodes with several, of which only branches read the second."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model

RULE = "onnx/if/outer-scope-capture/second-output-of-"
WHY = [
    "ir-outer-scope",
    issue("robertknight/rten", 1434, "would remove outputs that nothing uses, where branches use them too"),
]
X = floats(1, -2, 10, 20)
HEAD, TAIL = X[:2], X[2:]

# The nodes that compute p and q, and the domain of a function, if there is one.
SPLIT = "p, q = Split <axis = 0> (x)"
OF_IF = """p, q = If (yes_or_no) <
            then_branch = halves () => (c, d) { c, d = Split <axis = 0> (x) },
            else_branch = others () => (f, e) { e, f = Split <axis = 0> (x) }>"""
OF_LOOP = """start, unused = Split <axis = 0> (x)
        p, q = Loop (trips, yes, start) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out, float[2] shown)
                { on_out = Identity (on)  v_out = Neg (v)  shown = Add (v, v) }>"""
FUNCTION = """
    <domain: "local", opset_import: ["" : 16]>
    halves (v) => (c, d) { c, d = Split <axis = 0> (v) }"""


def text(nodes: str, inputs: str = "", stored: str = "", more: str = "") -> str:
    """The main graph reads p alone, and the branches q alone."""
    return f"""
    second (bool cond, {inputs}float[4] x) => (float[?] z, float[?] y) {stored} {{
        {nodes}
        z = Neg (p)
        y = If (cond) <
            then_branch = then_graph () => (a) {{ a = Neg (q) }},
            else_branch = else_graph () => (b) {{ b = Add (q, q) }}>
    }}{more}"""


BY_ONE_EACH = model("""
    each (bool cond, float[4] x) => (float[2] y) {
        p, q = Split <axis = 0> (x)
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Neg (p) },
            else_branch = else_graph () => (b) { b = Add (q, q) }>
    }""")


def vectors() -> Iterator[Vector]:

    def runs(p: np.ndarray, q: np.ndarray, **inputs: np.generic) -> list[Run]:
        return branches({**inputs, "x": X}, then={"z": -p, "y": -q}, else_={"z": -p, "y": q + q})

    yield Vector(
        RULE + "split",
        "both branches read the second output of a Split, and nothing else does",
        WHY,
        model(text(SPLIT)),
        runs(HEAD, TAIL),
    )
    yield Vector(
        RULE + "if",
        "both branches read the second output of another If, and nothing else does",
        WHY,
        model(text(OF_IF, "bool yes_or_no, ")),
        [*runs(HEAD, TAIL, yes_or_no=np.True_), *runs(TAIL, HEAD, yes_or_no=np.False_)],
    )
    yield Vector(
        RULE + "loop",
        "both branches read what a Loop stacks, and nothing else does",
        WHY,
        model(text(OF_LOOP, "int64 trips, ", "<bool yes = {1}>").replace("float[?] y", "float[?,?] y")),
        [
            *runs(HEAD, np.stack([2 * HEAD, -2 * HEAD]), trips=np.int64(2)),
            *runs(-HEAD, 2 * HEAD.reshape(1, 2), trips=np.int64(1)),
        ],
    )
    yield Vector(
        RULE + "call",
        "both branches read the second output of a call, and nothing else does",
        WHY,
        model(text("p, q = local.halves (x)", more=FUNCTION), domains={"local": 1}),
        runs(HEAD, TAIL),
        also=["onnx/if/in-function"],
    )
    yield Vector(
        "onnx/if/outer-scope-capture/one-output-for-each-branch",
        "then reads the first output of a Split and else the second, and nothing else does",
        WHY,
        BY_ONE_EACH,
        branches({"x": X}, then={"y": -HEAD}, else_={"y": 2 * TAIL}),
    )
