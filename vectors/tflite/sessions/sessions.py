"""One session, run again and again: no run sees another's data."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Concurrent, Reread, Run, Vector, ints, strings, vectors_of
from ifcert.authoring.tflite import TfliteModel, tflite

no_state_between_runs = vectors_of("tflite/if/no-state-between-runs", "onert-primary", "rfc-propagates-shapes")


def vectors() -> Iterator[Vector]:
    for sequence in (
        _flipped(),
        _elementwise(),
        _lengths(),
        _matrices(),
        _constants(),
        _passed(),
        _texts(),
        _nested(),
        _wide(),
    ):
        yield sequence
        yield from sequence.cold()


def _growing(dims: str = "?") -> TfliteModel:
    """x twice, or -x."""
    return tflite(f"""
        subgraph main (c: bool[], x: float32[{dims}]) -> (y)
          y: float32[{dims}] = IF(c, x) then=twice else=negates
        subgraph twice (p: float32[{dims}]) -> (q)
          q: float32[{dims}] = CONCATENATION(p, p) axis=0
        subgraph negates (p: float32[{dims}]) -> (q)
          q: float32[{dims}] = NEG(p)
    """)


def _grown(cond: bool, x: np.ndarray, *, hold: bool = False) -> Run:
    return Run({"c": np.bool_(cond), "x": x}, {"y": np.concatenate([x, x]) if cond else -x}, hold=hold)


def _counted(*shape: int, first: int = 1) -> np.ndarray:
    return np.arange(first, first + int(np.prod(shape)), dtype=np.float32).reshape(shape)


ADDS = tflite("""
    subgraph main (c: bool[], x: int64[2]) -> (y)
      y: int64[2] = IF(c, x) then=hundreds else=units
    subgraph hundreds (p: int64[2]) -> (q)
      k: int64[2] = [100, 200]
      q: int64[2] = ADD(p, k)
    subgraph units (p: int64[2]) -> (q)
      k: int64[2] = [7, 8]
      q: int64[2] = ADD(p, k)
""")


def _added(cond: bool, number: int, *, hold: bool = False) -> Run:
    k = np.int64([100, 200] if cond else [7, 8])
    x = np.int64([number, -number])
    return Run({"c": np.bool_(cond), "x": x}, {"y": x + k}, hold=hold)


def _flipped() -> Vector:
    return no_state_between_runs(
        "cond-flipped: one x, cond true and false in turn",
        ADDS,
        [_added(cond, 5) for cond in (True, False, True, False, False, True, True, False)],
    )


def _constants() -> Vector:
    return no_state_between_runs(
        "constants-stay: sums with constants of the subgraphs, again and again",
        ADDS,
        [_added(cond, number) for number, cond in enumerate([True, True, False, True, False, False])],
    )


def _elementwise() -> Vector:
    """The declared shape is the first run's length, and its dim is unknown."""
    model = tflite("""
        subgraph main (c: bool[], x: float32[?] {shape=[2]}) -> (y)
          y: float32[?] {shape=[2]} = IF(c, x) then=doubles else=negates
        subgraph doubles (p: float32[?] {shape=[2]}) -> (q)
          q: float32[?] {shape=[2]} = ADD(p, p)
        subgraph negates (p: float32[?] {shape=[2]}) -> (q)
          q: float32[?] {shape=[2]} = NEG(p)
    """)
    runs = []
    for number, (cond, length) in enumerate([(False, 2), (True, 3), (False, 2), (True, 4), (True, 1), (False, 3)]):
        x = _counted(length, first=1 + 10 * number)
        runs.append(Run({"c": np.bool_(cond), "x": x}, {"y": x + x if cond else -x}))
    return no_state_between_runs("cond-and-length-flipped: 2x or -x, whose length changes with cond", model, runs)


def _lengths() -> Vector:
    steps = [(True, 2), (False, 5), (True, 1), (False, 1), (False, 3), (True, 3), (False, 2)]
    return no_state_between_runs(
        "lengths-grow-and-shrink: x of [?] in seven lengths, both subgraphs in turn",
        _growing(),
        [_grown(cond, _counted(length, first=1 + 10 * number)) for number, (cond, length) in enumerate(steps)],
    )


def _matrices() -> Vector:
    steps = [(False, (2, 3)), (True, (3, 2)), (False, (1, 6)), (True, (6, 1)), (False, (3, 3)), (True, (1, 1))]
    return no_state_between_runs(
        "shapes-of-as-many-elements: x of [?,?] in other shapes, some with as many elements",
        _growing("?,?"),
        [_grown(cond, _counted(*shape)) for cond, shape in steps],
    )


