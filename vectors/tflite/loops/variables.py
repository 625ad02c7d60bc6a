"""While: the body's outputs are the next trip's inputs, in order and all at once."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, ints, issue, strings, vectors_of
from ifcert.authoring.tflite import TfliteModel, as_circle, tflite
from ifcert.authoring.tflite_loops import X, below, step
from ifcert.authoring.tflite_patterns import joined, subgraph

LIFETIME = issue("Samsung/ONE", 4785, "memory of a body's inputs was used for its outputs before all were read")
CALL = issue("apache/tvm", 19616, "a reader of TensorFlow Lite that gained support for WHILE")

body_feeds_next_trip = vectors_of("tflite/while/body-feeds-next-trip", "onert-while-body", "while-loop")

VECTORS = ("a: float32[2]", "b: float32[2]", "c: float32[2]", "d: float32[2]")
VALUES = {"a": X, "b": floats(10, 20), "c": floats(0.5, 0.25), "d": floats(-7, 7)}


def vectors() -> Iterator[Vector]:
    yield _without_elements()
    yield _invariant_read_again()


def permuted() -> Iterator[Vector]:
    """Bodies that only change the order of the variables: each value must be read before it is overwritten."""
    for case, title, after in [
        ("swap", "a and b are swapped in each trip", "ba"),
        ("rotate", "a, b, c become b, c, a", "bca"),
        ("rotate-back", "a, b, c become c, a, b", "cab"),
        ("reverse-four", "a, b, c, d become d, c, b, a", "dcba"),
        ("two-swaps", "a, b, c, d become b, a, d, c", "badc"),
        ("rotate-four", "a, b, c, d become b, c, d, a", "bcda"),
        ("shift", "a, b, c become b, c, c: a is lost", "bcc"),
        ("copy", "a, b become b, b", "bb"),
        ("unchanged", "a, b stay a, b: only the counter is new", "ab"),
    ]:
        names = VECTORS[: len(after)]
        yield body_feeds_next_trip(
            f"{case}: {title}",
            _loop(names, ", ".join(after)),
            [_permuting(after, trips) for trips in (1, 2, 3, 0)],
            why=["onert-while-body", "while-loop", LIFETIME] if case == "swap" else ["onert-while-body", "while-loop"],
        )
    swapping = _loop(VECTORS[:2], "b, a")
    yield body_feeds_next_trip(
        "swap-circle: a and b are swapped in each trip, in a Circle file",
        swapping.edited(as_circle),
        [_permuting("ba", trips) for trips in (1, 2, 3)],
        also=["tflite/file/identifier"],
    )
    yield body_feeds_next_trip(
        "swap-numbers: two scalars are swapped in each trip",
        _loop(["a: int32[]", "b: int32[]"], "b, a"),
        [
            Run({"n": np.int32(n), "a": np.int32(1), "b": np.int32(2)}, {"at": np.int32(a), "bt": np.int32(b)})
            for n, a, b in [(1, 2, 1), (2, 1, 2), (5, 2, 1), (0, 1, 2)]
        ],
    )


def _loop(variables: list[str] | tuple[str, ...], outputs: str, *lines: str) -> TfliteModel:
    """A loop of n trips over these variables, whose last values are at, bt, …"""
    names = [each.partition(":")[0] for each in variables]
    results = ", ".join(f"{each.replace(':', 't:')}" for each in variables)
    return joined(
        subgraph(
            f"main (n: int32[], {', '.join(variables)}) -> ({', '.join(name + 't' for name in names)})",
            "zero: int32[] = 0",
            f"jt: int32[], nt: int32[], {results} = WHILE(zero, n, {', '.join(names)}) cond=below body=step",
        ),
        below(*variables),
        step(variables, outputs, *lines),
    )


def _permuting(after: str, trips: int) -> Run:
    """The run of a loop whose body returns the variables in that order."""
    now = "abcd"[: len(after)]
    for _ in range(trips):
        now = "".join(now["abcd".index(letter)] for letter in after)
    return Run(
        {"n": np.int32(trips)} | {name: VALUES[name] for name in "abcd"[: len(after)]},
        {f"{name}t": VALUES[held] for name, held in zip("abcd", now, strict=False)},
    )


def given() -> Iterator[Vector]:
    """The values that a body may return for a variable."""
    yield body_feeds_next_trip(
        "accumulates: n more in each trip: 1 + 2 + … + n",
        _loop(["s: int32[]"], "sum", "sum: int32[] = ADD(s, next)"),
        [
            Run({"n": np.int32(n), "s": np.int32(s)}, {"st": np.int32(t)})
            for n, s, t in [(4, 0, 10), (100, 0, 5050), (3, 1000, 1006), (0, 7, 7)]
        ],
        why=["onert-while-body", "while-loop", CALL],
    )
    yield body_feeds_next_trip(
        "constant: the body returns a constant: it is there after the first trip, and not before",
        _loop(["a: float32[2]"], "k", "k: float32[2] = [10, 20]"),
        [Run({"n": np.int32(n), "a": X}, {"at": y}) for n, y in [(1, floats(10, 20)), (5, floats(10, 20)), (0, X)]],
        why=["onert-while-body"],
    )
    yield body_feeds_next_trip(
        "constant-one-trip-late: a, b become b, a constant: it is in a after the second trip",
        _loop(VECTORS[:2], "b, k", "k: float32[2] = [3, 4]"),
        [
            Run({"n": np.int32(n), "a": X, "b": VALUES["b"]}, {"at": a, "bt": b})
            for n, a, b in [(1, VALUES["b"], floats(3, 4)), (2, floats(3, 4), floats(3, 4)), (0, X, VALUES["b"])]
        ],
    )
    yield body_feeds_next_trip(
        "one-value-for-two: a, b become a + b, a + b",
        _loop(VECTORS[:2], "sum, sum", "sum: float32[2] = ADD(a, b)"),
        [
            Run({"n": np.int32(n), "a": X, "b": floats(10, 20)}, {"at": y, "bt": y})
            for n, y in [(1, floats(11, 18)), (2, floats(22, 36)), (4, floats(88, 144))]
        ],
        why=["onert-while-body"],
    )
    yield body_feeds_next_trip(
        "counter-for-two: the counter's next value is also the other variable's",
        _loop(["last: int32[]"], "next"),
        [
            Run({"n": np.int32(n), "last": np.int32(-5)}, {"lastt": np.int32(last)})
            for n, last in [(1, 1), (6, 6), (0, -5)]
        ],
        why=["onert-while-body"],
    )
    yield body_feeds_next_trip(
        "invariant: k is passed through by the body, and added in each trip",
        _loop(["a: float32[2]", "k: float32[2]"], "sum, k", "sum: float32[2] = ADD(a, k)"),
        [
            Run({"n": np.int32(n), "a": X, "k": floats(10, 20)}, {"at": y, "kt": floats(10, 20)})
            for n, y in [(3, floats(31, 58)), (1, floats(11, 18)), (0, X)]
        ],
    )
    yield body_feeds_next_trip(
        "shift-and-add: a, b become b, a + b, of two elements each",
        _loop(VECTORS[:2], "b, sum", "sum: float32[2] = ADD(a, b)"),
        [
            Run({"n": np.int32(n), "a": floats(0, 2), "b": floats(1, 1)}, {"at": a, "bt": b})
            for n, a, b in [
                (1, floats(1, 1), floats(1, 3)),
                (2, floats(1, 3), floats(2, 4)),
                (5, floats(5, 11), floats(8, 18)),
            ]
        ],
    )
    yield body_feeds_next_trip(
        "swap-and-negate: a, b become -b, a",
        _loop(VECTORS[:2], "minus, a", "minus: float32[2] = NEG(b)"),
        [
            Run({"n": np.int32(n), "a": X, "b": VALUES["b"]}, {"at": a, "bt": b})
            for n, a, b in [(1, -VALUES["b"], X), (2, -X, -VALUES["b"]), (3, VALUES["b"], -X), (4, X, VALUES["b"])]
        ],
    )
    yield body_feeds_next_trip(
        "body-ignores-a-variable: the value that the body returns for b does not depend on b",
        _loop(VECTORS[:2], "a, twice", "twice: float32[2] = ADD(a, a)"),
        [
            Run({"n": np.int32(n), "a": X, "b": VALUES["b"]}, {"at": X, "bt": b})
            for n, b in [(1, X + X), (3, X + X), (0, VALUES["b"])]
        ],
        why=["onert-while-body"],
    )
    yield body_feeds_next_trip(
        "all-types: variables of four types and the counter, each with a next value of its own",
        _loop(
            ["f: float32[2]", "l: int64[2]", "b: bool[2]", "u: uint8[2]"],
            "half, more, not, same",
            "by: float32[] = 0.5\nhalf: float32[2] = MUL(f, by)",
            "k: int64[] = 4294967296\nmore: int64[2] = ADD(l, k)",
            "not: bool[2] = LOGICAL_NOT(b)",
            "same: uint8[2] = [7, 255]",
        ),
        [
            Run(
                {
                    "n": np.int32(n),
                    "f": floats(8, -8),
                    "l": np.int64([1, -1]),
                    "b": np.bool_([True, False]),
                    "u": np.uint8([0, 1]),
                },
                {"ft": f, "lt": long, "bt": b, "ut": np.uint8([7, 255])},
            )
            for n, f, long, b in [
                (1, floats(4, -4), np.int64([4294967297, 4294967295]), np.bool_([False, True])),
                (2, floats(2, -2), np.int64([8589934593, 8589934591]), np.bool_([True, False])),
            ]
        ],
        why=["onert-while-body"],
    )


def texts() -> Iterator[Vector]:
    """Strings, whose bytes have memory apart from their number."""
    texts = {
        "a": strings([1], [b"a"]),
        "b": strings([3], [b"", b"b" * 100, b"caf\xc3\xa9"]),
        "c": strings([2], [b"c\0c", b""]),
    }
    yield body_feeds_next_trip(
        "strings-move-up: a, b, c become b, c, c, strings of other lengths and numbers",
        _loop([f"{name}: string[?]" for name in "abc"], "b, c, c"),
        [
            Run({"n": np.int32(n), **texts}, {f"{name}t": texts[held] for name, held in zip("abc", after, strict=True)})
            for n, after in [(1, "bcc"), (2, "ccc"), (0, "abc")]
        ],
    )
    pairs = {name: strings([2], [name.encode(), b""]) for name in "abc"}
    for case, (after, trips) in {
        "strings-unchanged: a pair of strings stays as it is: only the counter is new": ("a", {0: "a", 1: "a", 2: "a"}),
        "pairs-of-strings-move-up: a, b, c become b, c, c, each a pair of strings": (
            "bcc",
            {0: "abc", 1: "bcc", 2: "ccc"},
        ),
    }.items():
        names = "abc"[: len(after)]
        yield body_feeds_next_trip(
            case,
            _loop([f"{name}: string[2]" for name in names], ", ".join(after)),
            [
                Run(
                    {"n": np.int32(n), **{name: pairs[name] for name in names}},
                    {f"{name}t": pairs[held] for name, held in zip(names, now, strict=True)},
                )
                for n, now in trips.items()
            ],
        )
    words = [b"", b"two" * 20, b"\xff\0"]
    yield body_feeds_next_trip(
        "strings-computed: each trip moves the first of three strings behind the others, by GATHER",
        _loop(["x: string[3]"], "turned", "order: int32[3] = [1, 2, 0]", "turned: string[3] = GATHER(x, order) axis=0"),
        [
            Run({"n": np.int32(n), "x": strings([3], words)}, {"xt": strings([3], words[n % 3 :] + words[: n % 3])})
            for n in (1, 2, 4, 0)
        ],
    )


def _without_elements() -> Vector:
    """A variable that has no elements, before and after each trip, beside one that has."""
    none = np.zeros(0, np.float32)
    return body_feeds_next_trip(
        "variable-without-elements: a is doubled in each trip, and e, which has no elements, is negated",
        _loop(
            ["a: float32[2]", "e: float32[0]"],
            "twice, minus",
            "twice: float32[2] = ADD(a, a)",
            "minus: float32[0] = NEG(e)",
        ),
        [Run({"n": np.int32(n), "a": X, "e": none}, {"at": X * np.float32(2**n), "et": none}) for n in (1, 3, 0)],
    )


def positions() -> Iterator[Vector]:
    """Variables are identified by their position in the lists, whatever their tensors' indices and names are."""
    yield body_feeds_next_trip(
        "tensors-in-another-order: "
        "in each subgraph the tensors are in another order than in its lists of inputs and outputs",
        tflite("""
            subgraph main (n: int32[], a: float32[2], b: float32[2]) -> (at, bt)
              tensors bt, b, at, m, a, n
              at: float32[2], m: int32[], bt: float32[2] = WHILE(a, n, b) cond=positive body=moves
            subgraph positive (a: float32[2], n: int32[], b: float32[2]) -> (more)
              tensors more, b, n, zero, a
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph moves (a: float32[2], n: int32[], b: float32[2]) -> (twice, next, minus)
              tensors minus, next, b, twice, one, a, n
              one: int32[] = 1
              next: int32[] = SUB(n, one)
              twice: float32[2] = ADD(a, a)
              minus: float32[2] = NEG(b)
        """),
        [
            Run({"n": np.int32(n), "a": X, "b": floats(10, 20)}, {"at": a, "bt": b})
            for n, a, b in [
                (1, floats(2, -4), floats(-10, -20)),
                (2, floats(4, -8), floats(10, 20)),
                (0, X, floats(10, 20)),
            ]
        ],
        why=["onert-while-body", "onert-invoked-outputs"],
    )
    yield body_feeds_next_trip(
        "same-names-elsewhere: the tensors' names suggest another order than the lists, which decide",
        tflite("""
            subgraph main (n: int32[], a: float32[2], b: float32[2]) -> (at, bt)
              m: int32[], at: float32[2], bt: float32[2] = WHILE(n, a, b) cond=positive body=moves
            subgraph positive (n: int32[], b: float32[2], a: float32[2]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph moves (n: int32[], b: float32[2], a: float32[2]) -> (next, twice, a)
              one: int32[] = 1
              next: int32[] = SUB(n, one)
              twice: float32[2] = ADD(b, b)
        """),
        [
            Run({"n": np.int32(n), "a": X, "b": floats(10, 20)}, {"at": a, "bt": floats(10, 20)})
            for n, a in [(1, floats(2, -4)), (3, floats(8, -16)), (0, X)]
        ],
        why=["onert-while-body", "onert-invoked-outputs"],
    )
    yield body_feeds_next_trip(
        "ten-variables: ten variables move up by one place in each trip",
        _ten(),
        [
            Run(
                {"n": np.int32(n)} | {f"v{i}": ints(i, -i) for i in range(10)},
                {f"v{i}t": ints((i + n) % 10, -((i + n) % 10)) for i in range(10)},
            )
            for n in (1, 3, 10, 0)
        ],
    )


