"""A function called with operands of two types, with a body that is never entered: each call has its own types.

A value that is never computed still has a type: that of the call, not of the one before or after it.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import Run, Vector, floats, model, sequence
from onnx import ModelProto

RULE = "onnx/if/in-function/"

SHAPE_OF_NONE = "a scan output has the type of the body's output; no sentence gives its shape after no trips"
X = floats(1, -2)
N = np.int64([3, 4, -5])

# One call passes float[2], the other int64[3].
CALLS = """
    called (bool cond, int64 trips, float[2] x, int64[3] n) => (float[?, 2] a, int64[?, 3] b) {
        a = local.repeated (cond, trips, x)
        b = local.repeated (cond, trips, n)
    }
"""

IF_IN_LOOP = """
    repeated (c, trips, v) => (r) {
        yes = Constant <value = bool {1}> ()
        r = Loop (trips, yes) <
            body = step (int64 i, bool on) => (bool on_out, o) {
                on_out = Identity (on)
                o = If (c) <
                    then_branch = then_graph () => (p) { p = Add (v, v) },
                    else_branch = else_graph () => (q) { q = Neg (v) }>
            }>
    }
"""

LOOP_IN_BRANCH = """
    repeated (c, trips, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (p) {
                yes = Constant <value = bool {1}> ()
                p = Loop (trips, yes) <
                    body = step (int64 i, bool on) => (bool on_out, o) { on_out = Identity (on)  o = Add (v, v) }>
            },
            else_branch = else_graph () => (q) {
                front = Constant <value = int64[1] {0}> ()
                minus = Neg (v)
                q = Unsqueeze (minus, front)
            }>
    }
"""

IF_IN_SCAN = """
    scanned (bool cond, float[?] e, float[2] x, int64[3] n) => (float[?, 2] a, int64[?, 3] b) {
        a = local.repeated (cond, e, x)
        b = local.repeated (cond, e, n)
    }
    <domain: "local", opset_import: ["" : 17]>
    repeated (c, e, v) => (r) {
        r, negated = Scan <num_scan_inputs = 1, body = step (float each) => (o, minus) {
            o = If (c) <
                then_branch = then_graph () => (p) { p = Add (v, v) },
                else_branch = else_graph () => (q) { q = Neg (v) }>
            minus = Neg (each)
        }> (e)
    }
"""

IF_IN_SEQUENCE_MAP = """
    mapped (bool cond, seq(float[2]) s, seq(int64[3]) t) => (seq(float[2]) a, seq(int64[3]) b) {
        a = local.repeated (cond, s)
        b = local.repeated (cond, t)
    }
    <domain: "local", opset_import: ["" : 17]>
    repeated (c, s) => (r) {
        r = SequenceMap (s) <body = step (item) => (o) {
            o = If (c) <
                then_branch = then_graph () => (p) { p = Add (item, item) },
                else_branch = else_graph () => (q) { q = Neg (item) }>
        }>
    }
"""

# The same, two calls deep.
MAPPED_DEEPER = IF_IN_SEQUENCE_MAP.replace("repeated (c, s)", "deeper (c, s)").replace("local.repeated", "outer.handed")
MAPPED_DEEPER += """
    <domain: "outer", opset_import: ["" : 17, "local" : 1]>
    handed (c, s) => (r) { r = local.deeper (c, s) }
"""

LOCAL = '<domain: "local", opset_import: ["" : 17]>'
LOCAL_AND_INNER = '<domain: "local", opset_import: ["" : 17, "inner" : 1]>'
INNER = '<domain: "inner", opset_import: ["" : 17]>'
HANDED_ON = "repeated (c, trips, v) => (r) { w = Identity (v)  r = inner.repeated (c, trips, w) }"


def vectors() -> Iterator[Vector]:
    yield _of_loops(
        "loop-of-no-trips",
        "the body of a Loop of no trips holds an If; one call passes float[2], the next int64[3]",
        model(CALLS + LOCAL + IF_IN_LOOP, 17, domains={"local": 1}),
        [np.stack([2 * X, 2 * X]), np.stack([2 * N, 2 * N])],
    )
    yield _of_loops(
        "loop-of-no-trips-in-branch",
        "the same with the Loop in a branch",
        model(CALLS + LOCAL + LOOP_IN_BRANCH, 17, domains={"local": 1}),
        [np.stack([2 * X, 2 * X]), np.stack([2 * N, 2 * N])],
    )
    yield _of_loops(
        "loop-of-no-trips-in-function-of-function",
        "the same with the Loop in a function that the called one calls",
        model(CALLS + LOCAL_AND_INNER + HANDED_ON + INNER + IF_IN_LOOP, 17, domains={"local": 1, "inner": 1}),
        [np.stack([2 * X, 2 * X]), np.stack([2 * N, 2 * N])],
    )
    none, one = np.zeros([0], np.float32), floats(9)
    yield Vector(
        RULE + "scan-of-no-elements",
        "the body of a Scan over no elements holds an If; one call captures float[2], the next int64[3]",
        ["operators-scan-output-produced"],
        model(IF_IN_SCAN, 17, domains={"local": 1}),
        [
            Run({"cond": np.True_, "e": none, "x": X, "n": N}, _nothing()),
            Run({"cond": np.True_, "e": one, "x": X, "n": N}, {"a": np.stack([2 * X]), "b": np.stack([2 * N])}),
        ],
        doubt=SHAPE_OF_NONE,
    )
    empty = sequence("tensor(float32)", []), sequence("tensor(int64)", [])
    mapped = Vector(
        RULE + "sequence-map-of-no-items",
        "the body of a SequenceMap over no items holds an If; one call passes a sequence of float, the next of int64",
        ["operators-sequencemap-each-element"],
        model(IF_IN_SEQUENCE_MAP, 17, domains={"local": 1}),
        [
            Run({"cond": np.True_, "s": empty[0], "t": empty[1]}, {"a": empty[0], "b": empty[1]}),
            Run(
                {"cond": np.False_, "s": sequence("tensor(float32)", [X]), "t": empty[1]},
                {"a": sequence("tensor(float32)", [-X]), "b": empty[1]},
            ),
        ],
    )
    yield mapped
    yield replace(
        mapped,
        id=mapped.id + "-in-function-of-function",
        title="the same with the SequenceMap in a function that the called one calls",
        model=model(MAPPED_DEEPER, 17, domains={"local": 1, "outer": 1}),
    )


def _nothing() -> dict[str, np.ndarray]:
    return {"a": np.zeros([0, 2], np.float32), "b": np.zeros([0, 3], np.int64)}


def _of_loops(case: str, title: str, repeated: ModelProto, doubled: list[np.ndarray]) -> Vector:
    def run(trips: int, outputs: dict[str, np.ndarray]) -> Run:
        return Run({"cond": np.True_, "trips": np.int64(trips), "x": X, "n": N}, outputs)

    runs = [run(0, _nothing()), run(2, {"a": doubled[0], "b": doubled[1]})]
    return Vector(RULE + case, title, ["operators-loop-scan-outputs-implicit"], repeated, runs, doubt=SHAPE_OF_NONE)
