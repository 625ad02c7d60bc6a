"""Definitions of functions: unique names, no recursion, and attributes that are referred to only inside."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, branches, else_of, floats, model, replaced
from onnx import AttributeProto, ModelProto, helper

X = floats(1, -2)

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
CALLED = branches({"x": X}, then={"y": np.abs(X)}, else_={"y": X})


def _functions() -> Iterator[Vector]:
    rule = "onnx/model/unique-functions/"
    unique = "proto-functions-unique"
    twin = Vector(rule + "sound", "two functions with two names, called from a branch", [unique], FUNCTIONS, CALLED)
    yield twin.broken("same-name-twice: the model has two functions second, with different bodies", second_function)
    rule = "onnx/model/no-function-recursion/"
    recursion = "proto-no-recursion"
    twin = Vector(rule + "sound", "a function calls another", [recursion], FUNCTIONS, CALLED)
    yield twin.broken(
        "calls-itself: a function calls itself, not through any branch",
        replaced("t = local.second (v)", "t = local.first (v)"),
    )
    yield twin.broken(
        "calls-each-other: two functions call each other, not through any branch",
        replaced('opset_import: ["" : 16]>', 'opset_import: ["" : 16, "local" : 1]>'),
        replaced("t = Neg (v)", "t = local.first (v)"),
    )
    uncalled = Vector(
        rule + "uncalled", "two functions are never called; one calls the other", [recursion], UNCALLED, CALLED
    )
    for case, called in [
        ("uncalled-calls-itself: a function that is never called calls itself", "third"),
        ("uncalled-call-each-other: two functions that are never called call each other", "fourth"),
    ]:
        yield uncalled.broken(case, replaced("r = local.first (v)", f"r = local.{called} (v)"))
    for operator, case, text in [("Loop", "a-loop", CALLS_IN_LOOP), ("SequenceMap", "a-sequence-map", CALLS_IN_MAP)]:
        inside = Vector(
            f"{rule}calls-another-in-{case}",
            f"a function calls another in the body of a {operator}",
            [recursion],
            model(CALLS_IN_BODY.replace("BODY", text), 17, domains={"local": 1}),
            branches({"x": X}, then={"y": -X}, else_={"y": X + X}),
        )
        yield inside.broken(
            f"calls-itself-in-{case}: a function calls itself in the body of a {operator}",
            replaced("local.negated (", "local.once ("),
        )
    rule = "onnx/model/attribute-reference/"
    only = "proto-reference-in-function"
    twin = Vector(rule + "sound", "a node of a function refers to its attribute", [only], FUNCTIONS, CALLED)
    yield twin.broken(
        "in-branch-of-main-graph: a node of else, in the main graph, refers to an attribute", reference_in_else
    )
    yield twin.broken(
        "of-optional-attribute-in-branch: "
        "a node of else, in the main graph, refers to an attribute that its operator need not have",
        optional_reference_in_else,
    )


def second_function(m: ModelProto) -> None:
    again = m.functions.add()
    again.CopyFrom(m.functions[0])
    del again.node[1]
    again.node[0].output[0] = "r"


def reference_in_else(m: ModelProto) -> None:
    to = else_of(m).node[0].attribute[0]
    to.ClearField("i")
    to.ref_attr_name = "to"


def optional_reference_in_else(m: ModelProto) -> None:
    node = helper.make_node("ReduceSum", ["x"], ["unread"])
    node.attribute.add(name="keepdims", type=AttributeProto.INT, ref_attr_name="to")
    else_of(m).node.insert(0, node)
