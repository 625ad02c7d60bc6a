"""Cond may come from anywhere a value may come from."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, absent, branches, floats, issue, model, some, vectors_of

cond_source = vectors_of("onnx/if/cond-source", "if-cond", "ir-inputs-refer")


def choice(place: str) -> str:
    """Branches x + x and -x; their graphs are named after the place, since graph names are unique in a model."""
    return f"""<
                then_branch = doubled_{place} () => (float[2] a) {{ a = Add (x, x) }},
                else_branch = negated_{place} () => (float[2] b) {{ b = Neg (x) }}>"""


INITIALIZER = model(f"""
    choice (float[2] x) => (float[2] y, float[2] z) <bool yes = {{1}}, bool no = {{0}}> {{
        y = If (yes) {choice("first")}
        z = If (no) {choice("second")}
    }}""")

CONSTANT = model(f"""
    choice (float[2] x) => (float[2] y, float[2] z) {{
        yes = Constant <value = bool {{1}}> ()
        y = If (yes) {choice("first")}
        no = Constant <value = bool {{0}}> ()
        z = If (no) {choice("second")}
    }}""")

COMPUTED = model(f"""
    choice (float[2] x) => (float[2] y) <float zero = {{0}}> {{
        total = ReduceSum <keepdims = 0> (x)
        positive = Greater (total, zero)
        y = If (positive) {choice("here")}
    }}""")

# ReduceSum keeps its dim here, so that cond is computed with shape [1].
COMPUTED_VECTOR = model(f"""
    choice (float[2] x) => (float[2] y) <float zero = {{0}}> {{
        total = ReduceSum (x)
        positive = Greater (total, zero)
        y = If (positive) {choice("here")}
    }}""")

OUTER_SCOPE = model(f"""
    choice (bool outer, bool inner, float[2] x) => (float[2] y) {{
        not_inner = Not (inner)
        y = If (outer) <
            then_branch = by_input () => (float[2] p) {{ p = If (inner) {choice("in_then")} }},
            else_branch = by_computed () => (float[2] q) {{ q = If (not_inner) {choice("in_else")} }}>
    }}""")

ANOTHER_IF = model(f"""
    choice (bool first, bool flag, float[2] x) => (float[2] y) {{
        decided = If (first) <
            then_branch = as_told () => (bool c) {{ c = Identity (flag) }},
            else_branch = against () => (bool d) {{ d = Not (flag) }}>
        y = If (decided) {choice("here")}
    }}""")

FUNCTION_INPUT = model(f"""<opset_import: ["" : 16, "local" : 1]>
    choice (bool cond, float[2] x) => (float[2] y) {{
        y = local.doubled_or_negated (cond, x)
    }}
    <domain: "local", opset_import: ["" : 16]>
    doubled_or_negated (flag, x) => (r) {{
        r = If (flag) {choice("here")}
    }}""")

OPTIONAL = model("""<opset_import: ["" : 18]>
    optional (optional(float[2]) o) => (float[2] y) {
        present = OptionalHasElement (o)
        y = If (present) <
            then_branch = held () => (float[2] a) { a = OptionalGetElement (o) },
            else_branch = given () => (float[2] b) { b = Constant <value = float[2] {7, 8}> () }>
    }""")

GRAPH_INPUT = model(f"""
    choice (bool[1] cond, float[2] x) => (float[2] y) {{
        y = If (cond) {choice("here")}
    }}""")

# The cond is carried from iteration to iteration and negated in each.
CARRIED = model("""
    carried (bool first, int64 trips, int64 x) => (int64 final, bool last) <bool yes = {1}> {
        last, final = Loop (trips, yes, first, x) <
            body = step (int64 i, bool on, bool flag, int64 v) => (bool on_out, bool flag_out, int64 v_out) {
                on_out = Identity (on)
                flag_out = Not (flag)
                v_out = If (flag) <
                    then_branch = then_graph () => (a) { a = Add (v, v) },
                    else_branch = else_graph () => (b) { b = Add (v, x) }>
            }>
    }""")

TWO_OPTIONALS = model("""<opset_import: ["" : 18]>
    optionals (optional(float[2]) o, optional(float[2]) p) => (float[2] y) {
        first = OptionalHasElement (o)
        y = If (first) <
            then_branch = held () => (float[2] a) { a = OptionalGetElement (o) },
            else_branch = given () => (float[2] b) {
                second = OptionalHasElement (p)
                b = If (second) <
                    then_branch = deep_held () => (float[2] c) { d = OptionalGetElement (p)  c = Neg (d) },
                    else_branch = deep_given () => (float[2] e) { e = Constant <value = float[2] {7, 8}> () }>
            }>
    }""")


def vectors() -> Iterator[Vector]:
    yield cond_source(
        "graph-input: cond is a graph input, known only when the model runs",
        GRAPH_INPUT,
        Run({"cond": np.bool_([True]), "x": floats(1, -2)}, {"y": floats(2, -4)}),
        Run({"cond": np.bool_([False]), "x": floats(1, -2)}, {"y": floats(-1, 2)}),
        why=[
            "if-cond",
            "ir-inputs-refer",
            issue("NVIDIA/TensorRT", 938, "cond had to be an initializer"),
            issue("apache/tvm", 7215, "a cond of shape [1] was not accepted"),
        ],
    )
    yield cond_source(
        "carried-by-loop: cond is a value that a Loop carries",
        CARRIED,
        # 5 → 10 → 15 → 30, and 5 → 10 → 20 → 25
        Run({"first": np.True_, "trips": np.int64(3), "x": np.int64(5)}, {"final": np.int64(30), "last": np.False_}),
        Run({"first": np.False_, "trips": np.int64(3), "x": np.int64(5)}, {"final": np.int64(25), "last": np.True_}),
        why=["if-cond", "ir-outer-scope"],
        also=["onnx/if/in-loop"],
    )
    yield cond_source(
        "optionals-nested: the cond of each of two nested Ifs tells whether an optional input holds a value",
        TWO_OPTIONALS,
        Run({"o": some(floats(1, 2)), "p": some(floats(3, 4))}, {"y": floats(1, 2)}),
        Run({"o": absent("tensor(float32)"), "p": some(floats(3, 4))}, {"y": floats(-3, -4)}),
        Run({"o": absent("tensor(float32)"), "p": absent("tensor(float32)")}, {"y": floats(7, 8)}),
        why=[
            "if-cond",
            "ir-inputs-refer",
            issue("microsoft/onnxruntime", 14457, "nested Ifs on optional inputs failed on a device"),
        ],
        also=["onnx/if/nesting"],
    )
    x = floats(1, -2)
    doubled, negated = floats(2, -4), floats(-1, 2)
    constant = [Run({"x": x}, {"y": doubled, "z": negated})]
    yield cond_source("initializer: cond is an initializer", INITIALIZER, constant)
    yield cond_source("constant: cond is the output of a Constant", CONSTANT, constant)
    signs = [Run({"x": floats(3, -1)}, {"y": floats(6, -2)}), Run({"x": floats(1, -3)}, {"y": floats(-1, 3)})]
    yield cond_source("computed: cond is computed from x, with shape []", COMPUTED, signs)
    yield cond_source("computed-with-one-dim: cond is computed from x, with shape [1]", COMPUTED_VECTOR, signs)
    yield cond_source(
        "outer-scope: the cond of an If within a branch is a value of the main graph",
        OUTER_SCOPE,
        [
            Run(
                {"outer": np.bool_(outer), "inner": np.bool_(inner), "x": x},
                {"y": doubled if outer == inner else negated},
            )
            for outer in (True, False)
            for inner in (True, False)
        ],
        why=["if-cond", "ir-outer-scope"],
    )
    yield cond_source(
        "another-if: cond is the output of another If",
        ANOTHER_IF,
        [
            Run(
                {"first": np.bool_(first), "flag": np.bool_(flag), "x": x}, {"y": doubled if first == flag else negated}
            )
            for first in (True, False)
            for flag in (True, False)
        ],
    )
    yield cond_source(
        "function-input: cond is an input of the local function that contains the If",
        FUNCTION_INPUT,
        branches({"x": x}, then={"y": doubled}, else_={"y": negated}),
        why=[
            "if-cond",
            "ir-function-body",
            issue("microsoft/onnxruntime", 10698, "an If inside a local function could not be loaded"),
        ],
    )
    yield cond_source(
        "optional-has-element: cond tells whether an optional input holds a value, which is read only then",
        OPTIONAL,
        [Run({"o": some(x)}, {"y": x}), Run({"o": absent("tensor(float32)")}, {"y": floats(7, 8)})],
        why=[
            "if-cond",
            "ir-inputs-refer",
            issue("microsoft/onnxruntime", 11717, "such a model crashed when it was loaded"),
        ],
    )
