"""Matching outputs have one type, and the declared type is that one."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, replaced, vectors_of
from ifcert.authoring.models import Edit, declared_as, edited, else_of, then_of
from onnx import ModelProto, TypeProto, helper, parser

same_data_type = vectors_of("onnx/if/same-data-type", "if-same-data-type")
declared_type_agrees = vectors_of("onnx/if/declared-type-agrees", "if-same-data-type", "if-declared-shape")

X = floats(1, -2)

# y has no declared type, and Size accepts any: only the branches can disagree.
MEASURED = model("""
    measured (bool cond, float[2] x) => (int64 n) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Neg (x) },
            else_branch = else_graph () => (b) { b = Cast <to = 1> (x) }>
        n = Size (y)
    }""")

# Of the third output only the size is read, which Size gives of any type.
THREE = """
    three (bool cond, float[2] x) => (float[2] y, float[2] z, int64 n) {declared} {{
        y, z, w = If (cond) <
            then_branch = then_graph () => (a, b, c) {{ a = Neg (x)  b = Abs (x)  c = Add (x, x) }},
            else_branch = else_graph () => (d, e, f) {{ d = Abs (x)  e = Neg (x)  f = Cast <to = 1> (x) }}>
        n = Size (w)
    }}"""
UNDECLARED, DECLARED_THIRD = (model(THREE.format(declared=text)) for text in ("", "<float[2] w>"))

# OptionalHasElement accepts tensors, sequences and optionals alike from opset 18 on.
HELD = model("""<opset_import: ["" : 18]>
    held (bool cond, float[2] x) => (bool has) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Identity (x) },
            else_branch = else_graph () => (b) { b = Identity (x) }>
        has = OptionalHasElement (y)
    }""")

LISTED = model("""
    listed (bool cond, float[2] x) => (int64 n) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = SequenceConstruct (x) },
            else_branch = else_graph () => (b) { e = Cast <to = 1> (x)  b = SequenceConstruct (e, e) }>
        n = SequenceLength (y)
    }""")

OPTED = model("""<opset_import: ["" : 18]>
    opted (bool cond, float[2] x) => (bool has) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Optional (x) },
            else_branch = else_graph () => (b) { e = Cast <to = 1> (x)  b = Optional (e) }>
        has = OptionalHasElement (y)
    }""")

# Both branches return an absent optional, whose type only the attribute tells.
ABSENT = model("""<opset_import: ["" : 18]>
    absent (bool cond, float[2] x) => (bool has, float[2] z) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Optional (x) },
            else_branch = else_graph () => (b) { b = Optional (x) }>
        has = OptionalHasElement (y)
        z = Neg (x)
    }""")

# The two branches differ in the second output, or two levels down, or not at all.
PAIR = model("""
    pair (bool cond, float[2] x) => (int64 n) {
        p, q = If (cond) <
            then_branch = then_graph () => (a, b) { a = Neg (x)  b = Abs (x) },
            else_branch = else_graph () => (c, d) { c = Abs (x)  d = Cast <to = 1> (x) }>
        n = Size (q)
    }""")

DEEP = model("""
    deep (bool cond, bool inner, float[2] x) => (int64 n) {
        y = If (cond) <
            then_branch = then_graph () => (a) {
                a = If (inner) <
                    then_branch = deep_then () => (c) { c = Neg (x) },
                    else_branch = deep_else () => (d) { d = Cast <to = 1> (x) }>
            },
            else_branch = else_graph () => (b) { b = Abs (x) }>
        n = Size (y)
    }""")

# The inner If's branches differ in rank, so that nothing is known of its result but the element type.
DEEP_RANKS = model("""
    deep (bool cond, bool inner, float[2] x) => (int64 n) <int64[2] row = {1, 2}> {
        y = If (cond) <
            then_branch = then_graph () => (a) {
                a = If (inner) <
                    then_branch = deep_then () => (c) { c = Neg (x) },
                    else_branch = deep_else () => (d) { d = Reshape (x, row) }>
            },
            else_branch = else_graph () => (b) { b = Cast <to = 1> (x) }>
        n = Size (y)
    }""")

FUNCTION = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (int64 n) { y = local.choose <to = 1> (cond, x)  n = Size (y) }
    <domain: "local", opset_import: ["" : 16]>
    choose <to> (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Neg (v) },
            else_branch = else_graph () => (b) { b = Cast <to: int = @to> (v) }>
    }""")

