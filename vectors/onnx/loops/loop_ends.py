"""The ends of a Loop around an If: the trip count and the cond, each of them given, omitted, or at its limit."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, says, vectors_of
from onnx import ModelProto

in_loop = vectors_of("onnx/if/in-loop", "operators-loop-for-trip-count-and-cond")

OPTIONAL = [
    issue("microsoft/onnxruntime", 255, "an omitted trip count or cond was refused"),
    issue("microsoft/onnxruntime", 12684, "a tool failed where the trip count is omitted"),
    issue("alibaba/MNN", 2267, "an omitted trip count or cond was refused"),
]
HUGE = [
    issue("onnx/onnx-mlir", 1420, "memory for the stacked results was allocated by the maximum trip count"),
    issue("ROCm/AMDMIGraphX", 2361, "the maximum trip count overflowed in the computation of a shape"),
    issue("onnx/tensorflow-onnx", 1948, "exported loops have the largest int64 as their trip count"),
]
X = floats(1, -2)
LARGEST = 2**63 - 1

# While early, then adds 1 and the body's cond is true; afterwards else adds 10 and it is false.
ADDS = """
    counted ({inputs}int64 limit, int64 start) => (int64 final) <int64 one = {{1}}, int64 ten = {{10}}{stored}> {{
        final = Loop ({operands}, start) <
            body = step (int64 i, bool on, int64 v) => (bool on_out, int64 v_out) {{
                early = Less (i, limit)
                on_out, v_out = If (early) <
                    then_branch = then_graph () => (bool a, int64 c) {{ a = Identity (early)  c = Add (v, one) }},
                    else_branch = else_graph () => (bool b, int64 d) {{ b = Identity (early)  d = Add (v, ten) }}>
            }}>
    }}"""

# As long as it is early, then shows 2x; else shows -x, and ends the Loop.
SHOWS = """
    shown ({inputs}int64 limit, float[2] x) => (float[?,2] all, int64[2] dims) <bool yes = {{1}}{stored}> {{
        all = Loop (trips, yes) <
            body = step (int64 i, bool on) => (bool on_out, float[2] shown) {{
                early = Less (i, limit)
                on_out, shown = If (early) <
                    then_branch = then_graph () => (bool a, float[2] c) {{ a = Identity (early)  c = Add (x, x) }},
                    else_branch = else_graph () => (bool b, float[2] d) {{ b = Identity (early)  d = Neg (x) }}>
            }}>
        dims = Shape (all)
    }}"""

# Number, cond and an input decide; the branch that the first trip does not take would show in y.
ONE_TRIP = model("""
    once (bool cond, float[2] x) => (float[2] y)
    <int64 trips = {1}, bool yes = {1}, float[2] k = {1, -1}, int64 one = {1}> {
        y = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                first = Less (i, one)
                both = And (first, on)
                taken = And (both, cond)
                v_out = If (taken) <
                    then_branch = then_graph () => (float[2] a) { a = Add (v, k) },
                    else_branch = else_graph () => (float[2] b) { b = Neg (v) }>
            }>
    }""")


def adds(operands: str, inputs: str = "", stored: str = "") -> ModelProto:
    """ADDS with these operands in place of trip count and cond."""
    return model(ADDS.format(operands=operands, inputs=inputs, stored=stored))


def shows(inputs: str = "", stored: str = "") -> ModelProto:
    """SHOWS, whose trip count is an input or an initializer."""
    return model(SHOWS.format(inputs=inputs, stored=stored))


def shown(limit: int, most: int, **inputs: np.generic) -> Run:
    """A run of SHOWS: 2x for each early trip, and -x for the one after them if it is made."""
    rows = [2 * X if trip < limit else -X for trip in range(min(limit + 1, most))]
    return Run({**inputs, "limit": np.int64(limit), "x": X}, {"all": np.stack(rows), "dims": np.int64([len(rows), 2])})


def added(final: int, limit: int, start: int = 0, **inputs: np.generic) -> Run:
    """A run of ADDS."""
    return Run({**inputs, "limit": np.int64(limit), "start": np.int64(start)}, {"final": np.int64(final)})


def _omitted() -> Iterator[Vector]:
    counted = adds("trips, ", "int64 trips, ")
    yield in_loop(
        "cond-left-out: the Loop has a trip count and no cond; the If's result, the body's cond, is true in every trip",
        counted,
        [added(3, 9, trips=np.int64(3)), added(5, 9, start=5, trips=np.int64(0))],
        about=["absent-operands"],
        why=[says("operators-loop-for-trip-count", "operators-loop-for-trip-count-cond-ignored"), *OPTIONAL],
    )
    yield in_loop(
        "trip-count-left-out: the Loop has a cond and no trip count; the If's result ends it",
        adds(", go", "bool go, "),
        # 1, 2, then 12 and false
        [added(12, 2, go=np.True_), added(10, 0, go=np.True_), added(7, 2, start=7, go=np.False_)],
        about=["absent-operands"],
        why=[
            says("operators-loop-like-while", "operators-loop-for-cond", "operators-loop-cond-optional"),
            *OPTIONAL,
            issue("onnx/onnx-mlir", 1450, "a Loop whose body computes the cond was not a while loop"),
        ],
    )


def _limits() -> Iterator[Vector]:
    both = adds("trips, go", "int64 trips, bool go, ")
    yield in_loop(
        "cond-false-before-the-first-trip: the trip count is 3, and cond is false from the start: no trip is made",
        both,
        added(5, 9, start=5, trips=np.int64(3), go=np.False_),
        added(8, 9, start=5, trips=np.int64(3), go=np.True_),
        added(5, 9, start=5, trips=np.int64(3), go=np.False_),
    )
    yield in_loop(
        "cond-stored-false: cond is an initializer, false: no trip is made",
        adds("trips, no", "int64 trips, ", ", bool no = {0}"),
        added(5, 9, start=5, trips=np.int64(3)),
    )
    yield in_loop(
        "trip-count-below-zero: the trip count is -1, then the least int64: no trip is made",
        both,
        added(5, 9, start=5, trips=np.int64(-1), go=np.True_),
        added(5, 9, start=5, trips=np.int64(-(2**63)), go=np.True_),
        added(6, 9, start=5, trips=np.int64(1), go=np.True_),
    )
    yield in_loop(
        "one-trip-known: the trip count is an initializer, 1: the iteration number is 0, and the body's cond true",
        ONE_TRIP,
        branches({"x": X}, then={"y": floats(2, -3)}, else_={"y": -X}),
        why=[
            "operators-loop-for-trip-count-and-cond",
            issue("sonos/tract", 1954, "inlines the body of a loop of one trip"),
        ],
    )
    yield in_loop(
        "one-trip-known-cond-false: "
        "the trip count is an initializer, 1, and cond is fed: where it is false, no trip is made",
        adds("trips, go", "bool go, ", ", int64 trips = {1}"),
        [added(5, 9, start=5, go=np.False_), added(6, 9, start=5, go=np.True_), added(7, 9, start=7, go=np.False_)],
        why=[
            "operators-loop-for-trip-count-and-cond",
            issue("sonos/tract", 1954, "inlines the body of a loop of one trip"),
        ],
    )


def _not_reached() -> Iterator[Vector]:
    yield in_loop(
        "largest-trip-count: "
        "the trip count that is fed is the largest int64; the If ends the Loop earlier, and a result is stacked",
        shows("int64 trips, "),
        [shown(2, LARGEST, trips=np.int64(LARGEST)), shown(0, LARGEST, trips=np.int64(LARGEST))],
        why=["operators-loop-max-trip-count", "operators-loop-for-trip-count-and-cond", *HUGE],
    )
    yield in_loop(
        "largest-trip-count-stored: "
        "the trip count is an initializer, the largest int64; the If ends the Loop earlier, and a result is stacked",
        shows(stored=f", int64 trips = {{{LARGEST}}}"),
        [shown(2, LARGEST), shown(0, LARGEST)],
        why=["operators-loop-max-trip-count", "operators-loop-for-trip-count-and-cond", *HUGE],
    )
    yield in_loop(
        "fewer-trips-than-stored: "
        "the trip count is an initializer, 5; the If may end the Loop earlier, and there are as many rows as trips",
        shows(stored=", int64 trips = {5}"),
        [shown(1, 5), shown(9, 5), shown(0, 5), shown(4, 5)],
        why=[
            "operators-loop-max-trip-count",
            "operators-loop-values-concatenated",
            issue("onnx/onnx", 8135, "the number of rows was inferred from the maximum trip count"),
            issue("ROCm/AMDMIGraphX", 853, "the stacked result had as many rows as the maximum trip count"),
        ],
    )
