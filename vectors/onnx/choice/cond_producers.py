"""More producers of cond: comparisons with strings and NaN, Cast, elements of tensors, bodies and calls."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from ifcert.authoring import Run, Vector, Why, codes, floats, model, says, some, strings, vectors_of
from ifcert.authoring.values import Writable

cond_source = vectors_of("onnx/if/cond-source")

X = floats(1, -2)
NAN, MINUS_ZERO = codes("float32", [], [0x7FC00000]), codes("float32", [], [0x80000000])


@dataclass(frozen=True)
class Maker:
    """Nodes that compute c, the inputs and initializers they read, and each fed input with the resulting c."""

    why: Why
    inputs: str
    nodes: str
    fed: list[tuple[dict[str, Writable], bool]]
    stored: str = ""
    opset: int = 16
    functions: str = ""
    domains: dict[str, int] = field(default_factory=dict)


MAKERS = {
    "equal-to-stored-string: cond is Equal of a string and an initializer": Maker(
        "operators-equal-19-strings",
        "string[1] s, ",
        "c = Equal (s, known)",
        [({"s": strings([1], [b"yes"])}, True), ({"s": strings([1], [b"no"])}, False)],
        stored='string[1] known = {"yes"}',
        opset=19,
    ),
    "equal-of-nan: cond is Equal of a float with itself, which is false for NaN": Maker(
        "operators-equal",
        "float n, ",
        "c = Equal (n, n)",
        [({"n": np.float32(1)}, True), ({"n": NAN}, False)],
    ),
    "less-than-minus-zero: cond is Less of -0.0 and 0.0, which are equal": Maker(
        "operators-less",
        "float n, ",
        "c = Less (n, zero)",
        [({"n": MINUS_ZERO}, False), ({"n": codes("float32", [], [0x80000001])}, True)],
        stored="float zero = {0}",
    ),
    "greatest-of-three: cond is whether the greatest of three numbers is above 0": Maker(
        "operators-max",
        "float n, float m, float k, ",
        "greatest = Max (n, m, k)  c = Greater (greatest, zero)",
        [
            ({"n": np.float32(-1), "m": np.float32(-2), "k": np.float32(3)}, True),
            ({"n": np.float32(-1), "m": np.float32(-2), "k": np.float32(-3)}, False),
            ({"n": np.float32(2), "m": np.float32(-2), "k": np.float32(0)}, True),
        ],
        stored="float zero = {0}",
    ),
    "sign-of-zero: cond is whether the sign of a float is 0": Maker(
        "operators-sign",
        "float n, ",
        "sign = Sign (n)  c = Equal (sign, zero)",
        [({"n": np.float32(0)}, True), ({"n": np.float32(5)}, False), ({"n": np.float32(-0.5)}, False)],
        stored="float zero = {0}",
    ),
    "element-of-one-hot: cond is an element of the OneHot of a list of one index, which may be negative": Maker(
        says("operators-onehot", "operators-onehot-index-range"),
        "int64[1] at, ",
        "row = OneHot (at, three, off_and_on)  element = Gather <axis = 1> (row, one)  c = Cast <to = 9> (element)",
        [({"at": np.int64([1])}, True), ({"at": np.int64([2])}, False), ({"at": np.int64([-2])}, True)],
        stored="int64 three = {3}, float[2] off_and_on = {0, 1}, int64 one = {1}",
    ),
    "any-element-is-not-zero: cond is how many elements of a list NonZero finds, cast to bool": Maker(
        says("operators-nonzero", "operators-cast-fixed-to-bool"),
        "float[3] list, ",
        "found = NonZero (list)  dims = Shape (found)  count = Gather (dims, one)  c = Cast <to = 9> (count)",
        [({"list": floats(0, 0, 4)}, True), ({"list": floats(0, 0, 0)}, False), ({"list": floats(-1, 2, 4)}, True)],
        stored="int64 one = {1}",
    ),
    "cast-of-float: cond is Cast of a float, true except for the two zeros": Maker(
        "operators-cast-floating-to-bool",
        "float n, ",
        "c = Cast <to = 9> (n)",
        [({"n": np.float32(2)}, True), ({"n": MINUS_ZERO}, False), ({"n": np.float32(-1)}, True)],
    ),
    "optional-element: cond is the value of an optional boolean": Maker(
        "operators-optionalgetelement-of-tensor",
        "optional(bool) o, ",
        "c = OptionalGetElement (o)",
        [({"o": some(np.True_)}, True), ({"o": some(np.False_)}, False)],
        opset=18,
    ),
    "scan-output-of-loop: cond is an element of a Loop's stacked output": Maker(
        "operators-loop-outputs",
        "int64 at, ",
        """rows = Loop (three, yes) <
                body = step (int64 i, bool on) => (bool on_out, bool odd) {
                    on_out = Identity (on)
                    odd = Equal (i, one)
                }>
            c = Gather (rows, at)""",
        [({"at": np.int64(1)}, True), ({"at": np.int64(2)}, False)],
        stored="int64 three = {3}, int64 one = {1}, bool yes = {1}",
    ),
    "second-output-of-call: cond is the second of two booleans that a function returns": Maker(
        "ir-inputs-refer",
        "bool p, ",
        "same, c = local.both (p)",
        [({"p": np.True_}, False), ({"p": np.False_}, True)],
        functions='<domain: "local", opset_import: ["" : 16]> both (v) => (r, s) { r = Identity (v)  s = Not (v) }',
        domains={"local": 1},
    ),
}

CHOICE = """
        y = If (c) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, x) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>"""


def vectors() -> Iterator[Vector]:
    for case, maker in MAKERS.items():
        stored = f"<{maker.stored}>" if maker.stored else ""
        text = f"g ({maker.inputs}float[2] x) => (float[2] y) {stored} {{ {maker.nodes} {CHOICE} }} {maker.functions}"
        yield cond_source(
            case,
            model(text, maker.opset, domains=maker.domains),
            [Run(fed | {"x": X}, {"y": X + X if value else -X}) for fed, value in maker.fed],
            why=["if-cond", maker.why],
        )
