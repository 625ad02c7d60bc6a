"""Initializers in sparse form: in the main graph, in branches and in bodies, read there or captured."""

from collections.abc import Callable, Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, edited, else_of, floats, model, then_of
from ifcert.authoring.models import Edit
from onnx import GraphProto, ModelProto, helper, numpy_helper

DOUBT = (
    "an initializer is a tensor that is stored in sparse format, or a value of the type sparse tensor, which no "
    "operator here takes"
)
X = floats([1, -2, 3], [4, 5, -6])
W = floats([0, 10, 0], [20, 0, 30])

# A value w is an initializer of one of the graphs; the edits give it to one.
IN_MAIN = """
    main_graph (bool cond, float[2,3] x) => (float[2,3] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2,3] a) { a = Add (x, w) },
            else_branch = else_graph () => (float[2,3] b) { b = Sub (x, w) }>
    }"""
IN_THEN = IN_MAIN.replace("Sub (x, w)", "Neg (x)")
TWO_LEVELS = """
    main_graph (bool outer, bool cond, float[2,3] x) => (float[2,3] y) {
        y = If (outer) <
            then_branch = outer_then () => (float[2,3] deep) {
                deep = If (cond) <
                    then_branch = then_graph () => (float[2,3] a) { a = Add (x, w) },
                    else_branch = else_graph () => (float[2,3] b) { b = Sub (x, w) }>
            },
            else_branch = outer_else () => (float[2,3] c) { c = Neg (x) }>
    }"""
IN_LOOP = """
    main_graph (bool cond, float[2,3] x) => (float[2,3] y) <int64 trips = {2}, bool go = {1}> {
        y = Loop (trips, go, x) <
            body = step (int64 i, bool on, float[2,3] v) => (bool on_out, float[2,3] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (float[2,3] a) { a = Add (v, w) },
                    else_branch = else_graph () => (float[2,3] b) { b = Sub (v, w) }>
            }>
    }"""
RETURNED = """
    main_graph (bool cond, float[2,3] x) => (float[2,3] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2,3] w) { },
            else_branch = else_graph () => (float[2,3] b) { b = Neg (x) }>
    }"""


def given(graph_of: Callable[[ModelProto], GraphProto], *, linear: bool = False, values: np.ndarray = W) -> Edit:
    """The graph has w in sparse form."""

    def edit(m: ModelProto) -> None:
        at = np.flatnonzero(values) if linear else np.argwhere(values)
        stored = numpy_helper.from_array(values[values != 0], "w")
        indices = numpy_helper.from_array(np.int64(at), "w_indices")
        sparse = helper.make_sparse_tensor(stored, indices, list(values.shape))
        graph_of(m).sparse_initializer.append(sparse)

    return edit


def main_of(m: ModelProto) -> GraphProto:
    """The main graph."""
    return m.graph


def body_of(m: ModelProto) -> GraphProto:
    """The body of the Loop."""
    return m.graph.node[0].attribute[0].g


def both(then_value: np.ndarray, else_value: np.ndarray) -> list[Run]:
    """A run of each branch."""
    return branches({"x": X}, then={"y": then_value}, else_={"y": else_value})


def vectors() -> Iterator[Vector]:
    nested = [
        Run({"outer": np.True_, "cond": np.True_, "x": X}, {"y": X + W}),
        Run({"outer": np.True_, "cond": np.False_, "x": X}, {"y": X - W}),
        Run({"outer": np.False_, "cond": np.True_, "x": X}, {"y": -X}),
    ]
    capture, why = (
        "onnx/if/outer-scope-capture/",
        [
            "proto-sparse-initializer",
            "proto-sparse-values",
            "proto-sparse-indices-of-rank",
            "proto-sparse-default-zero",
            "proto-sparse-values-named",
            "ir-types-recognized",
        ],
    )
    for case, (what, text, edits, runs, also) in {
        "of-main-graph": (
            "both branches read one of the main graph",
            IN_MAIN,
            [given(main_of)],
            both(X + W, X - W),
            [],
        ),
        "of-then": ("then reads its own", IN_THEN, [given(then_of)], both(X + W, -X), []),
        "of-both-branches": (
            "each branch reads its own, which have one name",
            IN_MAIN,
            [given(then_of), given(else_of, values=floats([5, 0, 0], [0, 0, 7]))],
            both(X + W, X - floats([5, 0, 0], [0, 0, 7])),
            ["onnx/if/sibling-names-independent"],
        ),
        "two-levels-up": (
            "the branches of an If in then read one of the main graph",
            TWO_LEVELS,
            [given(main_of)],
            nested,
            ["onnx/if/nesting"],
        ),
        "one-level-up": (
            "the branches of an If in then read one of then",
            TWO_LEVELS,
            [given(then_of)],
            nested,
            ["onnx/if/nesting"],
        ),
        "of-loop-body": (
            "the branches of an If in a Loop's body read one of the body",
            IN_LOOP,
            [given(body_of)],
            both(X + 2 * W, X - 2 * W),
            ["onnx/if/in-loop"],
        ),
        "linear-indices": (
            "both branches read one of the main graph, whose indices are linearized",
            IN_MAIN,
            [given(main_of, linear=True)],
            both(X + W, X - W),
            [],
        ),
        "linear-indices-of-then": (
            "then reads its own, whose indices are linearized",
            IN_THEN,
            [given(then_of, linear=True)],
            both(X + W, -X),
            [],
        ),
        "of-zeros": (
            "then reads one of the main graph that holds no value, so that it is zero",
            IN_THEN,
            [given(main_of, linear=True, values=0 * W)],
            both(X, -X),
            [],
        ),
    }.items():
        yield Vector(
            f"{capture}sparse-initializer-{case}",
            f"an initializer in sparse form: {what}",
            [*why, *(["proto-sparse-linear-indices"] if "linear" in case else []), "ir-outer-scope"],
            edited(model(text, 17), *edits),
            runs,
            also=also,
            doubt=DOUBT,
        )
    yield Vector(
        "onnx/if/output-is-initializer/sparse",
        "then has no node and returns its own initializer in sparse form",
        why,
        edited(model(RETURNED, 17), given(then_of)),
        both(W, -X),
        doubt=DOUBT,
    )
