"""Calls that pass some of a function's attributes: the others have their defaults, call by call."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, model
from ifcert.authoring.sources import ir

RULE = "onnx/if/in-function/"
DEFAULTS = ir(
    "Functions: 'it is replaced by the actual parameter value specified for the attribute at a call-site node (of the "
    "function) when such a attribute is specified, and it is replaced by the default-value if the attribute has a "
    "default-value specified, and it is omitted otherwise.'"
)
BY_NAME = ir("Nodes: 'Attributes are associated with operator attributes by name.'")
X = np.float32([1, -2])

# v + ones + tens + hundreds.
DIGITS = """
    <domain: "local", opset_import: ["" : 19]>
    digits <ones: float = 1.0, tens: float = 20.0, hundreds: float = 300.0> (v) => (r) {
        a = Constant <value_float: float = @ones> ()
        b = Constant <value_float: float = @tens> ()
        c = Constant <value_float: float = @hundreds> ()
        s = Add (v, a)
        t = Add (s, b)
        r = Add (t, c)
    }"""

SOME = """
    caller (bool cond, float[2] x) => (float[2] y, float[2] none) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.digits <THEN> (x) },
            else_branch = else_graph () => (float[2] b) { b = local.digits <ELSE> (x) }>
        none = local.digits (x)
    }"""

# The function with the If forwards some of its attributes, passes a new value for one and omits one.
HANDED_ON = """
    caller (bool cond, float[2] x) => (float[2] y) { y = local.choose <tens = 50.0> (cond, x) }
    <domain: "local", opset_import: ["" : 19, "local" : 1]>
    choose <ones: float = 4.0, tens: float = 40.0, hundreds: float = 400.0> (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) { a = local.digits <tens: float = @tens, ones = 7.0> (v) },
            else_branch = else_graph () => (b) { b = local.digits <hundreds: float = @hundreds> (v) }>
    }"""

# One attribute without a default, which is passed, one of another type and one that is a list.
KINDS = """
    caller (bool cond, float[2,2] x) => (float[2,2] y) { y = local.choose <to = 1, add = 10.0> (cond, x) }
    <domain: "local", opset_import: ["" : 19]>
    choose <to, add: float = 1.0, perm: ints = [1, 0]> (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) {
                k = Constant <value_float: float = @add> ()
                s = Add (v, k)
                a = Transpose <perm: ints = @perm> (s)
            },
            else_branch = else_graph () => (b) { n = Neg (v)  b = Cast <to: int = @to> (n) }>
    }"""


def vectors() -> Iterator[Vector]:
    """One of three, two of three in another order, forwarded, and of several kinds."""
    for case, title, then, other, sums in (
        (
            "one-attribute-of-three-given",
            "then's call passes the first of three attributes, else's the last",
            "ones = 5.0",
            "hundreds = 900.0",
            (325, 921),
        ),
        (
            "middle-attribute-given",
            "then's call passes the middle one of three attributes, else's the other two, the last first",
            "tens = 70.0",
            "hundreds = 600.0, ones = 8.0",
            (371, 628),
        ),
    ):
        yield Vector(
            RULE + case,
            title + "; a call of the main graph passes none",
            [DEFAULTS, BY_NAME],
            model(19, SOME.replace("THEN", then).replace("ELSE", other) + DIGITS, domains={"local": 1}),
            [
                Run({"cond": np.True_, "x": X}, {"y": X + np.float32(sums[0]), "none": X + np.float32(321)}),
                Run({"cond": np.False_, "x": X}, {"y": X + np.float32(sums[1]), "none": X + np.float32(321)}),
            ],
        )
    yield Vector(
        RULE + "some-attributes-handed-on",
        "the function with the If forwards one of its attributes, passes a new value for one and omits the third",
        [DEFAULTS, BY_NAME],
        model(19, HANDED_ON + DIGITS, domains={"local": 1}),
        [
            Run({"cond": np.True_, "x": X}, {"y": X + np.float32(357)}),
            Run({"cond": np.False_, "x": X}, {"y": X + np.float32(421)}),
        ],
    )
    square = np.float32([[1, 2], [3, 4]])
    yield Vector(
        RULE + "attributes-of-several-kinds-given-in-part",
        "the call passes an integer, which has no default, and a float, and omits a list",
        [DEFAULTS],
        model(19, KINDS, domains={"local": 1}),
        [
            Run({"cond": np.True_, "x": square}, {"y": square.T + np.float32(10)}),
            Run({"cond": np.False_, "x": square}, {"y": -square}),
        ],
    )
