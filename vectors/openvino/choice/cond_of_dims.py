"""Cond is computed of the dims of an input, which a reader knows only as intervals before the run, or not at all."""

from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import Run, Vector, Why, issue, vectors_of
from ifcert.authoring.ir import IrModel
from ifcert.authoring.ir_bodies import applied, if_layer, passed
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result

EQUAL = issue("openvinotoolkit/openvino", 21453, "Equal of a dim in an interval was considered known before the run")
ARITHMETIC = issue("openvinotoolkit/openvino", 13390, "a revision of the bounds of products, quotients and powers")
ABS = issue("openvinotoolkit/openvino", 24526, "bounds of Abs, and an Abs that is removed where they are not negative")
POINTER = issue(
    "openvinotoolkit/openvino", 38166, "bounds always seemed not negative: Abs was removed, and ReduceProd had bounds"
)
POINTER_FIX = issue("openvinotoolkit/openvino", 38171, "the change for it")
NARROW = issue("openvinotoolkit/openvino", 21189, "a dim without an upper bound overflowed in a ShapeOf of i32")
LOWER = issue("openvinotoolkit/openvino", 21414, "a lower bound was lost where there is no upper one")

dynamic_shape = vectors_of("openvino/if/dynamic-shape")

BOOLEAN, LENGTH = "boolean[]", "i64[]"


def _counted(*shape: int) -> np.ndarray:
    return np.arange(1, 1 + int(np.prod(shape)), dtype=np.float32).reshape(shape)


def _model(type_: str, layers: Sequence[str], into: str, cond: str, *, index_type: str = "i64") -> IrModel:
    """Layer 2 is the shape of x, of which layers 10 and 11 are the first and the last dim; `layers` compute cond."""
    rank = len(type_.split(","))
    shape, of = f"{index_type}[{rank}]", f"{index_type}[]"
    gathers = [operation(id, "Gather", [shape, "i64[]", "i64[]"], of, opset=8) for id in (10, 11)]
    any_length = "f32[?]" if rank == 1 else "f32[?,?]"
    return net(
        parameter(0, "x", type_),
        operation(2, "ShapeOf", [type_], shape, data=f'output_type="{index_type}"', opset=3),
        const(3, np.int64(0)),
        const(4, np.int64(-1)),
        *gathers,
        *layers,
        if_layer(
            50, [BOOLEAN, type_], {"y": any_length}, applied("Concat", any_length, to=2), passed(any_length, to=2)
        ),
        result(60, any_length),
        edges("0:0>2:0 2:1>10:0 3:0>10:1 3:0>10:2 2:1>11:0 4:0>11:1 3:0>11:2"),
        edges(f"{into} {cond}>50:0 0:0>50:1 50:2>60:0"),
    )


def _vector(case: str, model: IrModel, shapes: dict[tuple[int, ...], bool], *why: Why) -> Vector:
    """x of each of these shapes: doubled along the first axis where cond is true, or unchanged."""
    runs = [
        Run({"x": _counted(*shape)}, {"y": np.concatenate([_counted(*shape)] * (2 if cond else 1))})
        for shape, cond in shapes.items()
    ]
    return dynamic_shape(f"cond-of-{case}", model, runs, why=["if-8-cond-values", "operations-shapeof-output", *why])


def _compare(operator: str, number: int, *, of: str = "10:3", first: bool = True) -> tuple[list[str], str]:
    """Layers and edges: 30 compares what comes from `of` with the number, in this order or the contrary."""
    layers = [const(20, np.int64(number)), operation(30, operator, [LENGTH, LENGTH], BOOLEAN)]
    return layers, f"{of}>30:0 20:0>30:1" if first else f"20:0>30:0 {of}>30:1"


