"""If in the body of a local function."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, edited, floats, issue, model, replaced, says, vectors_of
from onnx import AttributeProto, ModelProto

RULE = "onnx/if/in-function/"

DEFAULTED = says("ir-function-attribute-replaced", note="here by the default-value")
OMITTED = says("ir-function-attribute-replaced", note="here it is omitted")
REQUIRED = says("if-then-branch-is-required", "if-else-branch-is-required")

in_function = vectors_of("onnx/if/in-function", "ir-function-attribute-replaced")

X = floats(1, -2)

CHOOSES = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) { y = local.choose (cond, x) }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Add (v, v) },
            else_branch = else_graph () => (b) { b = Neg (v) }>
    }""")

# The function is called Add, and multiplies.
NAMED_ADD = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.Add (x, x) },
            else_branch = else_graph () => (float[2] b) { b = Add (x, x) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    Add (v, w) => (r) { r = Mul (v, w) }""")

# The function's outputs are those of its If.
THREE_OUTPUTS = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] p, float[2] q, float[2] r) { p, q, r = local.choose (cond, x) }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (s, t, u) {
        s, t, u = If (c) <
            then_branch = then_graph () => (a, d, f) { a = Add (v, v)  d = Neg (v)  f = Abs (v) },
            else_branch = else_graph () => (b, e, g) { b = Abs (v)  e = Add (v, v)  g = Neg (v) }>
    }""")

# The two calls pass different arguments to the same branches, with the same initializers and inner names.
CALLED_TWICE = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool p, bool q, float[2] x) => (float[2] z) {
        y = local.choose (p, x)
        z = local.choose (q, y)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) <float[2] k = {10, 20}> { a = Add (v, k) },
            else_branch = else_graph () => (b) <float[2] k = {-1, 2}> { b = Mul (v, k) }>
    }""")

ATTRIBUTE_REFERENCE = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (int64[2] i, double[2] d) {
        i = local.converted <to = 7> (cond, x)
        d = local.converted <to = 11> (cond, x)
    }
    <domain: "local", opset_import: ["" : 16]>
    converted <to> (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Cast <to: int = @to> (v) },
            else_branch = else_graph () => (b) { n = Neg (v)  b = Cast <to: int = @to> (n) }>
    }""")

BRANCH_REFERENCE = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = local.choose <when_true = given () => (float[2] g) { g = Constant <value = float[2] {5, 6}> () }> (cond, x)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose <when_true> (c, v) => (r) {
        r = If (c) <
            then_branch: graph = @when_true,
            else_branch = else_graph () => (b) { b = Neg (v) }>
    }""")

# With its default, the called function casts to int64, and the sum would have operands of two types.
LISTED_BEFORE = model("""<ir_version: 9, opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) { y = local.calls (cond, x) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    calls (c, v) => (r) {
        n = Neg (v)
        r = local.called <to = 1> (c, v, n)
    }
    <domain: "local", opset_import: ["" : 16]>
    called <to: int = 7> (c, v, w) => (r) {
        k = Cast <to: int = @to> (v)
        r = If (c) <
            then_branch = then_graph () => (a) { a = Add (k, k) },
            else_branch = else_graph () => (b) { b = Sub (w, k) }>
    }""")

CALL_IN_BRANCH = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.quadrupled (x) },
            else_branch = else_graph () => (float[2] b) { n = Neg (x)  b = local.quadrupled (n) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    doubled (v) => (r) { r = Add (v, v) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    quadrupled (v) => (r) { t = local.doubled (v)  r = local.doubled (t) }""")

