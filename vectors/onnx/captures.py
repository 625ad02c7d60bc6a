"""Branches read values of the graphs around them."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, model
from ifcert.authoring.sources import ir, issue
from onnx import ModelProto

RULE = "onnx/if/outer-scope-capture/"
OUTER = ir(
    "Nodes: 'A node input in a nested subgraph MAY refer to names introduced in outer graphs "
    "(as node outputs, graph inputs, or graph initializers).'"
)
X = np.float32([1, -2])
TEN = np.float32([10, 20])

BY_BOTH = model(
    16,
    """
    captured (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, x) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""",
)

BY_THEN = model(
    16,
    """
    captured (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) { b = Constant <value = float[2] {3, 4}> () }>
    }""",
)

BY_ELSE = model(
    16,
    """
    captured (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Constant <value = float[2] {3, 4}> () },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""",
)

INITIALIZER = model(
    16,
    """
    captured (bool cond, float[2] x) => (float[2] y) <float[2] k = {10, 20}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, k) },
            else_branch = else_graph () => (float[2] b) { b = Identity (k) }>
    }""",
)

NODE_OUTPUT = model(
    16,
    """
    captured (bool cond, float[2] x) => (float[2] y) {
        doubled = Add (x, x)
        negated = Neg (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Sub (doubled, negated) },
            else_branch = else_graph () => (float[2] b) { b = Mul (negated, doubled) }>
    }""",
)

# The captured value has a second use, after the If.
USED_AGAIN = model(
    16,
    """
    captured (bool cond, float[2] x) => (float[2] y, float[2] z) {
        doubled = Add (x, x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (doubled) },
            else_branch = else_graph () => (float[2] b) { b = Identity (doubled) }>
        z = Add (doubled, y)
    }""",
)

# What is captured comes through a node that an optimizer may take away.
REMOVABLE_IDENTITY = model(
    16,
    """
    captured (bool cond, float[2] x) => (float[2] y) {
        same = Identity (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (same, same) },
            else_branch = else_graph () => (float[2] b) { b = Neg (same) }>
    }""",
)

REMOVABLE_CAST = model(
    16,
    """
    captured (bool cond, float[2] x) => (float[2] y) {
        same = Cast <to = 1> (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (same) },
            else_branch = else_graph () => (float[2] b) { b = Abs (same) }>
    }""",
)

DECLARED_INSIDE = model(
    16,
    """
    captured (bool cond, float[2] x) => (float[2] y) {
        doubled = Add (x, x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[2] doubled> { a = Neg (doubled) },
            else_branch = else_graph () => (float[2] b) <float[2] doubled> { b = Identity (doubled) }>
    }""",
)

MIDDLE_USES = model(
    16,
    """
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
    }""",
)


def at_depth(levels: int) -> ModelProto:
    """Only the innermost of so many Ifs reads x and k; every else gives zeros."""
    body = "{ deepest = Add (x, k) }"
    output = "deepest"
    for level in range(levels, 0, -1):
        then = f"then_{level} () => (float[2] {output}) {body}"
        other = (
            f"else_{level} () => (float[2] zero_{level}) {{ zero_{level} = Constant <value = float[2] {{0, 0}}> () }}"
        )
        output = f"y_{level}" if level > 1 else "y"
        body = f"{{ {output} = If (cond) < then_branch = {then}, else_branch = {other}> }}"
    return model(16, f"captured (bool cond, float[2] x) => (float[2] y) <float[2] k = {{10, 20}}> {body}")


def vectors() -> Iterator[Vector]:
    """What is captured, by whom, and from how far."""
    yield from _kinds()
    yield from _rewritten()
    yield from _depths()


def _runs(when_true: np.ndarray, when_false: np.ndarray) -> list[Run]:
    return [Run({"cond": np.True_, "x": X}, {"y": when_true}), Run({"cond": np.False_, "x": X}, {"y": when_false})]


def _kinds() -> Iterator[Vector]:
    constant = np.float32([3, 4])
    yield Vector(
        RULE + "graph-input",
        "both branches read the graph input x",
        [OUTER, issue("apache/tvm", 15602, "a captured graph input became a new variable, and else overwrote then's")],
        BY_BOTH,
        _runs(X + X, -X),
    )
    yield Vector(RULE + "only-then", "only then reads x", [OUTER], BY_THEN, _runs(-X, constant))
    yield Vector(RULE + "only-else", "only else reads x", [OUTER], BY_ELSE, _runs(constant, -X))
    yield Vector(
        RULE + "initializer",
        "both branches read an initializer that is no graph input",
        [OUTER, issue("microsoft/onnxruntime", 729, "such a model could not be loaded")],
        INITIALIZER,
        _runs(X + TEN, TEN),
    )
    yield Vector(
        RULE + "node-output",
        "the branches read the outputs of two nodes",
        [OUTER, issue("robertknight/rten", 306, "a branch ran before the value it captures was there")],
        NODE_OUTPUT,
        _runs(np.float32([3, -6]), np.float32([-2, -8])),
    )
    yield Vector(
        RULE + "used-again-afterwards",
        "the captured value is used again by a node after the If",
        [OUTER, issue("ROCm/onnxruntime", 182, "a value used by a node and by a branch was indexed wrongly")],
        USED_AGAIN,
        [
            Run({"cond": np.True_, "x": X}, {"y": -2 * X, "z": np.float32([0, 0])}),
            Run({"cond": np.False_, "x": X}, {"y": 2 * X, "z": 4 * X}),
        ],
    )
    yield Vector(
        RULE + "declared-inside-too",
        "value_info of both branches repeats the captured value's name and type",
        [OUTER, issue("onnx/onnx", 1635, "types of outer and inner values were mixed up")],
        DECLARED_INSIDE,
        _runs(-2 * X, 2 * X),
    )


def _rewritten() -> Iterator[Vector]:
    yield Vector(
        RULE + "removable-identity",
        "an Identity just before the If makes the captured value",
        [
            OUTER,
            issue("onnx/sklearn-onnx", 854, "removing it left a dangling name in the branch"),
            issue("microsoft/onnxruntime", 651, "removing it did not update the branch"),
        ],
        REMOVABLE_IDENTITY,
        _runs(X + X, -X),
    )
    yield Vector(
        RULE + "removable-cast",
        "a Cast that changes nothing makes the captured value",
        [OUTER, issue("robertknight/rten", 1359, "fusing it away removed the captured value")],
        REMOVABLE_CAST,
        _runs(-X, np.abs(X)),
    )


def _depths() -> Iterator[Vector]:
    for levels in (2, 3, 8):
        yield Vector(
            f"{RULE}through-{levels}-levels",
            f"only the innermost of {levels} Ifs reads x and the initializer k",
            [OUTER, issue("microsoft/onnxruntime", 200, "an initializer was not found two levels down")],
            at_depth(levels),
            _runs(X + TEN, np.float32([0, 0])),
            also=["onnx/if/nesting"],
        )
    yield Vector(
        RULE + "used-in-the-middle-too",
        "k is read one level down and two levels down",
        [OUTER, issue("microsoft/onnxruntime", 4031, "folding the middle use broke the inner one")],
        MIDDLE_USES,
        [
            Run({"outer": np.True_, "inner": np.True_, "x": X}, {"y": X + TEN + TEN}),
            Run({"outer": np.True_, "inner": np.False_, "x": X}, {"y": X}),
            Run({"outer": np.False_, "inner": np.True_, "x": X}, {"y": -X}),
        ],
        also=["onnx/if/nesting"],
    )
