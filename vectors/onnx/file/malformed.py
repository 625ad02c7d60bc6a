"""Models that break the IR's rules around an If: definitions, uses, order, operators, names."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, attribute, branches, edited, else_of, model, replaced, then_of
from ifcert.authoring.models import Edit
from ifcert.authoring.sources import issue, says
from onnx import AttributeProto, GraphProto, ModelProto, TensorProto, helper, parser

ONE_DEFINITION = says("ir-unique-definition")


MUST_REFER = says("ir-node-input")

DECLARED = says("ir-operators-declared")


NAMED = says("ir-graph-name")
VALUE_INFO = says("ir-value-info")
TYPE_OF_VALUE = says("ir-value-info-type")

X = np.float32([1, -2])

CHOICE = model("""
    choice (bool cond, float[2] x) => (float[2] y) <float[2] k = {10, 20}> {
        size = Abs (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { inner = Add (x, size)  a = Add (inner, k) },
            else_branch = else_graph () => (float[2] b) { other = Neg (x)  b = Sub (other, k) }>
    }""")
RUNS = branches({"x": X}, then={"y": np.float32([12, 20])}, else_={"y": np.float32([-11, -18])})


MAPPED = model("""<opset_import: ["" : 17]>
    mapped (bool cond, float[2] x) => (float[2] y) <int64 last = {-1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                s = SequenceConstruct (x)
                t = SequenceMap (s) <body = each (float[2] item) => (float[2] r) { r = Neg (item) }>
                a = SequenceAt (t, last)
            },
            else_branch = else_graph () => (float[2] b) { b = Abs (x) }>
    }""")

# A body with an initializer; its result stays the same if that takes the name of a formal input.
LOOPED = model("""
    looped (bool cond, float[2] x) => (float[2] y) <int64 trips = {2}, bool yes = {1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                a = Loop (trips, yes, x) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out)
                        <float[2] w = {10, 20}> { on_out = Identity (on)  v_out = Add (v, w) }>
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

SCANNED = model("""
    scanned (bool cond, float[2] x, float[n,2] rows) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                a = Scan <
                    num_scan_inputs = 1,
                    body = step (float[2] v, float[2] e) => (float[2] v_out)
                        <float[2] w = {10, 20}> { t = Add (v, w)  v_out = Add (t, e) }> (x, rows)
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

FUNCTIONS = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.first <to = 1> (x) },
            else_branch = else_graph () => (float[2] b) { b = Cast <to = 1> (x) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    second (v) => (r) { t = Neg (v)  r = Abs (t) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    first <to> (v) => (r) { t = local.second (v)  r = Cast <to: int = @to> (t) }""")
# The second function calls the first in the body of a Loop of one trip, or of a SequenceMap over one item.
CALLS_IN_BODY = """
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.once (x) },
            else_branch = else_graph () => (float[2] b) { b = Add (x, x) }>
    }
    <domain: "local", opset_import: ["" : 17]>
    negated (v) => (r) { r = Neg (v) }
    <domain: "local", opset_import: ["" : 17, "local" : 1]>
    once (v) => (r) { BODY }"""
CALLS_IN_LOOP = """
        trips = Constant <value = int64 {1}> ()
        yes = Constant <value = bool {1}> ()
        r = Loop (trips, yes, v) <
            body = step (int64 i, bool on, s) => (bool on_out, s_out)
                { on_out = Identity (on)  s_out = local.negated (s) }>"""
CALLS_IN_MAP = """
        first = Constant <value = int64 {0}> ()
        s = SequenceConstruct (v)
        t = SequenceMap (s) <body = each (item) => (o) { o = local.negated (item) }>
        r = SequenceAt (t, first)"""
CAST_LIKE = model("""<opset_import: ["" : 15, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.negated (x) },
            else_branch = else_graph () => (float[2] b) { b = Abs (x) }>
    }
    <domain: "local", opset_import: ["" : 15]>
    negated (v) => (r) { n = Neg (v)  r = CastLike (n, v) }""")