BOTH_REFERENCES = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond) => (float[2] y, float[2] z) {
        y = local.choose <
            when_true = one () => (float[2] g) { g = Constant <value = float[2] {1, 2}> () },
            when_false = two () => (float[2] h) <float[2] k = {3, 4}> { h = Neg (k) }> (cond)
        z = local.choose <
            when_true = three () => (float[2] g) <float[2] k = {5, 6}> { g = Neg (k) },
            when_false = four () => (float[2] h) { h = Constant <value = float[2] {7, 8}> () }> (cond)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose <when_true, when_false> (c) => (r) {
        r = If (c) <then_branch: graph = @when_true, else_branch: graph = @when_false>
    }""")

# The second call leaves the graph of else at its default.
DEFAULT_GRAPH = model("""<ir_version: 9, opset_import: ["" : 16, "local" : 1]>
    caller (bool cond) => (float[2] y, float[2] z) {
        y = local.choose <
            when_true = one () => (float[2] g) { g = Constant <value = float[2] {1, 2}> () },
            when_false = two () => (float[2] h) { h = Constant <value = float[2] {3, 4}> () }> (cond)
        z = local.choose <
            when_true = three () => (float[2] g) { g = Constant <value = float[2] {5, 6}> () }> (cond)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose <
        when_true,
        when_false: graph = by_default () => (float[2] h) <float[2] k = {7, 8}> { h = Neg (k) }> (c) => (r) {
        r = If (c) <then_branch: graph = @when_true, else_branch: graph = @when_false>
    }""")

# The second call of the outer function leaves out the graph that the outer function forwards.
DEFAULT_HANDED_ON = model("""<ir_version: 9, opset_import: ["" : 16, "local" : 1]>
    caller (bool cond) => (float[2] y, float[2] z) {
        y = local.forwards <
            when_false = one () => (float[2] g) { g = Constant <value = float[2] {3, 4}> () }> (cond)
        z = local.forwards (cond)
    }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    forwards <when_false> (c) => (r) { r = local.choose <when_false: graph = @when_false> (c) }
    <domain: "local", opset_import: ["" : 16]>
    choose <when_false: graph = by_default () => (float[2] h) <float[2] k = {7, 8}> { h = Neg (k) }> (c) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Constant <value = float[2] {1, 2}> () },
            else_branch: graph = @when_false>
    }""")

GIVEN_GRAPH_CAPTURES = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) <float[2] k = {10, 20}> {
        y = local.choose <
            when_true = one () => (float[2] g) { g = Add (x, k) },
            when_false = two () => (float[2] h) { h = Neg (k) }> (cond)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose <when_true, when_false> (c) => (r) {
        r = If (c) <then_branch: graph = @when_true, else_branch: graph = @when_false>
    }""")

# The first call passes the attribute, the second leaves it at its default.
DEFAULT = model("""<ir_version: 9, opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (int64[2] i, double[2] d) {
        i = local.converted <to = 7> (cond, x)
        d = local.converted (cond, x)
    }
    <domain: "local", opset_import: ["" : 16]>
    converted <to: int = 11> (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Cast <to: int = @to> (v) },
            else_branch = else_graph () => (b) { n = Neg (v)  b = Cast <to: int = @to> (n) }>
    }""")

# References two levels down, and forwarded by a call in a branch.
DEEP_REFERENCE = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool p, bool q, float[2] x) => (int64[2] y) { y = local.outer <kind = 7> (p, q, x) }
    <domain: "local", opset_import: ["" : 16]>
    cast <to> (v) => (r) { r = Cast <to: int = @to> (v) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    outer <kind> (c, d, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) {
                a = If (d) <
                    then_branch = deep_then () => (e) { e = local.cast <to: int = @kind> (v) },
                    else_branch = deep_else () => (f) { n = Neg (v)  f = Cast <to: int = @kind> (n) }>
            },
            else_branch = else_graph () => (b) { t = Abs (v)  b = Cast <to: int = @kind> (t) }>
    }""")

# The names in the function and those around the calls are the same.
SAME_NAMES = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool c, float[2] x) => (float[2] r) <float[2] k = {100, 200}> {
        a = Neg (x)
        t = local.choose (c, a)
        r = Add (t, k)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, x) => (r) {
        a = Abs (x)
        r = If (c) <
            then_branch = then_graph () => (t) <float[2] k = {10, 20}> { t = Add (a, k) },
            else_branch = else_graph () => (t) { k = Add (x, x)  t = Add (a, k) }>
    }""")

