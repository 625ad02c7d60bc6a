"""If in the subgraphs of If and While."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, vectors_of
from ifcert.authoring.tflite import TfliteModel, as_circle, tflite
from ifcert.authoring.tflite_loops import X
from ifcert.authoring.tflite_patterns import joined, subgraph

MEMORY = issue("tensorflow/tflite-micro", 869, "an If in an If returned the result of the other inner branch")
OVERLAP = issue("tensorflow/tflite-micro", 853, "memory of an If's subgraphs overlapped that of the enclosing graph")

if_in_if = vectors_of("tflite/nested/if-in-if", "rfc-invoke-another")
if_in_while = vectors_of("tflite/nested/if-in-while", "rfc-invoke-another")


def _inner(name: str, cond: str, true: int, false: int) -> str:
    """A subgraph over b and d whose If returns one of two numbers, and the two subgraphs for them."""
    return (
        subgraph(
            f"{name} (b: bool[], d: bool[]) -> (z)", f"z: int32[2] = IF({cond}) then={name}{true} else={name}{false}"
        )
        + _number(f"{name}{true}", true)
        + _number(f"{name}{false}", false)
    )


def _number(name: str, number: int) -> str:
    return subgraph(f"{name} () -> (k)", f"k: int32[2] = [{number}, {number}]")


def _outer() -> str:
    return subgraph("main (a: bool[], b: bool[], d: bool[]) -> (y)", "y: int32[2] = IF(a, b, d) then=upper else=lower")


def _plain(name: str, number: int) -> str:
    return subgraph(f"{name} (b: bool[], d: bool[]) -> (k)", f"k: int32[2] = [{number}, {number}]")


def ifs_in_ifs() -> Iterator[Vector]:
    """An If in then, in else and in both, with every combination of their conditions."""
    both = if_in_if(
        "in-both: if a: b selects 8 or 6; else d selects 4 or 2",
        joined(_outer(), _inner("upper", "b", 8, 6), _inner("lower", "d", 4, 2)),
        _combinations({(1, 1): 8, (1, 0): 6}, {(1, 1): 4, (1, 0): 2}),
        why=["rfc-invoke-another", "onert-if", MEMORY],
    )
    yield both
    yield both.varied("in-both-circle: the same as a Circle file", as_circle)
    yield if_in_if(
        "in-then: an If in the then subgraph",
        joined(_outer(), _inner("upper", "b", 8, 6), _plain("lower", 5)),
        _combinations({(1, 1): 8, (1, 0): 6}, {(1, 1): 5, (1, 0): 5}),
    )
    yield if_in_if(
        "in-else: an If in the else subgraph",
        joined(_outer(), _plain("upper", 5), _inner("lower", "d", 4, 2)),
        _combinations({(1, 1): 5, (1, 0): 5}, {(1, 1): 4, (1, 0): 2}),
    )
    yield if_in_if(
        "same-inner-subgraphs: the inner Ifs have the same two subgraphs, in the other order",
        tflite("""
            subgraph main (a: bool[], b: bool[], x: float32[2]) -> (y)
              y: float32[2] = IF(a, b, x) then=straight else=crossed
            subgraph straight (b: bool[], x: float32[2]) -> (z)
              z: float32[2] = IF(b, x) then=doubles else=negates
            subgraph crossed (b: bool[], x: float32[2]) -> (z)
              z: float32[2] = IF(b, x) then=negates else=doubles
            subgraph doubles (x: float32[2]) -> (twice)
              twice: float32[2] = ADD(x, x)
            subgraph negates (x: float32[2]) -> (minus)
              minus: float32[2] = NEG(x)
        """),
        [
            Run({"a": np.bool_(a), "b": np.bool_(b), "x": X}, {"y": X + X if a == b else -X})
            for a, b in [(1, 1), (1, 0), (0, 1), (0, 0)]
        ],
        also=["tflite/subgraph/shared"],
    )
    yield if_in_if(
        "values-around-are-read-again: x is passed into the inner If, and added to its result, on both levels",
        tflite("""
            subgraph main (a: bool[], b: bool[], x: float32[2]) -> (sum)
              twice: float32[2] = ADD(x, x)
              y: float32[2] = IF(a, b, twice) then=level else=same
              sum: float32[2] = ADD(y, twice)
            subgraph level (b: bool[], x: float32[2]) -> (sum)
              minus: float32[2] = NEG(x)
              z: float32[2] = IF(b, minus) then=adds else=same1
              sum: float32[2] = ADD(z, minus)
            subgraph same (b: bool[], x: float32[2]) -> (x)
            subgraph adds (x: float32[2]) -> (sum)
              k: float32[2] = [10, 20]
              sum: float32[2] = ADD(x, k)
            subgraph same1 (x: float32[2]) -> (x)
        """),
        [
            Run({"a": np.bool_(a), "b": np.bool_(b), "x": X}, {"sum": y})
            for a, b, y in [(1, 1, floats(8, 24)), (1, 0, floats(-2, 4)), (0, 1, floats(4, -8)), (0, 0, floats(4, -8))]
        ],
        why=["rfc-invoke-another", OVERLAP],
    )
    yield if_in_if(
        "inner-condition-is-computed: the inner condition compares the outer If's operand",
        tflite("""
            subgraph main (x: float32[]) -> (y)
              zero: float32[] = 0
              positive: bool[] = GREATER(x, zero)
              y: float32[] = IF(positive, x) then=upper else=minus
            subgraph upper (x: float32[]) -> (y)
              ten: float32[] = 10
              large: bool[] = GREATER(x, ten)
              y: float32[] = IF(large, x, ten) then=second else=first
            subgraph minus (x: float32[]) -> (y)
              y: float32[] = NEG(x)
            subgraph first (x: float32[], limit: float32[]) -> (x)
            subgraph second (x: float32[], limit: float32[]) -> (limit)
        """),
        [Run({"x": np.float32(x)}, {"y": np.float32(y)}) for x, y in [(5, 5), (50, 10), (-3, 3), (10, 10)]],
    )
    yield if_in_if(
        "two-in-a-row: two Ifs in one subgraph, the second of which reads the first one's result",
        tflite("""
            subgraph main (a: bool[], b: bool[], x: float32[2]) -> (y)
              y: float32[2] = IF(a, b, x) then=both else=same
            subgraph both (b: bool[], x: float32[2]) -> (second)
              not: bool[] = LOGICAL_NOT(b)
              first: float32[2] = IF(b, x) then=doubles else=negates
              second: float32[2] = IF(not, first) then=doubles else=negates
            subgraph same (b: bool[], x: float32[2]) -> (x)
            subgraph doubles (x: float32[2]) -> (twice)
              twice: float32[2] = ADD(x, x)
            subgraph negates (x: float32[2]) -> (minus)
              minus: float32[2] = NEG(x)
        """),
        [
            Run({"a": np.bool_(a), "b": np.bool_(b), "x": X}, {"y": y})
            for a, b, y in [(1, 1, floats(-2, 4)), (1, 0, floats(-2, 4)), (0, 1, X)]
        ],
    )
    yield if_in_if(
        "results-change-places: the inner If returns two values, the outer one returns them in the other order",
        tflite("""
            subgraph main (a: bool[], b: bool[], x: float32[2], y: float32[2]) -> (p, q)
              p: float32[2], q: float32[2] = IF(a, b, x, y) then=level else=same
            subgraph level (b: bool[], x: float32[2], y: float32[2]) -> (q, p)
              p: float32[2], q: float32[2] = IF(b, x, y) then=negates else=swaps
            subgraph same (b: bool[], x: float32[2], y: float32[2]) -> (x, y)
            subgraph negates (x: float32[2], y: float32[2]) -> (minus, y)
              minus: float32[2] = NEG(x)
            subgraph swaps (x: float32[2], y: float32[2]) -> (y, x)
        """),
        [
            Run({"a": np.bool_(a), "b": np.bool_(b), "x": X, "y": floats(10, 20)}, {"p": p, "q": q})
            for a, b, p, q in [(1, 1, floats(10, 20), -X), (1, 0, X, floats(10, 20)), (0, 1, X, floats(10, 20))]
        ],
    )


def _combinations(upper: dict[tuple[int, int], int], lower: dict[tuple[int, int], int]) -> list[Run]:
    """All eight runs; the tables map an inner condition to its result."""
    return [
        Run(
            {"a": np.bool_(a), "b": np.bool_(b), "d": np.bool_(d)},
            {"y": np.int32([upper[1, b] if a else lower[1, d]] * 2)},
        )
        for a in (1, 0)
        for b in (1, 0)
        for d in (1, 0)
    ]


# float32, since some runtimes do not divide integers: n is even where half of it has no fraction.
COLLATZ = tflite("""
    subgraph main (n: float32[]) -> (steps)
      zero: int32[] = 0
      last: float32[], steps: int32[] = WHILE(n, zero) cond=above body=step
    subgraph above (n: float32[], steps: int32[]) -> (more)
      one: float32[] = 1
      more: bool[] = GREATER(n, one)
    subgraph step (n: float32[], steps: int32[]) -> (next, count)
      one: int32[] = 1
      by: float32[] = 0.5
      half: float32[] = MUL(n, by)
      cut: int32[] = CAST(half)
      whole: float32[] = CAST(cut)
      even: bool[] = EQUAL(whole, half)
      next: float32[] = IF(even, n, half) then=halves else=triples
      count: int32[] = ADD(steps, one)
    subgraph halves (n: float32[], half: float32[]) -> (half)
    subgraph triples (n: float32[], half: float32[]) -> (more)
      one: float32[] = 1
      three: float32[] = 3
      product: float32[] = MUL(n, three)
      more: float32[] = ADD(product, one)
