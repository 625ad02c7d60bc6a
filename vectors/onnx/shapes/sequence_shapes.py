"""The shape in a sequence's type is that of all its tensors."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, replaced, says, some, vectors_of
from ifcert.authoring.models import Edit, declared_as
from ifcert.authoring.values import sequence
from onnx import ModelProto, TensorShapeProto

CONSTRAINED = says("ir-dimension-variable-not-constrained", note="where an integer constrains it")

sequence_shape_is_of_all = vectors_of(
    "onnx/model/sequence-shape-is-of-all", "ir-sequence-dimension", "ir-sequence-shape"
)

FLOATS = "tensor(float32)"
NO_RANK_FITS = "a graph output must have a shape, and a sequence of tensors of two ranks must have none"

# Then's two tensors are x and another; the last one of the sequence is returned.
LISTED = """
    listed (bool cond, float[{n}] x) => (float[?] y) <seq(float{shape}) s> {{
        s = If (cond) <
            then_branch = then_graph () => (seq(float{shape}) a) {{
                other = Constant <value = float{other}> ()
                a = SequenceConstruct (x, other)
            }},
            else_branch = else_graph () => (b) {{ n = Neg (x)  b = SequenceConstruct (x, n) }}>
        last = Constant <value = int64 {{-1}}> ()
        flat = Constant <value = int64[1] {{-1}}> ()
        item = SequenceAt (s, last)
        y = Reshape (item, flat)
    }}"""
RANKS = model(LISTED.format(n=2, shape="[]", other="[1,2] {3, 4}"))
LENGTHS = model(LISTED.format(n=2, shape="[?]", other="[3] {3, 4, 5}"))
SHARED = model(LISTED.format(n="N", shape="[N]", other="[2] {3, 4}"))

BRANCHES = model("""
    branches (bool cond, float[2] x) => (float[?] y) <seq(float[L]) s> {
        s = If (cond) <
            then_branch = then_graph () => (a) { a = SequenceConstruct (x, x) },
            else_branch = else_graph () => (b) { t = Concat <axis = 0> (x, x)  b = SequenceConstruct (t, t) }>
        last = Constant <value = int64 {-1}> ()
        y = SequenceAt (s, last)
    }""")

RETURNED = model("""
    returned (bool cond, float[2] x) => (seq(float[]) s) {
        s = If (cond) <
            then_branch = then_graph () => (a) {
                other = Constant <value = float[1,2] {3, 4}> ()
                a = SequenceConstruct (x, other)
            },
            else_branch = else_graph () => (b) { n = Neg (x)  b = SequenceConstruct (x, n) }>
    }""")

# Only the second result is a sequence that a branch makes.
SECOND = model("""
    second (bool cond, float[2] x) => (float[2] y, seq(float[2]) s) {
        y, s = If (cond) <
            then_branch = then_graph () => (float[2] a, seq(float[?]) p) {
                other = Constant <value = float[2] {3, 4}> ()
                a = Abs (x)
                p = SequenceConstruct (x, other)
            },
            else_branch = else_graph () => (float[2] b, seq(float[?]) q) {
                n = Neg (x)
                b = Identity (n)
                q = SequenceConstruct (x, n)
            }>
    }""")

# Else makes a sequence of two lengths.
OF_ELSE = model("""
    listed (bool cond, float[2] x) => (float[?] y) <seq(float[?]) s> {
        s = If (cond) <
            then_branch = then_graph () => (a) { n = Neg (x)  a = SequenceConstruct (x, n) },
            else_branch = else_graph () => (b) {
                other = Constant <value = float[3] {3, 4, 5}> ()
                b = SequenceConstruct (x, other)
            }>
        last = Constant <value = int64 {-1}> ()
        y = SequenceAt (s, last)
    }""")

# The rank of the first tensor is known only when the model runs.
FIRST_RESHAPED = model("""
    listed (bool cond, float[2] x, int64[n] to) => (float[?] y) <seq(float[?]) s> {
        s = If (cond) <
            then_branch = then_graph () => (a) {
                first = Reshape (x, to)
                second = Constant <value = float[2] {1, 2}> ()
                third = Constant <value = float[3] {3, 4, 5}> ()
                a = SequenceConstruct (first, second, third)
            },
            else_branch = else_graph () => (b) { n = Neg (x)  b = SequenceConstruct (x, n) }>
        last = Constant <value = int64 {-1}> ()
        y = SequenceAt (s, last)
    }""")

# Then's own then makes a sequence of two lengths.
DEEP = model("""
    deep (bool cond, bool on, float[2] x) => (float[?] y) <seq(float[?]) s> {
        s = If (cond) <
            then_branch = then_graph () => (seq(float[?]) a) {
                a = If (on) <
                    then_branch = deep_then () => (seq(float[?]) c) {
                        other = Constant <value = float[3] {3, 4, 5}> ()
                        c = SequenceConstruct (x, other)
                    },
                    else_branch = deep_else () => (d) { d = SequenceConstruct (x, x) }>
            },
            else_branch = else_graph () => (b) { n = Neg (x)  b = SequenceConstruct (x, n) }>
        last = Constant <value = int64 {-1}> ()
        y = SequenceAt (s, last)
    }""")

# A function is called before the sequence is made.
CALLED_BEFORE = model("""<opset_import: ["" : 16, "local" : 1]>
    called (bool cond, float[2] x) => (float[?] y) <seq(float[?]) s> {
        m = local.negated (x)
        s = If (cond) <
            then_branch = then_graph () => (seq(float[?]) a) {
                other = Constant <value = float[3] {3, 4, 5}> ()
                a = SequenceConstruct (m, other)
            },
            else_branch = else_graph () => (b) { n = Neg (x)  b = SequenceConstruct (x, n) }>
        last = Constant <value = int64 {-1}> ()
        y = SequenceAt (s, last)
    }
    <domain: "local", opset_import: ["" : 16]>
    negated (v) => (w) { w = Neg (v) }""")

# A function makes a sequence of two lengths, and declares it.
IN_FUNCTION = model("""<opset_import: ["" : 21, "local" : 1]>
    caller (bool cond, float[2] x) => (float[?] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = local.last () },
            else_branch = else_graph () => (b) { b = Neg (x) }>
    }
    <domain: "local", opset_import: ["" : 21]>
    last () => (r) <seq(float[?]) s> {
        two = Constant <value = float[2] {1, 2}> ()
        three = Constant <value = float[3] {3, 4, 5}> ()
        s = SequenceConstruct (two, three)
        end = Constant <value = int64 {-1}> ()
        r = SequenceAt (s, end)
    }""")

# A Loop carries two sequences, each of tensors of another length; the second is chosen by an If.
CARRIED = model("""
    carried (bool cond, int64 trips, float[2] x, float[3] z) => (float[2] y, float[3] w)
    <bool yes = {1}, int64 first = {0}, seq(float[2]) twos, seq(float[3]) threes> {
        s = SequenceConstruct (x)
        t = SequenceConstruct (z)
        twos, threes = Loop (trips, yes, s, t) <
            body = step (int64 i, bool on, seq(float[2]) p, seq(float[3]) q)
                => (bool on_out, seq(float[2]) p_out, seq(float[3]) q_out) {
                on_out = Identity (on)
                twice = Add (x, x)
                p_out = SequenceConstruct (twice)
                q_out = If (cond) <
                    then_branch = then_graph () => (seq(float[3]) a) { a = Identity (q) },
                    else_branch = else_graph () => (seq(float[3]) b) { n = Neg (z)  b = SequenceConstruct (n) }>
            }>
        y = SequenceAt (twos, first)
        w = SequenceAt (threes, first)
    }""")

FED = """
    fed (bool cond, seq(float{shape}) s) => (float[?] y) <int64 second = {{1}}> {{
        item = SequenceAt (s, second)
        y = If (cond) <
            then_branch = then_graph () => (float[?] a) {{ a = Neg (item) }},
            else_branch = else_graph () => (float[?] b) {{ b = Add (item, item) }}>
    }}"""

FED_OPTIONAL = model("""
    fed (bool cond, optional(float[2]) o) => (float[?] y) {
        held = OptionalGetElement (o)
        y = If (cond) <
            then_branch = then_graph () => (float[?] a) { a = Neg (held) },
            else_branch = else_graph () => (float[?] b) { b = Add (held, held) }>
    }""")

X = floats(1, -2)


def _runs(other: np.ndarray) -> list[Run]:
    return branches({"x": X}, then={"y": other}, else_={"y": -X})


def _ranks() -> Iterator[Vector]:
    ranks = sequence_shape_is_of_all(
        "ranks-differ: then's sequence holds the ranks 1 and 2, and is declared without a shape",
        RANKS,
        _runs(floats(3, 4)),
        why=["ir-sequence-ranks"],
    )
    yield ranks.broken(
        "ranks-differ-rank-of-branch: then declares its sequence of the ranks 1 and 2 as one of rank 1",
        replaced("then_graph () => (seq(float[]) a) {", "then_graph () => (seq(float[?]) a) {"),
    )
    yield ranks.broken(
        "ranks-differ-rank-of-result: "
        "If's result, in then a sequence of the ranks 1 and 2, is declared as one of rank 1",
        declared_as("seq(float[?])", "s"),
    )
    other = floats([3, 4])
    yield sequence_shape_is_of_all(
        "ranks-differ-in-graph-output: "
        "a graph output is a sequence of the ranks 1 and 2, and is declared without a shape",
        RETURNED,
        branches(
            {"x": X},
            then={"s": sequence("tensor(float32)", [X, other])},
            else_={"s": sequence("tensor(float32)", [X, -X])},
        ),
        why=["ir-sequence-ranks", "ir-main-graph-ranks"],
        doubt=NO_RANK_FITS,
    )


def _lengths() -> Iterator[Vector]:
    lengths = sequence_shape_is_of_all(
        "lengths-differ: then's sequence holds the lengths 2 and 3, and its dim is declared unset",
        LENGTHS,
        _runs(floats(3, 4, 5)),
    )
    yield lengths.broken(
        "lengths-differ-variable-of-branch: "
        "then declares the dim of its tensors, of the lengths 2 and 3, as the variable L",
        replaced("then_graph () => (seq(float[?]) a) {", "then_graph () => (seq(float[L]) a) {"),
    )
    yield lengths.broken(
        "lengths-differ-variable-of-result: "
        "If's result, in then a sequence of the lengths 2 and 3, is declared with the variable L",
        declared_as("seq(float[L])", "s"),
    )
    yield lengths.broken(
        "lengths-differ-length-of-branch: then declares its tensors, of the lengths 2 and 3, as of length 2",
        replaced("then_graph () => (seq(float[?]) a) {", "then_graph () => (seq(float[2]) a) {"),
        why=["ir-sequence-shape"],
    )
    single = lengths.varied(
        "lengths-two-and-one: then's sequence holds the lengths 2 and 1, and its dim is declared unset",
        replaced("other = Constant <value = float[3] {3, 4, 5}> ()", "other = Constant <value = float[1] {7}> ()"),
        runs=_runs(floats(7)),
    )
    yield single.broken(
        "lengths-two-and-one-length-of-branch: then declares its tensors, of the lengths 2 and 1, as of length 2",
        replaced("then_graph () => (seq(float[?]) a) {", "then_graph () => (seq(float[2]) a) {"),
        why=["ir-sequence-shape"],
    )


def _of_else() -> Iterator[Vector]:
    other = sequence_shape_is_of_all(
        "lengths-differ-in-else: else's sequence holds the lengths 2 and 3, and no length is declared",
        OF_ELSE,
        branches({"x": X}, then={"y": -X}, else_={"y": floats(3, 4, 5)}),
    )
    yield other.broken(
        "lengths-differ-in-else-length-of-result: "
        "If's result, in else a sequence of the lengths 2 and 3, is declared as one of length 2",
        declared_as("seq(float[2])", "s"),
    )
    yield other.broken(
        "lengths-differ-in-else-variable-of-result: "
        "If's result, in else a sequence of the lengths 2 and 3, is declared with the variable L",
        declared_as("seq(float[L])", "s"),
    )


def _first_unknown() -> Iterator[Vector]:
    to = np.int64([2])
    unknown = sequence_shape_is_of_all(
        "lengths-differ-after-an-unknown-rank: "
        "then's sequence holds a tensor whose rank is known only in the run, and the lengths 2 and 3",
        FIRST_RESHAPED,
        branches({"x": X, "to": to}, then={"y": floats(3, 4, 5)}, else_={"y": -X}),
    )
    yield unknown.broken(
        "lengths-differ-after-an-unknown-rank-length-of-result: "
        "the result, in then a tensor of a rank known only in the run and two of lengths 2 and 3, is declared as of "
        "length 2",
        declared_as("seq(float[2])", "s"),
    )


def _deep() -> Iterator[Vector]:
    deep = sequence_shape_is_of_all(
        "lengths-differ-two-levels-down: the sequence of the lengths 2 and 3 is made in a branch of an If in a branch",
        DEEP,
        Run({"cond": np.True_, "on": np.True_, "x": X}, {"y": floats(3, 4, 5)}),
        Run({"cond": np.True_, "on": np.False_, "x": X}, {"y": X}),
        Run({"cond": np.False_, "on": np.True_, "x": X}, {"y": -X}),
    )
    yield deep.broken(
        "lengths-differ-two-levels-down-variable: "
        "the branch two levels down declares the dim of its tensors, of the lengths 2 and 3, as the variable L",
        replaced("deep_then () => (seq(float[?]) c) {", "deep_then () => (seq(float[L]) c) {"),
    )
    yield deep.broken(
        "lengths-differ-two-levels-down-variable-of-result: "
        "the result of the If one level down is declared with the variable L",
        replaced("then_graph () => (seq(float[?]) a) {", "then_graph () => (seq(float[L]) a) {"),
    )


def _after_a_call() -> Iterator[Vector]:
    called = sequence_shape_is_of_all(
        "lengths-differ-after-a-call: "
        "after a call, then's sequence holds the lengths 2 and 3, and no length is declared",
        CALLED_BEFORE,
        _runs(floats(3, 4, 5)),
        why=["ir-sequence-dimension"],
    )
    yield called.broken(
        "lengths-differ-after-a-call-length-of-result: "
        "after a call, If's result, in then a sequence of the lengths 2 and 3, is declared as one of length 2",
        declared_as("seq(float[2])", "s"),
        why=["ir-sequence-dimension", "ir-sequence-shape"],
    )


def _in_function() -> Iterator[Vector]:
    made = sequence_shape_is_of_all(
        "lengths-differ-in-function: a function's sequence holds the lengths 2 and 3, and its dim is declared unset",
        IN_FUNCTION,
        _runs(floats(3, 4, 5)),
    )
    for case, dim in (
        ("length: a function declares its sequence of the lengths 2 and 3 as one of length 2", {"dim_value": 2}),
        ("variable: a function declares the dim of its sequence of the lengths 2 and 3 as L", {"dim_param": "L"}),
    ):
        yield made.broken(f"{made.id}-{case}", function_declares(dim))


def function_declares(dim: dict[str, int | str]) -> Edit:
    """The function's value_info gives the tensors of its sequence this dim."""

    def edit(m: ModelProto) -> None:
        item = m.functions[0].value_info[0].type.sequence_type.elem_type
        item.tensor_type.shape.dim[0].MergeFrom(TensorShapeProto.Dimension(**dim))

    return edit


