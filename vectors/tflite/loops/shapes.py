"""While: variables whose shapes change from trip to trip."""

from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import Run, Vector, floats, ints, issue, vectors_of
from ifcert.authoring.tflite import TfliteModel, as_circle, tflite
from ifcert.authoring.tflite_loops import below, step
from ifcert.authoring.tflite_patterns import joined, subgraph

ENDLESS = issue("onnx/tensorflow-onnx", 2210, "a loop that appends until its variable is long enough never ended")

OF_ANOTHER_LENGTH = issue(
    "tensorflow/tflite-micro",
    3674,
    "a body that slices another length in each trip never ended: the first one was kept",
)

growing_shape = vectors_of("tflite/while/growing-shape", "rfc-propagates-shapes")

NOT_SAID = "no text says whether a declared shape that a run does not keep makes the model invalid"


def _loop(variables: Sequence[str], outputs: str, *lines: str) -> TfliteModel:
    """A loop of n trips over these variables, whose last values are xt, …"""
    names = [each.partition(":")[0] for each in variables]
    results = ", ".join(each.replace(":", "t:", 1) for each in variables)
    return joined(
        subgraph(
            f"main (n: int32[], {', '.join(variables)}) -> ({', '.join(name + 't' for name in names)})",
            "zero: int32[] = 0",
            f"jt: int32[], nt: int32[], {results} = WHILE(zero, n, {', '.join(names)}) cond=below body=step",
        ),
        below(*variables),
        step(variables, outputs, *lines),
    )


APPENDS = _loop(["x: float32[?]"], "longer", "k: float32[1] = [9]", "longer: float32[?] = CONCATENATION(x, k) axis=0")
APPENDED = [
    Run({"n": np.int32(n), "x": np.float32(x)}, {"xt": floats(*x, *[9] * n)})
    for n, x in [(1, [1, 2]), (3, [1, 2]), (2, [5]), (0, [1, 2])]
]


