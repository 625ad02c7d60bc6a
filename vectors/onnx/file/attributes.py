"""The two branches: both present, each once, each a graph, and no other attribute."""

from collections.abc import Iterator

from ifcert.authoring import Vector, attribute, branches, floats, if_node, model, says
from onnx import AttributeProto, ModelProto

REQUIRED = says("if-then-branch-is-required", "if-else-branch-is-required")
SIGNATURE = says("ir-signature", note="the set of attributes")

CHOICE = model("""
    choice (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = doubled () => (float[2] a) { a = Add (x, x) },
            else_branch = negated () => (float[2] b) { b = Neg (x) }>
    }""")


def then_missing(m: ModelProto) -> None:
    del if_node(m).attribute[0]


def else_missing(m: ModelProto) -> None:
    del if_node(m).attribute[1]


def then_twice(m: ModelProto) -> None:
    if_node(m).attribute.add().CopyFrom(attribute(if_node(m), "then_branch"))


def unknown_attribute(m: ModelProto) -> None:
    if_node(m).attribute.add(name="maybe_branch", type=AttributeProto.INT, i=1)


def attribute_with_underscore(m: ModelProto) -> None:
    if_node(m).attribute.add(name="_hint", type=AttributeProto.INT, i=1)


def third_branch(m: ModelProto) -> None:
    third = if_node(m).attribute.add()
    third.CopyFrom(attribute(if_node(m), "then_branch"))
    third.name = "otherwise_branch"
    third.g.name = "otherwise"


def else_twice(m: ModelProto) -> None:
    again = if_node(m).attribute.add()
    again.CopyFrom(attribute(if_node(m), "else_branch"))
    again.g.name = "again"
    again.g.node[0].op_type = "Abs"


def unknown_private_attribute(m: ModelProto) -> None:
    if_node(m).attribute.add(name="__hint", type=AttributeProto.INT, i=1)


def then_is_list(m: ModelProto) -> None:
    then = attribute(if_node(m), "then_branch")
    then.type = AttributeProto.GRAPHS
    then.graphs.add().CopyFrom(then.g)
    then.ClearField("g")


def else_is_string(m: ModelProto) -> None:
    other = attribute(if_node(m), "else_branch")
    other.ClearField("g")
    other.type = AttributeProto.STRING
    other.s = b"negated"


def else_says_tensor(m: ModelProto) -> None:
    attribute(if_node(m), "else_branch").type = AttributeProto.TENSOR


def then_is_empty(m: ModelProto) -> None:
    attribute(if_node(m), "then_branch").ClearField("g")


def then_is_reference(m: ModelProto) -> None:
    then = attribute(if_node(m), "then_branch")
    then.ClearField("g")
    then.ref_attr_name = "then_of_function"


def vectors() -> Iterator[Vector]:
    x = floats(1, -2)
    both = Vector(
        "onnx/if/both-branches-required/both-present",
        "then_branch and else_branch are graphs",
        [REQUIRED],
        CHOICE,
        branches({"x": x}, then={"y": floats(2, -4)}, else_={"y": floats(-1, 2)}),
    )
    yield both.broken("then-missing: an If without then_branch is refused", then_missing)
    yield both.broken("else-missing: an If without else_branch is refused", else_missing)
    yield both.broken(
        "then-twice: an If with two then_branch attributes is refused", then_twice, why=[REQUIRED, "ir-attribute-name"]
    )
    yield both.broken(
        "else-twice: an If with two different else_branch attributes", else_twice, why=[REQUIRED, "ir-attribute-name"]
    )
    yield both.broken("third-branch: an If with a third graph is refused", third_branch, why=[SIGNATURE])
    yield both.broken("unknown-attribute: an If with a third attribute is refused", unknown_attribute, why=[SIGNATURE])
    yield both.broken(
        "attribute-with-one-underscore: an If with a third attribute, whose name begins with an underscore",
        attribute_with_underscore,
        why=[SIGNATURE],
    )
    yield both.broken("then-is-list: a then_branch of type GRAPHS is refused", then_is_list, why=[REQUIRED, SIGNATURE])
    yield both.broken(
        "else-is-string: an else_branch of type STRING is refused", else_is_string, why=[REQUIRED, SIGNATURE]
    )
    yield both.broken(
        "else-says-tensor: an else_branch whose type field is TENSOR is refused",
        else_says_tensor,
        why=[REQUIRED, "proto-attribute-type-present"],
    )
    yield both.broken(
        "then-is-empty: a then_branch without a graph is refused",
        then_is_empty,
        why=[REQUIRED, "proto-attribute-type-present"],
    )
    yield both.broken(
        "then-is-reference: a reference to a function's attribute is refused in the main graph",
        then_is_reference,
        why=["ir-attribute-reference-in-function"],
    )
    yield both.varied(
        "private-attribute: an attribute whose name begins with two underscores may be ignored or refused",
        unknown_private_attribute,
        why=[SIGNATURE],
        doubt="the signature does not list it, yet checkers accept such names as private to a tool",
    )
