"""Nests of Ifs under conds known beforehand: the values moved out of them, and the names they must not clash with."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, says, sequence, vectors_of
from onnx import ModelProto

COND = says("if-cond", note="of a constant one nothing else is said")
NAMES = issue("microsoft/onnxruntime", 18105, "the values moved out of a branch need new names, nested ones included")
STORED = issue("microsoft/onnxscript", 2810, "folding dropped the initializers of the branch")

WHY = [COND, "ir-runtime-agnostic", NAMES]

constant_cond_same_result = vectors_of("onnx/if/constant-cond-same-result", *WHY, STORED)

X = floats(1, -2)

# The names t and w, which then has, are also those of values that the main graph defines after the If.
LATER_VALUE = model("""
    later (float[2] x) => (float[2] y, float[2] t) <bool yes = {1}> {
        y = If (yes) <
            then_branch = then_graph () => (a) <float[2] w = {10, 20}> { t = Add (x, w)  a = Neg (t) },
            else_branch = else_graph () => (b) { b = Neg (x) }>
        w = Add (y, x)
        t = Neg (w)
    }""")

# The main graph's own later If has branches with the same names as the first one's.
LATER_IF = model("""
    later (bool cond, float[2] x) => (float[2] z) <bool no = {0}> {
        y = If (no) <
            then_branch = one () => (a) { a = Neg (x) },
            else_branch = two () => (b) <float[2] w = {10, 20}> { t = Add (x, w)  b = Neg (t) }>
        z = If (cond) <
            then_branch = three () => (a) <float[2] w = {1, 2}> { t = Mul (y, w)  a = Neg (t) },
            else_branch = four () => (b) { w = Abs (y)  t = Add (w, w)  b = Identity (t) }>
    }""")

# The innermost reads an initializer and a value of each enclosing graph.
CAPTURES = model("""
    captures (float[2] x) => (float[2] y) <bool yes = {1}, bool no = {0}, float[2] k = {1000, 2000}> {
        s = Add (x, k)
        y = If (yes) <
            then_branch = one_then () => (a) <float[2] k1 = {100, 200}> {
                s1 = Add (s, k1)
                a = If (no) <
                    then_branch = two_then () => (b) { b = Neg (s1) },
                    else_branch = two_else () => (c) <float[2] k2 = {10, 20}> {
                        s2 = Add (s1, k2)
                        c = If (yes) <
                            then_branch = three_then () => (d) <float[2] k3 = {1, 2}> {
                                p = Add (s2, k3)
                                q = Add (k, k1)
                                r = Add (q, k2)
                                d = Sub (p, r)
                            },
                            else_branch = three_else () => (e) { e = Add (s, s1) }>
                    }>
            },
            else_branch = one_else () => (f) { f = Neg (s) }>
    }""")

# Under the cond that is fed, both branches hold a constant If; their inner branches have the same names.
IN_BOTH = model("""
    both (bool cond, float[2] x) => (float[2] y) <bool yes = {1}, bool no = {0}> {
        y = If (cond) <
            then_branch = then_graph () => (a) <float[2] k = {10, 20}> {
                m = Add (x, k)
                a = If (yes) <
                    then_branch = one () => (c) <float[2] w = {1, 2}> { t = Add (m, w)  c = Sub (t, k) },
                    else_branch = two () => (d) { d = Neg (m) }>
            },
            else_branch = else_graph () => (b) <float[2] k = {-1, 2}> {
                m = Mul (x, k)
                b = If (no) <
                    then_branch = three () => (c) { c = Abs (m) },
                    else_branch = four () => (d) <float[2] w = {5, 6}> { t = Sub (m, w)  d = Add (t, k) }>
            }>
    }""")

# Each If's cond is the result of the one before; the first one's is a Constant.
ROW = model("""
    row (float[2] x) => (float[2] y) {
        first = Constant <value = bool {0}> ()
        second = If (first) <
            then_branch = one () => (a) { a = Constant <value = bool {0}> () },
            else_branch = two () => (b) { f = Constant <value = bool {0}> ()  b = Not (f) }>
        third = If (second) <
            then_branch = three () => (bool a) <bool a = {0}> {},
            else_branch = four () => (b) { b = Identity (first) }>
        y = If (third) <
            then_branch = five () => (a) { a = Neg (x) },
            else_branch = six () => (b) <float[2] w = {10, 20}> { b = Add (x, w) }>
    }""")

# The values moved out of the branch stay in the body.
LOOP_BETWEEN = model("""
    between (float[2] x) => (float[2] y) <bool yes = {1}, int64 trips = {3}> {
        y = If (yes) <
            then_branch = then_graph () => (a) <float[2] k = {10, 20}> {
                start = Neg (x)
                a = Loop (trips, yes, start) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                        on_out = Identity (on)
                        v_out = If (yes) <
                            then_branch = one () => (c) <float[2] w = {1, 2}> { t = Add (v, k)  c = Sub (t, w) },
                            else_branch = two () => (d) { d = Neg (v) }>
                    }>
            },
            else_branch = else_graph () => (b) { b = Identity (x) }>
    }""")

SCANNED = model("""
    scanned (float[2] start, float[n,2] x) => (float[2] last) {
        last = Scan <
            num_scan_inputs = 1,
            body = step (float[2] s, float[2] e) => (float[2] s_out) {
                fixed = Constant <value = bool {1}> ()
                s_out = If (fixed) <
                    then_branch = one () => (a) <float[2] w = {1, 2}> { t = Add (s, e)  a = Add (t, w) },
                    else_branch = two () => (b) { b = Neg (s) }>
            }> (start, x)
    }""")

MAPPED = model("""<opset_import: ["" : 17]>
    mapped (seq(float[2]) s) => (seq(float[2]) y) {
        y = SequenceMap (s) <body = each (float[2] item) => (float[2] r) {
            fixed = Constant <value = bool {0}> ()
            r = If (fixed) <
                then_branch = one () => (a) { a = Neg (item) },
                else_branch = two () => (b) <float[2] w = {1, 2}> { t = Add (item, w)  b = Add (t, t) }>
        }>
    }""")

# An initializer, a Constant, a computed value and one passed through, in another order than the node's.
FOUR_OUTPUTS = model("""
    four (float[2] x) => (float[2] p, float[2] q, float[2] r, float[2] s) {
        yes = Constant <value = bool {1}> ()
        p, q, r, s = If (yes) <
            then_branch = then_graph () => (float[2] s, float[2] r, float[2] q, float[2] p) <float[2] r = {1, 2}>
                { q = Constant <value = float[2] {3, 4}> ()  s = Neg (x)  p = Identity (x) },
            else_branch = else_graph () => (e, f, g, h)
                { e = Abs (x)  f = Add (x, x)  g = Mul (x, x)  h = Sub (x, x) }>
    }""")

CANNOT_RUN = model("""
    cannot (float[2] x, int64[1] i, int64[2] to) => (float[?] y) <bool no = {0}> {
        y = If (no) <
            then_branch = then_graph () => (a) { g = Gather (x, i)  t = Reshape (g, to)  a = Squeeze (t) },
            else_branch = else_graph () => (b) { b = Neg (x) }>
    }""")

RANK_THREE = model("""
    ranks (float[2] x) => (float[2] y, float[2] z) <bool[1,1,1] yes = {1}> {
        no = Constant <value = bool[1,1] {0}> ()
        y = If (yes) <
            then_branch = one () => (a) { a = Neg (x) },
            else_branch = two () => (b) { b = Abs (x) }>
        z = If (no) <
            then_branch = three () => (a) { a = Neg (x) },
            else_branch = four () => (b) { b = Abs (x) }>
    }""")

# The main graph's names within and around the call are those of the function.
SAME_NAMES_AS_CALLER = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (float[2] x) => (float[2] y, float[2] a) <float[2] k = {100, 200}, bool c = {0}> {
        t = Add (x, k)
        y = local.choose (c, t)
        a = If (c) <
            then_branch = main_then () => (b) { b = Neg (t) },
            else_branch = main_else () => (d) <float[2] w = {1, 1}> { d = Sub (t, w) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, x) => (r) {
        t = Neg (x)
        yes = Not (c)
        r = If (yes) <
            then_branch = then_graph () => (a) <float[2] k = {10, 20}, float[2] w = {1, 2}>
                { d = Add (t, k)  a = Sub (d, w) },
            else_branch = else_graph () => (b) { b = Identity (x) }>
    }""")

