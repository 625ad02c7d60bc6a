"""The values that a branch may return, their order, and how they may be declared."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import (
    Run,
    Vector,
    absent,
    branches,
    floats,
    issue,
    model,
    says,
    sequence,
    some,
    strings,
    vectors_of,
)
from ifcert.authoring.models import add_initializer, else_of, then_of

BY_NODE = issue("openvinotoolkit/openvino", 23671, "a conversion to boolean is replaced by operations on its input")

output_order = vectors_of("onnx/if/output-order", "if-then-branch-outputs", "ir-node-positional")
outputs_may_differ_among_themselves = vectors_of(
    "onnx/if/outputs-may-differ-among-themselves", says("if-same-data-type", note="of each, not of all")
)
branch_outputs_may_be_untyped = vectors_of("onnx/if/branch-outputs-may-be-untyped", "ir-subgraph-types")
output_is_outer_value = vectors_of(
    "onnx/if/output-is-outer-value",
    "if-then-branch-outputs",
    "ir-definition-and-use",
    issue("microsoft/onnxruntime", 5991, "refuses to load a branch that returns an outer value"),
    issue("onnx/onnx", 6083, "the checker began to refuse it"),
)

PERMUTED = model("""
    ordered (bool cond, int64[1] x) => (int64[1] p, int64[1] q, int64[1] r) {
        p, q, r = If (cond) <
            then_branch = then_graph () => (int64[1] a, int64[1] b, int64[1] c)
                { c = Mul (x, x)  b = Add (x, x)  a = Neg (x) },
            else_branch = else_graph () => (int64[1] c, int64[1] a, int64[1] b)
                { a = Add (x, x)  b = Neg (x)  c = Mul (x, x) }>
    }""")

# Nodes that read the second output must not read the first.
CAST = model("""
    cast (bool cond, int64[2] x, int64[1] k) => (int64[4] p, int64[2] y) {
        p, q = If (cond) <
            then_branch = then_graph () => (int64[4] a, int64[1] b) { a = Concat <axis = 0> (x, x)  b = Neg (k) },
            else_branch = else_graph () => (int64[4] c, int64[1] d) { c = Concat <axis = 0> (x, x)  d = Abs (k) }>
        flag = Cast <to = 9> (q)
        y = If (flag) <
            then_branch = other_then () => (int64[2] e) { e = Neg (x) },
            else_branch = other_else () => (int64[2] f) { f = Identity (x) }>
    }""")

# Here the branches' names are the node's own, each in another position.
CROSSED = model("""
    crossed (bool cond, int64[1] x) => (int64[1] p, int64[1] q) {
        p, q = If (cond) <
            then_branch = then_graph () => (int64[1] q, int64[1] p) { p = Neg (x)  q = Add (x, x) },
            else_branch = else_graph () => (int64[1] p, int64[1] q) { q = Neg (x)  p = Mul (x, x) }>
    }""")

FOUR_TYPES = model("""
    mixed (bool cond, float[2] x) => (float[2] f, int64[1] i, bool b, string[2] s) {
        f, i, b, s = If (cond) <
            then_branch = then_graph () => (float[2] tf, int64[1] ti, bool tb, string[2] ts) {
                tf = Neg (x)
                ti = Constant <value = int64[1] {4}> ()
                tb = Constant <value = bool {1}> ()
                ts = Constant <value = string[2] {"then", ""}> ()
            },
            else_branch = else_graph () => (float[2] ef, int64[1] ei, bool eb, string[2] es) {
                ef = Add (x, x)
                ei = Constant <value = int64[1] {-9}> ()
                eb = Constant <value = bool {0}> ()
                es = Constant <value = string[2] {"", "else"}> ()
            }>
    }""")

UNTYPED = model("""
    untyped (bool cond, float[2] x) => (float[2] y, int64[1] n) {
        y, n = If (cond) <
            then_branch = then_graph () => (a, m) { a = Add (x, x)  m = Shape (a) },
            else_branch = else_graph () => (b, k) { b = Neg (x)  k = Constant <value = int64[1] {7}> () }>
    }""")

HALF_TYPED = model("""
    half_typed (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, x) },
            else_branch = else_graph () => (b) { b = Neg (x) }>
    }""")

INITIALIZERS = model("""
    stored (bool cond) => (float[2] y, int64 n) {
        y, n = If (cond) <
            then_branch = then_graph () => (float[2] a, int64 m) <float[2] a = {1, 2}>
                { m = Constant <value = int64 {5}> () },
            else_branch = else_graph () => (float[2] b, int64 k) <int64 k = {6}>
                { b = Constant <value = float[2] {3, 4}> () }>
    }""")

ONLY_INITIALIZERS = model("""
    stored (bool cond) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {},
            else_branch = else_graph () => (float[2] b) {}>
    }""")
add_initializer(then_of(ONLY_INITIALIZERS), "a", floats(1, 2))
add_initializer(else_of(ONLY_INITIALIZERS), "b", floats(3, 4))

OUTER_VALUE = model("""
    passed (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] x) {},
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