def _compared() -> Iterator[Vector]:
    for case, dims in [("length", "?"), ("length-from-1-to-5", "1..5"), ("length-up-to-5", "..5")]:
        for operator, title, number, conds in [
            ("Equal", "is 3", 3, {1: False, 3: True, 5: False, 2: False}),
            ("Less", "is below 3", 3, {2: True, 3: False, 1: True, 5: False}),
            ("Greater", "is above 3", 3, {3: False, 4: True, 1: False, 5: True}),
        ]:
            layers, into = _compare(operator, number)
            yield _vector(
                f"{case}-{operator.lower()}: cond says whether the length of x, which is [{dims}], {title}",
                _model(f"f32[{dims}]", layers, into, "30:2"),
                {(length,): cond for length, cond in conds.items()},
                *([EQUAL] if operator == "Equal" else []),
            )
    layers, into = _compare("Equal", 0)
    yield _vector(
        "emptiness: cond says whether the length of x is 0",
        _model("f32[?]", layers, into, "30:2"),
        {(2,): False, (0,): True, (1,): False},
        EQUAL,
    )
    layers, into = _compare("Less", 2, first=False)
    yield _vector(
        "length-from-2-on: cond says whether the length of x, which is [2..], is above 2",
        _model("f32[2..]", layers, into, "30:2"),
        {(2,): False, (3,): True, (7,): True},
        LOWER,
    )
    for case, dims, cond in [("known-length", "3", True), ("length-outside-of-the-interval", "4..9", False)]:
        layers, into = _compare("Equal", 3)
        yield _vector(
            f"{case}: cond says whether the length of x, which is [{dims}], is 3: this is known before the run",
            _model(f"f32[{dims}]", layers, into, "30:2"),
            {(3 if cond else 5,): cond},
        )


def _narrow() -> Iterator[Vector]:
    """ShapeOf returns i32."""
    for case, dims in [("?", "?"), ("from-2-on", "2.."), ("up-to-5", "..5")]:
        layers = [const(20, np.int32(3)), operation(30, "Greater", ["i32[]", "i32[]"], BOOLEAN)]
        name = "unknown" if case == "?" else case
        yield _vector(
            f"i32-length-{name}: "
            f"cond says whether the length of x, which is [{dims}] and returned as an i32, is above 3",
            _model(f"f32[{dims}]", layers, "10:3>30:0 20:0>30:1", "30:2", index_type="i32"),
            {(3,): False, (4,): True, (2,): False, (5,): True},
            NARROW,
        )


