"""Runs of one session from several threads, the first among them."""

from collections.abc import Callable, Iterator

import numpy as np
from ifcert.authoring import Concurrent, Run, Vector, floats, issue, model, says, sequence, strings, vectors_of
from ifcert.authoring.vector import Step

STATELESS = says("ir-stateless", note="it has nothing that two runs could share")

concurrent_runs = vectors_of("onnx/if/concurrent-runs", STATELESS)

# One thread per run; eight of them share a value in the runtime's caches, more than two cores can run at a time.
THREADS = 8

CHOICE = model("""
    choice (bool cond, float[n] x) => (float[?] y) {
        doubled = Add (x, x)
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Concat <axis = 0> (x, doubled) },
            else_branch = else_graph () => (b) { b = Neg (doubled) }>
    }""")

STORED = model("""
    stored (bool cond, int64[2] x) => (int64[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) <int64[2] k = {100, 200}> { a = Add (x, k) },
            else_branch = else_graph () => (b) { k = Constant <value = int64[2] {7, 8}> ()  b = Mul (x, k) }>
    }""")

NESTED = model("""
    nested (bool p, bool q, int64[2] x) => (int64[2] y) <int64 trips = {5}, bool yes = {1}> {
        y = If (p) <
            then_branch = then_graph () => (int64[2] a) {
                a = Loop (trips, yes, x) <
                    body = step (int64 i, bool on, int64[2] v) => (bool on_out, int64[2] v_out) {
                        on_out = Identity (on)
                        v_out = If (q) <
                            then_branch = deep_then () => (c) { c = Add (v, x) },
                            else_branch = deep_else () => (d) { d = Sub (v, i) }>
                    }>
            },
            else_branch = else_graph () => (int64[2] b) { b = Neg (x) }>
    }""")

VALUES = model("""
    values (bool cond, string[n] x) => (string[?] y, seq(string[?]) s) {
        y, s = If (cond) <
            then_branch = then_graph () => (a, l) { a = Concat <axis = 0> (x, x)  l = SequenceConstruct (x, a) },
            else_branch = else_graph () => (b, m) { b = Identity (x)  m = SequenceConstruct (x) }>
    }""")

# Each element of the product of two matrices of x is 128 x², and there are 128 · 128 of them.
LARGE = model("""
    large (bool cond, float[1,1] x) => (float y) <int64[2] square = {128, 128}> {
        y = If (cond) <
            then_branch = then_graph () => (float a) {
                wide = Expand (x, square)
                product = MatMul (wide, wide)
                a = ReduceSum <keepdims = 0> (product)
            },
            else_branch = else_graph () => (float b) { b = ReduceSum <keepdims = 0> (x) }>
    }""")

