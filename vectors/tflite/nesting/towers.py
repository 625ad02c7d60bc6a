"""Subgraphs that invoke subgraphs, many deep."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, ints, vectors_of
from ifcert.authoring.tflite import TfliteModel, as_circle
from ifcert.authoring.tflite_patterns import joined, subgraph

deep = vectors_of("tflite/nested/deep", "rfc-invoke-another")

UNBOUNDED = "no text bounds the depth, and readers have limits of their own"
SURE = 16

X = ints(1, -2)


def ifs() -> Iterator[Vector]:
    """Level k goes on to level k + 1 where n > k, else it returns x + k; the last level returns -x."""
    for depth in (2, 3, 8, 16, 64, 200):
        tower = deep(
            f"ifs-{depth}: {depth} nested Ifs, and x through all of them",
            _ifs(depth),
            [
                Run({"n": np.int32(n), "x": X}, {"y": -X if n == depth else X + np.int32(n)})
                for n in sorted({0, 1, depth // 2, depth - 1, depth})
            ],
            doubt=UNBOUNDED if depth > SURE else "",
        )
        yield tower
        if depth == SURE:
            yield tower.varied(f"ifs-{depth}-circle: the same as a Circle file", as_circle)


def _ifs(depth: int) -> TfliteModel:
    def level(head: str, number: int) -> str:
        return subgraph(
            f"{head} (n: int32[], x: int32[2]) -> (y)",
            f"k: int32[] = {number}",
            "more: bool[] = GREATER(n, k)",
            f"y: int32[2] = IF(more, n, x) then=level{number + 1} else=plus{number}",
        )

    def plus(number: int) -> str:
        return subgraph(
            f"plus{number} (n: int32[], x: int32[2]) -> (sum)", f"k: int32[] = {number}", "sum: int32[2] = ADD(x, k)"
        )

    return joined(
        level("main", 0),
        *(level(f"level{number}", number) for number in range(1, depth)),
        subgraph(
            f"level{depth} (n: int32[], x: int32[2]) -> (minus)", "zero: int32[] = 0", "minus: int32[2] = SUB(zero, x)"
        ),
        *(plus(number) for number in range(depth)),
    )


def loops() -> Iterator[Vector]:
    """Each level makes one trip, in which the next level makes one; the last adds 1."""
    for depth in (2, 3, 8, 16, 64, 200):
        yield deep(
            f"whiles-{depth}: {depth} nested Whiles, of one trip each",
            _loops(depth),
            [Run({"go": np.bool_(go), "x": X}, {"y": X + np.int32(go)}) for go in (1, 0)],
            doubt=UNBOUNDED if depth > SURE else "",
        )


def _loops(depth: int) -> TfliteModel:
    def condition(number: int) -> str:
        return subgraph(f"same{number} (go: bool[], x: int32[2]) -> (go)")

    def level(number: int) -> str:
        return subgraph(
            f"level{number} (go: bool[], x: int32[2]) -> (no, y)",
            "no: bool[] = false",
            f"g: bool[], y: int32[2] = WHILE(go, x) cond=same{number} body=level{number + 1}",
        )

    return joined(
        subgraph(
            "main (go: bool[], x: int32[2]) -> (y)", "g: bool[], y: int32[2] = WHILE(go, x) cond=same0 body=level1"
        ),
        *(condition(number) for number in range(depth)),
        *(level(number) for number in range(1, depth)),
        subgraph(
            f"level{depth} (go: bool[], x: int32[2]) -> (no, sum)",
            "no: bool[] = false",
            "one: int32[] = 1",
            "sum: int32[2] = ADD(x, one)",
        ),
    )


def in_turn() -> Iterator[Vector]:
    """An If, in it a While, in that an If, …: each If negates where it does not continue."""
    for depth in (2, 4, 8):
        yield deep(
            f"in-turn-{2 * depth}: {depth} Ifs and {depth} Whiles of two trips, each in the one before",
            _in_turn(depth),
            branches({"x": X}, then={"y": X + np.int32(2**depth)}, else_={"y": -X}, cond="go"),
        )


def _in_turn(depth: int) -> TfliteModel:
    def choice(head: str, number: int) -> str:
        return subgraph(
            f"{head} (go: bool[], x: int32[2]) -> (y)", f"y: int32[2] = IF(go, go, x) then=loop{number} else=minus"
        )

    def loop(number: int) -> str:
        return subgraph(
            f"loop{number} (go: bool[], x: int32[2]) -> (y)",
            "two: int32[] = 2",
            f"m: int32[], g: bool[], y: int32[2] = WHILE(two, go, x) cond=left{number} body=trip{number}",
        )

    def trip(number: int) -> str:
        return subgraph(
            f"trip{number} (n: int32[], go: bool[], x: int32[2]) -> (next, go, y)",
            "one: int32[] = 1",
            "next: int32[] = SUB(n, one)",
            "y: int32[2] = ADD(x, one)"
            if number == depth
            else f"y: int32[2] = IF(go, go, x) then=loop{number + 1} else=minus",
        )

    def left(number: int) -> str:
        return subgraph(
            f"left{number} (n: int32[], go: bool[], x: int32[2]) -> (more)",
            "zero: int32[] = 0",
            "more: bool[] = GREATER(n, zero)",
        )

    levels = range(1, depth + 1)
    return joined(
        choice("main", 1),
        *(each(number) for number in levels for each in (loop, left, trip)),
        subgraph("minus (go: bool[], x: int32[2]) -> (minus)", "zero: int32[] = 0", "minus: int32[2] = SUB(zero, x)"),
    )
