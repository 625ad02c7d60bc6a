"""A function that is called twice, each time for another shape, which its branches read: nothing is kept of a call."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, model
from ifcert.authoring.sources import OUTER, ir, operator_schema

RULE = "onnx/if/in-function/"
BODY = ir("Functions: 'The function body consists of a topologically sorted list of nodes that form a graph.'")
REPLACED = ir(
    "Attributes: 'In case ‘ref_attr_name’ is set, this attribute does not contain data, and instead it's a reference "
    "to the parent function's attribute of the given name.'"
)
RESHAPED = operator_schema("Reshape: 'First input is the data tensor, second input is a shape tensor'")

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


def vectors() -> Iterator[Vector]:
    """By an input, by an attribute."""
    x = np.float32([1, 2, 3, 4, 5, 6])
    wide, tall = x.reshape(2, 3), x.reshape(3, 2)
    for case, title, text, why in [
        ("shape-is-an-input", "two calls pass constants of other values, to which both branches reshape", BY_INPUT, []),
        (
            "shape-is-of-an-attribute",
            "two calls pass attributes of other values, of which the function makes a shape for both branches",
            BY_ATTRIBUTE,
            [REPLACED],
        ),
    ]:
        yield Vector(
            RULE + case,
            title,
            [BODY, OUTER, RESHAPED, *why],
            model(16, text, domains={"local": 1}),
            [
                Run({"cond": np.True_, "x": x}, {"y": wide, "z": tall}),
                Run({"cond": np.False_, "x": x}, {"y": -wide, "z": -tall}),
            ],
        )
