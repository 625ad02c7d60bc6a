"""If in a Loop's body, and Loop in a branch."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, absent, branches, floats, issue, model, says, sequence, some, vectors_of

GRAPHS = says("if-then-branch-runs", note="a graph may hold any operator")

in_loop = vectors_of("onnx/if/in-loop", "operators-loop-inputs-defined")

# Even iterations double the carried value, odd ones add the iteration number.
EVEN_AND_ODD = model("""
    looped (int64 trips, int64 start) => (int64 final) <bool yes = {1}, int64 two = {2}, int64 zero = {0}> {
        final = Loop (trips, yes, start) <
            body = step (int64 i, bool on, int64 v) => (bool on_out, int64 v_out) {
                on_out = Identity (on)
                half = Div (i, two)
                twice = Mul (half, two)
                rest = Sub (i, twice)
                even = Equal (rest, zero)
                v_out = If (even) <
                    then_branch = then_graph () => (int64 a) { a = Add (v, v) },
                    else_branch = else_graph () => (int64 b) { b = Add (v, i) }>
            }>
    }""")

# From the second trip on, then negates the item that an earlier trip has inserted, which is longer than the first one.
LONGER_ITEM = model("""
    grown (int64 trips, seq(float[2]) s, float[3] x) => (float[?] y)
    <bool yes = {1}, int64 zero = {0}, int64 last = {-1}> {
        all = Loop (trips, yes, s) <
            body = step (int64 i, bool on, seq(float[?]) q) => (bool on_out, seq(float[?]) q_out) {
                on_out = Identity (on)
                item = SequenceAt (q, last)
                later = Greater (i, zero)
                next = If (later) <
                    then_branch = then_graph () => (float[3] a) { a = Neg (item) },
                    else_branch = else_graph () => (float[3] b) { b = Identity (x) }>
                q_out = SequenceInsert (q, next)
            }>
        y = SequenceAt (all, last)
    }""")

# The If decides the body's cond: stop when the carried value has reached the limit.
DECIDES_END = model("""
    looped (int64 limit) => (int64 final) <bool yes = {1}, int64 start = {1}, int64 many = {100}> {
        final = Loop (many, yes, start) <
            body = step (int64 i, bool on, int64 v) => (bool on_out, int64 v_out) {
                v_out = Add (v, v)
                below = Less (v_out, limit)
                on_out = If (below) <
                    then_branch = then_graph () => (bool a) { a = Constant <value = bool {1}> () },
                    else_branch = else_graph () => (bool b) { b = Constant <value = bool {0}> () }>
            }>
    }""")

OUTER_COND = model("""
    looped (bool cond, int64 trips, float[2] x) => (float[2] final) <bool yes = {1}, float[2] k = {10, 20}> {
        final = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (v, k) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (v, x) }>
            }>
    }""")

# Both values that are carried begin as constants, and one becomes the other.
FROM_CONSTANTS = model("""
    looped (bool cond, int64 trips) => (float[2] p, float[2] q)
    <bool yes = {1}, float[2] one = {1, 2}, float[2] ten = {10, 20}> {
        p, q = Loop (trips, yes, one, ten) <
            body = step (int64 i, bool on, float[2] v, float[2] w) => (bool on_out, float[2] v_out, float[2] w_out) {
                on_out = Identity (on)
                v_out = Identity (w)
                w_out = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (v, w) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (v, w) }>
            }>
    }""")

# The sum fits only the shape of x: without a trip.
OTHER_SHAPE = model("""
    looped (bool cond, int64 trips, float[3] x) => (float[?] y)
    <bool yes = {1}, float[2] two = {10, 20}, float[3] three = {100, 200, 300}> {
        last = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[?] v) => (bool on_out, float[?] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Neg (two) },
                    else_branch = else_graph () => (float[2] b) { b = Abs (two) }>
            }>
        y = Add (last, three)
    }""")

# Each iteration's scan output is the If's result; the carried value only counts.
SHOWN = model("""
    looped (int64 trips, bool cond, float[2] x) => (int64 last, float[?,2] all) <bool yes = {1}, int64 zero = {0}> {
        last, all = Loop (trips, yes, zero) <
            body = step (int64 i, bool on, int64 v) => (bool on_out, int64 v_out, float[2] shown) {
                on_out = Identity (on)
                v_out = Add (v, i)
                f = Cast <to = 1> (v_out)
                shown = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (x, f) },
                    else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
            }>
    }""")

# The carried value grows in the trips that take then.
GROWS = model("""
    looped (int64 trips, int64[1] x) => (int64[?] final) <bool yes = {1}, int64 two = {2}, int64 zero = {0}> {
        final = Loop (trips, yes, x) <
            body = step (int64 i, bool on, int64[?] v) => (bool on_out, int64[?] v_out) {
                on_out = Identity (on)
                half = Div (i, two)
                twice = Mul (half, two)
                even = Equal (twice, i)
                v_out = If (even) <
                    then_branch = then_graph () => (int64[?] a) { a = Concat <axis = 0> (v, v) },
                    else_branch = else_graph () => (int64[?] b) { b = Add (v, i) }>
            }>
    }""")

# Then turns the carried matrix.
TURNS = model("""
    turned (int64 trips, bool cond, float[2,3] x) => (float[?,?] final) <bool yes = {1}> {
        final = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[?,?] v) => (bool on_out, float[?,?] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (float[?,?] a) { a = Transpose <perm = [1, 0]> (v) },
                    else_branch = else_graph () => (float[?,?] b) { b = Neg (v) }>
            }>
    }""")

# Then drops the first element of the carried list, until none is left.
DROPS = model("""
    dropped (int64 trips, bool cond, float[2] x) => (float[?] final) <bool yes = {1}> {
        final = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[?] v) => (bool on_out, float[?] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (float[?] a) {
                        second = Constant <value = int64[1] {1}> ()
                        end = Constant <value = int64[1] {9}> ()
                        a = Slice (v, second, end)
                    },
                    else_branch = else_graph () => (float[?] b) { b = Neg (v) }>
            }>
    }""")

# A carried sequence, whose length decides whether it gets another item.
LIST = model("""
    looped (int64 trips, float[2] x) => (seq(float[2]) final, float[2] at)
    <bool yes = {1}, int64 three = {3}, int64 last = {-1}> {
        start = SequenceConstruct (x)
        final = Loop (trips, yes, start) <
            body = step (int64 i, bool on, seq(float[2]) s) => (bool on_out, seq(float[2]) s_out) {
                on_out = Identity (on)
                length = SequenceLength (s)
                short = Less (length, three)
                s_out = If (short) <
                    then_branch = then_graph () => (seq(float[2]) a) {
                        tail = SequenceAt (s, last)
                        more = Add (tail, x)
                        a = SequenceInsert (s, more)
                    },
                    else_branch = else_graph () => (seq(float[2]) b) { b = Identity (s) }>
            }>
        at = SequenceAt (final, last)
    }""")

# In the second trip v has two elements, so that then returns the four that it declares.
LATER = model("""
    looped (int64 trips, float[1] x) => (float[?] final) <bool yes = {1}, int64 one = {1}> {
        final = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[?] v) => (bool on_out, float[?] v_out) {
                on_out = Identity (on)
                late = Equal (i, one)
                v_out = If (late) <
                    then_branch = then_graph () => (float[4] a) { a = Concat <axis = 0> (v, v) },
                    else_branch = else_graph () => (float[?] b) { b = Concat <axis = 0> (x, v) }>
            }>
    }""")

# The If reads the body's own cond, which is true in every trip.
OWN_COND = model("""
    looped (int64 trips, int64 limit) => (bool last, int64 count) <bool yes = {1}, bool no = {0}, int64 zero = {0}> {
        last, count = Loop (trips, yes, no, zero) <
            body = step (int64 i, bool on, bool before, int64 n) => (bool on_out, bool seen, int64 n_out) {
                on_out = Less (i, limit)
                seen, n_out = If (on) <
                    then_branch = then_graph () => (bool a, int64 c)
                        { a = Identity (on)  one = Cast <to = 7> (on)  c = Add (n, one) },
                    else_branch = else_graph () => (bool b, int64 d) { b = Identity (before)  d = Neg (n) }>
            }>
    }""")

# Where nothing is carried yet, x is; else its double.
OPTED = model("""<opset_import: ["" : 18]>
    looped (int64 trips, optional(float[2]) start, float[2] x) => (float[2] y) <bool yes = {1}> {
        final = Loop (trips, yes, start) <
            body = step (int64 i, bool on, optional(float[2]) v) => (bool on_out, optional(float[2]) v_out) {
                on_out = Identity (on)
                has = OptionalHasElement (v)
                v_out = If (has) <
                    then_branch = then_graph () => (optional(float[2]) a) {
                        held = OptionalGetElement (v)
                        twice = Add (held, held)
                        a = Optional (twice)
                    },
                    else_branch = else_graph () => (optional(float[2]) b) { b = Optional (x) }>
            }>
        y = OptionalGetElement (final)
    }""")

# Two results are stacked, of two types and shapes.
TWO_STACKED = model("""
    looped (bool cond, int64 trips, float[2] x, int64[3] n) => (float[?,2] all, int64[?,3] more) <bool yes = {1}> {
        all, more = Loop (trips, yes) <
            body = step (int64 i, bool on) => (bool on_out, float[2] shown, int64[3] counted) {
                on_out = Identity (on)
                shown, counted = If (cond) <
                    then_branch = then_graph () => (float[2] a, int64[3] c) { a = Neg (x)  c = Add (n, i) },
                    else_branch = else_graph () => (float[2] b, int64[3] d) { b = Add (x, x)  d = Sub (n, i) }>
            }>
    }""")

PRODUCT = model("""
    looped (int64 trips, bool cond, float[1,2] x) => (float[1,2] final)
    <bool yes = {1}, float[2,2] w = {0, 1, 1, 0}, float[2] c = {10, 20}> {
        final = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[1,2] v) => (bool on_out, float[1,2] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (float[1,2] a) { a = Gemm (v, w, c) },
                    else_branch = else_graph () => (float[1,2] b) { b = Neg (v) }>
            }>
    }""")

LOOP_IN_THEN = model("""
    branched (bool cond, int64 trips, float[2] x) => (float[2] y) <bool yes = {1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                a = Loop (trips, yes, x) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                        on_out = Identity (on)
                        v_out = Add (v, x)
                    }>
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