OUTER_INITIALIZER = model("""
    passed (bool cond, float[2] x) => (float[2] y) <float[2] k = {8, 9}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] k) {}>
    }""")

# Both conds are known: the first If passes the graph input on, the second a computed value.
OUTER_IN_TAKEN = model("""
    passed (float[2] x) => (float[2] y, float[2] z, float[2] w)
    <bool yes = {1}, bool no = {0}, float[2] k = {8, 9}> {
        m = Add (x, x)
        p = If (yes) <
            then_branch = one () => (float[2] x) {},
            else_branch = two () => (float[2] b) { b = Neg (x) }>
        q = If (no) <
            then_branch = three () => (float[2] b) { b = Neg (m) },
            else_branch = four () => (float[2] m) {}>
        w = If (yes) <
            then_branch = five () => (float[2] k) {},
            else_branch = six () => (float[2] b) { b = Neg (k) }>
        y = Neg (p)
        z = Neg (q)
    }""")

REPEATED = model("""
    repeated (bool cond, float[2] x) => (float[2] p, float[2] q) {
        p, q = If (cond) <
            then_branch = then_graph () => (float[2] a, float[2] a) { a = Add (x, x) },
            else_branch = else_graph () => (float[2] b, float[2] c) { b = Neg (x)  c = Abs (x) }>
    }""")

BY_EQUAL_NODES = model("""
    repeated (bool cond, float[2] x) => (float[2] p, float[2] q) {
        p, q = If (cond) <
            then_branch = then_graph () => (float[2] a, float[2] d) { a = Add (x, x)  d = Add (x, x) },
            else_branch = else_graph () => (float[2] b, float[2] c) { b = Neg (x)  c = Abs (x) }>
    }""")

THROUGH_IDENTITIES = model("""
    repeated (bool cond, float[2] x) => (float[2] p, float[2] q) {
        p, q = If (cond) <
            then_branch = then_graph () => (float[2] a1, float[2] a2)
                { a = Add (x, x)  a1 = Identity (a)  a2 = Identity (a) },
            else_branch = else_graph () => (float[2] b, float[2] c) { b = Neg (x)  c = Abs (x) }>
    }""")

FOUR_KINDS = model("""<opset_import: ["" : 18]>
    kinds (bool cond, float[2] x) => (float[2] t, seq(float[2]) s, optional(float[2]) o, int64[2] i) {
        t, s, o, i = If (cond) <
            then_branch = then_graph () => (at, al, ao, ai)
                { at = Neg (x)  al = SequenceConstruct (x, at)  ao = Optional (x)  ai = Cast <to = 7> (x) },
            else_branch = else_graph () => (bt, bl, bo, bi) {
                bt = Add (x, x)
                bl = SequenceEmpty ()
                bo = Optional <type = float[2]> ()
                bi = Constant <value = int64[2] {5, 6}> ()
            }>
    }""")

