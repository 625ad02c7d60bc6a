"""Things that a file declares once: its graph, IR version, a value's type, an attribute's value, a call's operands."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, Why, branches, edited, else_of, floats, model, replaced, says, then_of
from onnx import AttributeProto, ModelProto, NodeProto, helper

X = floats(1, -2)

# k is computed in the main graph and captured; then declares the value it computes, else has an operator with an
# attribute, and both call the same function.
SAID = model("""<opset_import: ["" : 16, "local" : 1]>
    said (bool cond, float[2] x) => (float[2] y) {
        k = Constant <value_floats = [10.0, 20.0]> ()
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[2] inner> {
                inner = Add (x, k)
                a = local.twice (inner)
            },
            else_branch = else_graph () => (float[2] b) { t = local.twice (x)  b = Cast <to = 1> (t) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    twice (v) => (r) { r = Add (v, v) }""")

# The Constant's list is emptied.
LISTED = model("""
    listed (bool cond, float[2] x) => (float[?] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) {
                k = Constant <value_floats = [1.0]> ()
                a = Concat <axis = 0> (x, k)
            },
            else_branch = else_graph () => (b) { b = Neg (x) }>
    }""")

# The value is not the default of ConstantOfShape.
FILLED = model("""
    filled (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) {
                two = Constant <value = int64[1] {2}> ()
                k = ConstantOfShape <value = float[1] {3}> (two)
                b = Add (x, k)
            }>
    }""")

# The calls of the function leave its attribute out.
DEFAULTED = model("""<opset_import: ["" : 19, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.scaled (x) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }
    <domain: "local", opset_import: ["" : 19]>
    scaled <factor: float = 2.0> (v) => (r) { k = Constant <value_float: float = @factor> ()  r = Mul (v, k) }""")

# Axis 1 is not the default of Gather.
TURNED = model("""
    turned (bool cond, float[2,2] x) => (float[2,2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2,2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2,2] b) {
                i = Constant <value = int64[2] {1, 0}> ()
                b = Gather <axis = 1> (x, i)
            }>
    }""")

# One function calls the other.
CALLS = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.doubled (x) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    sum (v, w) => (r) { r = Add (v, w) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    doubled (v) => (r) { n = Neg (v)  s = local.sum (n, n)  r = Neg (s) }""")

# Axis 0 is not the default of Flatten.
FLATTENED = model("""
    flattened (bool cond, float[2,2] x) => (float[?,?] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Neg (x) },
            else_branch = else_graph () => (b) { b = Flatten <axis = 0> (x) }>
    }""")

