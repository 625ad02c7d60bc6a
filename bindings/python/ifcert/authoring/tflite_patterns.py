"""Small models of TensorFlow Lite that many vectors are built from."""

from collections.abc import Mapping, Sequence
from textwrap import dedent, indent

import numpy as np

from ifcert.authoring.tflite import TfliteModel, tflite
from ifcert.authoring.values import Writable
from ifcert.authoring.vector import Run

X = np.float32([1, -2])
K = np.float32([10, 20])

# y is x + [10, 20] where c is true, else -x.
ADDS_OR_NEGATES = tflite("""
    subgraph main (c: bool[], x: float32[2]) -> (y)
      y: float32[2] = IF(c, x) then=adds else=negates
    subgraph adds (a: float32[2]) -> (sum)
      k: float32[2] = [10, 20]
      sum: float32[2] = ADD(a, k)
    subgraph negates (b: float32[2]) -> (minus)
      minus: float32[2] = NEG(b)
""")
RUNS: Sequence[Run] = (
    Run({"c": np.True_, "x": X}, {"y": np.float32([11, 18])}),
    Run({"c": np.False_, "x": X}, {"y": np.float32([-1, 2])}),
)


def subgraph(head: str, *lines: str) -> str:
    """A subgraph with its head `name (inputs) -> (outputs)` and its lines."""
    return f"subgraph {head}\n" + "".join(indent(dedent(line).strip(), "  ") + "\n" for line in lines if line)


def joined(*subgraphs: str) -> TfliteModel:
    """A model of these subgraphs, the primary one first."""
    return tflite("".join(subgraphs))


def both(then_values: Mapping[str, Writable], else_values: Mapping[str, Writable], **fed: Writable) -> list[Run]:
    """Two runs of these inputs: c is true, then false."""
    return [Run({"c": np.True_, **fed}, then_values), Run({"c": np.False_, **fed}, else_values)]


# Operands of many vectors, and an If on them: `one` and `other` are its subgraphs.
A, B = np.int32([7, -8]), np.int32([20, 30])


def choice(one: str, other: str, outputs: str = "y, z") -> TfliteModel:
    """The If of a and b whose subgraphs, with the inputs p and q, go on with these texts: the outputs, then lines."""
    made = ", ".join(f"{label}: int32[2]" for label in outputs.split(", "))
    return tflite(f"""
subgraph main (c: bool[], a: int32[2], b: int32[2]) -> ({outputs})
  {made} = IF(c, a, b) then=one else=other
subgraph one (p: int32[2], q: int32[2]) -> {one}
subgraph other (p: int32[2], q: int32[2]) -> {other}
""")
