"""Branch outputs without declared types, whatever computes them."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, says, vectors_of

branch_outputs_may_be_untyped = vectors_of("onnx/if/branch-outputs-may-be-untyped", "ir-subgraph-types")

X = floats(1, -2)

INITIALIZER = model("""
    stored (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) <float[2] a = {1, 2}> {},
            else_branch = else_graph () => (b) { b = Neg (x) }>
    }""")

OWN_NAME = model("""
    own (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (y) { y = Add (x, x) },
            else_branch = else_graph () => (y) { y = Neg (x) }>
    }""")

CALL = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = local.doubled (x) },
            else_branch = else_graph () => (b) { n = Neg (x)  b = local.doubled (n) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    doubled (v) => (r) { r = Add (v, v) }""")

NESTED = model("""
    nested (bool p, bool q, float[2] x) => (float[2] y) <int64 trips = {3}, bool yes = {1}> {
        y = If (p) <
            then_branch = then_graph () => (a) {
                a = If (q) <
                    then_branch = deep_then () => (c) { c = Add (x, x) },
                    else_branch = deep_else () => (d) { d = Abs (x) }>
            },
            else_branch = else_graph () => (b) {
                b = Loop (trips, yes, x) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out)
                        { on_out = Identity (on)  v_out = Add (v, x) }>
            }>
    }""")


def vectors() -> Iterator[Vector]:
    yield branch_outputs_may_be_untyped(
        "initializer: then returns its initializer, with no declared type",
        INITIALIZER,
        branches({"x": X}, then={"y": floats(1, 2)}, else_={"y": -X}),
        why=["ir-subgraph-types", "ir-definition-and-use"],
        also=["onnx/if/output-is-initializer"],
    )
    yield branch_outputs_may_be_untyped(
        "named-as-the-own-output: "
        "both branches return a value with the name of the If's own output and no declared type",
        OWN_NAME,
        branches({"x": X}, then={"y": 2 * X}, else_={"y": -X}),
        why=["ir-subgraph-types", says("ir-distinct-from-outer", note="what the If itself gives is not")],
        also=["onnx/if/sibling-names-independent"],
    )
    yield branch_outputs_may_be_untyped(
        "call: both branches return the result of a function, which has no declared types either",
        CALL,
        branches({"x": X}, then={"y": 2 * X}, else_={"y": -2 * X}),
        also=["onnx/if/in-function"],
    )
    yield branch_outputs_may_be_untyped(
        "if-and-loop: then returns an If's result, whose branches declare no types, and else a Loop's",
        NESTED,
        Run({"p": np.True_, "q": np.True_, "x": X}, {"y": 2 * X}),
        Run({"p": np.True_, "q": np.False_, "x": X}, {"y": np.abs(X)}),
        Run({"p": np.False_, "q": np.False_, "x": X}, {"y": 4 * X}),
        also=["onnx/if/nesting", "onnx/if/loop-in-branch"],
    )
