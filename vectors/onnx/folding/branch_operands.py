"""Operands that decide a shape, held in the branches' initializers: folding must move them too."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, model, says
from onnx import ModelProto

FIELD = [
    issue("microsoft/onnxscript", 2810, "folding dropped such initializers"),
    issue("alibaba/MNN", 3750, "constants of a branch were not carried over"),
]
X = floats([1, -2, 3], [4, 5, -6])


@dataclass(frozen=True)
class Operand:
    """An operator on v and initializers; those of then, those of else, and the results for x."""

    name: str
    node: str
    then_stored: str
    else_stored: str
    of_then: np.ndarray
    of_else: np.ndarray


OPERANDS = [
    Operand(
        "reshape",
        "Reshape (v, s)",
        "int64[2] s = {3, 2}",
        "int64[3] s = {1, 1, 6}",
        X.reshape(3, 2),
        X.reshape(1, 1, 6),
    ),
    Operand("unsqueeze", "Unsqueeze (v, s)", "int64[1] s = {0}", "int64[2] s = {1, 3}", X[None], X[:, None, :, None]),
    Operand("expand", "Expand (v, s)", "int64[3] s = {2, 1, 1}", "int64[2] s = {2, 1}", np.stack([X, X]), X),
    Operand(
        "tile", "Tile (v, s)", "int64[2] s = {1, 2}", "int64[2] s = {2, 1}", np.tile(X, (1, 2)), np.tile(X, (2, 1))
    ),
    Operand("gather", "Gather <axis = 1> (v, s)", "int64[2] s = {2, 0}", "int64 s = {1}", X[:, [2, 0]], X[:, 1]),
    Operand(
        "sum", "ReduceSum <keepdims = 0> (v, s)", "int64[1] s = {0}", "int64[1] s = {1}", floats(5, 3, -3), floats(2, 3)
    ),
    Operand(
        "slice",
        "Slice (v, s, e, d)",
        "int64[1] s = {1}, int64[1] e = {3}, int64[1] d = {1}",
        "int64[1] s = {0}, int64[1] e = {1}, int64[1] d = {0}",
        X[:, 1:3],
        X[:1],
    ),
    Operand(
        "pad",
        "Pad (v, s, e)",
        "int64[4] s = {0, 1, 0, 0}, float e = {7}",
        "int64[4] s = {0, 0, 1, 0}, float e = {-7}",
        floats([7, 1, -2, 3], [7, 4, 5, -6]),
        floats([1, -2, 3], [4, 5, -6], [-7, -7, -7]),
    ),
]


def under_each(operand: Operand) -> ModelProto:
    """y is under a cond that is fed, z under true, w under false; each is returned flattened, with its shape."""

    def choice(name: str, cond: str) -> str:
        return f"""
            chosen_{name} = If ({cond}) <
                then_branch = then_{name} () => (a) <{operand.then_stored}> {{ v = Neg (minus)  a = {operand.node} }},
                else_branch = else_{name} () => (b) <{operand.else_stored}> {{ v = Identity (x)  b = {operand.node} }}>
            {name} = Reshape (chosen_{name}, flat)
            {name}_shape = Shape (chosen_{name})"""

    return model(f"""
        operands (bool cond, float[2,3] x) =>
            (float[?] y, int64[?] y_shape, float[?] z, int64[?] z_shape, float[?] w, int64[?] w_shape)
        <bool yes = {{1}}, bool no = {{0}}, int64[1] flat = {{-1}}> {{
            minus = Neg (x)
            {choice("y", "cond")}
            {choice("z", "yes")}
            {choice("w", "no")}
        }}""")


def outputs_of(operand: Operand, cond: bool) -> dict[str, np.ndarray]:
    """All outputs."""
    values = {"y": operand.of_then if cond else operand.of_else, "z": operand.of_then, "w": operand.of_else}
    return {
        output: held
        for name, value in values.items()
        for output, held in ((name, value.ravel()), (f"{name}_shape", np.int64(value.shape)))
    }


def vectors() -> Iterator[Vector]:
    """An operator each; Squeeze is in constant_cond.py."""
    for operand in OPERANDS:
        yield Vector(
            f"onnx/if/constant-cond-same-result/{operand.name}-operands-in-branch",
            f"operands of {operand.node.partition(' ')[0]} are initializers of the branches, different in each",
            [says("if-cond", note="of a constant one nothing else is said"), "ir-runtime-agnostic", *FIELD],
            under_each(operand),
            [Run({"cond": np.bool_(cond), "x": X}, outputs_of(operand, cond)) for cond in (True, False)],
            also=["onnx/if/shape-union"],
        )
