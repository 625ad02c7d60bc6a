"""Nodes that change nothing, next to an If, where optimizers remove them: the value stays the same."""

import re
from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, says
from onnx import ModelProto

REMOVED = [
    issue("microsoft/onnxruntime", 651, "removing such a node did not update the branches that read its result"),
    issue("robertknight/rten", 1359, "fusing such a node away removed a captured value"),
]
HANDED_ON = issue(
    "microsoft/onnxruntime", 5991, "refuses a branch that returns an outer value, which such a branch must not become"
)

X = floats([1, -2, 3], [4, 5, -6])

# Initializers that the nodes read.
STORED = {
    "same": "int64[2] same = {2, 3}",
    "keep": "int64[2] keep = {0, -1}",
    "row": "int64[1] row = {0}",
    "start": "int64[2] start = {0, 0}",
    "end": "int64[2] end = {2, 1000}",
    "ones": "int64[2] ones = {1, 1}",
    "none": "int64[4] none = {0, 0, 0, 0}",
    "zero": "float zero = {0}",
    "one": "float one = {1}",
    "yes": "bool yes = {1}",
    "first": "int64 first = {0}",
}

# Nodes that return IN as OUT.
NO_OPS = {
    "identity": "OUT = Identity (IN)",
    "cast": "OUT = Cast <to = 1> (IN)",
    "cast-like": "OUT = CastLike (IN, zero)",
    "two-casts": "wider = Cast <to = 11> (IN)  OUT = Cast <to = 1> (wider)",
    "reshape": "OUT = Reshape (IN, same)",
    "reshape-keeping": "OUT = Reshape (IN, keep)",
    "transpose": "OUT = Transpose <perm = [0, 1]> (IN)",
    "two-transposes": "turned = Transpose (IN)  OUT = Transpose (turned)",
    "unsqueeze-and-squeeze": "taller = Unsqueeze (IN, row)  OUT = Squeeze (taller, row)",
    "add-of-zero": "OUT = Add (IN, zero)",
    "sub-of-zero": "OUT = Sub (IN, zero)",
    "mul-by-one": "OUT = Mul (one, IN)",
    "div-by-one": "OUT = Div (IN, one)",
    "two-negs": "less = Neg (IN)  OUT = Neg (less)",
    "whole-slice": "OUT = Slice (IN, start, end)",
    "concat-of-one": "OUT = Concat <axis = 1> (IN)",
    "expand": "OUT = Expand (IN, ones)",
    "tile": "OUT = Tile (IN, ones)",
    "pad": "OUT = Pad (IN, none)",
    "where": "OUT = Where (yes, IN, zero)",
    "sum-over-no-axes": "OUT = ReduceSum <noop_with_empty_axes = 1> (IN)",
    "sequence-of-one": "sequence = SequenceConstruct (IN)  OUT = SequenceAt (sequence, first)",
}

BEFORE = """
    before (bool cond, float[2,3] x) => (float[2,3] y) STORED {
        NODES
        y = If (cond) <
            then_branch = then_graph () => (float[2,3] a) { a = Neg (s) },
            else_branch = else_graph () => (float[2,3] b) { b = Add (s, s) }>
    }"""

WITHIN = """
    within (bool cond, float[2,3] x) => (float[2,3] y) STORED {
        y = If (cond) <
            then_branch = then_graph () => (float[2,3] s) { NODES },
            else_branch = else_graph () => (float[2,3] b) { b = Neg (x) }>
    }"""

AFTER = """
    after (bool cond, float[2,3] x) => (float[2,3] s) STORED {
        y = If (cond) <
            then_branch = then_graph () => (float[2,3] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2,3] b) { b = Add (x, x) }>
        NODES
    }"""

# A chain before the outer If, one before the inner If, one as the whole of a branch, one after each If.
CHAINS = """
    chains (bool p, bool q, float[2,3] x) => (float[2,3] y) STORED {
        m = Identity (x)
        n = Cast <to = 1> (m)
        o = Identity (n)
        outer = If (p) <
            then_branch = then_graph () => (float[2,3] a) {
                r = Identity (o)
                s = Reshape (r, same)
                inner = If (q) <
                    then_branch = deep_then () => (float[2,3] c) { d = Add (s, zero)  c = Identity (d) },
                    else_branch = deep_else () => (float[2,3] f) { f = Sub (s, o) }>
                t = Identity (inner)
                a = Cast <to = 1> (t)
            },
            else_branch = else_graph () => (float[2,3] b) { g = Identity (n)  b = Neg (g) }>
        u = Cast <to = 1> (outer)
        y = Identity (u)
    }"""

# The two Casts once more: a node reads their result too; they are in a branch; they are in a Loop's body.
READ_BY_NODE = """
    before (bool cond, float[2,3] x) => (float[2,3] y, float[2,3] z) {
        NODES
        z = Abs (s)
        y = If (cond) <
            then_branch = then_graph () => (float[2,3] a) { a = Neg (s) },
            else_branch = else_graph () => (float[2,3] b) { b = Add (s, z) }>
    }"""