def growing() -> Iterator[Vector]:
    """Each trip adds elements."""
    appends = growing_shape(
        "appends: each trip appends a 9",
        APPENDS,
        APPENDED,
        why=["rfc-propagates-shapes", "rfc-reallocates", "schema-unknown-dims"],
    )
    yield appends
    yield appends.varied("appends-circle: the same as a Circle file", as_circle)
    yield growing_shape(
        "from-nothing: x has no elements before the first trip",
        APPENDS,
        [Run({"n": np.int32(n), "x": np.zeros(0, np.float32)}, {"xt": np.full(n, 9, np.float32)}) for n in (2, 1)],
        why=["rfc-propagates-shapes", "schema-unknown-dims"],
    )
    yield growing_shape(
        "from-a-constant-without-elements: "
        "x is a constant of shape [0]: its shape is known before the first trip, but not after it",
        joined(
            subgraph(
                "main (n: int32[]) -> (xt)",
                "zero: int32[] = 0",
                "x: float32[0] = []",
                "jt: int32[], nt: int32[], xt: float32[?] = WHILE(zero, n, x) cond=below body=step",
            ),
            below("x: float32[?]"),
            step(["x: float32[?]"], "longer", "k: float32[1] = [9]", "longer: float32[?] = CONCATENATION(x, k) axis=0"),
        ),
        [Run({"n": np.int32(n)}, {"xt": np.full(n, 9, np.float32)}) for n in (2, 1)],
        why=["rfc-propagates-shapes", "rfc-reallocates"],
        about=["empty-constants"],
    )
    yield growing_shape(
        "rows-without-elements: each trip appends a row of no elements to a constant of shape [0, 0]",
        joined(
            subgraph(
                "main (n: int32[]) -> (xt)",
                "zero: int32[] = 0",
                "x: float32[0,0] = []",
                "jt: int32[], nt: int32[], xt: float32[?,0] = WHILE(zero, n, x) cond=below body=step",
            ),
            below("x: float32[?,0]"),
            step(
                ["x: float32[?,0]"],
                "longer",
                "k: float32[1,0] = []",
                "longer: float32[?,0] = CONCATENATION(x, k) axis=0",
            ),
        ),
        [Run({"n": np.int32(n)}, {"xt": np.zeros((n, 0), np.float32)}) for n in (3, 1, 0)],
        why=["rfc-propagates-shapes", "rfc-reallocates"],
        about=["empty-constants"],
    )
    yield growing_shape(
        "in-front: each trip prepends the counter's next value",
        _loop(
            ["x: int32[?]"],
            "longer",
            "front: int32[1] = PACK(next) axis=0",
            "longer: int32[?] = CONCATENATION(front, x) axis=0",
        ),
        [Run({"n": np.int32(n), "x": ints(0)}, {"xt": ints(*range(n, -1, -1))}) for n in (4, 1, 0)],
    )
    yield growing_shape(
        "doubles-its-length: each trip appends x to itself",
        _loop(["x: float32[?]"], "twice", "twice: float32[?] = CONCATENATION(x, x) axis=0"),
        [Run({"n": np.int32(n), "x": floats(1, -2)}, {"xt": np.float32([1, -2] * 2**n)}) for n in (1, 3, 8)],
    )
    yield growing_shape(
        "two-variables: a grows by one element a trip, b by two",
        _loop(
            ["a: float32[?]", "b: float32[?]"],
            "c, d",
            "k: float32[1] = [7]",
            "kk: float32[2] = [8, 9]",
            "c: float32[?] = CONCATENATION(a, k) axis=0",
            "d: float32[?] = CONCATENATION(b, kk) axis=0",
        ),
        [
            Run(
                {"n": np.int32(n), "a": floats(1), "b": floats(2)},
                {"at": floats(1, *[7] * n), "bt": floats(2, *[8, 9] * n)},
            )
            for n in (2, 3, 0)
        ],
    )
    yield growing_shape(
        "rows: each trip appends a row to a matrix",
        _loop(
            ["x: float32[?,2]"],
            "longer",
            "row: float32[1,2] = [5, 6]",
            "longer: float32[?,2] = CONCATENATION(x, row) axis=0",
        ),
        [Run({"n": np.int32(n), "x": floats([1, 2])}, {"xt": np.float32([[1, 2], *[[5, 6]] * n])}) for n in (2, 4, 0)],
    )
    yield growing_shape(
        "columns: each trip appends a column to a matrix",
        _loop(
            ["x: float32[2,?]"],
            "wider",
            "column: float32[2,1] = [5, 6]",
            "wider: float32[2,?] = CONCATENATION(x, column) axis=1",
        ),
        [
            Run({"n": np.int32(n), "x": floats([1], [2])}, {"xt": np.float32([[1, *[5] * n], [2, *[6] * n]])})
            for n in (2, 1, 0)
        ],
    )
    yield growing_shape(
        "lengths-change-places: a and b are swapped in each trip, and have different lengths",
        _loop(["a: float32[?]", "b: float32[?]"], "b, a"),
        [
            Run({"n": np.int32(n), "a": floats(1), "b": floats(2, 3, 4)}, {"at": np.float32(a), "bt": np.float32(b)})
            for n, a, b in [(1, [2, 3, 4], [1]), (2, [1], [2, 3, 4]), (0, [1], [2, 3, 4])]
        ],
        also=["tflite/while/body-feeds-next-trip"],
    )
    yield growing_shape(
        "one-grows-one-stays: a is as it was, b grows by a",
        _loop(["a: float32[2]", "b: float32[?]"], "a, c", "c: float32[?] = CONCATENATION(b, a) axis=0"),
        [
            Run(
                {"n": np.int32(n), "a": floats(1, 2), "b": floats(3)},
                {"at": floats(1, 2), "bt": floats(3, *[1, 2] * n)},
            )
            for n in (1, 3, 0)
        ],
    )


