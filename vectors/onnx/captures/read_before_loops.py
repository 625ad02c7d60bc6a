"""A value that a node reads, and after it only an If in the body of a loop: its memory is not free in between."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, branches, floats, model, sequence

X = floats(1, -2)

# t is read by u, after which w is computed, and by the branches.
TEXT = """
    before (bool cond, float[2] x, INPUT) => (float[2] w, OUTPUT y) KNOWN{
        t = Neg (x)
        u = Add (t, t)
        w = Mul (u, x)
        y = LOOP
    }"""
IF = """If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (VALUE, t) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (VALUE, t) }>"""
LOOP = """Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                v_out = IF
            }>"""
SCAN = """Scan <
            num_scan_inputs = 1,
            body = step (float[2] v, float[2] row) => (float[2] v_out) {
                s = Add (v, row)
                v_out = IF
            }> (x, rows)"""
MAP = """SequenceMap (s) <
            body = each (float[2] item) => (float[2] r) {
                r = IF
            }>"""


def vectors() -> Iterator[Vector]:
    w = floats(-2, -8)
    items = [
        sequence("tensor(float32)", [np.float32(item) for item in each])
        for each in (([1, 2], [3, 4]), ([0, 4], [2, 6]), ([2, 0], [4, 2]))
    ]
    rows = floats([1, 1], [2, 2])
    for operator, given, output, loop, value, fed, then_value, else_value in [
        ("Loop", "int64 trips", "float[2]", LOOP, "v", {"trips": np.int64(2)}, floats(-1, 2), floats(3, -6)),
        ("Scan", "float[n,2] rows", "float[2]", SCAN, "s", {"rows": rows}, floats(2, 5), floats(6, -3)),
        ("SequenceMap", "seq(float[2]) s", "seq(float[2])", MAP, "item", {"s": items[0]}, items[1], items[2]),
    ]:
        body = loop.replace("IF", IF.replace("VALUE", value))
        known = "<bool yes = {1}> " if operator == "Loop" else ""
        text = TEXT.replace("INPUT", given).replace("OUTPUT", output).replace("KNOWN", known).replace("LOOP", body)
        yield Vector(
            f"onnx/if/outer-scope-capture/read-before-and-in-the-body-of-a-{operator.lower().replace('cem', 'ce-m')}",
            f"a node reads a value, then the branches in the body of a {operator}; another is computed in between",
            ["ir-outer-scope", "ir-graph-node-order"],
            model(text, 17),
            branches({"x": X, **fed}, then={"w": w, "y": then_value}, else_={"w": w, "y": else_value}),
            also=[f"onnx/if/in-{operator.lower().replace('cem', 'ce-m')}"],
        )
