"""More names that a branch must not reuse: of an earlier If's output, of a function's values, from two levels down."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, says, vectors_of
from ifcert.authoring.models import Edit
from onnx import FunctionProto, GraphProto, ModelProto

NO_SHADOWING = says("ir-distinct-from-outer", "ir-no-shadowing")

no_shadowing = vectors_of("onnx/if/no-shadowing", NO_SHADOWING)

X = floats(1, -2)

# Where the edits rename values in the second If's graphs, those graphs do not read the names: y and x are read
# elsewhere.
CHAIN = model("""
    chain (bool cond, bool inner, float[2] x) => (float[2] z) {
        y = If (cond) <
            then_branch = then_one () => (float[2] a) { a = Neg (x) },
            else_branch = else_one () => (float[2] b) { b = Abs (x) }>
        z = If (cond) <
            then_branch = then_two () => (float[2] c) {
                c = If (inner) <
                    then_branch = deep_then () => (float[2] d) <float[2] w = {1, 2}> { m = Neg (w)  d = Neg (m) },
                    else_branch = deep_else () => (float[2] e) { e = Identity (y) }>
            },
            else_branch = else_two () => (float[2] f) <float[2] u = {5, 6}> { g = Neg (u)  f = Neg (g) }>
    }""")

CALLED = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) { y = local.choose (cond, x) }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        size = Abs (v)
        first = If (c) <
            then_branch = then_one () => (a) { a = Neg (v) },
            else_branch = else_one () => (b) { b = Identity (size) }>
        r = If (c) <
            then_branch = then_two () => (d) <float[2] k = {10, 20}> { m = Neg (k)  d = Neg (m) },
            else_branch = else_two () => (e) { e = Add (first, size) }>
    }""")


def renamed(old: str, new: str) -> Edit:
    """A value is defined and read under another name in the graph that defines it, and in no other."""

    def edit(m: ModelProto) -> None:
        bodies: list[GraphProto | FunctionProto] = [m.graph, *m.functions]
        for body in bodies:
            bodies += [attribute.g for node in body.node for attribute in node.attribute if attribute.HasField("g")]
            initializers = body.initializer if isinstance(body, GraphProto) else ()
            if any(old in node.output for node in body.node) or any(tensor.name == old for tensor in initializers):
                _rename(body, old, new)

    return edit


def _rename(body: GraphProto | FunctionProto, old: str, new: str) -> None:
    for node in body.node:
        node.input[:] = [new if name == old else name for name in node.input]
        node.output[:] = [new if name == old else name for name in node.output]
    if isinstance(body, GraphProto):
        for tensor in body.initializer:
            tensor.name = new if tensor.name == old else tensor.name


def vectors() -> Iterator[Vector]:
    chain = no_shadowing(
        "distinct-names-after-another-if: a second If reads the first one's output; every name in its branches is new",
        CHAIN,
        Run({"cond": np.True_, "inner": np.True_, "x": X}, {"z": floats(1, 2)}),
        Run({"cond": np.True_, "inner": np.False_, "x": X}, {"z": -X}),
        Run({"cond": np.False_, "inner": np.True_, "x": X}, {"z": floats(5, 6)}),
    )
    for case, edit in {
        "node-output-named-as-earlier-if: a node of else has an output with the name of the preceding If's output": renamed(
            "g", "y"
        ),
        "initializer-named-as-earlier-if: an initializer of else has the name of the preceding If's output": renamed(
            "u", "y"
        ),
        (
            "deep-node-output-named-as-earlier-if: "
            "a node two levels down has an output with the name of the preceding If's output"
        ): renamed("m", "y"),
        (
            "deep-initializer-named-as-earlier-if: "
            "an initializer two levels down has the name of the preceding If's output"
        ): renamed("w", "y"),
        "deep-initializer-named-as-graph-input: an initializer two levels down has the name of a graph input": renamed(
            "w", "x"
        ),
    }.items():
        yield chain.broken(case, edit)
    called = no_shadowing(
        "distinct-names-among-the-functions-values: in a function, every name of the branches is new",
        CALLED,
        branches({"x": X}, then={"y": floats(10, 20)}, else_={"y": 2 * np.abs(X)}),
        also=["onnx/if/in-function"],
    )
    for case, edit in {
        "node-output-named-as-function-input: a node of then has an output with the name of the function's input": renamed(
            "m", "v"
        ),
        (
            "node-output-named-as-function-value: a node of then has an output with the name of a value of the function"
        ): renamed("m", "size"),
        "initializer-named-as-function-value: an initializer of then has the name of a value of the function": renamed(
            "k", "size"
        ),
        (
            "initializer-named-as-earlier-if-of-function: "
            "an initializer of then has the name of the preceding If's output"
        ): renamed("k", "first"),
    }.items():
        yield called.broken(case, edit)
