"""Subgraphs that serve more than one operator, or one operator twice."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, ints, vectors_of
from ifcert.authoring.tflite import tflite
from ifcert.authoring.values import Writable

shared = vectors_of("tflite/subgraph/shared", "rfc-same-semantic", "onert-same-parameters", "rfc-integer-index")

A, B = ints(7, -8), ints(20, 30)


def _runs(then_values: dict[str, Writable], else_values: dict[str, Writable], **fed: Writable) -> list[Run]:
    return [Run({"c": np.bool_(c), **fed}, then_values if c else else_values) for c in (True, False, True)]


def _by_one() -> Iterator[Vector]:
    yield shared(
        "then-is-else: then and else are the same subgraph",
        tflite("""
            subgraph main (c: bool[], a: int32[2]) -> (y)
              y: int32[2] = IF(c, a) then=doubles else=doubles
            subgraph doubles (p: int32[2]) -> (q)
              q: int32[2] = ADD(p, p)
        """),
        _runs({"y": 2 * A}, {"y": 2 * A}, a=A),
    )
    yield shared(
        "then-is-else-and-passes: then and else are the same subgraph, which returns its input",
        tflite("""
            subgraph main (c: bool[], a: int32[2]) -> (y)
              y: int32[2] = IF(c, a) then=same else=same
            subgraph same (p: int32[2]) -> (p)
        """),
        _runs({"y": A}, {"y": A}, a=A),
    )
    yield shared(
        "then-is-else-and-constant: then and else are the same subgraph, which returns a constant",
        tflite("""
            subgraph main (c: bool[]) -> (y)
              y: int32[2] = IF(c) then=seven else=seven
            subgraph seven () -> (k)
              k: int32[2] = [7, 7]
        """),
        _runs({"y": ints(7, 7)}, {"y": ints(7, 7)}),
    )


BODIES = """
subgraph doubles (p: int32[2]) -> (q)
  q: int32[2] = ADD(p, p)
subgraph negates (p: int32[2]) -> (q)
  q: int32[2] = NEG(p)
"""


def _by_two() -> Iterator[Vector]:
    yield shared(
        "by-two-ifs: two Ifs have the same two subgraphs and different operands",
        tflite(
            """subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y, z)
  y: int32[2] = IF(c, a) then=doubles else=negates
  z: int32[2] = IF(c, b) then=doubles else=negates
"""
            + BODIES
        ),
        _runs({"y": 2 * A, "z": 2 * B}, {"y": -A, "z": -B}, a=A, b=B),
    )
    yield shared(
        "then-of-one-else-of-the-other: the second If has them in the other order",
        tflite(
            """subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y, z)
  y: int32[2] = IF(c, a) then=doubles else=negates
  z: int32[2] = IF(c, b) then=negates else=doubles
"""
            + BODIES
        ),
        _runs({"y": 2 * A, "z": -B}, {"y": -A, "z": 2 * B}, a=A, b=B),
    )
    yield shared(
        "result-goes-through-it-again: a subgraph's result is its operand in the next If",
        tflite(
            """subgraph main (c: bool[], a: int32[2]) -> (y, z)
  y: int32[2] = IF(c, a) then=doubles else=negates
  z: int32[2] = IF(c, y) then=doubles else=doubles
"""
            + BODIES
        ),
        _runs({"y": 2 * A, "z": 4 * A}, {"y": -A, "z": -2 * A}, a=A),
    )
    yield shared(
        "on-two-levels: a subgraph serves an If of the primary, and one inside the other branch",
        tflite(
            """subgraph main (c: bool[], d: bool[], a: int32[2]) -> (y)
  y: int32[2] = IF(c, d, a) then=doubled else=inner
subgraph doubled (d: bool[], p: int32[2]) -> (q)
  always: bool[] = true
  q: int32[2] = IF(always, p) then=doubles else=negates
subgraph inner (d: bool[], p: int32[2]) -> (s)
  q: int32[2] = IF(d, p) then=doubles else=negates
  r: int32[2] = IF(d, q) then=negates else=doubles
  s: int32[2] = ADD(q, r)
"""
            + BODIES
        ),
        [
            Run({"c": np.bool_(c), "d": np.bool_(d), "a": A}, {"y": y})
            for c, d, y in [(1, 0, 2 * A), (0, 1, 0 * A), (0, 0, -3 * A), (1, 1, 2 * A)]
        ],
    )


def _by_while() -> Iterator[Vector]:
    """One subgraph is a While's body and an If's branch, another a While's condition and an If's branch."""
    loop = """
  y: int32[] = WHILE(n) cond=small body=doubles