CALLS = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) { y = local.first (cond, x) }
    <domain: "local", opset_import: ["" : 16]>
    third (c, v) => (r) { r = Abs (v) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    second (c, v) => (r) {
        n = Not (c)
        r = If (n) <
            then_branch = then_second () => (a) { a = local.third (c, v) },
            else_branch = else_second () => (b) { b = Add (v, v) }>
    }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    first (c, v) => (r) {
        r = If (c) <
            then_branch = then_first () => (a) { a = local.second (c, v) },
            else_branch = else_first () => (b) { b = Neg (v) }>
    }""")


def _imports_local_2026(m: ModelProto) -> None:
    """The function's domain is imported in version 2026."""
    next(entry for entry in m.opset_import if entry.domain == "local").version = 2026


def nothing_given(m: ModelProto) -> None:
    """The call passes no graph."""
    del m.graph.node[0].attribute[:]


def list_given(m: ModelProto) -> None:
    """The call passes a list of graphs, with the graph in it."""
    given = m.graph.node[0].attribute[0]
    given.type = AttributeProto.GRAPHS
    given.graphs.append(given.g)
    given.ClearField("g")


def branches_swapped(m: ModelProto) -> None:
    first, second = m.functions[0].node[0].attribute
    first.name, second.name = second.name, first.name


def else_first(m: ModelProto) -> None:
    choice = m.functions[0].node[0]
    swapped = list(reversed([AttributeProto.FromString(given.SerializeToString()) for given in choice.attribute]))
    del choice.attribute[:]
    choice.attribute.extend(swapped)


def given_output_untyped(m: ModelProto) -> None:
    """The output of the graph that the call passes has no declared type."""
    m.graph.node[0].attribute[0].g.output[0].ClearField("type")


def vectors() -> Iterator[Vector]:
    yield in_function(
        "branches-read-inputs: the branches read the function's inputs",
        CHOOSES,
        branches({"x": X}, then={"y": X + X}, else_={"y": -X}),
        why=["ir-function-body", issue("microsoft/onnxruntime", 10698, "such a function could not be loaded")],
    )
    yield in_function(
        "three-outputs: the function returns the three results of its If, in order",
        THREE_OUTPUTS,
        branches({"x": X}, then={"p": X + X, "q": -X, "r": np.abs(X)}, else_={"p": np.abs(X), "q": X + X, "r": -X}),
        why=["ir-function-body"],
    )
    named = in_function(
        "function-named-like-an-operator: "
        "a function of another domain is called Add, and multiplies; then calls it, else adds",
        NAMED_ADD,
        branches({"x": X}, then={"y": X * X}, else_={"y": X + X}),
        why=["ir-function-body", "ir-function-name-and-domain"],
    )
    yield named
    yield in_function(
        "domain-of-a-high-version: "
        "the domain of the function is imported in version 2026, higher than that of any operator set of ONNX",
        edited(CHOOSES, _imports_local_2026),
        branches({"x": X}, then={"y": X + X}, else_={"y": -X}),
        why=["ir-function-body", "ir-function-opset-implicit"],
    )
    yield in_function(
        "called-twice: two calls, each with its own cond; the branches have initializers of one name",
        CALLED_TWICE,
        Run({"p": np.True_, "q": np.True_, "x": X}, {"z": floats(21, 38)}),
        Run({"p": np.True_, "q": np.False_, "x": X}, {"z": floats(-11, 36)}),
        Run({"p": np.False_, "q": np.True_, "x": X}, {"z": floats(9, 16)}),
        Run({"p": np.False_, "q": np.False_, "x": X}, {"z": floats(1, -8)}),
        why=[
            "ir-function-body",
            issue("microsoft/onnxruntime", 16330, "inlining did not rename the initializers of branches"),
        ],
    )
    yield in_function(
        "attribute-reference-in-branch: "
        "nodes in the branches refer to an attribute for which each call passes another value",
        ATTRIBUTE_REFERENCE,
        branches(
            {"x": X},
            then={"i": np.int64([1, -2]), "d": np.float64([1, -2])},
            else_={"i": np.int64([-1, 2]), "d": np.float64([-1, 2])},
        ),
        why=[
            "ir-function-attribute-replaced",
            issue("onnx/onnx", 4792, "references inside a branch were not replaced"),
        ],
    )
    referring = in_function(
        "branch-is-attribute-reference: then_branch itself refers to a graph that the call passes",
        BRANCH_REFERENCE,
        branches({"x": X}, then={"y": floats(5, 6)}, else_={"y": -X}),
        also=["onnx/if/both-branches-required"],
    )
    yield in_function(
        "listed-before-the-one-it-calls: "
        "the first function calls the second, whose attribute has a default that would not fit",
        LISTED_BEFORE,
        branches({"x": X}, then={"y": 2 * X}, else_={"y": -2 * X}),
        why=["ir-function-attribute-replaced", "ir-function-body"],
    )
    yield referring.broken(
        "branch-is-reference-to-nothing: "
        "then_branch refers to a graph that the call does not pass, so that the If has none",
        nothing_given,
        why=[OMITTED, REQUIRED],
    )
    yield referring.broken(
        "branch-is-reference-to-a-list: "
        "then_branch, which the runs do not take, refers to an attribute for which the call passes a list of one graph",
        list_given,
        why=[REQUIRED, "proto-attribute-type"],
        runs=[{"cond": np.False_, "x": X}],
    )
    other = referring.varied(
        "else-branch-is-attribute-reference: "
        "else_branch, the first attribute in the file, refers to a graph that the call passes",
        branches_swapped,
        runs=branches({"x": X}, then={"y": -X}, else_={"y": floats(5, 6)}),
    )
    yield other.broken(
        "else-branch-is-reference-to-nothing: "
        "else_branch, which the run does not take, refers to a graph that the call does not pass",
        nothing_given,
        why=[OMITTED, REQUIRED],
        runs=[{"cond": np.True_, "x": X}],
    )
    yield other.broken(
        "else-branch-is-reference-to-a-list: "
        "else_branch, which the run does not take, refers to an attribute for which the call passes a list",
        list_given,
        why=[REQUIRED, "proto-attribute-type"],
        runs=[{"cond": np.True_, "x": X}],
    )
    yield Vector(
        "onnx/if/branch-outputs-may-be-untyped/graph-given-by-a-call",
        "then_branch refers to a graph that the call passes, whose output has no declared type",
        ["ir-function-attribute-replaced", "ir-subgraph-types"],
        edited(BRANCH_REFERENCE, given_output_untyped),
        branches({"x": X}, then={"y": floats(5, 6)}, else_={"y": -X}),
        also=[RULE.rstrip("/")],
    )
    yield in_function(
        "call-in-branch: the branches call a function that calls another",
        CALL_IN_BRANCH,
        branches({"x": X}, then={"y": 4 * X}, else_={"y": -4 * X}),
        why=["ir-function-body"],
    )
    k = floats(10, 20)
    references = in_function(
        "both-branches-are-references: both branches refer to graphs, and each call passes different ones",
        BOTH_REFERENCES,
        branches({}, then={"y": floats(1, 2), "z": floats(-5, -6)}, else_={"y": floats(-3, -4), "z": floats(7, 8)}),
        also=["onnx/if/both-branches-required"],
    )
    yield references.varied(
        "both-branches-are-references-else-first: "
        "both branches refer to graphs, and else_branch comes before then_branch in the file",
        else_first,
    )
    yield references.broken(
        "both-branches-are-references-one-of-type-int: "
        "both branches refer to graphs, and then_branch has the type of an integer",
        replaced("graph = @when_true,", "int = @when_true,"),
        why=[REQUIRED, "ir-signature"],
    )
    yield in_function(
        "default-graph-handed-on: "
        "a function forwards its graph, which one call passes and the other leaves out: the callee's default is left",
        DEFAULT_HANDED_ON,
        branches({}, then={"y": floats(1, 2), "z": floats(1, 2)}, else_={"y": floats(3, 4), "z": floats(-7, -8)}),
        why=["ir-function-attribute-replaced", DEFAULTED, OMITTED],
    )
    yield in_function(
        "branch-is-default-graph: "
        "else_branch refers to a graph that one call passes and the other leaves at its default",
        DEFAULT_GRAPH,
        branches({}, then={"y": floats(1, 2), "z": floats(5, 6)}, else_={"y": floats(3, 4), "z": floats(-7, -8)}),
        why=[DEFAULTED, "proto-function-attribute-defaults"],
        also=["onnx/if/both-branches-required"],
    )
    yield in_function(
        "given-graph-captures: the graphs that a call passes for the branches read values around the call",
        GIVEN_GRAPH_CAPTURES,
        branches({"x": X}, then={"y": X + k}, else_={"y": -k}),
        why=["ir-function-attribute-replaced", "ir-outer-scope"],
        doubt="the graph is in the caller, whose values it reads, but runs in the function, which sees none of them",
    )
    yield in_function(
        "attribute-default-in-branch: nodes in the branches refer to an attribute that one call leaves at its default",
        DEFAULT,
        branches(
            {"x": X},
            then={"i": np.int64([1, -2]), "d": np.float64([1, -2])},
            else_={"i": np.int64([-1, 2]), "d": np.float64([-1, 2])},
        ),
        why=["ir-function-attribute-replaced", "proto-function-attribute-defaults"],
    )
    yield in_function(
        "attribute-reference-two-levels-down: "
        "nodes two Ifs down refer to the attribute, one of them to forward it to another function",
        DEEP_REFERENCE,
        Run({"p": np.True_, "q": np.True_, "x": X}, {"y": np.int64([1, -2])}),
        Run({"p": np.True_, "q": np.False_, "x": X}, {"y": np.int64([-1, 2])}),
        Run({"p": np.False_, "q": np.True_, "x": X}, {"y": np.int64([1, 2])}),
        why=[
            "ir-function-attribute-replaced",
            issue("onnx/onnx", 4792, "references inside a branch were not replaced"),
        ],
        also=["onnx/if/nesting"],
    )
    yield in_function(
        "names-of-the-caller: the function and its branches use the same names as the caller, for other values",
        SAME_NAMES,
        Run({"c": np.True_, "x": X}, {"r": floats(111, 222)}),
        # -x = [-1, 2], its size [1, 2], and twice -x
        Run({"c": np.False_, "x": X}, {"r": floats(99, 206)}),
        why=[
            "ir-function-names-are-its-own",
            issue("microsoft/onnxruntime", 16330, "inlining renamed too little, or too much"),
        ],
        also=["onnx/if/sibling-names-independent"],
    )
    calls = Vector(
        "onnx/if/no-function-recursion/chain-of-calls",
        "first calls second, second calls third, each from a branch",
        ["proto-no-recursion"],
        CALLS,
        branches({"x": X}, then={"y": X + X}, else_={"y": -X}),
    )
    field = [
        "proto-no-recursion",
        issue("microsoft/onnxruntime", 28187, "a recursion overflowed the stack"),
        issue("onnx/onnx", 8171, "a checker did not detect it"),
    ]
    yield calls.broken(
        "calls-itself: a function calls itself from a branch that is never taken",
        replaced("a = local.third (c, v)", "a = local.second (c, v)"),
        why=field,
    )
    yield calls.broken(
        "calls-itself-from-else: a function calls itself from else with the negated cond, so that the recursion ends",
        replaced("b = Add (v, v)", "b = local.second (n, v)"),
        why=field,
    )
    yield calls.broken(
        "calls-its-caller: two functions call each other from branches",
        replaced("a = local.third (c, v)", "a = local.first (c, v)"),
        why=field,
    )
