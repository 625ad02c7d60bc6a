"""Branches that read their If's cond: it is the value that was fed, of the rank that it has, not only its truth."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, model, says

OUTER_RULE, FOLDED = "onnx/if/outer-scope-capture/", "onnx/if/constant-cond-same-result/"

# Then returns cond, else what it is not.
READ = """
    read (INPUTS) => (bool[DIMS] y) CONSTANTS {
        MADE
        y = If (cond) <
            then_branch = then_graph () => (bool[DIMS] a) { a = Identity (cond) },
            else_branch = else_graph () => (bool[DIMS] b) { b = Not (cond) }>
    }"""

# The branches of the inner If do.
READ_BELOW = """
    below (bool[1] cond, bool deeper) => (bool[1] y) {
        y = If (cond) <
            then_branch = then_graph () => (bool[1] a) {
                a = If (deeper) <
                    then_branch = deep_then () => (bool[1] c) { c = Identity (cond) },
                    else_branch = deep_else () => (bool[1] d) { d = Not (cond) }>
            },
            else_branch = else_graph () => (bool[1] b) {
                b = If (deeper) <
                    then_branch = deep_then_2 () => (bool[1] e) { e = Identity (cond) },
                    else_branch = deep_else_2 () => (bool[1] f) { f = Not (cond) }>
            }>
    }"""


def _read(inputs: str, dims: str, constants: str = "", made: str = "") -> str:
    text = READ.replace("INPUTS", inputs).replace("DIMS", dims)
    return text.replace("CONSTANTS", constants).replace("MADE", made)


def vectors() -> Iterator[Vector]:
    for dims, shape in [("1", [1]), ("1,1", [1, 1])]:
        true, false = np.full(shape, np.True_), np.full(shape, np.False_)
        yield Vector(
            f"{OUTER_RULE}cond-of-rank-{len(shape)}",
            f"cond has the shape {shape}; then returns it, else what it is not",
            ["ir-outer-scope", "if-cond-single-element", "operators-identity-copy"],
            model(_read(f"bool[{dims}] cond", dims)),
            [Run({"cond": true}, {"y": true}), Run({"cond": false}, {"y": true}), Run({"cond": true}, {"y": true})],
            also=["onnx/if/cond-single-element"],
        )
    true = np.bool_([True])
    yield Vector(
        OUTER_RULE + "cond-of-rank-1-computed",
        "cond is a comparison of shape [1]; then returns it, else what it is not",
        ["ir-outer-scope", "if-cond-single-element", "operators-identity-copy"],
        model(_read("float[1] x", "1", "<float[1] zero = {0}>", "cond = Greater (x, zero)")),
        [Run({"x": floats(x)}, {"y": true}) for x in (3, -3, 0)],
        also=["onnx/if/cond-single-element"],
    )
    for held, number in [("true", 1), ("false", 0)]:
        yield Vector(
            f"{FOLDED}cond-of-rank-1-read-{held}",
            f"cond is an initializer of shape [1], {held}; then returns it, else what it is not",
            [
                "ir-outer-scope",
                "if-cond-single-element",
                says("if-cond", note="of a constant one nothing else is said"),
                "ir-runtime-agnostic",
                "operators-identity-copy",
            ],
            model(_read("", "1", f"<bool[1] cond = {{{number}}}>")),
            [Run({}, {"y": true})],
            also=["onnx/if/outer-scope-capture"],
        )
    yield Vector(
        OUTER_RULE + "cond-of-rank-1-two-levels-down",
        "the branches of an If within then and of one within else read the outer If's cond, of shape [1]",
        ["ir-outer-scope", "if-cond-single-element", "operators-identity-copy"],
        model(READ_BELOW),
        [
            Run({"cond": np.bool_([cond]), "deeper": np.bool_(deeper)}, {"y": np.bool_([cond == deeper])})
            for cond in (True, False)
            for deeper in (True, False)
        ],
        also=["onnx/if/nesting"],
    )
