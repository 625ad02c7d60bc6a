"""Ifs in the branches of Ifs."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, model, says, vectors_of
from onnx import ModelProto

GRAPHS = says("if-then-branch-runs", note="a graph may hold any operator, If too")

nesting = vectors_of("onnx/if/nesting", GRAPHS)

X = floats(3, -5)


def leaf(name: str, number: int) -> str:
    """A branch that returns a number."""
    return f"leaf_{name} () => (int64 {name}) {{ {name} = Constant <value = int64 {{{number}}}> () }}"


IN_THEN = model(f"""
    nested (bool p, bool q) => (int64 y) {{
        y = If (p) <
            then_branch = outer_then () => (int64 t) {{
                t = If (q) < then_branch = {leaf("a", 11)}, else_branch = {leaf("b", 12)} >
            }},
            else_branch = {leaf("c", 20)} >
    }}""")

IN_ELSE = model(f"""
    nested (bool p, bool q) => (int64 y) {{
        y = If (p) <
            then_branch = {leaf("c", 10)},
            else_branch = outer_else () => (int64 t) {{
                t = If (q) < then_branch = {leaf("a", 21)}, else_branch = {leaf("b", 22)} >
            }} >
    }}""")

# The model of the issue, with other numbers: a wrong inner branch shows in the result.
IN_BOTH = model(f"""
    nested (bool p, bool q, bool r) => (int64 y) {{
        y = If (p) <
            then_branch = outer_then () => (int64 t) {{
                t = If (q) < then_branch = {leaf("a", 11)}, else_branch = {leaf("b", 12)} >
            }},
            else_branch = outer_else () => (int64 e) {{
                e = If (r) < then_branch = {leaf("c", 21)}, else_branch = {leaf("d", 22)} >
            }} >
    }}""")

# The enclosing branch holds a value while the inner If runs, whose branches do not read it.
KEPT = model("""
    nested (bool p, bool q, float[2] x) => (float[2] y) {
        y = If (p) <
            then_branch = outer_then () => (float[2] t) {
                kept = Neg (x)
                u = If (q) <
                    then_branch = deep_a () => (float[2] a) { a = Add (x, x) },
                    else_branch = deep_b () => (float[2] b) { b = Mul (x, x) }>
                t = Sub (u, kept)
            },
            else_branch = outer_else () => (float[2] e) {
                held = Abs (x)
                v = If (q) <
                    then_branch = deep_c () => (float[2] c) { c = Mul (x, x) },
                    else_branch = deep_d () => (float[2] d) { d = Add (x, x) }>
                e = Sub (held, v)
            }>
    }""")


def tower(depth: int) -> ModelProto:
    """`depth` Ifs, each in then of the enclosing one, under p and q in turn; else of the k-th returns k, the top 0."""
    body, output = "{ top = Constant <value = int64 {0}> () }", "top"
    for level in range(depth, 0, -1):
        then = f"then_{level} () => (int64 {output}) {body}"
        output = f"y_{level}" if level > 1 else "y"
        cond = "p" if level % 2 else "q"
        body = f"{{ {output} = If ({cond}) < then_branch = {then}, else_branch = {leaf(f'else_{level}', level)} > }}"
    return model(f"tower (bool p, bool q) => (int64 y) {body}")


def vectors() -> Iterator[Vector]:
    pairs = [(True, True), (True, False), (False, True), (False, False)]
    yield nesting(
        "in-then: an If in then",
        IN_THEN,
        [Run({"p": np.bool_(p), "q": np.bool_(q)}, {"y": np.int64((11 if q else 12) if p else 20)}) for p, q in pairs],
    )
    yield nesting(
        "in-else: an If in else",
        IN_ELSE,
        [Run({"p": np.bool_(p), "q": np.bool_(q)}, {"y": np.int64(10 if p else (21 if q else 22))}) for p, q in pairs],
    )
    yield nesting(
        "in-both: an If in then and another in else, each with a cond of its own",
        IN_BOTH,
        [
            Run(
                {"p": np.bool_(p), "q": np.bool_(q), "r": np.bool_(r)},
                {"y": np.int64((11 if q else 12) if p else (21 if r else 22))},
            )
            for p, q in pairs
            for r in (True, False)
        ],
        why=[
            GRAPHS,
            issue("tensorflow/tflite-micro", 869, "a nested If returned the result of the wrong inner branch"),
        ],
    )
    # 2x - (-x), x² - (-x), |x| - x², |x| - 2x
    across = [[9, -15], [12, 20], [-6, -20], [-3, 15]]
    yield nesting(
        "value-kept-across-the-inner-if: "
        "a value of the outer branch, which the inner If does not read, is read after the inner If",
        KEPT,
        [
            Run({"p": np.bool_(p), "q": np.bool_(q), "x": X}, {"y": np.float32(y)})
            for (p, q), y in zip(pairs, across, strict=True)
        ],
        why=[
            GRAPHS,
            "ir-node-ssa",
            issue("tensorflow/tflite-micro", 869, "the memory of a branch and of the enclosing graph overlapped"),
        ],
    )
    for depth in (4, 8, 16):
        yield _tower(depth)
    for depth in (24, 31):
        yield _tower(depth, "a protobuf reader may stop at 100 levels of messages, three to a nested graph")


def _tower(depth: int, doubt: str = "") -> Vector:
    # p decides at 1, 3, 5 …, q at 2, 4, 6 …
    runs = [
        Run({"p": np.True_, "q": np.True_}, {"y": np.int64(0)}),
        Run({"p": np.False_, "q": np.True_}, {"y": np.int64(1)}),
        Run({"p": np.True_, "q": np.False_}, {"y": np.int64(2)}),
    ]
    return nesting(f"depth-{depth}: {depth} Ifs, one in another", tower(depth), runs, doubt=doubt)
