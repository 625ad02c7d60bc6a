"""Subgraphs that no run invokes and that could not run, as their constants show before any run."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, ints
from ifcert.authoring.tflite import tflite

SEEN = "the subgraph can never run, which its constants show before any run; no text says that it may not be there"

X = ints(5, -6)

# What the subgraph `never` would do, and the lines of it that say so: its output is f.
FAULTS = {
    "reshape": (
        "RESHAPE six numbers to four",
        "k: int32[6] = [1, 2, 3, 4, 5, 6]",
        "to: int32[2] = [2, 2]",
        "f: int32[2,2] = RESHAPE(k, to)",
    ),
    "reshape-by-option": (
        "RESHAPE six numbers to four, as its option says",
        "k: int32[6] = [1, 2, 3, 4, 5, 6]",
        "f: int32[2,2] = RESHAPE(k) new_shape=[2,2]",
    ),
    "gather": (
        "GATHER element 99 of three",
        "k: int32[3] = [1, 2, 3]",
        "at: int32[1] = [99]",
        "f: int32[1] = GATHER(k, at) axis=0",
    ),
    "gather-before": (
        "GATHER element -4 of three",
        "k: int32[3] = [1, 2, 3]",
        "at: int32[1] = [-4]",
        "f: int32[1] = GATHER(k, at) axis=0",
    ),
    "division": (
        "DIV integers by zero",
        "k: int32[2] = [6, -8]",
        "zero: int32[2] = [0, 0]",
        "f: int32[2] = DIV(k, zero)",
    ),
    "slice": (
        "SLICE four of three numbers",
        "k: int32[3] = [1, 2, 3]",
        "from: int32[1] = [0]",
        "size: int32[1] = [4]",
        "f: int32[4] = SLICE(k, from, size)",
    ),
    "sum": ("ADD [2] and [3]", "k: int32[2] = [1, 2]", "m: int32[3] = [1, 2, 3]", "f: int32[3] = ADD(k, m)"),
    "concatenation": (
        "join [2,2] and [1,3] along axis 0 by CONCATENATION",
        "k: int32[2,2] = [1, 2, 3, 4]",
        "m: int32[1,3] = [1, 2, 3]",
        "f: int32[3,3] = CONCATENATION(k, m) axis=0",
    ),
    "pack": (
        "PACK [2] and [3]",
        "k: int32[2] = [1, 2]",
        "m: int32[3] = [1, 2, 3]",
        "f: int32[2,3] = PACK(k, m) values_count=2 axis=0",
    ),
    "select": (
        "SELECT from [3] by [2]",
        "k: int32[3] = [1, 2, 3]",
        "mask: bool[2] = [true, false]",
        "f: int32[3] = SELECT(mask, k, k)",
    ),
    "fill": (
        "FILL a tensor of -2 elements",
        "to: int32[1] = [-2]",
        "k: int32[] = 7",
        "f: int32[?] = FILL(to, k)",
    ),
}

# Where `never` would be invoked, and the part of the model that does not invoke it.
PLACES = {
    "cond-fed": (
        "then, which the fed cond does not select,",
        """
subgraph main (c: bool[], x: int32[2]) -> (y)
  y: int32[...] = IF(c, x) then=never else=sound
""",
    ),
    "cond-constant": (
        "else, which the constant cond does not select,",
        """
subgraph main (x: int32[2]) -> (y)
  c: bool[] = true
  y: int32[...] = IF(c, x) then=sound else=never
""",
    ),
    "in-untaken-subgraph": (
        "the subgraph that the constant cond of an If selects, in a subgraph that the fed cond does not select,",
        """
subgraph main (c: bool[], x: int32[2]) -> (y)
  y: int32[...] = IF(c, x) then=outer else=sound
subgraph outer (q: int32[2]) -> (r)
  always: bool[] = true
  r: int32[...] = IF(always, q) then=never else=sound
""",
    ),
}


def _constants() -> Iterator[Vector]:
    for place, (where, main) in PLACES.items():
        for case, (what, *lines) in FAULTS.items():
            body = "\n  ".join(lines)
            model = tflite(f"""{main}subgraph never (unread: int32[2]) -> (f)
  {body}
subgraph sound (p: int32[2]) -> (minus)
  minus: int32[2] = NEG(p)
""")
            yield Vector(
                f"tflite/if/only-taken-subgraph-runs/constants-{case}-{place}",
                f"{where} would {what}, all operands being constants",
                ["onert-if", "rfc-if"],
                model,
                [Run({"x": X} if place == "cond-constant" else {"c": np.False_, "x": X}, {"y": -X})],
                doubt=SEEN,
            )
