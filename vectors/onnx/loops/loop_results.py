"""Results of the body of a Loop around an If: values that are carried and shown, exchanged, or not its own."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, model, says, vectors_of

in_loop = vectors_of("onnx/if/in-loop")

PAIR = says("operators-loop-pairs-of-variables", "operators-loop-b-in-is-not-b-out")

SINGLE = says("ir-node-ssa", note="a value that is read again later is what it was")
ONCE = [
    issue("Samsung/ONE", 4785, "the memory of a body's inputs was used for its outputs before all of them were read")
]
X, Z, K = floats(1, -2), floats(10, 20), floats(3, 5)

# The value that is shown is the carried one itself, from the body and from then.
BEFORE = model("""
    before (int64 trips, bool cond, float[2] x) => (float[2] last, float[?,2] all, float[?,2] more) <bool yes = {1}> {
        last, all, more = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out, float[2] first, float[2] second)
            {
                on_out = Identity (on)
                first = Identity (v)
                v_out, second = If (cond) <
                    then_branch = then_graph () => (float[2] a, float[2] c) { a = Add (v, x)  c = Identity (v) },
                    else_branch = else_graph () => (float[2] b, float[2] d) { b = Neg (v)  d = Add (v, v) }>
            }>
    }""")

NUMBERS = model("""
    numbers (int64 trips, bool cond, int64 start) => (int64 last, int64[?] all, int64[?] more) <bool yes = {1}> {
        last, all, more = Loop (trips, yes, start) <
            body = step (int64 i, bool on, int64 v) => (bool on_out, int64 v_out, int64 first, int64 second) {
                on_out = Identity (on)
                first = Identity (i)
                v_out, second = If (cond) <
                    then_branch = then_graph () => (int64 a, int64 c) { a = Identity (i)  c = Identity (i) },
                    else_branch = else_graph () => (int64 b, int64 d) { b = Add (v, i)  d = Neg (i) }>
            }>
    }""")

MATRICES = model("""
    matrices (int64 trips, bool cond, float[2,2] x) => (float[2,2] last, float[?,2,2] all) <bool yes = {1}> {
        last, all = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2,2] v) => (bool on_out, float[2,2] v_out, float[2,2] shown) {
                on_out = Identity (on)
                v_out, shown = If (cond) <
                    then_branch = then_graph () => (float[2,2] a, float[2,2] c) { a = Add (v, x)  c = Neg (v) },
                    else_branch = else_graph () => (float[2,2] b, float[2,2] d) { b = Neg (v)  d = Transpose (v) }>
            }>
    }""")

EXCHANGED = model("""
    exchanged (int64 trips, bool cond, float[2] x, float[2] z) => (float[2] p, float[2] q) <bool yes = {1}> {
        p, q = Loop (trips, yes, x, z) <
            body = step (int64 i, bool on, float[2] v, float[2] w) => (bool on_out, float[2] v_out, float[2] w_out) {
                on_out = Identity (on)
                v_out, w_out = If (cond) <
                    then_branch = then_graph () => (float[2] a, float[2] c) { a = Identity (w)  c = Identity (v) },
                    else_branch = else_graph () => (float[2] b, float[2] d) { b = Add (v, w)  d = Sub (v, w) }>
            }>
    }""")

# The flag of each element decides.
SCANNED = model("""
    exchanged (bool[n] flags, float[2] x, float[2] z) => (float[2] p, float[2] q) {
        p, q = Scan <
            num_scan_inputs = 1,
            body = step (float[2] v, float[2] w, bool flag) => (float[2] v_out, float[2] w_out) {
                v_out, w_out = If (flag) <
                    then_branch = then_graph () => (float[2] a, float[2] c) { a = Identity (w)  c = Identity (v) },
                    else_branch = else_graph () => (float[2] b, float[2] d) { b = Add (v, w)  d = Sub (v, w) }>
            }> (x, z, flags)
    }""")

# m is the initial value of both, of which then changes one; a later node reads it.
SAME_START = model("""
    same (int64 trips, bool cond, float[2] x) => (float[2] p, float[2] q, float[2] r) <bool yes = {1}> {
        m = Add (x, x)
        p, q = Loop (trips, yes, m, m) <
            body = step (int64 i, bool on, float[2] v, float[2] w) => (bool on_out, float[2] v_out, float[2] w_out) {
                on_out = Identity (on)
                v_out, w_out = If (cond) <
                    then_branch = then_graph () => (float[2] a, float[2] c) { a = Add (v, v)  c = Identity (w) },
                    else_branch = else_graph () => (float[2] b, float[2] d) { b = Identity (v)  d = Neg (w) }>
            }>
        r = Neg (m)
    }""")

# Even trips return the initializer, odd ones double what is carried.
RESET = """
    reset (int64 trips, float[2] x) => (float[2] last{more}) <bool yes = {{1}}, int64 two = {{2}}{stored}> {{
        last = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {{
                on_out = Identity (on)
                half = Div (i, two)
                twice = Mul (half, two)
                even = Equal (twice, i)
                v_out = If (even) <
                    then_branch = {then},
                    else_branch = else_graph () => (float[2] b) {{ b = Add (v, v) }}>
            }}>
        {kept}
    }}"""
OUTER_RESET = model(
    RESET.format(
        more=", float[2] kept",
        stored=", float[2] k = {3, 5}",
        then="then_graph () => (float[2] a) { a = Identity (k) }",
        kept="kept = Neg (k)",
    )
)
INNER_RESET = model(
    RESET.format(more="", stored="", then="then_graph () => (float[2] a) <float[2] a = {3, 5}> { }", kept="")
)

STORED_COND = model("""
    stored (int64 trips, bool cond, float[2] x) => (float[2] last) <bool yes = {1}> {
        last = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (yes)
                v_out = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (v, x) },
                    else_branch = else_graph () => (float[2] b) { b = Neg (v) }>
            }>
    }""")

# Then appends a row to what is empty at first, else puts one before it; the last row is stacked too.
FROM_EMPTY = """
    grows (int64 trips, bool cond, float[0,2] none, float[1,2] x) => (OUTPUTS)
    <bool yes = {1}, int64 last = {-1}> {
        rows, shown = Loop (trips, yes, none) <
            body = step (int64 i, bool on, float[?,2] v) => (bool on_out, float[?,2] v_out, float[2] row) {
                on_out = Identity (on)
                number = Cast <to = 1> (i)
                new = Add (x, number)
                v_out = If (cond) <
                    then_branch = then_graph () => (float[?,2] a) { a = Concat <axis = 0> (v, new) },
                    else_branch = else_graph () => (float[?,2] b) { b = Concat <axis = 0> (new, v) }>
                row = Gather <axis = 0> (v_out, last)
            }>
    }"""

# The same body twice, once over the other's result.
TWINS = model("""
    twins (int64 trips, bool cond, float[2] x) => (float[2] y, float[2] z) <bool yes = {1}> {
        y = Loop (trips, yes, x) <
            body = first (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_one () => (float[2] a) { a = Add (v, x) },
                    else_branch = else_one () => (float[2] b) { b = Neg (v) }>
            }>
        z = Loop (trips, yes, y) <
            body = second (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_two () => (float[2] a) { a = Add (v, x) },
                    else_branch = else_two () => (float[2] b) { b = Neg (v) }>
            }>
    }""")


def vectors() -> Iterator[Vector]:
    yield Vector(
        "onnx/if/sibling-names-independent/identical-loops",
        "two Loops have the same body, with an If and the same names within",
        [
            "ir-names-unique",
            issue("ROCm/AMDMIGraphX", 5103, "two loops with one body were entered in a table under one key"),
        ],
        TWINS,
        [
            Run({"trips": np.int64(2), "cond": np.True_, "x": X}, {"y": 3 * X, "z": 5 * X}),
            Run({"trips": np.int64(1), "cond": np.False_, "x": X}, {"y": -X, "z": X}),
        ],
        also=["onnx/if/in-loop"],
    )


def _shown() -> Iterator[Vector]:
    def before(trips: int, cond: bool) -> Run:
        carried = [X * (n + 1 if cond else (-1) ** n) for n in range(trips + 1)]
        first = np.float32(carried[:-1])
        inputs = {"trips": np.int64(trips), "cond": np.bool_(cond), "x": X}
        return Run(inputs, {"last": carried[-1], "all": first, "more": first if cond else 2 * first})

    yield in_loop(
        "carried-value-shown-as-it-came: "
        "the body and then stack the carried value as the trip received it, next to the new one",
        BEFORE,
        [before(3, cond=True), before(3, cond=False), before(1, cond=True)],
        why=[
            PAIR,
            "operators-loop-values-concatenated",
            issue("onnx/onnx-mlir", 1153, "stacked results were those of the next trip"),
        ],
    )
    square = floats([1, -2], [5, 3])
    yield in_loop(
        "matrices-stacked: a result of the If that is a matrix of two by two is stacked: one matrix for each trip",
        MATRICES,
        Run(
            {"trips": np.int64(3), "cond": np.True_, "x": square},
            {"last": 4 * square, "all": np.stack([-square, -2 * square, -3 * square])},
        ),
        Run(
            {"trips": np.int64(2), "cond": np.False_, "x": square},
            {"last": square, "all": np.stack([square.T, -square.T])},
        ),
        why=[
            "operators-loop-values-concatenated",
            "operators-loop-sample-vals",
            "examples-loop-11",
            issue("onnx/onnx", 3122, "whether what a Loop stacks has one axis more than the results of its body"),
        ],
    )
    yield in_loop(
        "iteration-number-returned: "
        "the body and then stack the iteration number itself, and then also makes it the carried value",
        NUMBERS,
        Run(
            {"trips": np.int64(4), "cond": np.True_, "start": np.int64(7)},
            {"last": np.int64(3), "all": np.int64([0, 1, 2, 3]), "more": np.int64([0, 1, 2, 3])},
        ),
        Run(
            {"trips": np.int64(3), "cond": np.False_, "start": np.int64(7)},
            {"last": np.int64(10), "all": np.int64([0, 1, 2]), "more": np.int64([0, -1, -2])},
        ),
        why=[
            "operators-loop-iteration-number",
            "operators-loop-values-concatenated",
            issue("microsoft/onnxruntime", 4210, "an iteration number that is returned was not copied"),
            issue("tracel-ai/burn", 4210, "stacked scalars lost their type"),
        ],
    )


def _exchanged() -> Iterator[Vector]:
    def run(trips: int, cond: bool, p: np.ndarray, q: np.ndarray) -> Run:
        return Run({"trips": np.int64(trips), "cond": np.bool_(cond), "x": X, "z": Z}, {"p": p, "q": q})

    yield in_loop(
        "carried-values-change-places: "
        "then returns two carried values in each other's place, else their sum and difference",
        EXCHANGED,
        run(1, True, Z, X),
        run(2, True, X, Z),
        run(3, True, Z, X),
        run(1, False, X + Z, X - Z),
        run(2, False, 2 * X, 2 * Z),
        run(0, True, X, Z),
        why=[PAIR, *ONCE],
    )
    yield Vector(
        "onnx/if/in-scan/states-change-places",
        "then returns two states in each other's place, else their sum and difference",
        ["operators-scan-calls-body", *ONCE],
        SCANNED,
        [
            Run({"flags": np.bool_([1]), "x": X, "z": Z}, {"p": Z, "q": X}),
            Run({"flags": np.bool_([1, 1]), "x": X, "z": Z}, {"p": X, "q": Z}),
            Run({"flags": np.bool_([0, 1, 0]), "x": X, "z": Z}, {"p": 2 * X, "q": -2 * Z}),
        ],
    )
    yield in_loop(
        "one-initial-value-of-two: "
        "one computed value is the initial value of two carried ones, of which each branch changes one, and is read "
        "afterwards",
        SAME_START,
        Run({"trips": np.int64(2), "cond": np.True_, "x": X}, {"p": 8 * X, "q": 2 * X, "r": -2 * X}),
        Run({"trips": np.int64(3), "cond": np.False_, "x": X}, {"p": 2 * X, "q": -2 * X, "r": -2 * X}),
        Run({"trips": np.int64(0), "cond": np.True_, "x": X}, {"p": 2 * X, "q": 2 * X, "r": -2 * X}),
        why=[
            SINGLE,
            PAIR,
            issue(
                "microsoft/onnxruntime", 497, "the initial value may not be overwritten if it is read after the Loop"
            ),
        ],
    )


def _from_empty() -> Iterator[Vector]:
    rows = X + floats([0], [1], [2])
    firsts = np.stack([rows[0]] * 3)
    none = np.zeros([0, 2], np.float32)
    clamped = issue("openvinotoolkit/openvino", 36344, "a carried value that is empty at first stayed empty")
    different = "if-different-shapes"
    for case, title, outputs in [
        ("carried-value-empty-at-first", "a carried value begins without rows, and each trip adds one", True),
        ("carried-value-empty-at-first-unread", "the same, and nothing reads the carried value after the Loop", False),
    ]:
        declared = "float[?,2] rows, float[?,2] shown" if outputs else "float[?,2] shown"
        yield in_loop(
            f"{case}: {title}",
            model(FROM_EMPTY.replace("OUTPUTS", declared)),
            [
                Run(
                    {"trips": np.int64(3), "cond": np.bool_(cond), "none": none, "x": X.reshape(1, 2)},
                    ({"rows": rows if cond else rows[::-1]} if outputs else {}) | {"shown": rows if cond else firsts},
                )
                for cond in (True, False)
            ],
            why=[PAIR, different, clamped],
            also=["onnx/if/shape-union"],
        )


def _not_its_own() -> Iterator[Vector]:
    yield in_loop(
        "carried-value-is-outer-initializer: "
        "every other trip returns an initializer of the main graph, which the next trip doubles; it stays as it is",
        OUTER_RESET,
        Run({"trips": np.int64(4), "x": X}, {"last": 2 * K, "kept": -K}),
        Run({"trips": np.int64(3), "x": X}, {"last": K, "kept": -K}),
        Run({"trips": np.int64(6), "x": X}, {"last": 2 * K, "kept": -K}),
        why=[
            "ir-outer-scope",
            SINGLE,
            issue("robertknight/rten", 407, "a body may overwrite a captured value only in its last trip"),
        ],
    )
    yield in_loop(
        "carried-value-is-branch-initializer: "
        "every other trip returns an initializer of then, which the next trip doubles; it stays as it is",
        INNER_RESET,
        Run({"trips": np.int64(4), "x": X}, {"last": 2 * K}),
        Run({"trips": np.int64(3), "x": X}, {"last": K}),
        Run({"trips": np.int64(6), "x": X}, {"last": 2 * K}),
        why=[SINGLE, PAIR],
        also=["onnx/if/output-is-initializer"],
    )
    yield in_loop(
        "bodys-cond-is-outer-initializer: "
        "the body's cond is an Identity of the initializer that is the Loop's cond too",
        STORED_COND,
        Run({"trips": np.int64(3), "cond": np.True_, "x": X}, {"last": 4 * X}),
        Run({"trips": np.int64(3), "cond": np.False_, "x": X}, {"last": -X}),
        why=[
            "ir-outer-scope",
            issue("microsoft/onnxruntime", 8825, "an Identity of a constant that a body returns was removed"),
        ],
    )