def _passed() -> Vector:
    """Neither subgraph has an operator."""
    model = tflite("""
        subgraph main (c: bool[], a: int32[?], b: int32[?]) -> (y, z)
          y: int32[?], z: int32[?] = IF(c, a, b) then=same else=swaps
        subgraph same (p: int32[?], q: int32[?]) -> (p, q)
        subgraph swaps (p: int32[?], q: int32[?]) -> (q, p)
    """)
    runs = []
    for number, cond in enumerate([True, False, False, True, True]):
        a, b = np.int32([number] * (number + 1)), np.int32([-number - 1] * (5 - number))
        runs.append(Run({"c": np.bool_(cond), "a": a, "b": b}, {"y": a, "z": b} if cond else {"y": b, "z": a}))
    return no_state_between_runs(
        "passed-and-swapped: two inputs of other lengths pass through or are swapped", model, runs
    )


def _texts() -> Vector:
    """Strings have memory of their own: short after long."""
    model = tflite("""
        subgraph main (c: bool[], a: string[?], b: string[?]) -> (y)
          y: string[?] = IF(c, a, b) then=first else=second
        subgraph first (p: string[?], q: string[?]) -> (p)
        subgraph second (p: string[?], q: string[?]) -> (q)
    """)
    lists = [[b"a" * 100, b"b"], [b""], [b"caf\xc3\xa9", b"", b"c" * 30], [b"x"]]
    runs = []
    for number in range(6):
        a, b = lists[number % 4], lists[(number + 1) % 4]
        a, b = strings([len(a)], a), strings([len(b)], b)
        cond = number % 3 != 0
        runs.append(Run({"c": np.bool_(cond), "a": a, "b": b}, {"y": a if cond else b}))
    return no_state_between_runs("texts: strings of other lengths and numbers", model, runs)


def _nested() -> Vector:
    """Two conds in all orders, with lengths that change."""
    model = tflite("""
        subgraph main (p: bool[], q: bool[], x: float32[?]) -> (y)
          y: float32[?] = IF(p, q, x) then=inner else=thrice
        subgraph inner (q: bool[], x: float32[?]) -> (y)
          y: float32[?] = IF(q, x) then=twice else=negates
        subgraph thrice (q: bool[], x: float32[?]) -> (y)
          y: float32[?] = CONCATENATION(x, x, x) axis=0
        subgraph twice (x: float32[?]) -> (y)
          y: float32[?] = CONCATENATION(x, x) axis=0
        subgraph negates (x: float32[?]) -> (y)
          y: float32[?] = NEG(x)
    """)
    runs = []
    for number, (p, q) in enumerate([(1, 1), (0, 1), (1, 0), (0, 0), (1, 1), (1, 0)]):
        x = _counted(1 + number * 2 % 5, first=number)
        y = np.concatenate([x, x] if p and q else [-x] if p else [x, x, x])
        runs.append(Run({"p": np.bool_(p), "q": np.bool_(q), "x": x}, {"y": y}))
    return no_state_between_runs("nested: an If in an If, with conds and lengths that change", model, runs)


def _wide() -> Vector:
    """Many elements, then few: a later run must not see the rest of the earlier one."""
    runs = [
        _grown(True, _counted(1000)),
        _grown(False, _counted(2)),
        _grown(True, _counted(3)),
        _grown(False, _counted(1000)),
    ]
    return no_state_between_runs("thousand-and-two: a thousand elements, then two", _growing(), runs)


def _held() -> Iterator[Vector]:
    """Results that are kept while other runs are made."""
    yield no_state_between_runs(
        "held-results: results of a fixed shape, read again after later runs",
        ADDS,
        _added(True, 1, hold=True),
        _added(False, 2, hold=True),
        _added(True, 3),
        Reread(0),
        _added(False, 4),
        Reread(1),
        Reread(0),
    )
    yield no_state_between_runs(
        "held-results-of-other-lengths: results of other lengths, read again after later runs",
        _growing(),
        _grown(True, _counted(2), hold=True),
        _grown(False, _counted(9), hold=True),
        Reread(0),
        _grown(True, _counted(50)),
        Reread(0),
        Reread(1),
    )
    passed = tflite("""
        subgraph main (c: bool[], x: int32[2]) -> (y)
          y: int32[2] = IF(c, x) then=same else=constant
        subgraph same (p: int32[2]) -> (p)
        subgraph constant (p: int32[2]) -> (k)
          k: int32[2] = [3, 4]
    """)
    x, z, k = ints(1, -2), ints(5, 6), ints(3, 4)
    yield no_state_between_runs(
        "held-operand-and-constant: the held results are an operand that passed through, and a constant",
        passed,
        Run({"c": np.True_, "x": x}, {"y": x}, hold=True),
        Run({"c": np.False_, "x": z}, {"y": k}, hold=True),
        Run({"c": np.True_, "x": z}, {"y": z}),
        Reread(0),
        Reread(1),
    )


def _concurrent() -> Iterator[Vector]:
    """Runs of one session that start at the same time."""
    yield no_state_between_runs(
        "eight-at-once: eight runs at the same time, cond alternating between true and false",
        ADDS,
        Concurrent([_added(number % 2 == 0, number) for number in range(8)]),
    )
    yield no_state_between_runs(
        "lengths-at-once: six runs at the same time, each of another length",
        _growing(),
        Concurrent([_grown(number % 2 == 0, _counted(number, first=number)) for number in range(1, 7)]),
    )
