"""Subgraphs that optimizers merge, drop or compute beforehand: almost equal branches, equal initializers, dead Ifs."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, ints, model, says

LIVE_OUT = says("if-outputs-live-out", note="whether or not anybody reads them")
X = floats([1, -2], [3, 5])
K = floats(10, 20)

# Two branches that a comparison may consider equal: the difference, and the results for X in then and in else.
ALIKE = {
    "in-nothing": ("in nothing", "a = Add (x, k)", "a = Add (x, k)", X + K, X + K),
    "but-for-operand-order": ("except for the order of two operands", "a = Sub (x, k)", "a = Sub (k, x)", X - K, K - X),
    "but-for-attribute": (
        "except for an attribute",
        "r = ReduceMax <axes = [0], keepdims = 0> (x)  a = Add (x, r)",
        "r = ReduceMax <axes = [1], keepdims = 0> (x)  a = Add (x, r)",
        X + floats(3, 5),
        X + floats(1, 5),
    ),
    "but-for-capture": ("except for what they capture", "a = Add (x, k)", "a = Add (x, m)", X + K, X - K),
    "but-for-constant": (
        "except for a Constant",
        "c = Constant <value = float[1] {1}> ()  a = Mul (x, c)",
        "c = Constant <value = float[1] {-1}> ()  a = Mul (x, c)",
        X,
        -X,
    ),
    "but-for-constant-shape": (
        "except for the shape of a Constant",
        "c = Constant <value = float[1,2] {1, 2}> ()  a = Mul (x, c)",
        "c = Constant <value = float[2,1] {1, 2}> ()  a = Mul (x, c)",
        X * floats([1, 2]),
        X * floats([1], [2]),
    ),
    "but-for-zeros-sign": (
        "except for the sign of a zero",
        "c = Constant <value_float = 0.0> ()  a = Where (big, x, c)",
        "c = Constant <value_float = -0.0> ()  a = Where (big, x, c)",
        floats([0.0, 0.0], [3, 5]),
        floats([-0.0, -0.0], [3, 5]),
    ),
    "but-for-which-output": (
        "except for which of two outputs is returned",
        "a, rest = Split <axis = 0> (x)",
        "rest, a = Split <axis = 0> (x)",
        X[:1],
        X[1:],
    ),
}


def alike(then_nodes: str, else_nodes: str) -> str:
    """A model whose branches have these nodes, which compute a."""
    made = "big = Greater (x, k2)" if "big" in then_nodes else "m = Neg (k)"
    return f"""
    alike (bool cond, float[2,2] x) => (float[?,2] y) <float[2] k = {{10, 20}}, float k2 = {{2}}> {{
        {made}
        y = If (cond) <
            then_branch = then_graph () => (a) {{ {then_nodes} }},
            else_branch = else_graph () => (a) {{ {else_nodes} }}>
    }}"""


CONSTANTS_ONLY = model("""
    constants (bool cond) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) {
                c = Constant <value = float[2] {1, 2}> ()
                d = Constant <value = float[2] {3, 4}> ()
                e = Add (c, d)
                a = Mul (e, c)
            },
            else_branch = else_graph () => (b) <float[2] w = {-5, 6}, int64[1] to = {2}> {
                n = Neg (w)
                zeros = ConstantOfShape (to)
                b = Sub (zeros, n)
            }>
    }""")

EQUAL = model("""
    equal (bool p, bool q, float[2] x) => (float[2] y, float[2] z) <float[2] k = {1, 2}, float[2] l = {1, 2}> {
        y = If (p) <
            then_branch = then_graph () => (a) <float[2] v = {1, 2}> {
                s = Add (k, v)
                a = If (q) <
                    then_branch = deep_then () => (c) <float[2] w = {1, 2}> { t = Sub (s, w)  c = Mul (t, x) },
                    else_branch = deep_else () => (d) <float[2] w = {1, 2}> { d = Add (s, w) }>
            },
            else_branch = else_graph () => (b) <float[2] v = {1, 2}> { b = Mul (l, v) }>
        z = Add (k, l)
    }""")

# 1065353216 is 0x3f800000, the bits of 1.0.
SAME_BYTES = model("""
    bytes (bool cond, float[2] x, int32[2] i) => (float[2] y, int32[2] n, int64[?] dims)
    <float[2] f = {1, 1}, int32[2] g = {1065353216, 1065353216}> {
        y, n, e = If (cond) <
            then_branch = one () => (a, b, c)
                <float[2] v = {1, 1}, int32[2] w = {1065353216, 1065353216}, float[0,2] e = {}>
                { s = Add (x, v)  a = Add (s, f)  b = Sub (w, i)  c = Identity (e) },
            else_branch = two () => (a, b, c)
                <int32[2] v = {1065353216, 1065353216}, float[1] w = {1}, float[0,3] e = {}>
                { a = Add (x, w)  t = Add (v, i)  b = Sub (t, g)  c = Identity (e) }>
        dims = Shape (e)
    }""")

SAME_EXPRESSION = model("""
    expression (bool cond, float[2] x) => (float[2] y, float[2] s, float[2] z) {
        s = Add (x, x)
        y = If (cond) <
            then_branch = then_graph () => (a) { t = Add (x, x)  u = Neg (t)  a = Mul (u, s) },
            else_branch = else_graph () => (b) { t = Add (x, x)  u = Abs (t)  b = Sub (u, t) }>
        again = Add (x, x)
        z = Sub (again, y)
    }""")

# Read by nodes of the main graph, by both branches, two levels down, and in a Loop's body.
SHARED = model("""
    shared (bool p, bool q, float[2] x) => (float[2] y, float[2] z)
    <float[2] k = {10, 20}, int64 trips = {2}, bool yes = {1}> {
        s = Add (x, k)
        y = If (p) <
            then_branch = then_graph () => (a) {
                m = Sub (s, k)
                a = If (q) <
                    then_branch = deep_then () => (c) { c = Mul (m, k) },
                    else_branch = deep_else () => (d) { d = Identity (k) }>
            },
            else_branch = else_graph () => (b) {
                b = Loop (trips, yes, s) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out)
                        { on_out = Identity (on)  v_out = Add (v, k) }>
            }>
        z = Neg (k)
    }""")

UNUSED = model("""
    unused (bool cond, float[2] x) => (float[2] z) <float[2] k = {10, 20}> {
        s = Add (x, k)
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Neg (s) },
            else_branch = else_graph () => (b) { b = Abs (x) }>
        z = Sub (s, x)
    }""")

# The inner If and the nodes before it, whose values it captures, are unused.
UNUSED_WITHIN = model("""
    within (bool p, bool q, float[2] x) => (float[2] z) {
        z = If (p) <
            then_branch = then_graph () => (a) <float[2] w = {1, 3}, float[2] v = {3, 4}> {
                s = Add (x, w)
                dead = Mul (s, v)
                y = If (q) <
                    then_branch = deep_then () => (c) { c = Neg (dead) },
                    else_branch = deep_else () => (d) { d = Abs (s) }>
                a = Neg (s)
            },
            else_branch = else_graph () => (b) { unread = Mul (x, x)  b = Identity (x) }>
    }""")

# Of three outputs the second is read by a branch that is never taken, the third by a dead node.
READ_BY_THE_DEAD = model("""
    dead (bool cond, float[2] x) => (float[2] z) <bool no = {0}> {
        p, q, r = If (cond) <
            then_branch = one () => (a, b, c) { a = Neg (x)  b = Add (x, x)  c = Mul (x, x) },
            else_branch = two () => (d, e, f) { e = Abs (x)  f = Sub (x, x)  d = Add (e, f) }>
        unread = Add (r, x)
        z = If (no) <
            then_branch = three () => (g) { g = Add (p, q) },
            else_branch = four () => (h) { h = Identity (p) }>
    }""")

UNUSED_AND_FAULTY = model("""
    faulty (bool[n] cond, float[2] x, int64[1] i) => (float[2] z) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Gather (x, i) },
            else_branch = else_graph () => (b) { b = Constant <value = float[1] {7}> () }>
        z = Neg (x)
    }""")


def _alike() -> Iterator[Vector]:
    for case, (what, then_nodes, else_nodes, of_then, of_else) in ALIKE.items():
        yield Vector(
            f"onnx/if/then-when-true/branches-alike-{case}",
            f"then and else are the same {what}" if case != "in-nothing" else "then and else are the same",
            ["if-then-branch-runs", "if-else-branch-runs", "ir-runtime-agnostic"],
            model(alike(then_nodes, else_nodes)),
            branches({"x": X}, then={"y": of_then}, else_={"y": of_else}),
            also=["onnx/if/else-when-false"],
        )
    yield Vector(
        "onnx/if/then-when-true/branches-of-constants",
        "both branches compute with their own constants only",
        ["if-then-branch-runs", "if-else-branch-runs"],
        CONSTANTS_ONLY,
        branches({}, then={"y": floats(4, 12)}, else_={"y": floats(-5, 6)}),
        also=["onnx/if/else-when-false"],
    )


def _shared() -> Iterator[Vector]:
    rule, x = "onnx/if/outer-scope-capture/", floats(1, -2)
    k = floats(1, 2)
    yield Vector(
        rule + "equal-initializers",
        "equal initializers in the main graph, in its branches and in theirs",
        ["ir-outer-scope", "ir-runtime-agnostic"],
        EQUAL,
        [
            Run({"p": np.True_, "q": np.True_, "x": x}, {"y": k * x, "z": 2 * k}),
            Run({"p": np.True_, "q": np.False_, "x": x}, {"y": 3 * k, "z": 2 * k}),
            Run({"p": np.False_, "q": np.True_, "x": x}, {"y": k * k, "z": 2 * k}),
        ],
        also=["onnx/if/nesting"],
    )
    i = ints(5, 6)
    yield Vector(
        rule + "initializers-of-the-same-bytes",
        "initializers with the same bytes and other types and shapes, one of them empty, in all three graphs",
        ["ir-outer-scope", "ir-runtime-agnostic"],
        SAME_BYTES,
        branches(
            {"x": x, "i": i},
            then={"y": x + 2, "n": np.int32(1065353216) - i, "dims": np.int64([0, 2])},
            else_={"y": x + 1, "n": i, "dims": np.int64([0, 3])},
        ),
        also=["onnx/if/shape-union"],
    )
    yield Vector(
        rule + "same-expression-inside-and-outside",
        "x + x is computed before the If, in both branches and after it; then also reads the one before",
        ["ir-outer-scope", "ir-runtime-agnostic"],
        SAME_EXPRESSION,
        branches(
            {"x": x},
            then={"y": -4 * x * x, "s": 2 * x, "z": 2 * x + 4 * x * x},
            else_={"y": floats(0, 8), "s": 2 * x, "z": floats(2, -12)},
        ),
    )
    ten = floats(10, 20)
    yield Vector(
        rule + "initializer-of-all-graphs",
        "the main graph, both branches, a branch two levels down and a Loop's body read one initializer",
        ["ir-outer-scope", "ir-runtime-agnostic"],
        SHARED,
        [
            Run({"p": np.True_, "q": np.True_, "x": x}, {"y": ten * x, "z": -ten}),
            Run({"p": np.True_, "q": np.False_, "x": x}, {"y": ten, "z": -ten}),
            Run({"p": np.False_, "q": np.True_, "x": x}, {"y": x + 3 * ten, "z": -ten}),
        ],
        also=["onnx/if/nesting", "onnx/if/loop-in-branch"],
    )


def _dropped() -> Iterator[Vector]:
    rule, x = "onnx/if/operand-positions/", floats(1, -2)
    conds = (np.True_, np.False_)
    yield Vector(
        rule + "if-nobody-reads",
        "the If's output is unused; the value that its branch captures is read elsewhere too",
        [LIVE_OUT],
        UNUSED,
        [Run({"cond": cond, "x": x}, {"z": floats(10, 20)}) for cond in conds],
    )
    yield Vector(
        rule + "if-nobody-reads-in-branch",
        "in then, an If is unused, and so is the node that only its branch captures",
        [LIVE_OUT, "ir-outer-scope"],
        UNUSED_WITHIN,
        [Run({"p": p, "q": q, "x": x}, {"z": floats(-2, -1) if p else x}) for p in conds for q in conds],
        also=["onnx/if/nesting"],
    )
    yield Vector(
        rule + "read-by-the-dead",
        "of three outputs only the first matters: the others are read by a dead node and a branch that is never taken",
        [LIVE_OUT, "ir-runtime-agnostic"],
        READ_BY_THE_DEAD,
        branches({"x": x}, then={"z": -x}, else_={"z": np.abs(x)}),
    )
    yield Vector(
        rule + "if-nobody-reads-and-cannot-run",
        "an unused If, whose taken branch gathers element 99 of two; then one with a cond of two elements",
        [LIVE_OUT],
        UNUSED_AND_FAULTY,
        [
            Run({"cond": np.bool_([True]), "x": x, "i": np.int64([99])}, {"z": -x}),
            Run({"cond": np.bool_([True, False]), "x": x, "i": np.int64([0])}, {"z": -x}),
        ],
        doubt="an unused value need not be computed; yet a run of the model is a run of all its nodes",
    )
