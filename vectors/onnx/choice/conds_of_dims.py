"""Cond is computed of the length of an input, which a reader does not know before the run, but may have bounds of."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, issue, model

RULE = "onnx/if/cond-source/"

INTERVAL = issue("openvinotoolkit/openvino", 21453, "Equal of a dim in an interval was considered known before the run")
POINTER = issue(
    "openvinotoolkit/openvino", 38166, "bounds always seemed not negative: Abs was removed, and ReduceProd had bounds"
)

CHOICE = """
        y = If (c) <
            then_branch = then_graph () => (float[?] a) { a = Add (x, x) },
            else_branch = else_graph () => (float[?] b) { b = Neg (x) }>"""


def vectors() -> Iterator[Vector]:
    for case, (title, nodes, why, lengths) in {
        "length-less-three-is-minus-one": (
            "cond says whether the length of x less three is -1",
            "dims = Shape (x)  length = Squeeze (dims)  d = Sub (length, three)  c = Equal (d, minus_one)",
            ["operators-equal", INTERVAL],
            {3: False, 2: True, 4: False, 1: False},
        ),
        "distance-of-shape-from-three": (
            "cond says whether the distance of the shape of x from [3] is above 1",
            "dims = Shape (x)  d = Sub (dims, threes)  e = Abs (d)  f = Gather (e, zero)  c = Greater (f, one)",
            ["operators-abs", POINTER],
            {3: False, 1: True, 5: True, 2: False},
        ),
    }.items():
        stored = "int64 zero = {0}, int64 one = {1}, int64 three = {3}, int64[1] threes = {3}, int64 minus_one = {-1}"
        yield Vector(
            RULE + case,
            title,
            ["if-cond", "operators-shape", *why],
            model(f"g (float[n] x) => (float[?] y) <{stored}> {{ {nodes} {CHOICE} }}"),
            [
                Run({"x": x}, {"y": x + x if cond else -x})
                for length, cond in lengths.items()
                for x in [np.arange(1, 1 + length, dtype=np.float32)]
            ],
        )
    yield Vector(
        RULE + "length-of-two-joined",
        "cond is the length of x behind x, cast to bool",
        ["if-cond", "operators-shape", "operators-cast-fixed-to-bool"],
        model(
            "g (float[n] x) => (float[?] y) { "
            "xx = Concat <axis = 0> (x, x)  dims = Shape (xx)  length = Squeeze (dims)  c = Cast <to = 9> (length)"
            f" {CHOICE} }}"
        ),
        [
            Run({"x": x}, {"y": x + x if length else -x})
            for length in (2, 0, 1)
            for x in [np.arange(1, 1 + length, dtype=np.float32)]
        ],
    )
