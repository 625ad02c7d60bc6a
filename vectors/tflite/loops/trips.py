"""While: the condition runs before each trip, and the outputs where it is false at once."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, codes, floats, ints, issue, strings, vectors_of
from ifcert.authoring.tflite import TfliteModel, tflite
from ifcert.authoring.tflite_loops import DOUBLED, DOUBLES, X, below, step
from ifcert.authoring.tflite_patterns import joined, subgraph

NEVER_EXITS = issue("tensorflow/tflite-micro", 1636, "a loop from 0 to 15 that adds its counter never ended")
UNUSED = issue("tensorflow/tflite-micro", 1194, "unread inputs of a subgraph had no memory of their own")

cond_before_body = vectors_of("tflite/while/cond-before-body", "onert-while-cond", "while-loop")
while_zero_trips = vectors_of("tflite/while/zero-trips", "while-loop")


def vectors() -> Iterator[Vector]:
    yield cond_before_body("counted: n trips, none where n is 0", DOUBLES, DOUBLED)


def conditions() -> Iterator[Vector]:
    """The inputs of a condition, and where its value comes from."""
    yield cond_before_body(
        "counts-down: n goes down while it is greater than 0",
        tflite("""
            subgraph main (n: int32[]) -> (left)
              left: int32[] = WHILE(n) cond=positive body=less
            subgraph positive (n: int32[]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph less (n: int32[]) -> (next)
              one: int32[] = 1
              next: int32[] = SUB(n, one)
        """),
        [Run({"n": np.int32(n)}, {"left": np.int32(left)}) for n, left in [(5, 0), (1, 0), (-3, -3)]],
        why=["onert-while-cond"],
    )
    yield cond_before_body(
        "no-input: the primary subgraph has no input; a loop over constants adds its counter, from 0 to 15",
        tflite("""
            subgraph main () -> (sum)
              first: int32[] = 0
              start: int32[] = 0
              i: int32[], sum: int32[] = WHILE(first, start) cond=below body=adds
            subgraph below (i: int32[], s: int32[]) -> (more)
              limit: int32[] = 16
              more: bool[] = LESS(i, limit)
            subgraph adds (i: int32[], s: int32[]) -> (next, t)
              one: int32[] = 1
              next: int32[] = ADD(i, one)
              t: int32[] = ADD(s, i)
        """),
        [Run({}, {"sum": np.int32(120)}), Run({}, {"sum": np.int32(120)})],
        why=["onert-while-cond", "while-loop", NEVER_EXITS],
    )
    yield cond_before_body(
        "looks-at-the-bodys-value: x doubles until it is not less than the limit",
        tflite("""
            subgraph main (x: float32[], limit: float32[]) -> (y)
              y: float32[], l: float32[] = WHILE(x, limit) cond=small body=doubles
            subgraph small (x: float32[], limit: float32[]) -> (more)
              more: bool[] = LESS(x, limit)
            subgraph doubles (x: float32[], limit: float32[]) -> (twice, limit)
              twice: float32[] = ADD(x, x)
        """),
        [
            Run({"x": np.float32(x), "limit": np.float32(limit)}, {"y": np.float32(y)})
            for x, limit, y in [(1, 100, 128), (1, 64, 64), (1.5, 2, 3), (3, 1, 3)]
        ],
    )
    yield cond_before_body(
        "passes-its-input-on: the condition has no operators: it returns the variable that the body computed",
        tflite("""
            subgraph main (go: bool[], i: int32[], n: int32[]) -> (went, last)
              went: bool[], last: int32[], m: int32[] = WHILE(go, i, n) cond=same body=counts
            subgraph same (go: bool[], i: int32[], n: int32[]) -> (go)
            subgraph counts (go: bool[], i: int32[], n: int32[]) -> (more, next, n)
              one: int32[] = 1
              next: int32[] = ADD(i, one)
              more: bool[] = LESS(next, n)
        """),
        [
            Run({"go": np.bool_(go), "i": np.int32(i), "n": np.int32(n)}, {"went": np.False_, "last": np.int32(last)})
            for go, i, n, last in [(1, 0, 4, 4), (1, 7, 4, 8), (0, 0, 4, 0)]
        ],
        why=["onert-while-cond"],
    )
    yield cond_before_body(
        "reads-one-of-three: the condition reads the last of three variables, the body two",
        tflite("""
            subgraph main (x: float32[2], y: float32[2], i: int32[]) -> (a, b, j)
              a: float32[2], b: float32[2], j: int32[] = WHILE(x, y, i) cond=positive body=adds
            subgraph positive (x: float32[2], y: float32[2], i: int32[]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(i, zero)
            subgraph adds (x: float32[2], y: float32[2], i: int32[]) -> (sum, y, next)
              one: int32[] = 1
              sum: float32[2] = ADD(x, y)
              next: int32[] = SUB(i, one)
        """),
        [
            Run({"x": X, "y": floats(10, 20), "i": np.int32(i)}, {"a": a, "b": floats(10, 20), "j": np.int32(0)})
            for i, a in [(3, floats(31, 58)), (1, floats(11, 18)), (0, X)]
        ],
        why=["onert-while-cond", UNUSED],
    )
    yield cond_before_body(
        "two-conditions: i < n and total < limit: whichever is false first ends the loop",
        tflite("""
            subgraph main (n: int32[], limit: int32[]) -> (i, total)
              zero: int32[] = 0
              i: int32[], total: int32[], m: int32[], l: int32[] = WHILE(zero, zero, n, limit) cond=both body=adds
            subgraph both (i: int32[], total: int32[], n: int32[], limit: int32[]) -> (more)
              first: bool[] = LESS(i, n)
              second: bool[] = LESS(total, limit)
              more: bool[] = LOGICAL_AND(first, second)
            subgraph adds (i: int32[], total: int32[], n: int32[], limit: int32[]) -> (next, sum, n, limit)
              one: int32[] = 1
              next: int32[] = ADD(i, one)
              sum: int32[] = ADD(total, next)
        """),
        [
            Run({"n": np.int32(n), "limit": np.int32(limit)}, {"i": np.int32(i), "total": np.int32(total)})
            for n, limit, i, total in [(4, 100, 4, 10), (100, 10, 4, 10), (100, 11, 5, 15), (0, 10, 0, 0)]
        ],
        why=["onert-while-cond"],
    )
    yield cond_before_body(
        "computes-on-copies: the body does not see what the condition computes from its inputs",
        tflite("""
            subgraph main (x: float32[]) -> (y)
              y: float32[] = WHILE(x) cond=small body=adds
            subgraph small (x: float32[]) -> (more)
              ten: float32[] = 10
              twice: float32[] = MUL(x, ten)
              more: bool[] = LESS(twice, ten)
            subgraph adds (x: float32[]) -> (sum)
              half: float32[] = 0.5
              sum: float32[] = ADD(x, half)
        """),
        [Run({"x": np.float32(x)}, {"y": np.float32(y)}) for x, y in [(0, 1), (0.75, 1.25), (-1, 1), (1, 1)]],
    )
    yield cond_before_body(
        "not-once-more: the body reads element i of four: one trip too many would read a fifth",
        tflite("""
            subgraph main (n: int32[]) -> (total)
              zero: int32[] = 0
              none: float32[] = 0
              i: int32[], m: int32[], total: float32[] = WHILE(zero, n, none) cond=below body=adds
            subgraph below (i: int32[], n: int32[], total: float32[]) -> (more)
              more: bool[] = LESS(i, n)
            subgraph adds (i: int32[], n: int32[], total: float32[]) -> (next, n, sum)
              one: int32[] = 1
              table: float32[4] = [1, 10, 100, 1000]
              next: int32[] = ADD(i, one)
              entry: float32[] = GATHER(table, i) axis=0
              sum: float32[] = ADD(total, entry)
        """),
        [Run({"n": np.int32(n)}, {"total": np.float32(total)}) for n, total in [(4, 1111), (3, 111), (0, 0)]],
    )
    yield cond_before_body(
        "list-of-one: the variables and the condition are lists of one",
        tflite("""
            subgraph main (n: int32[1]) -> (i)
              zero: int32[1] = [0]
              i: int32[1], m: int32[1] = WHILE(zero, n) cond=below body=step
            subgraph below (j: int32[1], n: int32[1]) -> (more)
              more: bool[1] = LESS(j, n)
            subgraph step (j: int32[1], n: int32[1]) -> (next, n)
              one: int32[1] = [1]
              next: int32[1] = ADD(j, one)
        """),
        [Run({"n": ints(n)}, {"i": ints(i)}) for n, i in [(3, 3), (1, 1), (0, 0)]],
        why=["onert-while-cond"],
    )


def calculations() -> Iterator[Vector]:
    """Loops whose results are known mathematically."""
    yield cond_before_body(
        "factorial: 1 * 2 * … * n",
        tflite("""
            subgraph main (n: int32[]) -> (product)
              one: int32[] = 1
              left: int32[], product: int32[] = WHILE(n, one) cond=above body=multiplies
            subgraph above (n: int32[], product: int32[]) -> (more)
              one: int32[] = 1
              more: bool[] = GREATER(n, one)
            subgraph multiplies (n: int32[], product: int32[]) -> (next, times)
              one: int32[] = 1
              next: int32[] = SUB(n, one)
              times: int32[] = MUL(product, n)
        """),
        [
            Run({"n": np.int32(n)}, {"product": np.int32(product)})
            for n, product in [(2, 2), (5, 120), (10, 3628800), (12, 479001600), (0, 1)]
        ],
    )
    yield cond_before_body(
        "fibonacci: a, b become b, a + b",
        tflite("""
            subgraph main (n: int32[]) -> (a)
              zero: int32[] = 0
              one: int32[] = 1
              left: int32[], a: int32[], b: int32[] = WHILE(n, zero, one) cond=positive body=shifts
            subgraph positive (n: int32[], a: int32[], b: int32[]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph shifts (n: int32[], a: int32[], b: int32[]) -> (next, b, sum)
              one: int32[] = 1
              next: int32[] = SUB(n, one)
              sum: int32[] = ADD(a, b)
        """),
        [
            Run({"n": np.int32(n)}, {"a": np.int32(a)})
            for n, a in [(1, 1), (2, 1), (7, 13), (20, 6765), (45, 1134903170), (0, 0)]
        ],
        also=["tflite/while/body-feeds-next-trip"],
    )
    yield cond_before_body(
        "greatest-common-divisor: the difference replaces the greater number until both are equal",
        tflite("""
            subgraph main (a: float32[], b: float32[]) -> (divisor)
              divisor: float32[], other: float32[] = WHILE(a, b) cond=differ body=subtracts
            subgraph differ (a: float32[], b: float32[]) -> (more)
              same: bool[] = EQUAL(a, b)
              more: bool[] = LOGICAL_NOT(same)
            subgraph subtracts (a: float32[], b: float32[]) -> (difference, less)
              greater: float32[] = MAXIMUM(a, b)
              less: float32[] = MINIMUM(a, b)
              difference: float32[] = SUB(greater, less)
        """),
        [
            Run({"a": np.float32(a), "b": np.float32(b)}, {"divisor": np.float32(divisor)})
            for a, b, divisor in [(48, 36, 12), (7, 5, 1), (1, 100, 1), (9, 9, 9)]
        ],
    )
    yield cond_before_body(
        "sum-below-sixteen: 0 + 1 + … + 15, with only a bias fed",
        tflite("""
            subgraph main (bias: int32[1]) -> (result)
              zero: int32[] = 0
              i: int32[], total: int32[1] = WHILE(zero, bias) cond=below body=adds
              result: int32[1] = ADD(total, bias)
            subgraph below (i: int32[], total: int32[1]) -> (more)
              sixteen: int32[] = 16
              more: bool[] = LESS(i, sixteen)
            subgraph adds (i: int32[], total: int32[1]) -> (next, sum)
              one: int32[] = 1
              next: int32[] = ADD(i, one)
              sum: int32[1] = ADD(total, i)
        """),
        [Run({"bias": ints(b)}, {"result": ints(120 + 2 * b)}) for b in (0, 5)],
        why=["onert-while-cond", NEVER_EXITS],
    )


def many_trips() -> Iterator[Vector]:
    """More trips than a reader would unroll."""
    for trips in (100, 1000, 10000):
        yield cond_before_body(
            f"trips-{trips}: {trips} trips, each of which adds [1, -2]",
            joined(
                subgraph(
                    "main (n: int32[], x: float32[2]) -> (i, y)",
                    "zero: int32[] = 0",
                    "i: int32[], m: int32[], y: float32[2] = WHILE(zero, n, x) cond=below body=step",
                ),
                below("x: float32[2]"),
                step(["x: float32[2]"], "sum", "k: float32[2] = [1, -2]", "sum: float32[2] = ADD(x, k)"),
            ),
            Run({"n": np.int32(trips), "x": floats(0, 0)}, {"i": np.int32(trips), "y": floats(trips, -2 * trips)}),
            why=["onert-while-cond"],
        )


def zero_trips() -> Iterator[Vector]:
    """A condition that is false at once: the outputs are the inputs, bit for bit."""
    for case, n in [("counter", 0), ("counter-above", -1)]:
        yield while_zero_trips(
            f"{case}: 0 is not less than {n}", DOUBLES, Run({"n": np.int32(n), "x": X}, {"i": np.int32(0), "y": X})
        )
    yield while_zero_trips(
        "constant-false: the condition is the constant false",
        _never("x: float32[2]", "minus: float32[2] = NEG(x)", "minus", "float32[2]"),
        Run({"x": X}, {"y": X}),
    )
    yield while_zero_trips(
        "constant-operands: the operands are constants, and so are the outputs",
        tflite("""
            subgraph main (more: bool[]) -> (y)
              k: float32[2] = [10, 20]
              m: bool[], y: float32[2] = WHILE(more, k) cond=same body=ends
            subgraph same (more: bool[], x: float32[2]) -> (more)
            subgraph ends (more: bool[], x: float32[2]) -> (no, minus)
              no: bool[] = false
              minus: float32[2] = NEG(x)
        """),
        branches({}, then={"y": floats(-10, -20)}, else_={"y": floats(10, 20)}, cond="more"),
    )
    yield while_zero_trips(
        "one-operand-twice: one value is the operand for two variables",
        tflite("""
            subgraph main (n: int32[], x: float32[2]) -> (a, b)
              m: int32[], a: float32[2], b: float32[2] = WHILE(n, x, x) cond=positive body=moves
            subgraph positive (n: int32[], a: float32[2], b: float32[2]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph moves (n: int32[], a: float32[2], b: float32[2]) -> (next, minus, b)
              one: int32[] = 1
              next: int32[] = SUB(n, one)
              minus: float32[2] = NEG(a)
        """),
        Run({"n": np.int32(1), "x": X}, {"a": -X, "b": X}),
        Run({"n": np.int32(2), "x": X}, {"a": X, "b": X}),
        Run({"n": np.int32(0), "x": X}, {"a": X, "b": X}),
    )
    yield while_zero_trips(
        "body-returns-less: x has two elements; the body would return a constant of one",
        tflite("""
            subgraph main (x: float32[2]) -> (y)
              y: float32[?] = WHILE(x) cond=never body=shorter
            subgraph never (x: float32[?]) -> (no)
              no: bool[] = false
            subgraph shorter (x: float32[?]) -> (k)
              k: float32[1] = [9]
        """),
        Run({"x": X}, {"y": X}),
    )
    yield while_zero_trips(
        "body-could-not-run: the body reads element 9 of two; it never runs",
        _never(
            "x: float32[2]",
            "nine: int32[2] = [9, 9]\nbeyond: float32[2] = GATHER(x, nine) axis=0",
            "beyond",
            "float32[2]",
        ),
        Run({"x": X}, {"y": X}),
    )


def _never(variable: str, lines: str, output: str, type: str) -> TfliteModel:
    """A While over one variable x whose condition is false."""
    return joined(
        subgraph(f"main ({variable}) -> (y)", f"y: {type} = WHILE(x) cond=never body=changes"),
        subgraph(f"never ({variable}) -> (no)", "no: bool[] = false"),
        subgraph(f"changes ({variable}) -> ({output})", lines),
    )


def _unknown_shapes() -> Iterator[Vector]:
    values = {"three": floats(1, 2, 3), "none": np.zeros(0, np.float32)}
    for case, held in values.items():
        yield while_zero_trips(
            f"unknown-length-{case}: x has an unknown length, here {held.size}; the body would append to it",
            _never(
                "x: float32[?]",
                "k: float32[1] = [9]\nlonger: float32[?] = CONCATENATION(x, k) axis=0",
                "longer",
                "float32[?]",
            ),
            Run({"x": held}, {"y": held}),
        )
    yield while_zero_trips(
        "sum-that-does-not-fit: the body adds three elements to x, which has three, then two, where no trip is made",
        tflite("""
            subgraph main (n: int32[], x: int32[?]) -> (y)
              left: int32[], y: int32[?] = WHILE(n, x) cond=positive body=adds
            subgraph positive (n: int32[], x: int32[?]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph adds (n: int32[], x: int32[?]) -> (next, sum)
              one: int32[] = 1
              k: int32[3] = [10, 20, 30]
              next: int32[] = SUB(n, one)
              sum: int32[3] = ADD(x, k)
        """),
        [
            Run({"n": np.int32(n), "x": np.int32(x)}, {"y": np.int32(y)})
            for n, x, y in [(2, [1, 2, 3], [21, 42, 63]), (0, [4, 5], [4, 5])]
        ],
        why=["onert-while-cond", "while-loop", "rfc-reallocates"],
    )


def _bits() -> Iterator[Vector]:
    held = {
        "float32": codes("float32", [3], [0x7FC00001, 0x80000000, 0x00000001]),
        "int64": np.int64([-(2**63), 2**63 - 1, 0]),
        "int32": ints(-(2**31), 2**31 - 1, 0),
        "int16": np.int16([-(2**15), 2**15 - 1, 0]),
        "int8": np.int8([-128, 127, 0]),
        "uint8": np.uint8([255, 128, 0]),
        "bool": np.bool_([True, False, True]),
        "string": strings([3], [b"", b"a\0b", b"\xff"]),
    }
    for element, value in held.items():
        yield while_zero_trips(
            f"bits-of-{element}: a variable of {element} keeps every bit where no trip is made",
            _never(f"x: {element}[3]", "", "x", f"{element}[3]"),
            Run({"x": value}, {"y": value}),
            also=["tflite/subgraph/value-unchanged"],
        )
