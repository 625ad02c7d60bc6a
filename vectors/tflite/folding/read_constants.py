"""Constants that an operator reads, and that a subgraph returns or an If or a While is passed as well."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, ints, says, vectors_of
from ifcert.authoring.tflite import tflite

value_semantics = vectors_of("tflite/subgraph/value-semantics", "onert-invoked-inputs", "onert-passing-in")


def vectors() -> Iterator[Vector]:
    yield _added()
    yield _compared()
    yield _read_after_the_loop()


def _added() -> Vector:
    """Both of them are operands of an ADD whose sum nothing reads."""
    return Vector(
        "tflite/subgraph/constant-outputs/both-added-too",
        "then returns two constants, and an operator in it adds them",
        [says("schema-outputs", "schema-outputs-product"), "onert-invoked-outputs"],
        tflite("""
            subgraph main (c: bool[]) -> (y, z)
              y: int32[2], z: int32[2] = IF(c) then=adds else=other
            subgraph adds () -> (k, l)
              k: int32[2] = [3, 4]
              l: int32[2] = [5, 6]
              s: int32[2] = ADD(l, k)
            subgraph other () -> (m, n)
              m: int32[2] = [7, 8]
              n: int32[2] = [9, 10]
        """),
        branches({}, then={"y": ints(3, 4), "z": ints(5, 6)}, else_={"y": ints(7, 8), "z": ints(9, 10)}, cond="c"),
    )


def _compared() -> Vector:
    """They are added, and an If returns them in this order, or in the other one."""
    return value_semantics(
        "constant-operands-are-added-too: "
        "two constants are added, and are an If's operands, which it returns in one order or the other",
        tflite("""
            subgraph main (c: bool[]) -> (y, z, sum)
              k: int32[2] = [3, 4]
              l: int32[2] = [5, 6]
              sum: int32[2] = ADD(l, k)
              y: int32[2], z: int32[2] = IF(c, k, l) then=swaps else=keeps
            subgraph swaps (p: int32[2], q: int32[2]) -> (q, p)
            subgraph keeps (p: int32[2], q: int32[2]) -> (p, q)
        """),
        [
            Run({"c": np.bool_(c)}, {"y": np.int32(a), "z": np.int32(b), "sum": ints(8, 10)})
            for c, a, b in [(False, [3, 4], [5, 6]), (True, [5, 6], [3, 4])]
        ],
    )


def _read_after_the_loop() -> Vector:
    """The same constants are the first values of a While's variables."""
    return value_semantics(
        "constant-operands-of-a-loop-are-packed-too: "
        "two constants are a While's operands and are packed into one tensor",
        tflite("""
            subgraph main (a: int32[]) -> (j, m, pair)
              k: int32[] = 0
              l: int32[] = 2
              j: int32[], m: int32[] = WHILE(k, l) cond=below body=step
              pair: int32[3] = PACK(a, k, l) axis=0
            subgraph below (j: int32[], m: int32[]) -> (more)
              more: bool[] = LESS(j, m)
            subgraph step (j: int32[], m: int32[]) -> (next, m)
              one: int32[] = 1
              next: int32[] = ADD(j, one)
        """),
        Run({"a": np.int32(7)}, {"j": np.int32(2), "m": np.int32(2), "pair": ints(7, 0, 2)}),
    )
