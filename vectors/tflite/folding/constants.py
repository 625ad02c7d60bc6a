"""Constants that subgraphs return."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, ints, issue, says, vectors_of
from ifcert.authoring.tflite import tflite
from ifcert.authoring.tflite_patterns import A, B, both, choice

SUBGRAPH_OUTPUTS = says("schema-outputs", "schema-outputs-product")

OF_MODEL = issue("Samsung/ONE", 4231, "a model that returned a constant crashed")

constant_outputs = vectors_of("tflite/subgraph/constant-outputs", SUBGRAPH_OUTPUTS, "onert-invoked-outputs")


def vectors() -> Iterator[Vector]:
    why = [SUBGRAPH_OUTPUTS, "onert-invoked-outputs"]
    k, other = "k: int32[2] = [3, 4]", "l: int32[2] = [5, 6]"
    three, five = ints(3, 4), ints(5, 6)
    for case, (then_, else_, then_values, else_values) in {
        "two-of-then: then returns two constants, else its inputs": (
            f"(k, l)\n  {k}\n  {other}",
            "(p, q)",
            (three, five),
            (A, B),
        ),
        "one-twice: then returns a constant twice, else its inputs": (
            f"(k, k)\n  {k}",
            "(p, q)",
            (three, three),
            (A, B),
        ),
        "beside-a-passed-input: then returns a constant and its input, else the same in the other order": (
            f"(k, q)\n  {k}",
            f"(p, l)\n  {other}",
            (three, B),
            (A, five),
        ),
        "beside-what-is-computed-of-it: then returns a constant and a sum with it": (
            f"(k, s)\n  {k}\n  s: int32[2] = ADD(k, p)",
            f"(s, l)\n  {other}\n  s: int32[2] = ADD(l, l)",
            (three, three + A),
            (five + five, five),
        ),
    }.items():
        runs = both(dict(zip("yz", then_values, strict=True)), dict(zip("yz", else_values, strict=True)), a=A, b=B)
        yield constant_outputs(case, choice(then_, else_), [*runs, runs[0]])
    primary = tflite("""
        subgraph main (c: bool[], a: int32[2]) -> (k, y)
          k: int32[2] = [3, 4]
          y: int32[2] = IF(c, k, a) then=one else=other
        subgraph one (p: int32[2], q: int32[2]) -> (p)
        subgraph other (p: int32[2], q: int32[2]) -> (s)
          s: int32[2] = ADD(p, q)
    """)
    yield constant_outputs(
        "of-the-primary: the primary returns a constant, which is an operand of the If too",
        primary,
        both({"k": three, "y": three}, {"k": three, "y": three + A}, a=A),
    )
    yield constant_outputs(
        "of-the-primary-alone: the primary returns a constant, which nothing reads, between an If's two results",
        tflite("""
            subgraph main (c: bool[], a: int32[2]) -> (y, k, z)
              k: int32[2] = [3, 4]
              y: int32[2], z: int32[2] = IF(c, a) then=one else=other
            subgraph one (p: int32[2]) -> (p, twice)
              twice: int32[2] = ADD(p, p)
            subgraph other (p: int32[2]) -> (minus, p)
              minus: int32[2] = NEG(p)
        """),
        both({"y": A, "k": three, "z": A + A}, {"y": -A, "k": three, "z": A}, a=A),
        why=[*why, OF_MODEL],
    )
    yield constant_outputs(
        "nothing-computed: then returns a constant, else another; neither has inputs",
        tflite("""
            subgraph main (c: bool[]) -> (y)
              y: float32[2] = IF(c) then=one else=other
            subgraph one () -> (k)
              k: float32[2] = [0.5, -0.25]
            subgraph other () -> (k)
              k: float32[2] = [8, 16]
        """),
        [
            Run({"c": np.bool_(c)}, {"y": np.float32([0.5, -0.25] if c else [8, 16])})
            for c in (True, False, False, True)
        ],
    )
    yield constant_outputs(
        "in-one-buffer: both subgraphs' constants share one buffer",
        tflite("""
            subgraph main (c: bool[]) -> (y)
              y: int32[...] = IF(c) then=one else=other
            subgraph one () -> (k)
              k: int32[4] = [1, 2, 3, 4]
            subgraph other () -> (k)
              k: int32[2,2] {buffer=1}
        """),
        branches({}, then={"y": ints(1, 2, 3, 4)}, else_={"y": ints([1, 2], [3, 4])}, cond="c"),
    )
    rows = ints([1, 2, 3], [4, 5, 6])
    yield constant_outputs(
        "in-one-buffer-of-two-shapes: both subgraphs' constants share one buffer: then's is [2, 3], else's [3, 2]",
        tflite("""
            subgraph main (c: bool[]) -> (y)
              y: int32[?,?] = IF(c) then=one else=other
            subgraph one () -> (k)
              k: int32[2,3] = [[1, 2, 3], [4, 5, 6]]
            subgraph other () -> (k)
              k: int32[3,2] {buffer=1}
        """),
        branches({}, then={"y": rows}, else_={"y": rows.reshape(3, 2)}, cond="c"),
    )
    yield constant_outputs(
        "without-elements: "
        "then returns a constant of no elements, else its input; a constant of no elements is the other operand",
        tflite("""
            subgraph main (c: bool[], a: int32[2]) -> (y, z)
              none: int32[0] = []
              y: int32[?], z: int32[?] = IF(c, a, none) then=one else=other
            subgraph one (p: int32[2], q: int32[0]) -> (k, both)
              k: int32[0] = []
              both: int32[2] = CONCATENATION(p, q) axis=0
            subgraph other (p: int32[2], q: int32[0]) -> (p, q)
        """),
        [
            Run(
                {"c": np.bool_(c), "a": A},
                {"y": np.zeros(0, np.int32), "z": A} if c else {"y": A, "z": np.zeros(0, np.int32)},
            )
            for c in (1, 0, 1)
        ],
        about=["empty-constants"],
    )


def _known_beforehand() -> Iterator[Vector]:
    """Results that a runtime can compute before the run."""
    yield constant_outputs(
        "product-of-constants: then returns the product of two constants, else a constant",
        tflite("""
            subgraph main (c: bool[]) -> (y)
              y: int32[2] = IF(c) then=one else=other
            subgraph one () -> (product)
              k: int32[2] = [3, 4]
              l: int32[2] = [50, 60]
              product: int32[2] = MUL(k, l)
            subgraph other () -> (k)
              k: int32[2] = [5, 6]
        """),
        [Run({"c": np.bool_(c)}, {"y": np.int32([150, 240] if c else [5, 6])}) for c in (True, False, True)],
    )
    yield Vector(
        "tflite/subgraph/value-semantics/shape-of-an-operand",
        "then returns the shape of its input, [3], else a constant",
        ["onert-invoked-outputs"],
        tflite("""
            subgraph main (c: bool[], x: float32[3]) -> (y)
              y: int32[1] = IF(c, x) then=one else=other
            subgraph one (x: float32[3]) -> (shape)
              shape: int32[1] = SHAPE(x)
            subgraph other (x: float32[3]) -> (k)
              k: int32[1] = [5]
        """),
        both({"y": ints(3)}, {"y": ints(5)}, x=floats(1, 2, 3)),
    )
