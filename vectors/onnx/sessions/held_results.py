"""The result of an earlier run is read again after later runs of the same session: it has not changed."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Reread, Run, Vector, floats, issue, model, says, vectors_of
from ifcert.authoring.values import absent, sequence, some, strings
from ifcert.authoring.vector import Step

no_state_between_runs = vectors_of(
    "onnx/if/no-state-between-runs",
    says("ir-stateless", note="a value that was given is not changed by giving another"),
    issue("tensorflow/tflite-micro", 869, "the memory of a branch and of the enclosing graph overlapped"),
)

# Both branches compute what they return.
MADE = model("""
    made (bool cond, float[n] x) => (float[?] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Add (x, x) },
            else_branch = else_graph () => (b) { b = Neg (x) }>
    }""")

# The values that the branches return may be in memory that the session or the caller owns.
HANDED_ON = model("""
    handed_on (bool cond, float[2] x) => (float[2] y, float[2] z, float[2] w) <float[2] k = {10, 20}> {
        made = Add (x, x)
        y, z, w = If (cond) <
            then_branch = then_graph () => (float[2] a, float[2] b, float[2] c) <float[2] b = {1, 2}>
                { a = Identity (x)  c = Identity (made) },
            else_branch = else_graph () => (d, e, f)
                { d = Identity (k)  e = Constant <value = float[2] {3, 4}> ()  f = Neg (made) }>
    }""")

# The inner If's result is read again after it; its memory may be free by then.
REUSED = model("""
    reused (bool p, bool q, float[2] x) => (float[2] y) {
        y = If (p) <
            then_branch = then_graph () => (a) {
                t = If (q) <
                    then_branch = deep_then () => (c) { c = Add (x, x) },
                    else_branch = deep_else () => (d) { d = Mul (x, x) }>
                a = Sub (t, x)
            },
            else_branch = else_graph () => (b) { b = Neg (x) }>
    }""")

TEXTS = model("""
    texts (bool cond, string[n] x) => (string[?] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Concat <axis = 0> (x, x) },
            else_branch = else_graph () => (b) { b = Identity (x) }>
    }""")

LISTS = model("""
    lists (bool cond, float[n] x) => (seq(float[?]) y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { n = Neg (x)  a = SequenceConstruct (x, n) },
            else_branch = else_graph () => (b) { b = SequenceEmpty () }>
    }""")

OPTIONS = model("""
    options (bool cond, float[2] x) => (optional(float[2]) y) {
        y = If (cond) <
            then_branch = then_graph () => (optional(float[2]) a) { a = Optional (x) },
            else_branch = else_graph () => (optional(float[2]) b) { b = Optional <type = float[2]> () }>
    }""")

# x, and below it twice x or -x.
JOINED = model("""
    joined (bool cond, float[1,N] x) => (float[2,N] y) {
        h = If (cond) <
            then_branch = then_graph () => (float[1,N] a) { a = Add (x, x) },
            else_branch = else_graph () => (float[1,N] b) { b = Neg (x) }>
        y = Concat <axis = 0> (x, h)
    }""")


def vectors() -> Iterator[Vector]:
    why = [
        says("ir-stateless", note="a value that was given is not changed by giving another"),
        issue("tensorflow/tflite-micro", 869, "the memory of a branch and of the enclosing graph overlapped"),
    ]
    yield no_state_between_runs("held-tensors: the results of four runs, each read again after the last", MADE, _made())
    yield no_state_between_runs(
        "held-handed-on: "
        "an input, an initializer of either graph, a Constant and an outer value passed through, read again after "
        "other runs",
        HANDED_ON,
        _handed_on(),
        why=[*why, issue("microsoft/onnxruntime", 21922, "a value passed through was overwritten")],
    )
    yield no_state_between_runs("held-nested: results of nested Ifs, read again after other runs", REUSED, _nested())
    long = b"a string that is too long to be kept in place of a pointer"
    x, z = strings([1], [long]), strings([2], [b"", b"other"])
    yield no_state_between_runs(
        "held-strings: strings, read again after runs on other strings",
        TEXTS,
        Run({"cond": np.False_, "x": x}, {"y": x}, hold=True),
        Run({"cond": np.True_, "x": z}, {"y": strings([4], [b"", b"other", b"", b"other"])}, hold=True),
        Run({"cond": np.False_, "x": z}, {"y": z}),
        Reread(0),
        Reread(1),
    )
    yield no_state_between_runs(
        "held-and-joined: a matrix of x and the If's result, read again after a wider one has been computed",
        JOINED,
        Run({"cond": np.True_, "x": floats([1, -2])}, {"y": floats([1, -2], [2, -4])}, hold=True),
        Run({"cond": np.False_, "x": floats([30, 40, 50])}, {"y": floats([30, 40, 50], [-30, -40, -50])}, hold=True),
        Reread(0),
        Reread(1),
    )
    one, two, of = floats(1, -2), floats(4), "tensor(float32)"
    yield no_state_between_runs(
        "held-sequences: sequences, one of them empty, read again after runs that return others",
        LISTS,
        Run({"cond": np.True_, "x": one}, {"y": sequence(of, [one, -one])}, hold=True),
        Run({"cond": np.False_, "x": two}, {"y": sequence(of)}, hold=True),
        Run({"cond": np.True_, "x": two}, {"y": sequence(of, [two, -two])}),
        Reread(0),
        Reread(1),
    )
    yield no_state_between_runs(
        "held-optionals: optionals, one of them absent, read again after runs that return the other",
        OPTIONS,
        Run({"cond": np.True_, "x": one}, {"y": some(one)}, hold=True),
        Run({"cond": np.False_, "x": one}, {"y": absent(of)}, hold=True),
        Run({"cond": np.True_, "x": -one}, {"y": some(-one)}),
        Reread(0),
        Reread(1),
    )


def _made() -> list[Step]:
    x, z = floats(1, -2), floats(5, 6, 7)
    return [
        Run({"cond": np.True_, "x": x}, {"y": 2 * x}, hold=True),
        Run({"cond": np.False_, "x": x}, {"y": -x}, hold=True),
        Run({"cond": np.True_, "x": z}, {"y": 2 * z}, hold=True),
        Run({"cond": np.True_, "x": -x}, {"y": -2 * x}, hold=True),
        *(Reread(number) for number in range(4)),
    ]


def _handed_on() -> list[Step]:
    x, k = floats(1, -2), floats(10, 20)

    def run(cond: bool, value: np.ndarray, hold: bool = False) -> Run:
        first = {"y": value, "z": floats(1, 2), "w": 2 * value}
        second = {"y": k, "z": floats(3, 4), "w": -2 * value}
        return Run({"cond": np.bool_(cond), "x": value}, first if cond else second, hold)

    return [
        run(True, x, hold=True),
        run(False, x, hold=True),
        run(True, 7 * x),
        run(False, 7 * x),
        Reread(0),
        Reread(1),
    ]


def _nested() -> list[Step]:
    x = floats(3, -2)

    def run(p: bool, q: bool, value: np.ndarray, hold: bool = False) -> Run:
        result = (value if q else value * value - value) if p else -value
        return Run({"p": np.bool_(p), "q": np.bool_(q), "x": value}, {"y": result}, hold)

    return [
        run(True, True, x, hold=True),
        run(True, False, x, hold=True),
        Reread(0),
        run(False, False, x),
        run(True, False, 5 * x),
        Reread(1),
        Reread(0),
    ]