def _ten() -> TfliteModel:
    return _loop([f"v{i}: int32[2]" for i in range(10)], ", ".join(f"v{(i + 1) % 10}" for i in range(10)))


def around() -> Iterator[Vector]:
    """Loops next to each other, and later uses of a loop's operands."""
    yield body_feeds_next_trip(
        "twice-in-a-row: the results of a loop are the operands of another one",
        _two(second_body="negates"),
        [
            Run({"n": np.int32(n), "m": np.int32(m), "x": X}, {"y": y})
            for n, m, y in [(2, 1, floats(-4, 8)), (1, 2, floats(2, -4)), (0, 1, -X)]
        ],
        why=["onert-while-body"],
    )
    yield body_feeds_next_trip(
        "two-with-the-same-subgraphs: two loops in a row share the condition and the body",
        _two(second_body="doubles"),
        [
            Run({"n": np.int32(n), "m": np.int32(m), "x": X}, {"y": y})
            for n, m, y in [(2, 1, floats(8, -16)), (1, 3, floats(16, -32)), (0, 2, floats(4, -8))]
        ],
        why=["onert-while-body"],
        also=["tflite/subgraph/shared"],
    )
    yield body_feeds_next_trip(
        "operands-are-read-again: the operand of the loop is added to its result, and returned",
        tflite("""
            subgraph main (n: int32[], x: float32[2]) -> (sum, m, kept)
              minus: float32[2] = NEG(x)
              left: int32[], y: float32[2] = WHILE(n, minus) cond=positive body=doubles
              sum: float32[2] = ADD(minus, y)
              m: int32[] = ADD(n, left)
              kept: float32[2] = NEG(minus)
            subgraph positive (n: int32[], x: float32[2]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph doubles (n: int32[], x: float32[2]) -> (next, twice)
              one: int32[] = 1
              next: int32[] = SUB(n, one)
              twice: float32[2] = ADD(x, x)
        """),
        [
            Run({"n": np.int32(n), "x": X}, {"sum": y, "m": np.int32(n), "kept": X})
            for n, y in [(1, floats(-3, 6)), (3, floats(-9, 18)), (0, floats(-2, 4))]
        ],
        why=["onert-while-body", "rfc-copying"],
        also=["tflite/subgraph/value-semantics"],
    )
    yield body_feeds_next_trip(
        "results-unused: of four results the model returns one, the third",
        tflite("""
            subgraph main (n: int32[], a: float32[2], b: float32[2], c: float32[2]) -> (bt)
              m: int32[], at: float32[2], bt: float32[2], ct: float32[2] = WHILE(n, a, b, c) cond=positive body=turns
            subgraph positive (n: int32[], a: float32[2], b: float32[2], c: float32[2]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph turns (n: int32[], a: float32[2], b: float32[2], c: float32[2]) -> (next, b, c, a)
              one: int32[] = 1
              next: int32[] = SUB(n, one)
        """),
        [
            Run({"n": np.int32(n)} | {name: VALUES[name] for name in "abc"}, {"bt": VALUES[held]})
            for n, held in [(1, "c"), (2, "a"), (3, "b"), (0, "b")]
        ],
        why=["onert-while-body"],
    )


