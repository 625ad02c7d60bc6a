"""An If's result is a value like any other."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, ints, vectors_of
from ifcert.authoring.tflite import tflite
from ifcert.authoring.tflite_patterns import A, B, both

value_semantics = vectors_of("tflite/subgraph/value-semantics", "onert-invoked-outputs", "onert-passing-out")


def vectors() -> Iterator[Vector]:
    bodies = """
        subgraph doubles (p: int32[2]) -> (q)
          q: int32[2] = ADD(p, p)
        subgraph negates (p: int32[2]) -> (q)
          q: int32[2] = NEG(p)
    """
    yield value_semantics(
        "many-consumers: three operators and an output read the If's result",
        tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (y, s, m, d)
          y: int32[2] = IF(c, a) then=doubles else=negates
          s: int32[2] = ADD(y, a)
          m: int32[2] = NEG(y)
          d: int32[2] = SUB(y, y)
        {bodies}"""),
        both({"y": 2 * A, "s": 3 * A, "m": -2 * A, "d": 0 * A}, {"y": -A, "s": 0 * A, "m": A, "d": 0 * A}, a=A),
    )
    for case, first, second, values in [
        ("two-in-a-row", "c", "c", (4 * A, A)),
        ("two-in-a-row-of-other-conds", "c", "n", (-2 * A, -2 * A)),
    ]:
        yield value_semantics(
            f"{case}: one If's result is the operand of the next",
            tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (z)
          n: bool[] = LOGICAL_NOT(c)
          y: int32[2] = IF({first}, a) then=doubles else=negates
          z: int32[2] = IF({second}, y) then=doubles else=negates
        {bodies}"""),
            both({"z": values[0]}, {"z": values[1]}, a=A),
        )
    yield value_semantics(
        "eight-in-a-row: eight Ifs in a row, each of which reads the preceding one's result",
        tflite(
            "subgraph main (c: bool[], a: int32[2]) -> (y8)\n"
            + "".join(
                f"  y{i}: int32[2] = IF(c, {f'y{i - 1}' if i > 1 else 'a'}) then=doubles else=negates\n"
                for i in range(1, 9)
            )
            + bodies
        ),
        both({"y8": 256 * A}, {"y8": A}, a=A),
    )
    yield value_semantics(
        "its-own-operands-again: an If reads the outputs of another in the other order",
        tflite("""
            subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (u, v)
              y: int32[2], z: int32[2] = IF(c, a, b) then=same else=swaps
              u: int32[2], v: int32[2] = IF(c, z, y) then=same else=swaps
            subgraph same (p: int32[2], q: int32[2]) -> (p, q)
            subgraph swaps (p: int32[2], q: int32[2]) -> (q, p)
        """),
        both({"u": B, "v": A}, {"u": B, "v": A}, a=A, b=B),
    )
    yield value_semantics(
        "as-index-and-as-shape: an If's results are the indices of GATHER and the shape of RESHAPE",
        tflite("""
            subgraph main (c: bool[], a: int32[4]) -> (g, r)
              y: int32[?] = IF(c) then=one else=other
              g: int32[?] = GATHER(a, y) axis=0
              r: int32[...] = RESHAPE(a, y)
            subgraph one () -> (k)
              k: int32[2] = [2, 2]
            subgraph other () -> (k)
              k: int32[3] = [1, 2, 2]
        """),
        both(
            {"g": ints(30, 30), "r": ints([10, 20], [30, 40])},
            {"g": ints(20, 30, 30), "r": np.int32([[[10, 20], [30, 40]]])},
            a=ints(10, 20, 30, 40),
        ),
    )
    matrix = ints([1, 2, 3], [40, 50, 60])
    yield value_semantics(
        "as-axes: an If's result is the axis along which SUM adds up a matrix, 0 or 1",
        tflite("""
            subgraph main (c: bool[], a: int32[2,3]) -> (s)
              y: int32[1] = IF(c) then=one else=other
              s: int32[?] = SUM(a, y)
            subgraph one () -> (k)
              k: int32[1] = [0]
            subgraph other () -> (k)
              k: int32[1] = [1]
        """),
        both({"s": ints(41, 52, 63)}, {"s": ints(6, 150)}, a=matrix),
        doubt="an operator takes tensors, but no text says whether the axes of SUM may be computed",
    )