def _arithmetic() -> Iterator[Vector]:
    """Intervals whose ends alone do not tell what is possible between them."""
    binary = [LENGTH, LENGTH]
    less_three = [const(21, np.int64(3)), operation(22, "Subtract", binary, LENGTH)]
    three = "10:3>22:0 21:0>22:1"
    for case, (title, layers, into, of, (operator, number), conds) in {
        "square-of-distance": (
            "the square of the length's distance from 3 is 4",
            [*less_three, operation(23, "Multiply", binary, LENGTH)],
            f"{three} 22:2>23:0 22:2>23:1",
            "23:2",
            ("Equal", 4),
            {3: False, 1: True, 5: True, 4: False},
        ),
        "distance": (
            "the length's distance from 3 is 2",
            [*less_three, operation(23, "Abs", [LENGTH], LENGTH)],
            f"{three} 22:2>23:0",
            "23:1",
            ("Equal", 2),
            {3: False, 1: True, 5: True, 4: False},
        ),
        "power-of-distance": (
            "the length's distance from 3, squared by Power, is above 0",
            [*less_three, const(24, np.int64(2)), operation(23, "Power", binary, LENGTH)],
            f"{three} 22:2>23:0 24:0>23:1",
            "23:2",
            ("Greater", 0),
            {3: False, 1: True, 5: True, 4: True},
        ),
        "negated-length": (
            "minus twice the length is below -4",
            [const(21, np.int64(-2)), operation(22, "Multiply", binary, LENGTH)],
            "10:3>22:0 21:0>22:1",
            "22:2",
            ("Less", -4),
            {2: False, 3: True, 1: False, 5: True},
        ),
        "evenness": (
            "half of the length, doubled, minus the length is 0",
            [
                const(21, np.int64(2)),
                operation(22, "Divide", binary, LENGTH),
                operation(23, "Multiply", binary, LENGTH),
                operation(24, "Subtract", binary, LENGTH),
            ],
            "10:3>22:0 21:0>22:1 22:2>23:0 21:0>23:1 23:2>24:0 10:3>24:1",
            "24:2",
            ("Equal", 0),
            {2: True, 3: False, 4: True, 1: False, 5: False},
        ),
        "reciprocal-of-length": (
            "4 divided by the length is 2",
            [const(21, np.int64(4)), operation(22, "Divide", binary, LENGTH)],
            "21:0>22:0 10:3>22:1",
            "22:2",
            ("Equal", 2),
            {1: False, 2: True, 4: False, 5: False},
        ),
        "negative": (
            "the negative of the length is -3",
            [operation(22, "Negative", [LENGTH], LENGTH)],
            "10:3>22:0",
            "22:1",
            ("Equal", -3),
            {1: False, 3: True, 5: False, 2: False},
        ),
        "powers-of-minus-one": (
            "-1 to the power of the length is 1",
            [const(21, np.int64(-1)), operation(22, "Power", binary, LENGTH)],
            "21:0>22:0 10:3>22:1",
            "22:2",
            ("Equal", 1),
            {1: False, 2: True, 5: False, 4: True},
        ),
        "quotient-by-distance": (
            "6 divided by what the length is above 3 is 6",
            [*less_three, const(24, np.int64(6)), operation(23, "Divide", binary, LENGTH)],
            f"{three} 24:0>23:0 22:2>23:1",
            "23:2",
            ("Equal", 6),
            {5: False, 4: True, 1: False, 2: False},
        ),
    }.items():
        compare, compared = _compare(operator, number, of=of)
        yield _vector(
            f"{case}: cond says whether {title}, for x of [1..5]",
            _model("f32[1..5]", [*layers, *compare], f"{into} {compared}", "30:2"),
            {(length,): cond for length, cond in conds.items()},
            ABS if case == "distance" else ARITHMETIC,
        )


def _logic() -> Iterator[Vector]:
    """Each operand of the logic may be true or false."""
    for case, operator, title, conds in [
        ("and", "LogicalAnd", "both dims of x are above 2", {(3, 3): True, (2, 3): False, (3, 2): False}),
        ("or", "LogicalOr", "a dim of x is above 2", {(2, 2): False, (2, 3): True, (3, 2): True, (3, 3): True}),
        ("xor", "LogicalXor", "one dim of x, but not both, is above 2", {(3, 3): False, (2, 3): True, (2, 2): False}),
    ]:
        layers = [
            const(20, np.int64(2)),
            operation(30, "Greater", [LENGTH, LENGTH], BOOLEAN),
            operation(31, "Greater", [LENGTH, LENGTH], BOOLEAN),
            operation(32, operator, [BOOLEAN, BOOLEAN], BOOLEAN),
        ]
        yield _vector(
            f"dims-{case}: cond says whether {title}, which is [1..3,1..3]",
            _model("f32[1..3,1..3]", layers, "10:3>30:0 20:0>30:1 11:3>31:0 20:0>31:1 30:2>32:0 31:2>32:1", "32:2"),
            conds,
        )
    compare, compared = _compare("Equal", 3)
    yield _vector(
        "length-not: cond says whether the length of x, which is [1..5], is not 3",
        _model(
            "f32[1..5]", [*compare, operation(31, "LogicalNot", [BOOLEAN], BOOLEAN)], f"{compared} 30:2>31:0", "31:1"
        ),
        {(3,): False, (1,): True, (5,): True},
        EQUAL,
    )
    compare, compared = _compare("Greater", 3)
    chosen = [
        const(21, np.int64(7)),
        const(22, np.int64(9)),
        operation(31, "Select", [BOOLEAN, LENGTH, LENGTH], LENGTH),
        operation(32, "Equal", [LENGTH, LENGTH], BOOLEAN),
    ]
    yield _vector(
        "length-selected: "
        "cond says whether the number selected by the length of x, 9 where that is above 3 and else 7, is 9",
        _model(
            "f32[1..5]", [*compare, *chosen], f"{compared} 30:2>31:0 22:0>31:1 21:0>31:2 31:3>32:0 22:0>32:1", "32:2"
        ),
        {(3,): False, (4,): True, (1,): False, (5,): True},
    )


