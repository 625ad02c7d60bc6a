"""Shapes known before any run that cannot fit: in the main graph, in bodies that run, in those that may not."""

from collections.abc import Callable, Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, says, vectors_of
from ifcert.authoring.models import add_initializer, attribute, edited, else_of, then_of
from onnx import GraphProto, ModelProto, numpy_helper

ELSE = says("if-else-branch-runs", "if-else-branch-outputs")

shapes_fit = vectors_of("onnx/model/shapes-fit", "operators-add-broadcasting")

OPEN = "no run reaches the node, which is known before any run; no text says that it may not be there"
X = floats(1, -2)
M = floats([1, -2, 3], [4, 5, -6])

# Both branches work on what the node computes from x.
AROUND = """
    fitting (bool cond, {x} x) => ({s} y) <{constants}> {{
        s = {node}
        y = If (cond) <
            then_branch = then_graph () => ({s} a) {{ a = Add (s, s) }},
            else_branch = else_graph () => ({s} b) {{ b = Neg (s) }}>
    }}"""

IN_BRANCHES = """
    choice ({inputs}float[2] x) => (float[2] y) <float[2] k = {{10, 20}}> {{
        {cond}
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {{ a = Add (x, k) }},
            else_branch = else_graph () => (float[2] b) {{ b = Sub (x, k) }}>
    }}"""
# ReduceSum would sum over all axes if there were no list of them.
AXES = model("""
    summing (float[2,2] x) => (float[2] y) {
        cond = Constant <value = bool {1}> ()
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <int64[1,1] k = {1}, int64[1] to = {1}> {
                axes = Reshape (k, to)
                a = ReduceSum <keepdims = 0> (x, axes)
            },
            else_branch = else_graph () => (float[2] b) { b = Constant <value = float[2] {10, 20}> () }>
    }""")
FED = model(IN_BRANCHES.format(inputs="bool cond, ", cond=""))
CONSTANT = model(IN_BRANCHES.format(inputs="", cond="cond = Constant <value = bool {1}> ()"))

CALLED = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) <float[2] k = {10, 20}> { y = local.choose (cond, x, k) }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v, w) => (r) {
        s = Add (v, w)
        r = If (c) <
            then_branch = then_graph () => (a) { a = Add (s, s) },
            else_branch = else_graph () => (b) { b = Neg (s) }>
    }""")

LOOPED = model("""
    looped (bool cond, float[2] x) => (float[2] y) <int64 trips = {2}, bool yes = {1}, float[2] k = {10, 20}> {
        y = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] r) {
                on_out = Identity (on)
                s = Add (x, k)
                r = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (v, s) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (v, s) }>
            }>
    }""")


def constant(name: str, value: np.ndarray) -> Callable[[ModelProto], None]:
    """An initializer of the main graph gets another value."""

    def edit(m: ModelProto) -> None:
        initializer = next(each for each in m.graph.initializer if each.name == name)
        initializer.CopyFrom(numpy_helper.from_array(value, name))

    return edit


def attribute_of_first(name: str, *numbers: int) -> Callable[[ModelProto], None]:
    """An attribute of the main graph's first node gets other numbers."""

    def edit(m: ModelProto) -> None:
        written = attribute(m.graph.node[0], name)
        if written.ints:
            written.ints[:] = numbers
        else:
            (written.i,) = numbers

    return edit