# Both casts refer to the function's attribute.
REFERRED = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (int64[2] y) { y = local.converted <to = 7> (cond, x) }
    <domain: "local", opset_import: ["" : 16]>
    converted <to> (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Cast <to: int = @to> (v) },
            else_branch = else_graph () => (b) { n = Neg (v)  b = Cast <to: int = @to> (n) }>
    }""")
ROWS = floats([1, -2], [3, 4])
RUNS = branches({"x": X}, then={"y": floats(22, 36)}, else_={"y": floats(2, -4)})

# The fields that an attribute has besides its integer: a message, a list of numbers and a list of messages.
TENSOR = helper.make_tensor("one", 1, [1], [1.0])
GRAPH = helper.make_graph(
    [helper.make_node("Abs", ["x"], ["of_graph"])], "extra", [], [helper.make_empty_tensor_value_info("of_graph")]
)
FIELDS: dict[str, object] = {
    "g": GRAPH,
    "ints": [1],
    "tensors": [TENSOR],
    "type_protos": [helper.make_tensor_type_proto(1, [2])],
}


def _graph() -> Iterator[Vector]:
    graph = "proto-graph"
    twin = Vector("onnx/model/graph-required/sound", "the model has a graph and a function", [graph], SAID, RUNS)
    yield twin.broken("functions-alone: the model has a function and no graph", lambda m: m.ClearField("graph"))


def _ir_version() -> Iterator[Vector]:
    twin = Vector(
        "onnx/model/ir-version-required/sound",
        "the model declares its IR version",
        ["proto-ir-version"],
        SAID,
        RUNS,
    )
    yield twin.broken("absent: the file has no ir_version", lambda m: m.ClearField("ir_version"))


def _value_info() -> Iterator[Vector]:
    distinct = "proto-value-info-distinct"
    twin = Vector(
        "onnx/model/value-info-is-distinct/sound", "then declares its inner value once", [distinct], SAID, RUNS
    )
    yield twin.broken(
        "twice-in-branch: then declares its inner value twice, both times the same",
        replaced("<float[2] inner>", "<float[2] inner, float[2] inner>"),
    )
    yield twin.broken(
        "twice-in-main-graph: the main graph declares the captured value k twice, both times the same",
        replaced("(float[2] y) {", "(float[2] y) <float[2] k, float[2] k> {"),
    )


def _attributes() -> Iterator[Vector]:
    rule = "onnx/model/attribute-holds-one-value/"
    one_value = "ir-attribute-one-value"
    of_type = "proto-attribute-type"
    accommodate = "proto-attribute-type-since"
    twin = Vector(
        rule + "sound", "each attribute has one value, in the field of its type", [one_value, of_type], SAID, RUNS
    )
    yield twin.broken(
        "two-values-in-branch: the attribute of an operator in else is an integer and a float, its type integer",
        lambda m: setattr(to_of(m), "f", 1),
        why=[one_value],
    )
    for field, held in FIELDS.items():
        yield twin.broken(
            f"number-and-{field.replace('_', '-')}-in-branch: "
            f"the attribute of an operator in else is an integer and has the field {field} too, its type integer",
            lambda m, field=field, held=held: to_of(m).MergeFrom(AttributeProto(**{field: held})),
            why=[one_value],
        )
    yield twin.broken(
        "branch-and-number: If's then_branch is a graph and an integer, its type graph",
        lambda m: setattr(attribute_of(if_of(m), "then_branch"), "i", 1),
        why=[one_value],
    )
    yield twin.broken(
        "without-type-in-branch: the attribute of an operator in else has an integer and no type",
        lambda m: to_of(m).ClearField("type"),
        why=[of_type],
    )
    yield twin.broken(
        "of-another-type-in-branch: the attribute of an operator in else has an integer, its type is float",
        lambda m: setattr(to_of(m), "type", AttributeProto.FLOAT),
        why=[of_type],
    )
    yield twin.broken(
        "without-name-in-branch: the attribute of an operator in else has no name",
        lambda m: to_of(m).ClearField("name"),
        why=["proto-attribute-name"],
    )
    yield twin.broken(
        "type-left-out-in-branch: "
        "the attribute of an Optional in then, which nothing reads, has the type TYPE_PROTO and holds no type",
        lambda m: then_of(m).node.insert(0, untyped_optional()),
        why=[of_type, "proto-attribute-one-field"],
    )
    yield from _left_out(rule, of_type)
    yield from _of_function(rule, one_value, of_type)
    yield twin.broken(
        "of-an-unknown-type-in-branch: the attribute of an operator in else has an integer, its type is the number 99",
        lambda m: to_of(m).ClearField("type"),
        why=[of_type],
        bytes_edit=lambda data: type_in_cast(data, 99),
    )
    referred = Vector(
        rule + "reference-in-branch",
        "the attributes of operators in both branches refer to the function's attribute",
        ["ir-attribute-reference"],
        REFERRED,
        branches({"x": X}, then={"y": np.int64([1, -2])}, else_={"y": np.int64([-1, 2])}),
        also=["onnx/if/in-function"],
    )
    yield referred.broken(
        "reference-and-number-in-branch: "
        "the attribute of an operator in then refers to the function's attribute, and is an integer too",
        reference_has_number,
    )
    yield referred.broken(
        "reference-without-type-in-branch: "
        "the attribute of an operator in then refers to the function's attribute, and has no type",
        lambda m: attribute_of(attribute_of(m.functions[0].node[0], "then_branch").g.node[0], "to").ClearField("type"),
        why=["ir-attribute-required-properties", of_type],
    )
    yield Vector(
        rule + "empty-list-in-branch",
        "the value of a Constant in then is a list of no floats, which takes no bytes in the file",
        [of_type, "ir-attribute-floats"],
        edited(LISTED, lambda m: attribute_of(then_of(m).node[0], "value_floats").ClearField("floats")),
        branches({"x": X}, then={"y": X}, else_={"y": -X}),
    )
    yield Vector(
        rule + "zero-left-out-in-branch",
        "the attribute of an operator in else has the type integer and no value: in proto3, how a zero is written",
        [of_type, accommodate],
        edited(FLATTENED, lambda m: attribute_of(else_of(m).node[0], "axis").ClearField("i")),
        branches({"x": ROWS}, then={"y": -ROWS}, else_={"y": ROWS.reshape(1, 4)}),
        doubt="the comment on the fields says that one must be present, yet what proto3 writes has no zeros",
    )


def type_in_cast(data: bytes, number: int) -> bytes:
    """Else's Cast has an attribute without a type; the file gives it this one, by lengthening what is around it."""
    m = ModelProto.FromString(data)
    to = to_of(m)
    to.doc_string = "?"
    stand_in, held = b"\x6a\x01?", bytes([0xA0, 0x01, number])
    made = m.SerializeToString(deterministic=True)
    assert made.count(stand_in) == 1
    return made.replace(stand_in, held)


