"""Types that Parameters and constants declare: known ones, and those of the values they receive."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, ints
from ifcert.authoring.faults import fault
from ifcert.authoring.ir import IrModel, as_in, replaced
from ifcert.authoring.ir_bodies import Body, body, gives, if_model, takes
from ifcert.authoring.ir_patterns import K, adds_or_negates, of_layer
from ifcert.authoring.ir_text import edges, operation, parameter, result

AGREES = "openvino/ir/declared-type-agrees/"
OF_ANOTHER_SHAPE = (
    "the page on Parameter-1 gives the shape of its output, and no page says what happens to a value of another "
    "shape that the port map passes to it"
)
DECLARES = 'shape="2" element_type="f32"'


def known() -> Iterator[Vector]:
    """One fault in the <data> of a Parameter or a constant."""
    plain = adds_or_negates(
        "openvino/ir/types-are-known/all-known: element types and shapes are known",
        ["operations-parameter-element-type", "operations-parameter-shape-range"],
    )
    for case, made in {
        'element-type-unknown: the Parameter of then_body has elements of "f33"': fault(
            of_layer("a", '"f32"', '"f33"'), "operations-parameter-element-type"
        ),
        'element-type-with-letters-behind: the Parameter of then_body has elements of "f32x"': fault(
            of_layer("a", '"f32"', '"f32x"'), "operations-parameter-element-type"
        ),
        "element-type-empty: the Parameter of then_body has an empty element type": fault(
            of_layer("a", '"f32"', '""'), "operations-parameter-element-type"
        ),
        "element-type-missing: the Parameter of then_body has no element type": fault(
            of_layer("a", DECLARES, 'shape="2"'), "operations-parameter-element-type"
        ),
        "data-missing: the Parameter of then_body has no <data>": fault(
            of_layer("a", f"<data {DECLARES}/>", ""), "operations-parameter-element-type"
        ),
        "shape-missing: the Parameter of then_body has no shape": fault(
            of_layer("a", DECLARES, 'element_type="f32"'), "operations-parameter-shape"
        ),
        "shape-of-scalar-missing: the Parameter cond, a scalar, has no shape": fault(
            of_layer("cond", 'shape="" ', ""), "operations-parameter-shape"
        ),
        'dim-in-letters: the Parameter of then_body has the shape "two"': fault(
            of_layer("a", 'shape="2"', 'shape="two"'), "operations-parameter-shape-range"
        ),
        'dim-fractional: the Parameter of then_body has the shape "2.0"': fault(
            of_layer("a", 'shape="2"', 'shape="2.0"'), "operations-parameter-shape-range"
        ),
        'dim-negative: the Parameter of then_body has the shape "-2"': fault(
            of_layer("a", 'shape="2"', 'shape="-2"'), "operations-parameter-shape-range"
        ),
        "dim-beyond-64-bits: a dim of the Parameter is 2^64 + 2": fault(
            of_layer("a", 'shape="2"', f'shape="{2**64 + 2}"'), "operations-parameter-shape-range"
        ),
        **{
            f'{case}-bound-in-letters: the Parameter of then_body has the shape "{text}"': fault(
                of_layer("a", 'shape="2"', f'shape="{text}"'), "operations-parameter-shape-range"
            )
            for case, text in [("lower", "two..5"), ("upper", "1..five"), ("short-upper", "1..V")]
        },
        'constant-of-unknown-type: the constant has elements of "f33"': fault(
            of_layer("const1", '"f32"', '"f33"'), "operations-constant-offset-required"
        ),
        "constant-without-type: the constant has no element type": fault(
            of_layer("const1", 'element_type="f32" ', ""), "operations-constant-offset-required"
        ),
        "constant-without-shape: the constant has no shape, and four bytes, as a scalar has": fault(
            of_layer("const1", f'shape="2" bytes="{K.tobytes().hex()}"', f'bytes="{K[:1].tobytes().hex()}"'),
            "operations-constant-offset-required",
        ),
        'constant-of-unknown-shape: the constant has the shape "?"': fault(
            of_layer("const1", 'shape="2"', 'shape="?"'), "operations-constant-offset-required"
        ),
        'constant-of-unknown-rank: the constant has the shape "...", and four bytes, as a scalar has': fault(
            of_layer("const1", f'"2" bytes="{K.tobytes().hex()}"', f'"..." bytes="{K[:1].tobytes().hex()}"'),
            "operations-constant-offset-required",
        ),
        'constant-of-negative-dim: the constant has the shape "-2"': fault(
            of_layer("const1", 'shape="2"', 'shape="-2"'), "operations-constant-offset-required"
        ),
    }.items():
        yield plain.broken(case, made.edit, why=made.why)


def agreeing() -> Iterator[Vector]:
    """The type that a Parameter of a body declares, and that of the value it receives."""
    plain = adds_or_negates(
        f"{AGREES}same: Parameters declare the types of the values that they receive",
        ["operations-parameter-output", "if-8-port-map"],
    )
    yield plain.varied(
        "less-known: the Parameter of then_body has an unknown dim, the value it receives has [2]",
        of_layer("a", 'shape="2"', 'shape="?"'),
    )
    for case, edit in [
        ("element-type: the Parameter of then_body is i32, x is f32", of_layer("a", '"f32"', '"i32"')),
        ("wider-element-type: the Parameter of else_body is f64, x is f32", of_layer("b", '"f32"', '"f64"')),
    ]:
        yield plain.broken(case, edit)
    for case, edit in [
        ("dim: the Parameter of else_body has [3], x has [2]", of_layer("b", 'shape="2"', 'shape="3"')),
        ("rank: the Parameter of else_body has [1,2], x has [2]", of_layer("b", 'shape="2"', 'shape="1,2"')),
    ]:
        yield plain.varied(case, edit, doubt=OF_ANOTHER_SHAPE)
    dynamic = plain.varied(
        "given-when-it-runs: x has an unknown dim, the Parameter of else_body [2]",
        replaced(
            'name="x" type="Parameter" version="opset1">\n      <data shape="2"',
            'name="x" type="Parameter" version="opset1">\n      <data shape="?"',
        ),
    )
    yield dynamic
    yield replace(
        dynamic,
        id=AGREES + "given-another-dim-when-it-runs",
        title="x has an unknown dim and three elements, the Parameter of else_body declares [2]",
        runs=[Run({"cond": np.False_, "x": floats(1, -2, 3)}, {"y": floats(-1, 2, -3)})],
        doubt=OF_ANOTHER_SHAPE,
    )


def _second_of_two() -> Iterator[Vector]:
    """Of two Parameters, the second declares another element type than its value has; it is converted anyway."""
    i32, f32 = "i32[2]", "f32[2]"

    def computes(operator: str, second: str = f32) -> Body:
        return body(
            [takes(1, 0), takes(2, 1), gives(3, 4)],
            parameter(0, "p", i32),
            parameter(1, "q", second),
            operation(2, "Convert", [second], i32, data='destination_type="i32"'),
            operation(3, operator, [i32, i32], i32),
            result(4, i32),
            edges("1:0>2:0 0:0>3:0 2:1>3:1 3:2>4:0"),
        )

    def model(then_body: Body, else_body: Body) -> IrModel:
        return if_model({"cond": "boolean[]", "a": i32, "x": f32}, {"y": i32}, then_body, else_body)

    adds, subtracts = computes("Add"), computes("Subtract")
    fed = {"a": ints(10, 20), "x": floats(3, -4)}
    twin = Vector(
        AGREES + "second-of-two",
        "each body has two Parameters, which declare the types of their values, and converts the second to i32",
        ["operations-parameter-output", "if-8-port-map"],
        model(adds, subtracts),
        branches(fed, then={"y": ints(13, 16)}, else_={"y": ints(7, 24)}),
    )
    for part, faulty in (
        ("then", (computes("Add", "f64[2]"), subtracts)),
        ("else", (adds, computes("Subtract", "f64[2]"))),
    ):
        yield twin.broken(
            f"{twin.id}-in-{part}: "
            f"the second Parameter of {part}_body is declared f64, but its value is f32; the body converts it to i32",
            as_in(model(*faulty)),
        )