def _operators() -> Iterator[Vector]:
    """One node before the If, with operands that fit, and with one that does not."""
    three = floats(10, 20, 30)
    for case, (fault, why, node, constants, shape, of_x, edit) in {
        "add": (
            "[2] and [3] are added",
            "operators-add-broadcasting",
            "Add (x, k)",
            "float[2] k = {10, 20}",
            "float[2]",
            X + floats(10, 20),
            constant("k", three),
        ),
        "where": (
            "booleans of shape [2] select from [2] and [3]",
            "operators-where-broadcasting",
            "Where (which, x, k)",
            "bool[2] which = {1, 0}, float[2] k = {10, 20}",
            "float[2]",
            floats(1, 20),
            constant("k", three),
        ),
        "concat": (
            "[2, 3] and [1, 2] are joined along axis 0",
            "operators-concat-same-shape",
            "Concat <axis = 0> (x, k)",
            "float[1, 3] k = {7, 8, 9}",
            "float[3, 3]",
            np.concatenate([M, floats([7, 8, 9])]),
            constant("k", floats([7, 8])),
        ),
        "matmul": (
            "[2, 3] is multiplied by [2, 2]",
            "operators-matmul",
            "MatMul (x, k)",
            "float[3, 2] k = {1, 0, 0, 1, 0, 0}",
            "float[2, 2]",
            M[:, :2],
            constant("k", floats([1, 0], [0, 1])),
        ),
        "gemm-addend": (
            "C of [3] is added to a product of [2, 2]",
            "operators-gemm-addend",
            "Gemm (x, k, c)",
            "float[3, 2] k = {1, 0, 0, 1, 0, 0}, float[2] c = {10, 20}",
            "float[2, 2]",
            M[:, :2] + floats(10, 20),
            constant("c", three),
        ),
        "reduced-axis": (
            "axis 2 of [2, 3] is summed over",
            "operators-reduce-sum-axes",
            "ReduceSum <keepdims = 0> (x, axes)",
            "int64[1] axes = {1}",
            "float[2]",
            floats(2, 3),
            constant("axes", np.int64([2])),
        ),
        "reshape": (
            "six elements are reshaped to [2, 2]",
            "operators-reshape-elements",
            "Reshape (x, to)",
            "int64[2] to = {3, 2}",
            "float[3, 2]",
            M.reshape(3, 2),
            constant("to", np.int64([2, 2])),
        ),
        "transpose": (
            "perm has three axes for an operand of two",
            "operators-transpose-perm",
            "Transpose <perm = [1, 0]> (x)",
            "",
            "float[3, 2]",
            M.T,
            attribute_of_first("perm", 1, 0, 2),
        ),
        "squeezed-dim": (
            "axis 1 of [1, 2] is squeezed",
            "operators-squeeze-axis",
            "Squeeze (x, axes)",
            "int64[1] axes = {0}",
            "float[2]",
            X,
            constant("axes", np.int64([1])),
        ),
        "gathered-axis": (
            "elements along axis 1 of a list are gathered",
            "operators-gather-axis-range",
            "Gather <axis = 0> (x, at)",
            "int64[2] at = {1, 0}",
            "float[2]",
            X[::-1].copy(),
            attribute_of_first("axis", 1),
        ),
        "expanded": (
            "[2, 3] is expanded to [2, 2]",
            "operators-expand-dims",
            "Expand (x, to)",
            "int64[2] to = {1, 3}",
            "float[2, 3]",
            M,
            constant("to", np.int64([2, 2])),
        ),
    }.items():
        x = {"add": X, "where": X, "gathered-axis": X, "squeezed-dim": X[None]}.get(case, M)
        text = AROUND.format(x=f"float[{', '.join(map(str, x.shape))}]", s=shape, node=node, constants=constants)
        right = shapes_fit(
            f"{case}-fits: {node.split()[0]} before the If, with operands that fit",
            model(text.replace("<>", "")),
            branches({"x": x}, then={"y": of_x + of_x}, else_={"y": -of_x}),
            why=[why],
        )
        yield right.broken(f"{case}: {fault}, before the If", edit)


def _bodies() -> Iterator[Vector]:
    """Bodies that each run enters."""
    taken = shapes_fit(
        "in-taken-branch-fits: cond is a constant, and its branch adds [2] to [2]",
        CONSTANT,
        Run({"x": X}, {"y": X + floats(10, 20)}),
    )
    yield taken.broken("in-taken-branch: cond is a constant, and its branch adds [2] and [3]", then_adds_three)
    called = shapes_fit(
        "in-function-fits: a function adds the two results of its call: [2] and [2]",
        CALLED,
        branches({"x": X}, then={"y": floats(22, 36)}, else_={"y": floats(-11, -18)}),
    )
    three = floats(10, 20, 30)
    yield called.broken("in-function: a function adds the two results of its call: [2] and [3]", constant("k", three))
    looped = shapes_fit(
        "in-loop-fits: the body of a Loop of two trips adds [2] to [2]",
        LOOPED,
        branches({"x": X}, then={"y": X + 2 * floats(11, 18)}, else_={"y": X - 2 * floats(11, 18)}),
    )
    yield looped.broken("in-loop: the body of a Loop of two trips adds [2] and [3]", constant("k", three))
    square = floats([1, -2], [3, 4])
    axes = shapes_fit(
        "axes-in-taken-branch-fit: "
        "cond is a constant, and its branch reshapes a constant of one number to a list of one axis",
        AXES,
        Run({"x": square}, {"y": floats(-1, 7)}),
        why=["operators-reshape-elements"],
    )
    yield axes.broken(
        "axes-in-taken-branch: "
        "cond is a constant, and its branch reshapes a constant of two numbers to a list of one axis",
        then_stores_two_axes,
    )


def _not_taken() -> Iterator[Vector]:
    """The same fault where no run reaches it."""
    yield shapes_fit(
        "in-branch-never-taken: cond is a constant, and the other branch subtracts [3] from [2]",
        edited(CONSTANT, else_subtracts_three),
        Run({"x": X}, {"y": X + floats(10, 20)}),
        why=["operators-add-broadcasting", ELSE],
        doubt=OPEN,
    )
    yield shapes_fit(
        "in-branch-not-taken: cond is fed, and the branch that it does not select subtracts [3] from [2]",
        edited(FED, else_subtracts_three),
        Run({"cond": np.True_, "x": X}, {"y": X + floats(10, 20)}),
        why=["operators-add-broadcasting", ELSE],
        doubt=OPEN,
    )


def then_stores_two_axes(m: ModelProto) -> None:
    then_of(m).initializer[0].CopyFrom(numpy_helper.from_array(np.int64([[1], [0]]), "k"))


def then_adds_three(m: ModelProto) -> None:
    _takes_three(then_of(m))


def else_subtracts_three(m: ModelProto) -> None:
    """The else_branch subtracts a constant of [3]."""
    _takes_three(else_of(m))


def _takes_three(branch: GraphProto) -> None:
    add_initializer(branch, "three", floats(10, 20, 30))
    branch.node[0].input[1] = "three"