def keeping_its_size() -> Iterator[Vector]:
    """Each trip gives x other dims, but no other number of elements."""
    rows = ints([1, 2, 3], [4, 5, 6])
    yield growing_shape(
        "dims-change-places: each trip reshapes x to its own dims in reverse order, which a second variable holds",
        _loop(
            ["x: int32[?,?]", "d: int32[2]"],
            "y, r",
            "from: int32[1] = [0]",
            "single: int32[1] = [1]",
            "first: int32[1] = SLICE(d, from, single)",
            "second: int32[1] = SLICE(d, single, single)",
            "r: int32[2] = CONCATENATION(second, first) axis=0",
            "y: int32[?,?] = RESHAPE(x, r)",
        ),
        [
            Run({"n": np.int32(n), "x": rows, "d": ints(2, 3)}, {"xt": rows.reshape(dims), "dt": np.int32(dims)})
            for n, dims in [(1, (3, 2)), (2, (2, 3)), (3, (3, 2)), (0, (2, 3))]
        ],
        why=["rfc-propagates-shapes", "rfc-reallocates"],
    )
    yield growing_shape(
        "to-a-column: the body reshapes x to a column",
        _loop(["x: int32[?,?]"], "y", "to: int32[2] = [6, 1]", "y: int32[6,1] = RESHAPE(x, to)"),
        [
            Run({"n": np.int32(n), "x": rows}, {"xt": rows.reshape(dims)})
            for n, dims in [(1, (6, 1)), (2, (6, 1)), (0, (2, 3))]
        ],
        why=["rfc-propagates-shapes", "rfc-reallocates"],
    )


def shrinking() -> Iterator[Vector]:
    """Each trip removes elements."""
    cut = ["from: int32[1] = [1]", "rest: int32[1] = [-1]", "shorter: float32[?] = SLICE(x, from, rest)"]
    yield growing_shape(
        "drops-the-first: each trip drops the first element, to the last one",
        _loop(["x: float32[?]"], "shorter", *cut),
        [Run({"n": np.int32(n), "x": floats(1, 2, 3, 4)}, {"xt": np.float32([1, 2, 3, 4][n:])}) for n in (1, 3, 2, 0)],
    )
    yield growing_shape(
        "down-to-nothing: each trip drops the first element until none is left",
        _loop(["x: float32[?]"], "shorter", *cut),
        Run({"n": np.int32(2), "x": floats(1, 2)}, {"xt": np.zeros(0, np.float32)}),
    )
    yield growing_shape(
        "replaced-in-pieces: "
        "each trip replaces an element by what lies before it, the new one and what lies behind it; x keeps its length",
        _loop(
            ["x: int32[?]"],
            "joined",
            "start: int32[1] = [0]",
            "rest: int32[1] = [-1]",
            "ten: int32[1] = [10]",
            "at: int32[1] = PACK(j) axis=0",
            "behind: int32[1] = PACK(next) axis=0",
            "before: int32[?] = SLICE(x, start, at)",
            "after: int32[?] = SLICE(x, behind, rest)",
            "item: int32[1] = MUL(behind, ten)",
            "joined: int32[?] = CONCATENATION(before, item, after) axis=0",
        ),
        [
            Run({"n": np.int32(n), "x": ints(1, 2, 3)}, {"xt": np.int32(y)})
            for n, y in [(3, [10, 20, 30]), (1, [10, 2, 3]), (2, [10, 20, 3]), (0, [1, 2, 3])]
        ],
        why=["rfc-propagates-shapes", "rfc-reallocates", OF_ANOTHER_LENGTH],
    )
    yield growing_shape(
        "broadcast-grows-it: "
        "the body adds a matrix of two rows to a row: after the first trip it has two rows, and keeps them",
        _loop(["x: float32[?,2]"], "sum", "k: float32[2,2] = [1, 2, 3, 4]", "sum: float32[?,2] = ADD(x, k)"),
        [
            Run({"n": np.int32(n), "x": floats([0, 10])}, {"xt": y})
            for n, y in [(1, floats([1, 12], [3, 14])), (2, floats([2, 14], [6, 18])), (0, floats([0, 10]))]
        ],
    )


