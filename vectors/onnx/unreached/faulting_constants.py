"""Untaken branches that could not run, as their constants show before any run, and some that could never end."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from ifcert.authoring import Run, Vector, Why, floats, issue, model

RULE = "onnx/if/only-taken-branch-runs/"
WHY = [
    "if-then-branch-runs",
    "if-else-branch-runs",
    "ir-runtime-agnostic",
    issue("onnx/onnx", 4986, "inference ran the untaken branch and refused the model"),
]
SEEN = "the branch can never run, which its constants show before any run; no text says that it may not be there"
X = floats(1, -2)


@dataclass(frozen=True)
class Fault:
    """The fault of the untaken branch, its constants and nodes (which compute f), and the sentence on it."""

    name: str
    what: str
    stored: str
    nodes: str
    why: Why


FAULTS = [
    Fault(
        "reshape",
        "reshape six numbers to four",
        "int64[6] k = {1, 2, 3, 4, 5, 6}, int64[2] to = {2, 2}",
        "f = Reshape (k, to)",
        "operators-reshape-elements",
    ),
    Fault(
        "gather",
        "gather element 99 of three",
        "int64[3] k = {1, 2, 3}, int64[1] at = {99}",
        "f = Gather (k, at)",
        "operators-gather-index-out-of-bounds",
    ),
    Fault(
        "gather-far-before",
        "gather element -4 of three",
        "int64[3] k = {1, 2, 3}, int64[1] at = {-4}",
        "f = Gather (k, at)",
        "operators-gather-index-range",
    ),
    Fault(
        "integer-division-by-zero",
        "divide integers by zero",
        "int32[2] k = {6, -8}, int32[2] zero = {0, 0}",
        "f = Div (k, zero)",
        "operators-div-by-zero-unspecified",
    ),
    Fault(
        "unsigned-division-by-zero",
        "divide unsigned bytes by zero",
        "uint8[2] k = {6, 8}, uint8[2] zero = {0, 0}",
        "f = Div (k, zero)",
        "operators-div-by-zero-unspecified",
    ),
    Fault(
        "least-by-minus-one",
        "divide the least int64 by -1, whose quotient does not fit in an int64",
        "int64[1] k = {-9223372036854775808}, int64[1] less = {-1}",
        "f = Div (k, less)",
        "operators-div-unrepresentable-unspecified",
    ),
    Fault(
        "squeeze",
        "squeeze a dim that is 2",
        "int64[2] k = {1, 2}, int64[1] axes = {0}",
        "f = Squeeze (k, axes)",
        "operators-squeeze-axis",
    ),
    Fault(
        "expand",
        "expand [2] to [3]",
        "int64[2] k = {1, 2}, int64[1] to = {3}",
        "f = Expand (k, to)",
        "operators-expand-dims",
    ),
    Fault(
        "slice-of-step-zero",
        "slice with a step of 0",
        "int64[3] k = {1, 2, 3}, int64[1] from = {0}, int64[1] to = {3}, int64[1] axes = {0}, int64[1] step = {0}",
        "f = Slice (k, from, to, axes, step)",
        "operators-slice-no-zero-step",
    ),
    Fault(
        "negative-length",
        "create a tensor of -2 elements",
        "int64[1] to = {-2}",
        "f = ConstantOfShape (to)",
        "operators-constantofshape-not-negative",
    ),
    Fault(
        "range-of-step-zero",
        "count from 0 to 5 in steps of 0",
        "int64 from = {0}, int64 to = {5}, int64 step = {0}",
        "f = Range (from, to, step)",
        "operators-range-length",
    ),
]

# The value that the untaken branch computes is never used: y is its other result.
UNTAKEN = """
    untaken (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) <STORED> {
                NODES
                t = Size (f)
                u = Cast <to = 1> (t)
                b = Add (x, u)
            }>
    }"""

# The same branch, where the constant cond does not select it.
BEHIND_CONSTANT = """
    untaken (float[2] x) => (float[2] y) <bool cond = {1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) <STORED> {
                NODES
                t = Size (f)
                u = Cast <to = 1> (t)
                b = Add (x, u)
            }>
    }"""

# The same branch, which the constant cond selects, in a branch that the fed cond does not select.
IN_UNTAKEN = """
    untaken (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) <bool never = {0}> {
                b = If (never) <
                    then_branch = inner_then () => (float[2] d) { d = Neg (x) },
                    else_branch = inner_else () => (float[2] e) <STORED> {
                        NODES
                        t = Size (f)
                        u = Cast <to = 1> (t)
                        e = Add (x, u)
                    }>
            }>
    }"""

# A Loop whose cond stays true, without a trip count.
ENDLESS = """
    endless (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) <bool yes = {1}, float[2] k = {1, 2}> {
                s = Loop (, yes, k) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out)
                        { on_out = Identity (on)  v_out = Neg (v) }>
                b = Add (x, s)
            }>
    }"""

# 2^50 bytes, if they were ever allocated.
HUGE = """
    huge (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) <int64[1] to = {1125899906842624}, int64[1] at = {0}> {
                zeros = ConstantOfShape <value = uint8[1] {1}> (to)
                one = Gather (zeros, at)
                s = Cast <to = 1> (one)
                b = Add (x, s)
            }>
    }"""


def vectors() -> Iterator[Vector]:
    runs = [Run({"cond": np.True_, "x": X}, {"y": -X})]
    without_cond = [Run({"x": X}, {"y": -X})]
    for place, where, text, steps in [
        ("", "the untaken branch", UNTAKEN, runs),
        ("-behind-constant", "the branch that the constant cond does not select", BEHIND_CONSTANT, without_cond),
        ("-in-untaken", "the branch that the constant cond of an If in an untaken branch selects", IN_UNTAKEN, runs),
    ]:
        for fault in FAULTS:
            yield Vector(
                f"{RULE}constant-{fault.name}{place}",
                f"{where} would {fault.what}, all operands being constants",
                [*WHY, fault.why],
                model(text.replace("STORED", fault.stored).replace("NODES", fault.nodes), 14),
                steps,
                doubt=SEEN,
            )
    yield Vector(
        RULE + "endless-loop",
        "the untaken branch has a Loop of constants that never ends",
        [*WHY, "operators-loop-for-cond"],
        model(ENDLESS, 14),
        runs,
        about=["absent-operands"],
    )
    yield Vector(
        RULE + "constant-of-a-petabyte",
        "the untaken branch would create a constant of 2^50 bytes and read one of them",
        WHY,
        model(HUGE, 14),
        runs,
        doubt="the branch can never run where no memory is that large; no text says how large a tensor may be",
    )
