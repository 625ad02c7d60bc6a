"""If in a SequenceMap's body, SequenceMap in a branch."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, issue, model, says, sequence, vectors_of
from ifcert.authoring.values import TensorSequence

RULE = "onnx/if/in-sequence-map/"

in_sequence_map = vectors_of("onnx/if/in-sequence-map", "ir-outer-scope", "operators-sequencemap-each-element")

FLOATS = "tensor(float32)"


def floats(*items: list[float]) -> TensorSequence:
    """A sequence of float tensors of rank 1."""
    return sequence(FLOATS, [np.float32(item) for item in items])


BY_SIZE = model("""<opset_import: ["" : 17]>
    sized (seq(float[?]) s) => (seq(float[?]) y) <int64 one = {1}> {
        y = SequenceMap (s) <body = each (float[k] item) => (float[k] r) {
            n = Size (item)
            long = Greater (n, one)
            r = If (long) <
                then_branch = then_graph () => (a) { a = Add (item, item) },
                else_branch = else_graph () => (b) { b = Neg (item) }>
        }>
    }""")

FROM_MAIN = model("""<opset_import: ["" : 17]>
    given (bool cond, seq(float[2]) s, float[2] x) => (seq(float[2]) y) <float[2] k = {100, 200}> {
        bias = Neg (x)
        y = SequenceMap (s) <body = each (float[2] item) => (float[2] r) {
            r = If (cond) <
                then_branch = then_graph () => (a) { a = Add (item, k) },
                else_branch = else_graph () => (b) <float[2] w = {1, 2}> { t = Mul (item, w)  b = Add (t, bias) }>
        }>
    }""")

# CastLike is a function of ONNX itself, as SequenceMap is; both branches and the body read the outer z.
LIKE = model("""<opset_import: ["" : 17]>
    like (bool cond, seq(int64[2]) s, double z) => (seq(double[2]) y) {
        y = SequenceMap (s) <body = each (int64[2] item) => (double[2] r) {
            f = CastLike (item, z)
            r = If (cond) <
                then_branch = then_graph () => (a) { a = Add (f, z) },
                else_branch = else_graph () => (b) { t = CastLike (item, z)  twice = Add (t, t)  b = Sub (twice, z) }>
        }>
    }""")

THREE = model("""<opset_import: ["" : 17]>
    zipped (bool cond, seq(float[2]) p, seq(float[2]) q, seq(float[2]) r) => (seq(float[2]) y) {
        y = SequenceMap (p, q, r) <body = each (float[2] e, float[2] f, float[2] g) => (float[2] o) {
            s = Add (e, f)
            o = If (cond) <
                then_branch = then_graph () => (a) { a = Add (s, g) },
                else_branch = else_graph () => (b) { b = Sub (s, g) }>
        }>
    }""")

BY_FLAGS = model("""<opset_import: ["" : 17]>
    flagged (seq(float[?]) s, seq(bool) flags, float[1] x) => (seq(float[?]) y) {
        y = SequenceMap (s, flags, x) <body = each (float[?] item, bool flag, float[1] whole) => (float[?] r) {
            r = If (flag) <
                then_branch = then_graph () => (a) { a = Add (item, whole) },
                else_branch = else_graph () => (b) { b = Sub (item, whole) }>
        }>
    }""")

# The tensor has as many rows as the sequence has items.
BY_ROWS = model("""<opset_import: ["" : 17]>
    rows (bool cond, seq(float[2]) s, float[2,2] x) => (seq(float[2,2]) y) {
        y = SequenceMap (s, x) <body = each (float[2] item, float[2,2] whole) => (float[2,2] r) {
            r = If (cond) <
                then_branch = then_graph () => (a) { a = Add (item, whole) },
                else_branch = else_graph () => (b) { b = Sub (whole, item) }>
        }>
    }""")

# The branches differ in shape, and their two outputs in type.
TWO_OUTPUTS = model("""<opset_import: ["" : 17]>
    pair (seq(float[?]) s) => (seq(float[?]) y, seq(int64) n) <float zero = {0}, int64 axis = {0}> {
        y, n = SequenceMap (s) <body = each (float[?] item) => (float[?] r, int64 m) {
            total = ReduceSum <keepdims = 0> (item)
            positive = Greater (total, zero)
            r, m = If (positive) <
                then_branch = then_graph () => (a, p) { a = Concat <axis = 0> (item, item)  p = Size (a) },
                else_branch = else_graph () => (b, q) { b = Neg (item)  q = Constant <value = int64 {-1}> () }>
        }>
    }""")

NESTED = model("""<opset_import: ["" : 17]>
    nested (bool cond, seq(float[?]) s) => (seq(float[?]) y) <int64 one = {1}> {
        y = SequenceMap (s) <body = each (float[?] item) => (float[?] r) {
            n = Size (item)
            long = Greater (n, one)
            r = If (cond) <
                then_branch = then_graph () => (a) {
                    a = If (long) <
                        then_branch = deep_then () => (c) { c = Add (item, item) },
                        else_branch = deep_else () => (d) { d = Mul (item, item) }>
                },
                else_branch = else_graph () => (b) { b = Neg (item) }>
        }>
    }""")

CHOOSE = """
    <domain: "local", opset_import: ["" : 17]>
    choose (c, v) => (w) {
        w = If (c) <
            then_branch = deep_then () => (p) { p = Add (v, v) },
            else_branch = deep_else () => (q) { q = Mul (v, v) }>
    }"""

# The body calls the function.
CALLS = model(
    """
    calls (seq(float[?]) s, seq(bool) flags) => (seq(float[?]) y) {
        y = SequenceMap (s, flags) <body = each (float[?] item, bool flag) => (float[?] r) {
            r = local.choose (flag, item)
        }>
    }"""
    + CHOOSE,
    17,
    domains={"local": 1},
)

# A branch in the body does.
BRANCH_CALLS = model(
    """
    branch_calls (seq(float[?]) s, seq(bool) flags) => (seq(float[?]) y) {
        y = SequenceMap (s, flags) <body = each (float[?] item, bool flag) => (float[?] r) {
            r = If (flag) <
                then_branch = then_graph () => (a) { a = local.choose (flag, item) },
                else_branch = else_graph () => (b) { b = Neg (item) }>
        }>
    }"""
    + CHOOSE,
    17,
    domains={"local": 1},
)

IN_THEN = model("""<opset_import: ["" : 17]>
    branched (bool cond, seq(float[2]) s, float[2] x) => (seq(float[2]) y) {
        y = If (cond) <
            then_branch = then_graph () => (seq(float[2]) a) {
                a = SequenceMap (s) <body = each (float[2] item) => (float[2] r) { r = Add (item, x) }>
            },
            else_branch = else_graph () => (seq(float[2]) b) { b = SequenceConstruct (x) }>
    }""")

MAPPED = model("""<opset_import: ["" : 17]>
    chosen (bool cond, float[2] x) => (seq(float[2]) y) {
        s = If (cond) <
            then_branch = then_graph () => (a) { n = Neg (x)  a = SequenceConstruct (x, n) },
            else_branch = else_graph () => (b) { b = SequenceConstruct (x) }>
        y = SequenceMap (s) <body = each (float[2] item) => (float[2] r) { r = Add (item, item) }>
    }""")

# An int64 is put into the sequence that the map returns.
CASTS = model("""<opset_import: ["" : 17]>
    casts (seq(float[?]) s) => (seq(int64[?]) y) <int64[1] last = {-7}> {
        mapped = SequenceMap (s) <body = each (float[?] item) => (int64[?] r) {
            zero = Constant <value_float = 0.0> ()
            total = ReduceSum <keepdims = 0> (item)
            positive = Greater (total, zero)
            r = If (positive) <
                then_branch = then_graph () => (int64[?] a) { a = Cast <to = 7> (item) },
                else_branch = else_graph () => (int64[?] b) { n = Neg (item)  b = Cast <to = 7> (n) }>
        }>
        y = SequenceInsert (mapped, last)
    }""")

# Matrices of two shapes, as many elements in each.
MATRICES = model("""<opset_import: ["" : 17]>
    matrices (seq(float[?,?]) s) => (seq(float[?,?]) y) {
        y = SequenceMap (s) <body = each (float[?,?] item) => (float[?,?] r) {
            zero = Constant <value_float = 0.0> ()
            total = ReduceSum <keepdims = 0> (item)
            positive = Greater (total, zero)
            r = If (positive) <
                then_branch = then_graph () => (float[?,?] a) { a = Add (item, item) },
                else_branch = else_graph () => (float[?,?] b) { b = Neg (item) }>
        }>
    }""")

# An item without elements gets one.
FILLS = model("""<opset_import: ["" : 17]>
    fills (seq(float[?]) s) => (seq(float[?]) y) {
        y = SequenceMap (s) <body = each (float[?] item) => (float[?] r) {
            none = Constant <value_int = 0> ()
            n = Size (item)
            some = Greater (n, none)
            r = If (some) <
                then_branch = then_graph () => (float[?] a) { a = Neg (item) },
                else_branch = else_graph () => (float[?] b) {
                    k = Constant <value_floats = [9.0]> ()
                    b = Concat <axis = 0> (item, k)
                }>
        }>
    }""")

THREE_SEQUENCES = model("""<opset_import: ["" : 17]>
    three (seq(float[2]) s, seq(float[2]) t, seq(float[2]) u) => (seq(float[2]) y) {
        y = SequenceMap (s, t, u) <body = each (float[2] p, float[2] q, float[2] o) => (float[2] r) {
            zero = Constant <value_float = 0.0> ()
            total = ReduceSum <keepdims = 0> (p)
            positive = Greater (total, zero)
            r = If (positive) <
                then_branch = then_graph () => (float[2] a) { d = Sub (p, q)  a = Mul (d, o) },
                else_branch = else_graph () => (float[2] b) { e = Sub (o, q)  b = Mul (e, p) }>
        }>
    }""")


def vectors() -> Iterator[Vector]:
    sized = in_sequence_map(
        "item-captured: both branches read the item, whose length selects between them",
        BY_SIZE,
        Run({"s": floats([1], [2, 3], [4])}, {"y": floats([-1], [4, 6], [-4])}),
        Run({"s": floats([5, 6])}, {"y": floats([10, 12])}),
        also=["onnx/if/outer-scope-capture"],
    )
    yield sized
    yield sized.varied("no-items: no item, no trip: an empty sequence", runs=[Run({"s": floats()}, {"y": floats()})])
    integers = [np.int64(item) for item in ([4, 5], [6, 8], [-7])]
    yield in_sequence_map(
        "items-change-their-type: "
        "both branches make integers of the item; another is put behind those that the map returns, if any",
        CASTS,
        Run({"s": floats([4, 5], [-6, -8])}, {"y": sequence("tensor(int64)", integers)}),
        Run({"s": floats()}, {"y": sequence("tensor(int64)", integers[2:])}),
        why=["operators-sequencemap-each-element", "operators-sequencemap-order", "operators-sequenceinsert-same-type"],
    )
    fed = {"s": floats([1, 2], [-3, -4]), "t": floats([10, 20], [30, 40]), "u": floats([5, 6], [7, 8])}
    yield in_sequence_map(
        "three-sequences: the branches read an item of each of three sequences",
        THREE_SEQUENCES,
        Run(fed, {"y": floats([-45, -108], [69, 128])}),
        why=["operators-sequencemap-each-element", "ir-outer-scope"],
    )
    wide, tall = np.float32([[1, 2, 3], [4, 5, 6]]), np.float32([[-1, -2], [-3, -4], [-5, -6]])
    yield in_sequence_map(
        "matrices-of-two-shapes: the items have as many elements each, as [2, 3] and as [3, 2]",
        MATRICES,
        Run(
            {"s": sequence(FLOATS, [wide, tall, wide, -tall])},
            {"y": sequence(FLOATS, [2 * wide, -tall, 2 * wide, -2 * tall])},
        ),
        why=["operators-sequencemap-each-element", "operators-sequencemap-order"],
    )
    yield in_sequence_map(
        "items-without-elements: "
        "two of the items have no elements: they are items all the same, and get one element each",
        FILLS,
        Run({"s": floats([], [1, 2], [])}, {"y": floats([9], [-1, -2], [9])}),
        why=["operators-sequencemap-each-element", "operators-sequencemap-order"],
    )
    x = np.float32([1, 2])
    yield in_sequence_map(
        "cond-from-main-graph: cond, an initializer and a computed value come from the main graph, through the body",
        FROM_MAIN,
        branches(
            {"s": floats([1, 2], [3, 4]), "x": x},
            then={"y": floats([101, 202], [103, 204])},
            else_={"y": floats([0, 2], [2, 6])},
        ),
    )
    yield in_sequence_map(
        "second-sequence-is-cond: the items of a second sequence are cond, and a tensor is passed whole to each trip",
        BY_FLAGS,
        Run(
            {"s": floats([1], [2, 3]), "flags": sequence("tensor(bool)", [np.True_, np.False_]), "x": np.float32([10])},
            {"y": floats([11], [-8, -7])},
        ),
        why=["operators-sequencemap-each-element", "operators-sequencemap-inputs"],
        also=["onnx/if/cond-source"],
    )
    numbers = [np.int64([1, -2]), np.int64([30, 4])]
    yield in_sequence_map(
        "function-of-onnx-in-body: "
        "the body and a branch call CastLike, which ONNX defines by a function, with a value of the main graph",
        LIKE,
        branches(
            {"s": sequence("tensor(int64)", numbers), "z": np.float64(10)},
            then={"y": sequence("tensor(float64)", [np.float64(n + 10) for n in numbers])},
            else_={"y": sequence("tensor(float64)", [np.float64(2 * n - 10) for n in numbers])},
        ),
        why=[
            "ir-outer-scope",
            "operators-sequencemap-each-element",
            issue("microsoft/onnxruntime", 22100, "a body with an operator that is a function itself was not loaded"),
        ],
        also=["onnx/if/outer-scope-capture"],
    )
    rows = np.float32([[10, 20], [30, 40]])
    yield in_sequence_map(
        "tensor-of-as-many-rows: a tensor with as many rows as there are items is passed whole to each trip",
        BY_ROWS,
        branches(
            {"s": floats([1, 2], [3, 4]), "x": rows},
            then={"y": sequence(FLOATS, [np.float32([[11, 22], [31, 42]]), np.float32([[13, 24], [33, 44]])])},
            else_={"y": sequence(FLOATS, [np.float32([[9, 18], [29, 38]]), np.float32([[7, 16], [27, 36]])])},
        ),
        why=["operators-sequencemap-each-element", "operators-sequencemap-inputs"],
    )
    yield in_sequence_map(
        "two-outputs: two sequences are returned, of different types; in the first the branches' shapes differ",
        TWO_OUTPUTS,
        Run(
            {"s": floats([1, 2], [-3])},
            {"y": floats([1, 2, 1, 2], [3]), "n": sequence("tensor(int64)", [np.int64(4), np.int64(-1)])},
        ),
        why=["operators-sequencemap-each-element"],
        also=["onnx/if/shape-union"],
    )
    yield in_sequence_map(
        "nested: an If within then; both its branches read the item, two levels up",
        NESTED,
        branches({"s": floats([3], [1, 2])}, then={"y": floats([9], [2, 4])}, else_={"y": floats([-3], [-1, -2])}),
        also=["onnx/if/nesting"],
    )
    yield Vector(
        "onnx/if/loop-in-branch/sequence-map-in-then",
        "then is a SequenceMap, whose body reads a graph input",
        [says("if-then-branch-runs", note="a graph may hold any operator"), "ir-outer-scope"],
        IN_THEN,
        branches(
            {"s": floats([1, 2], [3, 4]), "x": x}, then={"y": floats([2, 4], [4, 6])}, else_={"y": floats([1, 2])}
        ),
    )
    yield Vector(
        "onnx/if/operand-positions/mapped-by-sequence-map",
        "the result, a sequence, is the operand of SequenceMap",
        ["if-outputs-live-out", "operators-sequencemap-each-element"],
        MAPPED,
        branches({"x": x}, then={"y": floats([2, 4], [-2, -4])}, else_={"y": floats([2, 4])}),
    )


def _calls() -> Iterator[Vector]:
    """A function whose only node is an If is called for each item."""
    fed = {"s": floats([3], [1, 2], [4]), "flags": sequence("tensor(bool)", [np.True_, np.False_, np.True_])}
    yield in_sequence_map(
        "function-with-if-called: the body calls a function, which is an If",
        CALLS,
        Run(fed, {"y": floats([6], [1, 4], [8])}),
        why=["operators-sequencemap-each-element", "ir-function-body"],
        also=["onnx/if/in-function"],
    )
    yield in_sequence_map(
        "function-with-if-called-in-branch: the same function is called in then of an If in the body",
        BRANCH_CALLS,
        Run(fed, {"y": floats([6], [-1, -2], [8])}),
        why=["ir-outer-scope", "operators-sequencemap-each-element", "ir-function-body"],
        also=["onnx/if/in-function", "onnx/if/nesting"],
    )


def _three() -> Iterator[Vector]:
    """Three sequences, the last of which has fewer items."""
    p, q, r = floats([1, 2], [3, 4]), floats([10, 20], [30, 40]), floats([100, 200], [300, 400])
    alike = Vector(
        "onnx/model/operands-fit/sequence-map-of-three",
        "the body gets an item of each of three sequences",
        ["operators-sequencemap-each-element"],
        THREE,
        branches(
            {"p": p, "q": q, "r": r},
            then={"y": floats([111, 222], [333, 444])},
            else_={"y": floats([-89, -178], [-267, -356])},
        ),
        also=[RULE.rstrip("/")],
    )
    yield alike.refusing(
        "sequence-map-third-shorter: "
        "the third sequence has one item, the others two: there is no second one for the body",
        {"cond": np.True_, "p": p, "q": q, "r": floats([100, 200])},
    )