def looking_at_shapes() -> Iterator[Vector]:
    """Conditions that end a loop by a shape."""
    yield growing_shape(
        "until-long-enough: x grows by a 2 while it has less than ten elements",
        tflite("""
            subgraph main (x: int32[?]) -> (y)
              y: int32[?] = WHILE(x) cond=short body=appends
            subgraph short (x: int32[?]) -> (more)
              ten: int32[1] = [10]
              length: int32[1] = SHAPE(x)
              more: bool[1] = LESS(length, ten)
            subgraph appends (x: int32[?]) -> (longer)
              two: int32[1] = [2]
              longer: int32[?] = CONCATENATION(x, two) axis=0
        """),
        [
            Run({"x": np.int32(x)}, {"y": np.int32(y)})
            for x, y in [([0], [0, *[2] * 9]), ([1] * 9, [*[1] * 9, 2]), ([3] * 12, [3] * 12)]
        ],
        why=["rfc-propagates-shapes", ENDLESS],
    )
    yield growing_shape(
        "until-long-enough-counted: "
        "x grows by a 2 while it has less than five elements; beside it the trips are counted",
        tflite("""
            subgraph main (x: int32[?], k: int32[]) -> (y, m)
              y: int32[?], m: int32[] = WHILE(x, k) cond=short body=appends
            subgraph short (x: int32[?], k: int32[]) -> (more)
              five: int32[1] = [5]
              length: int32[1] = SHAPE(x)
              more: bool[1] = LESS(length, five)
            subgraph appends (x: int32[?], k: int32[]) -> (longer, next)
              two: int32[1] = [2]
              one: int32[] = 1
              longer: int32[?] = CONCATENATION(x, two) axis=0
              next: int32[] = ADD(k, one)
        """),
        [
            Run({"x": np.int32(x), "k": np.int32(10)}, {"y": np.int32(y), "m": np.int32(m)})
            for x, y, m in [([0], [0, 2, 2, 2, 2], 14), ([1, 1, 1], [1, 1, 1, 2, 2], 12), ([3] * 6, [3] * 6, 10)]
        ],
        why=["rfc-propagates-shapes", ENDLESS],
    )
    yield growing_shape(
        "body-reads-the-shape: the body appends the current number of elements",
        _loop(
            ["x: int32[?]"],
            "longer",
            "length: int32[1] = SHAPE(x)",
            "longer: int32[?] = CONCATENATION(x, length) axis=0",
        ),
        [Run({"n": np.int32(n), "x": ints(0)}, {"xt": ints(*range(n + 1))}) for n in (4, 1, 0)],
    )


def declared() -> Iterator[Vector]:
    """Declarations of inner tensors, and ranks."""
    yield growing_shape(
        "declared-as-one-trip-has-it: x is declared with the shape [2] everywhere inside, but grows",
        joined(
            subgraph(
                "main (n: int32[], x: float32[2]) -> (y)",
                "zero: int32[] = 0",
                "jt: int32[], nt: int32[], y: float32[2] = WHILE(zero, n, x) cond=below body=step",
            ),
            below("x: float32[2]"),
            step(["x: float32[2]"], "longer", "k: float32[1] = [9]", "longer: float32[3] = CONCATENATION(x, k) axis=0"),
        ),
        [Run({"n": np.int32(n), "x": floats(1, 2)}, {"y": floats(1, 2, *[9] * n)}) for n in (1, 3, 0)],
        why=["reader-hints", "rfc-propagates-shapes"],
        doubt=NOT_SAID,
    )
    yield growing_shape(
        "unknown-rank: each trip packs x into a list of one; its rank is unknown",
        _loop(["x: float32[...]"], "deeper", "deeper: float32[...] = PACK(x) axis=0"),
        [Run({"n": np.int32(n), "x": floats(1, 2)}, {"xt": floats(1, 2).reshape([1] * n + [2])}) for n in (1, 3, 0)],
        doubt="no text says whether a variable may change its rank; the schema has tensors of unknown rank",
    )
