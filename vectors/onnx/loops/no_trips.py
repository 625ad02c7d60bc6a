"""A loop makes no trip, with an If in its body, or in a branch: nothing is stacked, and the result has no element.

The shapes of such results are not specified (docs/doubts.md), so a runtime may refuse them; their size can only be 0,
because the stacked axis has length 0. For Scan the text says that its outputs begin as empty tensors.
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, model, says, vectors_of

LOOP = says("operators-loop-for-trip-count-and-cond", "operators-loop-values-concatenated")
LENGTH = says("operators-scan-length", "operators-scan-for-length")
EMPTY = says("operators-scan-initial-outputs", "operators-scan-initial-outputs-empty")

in_loop = vectors_of("onnx/if/in-loop", LOOP, "operators-size")

SHAPE_OF_NONE = "no sentence gives the shape of a scan output after no trips"

IN_LOOP = model("""
    looped (bool cond, int64 trips, float[2] x) => (int64 size) {
        yes = Constant <value = bool {1}> ()
        all = Loop (trips, yes) <
            body = step (int64 i, bool on) => (bool on_out, float[2] shown) {
                on_out = Identity (on)
                shown = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Neg (x) },
                    else_branch = else_graph () => (float[2] b) { b = Add (x, x) }>
            }>
        size = Size (all)
    }""")

# The rank of what then returns is an input.
OF_ANY_RANK = model("""
    looped (bool cond, int64 trips, float[2] x, int64[n] to) => (int64 size) {
        yes = Constant <value = bool {1}> ()
        all = Loop (trips, yes) <
            body = step (int64 i, bool on) => (bool on_out, shown) {
                on_out = Identity (on)
                shown = If (cond) <
                    then_branch = then_graph () => (a) { a = Reshape (x, to) },
                    else_branch = else_graph () => (b) { b = Neg (x) }>
            }>
        size = Size (all)
    }""")

IN_BRANCH = model("""
    branched (bool cond, int64 trips, float[2] x) => (int64 size) {
        all = If (cond) <
            then_branch = then_graph () => (a) {
                yes = Constant <value = bool {1}> ()
                a = Loop (trips, yes) <
                    body = step (int64 i, bool on) => (bool on_out, shown) {
                        on_out = Identity (on)
                        shown = Neg (x)
                    }>
            },
            else_branch = else_graph () => (b) { b = Identity (x) }>
        size = Size (all)
    }""")

# One call passes float[2], the other int64[3].
IN_FUNCTION = model("""<opset_import: ["" : 17, "local" : 1]>
    called (bool cond, int64 trips, float[2] x, int64[3] n) => (int64 a, int64 b) {
        p = local.repeated (cond, trips, x)
        q = local.repeated (cond, trips, n)
        a = Size (p)
        b = Size (q)
    }
    <domain: "local", opset_import: ["" : 17]>
    repeated (c, trips, v) => (r) {
        yes = Constant <value = bool {1}> ()
        r = Loop (trips, yes) <
            body = step (int64 i, bool on) => (bool on_out, o) {
                on_out = Identity (on)
                o = If (c) <
                    then_branch = then_graph () => (p) { p = Add (v, v) },
                    else_branch = else_graph () => (q) { q = Neg (v) }>
            }>
    }""")

IN_SCAN = model("""
    scanned (bool cond, float[2] start, float[n,2] x) => (float[2] last, int64 size) {
        last, all = Scan <
            num_scan_inputs = 1,
            body = step (float[2] s, float[2] e) => (float[2] s_out, float[2] shown) {
                s_out, shown = If (cond) <
                    then_branch = then_graph () => (float[2] a, float[2] c) { a = Add (s, e)  c = Neg (s) },
                    else_branch = else_graph () => (float[2] b, float[2] d) { b = Sub (s, e)  d = Neg (e) }>
            }> (start, x)
        size = Size (all)
    }""")

# One call passes float[2], the other int64[3].
SCAN_IN_FUNCTION = """
    called (bool cond, float[k] e, float[2] x, int64[3] n) => (int64 a, int64 b) {
        p = local.repeated (cond, e, x)
        q = local.repeated (cond, e, n)
        a = Size (p)
        b = Size (q)
    }
    <domain: "local", opset_import: ["" : 17]>
    repeated (c, e, v) => (r) {
        r, negated = Scan <num_scan_inputs = 1, body = step (float each) => (o, minus) {
            o = If (c) <
                then_branch = then_graph () => (p) { p = Add (v, v) },
                else_branch = else_graph () => (q) { q = Neg (v) }>
            minus = Neg (each)
        }> (e)
    }"""

# The same, two calls deep.
SCAN_IN_FUNCTION_OF_FUNCTION = (
    SCAN_IN_FUNCTION.replace("repeated (c, e, v)", "deeper (c, e, v)").replace("local.repeated", "outer.handed")
    + """
    <domain: "outer", opset_import: ["" : 17, "local" : 1]>
    handed (c, e, v) => (r) { r = local.deeper (c, e, v) }"""
)

SCANNED_OF_ANY_RANK = model("""
    scanned (bool cond, float[n,2] x, int64[r] to) => (int64 size) {
        all = Scan <
            num_scan_inputs = 1,
            body = step (float[2] e) => (shown) {
                shown = If (cond) <
                    then_branch = then_graph () => (a) { a = Reshape (e, to) },
                    else_branch = else_graph () => (b) { b = Neg (e) }>
            }> (x)
        size = Size (all)
    }""")


def vectors() -> Iterator[Vector]:
    x, n = floats(1, -2), np.int64([3, 4, -5])
    sizes = [(True, 0, 0), (True, 3, 6), (False, 0, 0)]  # cond, trips, size
    yield in_loop(
        "size-of-no-trips: "
        "an If's results are stacked by a Loop that makes no trip, then three, then none; only their size is read",
        IN_LOOP,
        [
            Run({"cond": np.bool_(cond), "trips": np.int64(trips), "x": x}, {"size": np.int64(size)})
            for cond, trips, size in sizes
        ],
        doubt=SHAPE_OF_NONE,
    )
    yield Vector(
        "onnx/if/loop-in-branch/size-of-no-trips",
        "then has a Loop, which makes no trip, then three; only the size of what it stacks is read",
        [LOOP, "operators-size"],
        IN_BRANCH,
        [
            Run({"cond": np.bool_(cond), "trips": np.int64(trips), "x": x}, {"size": np.int64(size)})
            for cond, trips, size in [*sizes[:2], (False, 0, 2)]
        ],
        doubt=SHAPE_OF_NONE,
    )
    yield Vector(
        "onnx/if/in-function/size-of-no-trips",
        "two calls of a function with a Loop around an If pass values of two types; no trip is made, then two",
        [LOOP, "operators-size"],
        IN_FUNCTION,
        [
            Run(
                {"cond": np.True_, "trips": np.int64(trips), "x": x, "n": n},
                {"a": np.int64(2 * trips), "b": np.int64(3 * trips)},
            )
            for trips in (0, 2)
        ],
        doubt=SHAPE_OF_NONE,
    )
    yield Vector(
        "onnx/if/in-scan/size-of-no-elements",
        "an If's results are stacked by a Scan over no elements, then over one; only their size is read",
        [LENGTH, EMPTY, "operators-size"],
        IN_SCAN,
        [
            Run({"cond": np.True_, "start": x, "x": np.zeros((0, 2), np.float32)}, {"last": x, "size": np.int64(0)}),
            Run({"cond": np.True_, "start": x, "x": floats([10, 20])}, {"last": floats(11, 18), "size": np.int64(2)}),
        ],
        doubt=SHAPE_OF_NONE,
    )
    for case, title, text, domains in (
        ("", "a function with", SCAN_IN_FUNCTION, {"local": 1}),
        ("-of-function", "a function that calls another with", SCAN_IN_FUNCTION_OF_FUNCTION, {"local": 1, "outer": 1}),
    ):
        yield Vector(
            f"onnx/if/in-function/size-of-no-elements-in-function{case}",
            f"two calls of {title} a Scan around an If pass values of two types; there is no element, then one",
            [LENGTH, EMPTY, "operators-size"],
            model(text, 17, domains=domains),
            [
                Run(
                    {"cond": np.True_, "e": np.zeros(count, np.float32), "x": x, "n": n},
                    {"a": np.int64(2 * count), "b": np.int64(3 * count)},
                )
                for count in (0, 1)
            ],
            also=["onnx/if/in-scan"],
            doubt=SHAPE_OF_NONE,
        )
    to = np.int64([1, 2])
    yield in_loop(
        "size-of-no-trips-of-any-rank: "
        "a Loop stacks an If's results, whose rank is an input; it makes no trip, then three; only the size is read",
        OF_ANY_RANK,
        [
            Run({"cond": np.bool_(cond), "trips": np.int64(trips), "x": x, "to": to}, {"size": np.int64(size)})
            for cond, trips, size in sizes
        ],
        doubt=SHAPE_OF_NONE,
    )
    yield Vector(
        "onnx/if/in-scan/size-of-no-elements-of-any-rank",
        "a Scan stacks an If's results, whose rank is an input; it has no elements, then two; only the size is read",
        [LENGTH, "operators-size"],
        SCANNED_OF_ANY_RANK,
        [
            Run({"cond": np.True_, "x": rows, "to": to}, {"size": np.int64(rows.size)})
            for rows in (np.zeros((0, 2), np.float32), floats([10, 20], [30, 40]))
        ],
        doubt=SHAPE_OF_NONE,
    )
