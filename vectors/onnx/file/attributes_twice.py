"""A node with the same attribute twice: an operator, a Loop or a call, wherever the node is."""

from collections.abc import Iterator

from ifcert.authoring import Vector, attribute, branches, else_of, floats, if_node, model, then_of, vectors_of
from ifcert.authoring.models import Edit
from onnx import AttributeProto, ModelProto, NodeProto

one_definition_per_name = vectors_of("onnx/model/one-definition-per-name", "ir-attribute-name")

X = floats([1, -2], [3, 4])

# A node with an attribute in the main graph, in each branch, in a function, and a call with one.
NODES = model("""<opset_import: ["" : 19, "local" : 1]>
    nodes (bool cond, float[2,2] x) => (float[2,2] y) <int64 trips = {2}, bool yes = {1}> {
        turned = Transpose <perm = [1, 0]> (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2,2] a) {
                c = Cast <to = 1> (turned)
                a = local.scaled <factor = 3.0> (c)
            },
            else_branch = else_graph () => (float[2,2] b) {
                b = Loop (trips, yes, turned) <
                    body = step (int64 i, bool on, float[2,2] v) => (bool on_out, float[2,2] v_out)
                        { on_out = Identity (on)  v_out = Add (v, v) }>
            }>
    }
    <domain: "local", opset_import: ["" : 19]>
    scaled <factor: float = 2.0> (v) => (r) {
        k = Constant <value_float: float = @factor> ()
        t = Mul (v, k)
        r = Cast <to = 1> (t)
    }""")

# The function's attributes are numbers, and have the names of If's branches.
NAMED_AS_BRANCHES = model("""<opset_import: ["" : 19, "local" : 1]>
    caller (bool cond, float[2,2] x) => (float[2,2] y) {
        y = local.scaled <then_branch = 3.0, else_branch = 4.0> (cond, x)
    }
    <domain: "local", opset_import: ["" : 19]>
    scaled <then_branch: float = 2.0, else_branch: float = 2.0> (c, v) => (r) {
        k = Constant <value_float: float = @then_branch> ()
        w = Constant <value_float: float = @else_branch> ()
        r = If (c) <
            then_branch = then_graph () => (a) { a = Mul (v, k) },
            else_branch = else_graph () => (b) { b = Mul (v, w) }>
    }""")


def transpose(m: ModelProto) -> NodeProto:
    """The node of the main graph."""
    return m.graph.node[0]


def cast(m: ModelProto) -> NodeProto:
    """The node of then."""
    return then_of(m).node[0]


def call(m: ModelProto) -> NodeProto:
    """The call in then."""
    return then_of(m).node[1]


def loop(m: ModelProto) -> NodeProto:
    """The Loop in else."""
    return else_of(m).node[0]


def twice(node: NodeProto, name: str, **changed: object) -> None:
    """The node has the attribute a second time, with the same or another value."""
    again = node.attribute.add()
    again.CopyFrom(attribute(node, name))
    for field, value in changed.items():
        setattr(again, field, value)


def body_twice(m: ModelProto) -> None:
    twice(loop(m), "body")
    second = loop(m).attribute[-1].g
    second.name = "step_again"
    second.node[1].op_type = "Sub"


def hint_twice(m: ModelProto) -> None:
    for value in (1, 2):
        if_node(m).attribute.add(name="__hint", type=AttributeProto.INT, i=value)


def vectors() -> Iterator[Vector]:
    twin = one_definition_per_name(
        "attributes-once: in the main graph, in branches and in a function, each attribute of a node occurs once",
        NODES,
        branches({"x": X}, then={"y": 3 * X.T}, else_={"y": 4 * X.T}),
    )
    faults: dict[str, tuple[str, Edit]] = {
        "in-main-graph": (
            ("a Transpose of the main graph has the attribute perm twice"),
            lambda m: twice(transpose(m), "perm"),
        ),
        "in-branch": ("a Cast in then has the attribute to twice, float both times", lambda m: twice(cast(m), "to")),
        "in-branch-with-two-values": (
            "a Cast in then has the attribute to twice, float and then int64",
            lambda m: twice(cast(m), "to", i=7),
        ),
        "in-function": (
            ("a Cast in a function has the attribute to twice"),
            lambda m: twice(m.functions[0].node[2], "to"),
        ),
        "of-call": ("a call in then passes factor twice, 3 and then 5", lambda m: twice(call(m), "factor", f=5.0)),
        "of-if": ("the If has the attribute __hint twice, a name that its text does not list", hint_twice),
        "of-loop": ("a Loop in else has two bodies, one that adds and one that subtracts", body_twice),
    }
    for case, (title, fault) in faults.items():
        yield twin.broken(f"attribute-twice-{case}: {title}", fault)
    named = one_definition_per_name(
        "attributes-named-as-branches: a call passes two numbers, for attributes that have the names of If's branches",
        NAMED_AS_BRANCHES,
        branches({"x": X}, then={"y": 3 * X}, else_={"y": 4 * X}),
        also=["onnx/if/in-function"],
    )
    for name in ("then_branch", "else_branch"):
        yield named.broken(
            f"attribute-twice-named-{name.replace('_', '-')}: "
            f"a call passes a number named {name} twice, with two values",
            lambda m, name=name: twice(m.graph.node[0], name, f=5.0),
        )