IF_IN_LOOP_IN_ELSE = model("""
    branched (bool cond, int64 trips, int64 x) => (int64 y) <bool yes = {1}, int64 two = {2}, int64 one = {1}> {
        y = If (cond) <
            then_branch = then_graph () => (int64 a) { a = Neg (x) },
            else_branch = else_graph () => (int64 b) {
                b = Loop (trips, yes, x) <
                    body = step (int64 i, bool on, int64 v) => (bool on_out, int64 v_out) {
                        on_out = Identity (on)
                        early = Less (i, two)
                        v_out = If (early) <
                            then_branch = deep_then () => (int64 c) { c = Add (v, x) },
                            else_branch = deep_else () => (int64 d) { d = Sub (v, one) }>
                    }>
            }>
    }""")


def _ifs_in_loops() -> Iterator[Vector]:
    yield in_loop(
        "carried-value-captured: both branches read the carried value, else the iteration number too",
        EVEN_AND_ODD,
        # 3 → 6 → 7 → 14 → 17 → 34
        Run({"trips": np.int64(5), "start": np.int64(3)}, {"final": np.int64(34)}),
        Run({"trips": np.int64(1), "start": np.int64(3)}, {"final": np.int64(6)}),
        Run({"trips": np.int64(0), "start": np.int64(3)}, {"final": np.int64(3)}),
        why=["ir-outer-scope", "operators-loop-inputs-defined"],
        also=["onnx/if/outer-scope-capture"],
    )
    yield in_loop(
        "carried-from-constants: "
        "two values are carried that begin as initializers; each trip returns the second as the first",
        FROM_CONSTANTS,
        # [1, 2] times 1, 10 → 10, 11 → 11, 21 → 21, 32
        Run({"cond": np.True_, "trips": np.int64(3)}, {"p": floats(21, 42), "q": floats(32, 64)}),
        # 1, 10 → 10, -9 → -9, 19
        Run({"cond": np.False_, "trips": np.int64(2)}, {"p": floats(-9, -18), "q": floats(19, 38)}),
        Run({"cond": np.False_, "trips": np.int64(0)}, {"p": floats(1, 2), "q": floats(10, 20)}),
    )
    yield in_loop(
        "no-trip-keeps-the-shape: "
        "both branches in the body return another shape than the value that is carried; without a trip it stays",
        OTHER_SHAPE,
        branches(
            {"trips": np.int64(0), "x": floats(1, 2, 3)},
            then={"y": floats(101, 202, 303)},
            else_={"y": floats(101, 202, 303)},
        ),
        why=[
            "operators-loop-inputs-defined",
            says("operators-loop-for-trip-count-and-cond", "operators-loop-sample-b-out"),
        ],
    )
    yield in_loop(
        "if-decides-the-end: the If's result is the body's cond",
        DECIDES_END,
        Run({"limit": np.int64(10)}, {"final": np.int64(16)}),
        Run({"limit": np.int64(2)}, {"final": np.int64(2)}),
        Run({"limit": np.int64(17)}, {"final": np.int64(32)}),
        why=[
            "operators-loop-inputs-defined",
            issue("microsoft/onnxruntime", 8999, "an If that a loop's values decide"),
            issue("onnx/tensorflow-onnx", 507, "an If within a loop's condition kept references to removed inputs"),
        ],
    )
    x = floats(1, -2)
    yield in_loop(
        "cond-from-main-graph: cond, an initializer and an input come from the main graph, through the loop",
        OUTER_COND,
        branches({"trips": np.int64(3), "x": x}, then={"final": floats(31, 58)}, else_={"final": floats(-2, 4)}),
        why=["ir-outer-scope", "operators-loop-inputs-defined"],
    )

    yield in_loop(
        "result-is-shown: the If's result is stacked, trip by trip",
        SHOWN,
        # The sums are 0, 1 and 3.
        Run(
            {"trips": np.int64(3), "cond": np.True_, "x": x},
            {"last": np.int64(3), "all": floats([1, -2], [2, -1], [4, 1])},
        ),
        Run({"trips": np.int64(1), "cond": np.False_, "x": x}, {"last": np.int64(0), "all": -x.reshape(1, 2)}),
    )
    yield in_loop(
        "carried-shape-grows: then's result is longer than the carried value that it reads, else's is not",
        GROWS,
        # [1], [1, 1], [2, 2], [2, 2, 2, 2], [5, 5, 5, 5]
        Run({"trips": np.int64(4), "x": np.int64([1])}, {"final": np.int64([5, 5, 5, 5])}),
        Run({"trips": np.int64(1), "x": np.int64([7])}, {"final": np.int64([7, 7])}),
        why=["operators-loop-inputs-defined", "if-different-shapes"],
        also=["onnx/if/shape-union"],
    )
    matrix = floats([1, 2, 3], [4, 5, 6])
    yield in_loop(
        "carried-dims-change-places: then transposes the carried matrix: as many elements as before, other dims",
        TURNS,
        [
            Run({"trips": np.int64(trips), "cond": np.bool_(cond), "x": matrix}, {"final": final})
            for trips, cond, final in [(1, 1, matrix.T), (2, 1, matrix), (3, 1, matrix.T), (1, 0, -matrix)]
        ],
        why=["operators-loop-inputs-defined", GRAPHS],
    )
    yield in_loop(
        "carried-down-to-nothing: then drops the first element of the carried list, until none is left",
        DROPS,
        [
            Run({"trips": np.int64(trips), "cond": np.bool_(cond), "x": x}, {"final": final})
            for trips, cond, final in [(1, 1, x[1:]), (2, 1, x[:0]), (3, 1, x[:0]), (1, 0, -x), (0, 1, x)]
        ],
        why=["operators-loop-inputs-defined", GRAPHS],
    )
    yield in_loop(
        "sequence-carried: then puts an item into the carried sequence, else passes it through",
        LIST,
        Run({"trips": np.int64(5), "x": x}, {"final": sequence("tensor(float32)", [x, 2 * x, 3 * x]), "at": 3 * x}),
        Run({"trips": np.int64(1), "x": x}, {"final": sequence("tensor(float32)", [x, 2 * x]), "at": 2 * x}),
        why=[
            "operators-loop-inputs-defined",
            issue("microsoft/onnxruntime", 8999, "a sequence that a loop builds and an If reads failed at load"),
        ],
    )
    yield in_loop(
        "optional-carried: then doubles what the carried optional holds, else puts x into the empty one",
        OPTED,
        # nothing, x, 2x
        Run({"trips": np.int64(2), "start": absent("tensor(float32)"), "x": x}, {"y": 2 * x}),
        Run({"trips": np.int64(2), "start": some(floats(3, 5)), "x": x}, {"y": floats(12, 20)}),
        why=["operators-loop-inputs-defined", "operators-loop-lists-optionals"],
    )
    yield in_loop(
        "cond-is-that-of-the-body: the If reads the body's own cond, which is true in every trip",
        OWN_COND,
        Run({"trips": np.int64(3), "limit": np.int64(5)}, {"last": np.True_, "count": np.int64(3)}),
        # The second trip, whose number is 1, ends the Loop.
        Run({"trips": np.int64(3), "limit": np.int64(1)}, {"last": np.True_, "count": np.int64(2)}),
        why=["operators-loop-inputs-defined", "operators-loop-termination-condition"],
        also=["onnx/if/cond-source"],
    )
    yield in_loop(
        "declared-length-of-later-trip: "
        "then runs in the second trip alone, and declares the length that it returns there",
        LATER,
        # [3], [3, 3], [3, 3, 3, 3]
        Run({"trips": np.int64(2), "x": floats(3)}, {"final": floats(3, 3, 3, 3)}),
        Run({"trips": np.int64(1), "x": floats(3)}, {"final": floats(3, 3)}),
        why=["operators-loop-inputs-defined", "if-different-shapes"],
        also=["onnx/if/shape-union"],
    )
    n = np.int64([3, 4, 5])
    yield in_loop(
        "two-stacked-of-no-trips: "
        "two results of an If are stacked, of two types and shapes; first two trips are made, then none",
        TWO_STACKED,
        Run(
            {"cond": np.True_, "trips": np.int64(2), "x": x, "n": n},
            {"all": np.stack([-x, -x]), "more": np.stack([n, n + 1])},
        ),
        Run(
            {"cond": np.True_, "trips": np.int64(0), "x": x, "n": n},
            {"all": np.zeros((0, 2), np.float32), "more": np.zeros((0, 3), np.int64)},
        ),
        doubt="a scan output has the type of the body's output; no sentence gives its shape after no trips",
    )
    longer = floats(3, -4, 5)
    yield in_loop(
        "items-of-a-carried-sequence-get-longer: "
        "the Loop inserts an item of three elements after one of two; the second trip negates that item",
        LONGER_ITEM,
        Run({"trips": np.int64(1), "s": sequence("tensor(float32)", [x]), "x": longer}, {"y": longer}),
        Run({"trips": np.int64(2), "s": sequence("tensor(float32)", [x]), "x": longer}, {"y": -longer}),
        Run({"trips": np.int64(0), "s": sequence("tensor(float32)", [x]), "x": longer}, {"y": x}),
        why=["operators-loop-inputs-defined", "operators-sequenceinsert-tensor"],
    )
    row = floats([1, -2])
    yield in_loop(
        "gemm-in-branch: then is a Gemm of the carried value and two initializers of the main graph",
        PRODUCT,
        # [1, -2] → [8, 21] → [31, 28]
        Run({"trips": np.int64(2), "cond": np.True_, "x": row}, {"final": floats([31, 28])}),
        Run({"trips": np.int64(3), "cond": np.False_, "x": row}, {"final": -row}),
        why=[
            "ir-outer-scope",
            "operators-loop-inputs-defined",
            issue("onnx/onnx-mlir", 688, "Gemm in an If in a Loop could not be lowered"),
        ],
    )


