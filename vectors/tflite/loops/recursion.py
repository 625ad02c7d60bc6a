"""While: subgraphs that reach themselves. No text forbids it, and where it ends it has a result."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, vectors_of
from ifcert.authoring.tflite import tflite

OVERFLOW = issue("tensorflow/tensorflow", 49764, "a body that names itself ran until the stack overflowed")

no_recursion = vectors_of("tflite/while/no-recursion", "onert-invoked-inputs", "reader-recursion", OVERFLOW)

UNSAID = "no text forbids a subgraph that reaches itself, and kernels refuse it"

X = floats(1, -2)

# Each of these bodies makes n less, and its own While makes no trip, since its condition is false.
ITSELF = tflite("""
    subgraph main (n: int32[], x: float32[2]) -> (left, y)
      left: int32[], y: float32[2] = WHILE(n, x) cond=positive body=step
    subgraph positive (n: int32[], x: float32[2]) -> (more)
      zero: int32[] = 0
      more: bool[] = GREATER(n, zero)
    subgraph never (n: int32[], x: float32[2]) -> (no)
      no: bool[] = false
    subgraph step (n: int32[], x: float32[2]) -> (next, twice)
      one: int32[] = 1
      next: int32[] = SUB(n, one)
      m: int32[], same: float32[2] = WHILE(next, x) cond=never body=step
      twice: float32[2] = ADD(same, same)
""")
EACH_OTHER = tflite("""
    subgraph main (n: int32[], x: float32[2]) -> (left, y)
      left: int32[], y: float32[2] = WHILE(n, x) cond=positive body=step
    subgraph positive (n: int32[], x: float32[2]) -> (more)
      zero: int32[] = 0
      more: bool[] = GREATER(n, zero)
    subgraph never (n: int32[], x: float32[2]) -> (no)
      no: bool[] = false
    subgraph step (n: int32[], x: float32[2]) -> (next, twice)
      one: int32[] = 1
      next: int32[] = SUB(n, one)
      m: int32[], same: float32[2] = WHILE(next, x) cond=never body=other
      twice: float32[2] = ADD(same, same)
    subgraph other (n: int32[], x: float32[2]) -> (m, y)
      m: int32[], y: float32[2] = WHILE(n, x) cond=never body=step
""")
RUNS = [
    Run({"n": np.int32(n), "x": X}, {"left": np.int32(0), "y": y})
    for n, y in [(1, floats(2, -4)), (3, floats(8, -16)), (0, X)]
]
PRIMARY = tflite("""
    subgraph main (n: int32[], x: float32[2]) -> (left, y)
      left: int32[], y: float32[2] = WHILE(n, x) cond=positive body=main
    subgraph positive (n: int32[], x: float32[2]) -> (more)
      zero: int32[] = 0
      more: bool[] = GREATER(n, zero)
""")

# The condition calls the If, whose else subgraph has a loop with this condition; only then is ever taken.
IN_CONDITION = tflite("""
    subgraph main (n: int32[], x: float32[2]) -> (left, y)
      left: int32[], y: float32[2] = WHILE(n, x) cond=asks body=step
    subgraph asks (n: int32[], x: float32[2]) -> (more)
      yes: bool[] = true
      more: bool[] = IF(yes, n, x) then=positive else=loops
    subgraph positive (n: int32[], x: float32[2]) -> (more)
      zero: int32[] = 0
      more: bool[] = GREATER(n, zero)
    subgraph loops (n: int32[], x: float32[2]) -> (more)
      zero: int32[] = 0
      m: int32[], y: float32[2] = WHILE(n, x) cond=asks body=step
      more: bool[] = GREATER(m, zero)
    subgraph step (n: int32[], x: float32[2]) -> (next, twice)
      one: int32[] = 1
      next: int32[] = SUB(n, one)
      twice: float32[2] = ADD(x, x)
""")

# The first trip does everything: each invocation of the body doubles once and leaves the rest to itself.
THROUGH_AN_IF = tflite("""
    subgraph main (n: int32[], x: float32[2]) -> (left, y)
      left: int32[], y: float32[2] = WHILE(n, x) cond=positive body=step
    subgraph positive (n: int32[], x: float32[2]) -> (more)
      zero: int32[] = 0
      more: bool[] = GREATER(n, zero)
    subgraph step (n: int32[], x: float32[2]) -> (rest, y)
      one: int32[] = 1
      zero: int32[] = 0
      next: int32[] = SUB(n, one)
      twice: float32[2] = ADD(x, x)
      some: bool[] = GREATER(next, zero)
      rest: int32[], y: float32[2] = IF(some, next, twice) then=step else=same
    subgraph same (n: int32[], x: float32[2]) -> (n, x)
""")


def vectors() -> Iterator[Vector]:
    for case, model in {
        "body-names-itself: the body contains a While with itself as body, which makes no trip": ITSELF,
        "bodies-name-each-other: two bodies name each other, in Whiles that make no trip": EACH_OTHER,
        "condition-names-itself: the condition reaches itself through an If that does not take that subgraph": (
            IN_CONDITION
        ),
        "body-through-an-if: the body invokes itself through an If, until nothing is left": THROUGH_AN_IF,
    }.items():
        yield no_recursion(case, model, RUNS, doubt=UNSAID)
    yield no_recursion(
        "body-is-the-primary: the body is the primary subgraph; no trip is made",
        PRIMARY,
        Run({"n": np.int32(0), "x": X}, {"left": np.int32(0), "y": X}),
        doubt=UNSAID,
    )
