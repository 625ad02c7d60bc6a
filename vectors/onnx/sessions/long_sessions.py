"""Longer lives of a session: other constructs around and inside the If, a hundred runs, runs after a refused one."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import REFUSED, Reread, Run, Vector, absent, issue, model, says, sequence, some, vectors_of
from ifcert.authoring.vector import Step, with_cold_runs
from onnx import ModelProto

RULE = "onnx/if/no-state-between-runs/"
STATELESS = says("ir-stateless", "ir-same-input-same-output")

LAYOUT = issue("openvinotoolkit/openvino", 20740, "a second run with another shape used the layout of the first")
BEGAN_GROWN = issue(
    "openvinotoolkit/openvino", 14041, "a loop began with the shape to which the run before had brought what it carries"
)
ARENAS = issue("tensorflow/tflite-micro", 869, "the memory of a branch and of the enclosing graph overlapped")

no_state_between_runs = vectors_of("onnx/if/no-state-between-runs", STATELESS, LAYOUT, ARENAS)

# x has another length in each run; each of the three results has another one too.
NESTED = model("""
    nested (bool p, bool q, float[n] x) => (float[?] y) {
        y = If (p) <
            then_branch = then_graph () => (a) {
                m = Neg (x)
                a = If (q) <
                    then_branch = deep_then () => (c) { c = Concat <axis = 0> (m, x) },
                    else_branch = deep_else () => (d) { s = Concat <axis = 0> (x, m)  d = Concat <axis = 0> (s, x) }>
            },
            else_branch = else_graph () => (b) { b = Add (x, x) }>
    }""")

LOOPED = model("""
    looped (bool cond, int64 trips, float[n] x) => (float[?] last, float[?,n] all) <bool yes = {1}, float[1] k = {10}> {
        last, all = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[n] v) => (bool on_out, float[n] z, float[n] shown) {
                on_out = Identity (on)
                z = If (cond) <
                    then_branch = then_graph () => (a) { a = Add (v, k) },
                    else_branch = else_graph () => (b) { b = Neg (v) }>
                shown = Identity (z)
            }>
    }""")

# The carried value is longer at the end than at the beginning, in trips that take then.
GROWN = model("""
    grown (bool cond, int64 trips, float[n] x) => (float[?] last) <bool yes = {1}> {
        last = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[?] v) => (bool on_out, float[?] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (a) { a = Concat <axis = 0> (v, x) },
                    else_branch = else_graph () => (b) { b = Neg (v) }>
            }>
    }""")

SCANNED = model("""
    scanned (float[2] start, float[n,2] x, bool[n] flags) => (float[2] last) {
        last = Scan <
            num_scan_inputs = 2,
            body = step (float[2] s, float[2] e, bool flag) => (float[2] z) {
                z = If (flag) <
                    then_branch = then_graph () => (a) { a = Add (s, e) },
                    else_branch = else_graph () => (b) { b = Sub (s, e) }>
            }> (start, x, flags)
    }""")

CALLED = model("""<opset_import: ["" : 16, "local" : 1]>
    called (bool p, bool q, float[n] x) => (float[?] y) {
        s = local.choose (p, x)
        y = local.choose (q, s)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) <float[1] k = {10}> { t = Add (v, k)  a = Concat <axis = 0> (t, k) },
            else_branch = else_graph () => (b) { b = Neg (v) }>
    }""")

OPTIONAL = model("""<opset_import: ["" : 18]>
    optional (optional(float[?]) o, float[?] x) => (float[?] y) {
        present = OptionalHasElement (o)
        y = If (present) <
            then_branch = held () => (a) { t = OptionalGetElement (o)  a = Neg (t) },
            else_branch = given () => (b) { b = Add (x, x) }>
    }""")

# The nodes of the branches could overwrite what they capture: nothing else reads it after them.
KEPT = model("""
    kept (bool cond, float[2] x) => (float[2] y) <float[2] k = {10, 20}> {
        doubled = Add (x, x)
        y = If (cond) <
            then_branch = then_graph () => (a) { s = Neg (k)  t = Add (s, doubled)  a = Abs (t) },
            else_branch = else_graph () => (b) { s = Mul (k, doubled)  t = Neg (x)  b = Add (s, t) }>
    }""")

KNOWN = model("""
    known (float[2] x) => (float[2] y)
    <int64[3] k = {4, 5, 6}, int64[1] at = {2}, int64[1] six = {6}> {
        last = GatherElements <axis = 0> (k, at)
        equal = Equal (last, six)
        c = Squeeze (equal)
        chosen = If (c) <
            then_branch = then_graph () => (float[2] a) { a = Constant <value = float[2] {100, 200}> () },
            else_branch = else_graph () => (float[2] b) { b = Constant <value = float[2] {7, 8}> () }>
        y = Add (chosen, x)
    }""")

# Two trips double the start, the third negates.
KNOWN_LOOP = model("""
    known (float[2] x) => (float[2] y)
    <int64 trips = {3}, bool yes = {1}, int64 two = {2}, float[2] start = {10, 20}> {
        last = Loop (trips, yes, start) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] z) {
                on_out = Identity (on)
                early = Less (i, two)
                z = If (early) <
                    then_branch = then_graph () => (float[2] a) { a = Add (v, v) },
                    else_branch = else_graph () => (float[2] b) { b = Neg (v) }>
            }>
        y = Add (last, x)
    }""")

RANKS = model("""
    ranks (bool cond, float[n] x) => (float[?] y, int64[?] dims) {
        made = If (cond) <
            then_branch = then_graph () => (a) <int64[2] axes = {0, 2}> { a = Unsqueeze (x, axes) },
            else_branch = else_graph () => (b) { b = ReduceSum <keepdims = 0> (x) }>
        dims = Shape (made)
        flat = Constant <value = int64[1] {-1}> ()
        y = Reshape (made, flat)
    }""")

KINDS = model("""
    kinds (bool cond, float[n] x) => (seq(float[?]) s, int64 length) {
        s = If (cond) <
            then_branch = then_graph () => (a) {
                m = Neg (x)
                start = SequenceConstruct (x, m)
                a = SequenceInsert (start, m)
            },
            else_branch = else_graph () => (b) { b = SequenceConstruct (x) }>
        length = SequenceLength (s)
    }""")

# Where cond has two elements the If is refused; where i is 2 or more, then is.
FALLIBLE = model("""
    fallible (bool[m] cond, float[2] x, int64[1] i) => (float[1] y) {
        doubled = Add (x, x)
        y = If (cond) <
            then_branch = then_graph () => (a) { g = Gather (doubled, i)  a = Neg (g) },
            else_branch = else_graph () => (b) { b = ReduceSum (doubled) }>
    }""")


def floats(length: int, first: int = 1) -> np.ndarray:
    """first, first + 1, …"""
    return np.arange(first, first + length, dtype=np.float32)


@with_cold_runs
def _sequences() -> Iterator[Vector]:
    def warm(case: str, title: str, m: ModelProto, runs: list[Step], also: str = "") -> Vector:
        return no_state_between_runs(f"{case}: {title}", m, runs, also=[also] if also else [])

    yield warm(
        "nested-flips",
        "seven runs through nested Ifs: both conds flip, and lengths change",
        NESTED,
        [_nested(*run) for run in ((1, 1, 2), (1, 0, 2), (0, 1, 3), (1, 1, 1), (0, 0, 1), (1, 0, 40), (1, 1, 2))],
        "onnx/if/nesting",
    )
    yield warm(
        "trips-change",
        "six runs of a Loop around the If: trips, lengths and cond change",
        LOOPED,
        [_looped(*run) for run in ((1, 3, 2), (0, 1, 2), (1, 1, 4), (0, 5, 1), (1, 4, 3), (1, 3, 2))],
        "onnx/if/in-loop",
    )
    yield no_state_between_runs(
        "carried-value-grows: "
        "seven runs of a Loop whose carried value grows: the same run three times, then other trips, lengths and conds",
        GROWN,
        [_grown(*run) for run in ((1, 3, 2), (1, 3, 2), (1, 3, 2), (0, 2, 2), (1, 1, 4), (1, 0, 3), (1, 3, 2))],
        why=[STATELESS, "operators-loop-inputs-defined", "if-different-shapes", LAYOUT, BEGAN_GROWN],
        also=["onnx/if/in-loop"],
    )
    yield warm(
        "elements-change",
        "five runs of a Scan around the If: the number of elements and their flags change",
        SCANNED,
        [_scanned([1, 0, 1]), _scanned([0]), _scanned([1, 1, 1, 1, 0]), _scanned([0, 0]), _scanned([1, 0, 1])],
        "onnx/if/in-scan",
    )
    yield warm(
        "calls-flip",
        "six runs of two calls of a function: both conds flip, and lengths change",
        CALLED,
        [_called(*run) for run in ((1, 0, 2), (0, 0, 2), (1, 1, 1), (0, 1, 3), (1, 0, 30), (0, 0, 1))],
        "onnx/if/in-function",
    )
    yield warm(
        "optional-comes-and-goes",
        "five runs: an optional input that holds a value, none, another, none, the first",
        OPTIONAL,
        [_optional(2), _optional(None), _optional(5), _optional(None), _optional(2)],
        "onnx/if/cond-source",
    )
    x, z = np.float32([1, -2]), np.float32([30, 40])
    yield warm(
        "captures-are-kept",
        "six runs: nodes of the branches could overwrite an initializer and a value that they capture",
        KEPT,
        [_kept(cond, held) for cond, held in ((1, x), (1, z), (0, x), (0, z), (1, x), (0, x))],
        "onnx/if/outer-scope-capture",
    )
    yield warm(
        "ranks-flip",
        "six runs: the result has rank 3 or 0, and other lengths",
        RANKS,
        [_ranks(cond, length) for cond, length in ((1, 2), (0, 2), (1, 4), (1, 1), (0, 5), (1, 2))],
        "onnx/if/shape-union",
    )
    yield warm(
        "sequences-grow-and-shrink",
        "five runs: sequences of three and of one, whose items have other lengths",
        KINDS,
        [_kinds(cond, length) for cond, length in ((1, 2), (0, 3), (1, 1), (0, 1), (1, 20))],
    )


def _grown(cond: int, trips: int, length: int) -> Run:
    x = floats(length)
    last = np.tile(x, trips + 1) if cond else x * (-1) ** trips
    return Run({"cond": np.bool_(cond), "trips": np.int64(trips), "x": x}, {"last": np.float32(last)})


def _nested(p: int, q: int, length: int) -> Run:
    x = floats(length)
    y = (np.concatenate([-x, x]) if q else np.concatenate([x, -x, x])) if p else x + x
    return Run({"p": np.bool_(p), "q": np.bool_(q), "x": x}, {"y": y})


def _looped(cond: int, trips: int, length: int) -> Run:
    x = floats(length)
    shown = [x + 10 * trip if cond else x * (-1) ** trip for trip in range(1, trips + 1)]
    inputs = {"cond": np.bool_(cond), "trips": np.int64(trips), "x": x}
    return Run(inputs, {"last": shown[-1], "all": np.float32(shown).reshape(trips, length)})


def _scanned(flags: list[int]) -> Run:
    x, start = floats(2 * len(flags)).reshape(-1, 2), np.float32([100, 200])
    signs = np.float32([[1] if flag else [-1] for flag in flags])
    return Run({"start": start, "x": x, "flags": np.bool_(flags)}, {"last": start + (signs * x).sum(axis=0)})


def _called(p: int, q: int, length: int) -> Run:
    x = floats(length)

    def choose(cond: int, v: np.ndarray) -> np.ndarray:
        return np.concatenate([v + 10, np.float32([10])]) if cond else -v

    return Run({"p": np.bool_(p), "q": np.bool_(q), "x": x}, {"y": choose(q, choose(p, x))})


def _optional(length: int | None) -> Run:
    x = np.float32([7, 8, 9])
    if length is None:
        return Run({"o": absent("tensor(float32)"), "x": x}, {"y": x + x})
    return Run({"o": some(floats(length)), "x": x}, {"y": -floats(length)})


def _kept(cond: int, x: np.ndarray) -> Run:
    k = np.float32([10, 20])
    return Run({"cond": np.bool_(cond), "x": x}, {"y": np.abs(2 * x - k) if cond else 2 * k * x - x})


def _ranks(cond: int, length: int) -> Run:
    x = floats(length)
    made = x.reshape(1, length, 1) if cond else x.sum()
    return Run({"cond": np.bool_(cond), "x": x}, {"y": made.ravel(), "dims": np.int64(made.shape)})


def _kinds(cond: int, length: int) -> Run:
    x = floats(length)
    items = [x, -x, -x] if cond else [x]
    return Run(
        {"cond": np.bool_(cond), "x": x}, {"s": sequence("tensor(float32)", items), "length": np.int64(len(items))}
    )


@with_cold_runs
def _constants() -> Iterator[Vector]:
    """An If and a Loop that can be computed before the runs, and a sum that could be written over their results."""
    for case, (text, result) in {
        (
            "known-beforehand: "
            "an If of constants alone, whose cond is computed; x is added to its output, again and again"
        ): (KNOWN, [100, 200]),
        (
            "known-beforehand-in-loop: "
            "a Loop of constants with an If in its body; x is added to what it returns, again and again"
        ): (KNOWN_LOOP, [-40, -80]),
    }.items():
        yield no_state_between_runs(
            case,
            text,
            [Run({"x": np.float32(x)}, {"y": np.float32(x) + np.float32(result)}) for x in ([1, 2], [1, 2], [-30, 5])],
            why=[STATELESS],
        )


def _hundred() -> Iterator[Vector]:
    """Ten runs, ten times each, every ten in a different order; the first ten are also run cold."""
    ten = [_nested(number % 2, number // 2 % 2, 1 + number * number % 11) for number in range(10)]
    order = [(number * step + shift) % 10 for shift in range(5) for step in (1, 3) for number in range(10)]
    hundred = no_state_between_runs(
        "hundred-runs: a hundred runs through nested Ifs, of ten kinds in changing orders",
        NESTED,
        [ten[number] for number in order],
        also=["onnx/if/nesting"],
    )
    yield hundred
    yield from hundred.cold()
    yield replace(
        hundred,
        id=RULE + "hundred-runs-held",
        title="a hundred runs; the results of the first, tenth and fiftieth are read again after the last",
        runs=[
            *(replace(ten[number], hold=place in (0, 9, 49)) for place, number in enumerate(order)),
            Reread(0),
            Reread(9),
            Reread(49),
        ],
    )


def _after_refusal() -> Iterator[Vector]:
    x = np.float32([3, -5])

    def run(cond: list[bool], i: int) -> Run:
        y = [-2 * x[i]] if cond[0] else [-4]
        return Run({"cond": np.bool_(cond), "x": x, "i": np.int64([i])}, {"y": np.float32(y)})

    def refused(cond: list[bool], i: int) -> Run:
        return Run({"cond": np.bool_(cond), "x": x, "i": np.int64([i])}, REFUSED)

    twin = no_state_between_runs(
        "runs-without-fault: four runs, none of which is refused",
        FALLIBLE,
        [run([True], 0), run([False], 0), run([True], 1), run([False], 99)],
        why=[STATELESS],
    )
    yield twin
    yield from twin.cold()
    for case, (title, why, faulty) in {
        "after-a-refused-cond": (
            "in between, runs with two elements in cond and with none are refused",
            "if-cond-single-element",
            [refused([True, False], 0), refused([], 0)],
        ),
        "after-a-branch-that-failed": (
            "in between, runs whose then gathers element 99 of two are refused",
            "operators-gather-index-out-of-bounds",
            [refused([True], 99), refused([True], -99)],
        ),
    }.items():
        first, second = faulty
        runs = [run([True], 0), first, run([False], 0), run([True], 1), second, run([True], 0)]
        yield replace(twin, id=RULE + case, title=title, why=[STATELESS, why], runs=runs, twin=twin.id)
