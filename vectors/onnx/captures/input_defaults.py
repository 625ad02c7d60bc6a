"""Inputs of the main graph that have a default: a fed value prevails, also where a default could have been folded."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from ifcert.authoring import Run, Vector, floats, model

MAY = "a runtime MAY allow a caller to replace the initializer, and MAY allow a caller to leave the input out"
X = floats(1, -2)
K, W = floats(10, 20), floats(3, 5)
YES, NO = {"cond": np.True_}, {"cond": np.False_}

COND = """
    choice (bool cond = {1}, float[2] x) => (float[2] y) {
        NODES
        y = If (c) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, x) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }"""

CAPTURED = """
    captured (bool cond, float[2] x, float[2] k = {10, 20}) => (float[2] y) {
        NODES
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, v) },
            else_branch = else_graph () => (float[2] b) { b = Mul (v, x) }>
    }"""

# Then does with its captured default what can be folded for constants; else has a constant of its own.
IN_BRANCH = """
    branched (bool cond, float[2] x, float[2] k = {10, 20}) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { t = Neg (k)  v = Identity (t)  a = Add (x, v) },
            else_branch = else_graph () => (float[2] b) <float[2] w = {3, 5}> { b = Mul (x, w) }>
    }"""

RETURNED = """
    returned (bool cond, float[2] x, float[2] k = {10, 20}) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Identity (k) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }"""

SHAPE = """
    shaped (bool cond, float[6] x, int64[2] to = {2, 3}) => (float[?,?] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Reshape (x, to) },
            else_branch = else_graph () => (b) { t = Reshape (x, to)  b = Neg (t) }>
    }"""

DEEP = """
    deep (bool outer = {1}, bool inner = {0}, float[2] x, float[2] k = {10, 20}) => (float[2] y) {
        y = If (outer) <
            then_branch = then_graph () => (float[2] a) {
                a = If (inner) <
                    then_branch = deep_then () => (float[2] c) { c = Add (x, k) },
                    else_branch = deep_else () => (float[2] d) { d = Sub (x, k) }>
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }"""

TRIPS = """
    looped (float[2] x, int64 trips = {2}, bool cond = {1}, float[2] k = {10, 20}) => (float[2] y) <bool yes = {1}> {
        y = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (v, k) },
                    else_branch = else_graph () => (float[2] b) { b = Neg (v) }>
            }>
    }"""


@dataclass(frozen=True)
class Case:
    """The rest of an id, a title, a model's text and its runs."""

    id: str
    title: str
    text: str
    runs: list[Run]
    ir: int | None = None
    opset: int = 16


def conds() -> Iterator[Case]:
    """The cond has a default, true; false is fed too."""
    runs = [
        Run(NO | {"x": X}, {"y": -X}),
        Run(YES | {"x": X}, {"y": X + X}),
        Run({"x": X}, {"y": X + X}),
        Run(NO | {"x": X}, {"y": -X}),
    ]
    for name, nodes in {
        "default": "",
        "default-through-identity": "c = Identity (cond)",
        "default-through-two-nots": "d = Not (cond)  c = Not (d)",
        "default-through-reshape": "one = Constant <value = int64[1] {1}> ()  c = Reshape (cond, one)",
    }.items():
        text = COND.replace("NODES", nodes) if nodes else COND.replace("NODES", "").replace("If (c)", "If (cond)")
        yield Case(
            "cond-source/" + name,
            f"cond has a default, which is alternately overridden and used: {name.replace('-', ' ')}",
            text,
            runs,
        )


def captures() -> Iterator[Case]:
    """The branches read a default."""
    fed = {"cond": np.True_, "x": X, "k": W}
    runs = [Run(fed, {"y": X + W}), Run({"cond": np.True_, "x": X}, {"y": X + K}), Run(fed | NO, {"y": X * W})]
    for name, nodes, value in (
        ("default", "", "k"),
        ("default-through-identity", "v = Identity (k)", "v"),
        ("default-through-transpose", "v = Transpose (k)", "v"),
        ("default-through-two-negs", "d = Neg (k)  v = Neg (d)", "v"),
    ):
        text = CAPTURED.replace("NODES", nodes).replace("v)", f"{value})").replace("(v,", f"({value},")
        title = f"both branches read an input that has a default, overridden or not: {name.replace('-', ' ')}"
        yield Case("outer-scope-capture/" + name, title, text, runs)
    yield Case(
        "outer-scope-capture/default-folded-in-branch",
        "the values that then computes from a default could be computed before the run, if it were not overridden",
        IN_BRANCH,
        [Run(fed, {"y": X - W}), Run({"cond": np.True_, "x": X}, {"y": X - K}), Run(fed | NO, {"y": X * W})],
    )
    yield Case(
        "outer-scope-capture/default-returned",
        "then only returns an input that has a default",
        RETURNED,
        [Run(fed, {"y": W}), Run({"cond": np.True_, "x": X}, {"y": K}), Run(fed | NO, {"y": -X})],
    )
    six = np.float32(range(6))
    yield Case(
        "shape-union/default-decides-the-shape",
        "the shape that the branches reshape to is an input that has a default",
        SHAPE,
        [
            Run({"cond": np.True_, "x": six, "to": np.int64([3, 2])}, {"y": six.reshape(3, 2)}),
            Run({"cond": np.False_, "x": six, "to": np.int64([1, 6])}, {"y": -six.reshape(1, 6)}),
            Run({"cond": np.True_, "x": six}, {"y": six.reshape(2, 3)}),
        ],
    )
    plain = CAPTURED.replace("NODES", "").replace("v)", "k)").replace("(v,", "(k,")
    for version, what in ((3, "in which every initializer is an input"), (4, "the first in which it need not be one")):
        yield Case(
            f"outer-scope-capture/default-in-ir-{version}",
            f"in IR version {version}, {what}, a branch reads an input that has a default, overridden or not",
            plain,
            runs,
            ir=version,
            opset=8,
        )


def bodies() -> Iterator[Case]:
    """Defaults around nested Ifs and around a Loop."""
    flags = {"outer": np.True_, "inner": np.True_, "x": X, "k": W}
    yield Case(
        "nesting/defaults-of-both-conds",
        "the conds of two nested Ifs and the value that the inner one reads have defaults",
        DEEP,
        [
            Run(flags, {"y": X + W}),
            Run({"x": X}, {"y": X - K}),
            Run({"inner": np.True_, "x": X}, {"y": X + K}),
            Run({"outer": np.False_, "x": X}, {"y": -X}),
            Run({"x": X, "k": W}, {"y": X - W}),
        ],
    )
    yield Case(
        "in-loop/defaults-around",
        "the trip count, the cond of the If in the body and the value that it reads have defaults",
        TRIPS,
        [
            Run({"x": X}, {"y": X + 2 * K}),
            Run({"x": X, "trips": np.int64(3)}, {"y": X + 3 * K}),
            Run({"x": X, "trips": np.int64(3), "cond": np.False_}, {"y": -X}),
            Run({"x": X, "k": W}, {"y": X + 2 * W}),
        ],
    )


def vectors() -> Iterator[Vector]:
    """The default is overridden first, so that values cached from an earlier run cannot be the right ones."""
    for case in [*conds(), *captures(), *bodies()]:
        yield Vector(
            "onnx/if/" + case.id,
            case.title,
            [
                "ir-initializer-default",
                "ir-override-initializer",
                "if-cond" if "cond-source" in case.id else "ir-outer-scope",
                "ir-runtime-agnostic",
            ],
            model(case.text, case.opset, ir=case.ir),
            case.runs,
            doubt=MAY,
        )