def _two(second_body: str) -> TfliteModel:
    """Two loops of n and of m trips, the first of which doubles."""
    other = subgraph(
        "negates (n: int32[], x: float32[2]) -> (next, minus)",
        "one: int32[] = 1",
        "next: int32[] = SUB(n, one)",
        "minus: float32[2] = NEG(x)",
    )
    return joined(
        subgraph(
            "main (n: int32[], m: int32[], x: float32[2]) -> (y)",
            "nt: int32[], between: float32[2] = WHILE(n, x) cond=positive body=doubles",
            f"mt: int32[], y: float32[2] = WHILE(m, between) cond=positive body={second_body}",
        ),
        subgraph(
            "positive (n: int32[], x: float32[2]) -> (more)", "zero: int32[] = 0", "more: bool[] = GREATER(n, zero)"
        ),
        subgraph(
            "doubles (n: int32[], x: float32[2]) -> (next, twice)",
            "one: int32[] = 1",
            "next: int32[] = SUB(n, one)",
            "twice: float32[2] = ADD(x, x)",
        ),
        other if second_body == "negates" else "",
    )


def _invariant_read_again() -> Vector:
    """A variable that the body passes on; what the loop returns for it is added to, and the operand is read again."""
    k, a = ints(10, 20), ints(1, -2)
    return body_feeds_next_trip(
        "invariant-is-read-again: "
        "the operand that the body passes on is read after the loop, and so is the loop's result for it, twice",
        tflite("""
            subgraph main (n: int32[], k: int32[2], a: int32[2]) -> (at, more, minus, kept)
              five: int32[2] = [5, 5]
              value: int32[2] = NEG(k)
              m: int32[], kt: int32[2], at: int32[2] = WHILE(n, value, a) cond=positive body=adds
              sum: int32[2] = ADD(kt, five)
              more: int32[2] = NEG(sum)
              minus: int32[2] = NEG(kt)
              kept: int32[2] = NEG(value)
            subgraph positive (n: int32[], k: int32[2], a: int32[2]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph adds (n: int32[], k: int32[2], a: int32[2]) -> (next, k, sum)
              one: int32[] = 1
              next: int32[] = SUB(n, one)
              sum: int32[2] = ADD(a, k)
        """),
        [
            Run(
                {"n": np.int32(n), "k": k, "a": a},
                {"at": a - k * np.int32(n), "more": k - np.int32(5), "minus": k, "kept": k},
            )
            for n in (2, 1, 0)
        ],
        why=["onert-while-body", "rfc-copying"],
        also=["tflite/subgraph/value-semantics"],
    )
