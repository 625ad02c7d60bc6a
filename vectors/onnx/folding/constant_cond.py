"""A cond known at load may be folded away; the results stay the same."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, replaced, says, vectors_of
from onnx import ModelProto

SINGLE = says("if-cond-single-element", note="constant or not")
COND = says("if-cond", note="of a constant one nothing else is said")

constant_cond_same_result = vectors_of(
    "onnx/if/constant-cond-same-result",
    COND,
    "ir-runtime-agnostic",
    issue("microsoft/onnxscript", 2810, "folding dropped the initializers of the branch"),
)


def if_branches(place: str) -> str:
    """Branches with initializers and captures; the name of each graph comes from its place in the model."""
    return f"""<
            then_branch = then_{place} () => (a) <int64[1] axes = {{0}}, float[2] k = {{10, 20}}> {{
                flat = Squeeze (x, axes)
                a = Add (flat, k)
            }},
            else_branch = else_{place} () => (b) <float[2] k = {{-1, 2}}> {{
                flat = ReduceSum <keepdims = 0> (x, axis)
                b = Mul (flat, k)
            }}>"""


def by_constant(value: int) -> ModelProto:
    """y is under a cond that is fed, z under a Constant."""
    return model(f"""
        pair (bool cond, float[1,2] x) => (float[2] y, float[2] z) <int64[1] axis = {{0}}> {{
            y = If (cond) {if_branches("fed")}
            fixed = Constant <value = bool {{{value}}}> ()
            z = If (fixed) {if_branches("fixed")}
        }}""")


def by_initializer(value: int) -> ModelProto:
    """z is under an initializer."""
    return model(f"""
        stored (float[1,2] x) => (float[2] z) <int64[1] axis = {{0}}, bool fixed = {{{value}}}> {{
            z = If (fixed) {if_branches("fixed")}
        }}""")


def by_computation(value: int) -> ModelProto:
    """z is under a comparison of two initializers."""
    return model(f"""
        computed (float[1,2] x) => (float[2] z)
        <int64[1] axis = {{0}}, int64 left = {{{value}}}, int64 right = {{1}}> {{
            fixed = Equal (left, right)
            z = If (fixed) {if_branches("fixed")}
        }}""")


# The branches use the same names, which must not clash when both are moved into the main graph.
SAME_NAMES = model("""
    names (float[2] x) => (float[2] y, float[2] z) <float[2] k = {1, 1}> {
        yes = Constant <value = bool {1}> ()
        no = Constant <value = bool {0}> ()
        y = If (yes) <
            then_branch = then_one () => (out) <float[2] w = {2, 3}> { t = Add (x, w)  out = Mul (t, t) },
            else_branch = else_one () => (out) { out = Neg (x) }>
        z = If (no) <
            then_branch = then_two () => (out) { out = Neg (x) },
            else_branch = else_two () => (out) <float[2] w = {5, 7}> { t = Sub (x, w)  out = Add (t, k) }>
    }""")

NESTED = model("""
    nested (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) {
                yes = Constant <value = bool {1}> ()
                a = If (yes) <
                    then_branch = deep_then () => (c) <float[2] w = {2, 3}> { t = Add (x, w)  c = Neg (t) },
                    else_branch = deep_else () => (d) { d = Identity (x) }>
            },
            else_branch = else_graph () => (b) <float[2] w = {5, 7}> { t = Add (x, w)  b = Identity (t) }>
    }""")

# The branch that is always taken returns a constant of another shape than the other.
OTHER_SHAPE = model("""
    shapes (float[2] x) => (float[?] z) {
        no = Constant <value = bool[1] {0}> ()
        y = If (no) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[3] b) <float[3] b = {7, 8, 9}> {}>
        z = Identity (y)
    }""")

# Slice's axes are left out, and its steps are not.
LEFT_OUT = model("""
    left_out (float[4] x) => (float[?] z) <int64[1] start = {3}, int64[1] end = {-5}, int64[1] step = {-2}> {
        yes = Constant <value = bool {1}> ()
        z = If (yes) <
            then_branch = then_graph () => (a) { t = Slice (x, start, end, "", step)  a = Neg (t) },
            else_branch = else_graph () => (b) { b = Identity (x) }>
    }""")

HANDED_ON = model("""
    handed_on (float[2] x) => (float[2] y, float[2] z) {
        yes = Constant <value = bool {1}> ()
        y = If (yes) <
            then_branch = then_graph () => (a) { a = Identity (x) },
            else_branch = else_graph () => (b) { b = Neg (x) }>
        z = Add (y, x)
    }""")

IN_FUNCTION = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (float[2] x) => (float[2] y, float[2] z) {
        yes = Constant <value = bool {1}> ()
        no = Constant <value = bool {0}> ()
        y = local.choose (yes, x)
        z = local.choose (no, x)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) <float[2] k = {10, 20}> { t = Add (v, k)  a = Neg (t) },
            else_branch = else_graph () => (b) <float[2] k = {1, 2}> { t = Mul (v, k)  b = Abs (t) }>
    }""")

