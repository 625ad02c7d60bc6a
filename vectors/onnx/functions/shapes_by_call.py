"""A function that is called twice, each time for a result of another shape: nothing is kept of the first call."""

from collections.abc import Iterator

from ifcert.authoring import Vector, branches, floats, model

RULE = "onnx/if/in-function/"

# The shapes are constants, one for each call.
BY_INPUT = """
    caller (bool cond, float[6] x) => (float[2,3] y, float[3,2] z) <int64[2] wide = {2, 3}, int64[2] tall = {3, 2}> {
        y = local.reshaped (cond, x, wide)
        z = local.reshaped (cond, x, tall)
    }
    <domain: "local", opset_import: ["" : 16]>
    reshaped (c, v, shape) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Reshape (v, shape) },
            else_branch = else_graph () => (b) { n = Neg (v)  b = Reshape (n, shape) }>
    }"""

# The function makes the shape of an attribute.
BY_ATTRIBUTE = """
    caller (bool cond, float[6] x) => (float[2,3] y, float[3,2] z) {
        y = local.reshaped <dims = [2, 3]> (cond, x)
        z = local.reshaped <dims = [3, 2]> (cond, x)
    }
    <domain: "local", opset_import: ["" : 16]>
    reshaped <dims> (c, v) => (r) {
        shape = Constant <value_ints: ints = @dims> ()
        r = If (c) <
            then_branch = then_graph () => (a) { a = Reshape (v, shape) },
            else_branch = else_graph () => (b) { n = Neg (v)  b = Reshape (n, shape) }>
    }"""

# The calls pass values of two lengths.
OF_OPERAND = """
    caller (bool cond, float[2] x, float[3] z) => (float[2] y, float[3] w) {
        y = local.choose (cond, x)
        w = local.choose (cond, z)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = Add (v, v) },
            else_branch = else_graph () => (b) { b = Neg (v) }>
    }"""

# The calls pass graphs whose results have two lengths.
OF_GRAPHS = """
    caller (bool cond) => (float[2] y, float[3] w) {
        y = local.choose <
            when_true = one () => (float[2] g) { g = Constant <value = float[2] {1, 2}> () },
            when_false = two () => (float[2] h) { h = Constant <value = float[2] {3, 4}> () }> (cond)
        w = local.choose <
            when_true = three () => (float[3] g) { g = Constant <value = float[3] {5, 6, 7}> () },
            when_false = four () => (float[3] h) { h = Constant <value = float[3] {8, 9, 10}> () }> (cond)
    }
    <domain: "local", opset_import: ["" : 16]>
    choose <when_true, when_false> (c) => (r) {
        r = If (c) <then_branch: graph = @when_true, else_branch: graph = @when_false>
    }"""


def vectors() -> Iterator[Vector]:
    x = floats(1, 2, 3, 4, 5, 6)
    wide, tall = x.reshape(2, 3), x.reshape(3, 2)
    for case, title, text, why in [
        ("shape-is-an-input", "two calls pass different constants, to which both branches reshape", BY_INPUT, []),
        (
            "shape-is-of-an-attribute",
            "two calls pass different attributes, of which the function makes a shape for both branches",
            BY_ATTRIBUTE,
            ["ir-attribute-reference"],
        ),
    ]:
        yield Vector(
            RULE + case,
            title,
            ["ir-function-body", "ir-outer-scope", "operators-reshape-operands", *why],
            model(text, domains={"local": 1}),
            branches({"x": x}, then={"y": wide, "z": tall}, else_={"y": -wide, "z": -tall}),
        )
    x, z = floats(1, -2), floats(3, -4, 5)
    yield Vector(
        RULE + "called-with-two-shapes",
        "two calls pass values of two lengths, and their results have these lengths",
        ["ir-function-body", "ir-function-polymorphic"],
        model(OF_OPERAND, domains={"local": 1}),
        branches({"x": x, "z": z}, then={"y": x + x, "w": z + z}, else_={"y": -x, "w": -z}),
    )
    yield Vector(
        RULE + "given-graphs-of-two-shapes",
        "two calls pass graphs for the branches; those of one call return lists of two elements, of the other of three",
        ["ir-function-body", "ir-attribute-reference"],
        model(OF_GRAPHS, domains={"local": 1}),
        branches({}, then={"y": floats(1, 2), "w": floats(5, 6, 7)}, else_={"y": floats(3, 4), "w": floats(8, 9, 10)}),
    )
