"""Subgraphs whose list of outputs has one tensor twice: each place in the list is an output of its own.

Only the verifier's rules on sources speak of a tensor twice, and a list of outputs is none.
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, ints
from ifcert.authoring.tflite import TfliteModel, tflite

X, K = ints(3, -4), ints(20, 30)

# Tensor t of a subgraph with an input p, the lines that make it, and its value; and the subgraphs that they invoke.
TENSORS = {
    "input": ("its input", "p", "", X),
    "constant": ("a constant", "t", "t: int32[2] = [20, 30]", K),
    "result": ("the result of an ADD", "t", "t: int32[2] = ADD(p, p)", X + X),
    "result-of-if": (
        "the result of an If",
        "t",
        "yes: bool[] = true\n  t: int32[2] = IF(yes, p) then=tripled else=same",
        3 * X,
    ),
    "result-of-while": (
        "the result of a While",
        "t",
        "two: int32[] = 2\n  left: int32[], t: int32[2] = WHILE(two, p) cond=more body=once",
        4 * X,
    ),
}
INVOKED = {
    "result-of-if": """
subgraph tripled (p: int32[2]) -> (thrice)
  twice: int32[2] = ADD(p, p)
  thrice: int32[2] = ADD(twice, p)
subgraph same (p: int32[2]) -> (p)
""",
    "result-of-while": """
subgraph more (n: int32[], p: int32[2]) -> (positive)
  zero: int32[] = 0
  positive: bool[] = GREATER(n, zero)
subgraph once (n: int32[], p: int32[2]) -> (less, twice)
  one: int32[] = 1
  less: int32[] = SUB(n, one)
  twice: int32[2] = ADD(p, p)
""",
}


def _model(text: str, tensor: str) -> TfliteModel:
    _, name, lines, _ = TENSORS[tensor]
    return tflite(text.replace("LINES", lines).replace("TWICE", f"{name}, {name}") + INVOKED.get(tensor, ""))


BRANCH = """
subgraph main (c: bool[], x: int32[2]) -> (y, z)
  y: int32[2], z: int32[2] = IF(c, x) then=lists else=two
subgraph lists (p: int32[2]) -> (TWICE)
  LINES
subgraph two (p: int32[2]) -> (p, minus)
  minus: int32[2] = NEG(p)
"""
BODY = """
subgraph main (n: int32[], x: int32[2]) -> (i, y, z)
  i: int32[], y: int32[2], z: int32[2] = WHILE(n, x, x) cond=positive body=lists
subgraph positive (n: int32[], p: int32[2], q: int32[2]) -> (any)
  zero: int32[] = 0
  any: bool[] = GREATER(n, zero)
subgraph lists (n: int32[], p: int32[2], q: int32[2]) -> (decremented, TWICE)
  minus_one: int32[] = -1
  decremented: int32[] = ADD(n, minus_one)
  LINES
"""
# The last output of the primary is that of an If, which reads the tensor that is listed twice.
MAIN = """
subgraph main (c: bool[], p: int32[2]) -> (TWICE, y)
  LINES
  y: int32[2] = IF(c, READ, p) then=added else=second
subgraph added (q: int32[2], r: int32[2]) -> (sum)
  sum: int32[2] = ADD(q, r)
subgraph second (q: int32[2], r: int32[2]) -> (r)
"""


def _twice() -> Iterator[Vector]:
    for tensor, (what, name, _, value) in TENSORS.items():
        yield Vector(
            f"tflite/if/outputs-positional/listed-twice-{tensor}",
            f"then lists {what} twice as its outputs, and both are outputs of the If",
            ["onert-invoked-outputs", "onert-passing-out"],
            _model(BRANCH, tensor),
            [
                Run({"c": np.bool_(c), "x": X}, dict(zip("yz", (value, value) if c else (X, -X), strict=True)))
                for c in (True, False, True)
            ],
        )
        yield Vector(
            f"tflite/while/body-feeds-next-trip/listed-twice-{tensor}",
            f"the body lists {what} twice as its outputs, which are two variables of the next trip",
            ["onert-while-body"],
            _model(BODY, tensor),
            [
                Run({"n": np.int32(n), "x": X}, {"i": np.int32(0), "y": held, "z": held})
                for n, held in [(1, value), (0, X)]
            ],
        )
        yield Vector(
            f"tflite/subgraph/primary-order/listed-twice-{tensor}",
            f"the primary subgraph lists {what} twice as its outputs, and an If reads it",
            ["onert-primary", "schema-outputs"],
            _model(MAIN.replace("READ", name), tensor),
            [
                Run({"c": np.bool_(c), "p": X}, [(name, value), (name, value), ("y", value + X if c else X)])
                for c in (True, False, True)
            ],
        )
