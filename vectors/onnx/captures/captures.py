"""Branches read values of their enclosing graphs."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, vectors_of
from onnx import ModelProto

outer_scope_capture = vectors_of("onnx/if/outer-scope-capture", "ir-outer-scope")

X = floats(1, -2)
TEN = floats(10, 20)

BY_BOTH = model("""
    captured (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, x) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

BY_THEN = model("""
    captured (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) { b = Constant <value = float[2] {3, 4}> () }>
    }""")

BY_ELSE = model("""
    captured (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Constant <value = float[2] {3, 4}> () },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

INITIALIZER = model("""
    captured (bool cond, float[2] x) => (float[2] y) <float[2] k = {10, 20}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, k) },
            else_branch = else_graph () => (float[2] b) { b = Identity (k) }>
    }""")

NODE_OUTPUT = model("""
    captured (bool cond, float[2] x) => (float[2] y) {
        doubled = Add (x, x)
        negated = Neg (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Sub (doubled, negated) },
            else_branch = else_graph () => (float[2] b) { b = Mul (negated, doubled) }>
    }""")

# The captured value has a second use, after the If.
USED_AGAIN = model("""
    captured (bool cond, float[2] x) => (float[2] y, float[2] z) {
        doubled = Add (x, x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (doubled) },
            else_branch = else_graph () => (float[2] b) { b = Identity (doubled) }>
        z = Add (doubled, y)
    }""")

# The captured value has a use before the If, which is the last one that the main graph itself has of it.
USED_BEFORE = """
    captured (bool cond, float[2] x) => (float[2] y, float[2] z) {
        doubled = Add (x, x)
        z = Neg (doubled)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { THEN },
            else_branch = else_graph () => (float[2] b) { ELSE }>
    }"""

# The captured value comes through a node that an optimizer may remove.
REMOVABLE_IDENTITY = model("""
    captured (bool cond, float[2] x) => (float[2] y) {
        same = Identity (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (same, same) },
            else_branch = else_graph () => (float[2] b) { b = Neg (same) }>
    }""")

REMOVABLE_CAST = model("""
    captured (bool cond, float[2] x) => (float[2] y) {
        same = Cast <to = 1> (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (same) },
            else_branch = else_graph () => (float[2] b) { b = Abs (same) }>
    }""")

DECLARED_INSIDE = model("""
    captured (bool cond, float[2] x) => (float[2] y) {
        doubled = Add (x, x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[2] doubled> { a = Neg (doubled) },
            else_branch = else_graph () => (float[2] b) <float[2] doubled> { b = Identity (doubled) }>
    }""")

MIDDLE_USES = model("""
    captured (bool outer, bool inner, float[2] x) => (float[2] y) <float[2] k = {10, 20}> {
        y = If (outer) <
            then_branch = then_graph () => (float[2] a) {
                copied = Identity (k)
                picked = If (inner) <
                    then_branch = deep_then () => (float[2] c) { c = Add (x, k) },
                    else_branch = deep_else () => (float[2] d) { d = Sub (x, k) }>
                a = Add (picked, copied)
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

# x is read at each of three levels; k only at the third.
EVERY_LEVEL = model("""
    captured (bool p, bool q, bool r, float[2] x) => (float[2] y) <float[2] k = {10, 20}> {
        y = If (p) <
            then_branch = then_graph () => (float[2] a) {
                one = Add (x, x)
                t = If (q) <
                    then_branch = middle_then () => (float[2] c) {
                        two = Sub (one, x)
                        u = If (r) <
                            then_branch = deep_then () => (float[2] e) { s = Abs (x)  e = Add (s, k) },
                            else_branch = deep_else () => (float[2] f) { f = Mul (two, one) }>
                        c = Add (u, two)
                    },
                    else_branch = middle_else () => (float[2] d) { d = Neg (x) }>
                a = Sub (t, one)
            },
            else_branch = else_graph () => (float[2] b) { b = Abs (x) }>
    }""")

BOTH_SLICE = model("""
    captured (bool cond, float[2] x, float[2] z) => (float[2] y)
    <int64[1] zero = {0}, int64[1] two = {2}, int64[1] four = {4}> {
        joined = Concat <axis = 0> (x, z)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Slice (joined, zero, two) },
            else_branch = else_graph () => (float[2] b) { b = Slice (joined, two, four) }>
    }""")

# One weight, as it is in then, transposed in else.
WEIGHT = model("""
    captured (bool cond, float[1,2] x) => (float[1,2] y) <float[2,2] w = {1, 2, 3, 4}> {
        y = If (cond) <
            then_branch = then_graph () => (float[1,2] a) { a = MatMul (x, w) },
            else_branch = else_graph () => (float[1,2] b) { t = Transpose <perm = [1, 0]> (w)  b = MatMul (x, t) }>
    }""")

# The branches of the first If and the second If itself read the same value; so does the main graph.
BY_TWO_IFS = model("""
    captured (bool cond, float[2] x) => (float[2] y, float[2] z) {
        doubled = Add (x, x)
        y = If (cond) <
            then_branch = then_one () => (float[2] a) { a = Neg (doubled) },
            else_branch = else_one () => (float[2] b) { b = Abs (doubled) }>
        z = If (cond) <
            then_branch = then_two () => (float[2] c) { c = Add (doubled, y) },
            else_branch = else_two () => (float[2] d) { d = Sub (doubled, y) }>
    }""")

# The body of a Loop within then reads the main graph's values; the If within the body also reads the carried one.
THROUGH_LOOP = model("""
    captured (bool cond, bool inner, float[2] x) => (float[2] y)
    <int64 trips = {3}, bool yes = {1}, float[2] k = {10, 20}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                start = Neg (x)
                a = Loop (trips, yes, start) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                        on_out = Identity (on)
                        v_out = If (inner) <
                            then_branch = deep_then () => (float[2] c) { t = Add (v, k)  c = Sub (t, start) },
                            else_branch = deep_else () => (float[2] d) { d = Add (v, x) }>
                    }>
            },
            else_branch = else_graph () => (float[2] b) { b = Add (x, k) }>
    }""")


def at_depth(levels: int) -> ModelProto:
    """Only the innermost of this many Ifs reads x and k; every else returns zeros."""
    body = "{ deepest = Add (x, k) }"
    output = "deepest"
    for level in range(levels, 0, -1):
        then = f"then_{level} () => (float[2] {output}) {body}"
        other = (
            f"else_{level} () => (float[2] zero_{level}) {{ zero_{level} = Constant <value = float[2] {{0, 0}}> () }}"
        )
        output = f"y_{level}" if level > 1 else "y"
        body = f"{{ {output} = If (cond) < then_branch = {then}, else_branch = {other}> }}"
    return model(f"captured (bool cond, float[2] x) => (float[2] y) <float[2] k = {{10, 20}}> {body}")


def _runs(when_true: np.ndarray, when_false: np.ndarray) -> list[Run]:
    return branches({"x": X}, then={"y": when_true}, else_={"y": when_false})


def _kinds() -> Iterator[Vector]:
    constant = floats(3, 4)
    yield outer_scope_capture(
        "graph-input: both branches read the graph input x",
        BY_BOTH,
        _runs(X + X, -X),
        why=[
            "ir-outer-scope",
            issue("apache/tvm", 15602, "a captured graph input became a new variable, and else overwrote then's"),
        ],
    )
    yield outer_scope_capture("only-then: only then reads x", BY_THEN, _runs(-X, constant))
    yield outer_scope_capture("only-else: only else reads x", BY_ELSE, _runs(constant, -X))
    yield outer_scope_capture(
        "initializer: both branches read an initializer that is not a graph input",
        INITIALIZER,
        _runs(X + TEN, TEN),
        why=[
            "ir-outer-scope",
            issue("microsoft/onnxruntime", 729, "such a model could not be loaded"),
            issue("microsoft/onnxruntime", 24880, "a branch found no type for an initializer without value_info"),
        ],
    )
    yield outer_scope_capture(
        "node-output: the branches read the outputs of two nodes",
        NODE_OUTPUT,
        _runs(floats(3, -6), floats(-2, -8)),
        why=[
            "ir-outer-scope",
            issue("robertknight/rten", 306, "a branch ran before the value that it captures was computed"),
        ],
    )
    yield outer_scope_capture(
        "used-again-afterwards: the captured value is used again by a node after the If",
        USED_AGAIN,
        branches({"x": X}, then={"y": -2 * X, "z": floats(0, 0)}, else_={"y": 2 * X, "z": 4 * X}),
        why=[
            "ir-outer-scope",
            issue("ROCm/onnxruntime", 182, "a value used by a node and by a branch was indexed wrongly"),
            issue("microsoft/onnxruntime", 14691, "a branch overwrote a value that the main graph still read"),
        ],
    )
    doubles = floats(2, 4)
    for part, then_node, else_node, values in [
        ("then", "a = Abs (doubled)", "b = Constant <value = float[2] {3, 4}> ()", (doubles, constant)),
        ("else", "a = Constant <value = float[2] {3, 4}> ()", "b = Abs (doubled)", (constant, doubles)),
    ]:
        yield outer_scope_capture(
            f"used-before-and-only-in-{part}: "
            f"a node before the If uses a value that {part} captures, and nothing else does",
            model(USED_BEFORE.replace("THEN", then_node).replace("ELSE", else_node)),
            [Run({"cond": np.bool_(c), "x": X}, {"y": values[1 - c], "z": -2 * X}) for c in (1, 0)],
        )
    yield outer_scope_capture(
        "declared-inside-too: value_info of both branches repeats the captured value's name and type",
        DECLARED_INSIDE,
        _runs(-2 * X, 2 * X),
        why=["ir-outer-scope", issue("onnx/onnx", 1635, "types of outer and inner values were mixed up")],
    )

    z = floats(3, 4)
    yield outer_scope_capture(
        "sliced-by-both: both branches take a part of one computed value",
        BOTH_SLICE,
        branches({"x": X, "z": z}, then={"y": X}, else_={"y": z}),
        why=["ir-outer-scope", issue("alibaba/MNN", 2765, "such a value became an input of the model")],
    )
    row = floats([5, -1])
    yield outer_scope_capture(
        "weight-of-both: both branches multiply by one initializer, else by its transpose",
        WEIGHT,
        branches({"x": row}, then={"y": floats([2, 6])}, else_={"y": floats([3, 11])}),
        why=[
            "ir-outer-scope",
            issue(
                "microsoft/onnxruntime",
                31137,
                "weights of the outer graph were not yet available when they were packed",
            ),
            issue("microsoft/onnxruntime", 20709, "folding copied the weight into each branch"),
        ],
    )
    yield outer_scope_capture(
        "by-two-ifs: two Ifs read one value, the second the first one's result too",
        BY_TWO_IFS,
        branches({"x": X}, then={"y": -2 * X, "z": floats(0, 0)}, else_={"y": floats(2, 4), "z": floats(0, -8)}),
    )
    yield outer_scope_capture(
        "through-loop: "
        "a branch in a Loop in a branch reads the carried value, one of the middle branch and two of the main graph",
        THROUGH_LOOP,
        # -x, three times + k + x
        Run({"cond": np.True_, "inner": np.True_, "x": X}, {"y": floats(32, 56)}),
        Run({"cond": np.True_, "inner": np.False_, "x": X}, {"y": 2 * X}),
        Run({"cond": np.False_, "inner": np.True_, "x": X}, {"y": X + TEN}),
        why=[
            "ir-outer-scope",
            issue("microsoft/onnxruntime", 31713, "an If in a Loop was mistaken for an unknown operator"),
        ],
        also=["onnx/if/in-loop", "onnx/if/loop-in-branch"],
    )


def _rewritten() -> Iterator[Vector]:
    yield outer_scope_capture(
        "removable-identity: an Identity just before the If produces the captured value",
        REMOVABLE_IDENTITY,
        _runs(X + X, -X),
        why=[
            "ir-outer-scope",
            issue("onnx/sklearn-onnx", 854, "removing it left a dangling name in the branch"),
            issue("microsoft/onnxruntime", 651, "removing it did not update the branch"),
        ],
    )
    yield outer_scope_capture(
        "removable-cast: a Cast that changes nothing produces the captured value",
        REMOVABLE_CAST,
        _runs(-X, np.abs(X)),
        why=["ir-outer-scope", issue("robertknight/rten", 1359, "fusing it away removed the captured value")],
    )


def _depths() -> Iterator[Vector]:
    for levels in (2, 3, 8):
        yield outer_scope_capture(
            f"through-{levels}-levels: only the innermost of {levels} Ifs reads x and the initializer k",
            at_depth(levels),
            _runs(X + TEN, floats(0, 0)),
            why=[
                "ir-outer-scope",
                issue("microsoft/onnxruntime", 200, "an initializer was not found two levels down"),
            ],
            also=["onnx/if/nesting"],
        )
    yield outer_scope_capture(
        "used-in-the-middle-too: k is read one level down and two levels down",
        MIDDLE_USES,
        Run({"outer": np.True_, "inner": np.True_, "x": X}, {"y": X + TEN + TEN}),
        Run({"outer": np.True_, "inner": np.False_, "x": X}, {"y": X}),
        Run({"outer": np.False_, "inner": np.True_, "x": X}, {"y": -X}),
        why=["ir-outer-scope", issue("microsoft/onnxruntime", 4031, "folding the middle use broke the inner one")],
        also=["onnx/if/nesting"],
    )
    yield outer_scope_capture(
        "used-at-every-level: "
        "x is read at each of three levels, and so are values of each enclosing level; an initializer is read "
        "only at the last",
        EVERY_LEVEL,
        # |x| + k + x - 2x, 2x² + x - 2x, -x - 2x, |x|
        Run({"p": np.True_, "q": np.True_, "r": np.True_, "x": X}, {"y": floats(10, 24)}),
        Run({"p": np.True_, "q": np.True_, "r": np.False_, "x": X}, {"y": floats(1, 10)}),
        Run({"p": np.True_, "q": np.False_, "r": np.True_, "x": X}, {"y": -3 * X}),
        Run({"p": np.False_, "q": np.True_, "r": np.True_, "x": X}, {"y": np.abs(X)}),
        why=[
            "ir-outer-scope",
            issue("microsoft/onnxruntime", 3249, "the memory of a value used at several levels was overwritten"),
        ],
        also=["onnx/if/nesting"],
    )