FUNCTION = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool p, bool q, float[2] x) => (float[2] z) {
        y = local.choose (p, x)
        z = local.choose (q, y)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) <float[2] k = {10, 20}> { a = Add (v, k) },
            else_branch = else_graph () => (b) { b = Neg (v) }>
    }""")

# The values that the threads read of the main graph exist once.
CAPTURED = model("""
    captured (bool p, bool q, float[2] x) => (float[2] y) <float[2] k = {10, 20}, float[2] l = {1, 2}> {
        sum = Add (k, l)
        y = If (p) <
            then_branch = then_graph () => (a) {
                s = Sub (x, sum)
                a = If (q) <
                    then_branch = deep_then () => (c) { c = Add (s, k) },
                    else_branch = deep_else () => (d) { d = Mul (s, l) }>
            },
            else_branch = else_graph () => (b) { t = Neg (sum)  b = Add (t, x) }>
    }""")

# A runtime may only learn in the first run which branch is taken and how long its result is.
FOUND_OUT = model("""
    found_out (int64 zero, float[n] x) => (float[?] y, float[?] z) <bool yes = {1}, int64 none = {0}> {
        fixed = Equal (zero, none)
        y = If (fixed) <
            then_branch = one () => (a) { a = Concat <axis = 0> (x, x) },
            else_branch = two () => (b) { b = Neg (x) }>
        z = If (yes) <
            then_branch = three () => (c) <float[1] w = {1}> { c = Add (y, w) },
            else_branch = four () => (d) { d = Neg (y) }>
    }""")

SCANNED = model("""
    scanned (float[2] start, float[n,2] x, bool[n] flags) => (float[2] last, float[?,2] all) {
        last, all = Scan <
            num_scan_inputs = 2,
            body = step (float[2] s, float[2] e, bool flag) => (float[2] z, float[2] shown) {
                z = If (flag) <
                    then_branch = then_graph () => (a) { a = Add (s, e) },
                    else_branch = else_graph () => (b) { b = Sub (start, e) }>
                shown = Neg (z)
            }> (start, x, flags)
    }""")


def at_once(make: Callable[[int], Run]) -> Concurrent:
    """This many runs at the same time, computed from their numbers."""
    return Concurrent([make(number) for number in range(THREADS)])


def vectors() -> Iterator[Vector]:
    for case, start in (
        ("first-runs: the session's very first runs: eight at once, half of which take then", []),
        ("after-a-run: one run alone, then eight at once", [_choice(1)]),
    ):
        yield concurrent_runs(case, CHOICE, [*start, at_once(_choice)])
    yield concurrent_runs(
        "other-lengths: eight runs at once, each on another length, then eight more",
        CHOICE,
        [at_once(_of_other_length), at_once(lambda number: _of_other_length(THREADS - number))],
    )
    yield concurrent_runs(
        "constants: eight runs at once read the branches' initializer and Constant", STORED, _stored()
    )
    yield concurrent_runs("nested: eight runs at once through If, Loop and If", NESTED, at_once(_nested))
    yield concurrent_runs(
        "strings-and-sequences: eight runs at once return strings and sequences", VALUES, at_once(_values)
    )
    yield concurrent_runs(
        "large-operator-in-branch: "
        "eight runs at once, half of them with a matrix product, which runtimes spread over threads of their own",
        LARGE,
        at_once(_large),
        why=[STATELESS, issue("microsoft/onnxruntime", 917, "the thread pool was not passed on to branches")],
    )
    yield concurrent_runs(
        "in-function: eight runs at once through a function that is called twice", FUNCTION, at_once(_called)
    )

    yield concurrent_runs(
        "captured-values: "
        "eight runs at once read initializers of the main graph, and values computed from them, one and two "
        "levels down",
        CAPTURED,
        at_once(_captured),
    )
    yield concurrent_runs(
        "found-out-in-the-first-run: "
        "eight first runs at once: one cond is constant, the other always the same, and lengths differ",
        FOUND_OUT,
        [at_once(_found_out), at_once(_found_out)],
    )
    yield concurrent_runs(
        "in-scan: "
        "eight runs at once of a Scan over different numbers of elements; a branch reads the graph input beside "
        "the state",
        SCANNED,
        at_once(_scanned),
    )


def _choice(number: int) -> Run:
    x = floats(number + 1, -2)
    return Run({"cond": np.bool_(number % 2), "x": x}, {"y": np.concatenate([x, 2 * x]) if number % 2 else -2 * x})


def _of_other_length(number: int) -> Run:
    x = np.arange(1, number + 2, dtype=np.float32)
    return Run({"cond": np.bool_(number % 3), "x": x}, {"y": np.concatenate([x, 2 * x]) if number % 3 else -2 * x})


def _stored() -> list[Step]:
    def run(number: int) -> Run:
        y = [number + 100, number + 200] if number % 2 else [7 * number, 8 * number]
        return Run({"cond": np.bool_(number % 2), "x": np.int64([number, number])}, {"y": np.int64(y)})

    return [at_once(run), at_once(run)]


def _nested(number: int) -> Run:
    p, q = bool(number % 4), bool(number % 2)
    x = np.int64([number, -number])
    # Five times x is added, or the iteration numbers 0 + 1 + 2 + 3 + 4 are subtracted.
    y = (6 * x if q else x - 10) if p else -x
    return Run({"p": np.bool_(p), "q": np.bool_(q), "x": x}, {"y": y})


def _values(number: int) -> Run:
    text = f"run {number}, a string that is too long to be kept in place of a pointer".encode()
    x, twice = strings([1], [text]), strings([2], [text, text])
    outputs = (
        {"y": twice, "s": sequence("tensor(string)", [x, twice])}
        if number % 2
        else {"y": x, "s": sequence("tensor(string)", [x])}
    )
    return Run({"cond": np.bool_(number % 2), "x": x}, outputs)


def _large(number: int) -> Run:
    x = number % 3
    y = 128 * 128 * 128 * x * x if number % 2 else x
    return Run({"cond": np.bool_(number % 2), "x": floats([x])}, {"y": np.float32(y)})


def _called(number: int) -> Run:
    x, k = floats(number, -1), floats(10, 20)
    p, q = bool(number % 2), bool(number % 4 > 1)
    y = x + k if p else -x
    return Run({"p": np.bool_(p), "q": np.bool_(q), "x": x}, {"z": y + k if q else -y})


def _captured(number: int) -> Run:
    x, k, held = floats(number, -1), floats(10, 20), floats(11, 22)
    p, q = bool(number % 4), bool(number % 2)
    y = (x - held + k if q else (x - held) * floats(1, 2)) if p else x - held
    return Run({"p": np.bool_(p), "q": np.bool_(q), "x": x}, {"y": y})


def _found_out(number: int) -> Run:
    x = np.arange(1, number + 2, dtype=np.float32)
    twice = np.concatenate([x, x])
    return Run({"zero": np.int64(0), "x": x}, {"y": twice, "z": twice + 1})


def _scanned(number: int) -> Run:
    """All elements are the same; the last flag is the run's own, those before it are true."""
    start, element, count = floats(number, 100), floats(1, number), 1 + number % 3
    flags = [True] * (count - 1) + [bool(number % 2)]
    states = [start + place * element for place in range(1, count + 1)]
    if not flags[-1]:
        states[-1] = start - element
    inputs = {"start": start, "x": np.tile(element, (count, 1)), "flags": np.bool_(flags)}
    return Run(inputs, {"last": states[-1], "all": -np.stack(states)})
