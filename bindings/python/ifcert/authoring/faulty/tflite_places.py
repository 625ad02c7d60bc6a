"""The sound TensorFlow Lite models of the cross of faults: an IF and a WHILE at each place, at each depth."""

import numpy as np

from ifcert.authoring.crosses.dimensions import Row
from ifcert.authoring.faulty.vectors import Sound
from ifcert.authoring.tflite import tflite
from ifcert.authoring.values import Writable, ints
from ifcert.authoring.vector import Run

X, K, HELD = ints(1, -2), ints(10, 20), ints(7, 8)

# What the subgraph `home` holds, which has the faults: an IF and a WHILE, an operator beside them, and the subgraphs
# that they invoke. The IF adds a constant to x, or returns another; the WHILE makes one trip where c is true.
IF, LOOP, BESIDE = (
    "r: int32[2] = IF(c, x) then=sums else=holds",
    "i: bool[], s: int32[2] = WHILE(c, r) cond=again body=once",
    "t: int32[2] = NEG(s)",
)
CONSTANT, SUM = "k: int32[2] = [10, 20]", "sum: int32[2] = ADD(a, k)"
INVOKED = f"""
subgraph sums (a: int32[2]) -> (sum)
  {CONSTANT}
  {SUM}
subgraph holds (b: int32[2]) -> (h)
  h: int32[2] = [7, 8]
subgraph again (c: bool[], x: int32[2]) -> (c)
subgraph once (c: bool[], x: int32[2]) -> (off, x)
  off: bool[] = LOGICAL_NOT(c)
"""
# A subgraph that has the inputs and outputs of those around it, and the cond of a WHILE that makes one trip.
OTHER = """subgraph other (e: bool[], c: bool[], q: int32[2]) -> (c, twice)
  twice: int32[2] = ADD(q, q)
"""
FIRST = "subgraph first (e: bool[], c: bool[], x: int32[2]) -> (e)\n"


def sound(row: Row) -> Sound:
    """The plain model of a row."""
    given: dict[str, Writable] = {
        "taken": np.bool_(row["around"] == "else"),
        "e": np.bool_(row["around"] != "else"),
        "go": np.False_,
        "x": X,
    }
    model = tflite(_text(row))
    results = {True: X + K, False: HELD}
    of_place = {"untaken": -X - X, "untripped": -X, "unentered": -X - X}
    return Sound(
        _rule(row),
        _why(row),
        model,
        [
            Run(
                {name: (given | {"c": np.bool_(c)})[name] for name in model.inputs()},
                {"y": of_place.get(row["place"], results[c])},
            )
            for c in ((True, False) if row["place"] == "executed" else (True,))
        ],
    )


def _rule(row: Row) -> str:
    """The rule for which the vector without a fault counts."""
    of_place = {
        "untaken": "if/only-taken-subgraph-runs",
        "untripped": "while/zero-trips",
        "unentered": "subgraph/primary-order",
    }
    of_body = "if/inputs-positional" if row["depth"] == "1" else "nested/if-in-if"
    return of_place.get(row["place"], "nested/if-in-while" if row["around"] == "loop" else of_body)


def _why(row: Row) -> list[str]:
    """The sentences that decide the values."""
    of_place = {"untripped": ["onert-while-cond"], "unentered": ["schema-main-model"]}
    return of_place.get(row["place"], ["onert-if", "rfc-if", *(["while-loop"] if row["around"] == "loop" else [])])


def _text(row: Row) -> str:
    """The model as text: the primary subgraph, those around, home and those that it invokes."""
    depth, around = int(row["depth"]), row["around"]
    lines, result, inner = f"  {IF}\n  {LOOP}\n  {BESIDE}\n", "t", ""
    for level in range(1, depth):
        inner += _subgraph(_label(level), lines, result, loop=around == "loop")
        lines, result = f"  {_invoked(_label(level), around, f'{level}')}\n", f"t{level}"
    label, place = _label(depth), row["place"]
    if place == "executed":
        inputs = "e: bool[], c: bool[], x: int32[2]" if depth > 1 else "c: bool[], x: int32[2]"
        main = f"subgraph {label} ({inputs}) -> (y)\n{lines}  y: int32[2] = NEG({result})\n"
        return main + inner + OTHER + FIRST + INVOKED
    inner += _subgraph(label, lines, result, loop=place == "untripped")
    call = {
        "untaken": _chosen("taken", label, "else" if around == "else" else "then", "0"),
        "untripped": f"o0: bool[], d0: bool[], t0: int32[2] = WHILE(go, c, x) cond=first body={label}",
        "unentered": "d0: bool[], t0: int32[2] = IF(c, c, c, x) then=other else=same",
    }[place]
    inputs = {"untaken": "taken: bool[], e: bool[], ", "untripped": "go: bool[], ", "unentered": ""}[place]
    same = "subgraph same (e: bool[], c: bool[], x: int32[2]) -> (c, x)\n" if place == "unentered" else ""
    main = f"subgraph main ({inputs}c: bool[], x: int32[2]) -> (y)\n  {call}\n  y: int32[2] = NEG(t0)\n"
    return main + inner + OTHER + FIRST + same + INVOKED


def _label(level: int) -> str:
    return "home" if level == 1 else f"around{level}"


def _subgraph(label: str, lines: str, result: str, *, loop: bool) -> str:
    """A subgraph that an IF or, with one trip, a WHILE invokes."""
    off = "  off: bool[] = LOGICAL_NOT(e)\n" if loop else ""
    return (
        f"subgraph {label} (e: bool[], c: bool[], x: int32[2]) -> ({'off, ' if loop else ''}c, {result})\n{off}{lines}"
    )


def _invoked(label: str, around: str, n: str) -> str:
    """The operator that invokes the subgraph."""
    if around == "loop":
        return f"o{n}: bool[], d{n}: bool[], t{n}: int32[2] = WHILE(e, c, x) cond=first body={label}"
    return _chosen("e", label, around, n)


def _chosen(cond: str, label: str, branch: str, n: str) -> str:
    """An IF of which one branch is the subgraph, and the other `other`."""
    then, other = (label, "other") if branch == "then" else ("other", label)
    return f"d{n}: bool[], t{n}: int32[2] = IF({cond}, e, c, x) then={then} else={other}"
