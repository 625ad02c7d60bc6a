"""One name in graphs that do not see each other, and in unrelated namespaces."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, edited, else_of, floats, issue, model, says, then_of, vectors_of
from onnx import ModelProto

PER_GRAPH = says("ir-names-unique", note="of two graphs nothing is said")

NO_SHADOWING = says("ir-distinct-from-outer", note="what another branch makes is not")

NONE_OF_ANOTHER = issue(
    "onnx/onnx-mlir", 1009, "what stands for an omitted operand was made in one body and read in the next"
)

sibling_names_independent = vectors_of("onnx/if/sibling-names-independent", PER_GRAPH, "ir-left-out", NONE_OF_ANOTHER)

X = floats(1, -2)
FIVE = floats(1, 2, 30, 40, 500)

# The Slices leave out their axes and give their steps, in each graph.
LEFT_OUT = model("""
    omitted (bool cond, float[5] x) => (float[3] y, float[3] z)
    <int64[1] zero = {0}, int64[1] five = {5}, int64[1] two = {2}, int64[1] four = {4}, int64[1] far = {-9},
    int64[1] back = {-2}> {
        y = If (cond) <
            then_branch = then_graph () => (float[3] a) { t = Slice (x, zero, five, , two)  a = Neg (t) },
            else_branch = else_graph () => (float[3] b) { b = Slice (x, four, far, , back) }>
        w = Slice (x, zero, five, , two)
        z = Mul (w, y)
    }""")

LEFT_OUT_IN_LOOPS = model("""
    omitted (bool cond, int64 trips, float[5] x) => (float[5] y, float[5] z)
    <bool yes = {1}, int64[1] zero = {0}, int64[1] five = {5}, int64[1] one = {1}, int64[1] four = {4},
    int64[1] far = {-9}, int64[1] back = {-1}> {
        y = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[5] v) => (bool on_out, float[5] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (float[5] a) { a = Slice (v, four, far, , back) },
                    else_branch = else_graph () => (float[5] b) { b = Neg (v) }>
            }>
        z = Loop (trips, yes, x) <
            body = other_step (int64 i, bool on, float[5] v) => (bool on_out, float[5] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = other_then () => (float[5] a) { a = Neg (v) },
                    else_branch = other_else () => (float[5] b) { b = Slice (v, four, far, , back) }>
            }>
    }""")

OTHER_TYPES = model("""
    types (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) <int64[2] t, int64[2] k = {1, 2}> {
                t = Add (k, k)
                f = Cast <to = 1> (t)
                a = Add (f, x)
            },
            else_branch = else_graph () => (b) <float[1,2] t, float[1] k = {5}> {
                axis = Constant <value = int64[1] {0}> ()
                t = Unsqueeze (x, axis)
                f = Mul (t, k)
                b = Squeeze (f, axis)
            }>
    }""")

# The Ifs within the two branches have branches with the same names and different nodes.
NESTED = model("""
    nested (bool p, bool q, float[2] x) => (float[2] y) {
        y = If (p) <
            then_branch = outer_then () => (s) <float[2] k = {1, 3}> {
                s = If (q) <
                    then_branch = one () => (t) { m = Add (x, k)  t = Neg (m) },
                    else_branch = two () => (t) { m = Mul (x, k)  t = Abs (m) }>
            },
            else_branch = outer_else () => (s) <float[2] k = {10, 20}> {
                s = If (q) <
                    then_branch = three () => (t) { m = Sub (x, k)  t = Neg (m) },
                    else_branch = four () => (t) { m = Add (k, k)  t = Abs (m) }>
            }>
    }""")

# An initializer's name in the first If's then is a node's output in the second's, and an input of the Loop's body.
LATER_KINDS = model("""
    later (bool cond, float[2] x) => (float[2] last) <int64 trips = {2}, bool yes = {1}> {
        y = If (cond) <
            then_branch = one () => (a) <float[2] k = {10, 20}> { a = Add (x, k) },
            else_branch = two () => (b) { b = Neg (x) }>
        z = If (cond) <
            then_branch = three () => (a) { k = Add (y, y)  a = Neg (k) },
            else_branch = four () => (b) <float[2] a = {1, 2}> { b = Add (y, a) }>
        last = Loop (trips, yes, z) <
            body = step (int64 i, bool on, float[2] k) => (bool on_out, float[2] a) {
                on_out = Identity (on)
                a = Add (k, x)
            }>
    }""")

# The later t does not depend on the If: another order of the nodes would be topological too.
LATER_AND_FREE = model("""
    later (bool cond, float[2] x) => (float[2] z) {
        q = Neg (x)
        y = If (cond) <
            then_branch = then_graph () => (a) { t = Add (q, x)  a = Neg (t) },
            else_branch = else_graph () => (b) { b = Abs (x) }>
        t = Neg (q)
        z = Sub (t, y)
    }""")

# A dim, a graph, a node and a value may all be called n; a value may have the name of an operator or an attribute.
NAMESPACE = model("""
    n (bool then_branch, float[n] If) => (float[n] y) {
        y = If (then_branch) <
            then_branch = Neg () => (float[n] Add) { n = Neg (If)  Add = Add (n, n) },
            else_branch = x () => (float[n] value) { value = Identity (If) }>
    }""")

# The branches' graphs have the names of an input and of a computed value, which their nodes read.
GRAPHS_LIKE_VALUES = model("""
    named (bool cond, float[2] x) => (float[2] y) {
        t = Abs (x)
        y = If (cond) <
            then_branch = x () => (float[2] a) { a = Add (x, t) },
            else_branch = t () => (float[2] b) { b = Sub (x, t) }>
    }""")


def nodes_named_as_values(m: ModelProto) -> None:
    """The nodes have names that values also have."""
    m.graph.node[0].name = "y"
    then_of(m).node[0].name, then_of(m).node[1].name = "Add", "n"
    else_of(m).node[0].name = "If"


# The Loop's output y is not visible in its body, where another value is called y.
LOOP_OUTPUT = model("""
    looped (bool cond, float[2] x) => (float[2] y) <int64 trips = {2}, bool yes = {1}> {
        y = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] y) {
                on_out = Identity (on)
                y = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (v, v) },
                    else_branch = else_graph () => (float[2] b) { b = Neg (v) }>
            }>
    }""")


def vectors() -> Iterator[Vector]:
    yield sibling_names_independent(
        "other-types-and-shapes: both branches have values t, k and f, of other types, shapes and kinds",
        OTHER_TYPES,
        branches({"x": X}, then={"y": floats(3, 2)}, else_={"y": 5 * X}),
        why=[PER_GRAPH, issue("onnx/onnx", 1635, "types of one scope's values were assigned to another's")],
    )
    even, back = FIVE[::2], FIVE[::-2]
    yield sibling_names_independent(
        "operand-left-out-in-each: each branch and the main graph have a Slice that omits an operand in the middle",
        LEFT_OUT,
        branches(
            {"x": FIVE},
            then={"y": -even, "z": floats(-1, -900, -250000)},
            else_={"y": back, "z": floats(500, 900, 500)},
        ),
        about=["absent-operands"],
    )
    yield sibling_names_independent(
        "operand-left-out-in-two-loops: "
        "in the bodies of two Loops, a branch of an If has a Slice that omits an operand in the middle",
        LEFT_OUT_IN_LOOPS,
        Run({"cond": np.True_, "trips": np.int64(3), "x": FIVE}, {"y": FIVE[::-1], "z": -FIVE}),
        Run({"cond": np.False_, "trips": np.int64(1), "x": FIVE}, {"y": -FIVE, "z": FIVE[::-1]}),
        Run({"cond": np.True_, "trips": np.int64(2), "x": FIVE}, {"y": FIVE, "z": FIVE}),
        also=["onnx/if/in-loop"],
        about=["absent-operands"],
    )
    yield sibling_names_independent(
        "nested-siblings: each branch holds an If; the four branches below have the same names, their captures too",
        NESTED,
        Run({"p": np.True_, "q": np.True_, "x": X}, {"y": floats(-2, -1)}),
        Run({"p": np.True_, "q": np.False_, "x": X}, {"y": floats(1, 6)}),
        Run({"p": np.False_, "q": np.True_, "x": X}, {"y": floats(9, 22)}),
        Run({"p": np.False_, "q": np.False_, "x": X}, {"y": floats(20, 40)}),
        why=[PER_GRAPH, NO_SHADOWING],
        also=["onnx/if/nesting"],
    )
    yield sibling_names_independent(
        "loop-body-has-the-loops-output: "
        "a Loop's body returns an If's result under the name that the Loop's own output has",
        LOOP_OUTPUT,
        branches({"x": X}, then={"y": 4 * X}, else_={"y": X}),
        why=[PER_GRAPH, says("ir-distinct-from-outer", note="what the Loop itself makes is not")],
        also=["onnx/if/in-loop"],
    )
    yield sibling_names_independent(
        "other-kinds-later: "
        "the name of a branch's initializer is a node's output in a later If, and a carried value in a later Loop",
        LATER_KINDS,
        # -2 (x + k) + 2x = -2k
        Run({"cond": np.True_, "x": X}, {"last": floats(-20, -40)}),
        # -x + [1, 2] + 2x
        Run({"cond": np.False_, "x": X}, {"last": floats(2, 0)}),
        why=[PER_GRAPH, NO_SHADOWING],
    )
    yield sibling_names_independent(
        "outer-value-later-independent-of-the-if: "
        "after the If, the main graph computes a value with the name of one in then, not from the If's result",
        LATER_AND_FREE,
        branches({"x": X}, then={"z": X}, else_={"z": floats(0, -4)}),
        why=["ir-graph-sorted", NO_SHADOWING],
        doubt="no sentence says whether a branch sees the values before it in the list or those that it depends on",
    )
    yield sibling_names_independent(
        "graphs-named-like-visible-values: the graphs of the branches have the names of values that both branches read",
        GRAPHS_LIKE_VALUES,
        branches({"x": X}, then={"y": X + np.abs(X)}, else_={"y": X - np.abs(X)}),
        why=["ir-names-six-namespaces"],
    )
    yield sibling_names_independent(
        "other-namespaces: values, graphs, nodes, operators, attributes and dims share names",
        edited(NAMESPACE, nodes_named_as_values),
        branches({"If": X}, then={"y": -2 * X}, else_={"y": X}, cond="then_branch"),
        why=["ir-names-six-namespaces"],
    )