"""
    bodies = """
subgraph small (p: int32[]) -> (c)
  k: int32[] = 50
  c: bool[] = LESS(p, k)
subgraph doubles (p: int32[]) -> (q)
  q: int32[] = ADD(p, p)
subgraph negates (p: int32[]) -> (q)
  q: int32[] = NEG(p)
subgraph big (p: int32[]) -> (c)
  k: int32[] = 100
  c: bool[] = GREATER(p, k)
"""
    n = np.int32(3)
    yield shared(
        "by-if-and-while-body: a subgraph is the body of a While and the then of an If after it",
        tflite(
            "subgraph main (c: bool[], n: int32[]) -> (y, z)"
            + loop
            + "  z: int32[] = IF(c, y) then=doubles else=negates\n"
            + bodies
        ),
        _runs({"y": np.int32(96), "z": np.int32(192)}, {"y": np.int32(96), "z": np.int32(-96)}, n=n),
    )
    yield shared(
        "by-if-before-while-body: a subgraph is the then of an If and the body of a While after it",
        tflite(
            """subgraph main (c: bool[], n: int32[]) -> (x, y)
  x: int32[] = IF(c, n) then=doubles else=doubles
  y: int32[] = WHILE(x) cond=small body=doubles
"""
            + bodies
        ),
        _runs({"x": np.int32(6), "y": np.int32(96)}, {"x": np.int32(6), "y": np.int32(96)}, n=n),
    )
    yield shared(
        "by-if-and-while-cond: a subgraph is the condition of a While and the then of an If",
        tflite(
            "subgraph main (c: bool[], n: int32[]) -> (y, z)"
            + loop
            + "  z: bool[] = IF(c, n) then=small else=big\n"
            + bodies
        ),
        _runs({"y": np.int32(96), "z": np.True_}, {"y": np.int32(96), "z": np.False_}, n=n),
    )
    yield shared(
        "by-two-whiles: two Whiles have the same condition and body",
        tflite(
            """subgraph main (n: int32[], m: int32[]) -> (y, z)
  y: int32[] = WHILE(n) cond=small body=doubles
  z: int32[] = WHILE(m) cond=small body=doubles
"""
            + bodies
        ),
        Run({"n": np.int32(3), "m": np.int32(7)}, {"y": np.int32(96), "z": np.int32(56)}),
    )
    yield shared(
        "inside-and-outside-a-while: a subgraph is the then of an If in the body of a While, and of one outside",
        tflite(
            """subgraph main (c: bool[], n: int32[]) -> (y, z)
  y: int32[] = WHILE(n) cond=small body=step
  z: int32[] = IF(c, n) then=doubles else=negates
subgraph step (p: int32[]) -> (q)
  always: bool[] = true
  q: int32[] = IF(always, p) then=doubles else=negates
"""
            + bodies
        ),
        _runs({"y": np.int32(96), "z": np.int32(6)}, {"y": np.int32(96), "z": np.int32(-3)}, n=n),
    )


def _of_other_shapes() -> Iterator[Vector]:
    model = tflite("""
        subgraph main (c: bool[], a: int32[?], b: int32[?,?]) -> (y, z)
          y: int32[?] = IF(c, a) then=doubles else=negates
          z: int32[?,?] = IF(c, b) then=doubles else=negates
        subgraph doubles (p: int32[...]) -> (q)
          q: int32[...] = ADD(p, p)
        subgraph negates (p: int32[...]) -> (q)
          q: int32[...] = NEG(p)
    """)
    matrix, wide = ints([1, 2, 3], [4, 5, 6]), ints(1, 2, 3, 4, 5)
    yield shared(
        "with-other-shapes: one subgraph is invoked with a vector and with a matrix in one run",
        model,
        Run({"c": np.True_, "a": A, "b": matrix}, {"y": 2 * A, "z": 2 * matrix}),
        Run({"c": np.False_, "a": wide, "b": matrix}, {"y": -wide, "z": -matrix}),
        Run({"c": np.True_, "a": wide, "b": matrix.T.copy()}, {"y": 2 * wide, "z": 2 * matrix.T}),
    )
