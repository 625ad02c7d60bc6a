"""A function's other declarations: attributes with and without defaults, an overload, no types, nodes in order."""

from collections.abc import Callable, Iterator

import numpy as np
from ifcert.authoring import Vector, branches, edited, else_of, floats, model, replaced, then_of, vectors_of
from ifcert.authoring.models import Edit
from onnx import GraphProto, ModelProto, NodeProto

one_definition_per_name = vectors_of(
    "onnx/model/one-definition-per-name", "ir-function-attribute-names", "ir-function-attribute-replaced"
)

X = floats(1, -2)

ORDERED = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) { y = local.choose (cond, x) }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        size = Abs (v)
        r = If (c) <
            then_branch = then_graph () => (a) { a = Add (size, v) },
            else_branch = else_graph () => (b) { b = Neg (v) }>
    }""")

TWO_TYPES = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x, int64[3] n) => (float[2] y, int64[3] z) {
        y = local.choose (cond, x)
        z = local.choose (cond, n)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Add (v, v) },
            else_branch = else_graph () => (b) { b = Neg (v) }>
    }""")

OVERLOADED = model("""<opset_import: ["" : 21, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.change (x) },
            else_branch = else_graph () => (float[2] b) { b = local.other (x) }>
    }
    <domain: "local", opset_import: ["" : 21]>
    change (v) => (r) { r = Add (v, v) }
    <domain: "local", opset_import: ["" : 21]>
    other (v) => (r) { r = Neg (v) }""")

SCALED = model("""<opset_import: ["" : 19, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.scaled <factor = 3.0> (x) },
            else_branch = else_graph () => (float[2] b) { b = local.scaled <factor = 5.0> (x) }>
    }
    <domain: "local", opset_import: ["" : 19]>
    scaled <factor: float = 2.0> (v) => (r) { k = Constant <value_float: float = @factor> ()  r = Mul (v, k) }""")

# Without a default.
CONVERTED = model("""<opset_import: ["" : 19, "local" : 1]>
    caller (bool cond, float[2] x) => (int64[2] y) { y = local.converted <to = 7> (cond, x) }
    <domain: "local", opset_import: ["" : 19]>
    converted <to> (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Cast <to: int = @to> (v) },
            else_branch = else_graph () => (b) { n = Neg (v)  b = Cast <to: int = @to> (n) }>
    }""")

# One function calls the other.
DOUBLED_NEGATION = model("""<opset_import: ["" : 21, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.twice (x) },
            else_branch = else_graph () => (float[2] b) { b = local.negated (x) }>
    }
    <domain: "local", opset_import: ["" : 21]>
    negated (v) => (r) { r = Neg (v) }
    <domain: "local", opset_import: ["" : 21, "local" : 1]>
    twice (v) => (r) { n = local.negated (v)  r = Add (n, n) }""")