def _same() -> Iterator[Vector]:
    yield sequence_shape_is_of_all(
        "same-length: the tensors of both sequences are as long as x, and declared with its variable",
        SHARED,
        _runs(floats(3, 4)),
        why=["ir-sequence-shape"],
    )
    yield sequence_shape_is_of_all(
        "branches-differ: then's tensors have length 2, else's 4; If's result is declared with a variable of its own",
        BRANCHES,
        branches({"x": X}, then={"y": X}, else_={"y": floats(1, -2, 1, -2)}),
        why=["ir-sequence-shape", "ir-sequence-dimension"],
    )
    z = floats(3, 4, 5)
    yield sequence_shape_is_of_all(
        "two-carried-by-loop: a Loop carries a sequence of tensors of length 2 and one of length 3",
        CARRIED,
        branches({"trips": np.int64(1), "x": X, "z": z}, then={"y": X + X, "w": z}, else_={"y": X + X, "w": -z}),
        why=["ir-sequence-shape", "operators-loop-body-inputs"],
        also=["onnx/if/in-loop"],
    )


def _second() -> Iterator[Vector]:
    x = floats(1, -2)
    twin = sequence_shape_is_of_all(
        "second-result: the second result is declared as a sequence of [2], and each branch makes one",
        SECOND,
        Run({"cond": np.False_, "x": x}, {"y": -x, "s": sequence("tensor(float32)", [x, -x])}),
        why=["ir-sequence-shape"],
    )
    yield twin.broken(
        "second-result-lengths-differ: "
        "the second result is declared as a sequence of [2]; then, which no run takes, makes one of [2] and [3]",
        replaced("other = Constant <value = float[2] {3, 4}> ()", "other = Constant <value = float[3] {3, 4, 5}> ()"),
        why=["ir-sequence-shape", "ir-sequence-dimension"],
    )


