"""The vectors of the cross of calls: what numpy says that each model returns, and the sentences that say so."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ifcert.authoring.crosses.dimensions import Row
from ifcert.authoring.crosses.onnx_call_dimensions import ONNX_CALLS
from ifcert.authoring.crosses.onnx_call_texts import (
    AGAIN,
    AGAIN_SHAPE,
    BARE,
    BARE_SHAPE,
    DEFAULT,
    DEFAULT_FALSE,
    DEFAULT_TRUE,
    HELD,
    HELD_SHAPE,
    INNER_A,
    INNER_B,
    READ,
    WHEN_FALSE,
    WHEN_TRUE,
    A,
    B,
    other,
    text_of,
)
from ifcert.authoring.crosses.rows import case_of_row, read_rows, title_of_row
from ifcert.authoring.models import model
from ifcert.authoring.sources import VECTORS
from ifcert.authoring.values import Writable
from ifcert.authoring.vector import Run, Vector

Array = np.ndarray[Any, Any]
# What an inner If returns, of its cond and of the value u that the function's own branches read.
Graphs = Callable[[bool, Array], Array]

V = np.array([[[1, -2], [3, 0]], [[-1, 2], [-3, 2]]], np.float64)
LONG = np.array([[[2, 1], [-1, 3]], [[0, -2], [1, 1]], [[-3, 2], [2, -1]]], np.float64)
TRIPS = 2

DOUBTS = {
    "taken": "a node leaves optional outputs out; the outputs of functions are not said to be optional",
    "older": "a function's nodes bind to what it imports, which should be compatible with what its model imports",
    "function": "a function's nodes bind to the highest version, yet it relies on one version of a domain",
    "model": "nodes bind to the highest version that is imported, yet a model names its operator sets by their domains",
}


def vectors_of_calls() -> Iterator[Vector]:
    """A vector of each row of vectors/onnx/calls.json."""
    for row in read_rows(VECTORS / "onnx", ONNX_CALLS):
        yield Vector(
            f"onnx/if/in-function/{case_of_row(ONNX_CALLS, row)}",
            title_of_row(ONNX_CALLS, row),
            list(_why(row)),
            model(text_of(row)),
            runs(row),
            doubt="; ".join(_doubts(row)),
            coordinates=dict(row),
        )


def runs(row: Row) -> list[Run]:
    """The runs: what is fed, and what is returned. An If around the call takes each of its branches."""
    operands = [(True, V), (False, LONG), (True, V)] if row["runs"] == "shapes" else [(True, V), (False, V)]
    if row["runs"] == "turned":
        operands.reverse()
    outer = (True, False) if row["holder"] in ("branches", "function") else (True,)
    return [
        Run(fed(row, e, c, v), {"result": result(row, e, c, v).astype(np.float32)}) for c, v in operands for e in outer
    ]


def fed(row: Row, e: bool, c: bool, v: Array) -> dict[str, Writable]:
    """The inputs that the model has; e is the cond of an If around the call."""
    given: Mapping[str, Writable] = {
        "e": np.bool_(e),
        "c": np.bool_(c),
        "trips": np.int64(TRIPS),
        "on": np.True_,
        "v": v.astype(np.float32),
        "rows": rows(v).astype(np.float32),
    }
    return {name: given[name] for name in READ[row["holder"]].split()}


def rows(v: Array) -> Array:
    """What a Scan scans."""
    return np.stack([v, 1 - v])


def result(row: Row, e: bool, c: bool, v: Array) -> Array:
    """What the main graph returns, in float64."""
    match row["holder"]:
        case "loop":
            z = v + sum(called(row, c, v + trip) for trip in range(TRIPS))
        case "scan":
            z = v + sum(called(row, c, each) for each in rows(v))
        case "passed":
            z = called(row, c, np.array(HELD, np.float64).reshape(HELD_SHAPE))
        case _:
            z = called(row, c, v if e else -v)
    return z + last_shares(z)


def called(row: Row, c: bool, v: Array) -> Array:
    """What is computed from what the call takes."""
    r, s, t = choose(row, c, v, A, B, graphs(row))
    taken = {"all": r + s - t, "trailing": r + s, "first": s + t, "middle": r + t}
    return taken[row["taken"]]


def choose(row: Row, c: bool, v: Array, a: int, b: int, of_if: Graphs) -> tuple[Array, Array, Array]:
    """The three outputs of the function for a cond, an operand and the attributes a and b."""
    axis = {"handed-on": a, "renamed": b, "default": DEFAULT, "omitted": 0}[row["attribute"]]
    w, u = leading(v, axis), leading(v, other(row))
    share = shares_from_axis_1(v) if row["imports"] == "older" else last_shares(v)
    r = -w + of_if(c, u) if c else abs(w) * of_if(c, u)
    return r, r + u, r - (v[0] + share)


def leading(v: Array, axis: int) -> Array:
    """The values, to which the first ones along the axis are added."""
    return v + v.take([0], axis)


def last_shares(v: Array) -> Array:
    """Softmax of zeros from version 13 on: along the last axis all are equal."""
    return np.full(v.shape, 1 / v.shape[-1])


def shares_from_axis_1(v: Array) -> Array:
    """Softmax of zeros before version 13: the axes from 1 on are one."""
    return np.full(v.shape, 1 / v[0].size)


def graphs(row: Row) -> Graphs:
    """What the branches of an inner If return, by what the call passes for them."""
    match row["passes"]:
        case "none":
            return lambda c, u: -u if c else abs(u)
        case "one":
            return constants(DEFAULT_TRUE, WHEN_FALSE)
        case "again":
            return lambda c, _: bare(row) if c else again(row)
        case _:
            return constants(WHEN_TRUE, WHEN_FALSE)


def constants(true: int, false: int) -> Graphs:
    """Graphs of one number each."""
    return lambda c, _: np.array([true if c else false], np.float64)


def bare(row: Row) -> Array:
    """The graph that calls the function with a true cond, and passes no graphs."""
    v = np.array(BARE, np.float64).reshape(BARE_SHAPE)
    r, s, t = choose(row, True, v, INNER_A, INNER_B, constants(DEFAULT_TRUE, DEFAULT_FALSE))
    return np.asarray((r + s - t).sum())


def again(row: Row) -> Array:
    """The graph that calls the function for doubles, with a false cond, and passes other graphs."""
    v = np.array(AGAIN, np.float64).reshape(AGAIN_SHAPE)
    r, s, t = choose(row, False, v, INNER_A, INNER_B, constants(WHEN_TRUE, WHEN_FALSE))
    return np.asarray((r + s - t).sum())


def _why(row: Row) -> Iterator[str]:
    """The sentences that decide the values."""
    yield from ("if-then-branch-runs", "if-else-branch-runs", "ir-graph-node-calls", "ir-function-attribute-replaced")
    if row["taken"] != "all":
        yield "ir-left-out"
    if row["passes"] == "again":
        yield "proto-no-recursion"
    if row["imports"].startswith("model"):
        yield "proto-highest-version"
    elif row["imports"] != "same":
        yield "proto-function-binds"
    yield from {"loop": ["operators-loop-pairs-of-variables"], "scan": ["operators-scan-calls-body"]}.get(
        row["holder"], []
    )


def _doubts(row: Row) -> Iterator[str]:
    """Why a refusal is as good an answer."""
    if row["taken"] != "all":
        yield DOUBTS["taken"]
    of_imports = row["imports"].partition("-")[0]
    if of_imports in DOUBTS:
        yield DOUBTS[of_imports]
