"""The outputs are those of the branch that cond selects; the other branch has no effect."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, ints, issue, model, replaced, vectors_of

else_when_false = vectors_of("onnx/if/else-when-false")
then_when_true = vectors_of("onnx/if/then-when-true")
only_taken_branch_runs = vectors_of("onnx/if/only-taken-branch-runs")

CONSTANTS = model("""<opset_import: ["" : 13]>
    choice (bool cond) => (float[2] res) {
        res = If (cond) <
            then_branch = then_graph () => (float[2] then_out) { then_out = Constant <value = float[2] {1, 2}> () },
            else_branch = else_graph () => (float[2] else_out) { else_out = Constant <value = float[2] {3, 4}> () }>
    }""")

# The attributes' names decide, not their order in the file.
ELSE_FIRST = model("""<opset_import: ["" : 13]>
    choice (bool cond, int64[3] x) => (int64[3] y) {
        y = If (cond) <
            else_branch = negated () => (int64[3] b) { b = Neg (x) },
            then_branch = doubled () => (int64[3] a) { a = Add (x, x) }>
    }""")

# The same in a function, in a branch, and in the body of a Loop.
ELSE_FIRST_IN_FUNCTION = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) { y = local.choose (cond, x) }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        r = If (c) <
            else_branch = negated () => (float[2] b) { b = Neg (v) },
            then_branch = doubled () => (float[2] a) { a = Add (v, v) }>
    }""")

ELSE_FIRST_IN_BRANCH = model("""
    nested (bool cond, bool on, float[2] x) => (float[2] y) {
        y = If (cond) <
            else_branch = sizes () => (float[2] d) { d = Abs (x) },
            then_branch = chosen () => (float[2] c) {
                c = If (on) <
                    else_branch = negated () => (float[2] b) { b = Neg (x) },
                    then_branch = doubled () => (float[2] a) { a = Add (x, x) }>
            }>
    }""")

ELSE_FIRST_IN_LOOP = model("""
    looped (bool cond, int64 trips, bool yes, float[2] x) => (float[2] y) {
        y = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] w) {
                on_out = Identity (on)
                w = If (cond) <
                    else_branch = negated () => (float[2] b) { b = Neg (v) },
                    then_branch = doubled () => (float[2] a) { a = Add (v, v) }>
            }>
    }""")

GATHER = model("""<opset_import: ["" : 13]>
    guarded (bool cond, float[3] x, int64[1] i) => (float[1] y) {
        y = If (cond) <
            then_branch = picked () => (float[1] a) { a = Gather (x, i) },
            else_branch = given () => (float[1] b) { b = Constant <value = float[1] {-7}> () }>
    }""")

RESHAPE = model("""<opset_import: ["" : 13]>
    guarded (bool cond, float[6] x, int64[2] shape) => (float[?,?] y) {
        y = If (cond) <
            then_branch = given () => (float[1,1] a) { a = Constant <value = float[1,1] {5}> () },
            else_branch = reshaped () => (b) { b = Reshape (x, shape) }>
    }""")

DIVIDE = model("""<opset_import: ["" : 14]>
    guarded (bool cond, int32[2] x, int32[2] d) => (int32[2] y) {
        y = If (cond) <
            then_branch = quotient () => (int32[2] a) { a = Div (x, d) },
            else_branch = same () => (int32[2] b) { b = Identity (x) }>
    }""")

# A scalar has no axis 0; a value reshaped to a vector does. The run decides which it is.
AXIS = model("""<opset_import: ["" : 13]>
    guarded (float[1] x, int64[n] to) => (float[?] z) <int64 zero = {0}, int64[1] axis = {0}, int64[1] one = {1}> {
        v = Reshape (x, to)
        dims = Shape (v)
        rank = Size (dims)
        scalar = Equal (rank, zero)
        y = If (scalar) <
            then_branch = same () => (a) { a = Identity (v) },
            else_branch = summed () => (b) { b = ReduceSum (v, axis) }>
        z = Reshape (y, one)
    }""")

STATIC_AXIS = model("""<opset_import: ["" : 13]>
    guarded (bool cond, float x) => (float y) <int64[1] axis = {0}> {
        y = If (cond) <
            then_branch = negated () => (float a) { a = Neg (x) },
            else_branch = summed () => (b) { b = ReduceSum <keepdims = 0> (x, axis) }>
    }""")

TYPED = model("""<opset_import: ["" : 13]>
    typed (bool cond, float[2] x, int64[2] i) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) { c = Cast <to = 1> (i)  b = Add (x, c) }>
    }""")


def vectors() -> Iterator[Vector]:
    yield then_when_true(
        "test-cc-if: cond true returns then's [1, 2]",
        CONSTANTS,
        Run({"cond": np.True_}, {"res": floats(1, 2)}),
        why=[
            "if-13-example-then",
            "if-then-branch-runs",
            issue("opencv/opencv", 27508, "one of two engines had no If"),
        ],
    )
    yield else_when_false(
        "test-cc-if-else: cond false returns else's [3, 4]",
        CONSTANTS,
        Run({"cond": np.False_}, {"res": floats(3, 4)}),
        why=["if-13-example-else", "if-else-branch-runs"],
    )
    x = np.int64([1, -2, 3])
    yield then_when_true(
        "else-first-in-file: cond true selects then_branch, though else_branch is first in the file",
        ELSE_FIRST,
        Run({"cond": np.True_, "x": x}, {"y": x + x}),
        why=["if-then-branch-runs"],
    )
    yield else_when_false(
        "else-first-in-file: cond false selects else_branch, though it is first in the file",
        ELSE_FIRST,
        Run({"cond": np.False_, "x": x}, {"y": -x}),
        why=["if-else-branch-runs"],
    )
    yield from _else_first(floats(1, -2))


