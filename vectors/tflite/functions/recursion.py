"""Subgraphs that reach themselves through an If: each recursion ends and can be computed."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, vectors_of
from ifcert.authoring.tflite import TfliteModel, replaced, tflite
from ifcert.authoring.tflite_patterns import ADDS_OR_NEGATES, X

no_recursion = vectors_of("tflite/if/no-recursion", "onert-if", "onert-same-parameters")

DOUBT = "no text forbids a subgraph that reaches itself, and none defines its meaning"

# 1 + 2 + … + n, in a subgraph that invokes itself.
SUM_TO = tflite("""
    subgraph main (n: int32[]) -> (y)
      zero: int32[] = 0
      more: bool[] = GREATER(n, zero)
      y: int32[] = IF(more, n) then=sum else=last
    subgraph sum (n: int32[]) -> (y)
      one: int32[] = 1
      zero: int32[] = 0
      less: int32[] = SUB(n, one)
      more: bool[] = GREATER(less, zero)
      rest: int32[] = IF(more, less) then=sum else=last
      y: int32[] = ADD(n, rest)
    subgraph last (n: int32[]) -> (zero)
      zero: int32[] = 0
""")


def vectors() -> Iterator[Vector]:
    runs = [Run({"n": np.int32(n)}, {"y": np.int32(y)}) for n, y in [(0, 0), (1, 1), (4, 10)]]
    yield no_recursion("itself: a subgraph is its own then", SUM_TO, runs, doubt=DOUBT)
    yield no_recursion("primary: the primary is its own then", _primary(), runs, doubt=DOUBT)
    yield no_recursion("each-other: two subgraphs invoke each other", _mutual(), _parities(), doubt=DOUBT)
    yield no_recursion(
        "primary-through-another: the primary is the then of a subgraph that it invokes",
        _through_another(),
        runs,
        doubt=DOUBT,
    )
    yield no_recursion(
        "on-the-way-that-is-not-taken: a subgraph is its own else, and cond is true",
        _not_taken(),
        Run({"c": np.True_, "x": X}, {"y": floats(-1, 2)}),
        doubt=DOUBT,
    )
    yield no_recursion(
        "in-a-subgraph-that-is-not-taken: else invokes itself endlessly, and cond is true",
        _endless(),
        Run({"c": np.True_, "x": X}, {"y": floats(11, 18)}),
        doubt=DOUBT,
    )
    for branch, kept in [("then", "else=negates"), ("else", "then=negates")]:
        yield no_recursion(
            f"index-of-{branch}-not-written: "
            f"the index of {branch} is not written, so it is 0, the primary, and the other subgraph is taken",
            tflite(f"""
                subgraph main (c: bool[], x: float32[2]) -> (y)
                  y: float32[2] = IF(c, c, x) {kept}
                subgraph negates (c: bool[], b: float32[2]) -> (minus)
                  minus: float32[2] = NEG(b)
            """),
            Run({"c": np.bool_(branch == "else"), "x": X}, {"y": floats(-1, 2)}),
            why=["reader-options", "onert-same-parameters"],
            doubt=DOUBT + "; the omitted index is a legal default",
        )


def _primary() -> TfliteModel:
    return tflite("""
        subgraph main (n: int32[]) -> (y)
          one: int32[] = 1
          zero: int32[] = 0
          less: int32[] = SUB(n, one)
          more: bool[] = GREATER(n, zero)
          rest: int32[] = IF(more, less) then=main else=last
          y: int32[] = ADD(n, rest)
        subgraph last (n: int32[]) -> (zero)
          zero: int32[] = 0
    """)


def _mutual() -> TfliteModel:
    """Whether n is even: 0 is; any other n is where n - 1 is odd."""
    return tflite("""
        subgraph main (n: int32[]) -> (y)
          zero: int32[] = 0
          more: bool[] = GREATER(n, zero)
          y: bool[] = IF(more, n) then=even else=yes
        subgraph even (n: int32[]) -> (y)
          one: int32[] = 1
          zero: int32[] = 0
          less: int32[] = SUB(n, one)
          more: bool[] = GREATER(less, zero)
          y: bool[] = IF(more, less) then=odd else=no
        subgraph odd (n: int32[]) -> (y)
          one: int32[] = 1
          zero: int32[] = 0
          less: int32[] = SUB(n, one)
          more: bool[] = GREATER(less, zero)
          y: bool[] = IF(more, less) then=even else=yes
        subgraph yes (n: int32[]) -> (k)
          k: bool[] = true
        subgraph no (n: int32[]) -> (k)
          k: bool[] = false
    """)


def _parities() -> list[Run]:
    return [Run({"n": np.int32(n)}, {"y": np.bool_(n % 2 == 0)}) for n in (0, 1, 2, 5, 6)]


def _through_another() -> TfliteModel:
    return tflite("""
        subgraph main (n: int32[]) -> (y)
          zero: int32[] = 0
          more: bool[] = GREATER(n, zero)
          y: int32[] = IF(more, n) then=sum else=last
        subgraph sum (n: int32[]) -> (y)
          one: int32[] = 1
          always: bool[] = true
          less: int32[] = SUB(n, one)
          rest: int32[] = IF(always, less) then=main else=last
          y: int32[] = ADD(n, rest)
        subgraph last (n: int32[]) -> (zero)
          zero: int32[] = 0
    """)


def _not_taken() -> TfliteModel:
    return tflite("""
        subgraph main (c: bool[], x: float32[2]) -> (y)
          y: float32[2] = IF(c, c, x) then=chooses else=negates
        subgraph chooses (c: bool[], b: float32[2]) -> (y)
          y: float32[2] = IF(c, c, b) then=negates else=chooses
        subgraph negates (c: bool[], b: float32[2]) -> (minus)
          minus: float32[2] = NEG(b)
    """)


def _endless() -> TfliteModel:
    return ADDS_OR_NEGATES.edited(
        replaced(
            "  minus: float32[2] = NEG(b)\n",
            "  always: bool[] = true\n  minus: float32[2] = IF(always, b) then=negates else=adds\n",
        )
    )