def _whole_shapes() -> Iterator[Vector]:
    """The number of elements; two dims compared; the number of dims."""
    product = [
        const(21, np.int64([0])),
        operation(22, "ReduceProd", ["i64[2]", "i64[1]"], LENGTH, data='keep_dims="false"'),
    ]
    for case, type_ in [("number-of-elements", "f32[?,?]"), ("number-of-elements-in-an-interval", "f32[1..3,1..3]")]:
        compare, compared = _compare("Equal", 4, of="22:2")
        yield _vector(
            f"{case}: cond says whether x, which is {type_[3:]}, has 4 elements",
            _model(type_, [*product, *compare], f"2:1>22:0 21:0>22:1 {compared}", "30:2"),
            {(2, 2): True, (1, 3): False, (3, 3): False, (2, 1): False},
            ARITHMETIC,
        )
    for case, type_ in [("squareness", "f32[?,?]"), ("squareness-in-intervals", "f32[1..3,2..5]")]:
        yield _vector(
            f"{case}: cond says whether the dims of x, which is {type_[3:]}, are equal",
            _model(type_, [operation(30, "Equal", [LENGTH, LENGTH], BOOLEAN)], "10:3>30:0 11:3>30:1", "30:2"),
            {(2, 2): True, (2, 3): False, (1, 2): False, (3, 3): True},
            EQUAL,
        )
    difference = [operation(22, "Subtract", [LENGTH, LENGTH], LENGTH)]
    compare, compared = _compare("Equal", 0, of="22:2")
    yield _vector(
        "difference-of-dims: cond says whether the difference of the dims of x, which is [1..3,1..3], is 0",
        _model("f32[1..3,1..3]", [*difference, *compare], f"10:3>22:0 11:3>22:1 {compared}", "30:2"),
        {(2, 2): True, (2, 3): False, (1, 2): False, (3, 3): True},
        EQUAL,
        ARITHMETIC,
    )
    count = [
        operation(22, "ShapeOf", ["i64[2]"], "i64[1]", data='output_type="i64"', opset=3),
        operation(23, "Gather", ["i64[1]", "i64[]", "i64[]"], LENGTH, opset=8),
    ]
    compare, compared = _compare("Equal", 2, of="23:3")
    yield _vector(
        "number-of-dims: cond says whether x, which is [?,?], has two dims: this is known before the run",
        _model("f32[?,?]", [*count, *compare], f"2:1>22:0 22:1>23:0 3:0>23:1 3:0>23:2 {compared}", "30:2"),
        {(2, 2): True, (1, 3): True},
        "operations-shapeof-length",
    )