IN_LOOP = model("""
    looped (int64 trips, float[2] x) => (float[2] final) <bool yes = {1}, float[2] k = {10, 20}> {
        final = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                fixed = Constant <value = bool {0}> ()
                v_out = If (fixed) <
                    then_branch = then_graph () => (a) { a = Neg (v) },
                    else_branch = else_graph () => (b) <float[2] w = {1, 2}> { t = Add (v, k)  b = Sub (t, w) }>
            }>
    }""")

# The branch that is always taken has an If of its own, under a cond that is fed; so has the other.
HOLDS_IF = model("""
    holds_if (bool cond, float[2] x) => (float[2] y) <bool fixed = {1}> {
        y = If (fixed) <
            then_branch = then_graph () => (a) <float[2] w = {1, 3}> {
                t = Add (x, w)
                a = If (cond) <
                    then_branch = deep_then () => (c) { c = Add (t, w) },
                    else_branch = deep_else () => (d) { d = Neg (t) }>
            },
            else_branch = else_graph () => (b) <float[2] w = {5, 6}> {
                t = Mul (x, w)
                b = If (cond) <
                    then_branch = other_then () => (c) { c = Abs (t) },
                    else_branch = other_else () => (d) { d = Sub (t, w) }>
            }>
    }""")

ALONE = """
    alone () => (float[2] y) <bool c = {{{yes}}}> {{
        y = If (c) <
            then_branch = then_graph () => (float[2] a) {{ a = Constant <value = float[2] {{1, 2}}> () }},
            else_branch = else_graph () => (float[2] b) {{ b = Constant <value = float[2] {{3, 4}}> () }}>
    }}"""

ALONE_NESTED = model("""
    alone () => (float[2] y, float[2] z) <float[2] k = {10, 20}, float[2] one = {1, 2}> {
        c = Constant <value = bool {1}> ()
        n = Not (c)
        y = If (c) <
            then_branch = then_graph () => (float[2] a) {
                s = Add (k, one)
                a = If (n) <
                    then_branch = deep_then () => (float[2] d) { d = Neg (k) },
                    else_branch = deep_else () => (float[2] e) { e = Identity (s) }>
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (one) }>
        z = Neg (y)
    }""")