# A value that is known beforehand, and is declared with a dim that is not.
TWO_LENGTHS = model("""
    lengths (bool cond) => (float[?] y) <bool no = {0}, float[2] k = {3, 4}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Constant <value = float[2] {1, 2}> () },
            else_branch = else_graph () => (float[?] b) {
                b = If (no) <
                    then_branch = inner_then () => (float[4] c) { c = Concat <axis = 0> (k, k) },
                    else_branch = inner_else () => (float[2] d) { d = Identity (k) }>
            }>
    }""")

CARRIES_NOTHING = model("""
    carries_nothing (float[2] x) => (float[?,2] y) <bool yes = {1}, int64 trips = {3}, int64[1] axis = {0}> {
        y = If (yes) <
            then_branch = then_graph () => (float[?,2] a) {
                a = Loop (trips, "") <
                    body = body (int64 i, bool on) => (bool go, float[2] row) {
                        go = Constant <value = bool {1}> ()
                        n = Cast <to = 1> (i)
                        row = Add (x, n)
                    }>
            },
            else_branch = else_graph () => (float[1,2] b) { b = Unsqueeze (x, axis) }>
    }""")


def tower(known: str) -> ModelProto:
    """Six Ifs, each in a branch of the enclosing one, a letter each: 1 and 0 are Constants, p is fed.

    Each level on the path adds an initializer of its own to the value of the enclosing level and negates the result
    of the next level; off the path that value is multiplied and returned without negation.
    """
    body = "z_6 = Identity (v_6)"
    for level in range(6, 0, -1):
        letter, outer = known[level - 1], f"v_{level - 1}" if level > 1 else "x"
        way = f"""(r_{level}) <float[2] w_{level} = {{{10**level}, 0}}> {{
                v_{level} = Add ({outer}, w_{level})
                {body}
                r_{level} = Neg (z_{level})
            }}"""
        off = f"(a) <float[2] k = {{{level}, 5}}> {{ t = Mul ({outer}, k)  a = Abs (t) }}"
        then_branch, else_branch = (off, way) if letter == "0" else (way, off)
        cond = "p" if letter == "p" else f"c_{level}"
        made = "" if letter == "p" else f"c_{level} = Constant <value = bool {{{letter}}}> ()"
        result = f"z_{level - 1}" if level > 1 else "y"
        body = f"""{made}
            {result} = If ({cond}) <
                then_branch = then_{level} () => {then_branch},
                else_branch = else_{level} () => {else_branch} >"""
    return model(f"tower (bool p, float[2] x) => (float[2] y) {{ {body} }}")