def _left_out(rule: str, of_type: Why) -> Iterator[Vector]:
    """A name and a tensor that an optional attribute lacks: it does not count as left out."""
    one_field = "proto-attribute-one-field"
    turned = Vector(
        rule + "axis-in-branch",
        "the attribute of an operator in else has a name, and a value that is not the default",
        [of_type],
        TURNED,
        branches({"x": ROWS}, then={"y": -ROWS}, else_={"y": floats([-2, 1], [4, 3])}),
    )
    yield turned.broken(
        "axis-without-name-in-branch: the attribute axis of a Gather in else, which could be left out, has no name",
        lambda m: attribute_of(else_of(m).node[1], "axis").ClearField("name"),
        why=["ir-attribute-required-properties", "proto-attribute-name"],
    )
    filled = Vector(
        rule + "tensor-in-branch",
        "the attribute of a ConstantOfShape in else has the type tensor and holds one",
        [of_type, one_field],
        FILLED,
        branches({"x": X}, then={"y": -X}, else_={"y": floats(4, 1)}),
    )
    yield filled.broken(
        "tensor-left-out-in-branch: "
        "the attribute of a ConstantOfShape in else, which the run does not take, has the type tensor and holds none",
        lambda m: attribute_of(else_of(m).node[1], "value").ClearField("t"),
        why=[one_field],
        runs=[{"cond": np.True_, "x": X}],
    )


def _of_function(rule: str, one_value: Why, of_type: Why) -> Iterator[Vector]:
    """The default of a function's attribute is an attribute, too."""
    sound = Vector(
        rule + "default-of-function",
        "a function's attribute has a default, a float, which the call leaves as it is",
        [one_value, of_type],
        DEFAULTED,
        branches({"x": X}, then={"y": X + X}, else_={"y": -X}),
        also=["onnx/if/in-function"],
    )
    yield sound.broken(
        "default-of-function-of-two-values: "
        "the default of a function's attribute is a float and an integer, its type float",
        lambda m: setattr(m.functions[0].attribute_proto[0], "i", 3),
        why=[one_value],
    )
    yield sound.broken(
        "default-of-function-of-another-type: the default of a function's attribute is a float, its type is integer",
        lambda m: setattr(m.functions[0].attribute_proto[0], "type", AttributeProto.INT),
        why=[of_type],
    )
    yield sound.broken(
        "default-of-function-without-type: the default of a function's attribute has a float and no type",
        lambda m: m.functions[0].attribute_proto[0].ClearField("type"),
        why=["ir-attribute-required-properties", of_type],
    )


