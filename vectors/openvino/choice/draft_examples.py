"""The five examples of the draft: 1, 3 and a repaired 2 compute; 4, 5 and each fault of 2 are refused.

The draft's double is f64, its int i32. Where it gives no values, these constants are chosen so that every element of a
result shows its origin.
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, ints, says, vectors_of
from ifcert.authoring.ir import IrModel, as_in
from ifcert.authoring.ir_bodies import body, constant, gives, if_model, passed, takes
from ifcert.authoring.ir_text import const, edges, operation, parameter, result, type_of

FOURTH = says("if-draft-fourth-example-count", "if-draft-fourth-example-refused")
FIFTH = says("if-draft-fifth-example-type", "if-draft-fifth-example-refused")
OPTIONAL = says("if-draft-inputs-optional", "if-draft-bodies-independent")

output_type = vectors_of("openvino/if/output-type", "if-8-types-equal")

MATRIX = np.float64([[1, 2, 3], [4, 5, 6]])
ROW = np.float64([7, 8, 9])
OTHER = np.float64([[0.5, 0.25, 0.125], [10, 20, 30]])

FIRST = if_model(
    {"cond": "boolean[]"},
    {"y": "f64[2,3]", "z": "f64[...]"},
    body(
        [gives(1, 2), gives(2, 3)],
        const(0, MATRIX),
        const(1, ROW),
        result(2, "f64[2,3]"),
        result(3, "f64[3]"),
        edges("0:0>2:0 1:0>3:0"),
    ),
    body(
        [gives(1, 3), gives(2, 4)],
        const(0, MATRIX),
        const(1, OTHER),
        operation(2, "Add", ["f64[2,3]", "f64[2,3]"], "f64[2,3]"),
        result(3, "f64[2,3]"),
        result(4, "f64[2,3]"),
        edges("0:0>2:0 1:0>2:1 2:2>3:0 1:0>4:0"),
    ),
)

FITTING = np.float64([[7, 8, 9]])


def _second_model(var3: np.ndarray, stacked: np.ndarray = FITTING, *, converted: bool = False) -> IrModel:
    """`Stack(var3, input1)` as a Concat, and `var3*input2` with a separate var3.

    `converted`: input2 is converted to the type of var3 first, so that the product has a type.
    """
    product = type_of(var3)
    element_type = product.partition("[")[0]
    conversion = operation(8, "Convert", ["i32[1]"], product, data=f'destination_type="{element_type}"')
    return if_model(
        {"cond": "boolean[]", "input1": "f64[2,3]", "input2": "i32[1]"},
        {"y": "f64[?,3]", "z": "i32[?]"},
        body(
            [takes(1, 0), gives(3, 4), gives(4, 5)],
            parameter(0, "p1", "f64[2,3]"),
            const(1, MATRIX),
            operation(2, "Add", ["f64[2,3]", "f64[2,3]"], "f64[2,3]"),
            const(3, ints(100, 200, 300)),
            result(4, "f64[2,3]"),
            result(5, "i32[3]"),
            edges("1:0>2:0 0:0>2:1 2:2>4:0 3:0>5:0"),
        ),
        body(
            [takes(1, 0), takes(2, 1), gives(3, 6), gives(4, 7)],
            parameter(0, "p1", "f64[2,3]"),
            parameter(1, "p2", "i32[1]"),
            const(2, stacked),
            operation(3, "Concat", [type_of(stacked), "f64[2,3]"], "f64[3,3]", data='axis="0"'),
            const(4, var3),
            conversion if converted else "",
            operation(5, "Multiply", [product, product], product),
            result(6, "f64[3,3]"),
            result(7, product),
            edges("2:0>3:0 0:0>3:1 4:0>5:0 3:2>6:0 5:2>7:0"),
            edges("1:0>8:0 8:1>5:1" if converted else "1:0>5:1"),
        ),
    )


SECOND = _second_model(ints(-3))

INTS = np.arange(120, dtype=np.int32) - 60
CONSTANT = np.arange(120, dtype=np.int32) * 3

THIRD = if_model(
    {"cond": "boolean[]", "input1": "i32[120]"}, {"y": "i32[120]"}, passed("i32[120]", to=2), constant(CONSTANT, to=2)
)

DOUBLE = np.arange(120, dtype=np.float64) / 8 + 1
AS_INT = np.arange(120, dtype=np.int32) + 1


def _first() -> Iterator[Vector]:
    runs = branches(
        {}, then={"y": MATRIX, "z": ROW}, else_={"y": np.float64([[1.5, 2.25, 3.125], [14, 25, 36]]), "z": OTHER}
    )
    yield Vector(
        "openvino/if/output-shape-may-be-undefined/first-example",
        "the second output is double[3] in then_body, double[2,3] in else_body",
        ["if-draft-shape-undefined", OPTIONAL],
        FIRST,
        runs,
        also=["openvino/if/inputs-optional"],
    )


SECOND_INPUTS = {"input1": np.float64([[10, 20, 30], [40, 50, 60]]), "input2": ints(14)}
ELSE_RUN = Run(
    {"cond": np.False_, **SECOND_INPUTS}, {"y": np.float64([[7, 8, 9], [10, 20, 30], [40, 50, 60]]), "z": ints(-42)}
)


def _second() -> Iterator[Vector]:
    """Its literal form breaks two rules: var3 * input2 is double by int, and [1] and [2,3] do not stack."""
    yield Vector(
        "openvino/if/output-shape-may-be-undefined/second-example-repaired",
        "double[2,3] and int[3], or double[3,3] and int[1]",
        ["if-draft-shape-undefined"],
        SECOND,
        [
            Run(
                {"cond": np.True_, **SECOND_INPUTS},
                {"y": np.float64([[11, 22, 33], [44, 55, 66]]), "z": ints(100, 200, 300)},
            ),
            ELSE_RUN,
        ],
    )
    yield Vector(
        "openvino/if/inputs-optional/second-example-repaired",
        "else_body reads both inputs, then_body only the first",
        [OPTIONAL],
        SECOND,
        [ELSE_RUN],
    )


def _product_type() -> Iterator[Vector]:
    right = output_type(
        "second-example-repaired: var3 * input2 is int, as then_body's var2, once var3 is an int",
        _second_model(ints(-3), converted=True),
        ELSE_RUN,
    )
    yield right.broken(
        "second-example-product-is-double: var3 * input2 is double as in the draft, then_body's var2 is int",
        as_in(_second_model(np.float64([-3]), converted=True)),
    )


def _operands() -> Iterator[Vector]:
    """The faults within else_body, whatever the If."""
    right = Vector(
        "openvino/ir/operands-fit/second-example-repaired",
        "int by int, and [1,3] stacked on [2,3]",
        ["operations-multiply-operands", "operations-concat-shapes"],
        SECOND,
        [ELSE_RUN],
    )
    yield right.broken(
        "second-example-double-by-int: var3 * input2 is double by int, as in the draft",
        as_in(_second_model(np.float64([-3]))),
        why=["operations-multiply-operands"],
    )
    yield right.broken(
        "second-example-stacks-unlike-shapes: [1] is stacked on [2,3], as in the draft",
        as_in(_second_model(ints(-3), np.float64([7]))),
        why=["operations-concat-shapes"],
    )


def _third() -> Iterator[Vector]:
    yield Vector(
        "openvino/if/pass-through/third-example",
        "then_body returns its Parameter, else_body a constant",
        ["if-draft-third-example-then"],
        THIRD,
        branches({"input1": INTS}, then={"y": INTS}, else_={"y": CONSTANT}),
    )


def _fourth() -> Iterator[Vector]:
    """The third, with a second Result in else_body; the If has one output or two."""
    right = Vector(
        "openvino/if/output-count/third-example",
        "one Result, one Result, one output",
        ["if-8-counts-equal"],
        THIRD,
        branches({"input1": INTS}, then={"y": INTS}, else_={"y": CONSTANT}),
    )
    yield right.broken(
        "fourth-example: else_body has a second Result, int[150], that no entry maps",
        as_in(_fourth_model(mapped=False)),
        why=[FOURTH, "if-8-counts-equal"],
    )
    yield right.broken(
        "fourth-example-with-two-outputs: else_body has a second Result, int[150], for a second output of the If",
        as_in(_fourth_model(mapped=True)),
        why=[FOURTH, "if-8-counts-equal"],
        obliged_by=FOURTH,
    )


def _fourth_model(*, mapped: bool) -> IrModel:
    longer = np.arange(150, dtype=np.int32)
    outputs = {"y": "i32[120]"} | ({"z": "i32[150]"} if mapped else {})
    return if_model(
        {"cond": "boolean[]", "input1": "i32[120]"},
        outputs,
        passed("i32[120]", to=2),
        body(
            [gives(2, 1), gives(3, 3) if mapped else ""],
            const(0, CONSTANT),
            result(1, "i32[120]"),
            const(2, longer),
            result(3, "i32[150]"),
            edges("0:0>1:0 2:0>3:0"),
        ),
    )


def _fifth() -> Iterator[Vector]:
    """Two constants of one type; then of two, in the draft's order and the reverse, whatever the port declares."""
    both_ints = _two_constants(AS_INT, -AS_INT, "i32")
    both_doubles = _two_constants(DOUBLE, -DOUBLE, "f64")
    yield (
        of_ints := output_type(
            "ints: int, int, and an output of int", both_ints, branches({}, then={"y": AS_INT}, else_={"y": -AS_INT})
        )
    )
    yield (
        of_doubles := output_type(
            "doubles: double, double, and an output of double",
            both_doubles,
            branches({}, then={"y": DOUBLE}, else_={"y": -DOUBLE}),
        )
    )
    yield of_doubles.broken(
        "fifth-example: then_body returns int, else_body double, the port declares double",
        as_in(_two_constants(AS_INT, -DOUBLE, "f64")),
        why=[FIFTH, "if-8-types-equal"],
        obliged_by=FIFTH,
    )
    yield of_ints.broken(
        "fifth-example-port-of-int: then_body returns int, else_body double, the port declares int",
        as_in(_two_constants(AS_INT, -DOUBLE, "i32")),
        why=[FIFTH, "if-8-types-equal"],
        obliged_by=FIFTH,
    )
    yield of_ints.broken(
        "double-before-int: then_body returns double, else_body int, the port declares int",
        as_in(_two_constants(DOUBLE, -AS_INT, "i32")),
    )
    yield of_doubles.broken(
        "double-before-int-port-of-double: then_body returns double, else_body int, the port declares double",
        as_in(_two_constants(DOUBLE, -AS_INT, "f64")),
    )
    yield of_doubles.broken(
        "port-says-another-type: both bodies return double, the port declares int",
        as_in(_two_constants(DOUBLE, -DOUBLE, "i32")),
    )


def _two_constants(then_value: np.ndarray, else_value: np.ndarray, port: str) -> IrModel:
    return if_model(
        {"cond": "boolean[]"}, {"y": f"{port}[120]"}, constant(then_value, to=1), constant(else_value, to=1)
    )