# Of the inner If's two results nothing is common but that they are sequences of float.
DEEP_LISTS = model("""
    deep (bool cond, bool inner, float[2] x) => (int64 n) <int64[2] row = {1, 2}> {
        y = If (cond) <
            then_branch = then_graph () => (a) {
                a = If (inner) <
                    then_branch = deep_then () => (c) { m = Neg (x)  c = SequenceConstruct (m, x) },
                    else_branch = deep_else () => (d) { r = Reshape (x, row)  d = SequenceConstruct (r, r) }>
            },
            else_branch = else_graph () => (b) { e = Cast <to = 1> (x)  b = SequenceConstruct (e, e) }>
        n = SequenceLength (y)
    }""")

OPTED_LISTS = model("""<opset_import: ["" : 18]>
    opted (bool cond, float[2] x) => (bool has) {
        y = If (cond) <
            then_branch = then_graph () => (a) { s = SequenceConstruct (x)  a = Optional (s) },
            else_branch = else_graph () => (b) { e = Cast <to = 1> (x)  t = SequenceConstruct (e)  b = Optional (t) }>
        has = OptionalHasElement (y)
    }""")

DECLARED = model("""
    declared (bool cond, float[2] x) => (int64 n) <float[2] y> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) { b = Add (x, x) }>
        n = Size (y)
    }""")

# A sequence, and an optional, whose type value_info declares.
DECLARED_LIST = model("""
    declared (bool cond, float[2] x) => (int64 n) <seq(float[2]) y> {
        y = If (cond) <
            then_branch = then_graph () => (seq(float[2]) a) { a = SequenceConstruct (x) },
            else_branch = else_graph () => (seq(float[2]) b) { b = SequenceConstruct (x, x) }>
        n = SequenceLength (y)
    }""")
DECLARED_OPTION = model("""
    declared (bool cond, float[2] x) => (bool has) <optional(float[2]) y> {
        y = If (cond) <
            then_branch = then_graph () => (optional(float[2]) a) { a = Optional (x) },
            else_branch = else_graph () => (optional(float[2]) b) { n = Neg (x)  b = Optional (n) }>
        has = OptionalHasElement (y)
    }""")

# The second output is a sequence.
LIST_IS_SECOND = model("""
    second (bool cond, float[2] x) => (float[2] z, int64 n) {
        z, y = If (cond) <
            then_branch = then_graph () => (a, c) { a = Neg (x)  c = SequenceConstruct (x) },
            else_branch = else_graph () => (b, d) {
                b = Add (x, x)
                e = Cast <to = 1> (x)
                d = SequenceConstruct (e, e)
            }>
        n = SequenceLength (y)
    }""")

RETURNED = model("""
    declared (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) { b = Add (x, x) }>
    }""")


def else_makes(operator: str) -> Edit:
    """Else wraps x with this operator instead of passing it on."""

    def edit(m: ModelProto) -> None:
        else_of(m).node[0].CopyFrom(helper.make_node(operator, ["x"], ["b"]))

    return edit


def _type(text: str) -> TypeProto:
    return parser.parse_graph(f"g ({text} v) => () {{}}").input[0].type


def absent_of(then: str, other: str) -> Edit:
    """Each branch returns an absent optional of this type."""

    def edit(m: ModelProto) -> None:
        for graph, text in ((then_of(m), then), (else_of(m), other)):
            node = helper.make_node("Optional", [], [graph.output[0].name], type=_type(text))
            graph.node[0].CopyFrom(node)

    return edit


def _both(name: str, first: object, second: object) -> list[Run]:
    return branches({"x": X}, then={name: np.asarray(first)}, else_={name: np.asarray(second)})


