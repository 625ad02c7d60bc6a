"""A branch that returns a scalar beside one whose rank is known only when it runs, in functions and bodies."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, model, vectors_of

AS_SCALAR = issue("onnx/onnx", 4980, "a branch without a known shape was assumed to have rank 0")

shape_union = vectors_of("onnx/if/shape-union", "if-different-shapes", "ir-function-polymorphic", AS_SCALAR)

X = floats([1, -2, 3], [4, 5, -6])

# The If's result is transposed, or counted and flattened where it may be a scalar.
TURNED = "turned = Transpose <perm = [1, 0]> (r)"
FLAT = "flat = Reshape (r, list)  count = Shape (r)  rank = Size (count)"
SCALAR = "s = ReduceSum <keepdims = 0> (v)"
SHAPED = "s = Reshape (v, to)"

FUNCTION = """
    caller (bool cond, float[2,3] x, int64[n] to) => (OUT) { RESULTS = local.choose (cond, x, to) }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v, to) => (RESULTS) {
        list = Constant <value = int64[1] {-1}> ()
        r = If (c) <
            then_branch = then_graph () => (a) { THEN  a = Neg (s) },
            else_branch = else_graph () => (b) { ELSE  b = Abs (s) }>
        AFTER
    }"""

BODY = """
    looped (bool cond, float[2,3] x, int64[n] to) => (float[?] flat, int64 rank)
        <int64 once = {1}, bool yes = {1}, int64[1] list = {-1}> {
        r = Loop (once, yes, x) <
            body = step (int64 i, bool on, float[2,3] v) => (bool on_out, v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (a) { s = ReduceSum <keepdims = 0> (v)  a = Neg (s) },
                    else_branch = else_graph () => (b) { s = Reshape (v, to)  b = Abs (s) }>
            }>
        flat = Reshape (r, list)
        count = Shape (r)
        rank = Size (count)
    }"""


def in_function(then: str, other: str, after: str, results: str, out: str) -> str:
    """The function's text with these branches, and the nodes that read the If's result."""
    parts = {"THEN": then, "ELSE": other, "AFTER": after, "RESULTS": results, "OUT": out}
    text = FUNCTION
    for name, part in parts.items():
        text = text.replace(name, part)
    return text


def vectors() -> Iterator[Vector]:
    flat = "float[?] flat, int64 rank"
    shapes = [np.int64([3, 2]), np.int64([6]), np.int64([1, 2, 3])]
    scalar = floats(-5)
    for case, then, other, of_scalar in (
        ("scalar-and-unknown-rank-in-function", SCALAR, SHAPED, np.True_),
        ("unknown-rank-and-scalar-in-function", SHAPED, SCALAR, np.False_),
    ):
        sign = 1 if of_scalar else -1
        yield shape_union(
            f"{case}: "
            f"in a function, {'then' if of_scalar else 'else'} returns a scalar, the other branch a value whose "
            "rank is an input",
            model(in_function(then, other, FLAT, "flat, rank", flat), domains={"local": 1}),
            *(
                Run(
                    {"cond": np.bool_(not of_scalar), "x": X, "to": to},
                    {"flat": (np.abs(X) if of_scalar else -X).ravel(), "rank": np.int64(len(to))},
                )
                for to in shapes
            ),
            Run({"cond": of_scalar, "x": X, "to": shapes[0]}, {"flat": sign * scalar, "rank": np.int64(0)}),
            also=["onnx/if/in-function"],
        )
    yield shape_union(
        "scalar-and-unknown-rank-transposed-in-function: "
        "in a function, then returns a scalar and else a value that is transposed; only else runs",
        model(in_function(SCALAR, SHAPED, TURNED, "turned", "float[?,?] turned"), domains={"local": 1}),
        [
            Run({"cond": np.False_, "x": X, "to": to}, {"turned": np.abs(X).reshape(to).T})
            for to in (np.int64([3, 2]), np.int64([1, 6]))
        ],
        also=["onnx/if/in-function", "onnx/if/only-taken-branch-runs"],
    )
    yield shape_union(
        "scalar-and-unknown-rank-in-loop: "
        "in a Loop of one trip, then returns a scalar, else a value whose rank is an input",
        model(BODY),
        Run({"cond": np.False_, "x": X, "to": shapes[0]}, {"flat": np.abs(X).ravel(), "rank": np.int64(2)}),
        Run({"cond": np.True_, "x": X, "to": shapes[0]}, {"flat": scalar, "rank": np.int64(0)}),
        why=["if-different-shapes", AS_SCALAR],
        also=["onnx/if/in-loop"],
    )