def _fed() -> Iterator[Vector]:
    """Sequences that are inputs."""
    three = floats(3, 4, 5)
    variable = sequence_shape_is_of_all(
        "fed: "
        "the tensors of a sequence that is declared with the variable N have one length, which differs from run to run",
        model(FED.format(shape="[N]")),
        Run({"cond": np.True_, "s": sequence(FLOATS, [X, 2 * X])}, {"y": -2 * X}),
        Run({"cond": np.False_, "s": sequence(FLOATS, [-three, three])}, {"y": 2 * three}),
        why=["ir-sequence-shape"],
    )
    yield variable
    known = sequence_shape_is_of_all(
        "fed-of-known-length: the tensors of a sequence that is declared with the length 2 have it",
        model(FED.format(shape="[2]")),
        Run({"cond": np.True_, "s": sequence(FLOATS, [2 * X, X])}, {"y": -X}),
        why=["ir-sequence-shape", CONSTRAINED],
    )
    yield known.refusing(
        "fed-of-known-length-second-is-longer: "
        "the second tensor of a sequence that is declared with the length 2 has the length 3",
        {"cond": np.True_, "s": sequence(FLOATS, [X, three])},
    )
    kind = Vector(
        "onnx/model/declared-type-agrees/sequence-fed",
        "a sequence that is declared as one of float holds float tensors",
        ["ir-main-graph-types"],
        model(FED.format(shape="[?]")),
        [Run({"cond": np.True_, "s": sequence(FLOATS, [X, 2 * X])}, {"y": -2 * X})],
    )
    yield kind.refusing(
        "sequence-fed-int64: a sequence that is declared as one of float holds int64 tensors",
        {"cond": np.True_, "s": sequence("tensor(int64)", [np.int64([1, -2]), np.int64([3, 4])])},
    )
    opted = Vector(
        "onnx/model/declared-type-agrees/optional-fed",
        "an optional that is declared with the length 2 holds two elements",
        ["ir-main-graph-types", CONSTRAINED],
        FED_OPTIONAL,
        branches({"o": some(X)}, then={"y": -X}, else_={"y": 2 * X}),
    )
    yield opted.refusing(
        "optional-fed-longer: an optional that is declared with the length 2 holds three elements",
        {"cond": np.True_, "o": some(three)},
        why=[CONSTRAINED, "ir-main-graph-types"],
    )