def _loops_in_branches() -> Iterator[Vector]:
    rule = "onnx/if/loop-in-branch/"
    x = floats(1, -2)
    yield Vector(
        rule + "loop-in-then",
        "then adds x to itself in a Loop",
        [GRAPHS, "ir-outer-scope"],
        LOOP_IN_THEN,
        [
            Run({"cond": np.True_, "trips": np.int64(4), "x": x}, {"y": 5 * x}),
            Run({"cond": np.False_, "trips": np.int64(4), "x": x}, {"y": -x}),
            Run({"cond": np.True_, "trips": np.int64(0), "x": x}, {"y": x}),
        ],
    )
    yield Vector(
        rule + "if-in-loop-in-else",
        "else has a Loop whose body has an If",
        [GRAPHS, "ir-outer-scope", issue("tensorflow/tflite-micro", 869, "nested control flow took a wrong branch")],
        IF_IN_LOOP_IN_ELSE,
        [
            # 5 → 10 → 15 → 14 → 13
            Run({"cond": np.False_, "trips": np.int64(4), "x": np.int64(5)}, {"y": np.int64(13)}),
            Run({"cond": np.True_, "trips": np.int64(4), "x": np.int64(5)}, {"y": np.int64(-5)}),
        ],
        also=["onnx/if/in-loop", "onnx/if/nesting"],
    )