def _third() -> Iterator[Vector]:
    """Of three outputs the first two agree."""
    n = np.int64(2)
    runs = branches({"x": X}, then={"y": -X, "z": np.abs(X), "n": n}, else_={"y": np.abs(X), "z": -X, "n": n})
    same = same_data_type("three-outputs: three outputs, each float in both branches", UNDECLARED, runs)
    yield same.broken(
        "third-output-float-and-int64: of three outputs the last is float in then, int64 in else",
        replaced("f = Cast <to = 1> (x)", "f = Cast <to = 7> (x)"),
    )
    declared = declared_type_agrees(
        "three-outputs: the last of three outputs is declared float, as it is in both branches",
        DECLARED_THIRD,
        runs,
        why=["if-declared-shape"],
    )
    yield declared.broken(
        "third-output-int64: the last of three outputs is declared int64, and float in both branches",
        declared_as("int64[2]", "w"),
    )


def _branches() -> Iterator[Vector]:
    tensors = same_data_type(
        "float-and-float: both branches return float", MEASURED, _both("n", np.int64(2), np.int64(2))
    )
    field = [
        "if-same-data-type",
        issue("onnx/onnx", 4872, "the checker accepted it"),
        issue("pytorch/pytorch", 75631, "an exporter wrote it"),
    ]
    for name, number in {"int64": 7, "float64": 11, "float16": 10, "int32": 6, "bool": 9, "string": 8}.items():
        yield tensors.broken(
            f"float-and-{name}: then returns float, else {name}",
            replaced("b = Cast <to = 1> (x)", f"b = Cast <to = {number}> (x)"),
            why=field,
        )
    kinds = same_data_type("tensor-and-tensor: both branches return a tensor", HELD, _both("has", np.True_, np.True_))
    yield kinds.broken(
        "tensor-and-sequence: then returns a tensor, else a sequence of one", else_makes("SequenceConstruct")
    )
    yield kinds.broken(
        "tensor-and-optional: then returns a tensor, else an optional that holds it", else_makes("Optional")
    )
    lists = same_data_type(
        "sequences-of-float: both branches return a sequence of float", LISTED, _both("n", np.int64(1), np.int64(2))
    )
    yield lists.broken(
        "sequences-of-float-and-int64: then returns a sequence of float, else of int64",
        replaced("e = Cast <to = 1> (x)", "e = Cast <to = 7> (x)"),
    )
    second = same_data_type(
        "second-is-a-sequence: both branches return a tensor and a sequence of float",
        LIST_IS_SECOND,
        branches({"x": X}, then={"z": -X, "n": np.int64(1)}, else_={"z": X + X, "n": np.int64(2)}),
    )
    yield second.broken(
        "second-is-a-sequence-of-int64-in-else: "
        "the first outputs are tensors of float; then's second is a sequence of float, else's of int64",
        replaced("e = Cast <to = 1> (x)", "e = Cast <to = 7> (x)"),
    )
    options = same_data_type(
        "optionals-of-float: both branches return an optional float", OPTED, _both("has", np.True_, np.True_)
    )
    yield options.broken(
        "optionals-of-float-and-int64: then returns an optional float, else an optional int64",
        replaced("e = Cast <to = 1> (x)", "e = Cast <to = 7> (x)"),
    )
    nothing = same_data_type(
        "absent-optionals-of-float: both branches return an absent optional, which their attributes declare float",
        edited(ABSENT, absent_of("float[2]", "float[2]")),
        branches({"x": X}, then={"has": np.False_, "z": -X}, else_={"has": np.False_, "z": -X}),
        why=["if-same-data-type", "operators-optional-type"],
    )
    yield nothing.broken(
        "absent-optionals-of-float-and-int64: both branches return an absent optional, then of float, else of int64",
        absent_of("float[2]", "int64[2]"),
    )

    yield from _hidden(field)