def _names() -> Iterator[Vector]:
    yield constant_cond_same_result(
        "inner-names-made-later: "
        "after the If, the main graph defines values with the names of a value and an initializer of the taken branch",
        LATER_VALUE,
        Run({"x": X}, {"y": floats(-11, -18), "t": floats(10, 20)}),
        why=WHY,
        also=["onnx/if/sibling-names-independent"],
    )
    yield constant_cond_same_result(
        "inner-names-in-later-if: "
        "the branches of a later If, under a cond that is fed, use the same names as the taken branch",
        LATER_IF,
        branches({"x": X}, then={"z": floats(11, 36)}, else_={"z": floats(22, 36)}),
        why=WHY,
        also=["onnx/if/sibling-names-independent"],
    )
    yield constant_cond_same_result(
        "names-of-function-and-caller: "
        "a function whose If is decided by a constant argument, in a caller with the same names",
        SAME_NAMES_AS_CALLER,
        Run({"x": X}, {"y": floats(-92, -180), "a": floats(100, 197)}),
        why=[
            COND,
            "ir-runtime-agnostic",
            issue("microsoft/onnxruntime", 16330, "inlining renamed too little, or too much"),
        ],
        also=["onnx/if/in-function"],
    )


def _nests() -> Iterator[Vector]:
    yield constant_cond_same_result(
        "captures-of-each-level: the innermost of three Ifs reads a value and an initializer of each enclosing graph",
        CAPTURES,
        Run({"x": X}, {"y": floats(2, 0)}),
        also=["onnx/if/nesting", "onnx/if/outer-scope-capture"],
    )
    yield constant_cond_same_result(
        "in-both-branches: "
        "both branches of an If whose cond is fed hold one whose cond is constant, with the same names and captures",
        IN_BOTH,
        branches({"x": X}, then={"y": floats(2, 0)}, else_={"y": floats(-7, -8)}),
        also=["onnx/if/nesting"],
    )
    yield constant_cond_same_result(
        "row-of-ifs: each If's cond is the result of the one before, the first one's a Constant",
        ROW,
        Run({"x": X}, {"y": floats(11, 18)}),
        why=[COND, "ir-runtime-agnostic"],
    )
    summed, beside = X + floats(1111110, 0), floats(-22, -10)
    for name, known, title, when_false in (
        ("tower-of-constants", "101100", "six Ifs, one in another, under Constants", summed),
        (
            "tower-of-constants-and-inputs",
            "1p0p10",
            "six Ifs, one in another, the second and fourth with a cond that is fed",
            beside,
        ),
    ):
        yield constant_cond_same_result(
            f"{name}: {title}; each level captures the enclosing one",
            tower(known),
            branches({"x": X}, then={"y": summed}, else_={"y": when_false}, cond="p"),
            also=["onnx/if/nesting", "onnx/if/outer-scope-capture"],
            about=["unread-inputs"] if "p" not in known else [],
        )


