"""Outer values that a branch reads or returns, and whose shape is read as well, or is not known before the run."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, says
from onnx import ModelProto

X = floats(1, -2)
FLAGS = np.bool_([True, False, True, True, False, False])


def measured(inputs: str, cond: str) -> ModelProto:
    """The main graph computes v and its shape, and an If whose two branches read v."""
    return model(f"""
        measured ({inputs}) => (float[2] y, int64[1] n) {cond} {{
            v = Neg (x)
            n = Shape (v)
            y = If (c) <
                then_branch = then_graph () => (a) {{ a = Add (v, v) }},
                else_branch = else_graph () => (b) {{ b = Mul (v, v) }}>
        }}""")


def vectors() -> Iterator[Vector]:
    doubled, squared = {"y": floats(-2, 4), "n": np.int64([2])}, {"y": floats(1, 4), "n": np.int64([2])}
    yield Vector(
        "onnx/if/outer-scope-capture/value-whose-shape-is-read",
        "both branches read a value whose shape the main graph returns",
        ["ir-outer-scope", "operators-shape"],
        measured("bool c, float[2] x", ""),
        branches({"x": X}, then=doubled, else_=squared, cond="c"),
    )
    for case, number, expected in [("true", 1, doubled), ("false", 0, squared)]:
        yield Vector(
            f"onnx/if/constant-cond-same-result/captured-value-whose-shape-is-read-{case}",
            f"the same, and the cond is an initializer, {case}",
            [
                "ir-outer-scope",
                "operators-shape",
                says("if-cond", note="of a constant one nothing else is said"),
                "ir-runtime-agnostic",
            ],
            measured("float[2] x", f"<bool c = {{{number}}}>"),
            [Run({"x": X}, expected)],
            also=["onnx/if/outer-scope-capture"],
        )
    yield Vector(
        "onnx/if/shape-union/unknown-length-returned-in-first-run",
        "then returns a constant of one element, else a value of unknown length, here also of one; beside the If, six "
        "bools are reshaped to their own shape",
        ["if-different-shapes", "ir-outer-scope"],
        model("""
            beside (bool c, int64[n] x, bool[m] flags) => (int64[k] y, bool[m] same) {
                y = If (c) <
                    then_branch = then_graph () => (a) { a = Constant <value = int64[1] {50}> () },
                    else_branch = else_graph () => (b) { b = Identity (x) }>
                shape = Shape (flags)
                same = Reshape (flags, shape)
            }"""),
        [Run({"c": np.False_, "x": np.int64([60]), "flags": FLAGS}, {"y": np.int64([60]), "same": FLAGS})],
    )
