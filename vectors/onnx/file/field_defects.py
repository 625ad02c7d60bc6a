"""Models of defects found in the field that no other family covers."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, absent, branches, edited, else_of, floats, issue, model, says, some, then_of
from onnx import ModelProto

PER_GRAPH = says("ir-names-unique", note="of two graphs nothing is said")
NO_SHADOWING = says("ir-distinct-from-outer", note="a value that is made after the If is not")

X = floats(1, -2)

# Axes and bounds are attributes here; later opsets have turned them into inputs.
OLD_FORMS = model("""<opset_import: ["" : 9]>
    old_forms (bool cond, float[1,2,1] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                flat = Squeeze <axes = [0, 2]> (x)
                a = Neg (flat)
            },
            else_branch = else_graph () => (float[2] b) {
                sum = ReduceSum <axes = [2], keepdims = 0> (x)
                whole = Unsqueeze <axes = [0]> (sum)
                part = Slice <axes = [2], starts = [-2], ends = [2]> (whole)
                b = Squeeze <axes = [0, 1]> (part)
            }>
    }""")

# The main graph defines its v only later, with another type and rank than then's.
LATER = model("""
    later (bool cond, float[3] x) => (float[1] y, int64[2,1] v) <int64[1] one = {1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[1] a) <float[1] v> { v = ReduceSum (x)  a = Neg (v) },
            else_branch = else_graph () => (float[1] b) { b = ReduceMax (x) }>
        n = Cast <to = 7> (y)
        column = Unsqueeze (n, one)
        v = Concat <axis = 0> (column, column)
    }""")

# As above, but nothing in the branch declares the type of its t.
LATER_UNDECLARED = model("""
    later (bool cond, float[2] x) => (float[2] y, int64[2] t) {
        y = If (cond) <
            then_branch = then_graph () => (a) { t = Add (x, x)  a = Neg (t) },
            else_branch = else_graph () => (b) { b = Neg (x) }>
        t = Cast <to = 7> (y)
    }""")

HALVES = model("""
    halves (bool cond, float[4] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { s, t = Split (x)  a = Add (s, t) },
            else_branch = else_graph () => (float[2] b) { s, t = Split (x)  b = Sub (s, t) }>
    }""")

SYMBOLS = model("""
    symbols (bool cond, float[n] x) => (float[?] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[p] a) { a = Concat <axis = 0> (x, x) },
            else_branch = else_graph () => (float[q] b) { b = Neg (x) }>
    }""")

CONVOLUTION_OUTSIDE = model("""
    outside (bool cond, float[1,1,3] x) => (float[2] y) <float[1,1,2] w = {1, -1}> {
        steps = Conv (x, w)
        y = If (cond) <
            then_branch = then_graph () => (a) <int64[2] axes = {0, 1}> { a = Squeeze (steps, axes) },
            else_branch = else_graph () => (b) <int64[2] ones = {0, 1}> { c = Squeeze (steps, ones)  b = Neg (c) }>
    }""")

CONVOLUTION_INSIDE = model("""
    inside (bool cond, float[1,1,3] x) => (float[1,1,3] y)
    <float[1,1,1] w = {2}, float[1] bias = {1}, float[1,1,1] scale = {3}, float[1,1,1] shift = {-4}> {
        y = If (cond) <
            then_branch = then_graph () => (a) {
                c = Conv (x, w, bias)
                s = Mul (c, scale)
                a = Add (s, shift)
            },
            else_branch = else_graph () => (b) { b = Identity (x) }>
    }""")

OPTIONAL = model("""
    handed_on (bool cond, optional(float[2]) o) => (optional(float[2]) y) {
        y = If (cond) <
            then_branch = then_graph () => (optional(float[2]) o) {},
            else_branch = else_graph () => (optional(float[2]) b) { b = Optional <type = float[2]> () }>
    }""")


def same_node_names(m: ModelProto) -> None:
    """The nodes of both branches, and the If, have the same names."""
    m.graph.node[0].name = "join"
    for branch in (then_of(m), else_of(m)):
        for node, name in zip(branch.node, ("halve", "join"), strict=True):
            node.name = name


def vectors() -> Iterator[Vector]:
    x = floats(1, -2, 3)
    yield Vector(
        "onnx/if/shape-union/dim-param-in-each-branch",
        "then's output is declared [p], else's [q]; x has another length in each run",
        [
            "if-different-shapes",
            issue("microsoft/onnxruntime", 2024, "a result whose size is known late was allocated on the wrong device"),
        ],
        SYMBOLS,
        [
            Run({"cond": np.True_, "x": x}, {"y": floats(1, -2, 3, 1, -2, 3)}),
            Run({"cond": np.False_, "x": x}, {"y": -x}),
            Run({"cond": np.True_, "x": X}, {"y": floats(1, -2, 1, -2)}),
        ],
    )
    yield Vector(
        "onnx/if/output-is-outer-value/optional-graph-input",
        "then has no node and returns an optional of the main graph, which holds a value or none",
        [
            "ir-definition-and-use",
            issue("onnx/onnx", 3748, "the branch of an official test returns a value that none of its nodes computes"),
        ],
        OPTIONAL,
        [
            Run({"cond": np.True_, "o": some(X)}, {"y": some(X)}),
            Run({"cond": np.True_, "o": absent("tensor(float32)")}, {"y": absent("tensor(float32)")}),
            Run({"cond": np.False_, "o": some(X)}, {"y": absent("tensor(float32)")}),
        ],
        doubt=(
            "an output is a use and may refer to outer names; yet checkers require that a graph defines what it returns"
        ),
    )


def _names() -> Iterator[Vector]:
    yield Vector(
        "onnx/if/version-of-opset/operators-in-branches",
        "in opset 9 the operators within branches have the forms of opset 9 too: axes as attributes",
        ["ir-model-opset-import"],
        OLD_FORMS,
        branches({"x": X.reshape(1, 2, 1)}, then={"y": -X}, else_={"y": X}),
    )
    three = floats(1, -2, 5)
    yield Vector(
        "onnx/if/sibling-names-independent/outer-value-later-of-another-type",
        "after the If, the main graph computes an int64 of rank 2 with the name of a float of rank 1 in then",
        [PER_GRAPH, NO_SHADOWING, issue("onnx/onnx", 1635, "inner values were given the type of outer ones")],
        LATER,
        branches(
            {"x": three},
            then={"y": floats(-4), "v": np.int64([[-4], [-4]])},
            else_={"y": floats(5), "v": np.int64([[5], [5]])},
        ),
    )
    yield Vector(
        "onnx/if/sibling-names-independent/outer-value-later-of-another-type-undeclared",
        "as before, without declared types in the branches; the later value has the type of a graph output",
        [
            PER_GRAPH,
            NO_SHADOWING,
            "ir-subgraph-types",
            issue("onnx/onnx", 1635, "inner values were given the type of outer ones"),
        ],
        LATER_UNDECLARED,
        branches({"x": X}, then={"y": -2 * X, "t": np.int64([-2, 4])}, else_={"y": -X, "t": np.int64([-1, 2])}),
        about=["untyped-graphs"],
    )
    four = floats(1, 2, 10, 20)
    yield Vector(
        "onnx/if/sibling-names-independent/same-node-names",
        "the nodes of both branches and the If have the same names",
        [PER_GRAPH, issue("NVIDIA/TensorRT", 4739, "sibling branches with the same names of nodes failed to build")],
        edited(HALVES, same_node_names),
        branches({"x": four}, then={"y": floats(11, 22)}, else_={"y": floats(-9, -18)}),
    )


def _captures() -> Iterator[Vector]:
    x = np.float32([[[1, -2, 5]]])
    yield Vector(
        "onnx/if/outer-scope-capture/squeezed-convolution",
        "the branches squeeze the result of a Conv of the main graph, whose rank is not declared",
        ["ir-outer-scope", issue("tracel-ai/burn", 724, "a branch was built before the outer types were known")],
        CONVOLUTION_OUTSIDE,
        branches({"x": x}, then={"y": floats(3, -7)}, else_={"y": floats(-3, 7)}),
    )
    yield Vector(
        "onnx/if/outer-scope-capture/weights-of-convolution",
        "a Conv in then, with a Mul and an Add that can be fused into it, all on weights of the main graph",
        [
            "ir-outer-scope",
            issue(
                "microsoft/onnxruntime",
                9204,
                "a branch of a Conv and a BatchNormalization (here Mul, Add) was not loaded",
            ),
        ],
        CONVOLUTION_INSIDE,
        [
            # 3 (2x + 1) - 4
            Run({"cond": np.True_, "x": x}, {"y": np.float32([[[5, -13, 29]]])}),
            Run({"cond": np.False_, "x": x}, {"y": x}),
        ],
    )
