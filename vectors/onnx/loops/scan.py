"""If in a Scan's body, and Scan in a branch."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, says, vectors_of

LENGTH = says("operators-scan-length", "operators-scan-for-length")

AXES = says("operators-scan-directions-of-inputs", "operators-scan-output-directions", "operators-scan-input-axes")

GRAPHS = says("if-then-branch-runs", note="a graph may hold any operator")

in_scan = vectors_of("onnx/if/in-scan", "ir-outer-scope", "operators-scan-iteration")
loop_in_branch = vectors_of("onnx/if/loop-in-branch", GRAPHS, "ir-outer-scope")

X = floats([1, -2], [3, 1], [0, 5])
START = floats(10, 20)

# An element whose sum is positive is added to the state, any other is subtracted.
SIGNED = """
    signed (float[2] start, float[n,2] x) => (float[2] final, float[n,2] all) <float zero = {0}> {
        final, all = Scan <
            num_scan_inputs = 1,
            body = step (float[2] s, float[2] e) => (float[2] s_out, float[2] shown) {
                total = %s
                positive = Greater (total, zero)
                s_out = If (positive) <
                    then_branch = then_graph () => (float[2] a) { a = Add (s, e) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (s, e) }>
                shown = Identity (s_out)
            }> (start, x)
    }"""
SUM_OF_TWO = "ReduceSum <keepdims = 0> (e)"

STATE_ALONE = """
    state (float[2] start, float[n,2] x) => (float[2] final) <float zero = {0}> {
        final = Scan <
            num_scan_inputs = 1,
            body = step (float[2] s, float[2] e) => (float[2] s_out) {
                total = ReduceSum <keepdims = 0> (e)
                positive = Greater (total, zero)
                s_out = If (positive) <
                    then_branch = then_graph () => (float[2] a) { a = Add (s, e) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (s, e) }>
            }> (start, x)
    }"""

# The first stacked output has the type of the state, and the second has not.
TWO_STACKED = model("""
    stacked (bool cond, float[2] start, float[n,2] x) => (float[2] final, float[n,2] all, int64[n] sizes) {
        final, all, sizes = Scan <
            num_scan_inputs = 1,
            body = step (float[2] s, float[2] e) => (float[2] s_out, float[2] shown, int64 size) {
                s_out = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (s, e) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (s, e) }>
                shown = Neg (s_out)
                size = Size (e)
            }> (start, x)
    }""")

# The element is the cond: a scalar, since the scanned axis was its only one.
FLAGS = model("""
    flagged (bool[n] flags, int64[n] x) => (int64[n] all) {
        all = Scan <
            num_scan_inputs = 2,
            body = step (bool flag, int64 e) => (int64 y) {
                y = If (flag) <
                    then_branch = then_graph () => (int64 a) { a = Neg (e) },
                    else_branch = else_graph () => (int64 b) { b = Add (e, e) }>
            }> (flags, x)
    }""")

FROM_MAIN = model("""
    given (bool cond, float[2] start, float[n,2] x) => (float[2] final) <float[2] k = {100, 200}> {
        bias = Neg (start)
        final = Scan <
            num_scan_inputs = 1,
            body = step (float[2] s, float[2] e) => (float[2] s_out) {
                s_out = If (cond) <
                    then_branch = then_graph () => (float[2] a) { t = Add (s, k)  a = Add (t, e) },
                    else_branch = else_graph () => (float[2] b) <float[2] w = {1, 2}>
                        { t = Add (s, w)  b = Add (t, bias) }>
            }> (start, x)
    }""")

BACKWARD = model("""
    backward (bool cond, float[2] start, float[2,n] x) => (float[2] final, float[2,n] all) {
        final, all = Scan <
            num_scan_inputs = 1, scan_input_axes = [1], scan_input_directions = [1],
            scan_output_axes = [1], scan_output_directions = [1],
            body = step (float[2] s, float[2] e) => (float[2] s_out, float[2] shown) {
                s_out = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (s, e) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (s, e) }>
                shown = Identity (s_out)
            }> (start, x)
    }""")

# Rows of x beside columns of z.
ZIPPED = model("""
    zipped (bool cond, float[3,2] x, float[2,3] z) => (float[3,2] all) {
        all = Scan <
            num_scan_inputs = 2, scan_input_axes = [0, 1],
            body = step (float[2] row, float[2] column) => (float[2] shown) {
                shown = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (row, column) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (row, column) }>
            }> (x, z)
    }""")

NESTED = model("""
    nested (bool[n] outer, bool[n] inner, float[2] start) => (float[2] final) {
        final = Scan <
            num_scan_inputs = 2,
            body = step (float[2] s, bool p, bool q) => (float[2] s_out) {
                s_out = If (p) <
                    then_branch = then_graph () => (float[2] a) {
                        a = If (q) <
                            then_branch = deep_then () => (float[2] c) { c = Add (s, start) },
                            else_branch = deep_else () => (float[2] d) { d = Add (s, s) }>
                    },
                    else_branch = else_graph () => (float[2] b) { b = Neg (s) }>
            }> (start, outer, inner)
    }""")

# The branches' shapes differ, and so may those of the iterations; then the results cannot be stacked.
STACKED = model("""
    stacked (bool[n] flags, float[2] x) => (float[?,?] all) {
        all = Scan <
            num_scan_inputs = 1,
            body = step (bool flag) => (float[?] y) {
                y = If (flag) <
                    then_branch = then_graph () => (a) { a = Neg (x) },
                    else_branch = else_graph () => (b) { b = Concat <axis = 0> (x, x) }>
            }> (flags)
    }""")

IN_THEN = model("""
    branched (bool cond, float[2] start, float[n,2] x) => (float[2] y) <float[2] k = {1, 2}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                a = Scan <
                    num_scan_inputs = 1,
                    body = step (float[2] s, float[2] e) => (float[2] s_out) { t = Add (s, e)  s_out = Add (t, k) }
                > (start, x)
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (start) }>
    }""")

# Scan in else, an If in its body, a Loop in that If's branch.
IN_ELSE = model("""
    branched (bool cond, int64 start, int64[n] x) => (int64 y) <bool yes = {1}, int64 zero = {0}> {
        y = If (cond) <
            then_branch = then_graph () => (int64 a) { a = Neg (start) },
            else_branch = else_graph () => (int64 b) {
                b = Scan <
                    num_scan_inputs = 1,
                    body = step (int64 s, int64 e) => (int64 s_out) {
                        positive = Greater (e, zero)
                        s_out = If (positive) <
                            then_branch = deep_then () => (int64 c) {
                                c = Loop (e, yes, s) <
                                    body = twice (int64 i, bool on, int64 v) => (bool on_out, int64 v_out) {
                                        on_out = Identity (on)
                                        v_out = Add (v, v)
                                    }>
                            },
                            else_branch = deep_else () => (int64 d) { d = Add (s, e) }>
                    }> (start, x)
            }>
    }""")

SCANNED = model("""
    chosen (bool cond, float[2,2] x) => (float[2] last, float[2,2] all) <float[2] zero = {0, 0}> {
        rows, first = If (cond) <
            then_branch = then_graph () => (float[2,2] a, float[2] f) { a = Neg (x)  f = Identity (zero) },
            else_branch = else_graph () => (float[2,2] b, float[2] g)
                { b = Add (x, x)  g = Constant <value = float[2] {100, 200}> () }>
        last, all = Scan <
            num_scan_inputs = 1,
            body = step (float[2] s, float[2] e) => (float[2] s_out, float[2] shown)
                { s_out = Add (s, e)  shown = Identity (s_out) }> (first, rows)
    }""")

# Then makes the state longer by one element in each trip.
GROWING = model("""
    state (bool cond, float[m] start, float[n] x) => (float[?] final) {
        final = Scan <
            num_scan_inputs = 1,
            body = step (float[?] s, float e) => (float[?] s_out) {
                s_out = If (cond) <
                    then_branch = then_graph () => (float[?] a) {
                        one = Constant <value = int64[1] {1}> ()
                        list = Reshape (e, one)
                        a = Concat <axis = 0> (s, list)
                    },
                    else_branch = else_graph () => (float[?] b) { b = Add (s, e) }>
            }> (start, x)
    }""")

# Then makes the second state longer by one element in each trip.
SECOND_GROWING = model("""
    states (bool cond, float[m] start, float[n] x) => (float sum, float[?] final) <float zero = {0}> {
        sum, final = Scan <
            num_scan_inputs = 1,
            body = step (float t, float[?] s, float e) => (float t_out, float[?] s_out) {
                t_out = Add (t, e)
                s_out = If (cond) <
                    then_branch = then_graph () => (float[?] a) {
                        one = Constant <value = int64[1] {1}> ()
                        list = Reshape (e, one)
                        a = Concat <axis = 0> (s, list)
                    },
                    else_branch = else_graph () => (float[?] b) { b = Add (s, e) }>
            }> (zero, start, x)
    }""")


def vectors() -> Iterator[Vector]:
    x = floats([1, 2], [3, 4])
    yield Vector(
        "onnx/if/operand-positions/scanned-by-scan",
        "one result is scanned by a Scan, another is its initial state",
        ["if-outputs-live-out", "operators-scan-iteration"],
        SCANNED,
        branches(
            {"x": x},
            then={"last": floats(-4, -6), "all": floats([-1, -2], [-4, -6])},
            else_={"last": floats(108, 212), "all": floats([102, 204], [108, 212])},
        ),
    )


def _ifs_in_scans() -> Iterator[Vector]:
    signed = [
        # The sums are -1, 4 and 5.
        Run({"start": START, "x": X}, {"final": floats(12, 28), "all": floats([9, 22], [12, 23], [12, 28])}),
        Run({"start": START, "x": -X[:1]}, {"final": floats(9, 22), "all": floats([9, 22])}),
    ]
    yield in_scan(
        "state-and-element-captured: both branches read the state and the element, which decides between them",
        model(SIGNED % SUM_OF_TWO),
        signed,
        also=["onnx/if/outer-scope-capture"],
    )
    yield in_scan(
        "opset-nine: the same with the first Scan of this form, and If-1", model(SIGNED % SUM_OF_TWO, 9), signed
    )
    yield in_scan(
        "no-elements: no element is scanned: the state stays as it was, and the stacked output is empty",
        model(SIGNED % SUM_OF_TWO),
        Run({"start": START, "x": np.zeros((0, 2), np.float32)}, {"final": START, "all": np.zeros((0, 2), np.float32)}),
        why=["operators-scan-iteration"],
        doubt="no sentence forbids a length of 0, and none gives the shape of a scan output without trips",
    )
    yield in_scan(
        "no-elements-stacked-along-axis-one: "
        "no column is scanned: the state stays as it was, and the stacked output has no columns",
        BACKWARD,
        Run(
            {"cond": np.True_, "start": START, "x": np.zeros((2, 0), np.float32)},
            {"final": START, "all": np.zeros((2, 0), np.float32)},
        ),
        why=["operators-scan-iteration", AXES],
        doubt="no sentence forbids a length of 0, and none gives the shape of a scan output without trips",
    )
    yield in_scan(
        "no-elements-and-two-stacked-outputs: "
        "no element is scanned: the two stacked outputs, of different types, are empty",
        TWO_STACKED,
        Run(
            {"cond": np.True_, "start": START, "x": np.zeros((0, 2), np.float32)},
            {"final": START, "all": np.zeros((0, 2), np.float32), "sizes": np.zeros(0, np.int64)},
        ),
        Run(
            {"cond": np.False_, "start": START, "x": floats([1, 2])},
            {"final": floats(9, 18), "all": floats([-9, -18]), "sizes": np.int64([2])},
        ),
        why=["operators-scan-iteration"],
        doubt="no sentence forbids a length of 0, and none gives the shape of a scan output without trips",
    )
    yield in_scan(
        "no-elements-and-no-stacked-output: no element is scanned, and nothing is stacked: the state stays as it was",
        model(STATE_ALONE),
        Run({"start": START, "x": np.zeros((0, 2), np.float32)}, {"final": START}),
        # 1 + 2 is above 0: added; -4 + 1 is not: subtracted
        Run({"start": START, "x": floats([1, 2], [-4, 1])}, {"final": START + floats(5, 1)}),
        why=["operators-scan-iteration", "operators-scan-length-may-be-zero"],
    )
    yield in_scan(
        "element-is-cond: two inputs are scanned together; an element of the first, of rank 0, is cond",
        FLAGS,
        Run({"flags": np.bool_([1, 0, 1]), "x": np.int64([1, 2, 3])}, {"all": np.int64([-1, 4, -3])}),
        Run({"flags": np.bool_([0]), "x": np.int64([7])}, {"all": np.int64([14])}),
        why=["operators-scan-iteration", "if-cond-single-element"],
        also=["onnx/if/cond-source"],
    )
    yield in_scan(
        "cond-from-main-graph: cond, an initializer and a computed value come from the main graph, through the body",
        FROM_MAIN,
        # 10 + 100 + 1 …: three times k, and the sum of the elements
        Run({"cond": np.True_, "start": START, "x": X}, {"final": floats(314, 624)}),
        # three times w - start
        Run({"cond": np.False_, "start": START, "x": X}, {"final": floats(-17, -34)}),
    )
    columns = floats([1, 2, 3], [4, 5, 6])
    sums = {"final": floats(6, 15), "all": floats([6, 5, 3], [15, 11, 6])}
    zero = floats(0, 0)
    yield in_scan(
        "columns-from-the-back: the input is scanned from the last column, and the results are stacked backwards",
        BACKWARD,
        branches({"start": zero, "x": columns}, then=sums, else_={name: 0 - held for name, held in sums.items()}),
        why=["operators-scan-iteration", AXES],
    )
    yield in_scan(
        "rows-and-columns: the rows of one input are scanned together with the columns of another",
        ZIPPED,
        branches({"x": X, "z": columns}, then={"all": X + columns.T}, else_={"all": X - columns.T}),
        why=["operators-scan-iteration", AXES],
    )
    yield in_scan(
        "nested: an If within then, both conds scanned; the inner one reads the state and a graph input",
        NESTED,
        # (1, 1): + start; (1, 0): doubled; (0, …): negated. 1 → 2 → 4 → -4 → -3
        Run(
            {"outer": np.bool_([1, 1, 0, 1]), "inner": np.bool_([1, 0, 0, 1]), "start": floats(1, -2)},
            {"final": floats(-3, 6)},
        ),
        Run({"outer": np.bool_([0, 0]), "inner": np.bool_([1, 1]), "start": floats(1, -2)}, {"final": floats(1, -2)}),
        why=[
            "ir-outer-scope",
            "operators-scan-iteration",
            issue("tensorflow/tflite-micro", 869, "nested control flow took a wrong branch"),
        ],
        also=["onnx/if/nesting"],
    )


def _shapes() -> Iterator[Vector]:
    x = floats(1, -2)
    alike = in_scan(
        "trips-give-one-shape: then returns [2], else [4]; all trips of a run take the same branch",
        STACKED,
        Run({"flags": np.bool_([1, 1]), "x": x}, {"all": floats([-1, 2], [-1, 2])}),
        Run({"flags": np.bool_([0]), "x": x}, {"all": floats([1, -2, 1, -2])}),
        why=["operators-scan-dimensions-must-not-change"],
        also=["onnx/if/shape-union"],
    )
    yield alike.refusing(
        "trips-give-two-shapes: one trip returns [2], the next [4]: they cannot be stacked",
        {"flags": np.bool_([1, 0]), "x": x},
    )
    kept = in_scan(
        "state-keeps-its-shape: "
        "then would make the state longer by one element in each trip; else adds to it, and all trips take else",
        GROWING,
        Run({"cond": np.False_, "start": x, "x": floats(3, 4)}, {"final": x + 7}),
        why=["operators-scan-same-shape-in-each-iteration"],
    )
    yield kept.refusing(
        "state-grows: three trips make the state longer by one element each",
        {"cond": np.True_, "start": x, "x": floats(3, 4, 5)},
    )
    both = in_scan(
        "states-keep-their-shapes: "
        "then would make the second of two states longer by one element; else adds to it, and all trips take else",
        SECOND_GROWING,
        Run({"cond": np.False_, "start": x, "x": floats(3, 4)}, {"sum": np.float32(7), "final": x + 7}),
        why=["operators-scan-same-shape-in-each-iteration"],
    )
    yield both.refusing(
        "second-state-grows: three trips make the second of two states longer by one element each",
        {"cond": np.True_, "start": x, "x": floats(3, 4, 5)},
    )


def _scans_in_branches() -> Iterator[Vector]:
    yield loop_in_branch(
        "scan-in-then: then is a Scan, whose body reads an initializer of the main graph",
        IN_THEN,
        branches({"start": START, "x": X}, then={"y": floats(17, 30)}, else_={"y": -START}),
    )
    yield loop_in_branch(
        "loop-in-if-in-scan-in-else: else has a Scan, its body an If, the If's then a Loop",
        IN_ELSE,
        # 3, doubled twice is 12, less 5 is 7, doubled once is 14
        Run({"cond": np.False_, "start": np.int64(3), "x": np.int64([2, -5, 1])}, {"y": np.int64(14)}),
        Run({"cond": np.True_, "start": np.int64(3), "x": np.int64([2, -5, 1])}, {"y": np.int64(-3)}),
        also=["onnx/if/in-scan", "onnx/if/nesting"],
    )


def _known_beforehand() -> Iterator[Vector]:
    """The cond and the branches are constants, so that what the body returns is one too.

    Every place declares a variable of its own, so that no variable has two lengths in one run.
    """
    for case, what, other in [
        ("of-two-lengths", "of two elements, else one of one", "int64[1] {7}"),
        ("of-one-length", "of two elements, and so does else", "int64[2] {7, 8}"),
    ]:
        yield in_scan(
            f"constants-{case}: cond in the body of a Scan is the constant true; then returns a constant {what}",
            model(f"""
                g (float[r] x) => (int64[m, n] y) {{
                    y = Scan <num_scan_inputs = 1, body = step (float e) => (int64[k] o) <bool yes = {{1}}> {{
                        o = If (yes) <
                            then_branch = then_graph () => (int64[p] a) {{
                                a = Constant <value = int64[2] {{5, 6}}> ()
                            }},
                            else_branch = else_graph () => (int64[q] b) {{ b = Constant <value = {other}> () }}>
                    }}> (x)
                }}"""),
            [Run({"x": np.float32(x)}, {"y": np.int64([[5, 6]] * len(x))}) for x in ([1, 2], [3])],
            why=["operators-scan-iteration", LENGTH, "operators-scan-output-concatenated", "if-outputs-live-out"],
            about=["unread-elements"],
        )