""")


def ifs_in_loops() -> Iterator[Vector]:
    """An If in the body, and one in the condition."""
    yield if_in_while(
        "collatz: the body halves an even number, and triples an odd one and adds 1, until it is 1",
        COLLATZ,
        [
            Run({"n": np.float32(n)}, {"steps": np.int32(steps)})
            for n, steps in [(2, 1), (3, 7), (6, 8), (7, 16), (27, 111), (1, 0)]
        ],
        why=["rfc-invoke-another", "onert-if"],
    )
    yield if_in_while(
        "takes-turns: the If in the body takes the other subgraph in each trip",
        _choosing("turn: bool[]", "not", "IF(turn, x)", "not: bool[] = LOGICAL_NOT(turn)"),
        [
            Run({"n": np.int32(n), "turn": np.bool_(turn), "x": X}, {"y": y})
            for n, turn, y in [
                (1, 1, floats(2, -4)),
                (2, 1, floats(-2, 4)),
                (3, 1, floats(-4, 8)),
                (4, 1, floats(4, -8)),
                (1, 0, -X),
                (0, 1, X),
            ]
        ],
    )
    yield if_in_while(
        "condition-stays: the If in the body takes the same subgraph in each trip",
        _choosing("turn: bool[]", "turn", "IF(turn, x)", ""),
        [
            Run({"n": np.int32(n), "turn": np.bool_(turn), "x": X}, {"y": y})
            for n, turn, y in [(3, 1, floats(8, -16)), (3, 0, -X), (2, 0, X), (0, 0, X)]
        ],
    )
    yield if_in_while(
        "in-the-condition: the condition contains an If that selects one of two limits",
        tflite("""
            subgraph main (far: bool[], x: float32[]) -> (y)
              f: bool[], y: float32[] = WHILE(far, x) cond=asks body=doubles
            subgraph asks (far: bool[], x: float32[]) -> (more)
              more: bool[] = IF(far, x) then=below100 else=below10
            subgraph below100 (x: float32[]) -> (more)
              k: float32[] = 100
              more: bool[] = LESS(x, k)
            subgraph below10 (x: float32[]) -> (more)
              k: float32[] = 10
              more: bool[] = LESS(x, k)
            subgraph doubles (far: bool[], x: float32[]) -> (far, twice)
              twice: float32[] = ADD(x, x)
        """),
        [
            Run({"far": np.bool_(far), "x": np.float32(x)}, {"y": np.float32(y)})
            for far, x, y in [(1, 1, 128), (0, 1, 16), (1, 10, 160), (0, 10, 10)]
        ],
    )
    yield if_in_while(
        "ends-the-loop: the If in the body decides whether there is another trip",
        tflite("""
            subgraph main (x: float32[], limit: float32[]) -> (y)
              yes: bool[] = true
              g: bool[], y: float32[], l: float32[] = WHILE(yes, x, limit) cond=same body=step
            subgraph same (go: bool[], x: float32[], limit: float32[]) -> (go)
            subgraph step (go: bool[], x: float32[], limit: float32[]) -> (more, next, limit)
              small: bool[] = LESS(x, limit)
              more: bool[], next: float32[] = IF(small, x) then=on else=ends
            subgraph on (x: float32[]) -> (yes, twice)
              yes: bool[] = true
              twice: float32[] = ADD(x, x)
            subgraph ends (x: float32[]) -> (no, x)
              no: bool[] = false
        """),
        [
            Run({"x": np.float32(x), "limit": np.float32(limit)}, {"y": np.float32(y)})
            for x, limit, y in [(1, 5, 8), (3, 3, 3), (1, 1.5, 2)]
        ],
    )
    yield if_in_while(
        "grows-in-some-trips: the If appends 1 where the counter is even, and returns x unchanged where it is odd",
        tflite("""
            subgraph main (n: int32[], x: float32[?]) -> (y)
              yes: bool[] = true
              m: int32[], t: bool[], y: float32[?] = WHILE(n, yes, x) cond=positive body=step
            subgraph positive (n: int32[], turn: bool[], x: float32[?]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph step (n: int32[], turn: bool[], x: float32[?]) -> (next, not, longer)
              one: int32[] = 1
              next: int32[] = SUB(n, one)
              not: bool[] = LOGICAL_NOT(turn)
              longer: float32[?] = IF(turn, x) then=appends else=same
            subgraph appends (x: float32[?]) -> (longer)
              k: float32[1] = [1]
              longer: float32[?] = CONCATENATION(x, k) axis=0
            subgraph same (x: float32[?]) -> (x)
        """),
        [
            Run({"n": np.int32(n), "x": floats(5, 6)}, {"y": floats(5, 6, *[1] * ones)})
            for n, ones in [(1, 1), (2, 1), (3, 2), (6, 3), (0, 0)]
        ],
        also=["tflite/while/growing-shape"],
    )


def _choosing(variable: str, after: str, call: str, line: str) -> TfliteModel:
    """A loop whose body doubles x where the If's cond is true, else negates it."""
    name = variable.partition(":")[0]
    return joined(
        subgraph(
            f"main (n: int32[], {variable}, x: float32[2]) -> (y)",
            f"m: int32[], t: bool[], y: float32[2] = WHILE(n, {name}, x) cond=positive body=step",
        ),
        subgraph(
            f"positive (n: int32[], {variable}, x: float32[2]) -> (more)",
            "zero: int32[] = 0",
            "more: bool[] = GREATER(n, zero)",
        ),
        subgraph(
            f"step (n: int32[], {variable}, x: float32[2]) -> (next, {after}, chosen)",
            "one: int32[] = 1",
            "next: int32[] = SUB(n, one)",
            line,
            f"chosen: float32[2] = {call} then=doubles else=negates",
        ),
        subgraph("doubles (x: float32[2]) -> (twice)", "twice: float32[2] = ADD(x, x)"),
        subgraph("negates (x: float32[2]) -> (minus)", "minus: float32[2] = NEG(x)"),
    )