def reference_has_number(m: ModelProto) -> None:
    branch = attribute_of(m.functions[0].node[0], "then_branch").g
    attribute_of(branch.node[0], "to").i = 7


def untyped_optional() -> NodeProto:
    """An Optional whose attribute holds nothing, though its type says that it holds a type."""
    node = helper.make_node("Optional", [], ["unread"])
    node.attribute.add(name="type", type=AttributeProto.TYPE_PROTO)
    return node


def if_of(m: ModelProto) -> NodeProto:
    """The If of the main graph."""
    return next(node for node in m.graph.node if node.op_type == "If")


def to_of(m: ModelProto) -> AttributeProto:
    """The attribute of else's Cast."""
    return attribute_of(else_of(m).node[-1], "to")


def attribute_of(node: NodeProto, name: str) -> AttributeProto:
    """A node's attribute by its name."""
    return next(attribute for attribute in node.attribute if attribute.name == name)


def _calls() -> Iterator[Vector]:
    rule = "onnx/model/call-fits-function/"
    satisfied = "ir-signature"
    twin = Vector(rule + "sound", "each branch calls a function of one input and one output", [satisfied], SAID, RUNS)
    yield twin.broken(
        "input-too-many-in-branch: then passes two inputs to the function of one",
        replaced("a = local.twice (inner)", "a = local.twice (inner, k)"),
    )
    yield twin.broken(
        "output-too-many-in-branch: then uses two outputs of a function that has one",
        replaced("a = local.twice (inner)", "a, more = local.twice (inner)"),
    )
    lacking = says("ir-signature", note="the set of attributes")
    signature = "ir-function-signature-parts"
    yield twin.broken(
        "unknown-attribute-in-branch: then passes an attribute to the function, which has none",
        replaced("a = local.twice (inner)", "a = local.twice <factor: float = 2> (inner)"),
        why=[lacking, signature],
    )
    called = Vector(
        rule + "call-in-function",
        "a function calls another, of two inputs and one output",
        [satisfied, lacking],
        CALLS,
        branches({"x": X}, then={"y": X + X}, else_={"y": -X}),
        also=["onnx/if/in-function"],
    )
    for case, (title, edit, why) in {
        "input-too-many": (
            "a function passes three inputs to another of two",
            lambda m: m.functions[1].node[1].input.append("v"),
            [satisfied],
        ),
        "output-too-many": (
            "a function uses two outputs of another that has one",
            lambda m: m.functions[1].node[1].output.append("more"),
            [satisfied],
        ),
        "unknown-attribute": (
            "a function passes an attribute to another that has none",
            lambda m: m.functions[1].node[1].attribute.append(helper.make_attribute("factor", 2.0)),
            [lacking, signature],
        ),
    }.items():
        yield called.broken(
            f"{case}-in-function: {title}; the run does not call it",
            edit,
            why=why,
            runs=[{"cond": np.False_, "x": X}],
        )
    untaken = [{"cond": np.False_, "x": X}]
    yield twin.broken(
        "input-too-many-in-untaken-branch: then, which the run does not take, passes two inputs to the function of one",
        replaced("a = local.twice (inner)", "a = local.twice (inner, k)"),
        runs=untaken,
    )
    yield twin.broken(
        "output-too-many-in-untaken-branch: "
        "then, which the run does not take, uses two outputs of a function that has one",
        replaced("a = local.twice (inner)", "a, more = local.twice (inner)"),
        runs=untaken,
    )