def vectors() -> Iterator[Vector]:
    x = floats([1, -2])
    results = {1: floats(11, 18), 0: floats(-1, -4)}
    for value, name in ((1, "true"), (0, "false")):
        same = results[value]
        constant = constant_cond_same_result(
            f"constant-{name}: "
            f"cond as a Constant {name} returns what cond fed {name} returns; initializers and captures are used",
            by_constant(value),
            Run({"cond": np.bool_(value), "x": x}, {"y": same, "z": same}),
            Run({"cond": np.bool_(1 - value), "x": x}, {"y": results[1 - value], "z": same}),
        )
        yield constant
        initializer = constant_cond_same_result(
            f"initializer-{name}: cond as an initializer {name}", by_initializer(value), Run({"x": x}, {"z": same})
        )
        yield initializer
        if value:
            yield constant.broken(
                "constant-length-two: cond is a Constant [True, False]",
                replaced(
                    "fixed = Constant <value = bool {1}> ()", "fixed = Constant <value = bool [2] fixed {1, 0}> ()"
                ),
                why=[SINGLE, "ir-runtime-agnostic"],
            )
            yield initializer.broken(
                "initializer-of-no-element: cond is an initializer of shape [0]",
                replaced("fixed = {1}> {", "[0] fixed = {}> {"),
                why=[SINGLE, "ir-runtime-agnostic"],
            )
        yield constant_cond_same_result(
            f"computed-{name}: cond computed from two initializers, {name}",
            by_computation(value),
            Run({"x": x}, {"z": same}),
        )
    x = floats(1, -2)
    yield constant_cond_same_result(
        "same-inner-names: two Ifs under constants, whose branches use the same names for different values",
        SAME_NAMES,
        Run({"x": x}, {"y": floats(9, 1), "z": floats(-3, -8)}),
        why=[
            COND,
            "ir-runtime-agnostic",
            issue("microsoft/onnxruntime", 18105, "folding needs new names for the values that it moves out"),
        ],
    )
    yield constant_cond_same_result(
        "within-a-branch: a constant cond inside a branch whose sibling uses the same names",
        NESTED,
        branches({"x": x}, then={"y": floats(-3, -1)}, else_={"y": floats(6, 5)}),
        why=[
            COND,
            "ir-runtime-agnostic",
            issue("microsoft/onnxruntime", 18105, "folding needs new names for the values that it moves out"),
        ],
    )
    yield constant_cond_same_result(
        "initializer-of-another-shape: "
        "a constant cond of shape [1] selects a branch that is an initializer, longer than the other's",
        OTHER_SHAPE,
        Run({"x": x}, {"z": floats(7, 8, 9)}),
        why=[COND, "ir-runtime-agnostic"],
    )
    unique = issue(
        "microsoft/onnxruntime", 18105, "the values moved out of a branch need new names, nested ones included"
    )
    yield constant_cond_same_result(
        "operand-left-out: the branch's Slice omits an operand in the middle",
        LEFT_OUT,
        Run({"x": floats(1, 2, 3, 4)}, {"z": floats(-4, -2)}),
        about=["absent-operands"],
        why=[COND, "ir-runtime-agnostic", unique],
    )
    yield constant_cond_same_result(
        "branch-hands-input-on: the branch that is always taken is an Identity of a graph input",
        HANDED_ON,
        Run({"x": x}, {"y": x, "z": x + x}),
        why=[
            COND,
            "ir-runtime-agnostic",
            issue("openvinotoolkit/openvino", 27567, "unrolling such a branch lost names"),
        ],
    )
    yield constant_cond_same_result(
        "in-function: a function is called with a constant true and with a constant false",
        IN_FUNCTION,
        Run({"x": x}, {"y": floats(-11, -18), "z": floats(1, 4)}),
        why=[
            COND,
            "ir-runtime-agnostic",
            issue("microsoft/onnxruntime", 16330, "inlining did not rename the initializers of branches"),
        ],
        also=["onnx/if/in-function"],
    )
    yield constant_cond_same_result(
        "in-loop: "
        "a constant cond in a Loop's body; the branch reads the carried value and an initializer of the main graph",
        IN_LOOP,
        Run({"trips": np.int64(3), "x": x}, {"final": floats(28, 52)}),
        Run({"trips": np.int64(0), "x": x}, {"final": x}),
        why=[COND, "ir-runtime-agnostic"],
        also=["onnx/if/in-loop"],
    )
    yield constant_cond_same_result(
        "branch-holds-an-if: both branches hold an If under a cond that is fed, with the same inner names",
        HOLDS_IF,
        branches({"x": x}, then={"y": floats(3, 4)}, else_={"y": -floats(2, 1)}),
        why=[COND, "ir-runtime-agnostic", unique],
        also=["onnx/if/nesting"],
    )


def _without_inputs() -> Iterator[Vector]:
    """Models that have no input, so that everything is known beforehand."""
    alone = issue("onnxsim/onnxsim", 452, "simplifying a model of a known cond and two branches of constants crashed")
    for yes, y in ((True, [1, 2]), (False, [3, 4])):
        word = str(yes).lower()
        yield constant_cond_same_result(
            f"no-input-{word}: the model has no input; cond is an initializer, {word}, and each branch has a Constant",
            model(ALONE.format(yes=int(yes))),
            [Run({}, {"y": np.float32(y)}), Run({}, {"y": np.float32(y)})],
            why=[COND, "ir-runtime-agnostic", alone],
        )
    yield constant_cond_same_result(
        "no-input-nested: "
        "the model has no input; in a branch, an If returns the sum of two initializers of the main graph",
        ALONE_NESTED,
        Run({}, {"y": floats(11, 22), "z": floats(-11, -22)}),
        why=[COND, "ir-runtime-agnostic", alone],
        also=["onnx/if/nesting", "onnx/if/outer-scope-capture"],
    )