def _looked_up() -> Iterator[Vector]:
    """The ends of the interval return something else than the lengths between them."""
    table = [const(21, np.int64([7, 1, 2, 7])), operation(22, "Gather", ["i64[4]", LENGTH, LENGTH], LENGTH, opset=8)]
    compare, compared = _compare("Equal", 7, of="22:3")
    yield _vector(
        "table-entry: cond says whether the entry of [7, 1, 2, 7] whose index is the length of x, which is [..3], is 7",
        _model("f32[..3]", [*table, *compare], f"21:0>22:0 10:3>22:1 3:0>22:2 {compared}", "30:2"),
        {(1,): False, (3,): True, (2,): False, (0,): True},
        ARITHMETIC,
    )
    distances = [
        const(21, np.int64([3, 3])),
        operation(22, "Subtract", ["i64[1]", "i64[2]"], "i64[2]"),
        const(23, np.int64([0])),
        operation(24, "ReduceProd", ["i64[2]", "i64[1]"], LENGTH, data='keep_dims="false"'),
    ]
    compare, compared = _compare("Equal", 4, of="24:2")
    yield _vector(
        "product-of-distances: "
        "cond says whether the product of the length's distances from 3 and 3 is 4, for x of [1..5]",
        _model("f32[1..5]", [*distances, *compare], f"2:1>22:0 21:0>22:1 22:2>24:0 23:0>24:1 {compared}", "30:2"),
        {(3,): False, (1,): True, (5,): True, (4,): False},
        POINTER,
        POINTER_FIX,
    )
    for case, dims in [("distance-of-the-shape", "?"), ("distance-of-the-shape-in-an-interval", "1..5")]:
        distances = [
            const(21, np.int64([3])),
            operation(22, "Subtract", ["i64[1]", "i64[1]"], "i64[1]"),
            operation(23, "Abs", ["i64[1]"], "i64[1]"),
            operation(24, "Gather", ["i64[1]", "i64[]", "i64[]"], LENGTH, opset=8),
        ]
        compare, compared = _compare("Greater", 1, of="24:3")
        into = f"2:1>22:0 21:0>22:1 22:2>23:0 23:1>24:0 3:0>24:1 3:0>24:2 {compared}"
        yield _vector(
            f"{case}: cond says whether the distance of the shape of x, which is [{dims}], from [3] is above 1",
            _model(f"f32[{dims}]", [*distances, *compare], into, "30:2"),
            {(3,): False, (1,): True, (5,): True, (2,): False},
            ABS,
            POINTER,
            POINTER_FIX,
        )
    compare, compared = _compare("Greater", 3)
    chosen = [
        const(21, np.int64(9)),
        const(22, np.int64(7)),
        operation(31, "Select", [BOOLEAN, LENGTH, LENGTH], LENGTH),
        operation(32, "Equal", [LENGTH, LENGTH], BOOLEAN),
    ]
    for case, other in [("smaller-where-longer", "22"), ("larger-where-shorter", "21")]:
        yield _vector(
            f"selected-{case}: "
            f"cond says whether the number selected by the length of x, 7 where that is above 3 and else 9, is "
            f"{7 if other == '22' else 9}",
            _model(
                "f32[1..5]",
                [*compare, *chosen],
                f"{compared} 30:2>31:0 22:0>31:1 21:0>31:2 31:3>32:0 {other}:0>32:1",
                "32:2",
            ),
            {(length,): (length > 3) == (other == "22") for length in (3, 4, 1, 5)},
            EQUAL,
        )
    narrowed = [
        operation(22, "Convert", [LENGTH], "i8[]", data='destination_type="i8"'),
        const(20, np.int8(10)),
        operation(30, "Equal", ["i8[]", "i8[]"], BOOLEAN),
    ]
    yield _vector(
        "length-as-i8: cond says whether the length of x, which is [1..200], is 10 as an i8, which has no 200",
        _model("f32[1..200]", narrowed, "10:3>22:0 22:1>30:0 20:0>30:1", "30:2"),
        {(10,): True, (9,): False, (100,): False},
        NARROW,
    )


def _joined() -> Iterator[Vector]:
    """The length of x behind x, converted."""
    joined = [
        operation(21, "Concat", ["f32[?]", "f32[?]"], "f32[?]", data='axis="0"'),
        operation(22, "ShapeOf", ["f32[?]"], "i64[1]", data='output_type="i64"', opset=3),
        operation(23, "Gather", ["i64[1]", "i64[]", "i64[]"], LENGTH, opset=8),
        operation(30, "Convert", [LENGTH], BOOLEAN, data='destination_type="boolean"'),
    ]
    yield _vector(
        "length-of-two-joined: cond is the length of x behind x, converted to boolean",
        _model("f32[?]", joined, "0:0>21:0 0:0>21:1 21:2>22:0 22:1>23:0 3:0>23:1 3:0>23:2 23:3>30:0", "30:1"),
        {(2,): True, (0,): False, (1,): True},
        "operations-convert",
    )
