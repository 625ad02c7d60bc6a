"""Scans around an If: a state that changes its shape once, and lengths that differ, which a run must refuse."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model

RULE = "onnx/if/in-scan/"

X = floats([1, -2], [3, 1], [0, 5])

# A state of one number becomes one of two in the first trip, by broadcasting, and keeps that shape.
BROADCAST = model("""
    state (bool cond, float[?] start, float[3,2] x) => (float[?] final) {
        final = Scan <
            num_scan_inputs = 1,
            body = step (float[?] s, float[2] e) => (float[?] s_out) {
                s_out = If (cond) <
                    then_branch = then_graph () => (float[?] a) { a = Add (s, e) },
                    else_branch = else_graph () => (float[?] b) { b = Sub (s, e) }>
            }> (start, x)
    }""")

THREE = model("""
    zipped (bool cond, float[?] p, float[?] q, float[?] r) => (float[?] all) {
        all = Scan <
            num_scan_inputs = 3,
            body = step (float e, float f, float g) => (float shown) {
                s = Add (e, f)
                shown = If (cond) <
                    then_branch = then_graph () => (float a) { a = Add (s, g) },
                    else_branch = else_graph () => (float b) { b = Sub (s, g) }>
            }> (p, q, r)
    }""")


def vectors() -> Iterator[Vector]:
    start = floats(10, 20)
    kept = Vector(
        RULE + "state-as-long-as-the-elements",
        "the branches add the elements to a state of the same length, or subtract them",
        ["operators-scan-same-shape-in-each-iteration"],
        BROADCAST,
        branches({"start": start, "x": X}, then={"final": floats(14, 24)}, else_={"final": floats(6, 16)}),
    )
    yield kept
    yield kept.varied(
        "state-broadcast-by-first-trip: "
        "a state of one number has two after the first of three trips, and then keeps this shape",
        runs=[Run({"cond": np.True_, "start": floats(10), "x": X}, {"final": floats(14, 14)})],
        doubt="the body's outputs have one shape in all trips; of the initial state, an input, no sentence says so",
    )
    p, q, r = floats(1, 2, 3), floats(10, 20, 30), floats(100, 200, 300)
    alike = Vector(
        RULE + "three-of-one-length",
        "three operands of one length are scanned",
        ["operators-scan-equal-lengths"],
        THREE,
        branches({"p": p, "q": q, "r": r}, then={"all": floats(111, 222, 333)}, else_={"all": floats(-89, -178, -267)}),
    )
    for case, word, length in (("shorter", "two", 2), ("longer", "four", 4)):
        yield alike.refusing(
            f"third-operand-{case}: two operands of three elements are scanned, and one of {word}",
            {"cond": np.True_, "p": p, "q": q, "r": floats(100, 200, 300, 400)[:length]},
        )
