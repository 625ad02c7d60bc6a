"""While: one session, run again with other numbers of trips and other shapes."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Concurrent, Reread, Run, Vector, floats, vectors_of
from ifcert.authoring.tflite import tflite
from ifcert.authoring.tflite_loops import DOUBLES
from ifcert.authoring.vector import with_cold_runs

no_state_between_runs = vectors_of("tflite/while/no-state-between-runs", "onert-primary")

GROWS = tflite("""
    subgraph main (n: int32[], x: float32[?]) -> (y)
      m: int32[], y: float32[?] = WHILE(n, x) cond=positive body=appends
    subgraph positive (n: int32[], x: float32[?]) -> (more)
      zero: int32[] = 0
      more: bool[] = GREATER(n, zero)
    subgraph appends (n: int32[], x: float32[?]) -> (next, longer)
      one: int32[] = 1
      k: float32[1] = [9]
      next: int32[] = SUB(n, one)
      longer: float32[?] = CONCATENATION(x, k) axis=0
""")


def doubling(n: int, x: list[float], *, hold: bool = False) -> Run:
    """A run of DOUBLES."""
    trips = max(n, 0)
    return Run(
        {"n": np.int32(n), "x": np.float32(x)},
        {"i": np.int32(trips), "y": np.float32(x) * np.float32(2**trips)},
        hold=hold,
    )


def appending(n: int, x: list[float], *, hold: bool = False) -> Run:
    """A run of GROWS."""
    return Run({"n": np.int32(n), "x": np.float32(x)}, {"y": floats(*x, *[9] * n)}, hold=hold)


def vectors() -> Iterator[Vector]:
    yield no_state_between_runs(
        "hundred-runs: a hundred runs of 1 to 7 trips, each with values of its own",
        DOUBLES,
        [doubling(1 + number % 7, [number, -number]) for number in range(100)],
        why=["onert-primary", "while-loop"],
    )
    yield no_state_between_runs(
        "at-the-same-time: eight runs at the same time, of 1 to 8 trips",
        DOUBLES,
        Concurrent([doubling(n, [n, -1]) for n in range(1, 9)]),
    )


@with_cold_runs
def _trips() -> Iterator[Vector]:
    for case, numbers in [
        ("fewer-trips: five trips, then two", (5, 2)),
        ("more-trips: one trip, then four", (1, 4)),
        ("none-after-many: three trips, then none: the earlier results are gone", (3, 0)),
        ("many-after-none: no trip, then three, then none", (0, 3, 0)),
    ]:
        yield no_state_between_runs(
            case,
            DOUBLES,
            [doubling(n, [1 + number, -2]) for number, n in enumerate(numbers)],
            why=["onert-primary", "while-loop"],
        )


@with_cold_runs
def _shapes() -> Iterator[Vector]:
    for case, runs in {
        "grown-then-short: a run that grows x to seven elements, then one that keeps two": [(5, [1, 2]), (0, [3, 4])],
        "other-lengths: x with two elements, with four, with one": [(1, [1, 2]), (1, [3, 4, 5, 6]), (1, [7])],
        "longer-and-no-trips: x with one element and two trips, then four elements and none": [
            (2, [1]),
            (0, [2, 3, 4, 5]),
        ],
    }.items():
        yield no_state_between_runs(
            case, GROWS, [appending(n, x) for n, x in runs], why=["onert-primary", "rfc-reallocates"]
        )


def held() -> Iterator[Vector]:
    """The result of a run does not change when later runs are made."""
    yield no_state_between_runs(
        "held: the results of three trips are read again after runs of one and of five",
        DOUBLES,
        [doubling(3, [1, -2], hold=True), doubling(1, [5, 6]), doubling(5, [7, 8]), Reread(of=0)],
    )
    yield no_state_between_runs(
        "held-without-a-trip: the results of no trip, which are the inputs, are read again",
        DOUBLES,
        [doubling(0, [1, -2], hold=True), doubling(2, [5, 6]), doubling(0, [7, 8]), Reread(of=0)],
    )
    yield no_state_between_runs(
        "held-and-grown: the results of a short run are read again after a long one",
        GROWS,
        [appending(1, [1, 2], hold=True), appending(6, [3, 4]), Reread(of=0)],
    )