def _bodies() -> Iterator[Vector]:
    yield constant_cond_same_result(
        "loop-between: in a branch that is always taken, a Loop's body has an If with a constant cond",
        LOOP_BETWEEN,
        Run({"x": X}, {"y": floats(26, 56)}),
        also=["onnx/if/in-loop", "onnx/if/loop-in-branch"],
    )
    rows = floats([1, 2], [3, 4])
    yield constant_cond_same_result(
        "in-scan: a constant cond in a Scan's body; the branch reads state and element",
        SCANNED,
        Run({"start": X, "x": rows}, {"last": floats(7, 8)}),
        Run({"start": X, "x": rows[:1]}, {"last": floats(3, 2)}),
        also=["onnx/if/in-scan"],
    )
    of = "tensor(float32)"
    yield constant_cond_same_result(
        "in-sequence-map: a constant cond in a SequenceMap's body",
        MAPPED,
        Run({"s": sequence(of, list(rows))}, {"y": sequence(of, [floats(4, 8), floats(8, 12)])}),
        also=["onnx/if/in-sequence-map"],
    )


def _others() -> Iterator[Vector]:
    yield constant_cond_same_result(
        "four-outputs: "
        "the taken branch returns a computed value, its initializer, a Constant and an input; its names are swapped",
        FOUR_OUTPUTS,
        Run({"x": X}, {"p": -X, "q": floats(1, 2), "r": floats(3, 4), "s": X}),
        why=WHY,
        also=["onnx/if/output-order", "onnx/if/output-is-initializer"],
    )
    yield constant_cond_same_result(
        "inner-branches-of-two-lengths: "
        "else holds an If of a constant cond, whose branches return constants of two lengths",
        TWO_LENGTHS,
        [Run({"cond": np.False_}, {"y": floats(3, 4)}), Run({"cond": np.True_}, {"y": floats(1, 2)})],
        why=[COND, "if-outputs-live-out", "ir-runtime-agnostic"],
        also=["onnx/if/shape-union"],
    )
    yield constant_cond_same_result(
        "loop-that-carries-nothing: "
        "the taken branch is a Loop of three trips without cond, which carries nothing and stacks sums of x",
        CARRIES_NOTHING,
        Run({"x": X}, {"y": floats([1, -2], [2, -1], [3, 0])}),
        why=[COND, "operators-loop-cond-optional", "ir-runtime-agnostic"],
        also=["onnx/if/loop-in-branch"],
        about=["absent-operands"],
    )
    yield constant_cond_same_result(
        "other-branch-cannot-run: the branch that is never taken would gather element 99 of two and reshape it to nine",
        CANNOT_RUN,
        Run({"x": X, "i": np.int64([99]), "to": np.int64([3, 3])}, {"y": -X}),
        why=[COND, "ir-runtime-agnostic"],
        also=["onnx/if/only-taken-branch-runs"],
    )
    yield constant_cond_same_result(
        "conds-of-rank-two-and-three: "
        "a constant cond of shape [1, 1, 1], one of shape [1, 1]; the outputs keep their shape",
        RANK_THREE,
        Run({"x": X}, {"y": -X, "z": np.abs(X)}),
        why=["if-cond-single-element", "ir-runtime-agnostic"],
        also=["onnx/if/cond-single-element"],
    )
