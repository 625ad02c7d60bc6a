"""Two Ifs under one cond, or two Loops, that are the same except for one thing within a branch."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, says

WHY = [
    says("if-then-branch-runs", note="each node's own"),
    "ir-runtime-agnostic",
    issue("microsoft/onnxscript", 2304, "merging equal nodes compared the values of attributes too loosely"),
    issue("onnx/optimizer", 254, "merging equal nodes changed the results"),
]
X = floats([1, -2], [3, 5])
K = floats(10, 20)

# The difference; then and else of the first If, and of the second; their results for X in then and in else.
ALIKE = {
    "constant": (
        "a Constant",
        ("c = Constant <value = float[1] {1}> ()  a = Mul (x, c)", "b = Neg (x)"),
        ("c = Constant <value = float[1] {-1}> ()  a = Mul (x, c)", "b = Neg (x)"),
        (X, -X),
        (-X, -X),
    ),
    "attribute": (
        "an attribute",
        ("r = ReduceMax <axes = [0], keepdims = 0> (x)  a = Add (x, r)", "b = Neg (x)"),
        ("r = ReduceMax <axes = [1], keepdims = 0> (x)  a = Add (x, r)", "b = Neg (x)"),
        (X + floats(3, 5), -X),
        (X + floats(1, 5), -X),
    ),
    "capture": (
        "what else captures",
        ("a = Add (x, k)", "b = Sub (x, k)"),
        ("a = Add (x, k)", "b = Sub (x, m)"),
        (X + K, X - K),
        (X + K, X + K),
    ),
    "exchange": (
        "which branch is which",
        ("a = Add (x, k)", "b = Mul (x, k)"),
        ("b = Mul (x, k)", "a = Add (x, k)"),
        (X + K, X * K),
        (X * K, X + K),
    ),
    "operator": (
        "an operator",
        ("a = Add (x, k)", "b = Neg (x)"),
        ("a = Add (x, k)", "b = Abs (x)"),
        (X + K, -X),
        (X + K, np.abs(X)),
    ),
    "depth": (
        "a Constant two levels down",
        (
            """a = If (cond) <
                    then_branch = deep_then_one () => (e) { c = Constant <value = float {2}> ()  e = Mul (x, c) },
                    else_branch = deep_else_one () => (f) { f = Neg (x) }>""",
            "b = Neg (x)",
        ),
        (
            """a = If (cond) <
                    then_branch = deep_then_two () => (e) { c = Constant <value = float {4}> ()  e = Mul (x, c) },
                    else_branch = deep_else_two () => (f) { f = Neg (x) }>""",
            "b = Neg (x)",
        ),
        (2 * X, -X),
        (4 * X, -X),
    ),
}

LOOPS = model("""
    loops (bool cond, int64 trips, float[2] x) => (float[2] y, float[2] z) <bool yes = {1}> {
        y = Loop (trips, yes, x) <
            body = first (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_one () => (a) { c = Constant <value = float {2}> ()  a = Mul (v, c) },
                    else_branch = else_one () => (b) { b = Neg (v) }>
            }>
        z = Loop (trips, yes, x) <
            body = second (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_two () => (a) { c = Constant <value = float {4}> ()  a = Mul (v, c) },
                    else_branch = else_two () => (b) { b = Neg (v) }>
            }>
    }""")


def graph(name: str, nodes: str) -> str:
    """A branch that returns a or b, whichever its nodes compute last."""
    result = "a" if "a = " in nodes.replace("value = ", "") else "b"
    return f"{name} () => ({result}) {{ {nodes} }}"


def two_ifs(first: tuple[str, str], second: tuple[str, str]) -> str:
    """A model with both Ifs."""
    return f"""
    ifs (bool cond, float[2,2] x) => (float[2,2] y, float[2,2] z) <float[2] k = {{10, 20}}> {{
        m = Neg (k)
        y = If (cond) <
            then_branch = {graph("then_one", first[0])},
            else_branch = {graph("else_one", first[1])}>
        z = If (cond) <
            then_branch = {graph("then_two", second[0])},
            else_branch = {graph("else_two", second[1])}>
    }}"""


def vectors() -> Iterator[Vector]:
    for case, (what, first, second, y, z) in ALIKE.items():
        yield Vector(
            f"onnx/if/then-when-true/ifs-alike-but-for-{case}",
            f"two Ifs under the same cond are the same except for {what}",
            WHY,
            model(two_ifs(first, second)),
            branches({"x": X}, then={"y": y[0], "z": z[0]}, else_={"y": y[1], "z": z[1]}),
        )
    x = floats(1, -2)
    yield Vector(
        "onnx/if/in-loop/loops-alike-but-for-constant",
        "two Loops with the same operands are the same except for a Constant in a branch",
        WHY,
        LOOPS,
        [
            Run({"cond": np.True_, "trips": np.int64(2), "x": x}, {"y": 4 * x, "z": 16 * x}),
            Run({"cond": np.False_, "trips": np.int64(3), "x": x}, {"y": -x, "z": -x}),
        ],
    )