# Nothing calls third and fourth.
UNCALLED = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.first (x) },
            else_branch = else_graph () => (float[2] b) { b = Identity (x) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    first (v) => (r) { t = Neg (v)  r = Abs (t) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    third (v) => (r) { r = local.first (v) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    fourth (v) => (r) { r = local.third (v) }""")
LOOPS = branches({"x": X}, then={"y": np.float32([21, 38])}, else_={"y": -X})
CALLED = branches({"x": X}, then={"y": np.abs(X)}, else_={"y": X})


def sound(rule: str, why: list) -> Vector:
    """The model without a fault, as this rule's twin."""
    return Vector(rule + "sound", "the model without a fault", why, CHOICE, RUNS)


def named(made: ModelProto, name: str) -> ModelProto:
    """The model, whose main graph has this name."""
    return edited(made, lambda m: setattr(m.graph, "name", name))


# --- definitions and uses


def _definitions() -> Iterator[Vector]:
    rule = "onnx/model/one-definition-per-name/"
    twin = sound(rule, [ONE_DEFINITION, says("ir-node-ssa")])
    yield twin
    yield twin.broken("two-nodes", "two nodes of the main graph define size", main_defines_twice)
    yield twin.broken("two-nodes-in-branch", "two nodes of then define inner", then_defines_twice)
    yield twin.broken("node-and-graph-input", "a node of the main graph defines the graph input x", main_defines_input)
    yield twin.broken(
        "node-and-initializer", "a node of the main graph defines the initializer k", main_defines_initializer
    )
    yield twin.broken(
        "two-initializers",
        "the main graph has two initializers k",
        replaced("k = {10, 20}> {", "k = {10, 20}, float[2] k = {30, 40}> {"),
    )
    yield twin.broken(
        "two-graph-inputs",
        "the main graph has two inputs x",
        replaced("x) => (float[2]", "x, float[2] x) => (float[2]"),
    )
    yield twin.broken(
        "two-initializers-of-graph-input",
        "the main graph has two initializers x, either of which could be the default of its input x",
        replaced("k = {10, 20}> {", "k = {10, 20}, float[2] x = {30, 30}, float[2] x = {40, 40}> {"),
    )
    has_name = says("proto-initializer-named")
    for place, graph in (("main-graph", lambda m: m.graph), ("branch", else_of)):
        yield twin.broken(
            f"initializer-without-name-in-{place}",
            f"the {'main graph' if place == 'main-graph' else 'else branch'} has an initializer without a name",
            lambda m, graph=graph: graph(m).initializer.append(helper.make_tensor("", TensorProto.FLOAT, [1], [7])),
            why=[has_name],
        )


def _bodies() -> Iterator[Vector]:
    rule = "onnx/model/nested-input-is-no-initializer/"
    subgraph = says("ir-4-subgraph-input-no-initializer")
    field = issue("microsoft/onnxruntime", 32609, "memory past a buffer's end was read")
    looped = Vector(rule + "loop-body", "a Loop in then, whose body has an initializer", [subgraph], LOOPED, LOOPS)
    rows = np.float32([[1, 2], [3, 4]])
    scanned = Vector(
        rule + "scan-body",
        "a Scan in then, whose body has an initializer",
        [subgraph],
        SCANNED,
        branches({"x": X, "rows": rows}, then={"y": np.float32([25, 44])}, else_={"y": -X}),
    )
    for twin, kind in ((looped, "Loop"), (scanned, "Scan")):
        yield twin
        yield twin.broken(
            f"{twin.id}-input-and-initializer",
            f"the initializer of the {kind}'s body has the name of one of the body's inputs",
            body_initializer_is_input,
            why=[subgraph, field],
        )


def body_of(m: ModelProto) -> GraphProto:
    """The body of the loop in then."""
    return next(given.g for given in then_of(m).node[0].attribute if given.name == "body")


def body_initializer_is_input(m: ModelProto) -> None:
    """The body's initializer w is named v, as the carried value is."""
    body = body_of(m)
    body.initializer[0].name = "v"
    for node in body.node:
        node.input[:] = ["v" if name == "w" else name for name in node.input]


def _functions() -> Iterator[Vector]:
    rule = "onnx/model/unique-functions/"
    unique = says("proto-functions-unique")
    twin = Vector(rule + "sound", "two functions with two names, called from a branch", [unique], FUNCTIONS, CALLED)
    yield twin
    yield twin.broken("same-name-twice", "the model has two functions second, with different bodies", second_function)
    rule = "onnx/model/no-function-recursion/"
    recursion = says("proto-no-recursion")
    twin = Vector(rule + "sound", "a function calls another", [recursion], FUNCTIONS, CALLED)
    yield twin
    yield twin.broken(
        "calls-itself",
        "a function calls itself, not through any branch",
        replaced("t = local.second (v)", "t = local.first (v)"),
    )
    yield twin.broken(
        "calls-each-other",
        "two functions call each other, not through any branch",
        replaced('opset_import: ["" : 16]>', 'opset_import: ["" : 16, "local" : 1]>'),
        replaced("t = Neg (v)", "t = local.first (v)"),
    )
    uncalled = Vector(
        rule + "uncalled", "two functions are never called; one calls the other", [recursion], UNCALLED, CALLED
    )
    yield uncalled
    for case, title, called in [
        ("uncalled-calls-itself", "a function that is never called calls itself", "third"),
        ("uncalled-call-each-other", "two functions that are never called call each other", "fourth"),
    ]:
        yield uncalled.broken(case, title, third_calls(called))
    for operator, case, text in [("Loop", "a-loop", CALLS_IN_LOOP), ("SequenceMap", "a-sequence-map", CALLS_IN_MAP)]:
        inside = Vector(
            f"{rule}calls-another-in-{case}",
            f"a function calls another in the body of a {operator}",
            [recursion],
            model(CALLS_IN_BODY.replace("BODY", text), 17, domains={"local": 1}),
            branches({"x": X}, then={"y": -X}, else_={"y": X + X}),
        )
        yield inside
        yield inside.broken(
            f"calls-itself-in-{case}",
            f"a function calls itself in the body of a {operator}",
            body_calls_its_function(operator),
        )
    rule = "onnx/model/attribute-reference/"
    only = says("proto-reference-in-function")
    twin = Vector(rule + "sound", "a node of a function refers to its attribute", [only], FUNCTIONS, CALLED)
    yield twin
    yield twin.broken(
        "in-branch-of-main-graph", "a node of else, in the main graph, refers to an attribute", reference_in_else
    )
    yield twin.broken(
        "of-optional-attribute-in-branch",
        "a node of else, in the main graph, refers to an attribute that its operator need not have",
        optional_reference_in_else,
    )


def body_calls_its_function(operator: str) -> Edit:
    """In the body of this loop the function calls itself instead of the other."""

    def edit(m: ModelProto) -> None:
        loop = next(node for node in m.functions[1].node if node.op_type == operator)
        call = attribute(loop, "body").g.node[-1]
        call.op_type = m.functions[1].name

    return edit


def second_function(m: ModelProto) -> None:
    """Another function second, which negates."""
    again = m.functions.add()
    again.CopyFrom(m.functions[0])
    del again.node[1]
    again.node[0].output[0] = "r"


def third_calls(name: str) -> Edit:
    """Third calls this function instead of first."""

    def edit(m: ModelProto) -> None:
        m.functions[1].node[0].op_type = name

    return edit


def reference_in_else(m: ModelProto) -> None:
    """Else's Cast refers to an attribute, outside any function."""
    to = else_of(m).node[0].attribute[0]
    to.ClearField("i")
    to.ref_attr_name = "to"


def optional_reference_in_else(m: ModelProto) -> None:
    """Else begins with a ReduceSum, which nothing reads; its keepdims, 1 by default, refers to an attribute."""
    node = helper.make_node("ReduceSum", ["x"], ["unread"])
    node.attribute.add(name="keepdims", type=AttributeProto.INT, ref_attr_name="to")
    else_of(m).node.insert(0, node)


DEEP_VALUE = model("""
    nested (bool cond, bool on, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                a = If (on) <
                    then_branch = deep_then () => (float[2] c) <float[2] t> { t = Neg (x)  c = Add (t, t) },
                    else_branch = deep_else () => (float[2] d) { d = Abs (x) }>
            },
            else_branch = else_graph () => (float[2] b) { b = Add (x, x) }>
    }""")


SCALAR = model("""
    totals (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float t> { t = ReduceSum <keepdims = 0> (x)  a = Add (x, t) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

LISTED = model("""
    listed (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <seq(float[2]) s> {
                last = Constant <value = int64 {-1}> ()
                s = SequenceConstruct (x, x)
                item = SequenceAt (s, last)
                a = Add (item, x)
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")


def keeps_dims(m: ModelProto) -> None:
    """Then's ReduceSum keeps its dims, and its result is declared so."""
    attribute(then_of(m).node[0], "keepdims").i = 1
    declared_in_then(m, "float[1]")


def declared_in_then(m: ModelProto, text: str) -> None:
    """Then declares this type, in the notation of ONNX text, for its inner value."""
    made = parser.parse_graph(f"g ({text} v) => () {{}}").input[0].type
    then_of(m).value_info[0].type.CopyFrom(made)


def _types() -> Iterator[Vector]:
    rule = "onnx/model/declared-type-agrees/"
    twin = sound(rule, [VALUE_INFO]).varied(
        "sound",
        "then declares its inner value",
        replaced("then_graph () => (float[2] a)", "then_graph () => (float[2] a) <float[2] inner>"),
    )
    yield twin
    yield twin.broken(
        "inner-value-of-branch",
        "then declares its inner value int64, but the node's output is float",
        replaced("<float[2] inner>", "<int64[2] inner>"),
    )
    yield twin.broken(
        "inner-value-of-branch-is-opaque",
        "then declares its inner value opaque, but the node's output is a tensor",
        replaced("<float[2] inner>", "<opaque (handle) inner>"),
    )
    yield twin.broken(
        "output-declared-twice",
        "the main graph's output y is declared int64 among the outputs, and float in value_info",
        replaced("(float[2] y) <float[2] k = {10, 20}>", "(int64[2] y) <float[2] k = {10, 20}, float[2] y>"),
        why=[TYPE_OF_VALUE],
    )
    yield twin.broken(
        "output-of-branch-declared-twice",
        "then's output is declared int64 among its outputs, and float in its value_info",
        replaced("(float[2] a) <float[2] inner>", "(int64[2] a) <float[2] inner, float[2] a>"),
        why=[TYPE_OF_VALUE],
    )
    longer = twin.varied(
        "output-of-branch-declared",
        "then declares its output [2], as it is, and the main graph its output by a variable",
        replaced("(float[2] y) <float[2]", "(float[n] y) <float[2]"),
        why=[TYPE_OF_VALUE],
    )
    yield longer
    for case, info, said in (
        ("of-two-lengths", "float[2]", "[2]"),
        ("longer-and-of-any-length", "float[?]", "with an unset dim"),
        ("longer-and-by-a-variable", "float[k]", "[k]"),
        ("longer-and-without-shape", "float[]", "without a shape"),
    ):
        yield longer.broken(
            f"{longer.id}-{case}",
            f"then's output, of shape [2], is declared [3] among its outputs, and {said} in its value_info",
            lambda m, info=info: declared_longer(then_of(m), info),
        )
    deep = Vector(
        rule + "inner-value-two-levels-down",
        "a branch of an If in then declares its inner value",
        [VALUE_INFO],
        DEEP_VALUE,
        branches({"on": np.True_, "x": X}, then={"y": -X - X}, else_={"y": X + X}),
    )
    yield deep
    yield deep.broken(
        "inner-value-two-levels-down-int64",
        "a branch of an If in then declares its inner value int64, but the node's output is float",
        replaced("deep_then () => (float[2] c) <float[2] t>", "deep_then () => (float[2] c) <int64[2] t>"),
    )
    x = np.float32([1, -3])
    total = Vector(
        rule + "scalar-of-branch",
        "then declares an inner value as a scalar, which it is",
        [TYPE_OF_VALUE],
        SCALAR,
        branches({"x": x}, then={"y": np.float32([-1, -5])}, else_={"y": -x}),
    )
    yield total
    yield total.broken(
        "scalar-of-branch-is-a-list",
        "then declares an inner value as a list of one element, but it is a scalar",
        replaced("then_graph () => (float[2] a) <float t>", "then_graph () => (float[2] a) <float[1] t>"),
    )
    one = total.varied(
        "list-of-one-of-branch", "then declares an inner value as a list of one element, which it is", keeps_dims
    )
    yield one
    yield one.broken(
        "list-of-one-of-branch-is-of-two",
        "then declares an inner value as a list of two elements, but it has one",
        lambda m: declared_in_then(m, "float[2]"),
    )
    yield one.broken(
        "list-of-one-of-branch-is-of-none",
        "then declares an inner value as a list of no elements, but it has one",
        lambda m: declared_in_then(m, "float[0]"),
    )
    listed = Vector(
        rule + "sequence-of-branch",
        "then declares an inner value as a sequence of float, which it is",
        [TYPE_OF_VALUE],
        LISTED,
        branches({"x": x}, then={"y": x + x}, else_={"y": -x}),
    )
    yield listed
    yield listed.broken(
        "sequence-of-branch-int64",
        "then declares an inner value as a sequence of int64, but it is one of float",
        replaced("<seq(float[2])", "<seq(int64[2])"),
        runs=[{"cond": np.False_, "x": x}],
    )
    stored = twin.varied(
        "initializer-of-branch",
        "else declares its initializer float, as it is",
        replaced("=> (float[2] b)", "=> (float[2] b) <float[2] stored = {3, 5}, float[2] stored>"),
    )
    yield stored
    yield stored.broken(
        "initializer-of-branch-int64",
        "else, which the run does not take, declares its initializer int64, but it holds floats",
        replaced("float[2] stored>", "int64[2] stored>"),
        runs=[{"cond": np.True_, "x": X}],
    )
    yield stored.broken(
        "initializer-of-branch-declared-longer",
        "else, which the run does not take, declares its initializer [3], but it holds two floats",
        replaced("float[2] stored>", "float[3] stored>"),
        runs=[{"cond": np.True_, "x": X}],
    )
    twin = Vector(
        rule + "loop-body",
        "a Loop in then, whose body declares the types of its inputs and outputs",
        [TYPE_OF_VALUE],
        named(LOOPED, "with_types"),
        LOOPS,
    )
    yield twin
    yield twin.broken(
        "loop-body-output-int64",
        "the body of a Loop declares its sum of floats int64",
        lambda m: setattr(body_of(m).output[1].type.tensor_type, "elem_type", TensorProto.INT64),
    )
    rule = "onnx/model/operands-fit/"
    fits = says("operators-not-and-neg-types")
    twin = sound(rule, [fits])
    yield twin
    yield twin.broken(
        "not-of-float-in-branch", "else applies Not to floats", replaced("other = Neg (x)", "other = Not (x)")
    )


def declared_longer(graph: GraphProto, text: str) -> None:
    """The graph's value_info declares this type, in the notation of ONNX text, for its output, which becomes [3]."""
    info = graph.value_info.add(name=graph.output[0].name)
    info.type.CopyFrom(parser.parse_graph(f"g ({text} v) => () {{}}").input[0].type)
    graph.output[0].type.tensor_type.shape.dim[0].dim_value = 3


def main_defines_twice(m: ModelProto) -> None:
    """A second node, just like the first, defines size again."""
    m.graph.node.insert(1, helper.make_node("Abs", ["x"], ["size"]))


def then_defines_twice(m: ModelProto) -> None:
    """A second node of then, just like the first, defines inner again."""
    then_of(m).node.insert(1, helper.make_node("Add", ["x", "size"], ["inner"]))


def main_defines_input(m: ModelProto) -> None:
    """An unused node has an output named x."""
    m.graph.node.insert(1, helper.make_node("Neg", ["size"], ["x"]))


def main_defines_initializer(m: ModelProto) -> None:
    """An unused node has an output named k."""
    m.graph.node.insert(1, helper.make_node("Neg", ["size"], ["k"]))


def _uses() -> Iterator[Vector]:
    rule = "onnx/model/every-use-is-defined/"
    twin = sound(rule, [MUST_REFER])
    yield twin
    yield twin.broken(
        "main-reads-nothing",
        "a node of the main graph reads a name that is not defined",
        replaced("size = Abs (x)", "size = Abs (absent)"),
    )
    yield twin.broken(
        "then-reads-nothing",
        "a node of then reads a name that is not defined",
        replaced("inner = Add (x, size)", "inner = Add (absent, size)"),
    )
    yield twin.broken(
        "else-returns-nothing",
        "else returns a name that is not defined",
        replaced("else_graph () => (float[2] b)", "else_graph () => (float[2] absent)"),
    )
    yield twin.broken(
        "main-returns-nothing",
        "the main graph returns a name that is not defined",
        replaced("y) <float[2] k", "absent) <float[2] k"),
    )
    uncalled = Vector(
        rule + "uncalled-functions", "two functions are never called", [MUST_REFER], named(UNCALLED, "uses"), CALLED
    )
    yield uncalled
    yield uncalled.broken(
        "uncalled-function-returns-nothing",
        "a function that is never called returns a name that is not defined",
        lambda m: m.functions[1].output.__setitem__(0, "absent"),
        why=[says("ir-definition-and-use"), ONE_DEFINITION],
    )


def _cycles() -> Iterator[Vector]:
    rule = "onnx/model/no-cycles/"
    twin = sound(rule, [says("ir-no-cycles")])
    yield twin
    yield twin.broken(
        "node-reads-itself",
        "then's first node reads its own output",
        replaced("inner = Add (x, size)", "inner = Add (inner, size)"),
    )
    yield twin.broken(
        "two-nodes-in-branch", "two nodes of else read each other", replaced("other = Neg (x)", "other = Neg (b)")
    )
    yield twin.broken(
        "through-a-branch",
        "a branch captures a value that is computed from the If's own output",
        replaced("size = Abs (x)", "size = Abs (y)"),
    )


def _operators() -> Iterator[Vector]:
    rule = "onnx/model/operators-are-declared/"
    twin = sound(rule, [DECLARED, says("ir-model-support-or-reject")])
    yield twin
    yield twin.broken(
        "unknown-operator",
        "the main graph has an operator that the opset does not have",
        replaced("size = Abs (x)", "size = Abbs (x)"),
    )
    yield twin.broken(
        "unknown-operator-in-branch",
        "else has an operator that the opset does not have",
        replaced("other = Neg (x)", "other = Negg (x)"),
    )
    yield twin.broken(
        "domain-not-imported",
        "then has an operator of a domain that is not imported",
        replaced("inner = Add (x, size)", "inner = example.absent.Add (x, size)"),
    )
    yield twin.broken(
        "operator-of-later-opset",
        "then has an operator of a later opset",
        replaced("inner = Add (x, size)", "inner = BitwiseAnd (x, size)"),
    )
    mapped = Vector(
        rule + "sequence-map-of-its-opset",
        "then has a SequenceMap, in opset 17, the first that has it",
        [DECLARED, says("operators-sequencemap-since-17")],
        MAPPED,
        branches({"x": X}, then={"y": -X}, else_={"y": np.abs(X)}),
    )
    yield mapped
    yield mapped.broken(
        "sequence-map-of-later-opset",
        "then has a SequenceMap, in opset 16, which does not have it yet",
        replaced('<ir_version: 8, opset_import: ["" : 17]>', '<ir_version: 8, opset_import: ["" : 16]>'),
    )
    yield twin.broken(
        "opset-from-the-future",
        "the model imports opset 100000",
        replaced('<ir_version: 8, opset_import: ["" : 16]>', '<ir_version: 8, opset_import: ["" : 100000]>'),
        obliged_by=says("ir-model-support-or-reject"),
    )
    yield twin.broken(
        "opset-without-version",
        "the import of ONNX's operators has no version",
        lambda m: m.opset_import[0].ClearField("version"),
        why=[says("proto-opset-version-present")],
    )
    called = Vector(
        rule + "in-function",
        "the operators of functions are those of their opset",
        [DECLARED],
        named(FUNCTIONS, "operators"),
        CALLED,
    )
    yield called
    for case, title, edit in [
        (
            "function-called-without-its-domain",
            "then calls a function by its name alone, which no operator of ONNX has",
            lambda m: then_of(m).node[0].ClearField("domain"),
        ),
        (
            "unknown-operator-in-function",
            "a function has an operator that the opset does not have",
            unknown_in_function,
        ),
        (
            "domain-not-imported-in-function",
            "a function has an operator of a domain that neither it nor the model imports",
            foreign_in_function,
        ),
        (
            "domain-of-function-not-imported",
            "then calls a function of a domain that the model does not import",
            without_local,
        ),
    ]:
        yield called.broken(case, title, edit)
    like = Vector(
        rule + "cast-like-of-its-opset",
        "a function has a CastLike, in opset 15, the first that has it",
        [DECLARED, says("operators-castlike-since-15")],
        CAST_LIKE,
        branches({"x": X}, then={"y": -X}, else_={"y": np.abs(X)}),
    )
    yield like
    yield like.broken(
        "cast-like-of-later-opset",
        "a function has a CastLike, in opset 14, which does not have it yet",
        replaced('15, "local" : 1]>', '14, "local" : 1]>'),
        replaced('<domain: "local", opset_import: ["" : 15]>', '<domain: "local", opset_import: ["" : 14]>'),
    )
    yield twin.varied(
        "no-opset-import",
        "the model imports no operator set at all",
        replaced('<ir_version: 8, opset_import: ["" : 16]>', "<ir_version: 8, opset_import: []>"),
        why=[says("proto-opset-import"), says("ir-default-set-implicit")],
        doubt="models import the default set implicitly, yet each MUST have an entry that gives its version",
    )


def unknown_in_function(m: ModelProto) -> None:
    """Second's Abs is misspelt."""
    m.functions[0].node[1].op_type = "Abbs"


def foreign_in_function(m: ModelProto) -> None:
    """Second's Abs is of a domain of its own."""
    m.functions[0].node[1].domain = "example.absent"


def without_local(m: ModelProto) -> None:
    """The model imports ONNX's operators alone."""
    del m.opset_import[1]


def _names() -> Iterator[Vector]:
    rule = "onnx/model/graphs-have-names/"
    twin = sound(rule, [NAMED])
    yield twin
    yield twin.broken("then-without-name", "then has no name", then_nameless)
    yield twin.broken("main-without-name", "the main graph has no name", main_nameless)
    looped = Vector(
        rule + "loop-body", "a Loop in then, whose body has a name", [NAMED], named(LOOPED, "with_names"), LOOPS
    )
    yield looped
    yield looped.broken(
        "loop-body-without-name", "the body of a Loop has no name", lambda m: body_of(m).ClearField("name")
    )


def then_nameless(m: ModelProto) -> None:
    """Then's name is not set."""
    then_of(m).ClearField("name")


def main_nameless(m: ModelProto) -> None:
    """The main graph's name is not set."""
    m.graph.ClearField("name")
