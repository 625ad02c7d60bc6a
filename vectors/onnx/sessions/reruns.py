"""One session, run again and again: no run sees another's data."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, model, says, sequence, strings, vectors_of

STATELESS = says("ir-stateless", "ir-same-input-same-output")

no_state_between_runs = vectors_of("onnx/if/no-state-between-runs", STATELESS)

GROWING = model("""
    growing (bool cond, float[n] x) => (float[?] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Concat <axis = 0> (x, x) },
            else_branch = else_graph () => (b) { b = Neg (x) }>
    }""")

MATRICES = model("""
    shaped (bool cond, float[r,c] x, int64[2] to) => (float[?,?] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Reshape (x, to) },
            else_branch = else_graph () => (b) { b = Add (x, x) }>
    }""")

STORED = model("""
    stored (bool cond, int64[2] x) => (int64[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) <int64[2] k = {100, 200}> { a = Add (x, k) },
            else_branch = else_graph () => (b) { k = Constant <value = int64[2] {7, 8}> ()  b = Identity (k) }>
    }""")

LISTS = model("""
    lists (bool cond, float[n] x) => (seq(float[?]) y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { n = Neg (x)  a = SequenceConstruct (x, n) },
            else_branch = else_graph () => (b) { b = SequenceEmpty () }>
    }""")

TEXTS = model("""
    texts (bool cond, string[n] x) => (string[?] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Concat <axis = 0> (x, x) },
            else_branch = else_graph () => (b) { b = Identity (x) }>
    }""")


def vectors() -> Iterator[Vector]:
    for warm in (_lengths(), _matrices(), _constants(), _sequences(), _strings()):
        yield warm
        yield from warm.cold()


def _lengths() -> Vector:
    runs = []
    for cond, length in [
        (True, 2),
        (False, 5),
        (True, 1),
        (False, 1),
        (True, 0),
        (False, 3),
        (True, 300),
        (False, 2),
        (True, 2),
    ]:
        x = np.arange(1, length + 1, dtype=np.float32) * 4
        runs.append(Run({"cond": np.bool_(cond), "x": x}, {"y": np.tile(x, 2) if cond else -x}))
    return no_state_between_runs(
        "lengths-grow-and-shrink: nine runs: cond flips, and x has length 2, 5, 1, 1, 0, 3, 300, 2, 2",
        GROWING,
        runs,
        why=[
            STATELESS,
            issue("openvinotoolkit/openvino", 20740, "a second run with another shape used the layout of the first"),
        ],
    )


def _matrices() -> Vector:
    six, eight = floats([1, 2, 3], [4, 5, 6]), np.float32(range(8)).reshape(4, 2) + 1
    return no_state_between_runs(
        "shapes-change: five runs: cond flips, and the matrices have other shapes each time",
        MATRICES,
        Run({"cond": np.True_, "x": six, "to": np.int64([3, 2])}, {"y": floats([1, 2], [3, 4], [5, 6])}),
        Run({"cond": np.False_, "x": eight, "to": np.int64([1, 1])}, {"y": eight + eight}),
        Run({"cond": np.True_, "x": eight, "to": np.int64([1, 8])}, {"y": floats([1, 2, 3, 4, 5, 6, 7, 8])}),
        Run({"cond": np.False_, "x": six, "to": np.int64([1, 1])}, {"y": six + six}),
        Run({"cond": np.True_, "x": six, "to": np.int64([1, 6])}, {"y": floats([1, 2, 3, 4, 5, 6])}),
    )


def _constants() -> Vector:
    ones, twos, stored = np.int64([1, 1]), np.int64([2, 2]), np.int64([7, 8])
    return no_state_between_runs(
        "constants-stay: six runs: the branches' initializer and Constant are the same each time",
        STORED,
        Run({"cond": np.True_, "x": ones}, {"y": np.int64([101, 201])}),
        Run({"cond": np.True_, "x": twos}, {"y": np.int64([102, 202])}),
        Run({"cond": np.False_, "x": ones}, {"y": stored}),
        Run({"cond": np.True_, "x": ones}, {"y": np.int64([101, 201])}),
        Run({"cond": np.False_, "x": twos}, {"y": stored}),
        Run({"cond": np.False_, "x": ones}, {"y": stored}),
        why=[STATELESS, issue("alibaba/MNN", 3750, "constants of a branch were not carried over")],
    )


def _sequences() -> Vector:
    x, z = floats(1, -2), floats(4)
    of = "tensor(float32)"
    return no_state_between_runs(
        "sequences: four runs: a sequence of two, an empty one, a sequence of two others, an empty one",
        LISTS,
        Run({"cond": np.True_, "x": x}, {"y": sequence(of, [x, -x])}),
        Run({"cond": np.False_, "x": x}, {"y": sequence(of)}),
        Run({"cond": np.True_, "x": z}, {"y": sequence(of, [z, -z])}),
        Run({"cond": np.False_, "x": z}, {"y": sequence(of)}),
    )


def _strings() -> Vector:
    long = b"a string that is too long to be kept in place of a pointer"
    one, two = strings([1], [long]), strings([2], [b"x", b""])
    return no_state_between_runs(
        "strings: four runs on strings of other lengths and numbers",
        TEXTS,
        Run({"cond": np.True_, "x": one}, {"y": strings([2], [long, long])}),
        Run({"cond": np.False_, "x": two}, {"y": two}),
        Run({"cond": np.True_, "x": two}, {"y": strings([4], [b"x", b"", b"x", b""])}),
        Run({"cond": np.False_, "x": one}, {"y": one}),
    )
