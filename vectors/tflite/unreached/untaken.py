"""A subgraph that is not taken, and could not run with the operands it would get."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, ints
from ifcert.authoring.tflite import TfliteModel, replaced, tflite
from ifcert.authoring.values import Writable

RULE = "tflite/if/only-taken-subgraph-runs/"

WHY = ["onert-if", "rfc-if"]


SUM = "sum-that-does-not-fit"
PREPARED = (
    "one of the two subgraphs is invoked, and an invoked one reallocates its tensors; no sentence says that the other "
    "is not to be prepared for the shapes of the run"
)


def _by_a_run() -> Iterator[Vector]:
    """Each with the faulty subgraph as then, and as else."""
    for case, title, model, sound, faulty in [
        _gathering(),
        _reshaping(),
        _dividing(),
        _slicing(),
        _endless(),
        _nested(),
        _adding(),
    ]:
        other = model.edited(replaced("then=perhaps else=sound", "then=sound else=perhaps"))
        for place, text, untaken in [("then", model, False), ("else", other, True)]:
            yield Vector(
                f"{RULE}{case}-in-{place}",
                f"{title}, in {place}, which is not taken where it cannot run",
                [*WHY, "rfc-reallocates"] if case == SUM else WHY,
                text,
                [_run(untaken, *faulty), _run(not untaken, *sound), _run(untaken, *faulty)],
                doubt=PREPARED if case == SUM else "",
            )


Fed = tuple[dict[str, Writable], Writable]
Case = tuple[str, str, TfliteModel, Fed, Fed]


def _run(cond: bool, fed: dict[str, Writable], y: Writable) -> Run:
    return Run({"c": np.bool_(cond), **fed}, {"y": y})


def _gathering() -> Case:
    model = tflite("""
        subgraph main (c: bool[], x: int32[3], i: int32[2]) -> (y)
          y: int32[?] = IF(c, x, i) then=perhaps else=sound
        subgraph perhaps (x: int32[3], i: int32[2]) -> (y)
          y: int32[2] = GATHER(x, i) axis=0
        subgraph sound (x: int32[3], i: int32[2]) -> (y)
          y: int32[3] = NEG(x)
    """)
    x = ints(7, 8, 9)
    within, outside = {"x": x, "i": ints(2, 0)}, {"x": x, "i": ints(99, -5)}
    return "gather-out-of-range", "GATHER at 99", model, (within, ints(9, 7)), (outside, -x)


def _reshaping() -> Case:
    model = tflite("""
        subgraph main (c: bool[], x: int32[6], d: int32[2]) -> (y)
          y: int32[...] = IF(c, x, d) then=perhaps else=sound
        subgraph perhaps (x: int32[6], d: int32[2]) -> (y)
          y: int32[?,?] = RESHAPE(x, d)
        subgraph sound (x: int32[6], d: int32[2]) -> (y)
          y: int32[6] = ABS(x)
    """)
    x = ints(-1, 2, -3, 4, -5, 6)
    fits, not_ = {"x": x, "d": ints(2, 3)}, {"x": x, "d": ints(4, 5)}
    grid = ints([-1, 2, -3], [4, -5, 6])
    return "reshape-that-does-not-fit", "RESHAPE of 6 elements to [4, 5]", model, (fits, grid), (not_, abs(x))


def _dividing() -> Case:
    model = tflite("""
        subgraph main (c: bool[], x: int32[2], d: int32[2]) -> (y)
          y: int32[2] = IF(c, x, d) then=perhaps else=sound
        subgraph perhaps (x: int32[2], d: int32[2]) -> (y)
          y: int32[2] = DIV(x, d)
        subgraph sound (x: int32[2], d: int32[2]) -> (y)
          y: int32[2] = ADD(x, d)
    """)
    x = ints(8, 9)
    some, none = {"x": x, "d": ints(2, 3)}, {"x": x, "d": ints(0, 0)}
    return "division-by-zero", "an integer DIV by 0", model, (some, ints(4, 3)), (none, x)


def _slicing() -> Case:
    model = tflite("""
        subgraph main (c: bool[], x: int32[4], b: int32[1]) -> (y)
          y: int32[?] = IF(c, x, b) then=perhaps else=sound
        subgraph perhaps (x: int32[4], b: int32[1]) -> (y)
          size: int32[1] = [2]
          y: int32[2] = SLICE(x, b, size)
        subgraph sound (x: int32[4], b: int32[1]) -> (y)
          y: int32[4] = NEG(x)
    """)
    x = ints(5, 6, 7, 8)
    within, outside = {"x": x, "b": ints(1)}, {"x": x, "b": ints(9)}
    return "slice-beyond-the-end", "SLICE from 9 of 4 elements", model, (within, ints(6, 7)), (outside, -x)


def _endless() -> Case:
    """x is doubled while it is less than 100: with 0 the loop would not end."""
    model = tflite("""
        subgraph main (c: bool[], x: int32[]) -> (y)
          y: int32[] = IF(c, x) then=perhaps else=sound
        subgraph perhaps (x: int32[]) -> (y)
          y: int32[] = WHILE(x) cond=small body=doubled
        subgraph sound (x: int32[]) -> (y)
          k: int32[] = 7
          y: int32[] = SUB(x, k)
        subgraph small (x: int32[]) -> (c)
          k: int32[] = 100
          c: bool[] = LESS(x, k)
        subgraph doubled (x: int32[]) -> (y)
          y: int32[] = ADD(x, x)
    """)
    ends, endless = {"x": np.int32(3)}, {"x": np.int32(0)}
    return "endless-while", "a WHILE that would not end", model, (ends, np.int32(192)), (endless, np.int32(-7))


def _nested() -> Case:
    """The fault is in an If of the untaken subgraph, in the subgraph that its own cond selects."""
    model = tflite("""
        subgraph main (c: bool[], x: int32[3], i: int32[2]) -> (y)
          y: int32[?] = IF(c, x, i) then=perhaps else=sound
        subgraph perhaps (x: int32[3], i: int32[2]) -> (y)
          always: bool[] = true
          y: int32[?] = IF(always, x, i) then=gathered else=sound
        subgraph gathered (x: int32[3], i: int32[2]) -> (y)
          y: int32[2] = GATHER(x, i) axis=0
        subgraph sound (x: int32[3], i: int32[2]) -> (y)
          y: int32[3] = NEG(x)
    """)
    x = ints(7, 8, 9)
    within, outside = {"x": x, "i": ints(1, 1)}, {"x": x, "i": ints(3, 3)}
    return "nested-gather", "an If whose GATHER is out of range", model, (within, ints(8, 8)), (outside, -x)


def _adding() -> Case:
    """The shapes of the run do not fit, as where a model selects its path by a dim of its input."""
    model = tflite("""
        subgraph main (c: bool[], x: int32[?]) -> (y)
          y: int32[?] = IF(c, x) then=perhaps else=sound
        subgraph perhaps (x: int32[?]) -> (y)
          k: int32[3] = [10, 20, 30]
          y: int32[3] = ADD(x, k)
        subgraph sound (x: int32[?]) -> (y)
          y: int32[?] = NEG(x)
    """)
    three, two = {"x": ints(1, 2, 3)}, {"x": ints(4, 5)}
    return SUM, "ADD of 2 and 3 elements", model, (three, ints(11, 22, 33)), (two, -two["x"])


def _by_constants() -> Iterator[Vector]:
    """An operator of the untaken subgraph could never run, which a reader can see before any run."""
    x = ints(5, -6, 7)
    for case, title, lines in [
        ("gather-out-of-range", "GATHER at 99", "i: int32[2] = [99, 0]\n  y: int32[2] = GATHER(x, i) axis=0"),
        ("reshape-that-does-not-fit", "RESHAPE to [4, 5]", "d: int32[2] = [4, 5]\n  y: int32[4,5] = RESHAPE(x, d)"),
        ("division-by-zero", "DIV by 0", "d: int32[3] = [1, 0, 2]\n  y: int32[3] = DIV(x, d)"),
        (
            "slice-beyond-the-end",
            "SLICE from 9",
            "b: int32[1] = [9]\n  size: int32[1] = [2]\n  y: int32[2] = SLICE(x, b, size)",
        ),
    ]:
        model = tflite(f"""
subgraph main (c: bool[], x: int32[3]) -> (y)
  y: int32[...] = IF(c, x) then=never else=sound
subgraph never (x: int32[3]) -> (y)
  {lines}
subgraph sound (x: int32[3]) -> (y)
  y: int32[3] = NEG(x)
""")
        yield Vector(
            f"{RULE}constant-{case}",
            f"{title} of three elements, by a constant, in then, which is not taken",
            WHY,
            model,
            [_run(False, {"x": x}, -x)],
            doubt="no text says whether a subgraph may be one that could never run",
        )