def _else_first(x: np.ndarray) -> Iterator[Vector]:
    """Ifs in other places, whose else_branch is first in the file."""
    on, off = np.True_, np.False_
    for place, (where, made, runs) in {
        "function": (
            "a function",
            ELSE_FIRST_IN_FUNCTION,
            [Run({"cond": on, "x": x}, {"y": x + x}), Run({"cond": off, "x": x}, {"y": -x})],
        ),
        "branch": (
            "a branch, as in the If around it",
            ELSE_FIRST_IN_BRANCH,
            [
                Run({"cond": on, "on": on, "x": x}, {"y": x + x}),
                Run({"cond": on, "on": off, "x": x}, {"y": -x}),
                Run({"cond": off, "on": on, "x": x}, {"y": np.abs(x)}),
            ],
        ),
        "loop-body": (
            "the body of a Loop",
            ELSE_FIRST_IN_LOOP,
            [
                Run({"cond": on, "trips": np.int64(2), "yes": on, "x": x}, {"y": 4 * x}),
                Run({"cond": off, "trips": np.int64(1), "yes": on, "x": x}, {"y": -x}),
            ],
        ),
    }.items():
        yield then_when_true(
            f"else-first-in-{place}: else_branch is first in the file, in {where}",
            made,
            runs,
            why=["if-then-branch-runs", "if-else-branch-runs"],
            also=["onnx/if/else-when-false"],
        )


def _untaken() -> Iterator[Vector]:
    why = ["if-then-branch-runs", "if-else-branch-runs"]
    three, one = floats(10, 20, 30), floats(-7)
    yield only_taken_branch_runs(
        "gather-out-of-range: the untaken branch would gather element 99 of three",
        GATHER,
        Run({"cond": np.True_, "x": three, "i": np.int64([2])}, {"y": floats(30)}),
        Run({"cond": np.False_, "x": three, "i": np.int64([99])}, {"y": one}),
        why=[*why, issue("onnxruntime/onnxruntime-qnn", 409, "both branches were run and one result selected")],
    )
    yield only_taken_branch_runs(
        "reshape-does-not-fit: the untaken branch would reshape six elements to four",
        RESHAPE,
        Run(
            {"cond": np.False_, "x": np.float32(range(6)), "shape": np.int64([2, 3])},
            {"y": floats([0, 1, 2], [3, 4, 5])},
        ),
        Run({"cond": np.True_, "x": np.float32(range(6)), "shape": np.int64([2, 2])}, {"y": floats([5])}),
        why=[*why, issue("onnx/onnx", 4986, "a branch that is not taken made the model fail")],
    )
    numbers = ints(6, -8)
    yield only_taken_branch_runs(
        "integer-division-by-zero: the untaken branch would divide integers by zero",
        DIVIDE,
        Run({"cond": np.True_, "x": numbers, "d": ints(3, 2)}, {"y": ints(2, -4)}),
        Run({"cond": np.False_, "x": numbers, "d": ints(0, 0)}, {"y": numbers}),
        why=[*why, issue("PINTO0309/onnx2tf", 58, "both branches were built before one was selected")],
    )
    v = floats(7)
    yield only_taken_branch_runs(
        "axis-out-of-range: the untaken branch would sum over axis 0 of a value that is a scalar in this run",
        AXIS,
        [Run({"x": v, "to": np.zeros(0, np.int64)}, {"z": v}), Run({"x": v, "to": np.int64([1])}, {"z": v})],
        why=[*why, issue("onnx/onnx", 4986, "inference ran the untaken branch and refused the model")],
    )
    yield only_taken_branch_runs(
        "axis-out-of-range-of-declared-scalar: "
        "the untaken branch would sum over axis 0 of a value that is declared a scalar",
        STATIC_AXIS,
        Run({"cond": np.True_, "x": np.float32(7)}, {"y": np.float32(-7)}),
        why=[*why, issue("onnx/onnx", 4986, "inference ran the untaken branch and refused the model")],
        doubt="the branch can never run, which is known before any run; no text says that it may not be there",
    )


def _untaken_and_invalid() -> Iterator[Vector]:
    x, i = floats(1, -2), np.int64([3, 4])
    typed = only_taken_branch_runs(
        "untaken-branch-is-valid: only then runs; else, which never does, is valid",
        TYPED,
        Run({"cond": np.True_, "x": x, "i": i}, {"y": -x}),
        why=["if-then-branch-runs", "if-else-branch-runs"],
    )
    yield typed.broken(
        "untaken-branch-adds-two-types: only then runs; else adds float and int64",
        replaced("b = Add (x, c)", "b = Add (x, i)"),
        why=["operators-add-same-type", "if-else-branch-runs"],
    )
    yield typed.broken(
        "untaken-branch-reads-nothing: only then runs; else reads a name that is not defined",
        replaced("b = Add (x, c)", "b = Add (x, absent)"),
        why=["ir-node-input", "if-else-branch-runs"],
    )
    other = typed.varied(
        "untaken-then-is-valid: only else runs; then, which never does, is valid",
        runs=[Run({"cond": np.False_, "x": x, "i": i}, {"y": floats(4, 2)})],
    )
    yield other.broken(
        "untaken-then-has-no-such-operator: only else runs; then has an operator that the opset does not have",
        replaced("a = Neg (x)", "a = Negg (x)"),
        why=["ir-operators-declared"],
    )
