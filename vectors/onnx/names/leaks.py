"""Values defined in a branch stay inside; a function sees nothing of its caller, nor vice versa."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, branches, floats, model, replaced, says, vectors_of
from ifcert.authoring.models import Edit
from onnx import ModelProto, NodeProto

BODY = says("ir-function-body", note="its own graph: the caller's is not around it")

no_leak = vectors_of("onnx/if/no-leak", BODY, "ir-node-input")

X = floats(1, -2)

HELD = model("""
    held (bool cond, float[2] x) => (float[2] z) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[2] k = {10, 20}> { a = Add (x, k) },
            else_branch = else_graph () => (float[2] b) { n = Neg (x)  b = Add (n, n) }>
        z = Add (y, x)
    }""")

CALLED = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] z) <float[2] k = {10, 20}> {
        t = Neg (x)
        y = local.choose (cond, x, t)
        z = Add (y, k)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v, w) => (r) {
        size = Abs (v)
        r = If (c) <
            then_branch = then_graph () => (a) { a = Add (v, size) },
            else_branch = else_graph () => (b) <float[2] one = {1, 1}> { inside = Neg (w)  b = Add (inside, one) }>
    }""")

# The second call is in a branch of the main graph.
CALLED_IN_BRANCH = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { t = Neg (x)  a = local.plus (t, x) },
            else_branch = else_graph () => (float[2] b) { b = Abs (x) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    plus (v, w) => (r) { r = Add (v, w) }""")


def reads(node: str, operand: int, name: str) -> Edit:
    """The node that computes that value reads this name instead."""

    def edit(m: ModelProto) -> None:
        _maker(m, node).input[operand] = name

    return edit


def _maker(m: ModelProto, value: str) -> NodeProto:
    nodes = [*m.graph.node, *(node for function in m.functions for node in function.node)]
    while nodes:
        node = nodes.pop()
        if value in node.output:
            return node
        nodes += [inner for attribute in node.attribute for inner in attribute.g.node]
    raise ValueError(f"no node defines {value}")


def _branches() -> Iterator[Vector]:
    held = no_leak(
        "outputs-and-initializers-inside: then returns a value of its own, computed from an initializer of its own",
        HELD,
        branches({"x": X}, then={"z": floats(12, 16)}, else_={"z": -X}),
        why=[says("ir-outer-scope", note="not in inner ones"), "ir-node-input"],
    )
    for case, (node, name) in {
        (
            "main-reads-output-of-then: a node of the main graph reads the value that then returns, by its name in then"
        ): ("z", "a"),
        "main-reads-initializer-of-then: a node of the main graph reads an initializer of then": ("z", "k"),
        "else-reads-output-of-then: else reads the value that then returns": ("n", "a"),
        "else-reads-initializer-of-then: else reads an initializer of then": ("n", "k"),
    }.items():
        yield held.broken(case, reads(node, 0, name))


def _functions() -> Iterator[Vector]:
    called = no_leak(
        "function-reads-its-own: "
        "the branches in a function read its inputs, its values and their own; the caller reads its results",
        CALLED,
        branches({"x": X}, then={"z": floats(12, 20)}, else_={"z": floats(12, 19)}),
        also=["onnx/if/in-function"],
    )
    for case, (node, name) in {
        "branch-of-function-reads-caller-input: else, in the function, reads the caller's graph input": ("inside", "x"),
        "branch-of-function-reads-caller-value: else, in the function, reads a value of the caller": ("inside", "t"),
        "branch-of-function-reads-caller-initializer: then, in the function, reads the caller's initializer": (
            "a",
            "k",
        ),
        "function-reads-its-branch: a node of the function reads a value defined in its branch": ("size", "inside"),
        "caller-reads-function: a node of the caller reads a value defined in the function": ("z", "size"),
        "caller-reads-branch-of-function: a node of the caller reads a value defined in its branch": ("z", "inside"),
    }.items():
        yield called.broken(case, reads(node, 0, name))
    inside = no_leak(
        "function-called-in-branch: then calls a function with a value of its own",
        CALLED_IN_BRANCH,
        branches({"x": X}, then={"y": floats(0, 0)}, else_={"y": np.abs(X)}),
        also=["onnx/if/in-function"],
    )
    yield inside.broken(
        "function-reads-calling-branch: a function reads a value of the branch that calls it",
        replaced("r = Add (v, w)", "r = Add (t, w)"),
    )