OUTER_NODE_OUTPUT = model("""
    passed (bool cond, float[2] x) => (float[2] y) {
        doubled = Add (x, x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] doubled) {},
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

# The inner branch returns a value computed in the middle one.
MIDDLE_VALUE = model("""
    passed (bool cond, bool inner, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                doubled = Add (x, x)
                a = If (inner) <
                    then_branch = deep_then () => (float[2] doubled) {},
                    else_branch = deep_else () => (float[2] d) { d = Neg (doubled) }>
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

# Besides the If's result, the main graph returns its own input and an initializer.
MAIN_PASSES = model("""
    passed (bool cond, float[2] x) => (float[2] y, float[2] x, float[2] k) <float[2] k = {8, 9}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, k) },
            else_branch = else_graph () => (float[2] b) { b = Identity (x) }>
    }""")

X = floats(1, -2)


def _order() -> Iterator[Vector]:
    three = np.int64([3])
    yield output_order(
        "names-permuted: else uses the names of then in another order: positions count, names do not",
        PERMUTED,
        branches(
            {"x": three},
            then={"p": np.int64([-3]), "q": np.int64([6]), "r": np.int64([9])},
            else_={"p": np.int64([9]), "q": np.int64([6]), "r": np.int64([-3])},
        ),
    )
    yield output_order(
        "names-of-the-node-crossed: then's outputs have the names of the node's outputs, swapped",
        CROSSED,
        branches(
            {"x": three},
            then={"p": np.int64([6]), "q": np.int64([-3])},
            else_={"p": np.int64([9]), "q": np.int64([-3])},
        ),
        also=["onnx/if/sibling-names-independent"],
    )
    x = np.int64([5, -6])
    yield output_order(
        "second-cast-to-bool: the second of two outputs is cast to bool, and is the cond of another If",
        CAST,
        [
            Run({"cond": np.bool_(c), "x": x, "k": np.int64([k])}, {"p": np.concatenate([x, x]), "y": -x if k else x})
            for c, k in [(True, 0), (False, 0), (True, 5), (False, -5)]
        ],
        why=["if-then-branch-outputs", "ir-node-positional", BY_NODE],
    )


def _declarations() -> Iterator[Vector]:
    yield outputs_may_differ_among_themselves(
        "four-types: one If returns float, int64, bool and string",
        FOUR_TYPES,
        branches(
            {"x": X},
            then={"f": -X, "i": np.int64([4]), "b": np.True_, "s": strings([2], [b"then", b""])},
            else_={"f": X + X, "i": np.int64([-9]), "b": np.False_, "s": strings([2], [b"", b"else"])},
        ),
    )
    yield outputs_may_differ_among_themselves(
        "four-kinds: one If returns a tensor, a sequence, an optional and a tensor of another type",
        FOUR_KINDS,
        branches(
            {"x": X},
            then={"t": -X, "s": sequence("tensor(float32)", [X, -X]), "o": some(X), "i": np.int64([1, -2])},
            else_={"t": X + X, "s": sequence("tensor(float32)"), "o": absent("tensor(float32)"), "i": np.int64([5, 6])},
        ),
    )
    doubled_or_negated = branches({"x": X}, then={"y": X + X}, else_={"y": -X})
    yield branch_outputs_may_be_untyped(
        "no-types: no branch output has a declared type",
        UNTYPED,
        branches({"x": X}, then={"y": X + X, "n": np.int64([2])}, else_={"y": -X, "n": np.int64([7])}),
    )
    yield branch_outputs_may_be_untyped(
        "then-typed-only: then's output has a declared type, else's has none", HALF_TYPED, doubled_or_negated
    )


def _initializers() -> Iterator[Vector]:
    rule = "onnx/if/output-is-initializer/"
    why = ["if-then-branch-outputs", "ir-definition-and-use"]
    first, second = floats(1, 2), floats(3, 4)
    yield Vector(
        rule + "beside-a-constant",
        "each branch returns an initializer of its own and a Constant",
        [*why, issue("robertknight/rten", 1493, "a constant that is also an output lost its value")],
        INITIALIZERS,
        branches({}, then={"y": first, "n": np.int64(5)}, else_={"y": second, "n": np.int64(6)}),
    )
    yield Vector(
        rule + "branch-without-nodes",
        "branches without nodes return their initializers",
        why,
        ONLY_INITIALIZERS,
        branches({}, then={"y": first}, else_={"y": second}),
    )


def _outer_values() -> Iterator[Vector]:
    doubt = (
        "a use may refer to outer names, and an output is a use; yet checkers require that a graph defines what "
        "it returns"
    )
    why = [
        "if-then-branch-outputs",
        "ir-definition-and-use",
        issue("microsoft/onnxruntime", 5991, "refuses to load a branch that returns an outer value"),
        issue("onnx/onnx", 6083, "the checker began to refuse it"),
    ]
    yield output_is_outer_value(
        "graph-input: then has no node and returns the main graph's input x",
        OUTER_VALUE,
        [Run({"cond": np.False_, "x": X}, {"y": -X}), Run({"cond": np.True_, "x": X}, {"y": X})],
        why=[
            *why,
            issue("tensorflow/tflite-micro", 1575, "the value that a branch without operators returns had no memory"),
            issue("Samsung/ONE", 4535, "a value that is both input and output of a branch was not copied"),
            issue("pytorch/pytorch", 53219, "an exporter wrote such branches"),
        ],
        doubt=doubt,
    )
    yield output_is_outer_value(
        "outer-initializer: else has no node and returns the main graph's initializer k",
        OUTER_INITIALIZER,
        branches({"x": X}, then={"y": -X}, else_={"y": floats(8, 9)}),
        doubt=doubt,
    )

    yield output_is_outer_value(
        "outer-node-output: then has no node and returns a value computed before the If",
        OUTER_NODE_OUTPUT,
        branches({"x": X}, then={"y": X + X}, else_={"y": -X}),
        doubt=doubt,
    )
    yield output_is_outer_value(
        "in-branches-that-are-always-taken: "
        "three constants select branches without nodes, which return an input, a computed value and an initializer",
        OUTER_IN_TAKEN,
        Run({"x": X}, {"y": -X, "z": -2 * X, "w": floats(8, 9)}),
        why=[*why, issue("onnx/optimizer", 314, "moving such a branch outside dereferenced a null pointer")],
        also=["onnx/if/constant-cond-same-result"],
        doubt=doubt,
    )
    yield output_is_outer_value(
        "value-of-middle-branch: a branch two levels down returns a value of its enclosing branch",
        MIDDLE_VALUE,
        Run({"cond": np.True_, "inner": np.True_, "x": X}, {"y": X + X}),
        Run({"cond": np.True_, "inner": np.False_, "x": X}, {"y": -2 * X}),
        doubt=doubt,
    )
    yield output_is_outer_value(
        "main-graph-passes-on: "
        "besides the If's result the main graph returns its input, which the branches read, and its initializer",
        MAIN_PASSES,
        branches(
            {"x": X}, then={"y": floats(9, 7), "x": X, "k": floats(8, 9)}, else_={"y": X, "x": X, "k": floats(8, 9)}
        ),
        why=[
            "ir-definition-and-use",
            issue("microsoft/onnxruntime", 21922, "a value that is both graph input and output was wrong"),
            issue("robertknight/rten", 1493, "a constant or input that is also a graph output lost its value"),
        ],
        doubt=(
            "an output is a use of any visible name; yet the names of a graph's inputs and outputs are required to be "
            "unique"
        ),
    )


def _repeated() -> Iterator[Vector]:
    rule = "onnx/if/output-repeated/"
    runs = [
        Run({"cond": np.True_, "x": X}, {"p": X + X, "q": X + X}),
        Run({"cond": np.False_, "x": X}, {"p": -X, "q": np.abs(X)}),
        # Memory that was never written may hold an earlier run's values, but not those of every run.
        *(Run({"cond": np.True_, "x": n * X}, {"p": 2 * n * X, "q": 2 * n * X}) for n in floats(3, 5, 7)),
    ]
    yield Vector(
        rule + "same-name-twice",
        "then returns one value in two places",
        [
            "if-then-branch-outputs",
            "ir-definition-and-use",
            issue("llvm/torch-mlir", 4670, "a repeated output name lost a result"),
            issue("microsoft/onnxscript", 846, "a repeated output name is refused"),
        ],
        REPEATED,
        runs,
        doubt="a graph output is a use and may repeat; yet the names of a graph's outputs are said to be unique",
    )
    yield Vector(
        rule + "through-identities",
        "then returns one value in two places, through an Identity each",
        ["if-then-branch-outputs", "ir-node-positional"],
        THROUGH_IDENTITIES,
        runs,
    )
    yield Vector(
        rule + "by-equal-nodes",
        "then computes one value in two nodes, and returns the results of both",
        [
            "if-then-branch-outputs",
            "ir-node-positional",
            issue("microsoft/onnxruntime", 7312, "of two equal values that a graph returns, only one was computed"),
        ],
        BY_EQUAL_NODES,
        runs,
    )