SUMMED = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { n = Abs (x)  a = local.sum (x, n) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    sum (v, w) => (r) { r = Add (v, w) }""")


def overloads_of_change(m: ModelProto) -> None:
    """Both functions are called change, with the overloads negate and double; double calls negate."""
    negated, twice = m.functions
    for function, call, overload in ((negated, else_of(m), "negate"), (twice, then_of(m), "double")):
        function.name = call.node[0].op_type = "change"
        function.overload = call.node[0].overload = overload
    twice.node[0].op_type, twice.node[0].overload = "change", "negate"


def double_calls_double(m: ModelProto) -> None:
    m.functions[1].node[0].overload = "double"


def factor_twice(m: ModelProto) -> None:
    again = m.functions[0].attribute_proto.add()
    again.CopyFrom(m.functions[0].attribute_proto[0])
    again.f = 7


def one_name_two_overloads(m: ModelProto) -> None:
    """Both functions are called change; then calls the overload that doubles, else the one that negates."""
    calls = (then_of(m).node[0], else_of(m).node[0])
    for function, call, overload in zip(m.functions, calls, ("double", "negate"), strict=True):
        function.name = call.op_type = "change"
        function.overload = call.overload = overload


def one_name_one_overload(m: ModelProto) -> None:
    """Both functions are called change; then calls the one without an overload, else that of the overload negate."""
    m.functions[1].name = else_of(m).node[0].op_type = "change"
    m.functions[1].overload = else_of(m).node[0].overload = "negate"


def if_before_its_capture(m: ModelProto) -> None:
    made, choice = m.functions[0].node
    swapped = [NodeProto.FromString(node.SerializeToString()) for node in (choice, made)]
    del m.functions[0].node[:]
    m.functions[0].node.extend(swapped)


def _calls_overload() -> Iterator[Vector]:
    """A function calls another of its own name: that is no recursion."""
    sound = Vector(
        "onnx/model/no-function-recursion/calls-another-overload",
        "a function calls another overload of its own name",
        ["ir-function-unique-id", "proto-no-recursion"],
        edited(DOUBLED_NEGATION, overloads_of_change),
        branches({"x": X}, then={"y": -X - X}, else_={"y": -X}),
        also=["onnx/model/unique-functions"],
    )
    yield sound.broken("calls-its-own-overload: a function calls the overload that it is itself", double_calls_double)


def _one_overload() -> Iterator[Vector]:
    """One function of a name has an overload, the other has none."""
    sound = Vector(
        "onnx/model/operators-are-declared/overload",
        "of two functions of one name, one has an overload; each branch calls one of them",
        ["ir-function-unique-id", "ir-operators-declared"],
        edited(OVERLOADED, one_name_one_overload),
        branches({"x": X}, then={"y": X + X}, else_={"y": -X}),
        also=["onnx/model/unique-functions"],
    )
    for case, (branch, overload) in {
        "overload-unknown: else calls an overload that no function has": (else_of, "halve"),
        "overload-in-other-letters: else calls the overload Negate, but the function's is negate": (else_of, "Negate"),
    }.items():
        yield sound.broken(case, calls_overload(branch, overload))


def calls_overload(branch: Callable[[ModelProto], GraphProto], overload: str) -> Edit:
    """The branch calls this overload."""

    def edit(m: ModelProto) -> None:
        branch(m).node[0].overload = overload

    return edit


def vectors() -> Iterator[Vector]:
    n = np.int64([5, -6, 7])
    yield Vector(
        "onnx/if/in-function/called-with-two-types",
        "the function with the If is called with floats and with integers of another shape",
        ["ir-function-polymorphic"],
        TWO_TYPES,
        branches({"x": X, "n": n}, then={"y": X + X, "z": n + n}, else_={"y": -X, "z": -n}),
    )
    yield Vector(
        "onnx/model/unique-functions/overloads",
        "two functions of one name have overloads of their own; each branch calls one of them",
        ["ir-function-unique-id", "proto-functions-unique"],
        edited(OVERLOADED, one_name_two_overloads),
        branches({"x": X}, then={"y": X + X}, else_={"y": -X}),
    )
    twin = one_definition_per_name(
        "function-attribute: a function's attribute has a default, which the calls override",
        SCALED,
        branches({"x": X}, then={"y": 3 * X}, else_={"y": 5 * X}),
    )
    yield twin.broken(
        "function-attribute-twice: the attribute is both among those with a default and among those without",
        lambda m: m.functions[0].attribute.append("factor"),
        why=["ir-function-attribute-names"],
    )
    yield twin.broken(
        "function-default-twice: the attribute is twice among those with a default, and the two defaults differ",
        factor_twice,
        why=["ir-function-attribute-names"],
    )
    required = one_definition_per_name(
        "function-attribute-without-default: a function's attribute has no default, and the call gives it",
        CONVERTED,
        branches({"x": X}, then={"y": np.int64([1, -2])}, else_={"y": np.int64([-1, 2])}),
    )
    yield required.broken(
        "function-attribute-without-default-twice: the attribute is twice among those without a default",
        replaced("converted <to> (c, v) => (r) {", "converted <to, to> (c, v) => (r) {"),
        why=["ir-function-attribute-names"],
    )
    summed = one_definition_per_name(
        "function-of-two-inputs: a function has two inputs, and the call passes two values",
        SUMMED,
        branches({"x": X}, then={"y": floats(2, 0)}, else_={"y": -X}),
        why=["ir-unique-definition"],
    )
    yield summed.broken(
        "function-input-twice: both inputs of a function have the same name",
        replaced("sum (v, w) => (r)", "sum (v, v) => (r)"),
        replaced("r = Add (v, w)", "r = Add (v, v)"),
    )
    ordered = Vector(
        "onnx/if/definition-before-use/in-function",
        "a function computes the value that its If captures before it",
        ["ir-function-node-order"],
        ORDERED,
        branches({"x": X}, then={"y": floats(2, 0)}, else_={"y": -X}),
        also=["onnx/if/in-function"],
    )
    yield ordered.broken(
        "in-function-captured-made-after: a function computes the value that its If captures after it",
        if_before_its_capture,
    )