IN_BRANCH = """
    branched (bool p, bool q, float[2,3] x) => (float[2,3] y) {
        y = If (p) <
            then_branch = then_graph () => (float[2,3] a) {
                NODES
                a = If (q) <
                    then_branch = deep_then () => (float[2,3] c) { c = Neg (s) },
                    else_branch = deep_else () => (float[2,3] d) { d = Add (s, x) }>
            },
            else_branch = else_graph () => (float[2,3] b) { b = Abs (x) }>
    }"""

IN_LOOP = """
    looped (bool cond, float[2,3] x) => (float[2,3] last) <int64 trips = {2}, bool go = {1}> {
        last = Loop (trips, go, x) <
            body = step (int64 i, bool on, float[2,3] v) => (bool on_out, float[2,3] y) {
                on_out = Identity (on)
                NODES
                y = If (cond) <
                    then_branch = then_graph () => (float[2,3] a) { a = Add (s, s) },
                    else_branch = else_graph () => (float[2,3] b) { b = Neg (s) }>
            }>
    }"""

# captures/captures.py has these two.
ELSEWHERE = {"identity", "cast"}


def with_stored(text: str) -> ModelProto:
    """The model, with the initializers that its nodes read in place of STORED."""
    used = [initializer for name, initializer in STORED.items() if re.search(rf"\b{name}\b", text)]
    return model(text.replace("STORED", f"<{', '.join(used)}>" if used else ""))


def of(text: str, nodes: str, operand: str) -> ModelProto:
    """The model with these nodes, from the operand to s."""
    return with_stored(text.replace("NODES", nodes.replace("IN", operand).replace("OUT", "s")))


def vectors() -> Iterator[Vector]:
    for name, nodes in NO_OPS.items():
        what = name.replace("-", " ")
        before, within, after, why = (
            f"both branches read the result of a no-op before the If: {what}",
            f"then does nothing to the captured x but a no-op: {what}",
            f"the result goes through a no-op to the main graph's output: {what}",
            [],
        )
        if name == "sequence-of-one":
            before, within, after, why = (
                "both branches read the only item of a sequence made of x before the If",
                "then returns the only item of a sequence made of the captured x",
                "the main graph returns the only item of a sequence made of the result",
                [says("operators-sequenceconstruct", "operators-sequenceat")],
            )
        if name not in ELSEWHERE:
            yield Vector(
                f"onnx/if/outer-scope-capture/{name}-before",
                before,
                ["ir-outer-scope", *why, "ir-runtime-agnostic", *REMOVED],
                of(BEFORE, nodes, "x"),
                branches({"x": X}, then={"y": -X}, else_={"y": X + X}),
            )
        yield Vector(
            f"onnx/if/outer-scope-capture/{name}-within",
            within,
            ["ir-outer-scope", *why, "ir-runtime-agnostic", HANDED_ON],
            of(WITHIN, nodes, "x"),
            branches({"x": X}, then={"y": X}, else_={"y": -X}),
        )
        yield Vector(
            f"onnx/if/operand-positions/{name}-after",
            after,
            ["ir-definition-and-use", *why, "ir-runtime-agnostic"],
            of(AFTER, nodes, "y"),
            branches({"x": X}, then={"s": -X}, else_={"s": X + X}),
        )
    yield Vector(
        "onnx/if/outer-scope-capture/chains-of-no-ops",
        "chains of no-ops before both of two nested Ifs, in their branches and after them; inner values are captured",
        ["ir-outer-scope", "ir-runtime-agnostic", *REMOVED],
        with_stored(CHAINS),
        [
            Run({"p": np.True_, "q": np.True_, "x": X}, {"y": X}),
            Run({"p": np.True_, "q": np.False_, "x": X}, {"y": 0 * np.abs(X)}),
            Run({"p": np.False_, "q": np.True_, "x": X}, {"y": -X}),
        ],
        also=["onnx/if/nesting"],
    )


def _two_casts() -> Iterator[Vector]:
    """A runtime removed them although a branch reads their result."""
    rule, nodes, why = (
        "onnx/if/outer-scope-capture/two-casts-",
        NO_OPS["two-casts"],
        ["ir-outer-scope", "ir-runtime-agnostic", *REMOVED],
    )
    yield Vector(
        rule + "read-by-node-too",
        "a node and both branches read the result of two Casts that cancel out",
        why,
        of(READ_BY_NODE, nodes, "x"),
        branches({"x": X}, then={"y": -X, "z": np.abs(X)}, else_={"y": X + np.abs(X), "z": np.abs(X)}),
    )
    yield Vector(
        rule + "in-branch",
        "then contains two Casts that cancel out, whose result the branches of an If within then read",
        why,
        of(IN_BRANCH, nodes, "x"),
        [
            Run({"p": np.True_, "q": np.True_, "x": X}, {"y": -X}),
            Run({"p": np.True_, "q": np.False_, "x": X}, {"y": X + X}),
            Run({"p": np.False_, "q": np.False_, "x": X}, {"y": np.abs(X)}),
        ],
        also=["onnx/if/nesting"],
    )
    yield Vector(
        rule + "in-loop-body",
        "a Loop's body contains two Casts of the carried value that cancel out; both branches read their result",
        why,
        of(IN_LOOP, nodes, "v"),
        branches({"x": X}, then={"last": 4 * X}, else_={"last": X}),
        also=["onnx/if/in-loop"],
    )
