"""While in the subgraphs of If and While."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import Run, Vector, floats, ints, issue, vectors_of
from ifcert.authoring.tflite import TfliteModel, replaced, tflite
from ifcert.authoring.tflite_loops import X
from ifcert.authoring.tflite_patterns import joined, subgraph

NO_MEMORY = issue(
    "tensorflow/tensorflow", 75140, "a loop's result for a variable that its body passes on has no memory of its own"
)

while_in_while = vectors_of("tflite/nested/while-in-while", "rfc-invoke-another")
while_in_if = vectors_of("tflite/nested/while-in-if", "rfc-invoke-another")

LOOP = (
    subgraph("positive (n: int32[], x: float32[2]) -> (more)", "zero: int32[] = 0", "more: bool[] = GREATER(n, zero)")
    + subgraph(
        "doubles (n: int32[], x: float32[2]) -> (next, twice)",
        "one: int32[] = 1",
        "next: int32[] = SUB(n, one)",
        "twice: float32[2] = ADD(x, x)",
    )
    + subgraph(
        "looping (n: int32[], x: float32[2]) -> (y)",
        "m: int32[], y: float32[2] = WHILE(n, x) cond=positive body=doubles",
    )
)


def loops_in_ifs() -> Iterator[Vector]:
    """A While in then, in else, in both, and in the subgraph that is not taken."""
    negating = subgraph("negates (n: int32[], x: float32[2]) -> (minus)", "minus: float32[2] = NEG(x)")
    head = "main (c: bool[], n: int32[], x: float32[2]) -> (y)"
    for case, then, other, taken in [
        ("in-then: a loop in the then subgraph", "looping", "negates", 1),
        ("in-else: a loop in the else subgraph", "negates", "looping", 0),
    ]:
        yield while_in_if(
            case,
            joined(subgraph(head, f"y: float32[2] = IF(c, n, x) then={then} else={other}"), LOOP, negating),
            [
                Run({"c": np.bool_(c), "n": np.int32(n), "x": X}, {"y": X * np.float32(2**n) if c == taken else -X})
                for c, n in [(taken, 3), (1 - taken, 3), (taken, 1), (taken, 0)]
            ],
        )
    yield while_in_if(
        "in-both: both subgraphs loop, with one condition and separate bodies",
        joined(
            subgraph(head, "y: float32[2] = IF(c, n, x) then=looping else=turning"),
            LOOP,
            subgraph(
                "turning (n: int32[], x: float32[2]) -> (y)",
                "m: int32[], y: float32[2] = WHILE(n, x) cond=positive body=turns",
            ),
            subgraph(
                "turns (n: int32[], x: float32[2]) -> (next, minus)",
                "one: int32[] = 1",
                "next: int32[] = SUB(n, one)",
                "minus: float32[2] = NEG(x)",
            ),
        ),
        [
            Run({"c": np.bool_(c), "n": np.int32(n), "x": X}, {"y": y})
            for c, n, y in [(1, 2, floats(4, -8)), (0, 2, X), (0, 3, -X), (1, 0, X)]
        ],
        also=["tflite/subgraph/shared"],
    )
    yield while_in_if(
        "untaken-has-no-end: the subgraph that is not taken loops forever",
        tflite("""
            subgraph main (c: bool[], x: float32[2]) -> (y)
              y: float32[2] = IF(c, x) then=negates else=spins
            subgraph negates (x: float32[2]) -> (minus)
              minus: float32[2] = NEG(x)
            subgraph spins (x: float32[2]) -> (y)
              y: float32[2] = WHILE(x) cond=always body=doubles
            subgraph always (x: float32[2]) -> (yes)
              yes: bool[] = true
            subgraph doubles (x: float32[2]) -> (twice)
              twice: float32[2] = ADD(x, x)
        """),
        Run({"c": np.True_, "x": X}, {"y": -X}),
        why=["rfc-invoke-another", "onert-if"],
        also=["tflite/if/only-taken-subgraph-runs"],
    )
    yield while_in_if(
        "result-is-used: the loop's result in the subgraph is negated there, and doubled after the If",
        joined(
            subgraph(head, "z: float32[2] = IF(c, n, x) then=behind else=negates", "y: float32[2] = ADD(z, z)"),
            LOOP,
            subgraph(
                "behind (n: int32[], x: float32[2]) -> (minus)",
                "m: int32[], y: float32[2] = WHILE(n, x) cond=positive body=doubles",
                "minus: float32[2] = NEG(y)",
            ),
            negating,
        ),
        [
            Run({"c": np.bool_(c), "n": np.int32(n), "x": X}, {"y": y})
            for c, n, y in [(1, 1, floats(-4, 8)), (0, 1, floats(-2, 4)), (1, 2, floats(-8, 16)), (1, 0, floats(-2, 4))]
        ],
    )


def loops_in_loops() -> Iterator[Vector]:
    """A While in a body, three deep, and in a condition."""
    triangle = while_in_while(
        "triangle: the inner loop counts up to the outer counter: 1 + 2 + … + (n - 1)",
        tflite("""
            subgraph main (n: int32[]) -> (total)
              zero: int32[] = 0
              one: int32[] = 1
              i: int32[], m: int32[], total: int32[] = WHILE(one, n, zero) cond=below body=outer
            subgraph below (i: int32[], n: int32[], total: int32[]) -> (more)
              more: bool[] = LESS(i, n)
            subgraph outer (i: int32[], n: int32[], total: int32[]) -> (next, n, sum)
              zero: int32[] = 0
              one: int32[] = 1
              j: int32[], l: int32[], sum: int32[] = WHILE(zero, i, total) cond=shorter body=inner
              next: int32[] = ADD(i, one)
            subgraph shorter (j: int32[], limit: int32[], total: int32[]) -> (more)
              more: bool[] = LESS(j, limit)
            subgraph inner (j: int32[], limit: int32[], total: int32[]) -> (next, limit, more)
              one: int32[] = 1
              next: int32[] = ADD(j, one)
              more: int32[] = ADD(total, one)
        """),
        [Run({"n": np.int32(n)}, {"total": np.int32(total)}) for n, total in [(2, 1), (5, 10), (20, 190), (1, 0)]],
    )
    yield triangle
    shared = triangle.varied(
        "one-condition-for-both: the inner loop has the outer one's condition", replaced("=shorter", "=below")
    )
    yield replace(shared, also=["tflite/subgraph/shared"])
    yield while_in_while(
        "invariant-of-both: "
        "the inner loop passes k through and adds it twice, and the outer loop passes on what the inner returns for it",
        tflite("""
            subgraph main (n: int32[], k: int32[2], s: int32[2]) -> (kt, st)
              m: int32[], kt: int32[2], st: int32[2] = WHILE(n, k, s) cond=positive body=outer
            subgraph positive (n: int32[], k: int32[2], s: int32[2]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph outer (n: int32[], k: int32[2], s: int32[2]) -> (next, l, t)
              one: int32[] = 1
              two: int32[] = 2
              next: int32[] = SUB(n, one)
              m: int32[], l: int32[2], t: int32[2] = WHILE(two, k, s) cond=left body=adds
            subgraph left (n: int32[], k: int32[2], s: int32[2]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph adds (n: int32[], k: int32[2], s: int32[2]) -> (next, k, sum)
              one: int32[] = 1
              next: int32[] = SUB(n, one)
              sum: int32[2] = ADD(s, k)
        """),
        [
            Run(
                {"n": np.int32(n), "k": ints(10, 20), "s": ints(1, -2)},
                {"kt": ints(10, 20), "st": ints(1 + 20 * n, -2 + 40 * n)},
            )
            for n in (1, 3, 0)
        ],
        why=["rfc-invoke-another", NO_MEMORY],
    )
    yield while_in_while(
        "power: the inner loop multiplies by repeated addition, the outer one multiplies n times",
        tflite("""
            subgraph main (base: int32[], n: int32[]) -> (power)
              one: int32[] = 1
              m: int32[], b: int32[], power: int32[] = WHILE(n, base, one) cond=positive body=multiplies
            subgraph positive (n: int32[], base: int32[], power: int32[]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph multiplies (n: int32[], base: int32[], power: int32[]) -> (next, base, product)
              zero: int32[] = 0
              one: int32[] = 1
              m: int32[], p: int32[], product: int32[] = WHILE(base, power, zero) cond=left body=adds
              next: int32[] = SUB(n, one)
            subgraph left (n: int32[], power: int32[], total: int32[]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph adds (n: int32[], power: int32[], total: int32[]) -> (next, power, sum)
              one: int32[] = 1
              next: int32[] = SUB(n, one)
              sum: int32[] = ADD(total, power)
        """),
        [
            Run({"base": np.int32(base), "n": np.int32(n)}, {"power": np.int32(power)})
            for base, n, power in [(2, 10, 1024), (3, 4, 81), (5, 1, 5), (7, 0, 1)]
        ],
    )
    yield while_in_while(
        "three-deep: three nested loops of n trips each: n * n * n trips of the innermost",
        _three(),
        [Run({"n": np.int32(n)}, {"total": np.int32(n**3)}) for n in (1, 2, 5, 0)],
    )
    yield while_in_while(
        "in-the-condition: the condition adds up 1 to i in its own loop, and compares the sum with the limit",
        tflite("""
            subgraph main (limit: int32[]) -> (i)
              one: int32[] = 1
              i: int32[], l: int32[] = WHILE(one, limit) cond=small body=counts
            subgraph small (i: int32[], limit: int32[]) -> (more)
              zero: int32[] = 0
              j: int32[], sum: int32[] = WHILE(i, zero) cond=positive body=adds
              more: bool[] = LESS(sum, limit)
            subgraph positive (j: int32[], sum: int32[]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(j, zero)
            subgraph adds (j: int32[], sum: int32[]) -> (less, total)
              one: int32[] = 1
              less: int32[] = SUB(j, one)
              total: int32[] = ADD(sum, j)
            subgraph counts (i: int32[], limit: int32[]) -> (next, limit)
              one: int32[] = 1
              next: int32[] = ADD(i, one)
        """),
        [Run({"limit": np.int32(limit)}, {"i": np.int32(i)}) for limit, i in [(10, 4), (11, 5), (5051, 101), (1, 1)]],
    )
    yield while_in_while(
        "grows-inside: in each trip of the outer loop the inner one appends as many 7s as there are trips left",
        tflite("""
            subgraph main (n: int32[], x: float32[?]) -> (y)
              m: int32[], y: float32[?] = WHILE(n, x) cond=positive body=outer
            subgraph positive (n: int32[], x: float32[?]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph outer (n: int32[], x: float32[?]) -> (next, longer)
              one: int32[] = 1
              next: int32[] = SUB(n, one)
              m: int32[], longer: float32[?] = WHILE(n, x) cond=positive body=appends
            subgraph appends (n: int32[], x: float32[?]) -> (next, longer)
              one: int32[] = 1
              k: float32[1] = [7]
              next: int32[] = SUB(n, one)
              longer: float32[?] = CONCATENATION(x, k) axis=0
        """),
        [
            Run({"n": np.int32(n), "x": floats(1)}, {"y": floats(1, *[7] * sevens)})
            for n, sevens in [(1, 1), (3, 6), (4, 10), (0, 0)]
        ],
        also=["tflite/while/growing-shape", "tflite/subgraph/shared"],
    )


def _inner_without_a_trip() -> Iterator[Vector]:
    """The inner loop makes trips at first, and none later: what it returned before is not what it returns then."""
    yield while_in_while(
        "none-in-later-trips: "
        "the inner loop counts from the outer counter to m, and makes no trip from then on; the outer loop adds 10 too",
        tflite("""
            subgraph main (n: int32[], m: int32[]) -> (total)
              zero: int32[] = 0
              i: int32[], k: int32[], l: int32[], total: int32[] = WHILE(zero, n, m, zero) cond=below body=outer
            subgraph below (i: int32[], n: int32[], m: int32[], total: int32[]) -> (more)
              more: bool[] = LESS(i, n)
            subgraph outer (i: int32[], n: int32[], m: int32[], total: int32[]) -> (next, n, m, sum)
              one: int32[] = 1
              ten: int32[] = 10
              j: int32[], l: int32[], counted: int32[] = WHILE(i, m, total) cond=shorter body=inner
              sum: int32[] = ADD(counted, ten)
              next: int32[] = ADD(i, one)
            subgraph shorter (j: int32[], m: int32[], total: int32[]) -> (more)
              more: bool[] = LESS(j, m)
            subgraph inner (j: int32[], m: int32[], total: int32[]) -> (next, m, sum)
              one: int32[] = 1
              next: int32[] = ADD(j, one)
              sum: int32[] = ADD(total, one)
        """),
        [
            Run({"n": np.int32(n), "m": np.int32(m)}, {"total": np.int32(total)})
            for n, m, total in [(4, 2, 43), (2, 1, 21), (3, 0, 30), (1, 3, 13)]
        ],
        why=["rfc-invoke-another", "onert-while-cond"],
    )
    yield while_in_while(
        "none-in-the-last-trip: "
        "the inner loop appends a 7 for each trip that the outer one has left, none in the last; the outer appends a 5",
        tflite("""
            subgraph main (n: int32[], x: float32[?]) -> (y)
              m: int32[], y: float32[?] = WHILE(n, x) cond=positive body=outer
            subgraph positive (n: int32[], x: float32[?]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph outer (n: int32[], x: float32[?]) -> (next, longest)
              one: int32[] = 1
              five: float32[1] = [5]
              next: int32[] = SUB(n, one)
              m: int32[], longer: float32[?] = WHILE(next, x) cond=left body=appends
              longest: float32[?] = CONCATENATION(longer, five) axis=0
            subgraph left (n: int32[], x: float32[?]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph appends (n: int32[], x: float32[?]) -> (next, longer)
              one: int32[] = 1
              seven: float32[1] = [7]
              next: int32[] = SUB(n, one)
              longer: float32[?] = CONCATENATION(x, seven) axis=0
        """),
        [
            Run({"n": np.int32(n), "x": floats(1)}, {"y": floats(1, *rest)})
            for n, rest in [(3, [7, 7, 5, 7, 5, 5]), (2, [7, 5, 5]), (1, [5]), (0, [])]
        ],
        why=["rfc-invoke-another", "onert-while-cond"],
        also=["tflite/while/growing-shape"],
    )
    matrix = floats([1, -2, 3], [-4, 5, -6])
    yield while_in_while(
        "as-many-elements: "
        "each trip of the outer loop gives x the shape s and turns s around, and the inner loop doubles x",
        tflite("""
            subgraph main (n: int32[], s: int32[2], x: float32[?,?]) -> (y)
              m: int32[], t: int32[2], y: float32[?,?] = WHILE(n, s, x) cond=positive body=outer
            subgraph positive (n: int32[], s: int32[2], x: float32[?,?]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph outer (n: int32[], s: int32[2], x: float32[?,?]) -> (next, around, doubled)
              one: int32[] = 1
              order: int32[2] = [1, 0]
              next: int32[] = SUB(n, one)
              around: int32[2] = GATHER(s, order)
              reshaped: float32[?,?] = RESHAPE(x, s)
              m: int32[], doubled: float32[?,?] = WHILE(one, reshaped) cond=left body=doubles
            subgraph left (n: int32[], x: float32[?,?]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph doubles (n: int32[], x: float32[?,?]) -> (next, twice)
              one: int32[] = 1
              next: int32[] = SUB(n, one)
              twice: float32[?,?] = ADD(x, x)
        """),
        [
            Run({"n": np.int32(n), "s": ints(3, 2), "x": matrix}, {"y": y})
            for n, y in [(2, 4 * matrix), (1, 2 * matrix.reshape(3, 2)), (3, 8 * matrix.reshape(3, 2)), (0, matrix)]
        ],
        why=["rfc-invoke-another", "rfc-reallocates"],
        also=["tflite/while/growing-shape"],
    )


def _three() -> TfliteModel:
    def body(name: str, *lines: str) -> str:
        return subgraph(
            f"{name} (i: int32[], n: int32[], total: int32[]) -> (next, n, sum)",
            "zero: int32[] = 0",
            "one: int32[] = 1",
            *lines,
            "next: int32[] = ADD(i, one)",
        )

    return joined(
        subgraph(
            "main (n: int32[]) -> (total)",
            "zero: int32[] = 0",
            "i: int32[], m: int32[], total: int32[] = WHILE(zero, n, zero) cond=below1 body=outer",
        ),
        *(
            subgraph(f"below{level} (i: int32[], n: int32[], total: int32[]) -> (more)", "more: bool[] = LESS(i, n)")
            for level in (1, 2, 3)
        ),
        body("outer", "j: int32[], m: int32[], sum: int32[] = WHILE(zero, n, total) cond=below2 body=middle"),
        body("middle", "j: int32[], m: int32[], sum: int32[] = WHILE(zero, n, total) cond=below3 body=inner"),
        body("inner", "sum: int32[] = ADD(total, one)"),
    )