def _hidden(field: list) -> Iterator[Vector]:
    """The difference is not in the first output, not in the outermost If, or comes from a call."""
    two = np.int64(2)
    pair = same_data_type("two-outputs: both branches return two floats", PAIR, _both("n", two, two))
    yield pair.broken(
        "two-outputs-second-differs: the first outputs are float; then's second is float, else's int64",
        replaced("d = Cast <to = 1> (x)", "d = Cast <to = 7> (x)"),
        why=field,
    )
    runs = [
        Run({"cond": np.bool_(p), "inner": np.bool_(q), "x": X}, {"n": two})
        for p in (True, False)
        for q in (True, False)
    ]
    deep = same_data_type("nested: an If within then, all branches return float", DEEP, runs)
    yield deep.broken(
        "nested-differs: an If within then returns float in one branch and int64 in the other",
        replaced("d = Cast <to = 1> (x)", "d = Cast <to = 7> (x)"),
        why=field,
    )
    ranks = same_data_type(
        "nested-of-two-ranks: an If within then returns float of rank 1 or 2, else float",
        DEEP_RANKS,
        runs,
        why=["if-same-data-type", "if-declared-shape"],
    )
    yield ranks.broken(
        "nested-of-two-ranks-differs: an If within then returns float of rank 1 or 2, else int64",
        replaced("b = Cast <to = 1> (x)", "b = Cast <to = 7> (x)"),
    )
    items = same_data_type(
        "nested-of-two-sequences: "
        "an If within then returns a sequence of float of rank 1 or 2, else a sequence of float",
        DEEP_LISTS,
        runs,
        why=["if-same-data-type", "if-declared-shape"],
    )
    yield items.broken(
        "nested-of-two-sequences-differs: "
        "an If within then returns a sequence of float of rank 1 or 2, else a sequence of int64",
        replaced("e = Cast <to = 1> (x)", "e = Cast <to = 7> (x)"),
    )
    called = same_data_type(
        "attribute-of-call-decides: a call's attribute makes else return float, as then does",
        FUNCTION,
        _both("n", two, two),
        also=["onnx/if/in-function"],
    )
    yield called.broken(
        "attribute-of-call-differs: a call's attribute makes else return int64",
        replaced("y = local.choose <to = 1> (cond, x)", "y = local.choose <to = 7> (cond, x)"),
        why=field,
    )
    lists = same_data_type(
        "optional-sequences-of-float: both branches return an optional sequence of float",
        OPTED_LISTS,
        _both("has", np.True_, np.True_),
    )
    yield lists.broken(
        "optional-sequences-of-float-and-int64: then returns an optional sequence of float, else of int64",
        replaced("e = Cast <to = 1> (x)", "e = Cast <to = 7> (x)"),
    )
    yield lists.broken(
        "optional-sequence-and-sequence: then returns an optional sequence, else a sequence",
        replaced("else_graph () => (b)", "else_graph () => (t)"),
        replaced("b = Optional (t)", ""),
    )


def _declarations() -> Iterator[Vector]:
    inner = declared_type_agrees(
        "value-info: value_info declares y float, as the branches return it",
        DECLARED,
        _both("n", np.int64(2), np.int64(2)),
    )
    yield inner.broken(
        "value-info-other-element: value_info declares y int64, the branches return float", declared_as("int64[2]")
    )
    yield inner.broken(
        "value-info-wider-element: value_info declares y double, the branches return float", declared_as("double[2]")
    )
    yield inner.broken(
        "value-info-sequence: value_info declares y a sequence, the branches return tensors",
        declared_as("seq(float[2])"),
    )
    lists = declared_type_agrees(
        "value-info-of-sequence: value_info declares y a sequence of float, as the branches return it",
        DECLARED_LIST,
        _both("n", np.int64(1), np.int64(2)),
    )
    yield lists.broken(
        "value-info-of-sequence-other-element: "
        "value_info declares y a sequence of int64, the branches return sequences of float",
        declared_as("seq(int64[2])"),
    )
    options = declared_type_agrees(
        "value-info-of-optional: value_info declares y an optional float, as the branches return it",
        DECLARED_OPTION,
        _both("has", np.True_, np.True_),
    )
    yield options.broken(
        "value-info-of-optional-other-element: "
        "value_info declares y an optional int64, the branches return optional floats",
        declared_as("optional(int64[2])"),
    )
    outer = declared_type_agrees(
        "graph-output: the graph output y is declared float, as the branches return it",
        RETURNED,
        _both("y", -X, X + X),
    )
    yield outer.broken(
        "graph-output-other-element: the graph output y is declared int32, the branches return float",
        declared_as("int32[2]"),
    )
    yield outer.broken(
        "graph-output-optional: the graph output y is declared optional, the branches return tensors",
        declared_as("optional(float[2])"),
    )
    yield outer.broken(
        "branch-output-other-element: then declares its output int64, but its node returns float",
        replaced("then_graph () => (float[2] a)", "then_graph () => (int64[2] a)"),
        why=["if-declared-shape", "if-same-data-type"],
    )
