"""Small models of While that many vectors are built from."""

from collections.abc import Sequence

import numpy as np

from ifcert.authoring.tflite import tflite
from ifcert.authoring.tflite_patterns import subgraph
from ifcert.authoring.vector import Run

X = np.float32([1, -2])

# i counts the trips up to n, and y is x doubled in each.
DOUBLES = tflite("""
    subgraph main (n: int32[], x: float32[2]) -> (i, y)
      zero: int32[] = 0
      i: int32[], m: int32[], y: float32[2] = WHILE(zero, n, x) cond=below body=step
    subgraph below (j: int32[], n: int32[], x: float32[2]) -> (more)
      more: bool[] = LESS(j, n)
    subgraph step (j: int32[], n: int32[], x: float32[2]) -> (next, n, doubled)
      one: int32[] = 1
      next: int32[] = ADD(j, one)
      doubled: float32[2] = ADD(x, x)
""")
# The run without a trip is the last: a runtime that refuses the runs after it still passes the others.
DOUBLED: Sequence[Run] = tuple(
    Run({"n": np.int32(n), "x": X}, {"i": np.int32(i), "y": y})
    for n, i, y in [
        (3, 3, np.float32([8, -16])),
        (1, 1, np.float32([2, -4])),
        (0, 0, X),
    ]
)


def below(*variables: str) -> str:
    """The cond of a loop that counts j up to n; `variables` are declared after the two."""
    return subgraph(f"below ({_declared(variables)}) -> (more)", "more: bool[] = LESS(j, n)")


def step(variables: Sequence[str], outputs: str, *lines: str) -> str:
    """The body of such a loop: it counts, passes n through, and returns `outputs`, which its lines compute."""
    return subgraph(
        f"step ({_declared(variables)}) -> (next, n, {outputs})",
        "one: int32[] = 1",
        "next: int32[] = ADD(j, one)",
        *lines,
    )


def _declared(variables: Sequence[str]) -> str:
    return ", ".join(["j: int32[]", "n: int32[]", *variables])
