"""The forms of cond: boolean, a scalar or one dim of 1, and required."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, ints, says, vectors_of
from ifcert.authoring.elements import IR_NAMES
from ifcert.authoring.ir import IrModel, as_in, replaced
from ifcert.authoring.ir_bodies import applied, body, constant, gives, if_layer, if_model, passed, takes
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result, type_of
from ifcert.authoring.patterns import ones

cond_shape = vectors_of("openvino/if/cond-shape", "if-8-cond")
cond_is_boolean = vectors_of("openvino/if/cond-is-boolean", "if-8-cond")
cond_required = vectors_of("openvino/if/cond-required", "if-8-external-port-id-range")

X = ints(1, -2)
INPUTS = {"cond": "boolean[]", "x": "i32[2]"}


def _choice(cond: str) -> IrModel:
    return if_model(
        {"cond": cond, "x": "i32[2]"}, {"y": "i32[2]"}, applied("Negative", "i32[2]", to=2), passed("i32[2]", to=2)
    )


def _runs(*shape: int) -> list[Run]:
    return [
        Run({"cond": np.full(shape, True), "x": X}, {"y": -X}),
        Run({"cond": np.full(shape, False), "x": X}, {"y": X}),
    ]


def _feeding(*shape: int) -> list[dict]:
    return [{"cond": np.full(shape, value), "x": X} for value in (True, False)]


def _declared_shapes() -> Iterator[Vector]:
    scalar = cond_shape("scalar: cond has no dims", _choice("boolean[]"), _runs())
    one = cond_shape("length-one: cond has one dim of 1", _choice("boolean[1]"), _runs(1))
    yield scalar
    for case, shape in [("length-two", [2]), ("length-zero", [0]), ("length-three", [3])]:
        fault = f"cond has the shape {shape}"
        yield one.broken(f"{case}: {fault}", as_in(_choice(f"boolean{shape}")), runs=_feeding(*shape))
    for case, shape in [("one-by-one", [1, 1]), ("one-by-one-by-one", [1, 1, 1]), ("one-by-two", [1, 2])]:
        fault = f"cond has the shape {shape}"
        type_ = f"boolean[{','.join(map(str, shape))}]"
        yield one.broken(f"{case}: {fault}", as_in(_choice(type_)), runs=_feeding(*shape))


def _declared_where_it_never_runs() -> Iterator[Vector]:
    """A list of cond of the outer If is the cond of an If in the body that is not taken."""

    def model(length: int | str) -> IrModel:
        inner = if_layer(
            2,
            [f"boolean[{length}]", "i32[2]"],
            {"": "i32[2]"},
            applied("Negative", "i32[2]", to=2),
            passed("i32[2]", to=2),
        )
        other = body(
            [takes(1, 0), takes(2, 1), gives(3, 3)],
            parameter(0, "d", f"boolean[{length}]"),
            parameter(1, "a", "i32[2]"),
            inner,
            result(3, "i32[2]"),
            edges("0:0>2:0 1:0>2:1 2:2>3:0"),
        )
        inputs = {"cond": "boolean[]", "flags": f"boolean[{length}]", "x": "i32[2]"}
        return if_model(inputs, {"y": "i32[2]"}, passed("i32[2]", to=3, of=2), other)

    def fed(length: int) -> dict:
        return {"cond": np.True_, "flags": np.full(length, True), "x": X}

    one = cond_shape(
        "never-run-length-one: cond of an If in a body that is not taken has the shape [1]",
        model(1),
        Run(fed(1), {"y": X}),
    )
    for case, length in [("zero", 0), ("three", 3)]:
        yield one.broken(
            f"never-run-length-{case}: cond of an If in a body that is not taken has the shape [{length}]",
            as_in(model(length)),
            runs=[fed(length)],
        )
    for case, dims in [("two-unknown-dims", "?,?"), ("one-by-one", "1,1")]:
        yield one.broken(
            f"never-run-{case}: cond of an If in a body that is not taken has the shape [{dims}]",
            as_in(model(dims)),
            runs=[{**fed(1), "flags": np.bool_([[True]])}],
        )


def _shapes_of_runs() -> Iterator[Vector]:
    length = cond_shape("dynamic-length-one: a cond of [?] is fed as [1]", _choice("boolean[?]"), _runs(1))
    for case, shape in [("two", 2), ("zero", 0)]:
        yield length.refusing(
            f"dynamic-length-{case}: a cond of [?] is fed as [1], then as [{shape}]", *_feeding(shape)
        )
    yield length.broken(
        "two-unknown-dims: a cond of [?,?], fed as [1,1]", as_in(_choice("boolean[?,?]")), runs=_feeding(1, 1)
    )
    for case, shape in [("scalar", ()), ("length-one", (1,))]:
        yield cond_shape(
            f"dynamic-rank-{case}: a cond of unknown rank is fed as {list(shape)}",
            _choice("boolean[...]"),
            _runs(*shape),
            doubt="no text of If says that a Parameter may have no rank, and plug-ins refuse it",
        )


def _reshaped() -> Iterator[Vector]:
    """Cond is reshaped to dims that are an input, so that its rank is known only in each run."""
    type_ = "i32[2]"
    model = net(
        parameter(0, "flag", "boolean[1]"),
        parameter(1, "dims", "i64[?]"),
        parameter(2, "x", type_),
        operation(3, "Reshape", ["boolean[1]", "i64[?]"], "boolean[...]", data='special_zero="false"'),
        if_layer(4, ["boolean[...]", type_], {"y": type_}, applied("Negative", type_, to=2), passed(type_, to=2)),
        result(5, type_),
        edges("0:0>3:0 1:0>3:1 3:2>4:0 2:0>4:1 4:2>5:0"),
    )

    def fed(flag: bool, *dims: int) -> dict:
        return {"flag": np.bool_([flag]), "dims": np.int64(dims), "x": X}

    right = cond_shape(
        "reshaped-when-it-runs: cond is reshaped to a scalar and to [1], as an input specifies",
        model,
        [Run(fed(True), {"y": -X}), Run(fed(False, 1), {"y": X}), Run(fed(True, 1), {"y": -X})],
    )
    yield right.refusing(
        "reshaped-to-one-by-one-when-it-runs: cond is reshaped to a scalar and to [1], then to [1,1]",
        fed(True, 1, 1),
        fed(False, 1, 1),
    )


def _constants() -> Iterator[Vector]:
    scalar, one = (
        cond_shape(f"constant-{case}: cond is a Const of shape {list(held.shape)}", _held(held), RUN_OF_HELD)
        for case, held in [("scalar", np.True_), ("length-one", np.bool_([True]))]
    )
    yield scalar
    for case, held in [
        ("length-two", np.bool_([True, True])),
        ("length-zero", np.bool_([])),
        ("one-by-one", np.bool_([[True]])),
    ]:
        fault = f"cond is a Const of shape {list(held.shape)}"
        yield one.broken(f"constant-{case}: {fault}", as_in(_held(held)))


RUN_OF_HELD = Run({"x": X}, {"y": -X})


def _held(cond: np.ndarray | np.generic) -> IrModel:
    """A model whose cond is a Const."""
    return net(
        const(0, cond),
        parameter(1, "x", "i32[2]"),
        if_layer(
            2, [type_of(cond), "i32[2]"], {"y": "i32[2]"}, applied("Negative", "i32[2]", to=2), passed("i32[2]", to=2)
        ),
        result(3, "i32[2]"),
        edges("0:0>2:0 1:0>2:1 2:2>3:0"),
    )


def _types() -> Iterator[Vector]:
    """Every other element type of IR, for a Parameter that is cond."""
    boolean = cond_is_boolean("boolean: cond is a boolean", _choice("boolean[1]"), _runs(1))
    for element, name in IR_NAMES.items():
        if element == "bool":
            continue
        yield boolean.broken(
            f"{name}: cond is of {name}", as_in(_choice(f"{name}[1]")), runs=[{"cond": ones(element, 1), "x": X}]
        )


def _computed() -> Iterator[Vector]:
    """A comparison returns a boolean; a number has to be converted first."""
    inputs = {"n": "i32[]", "x": "i32[2]"}

    def model(*between: str, into_cond: str) -> IrModel:
        return net(
            *(parameter(i, name, type_) for i, (name, type_) in enumerate(inputs.items())),
            *between,
            if_layer(
                9, ["boolean[]", "i32[2]"], {"y": "i32[2]"}, applied("Negative", "i32[2]", to=2), passed("i32[2]", to=2)
            ),
            result(10, "i32[2]"),
            edges(f"{into_cond} 1:0>9:1 9:2>10:0"),
        )

    yield cond_is_boolean(
        "compared: cond is the result of Greater",
        model(
            const(2, np.int32(3)),
            operation(3, "Greater", ["i32[]", "i32[]"], "boolean[]"),
            into_cond="0:0>3:0 2:0>3:1 3:2>9:0",
        ),
        [Run({"n": np.int32(4), "x": X}, {"y": -X}), Run({"n": np.int32(3), "x": X}, {"y": X})],
    )
    convert = operation(3, "Convert", ["i32[]"], "boolean[]", data='destination_type="boolean"')
    converted = cond_is_boolean(
        "converted: an i32 is converted to boolean before it is cond",
        model(convert, into_cond="0:0>3:0 3:1>9:0"),
        [Run({"n": np.int32(1), "x": X}, {"y": -X}), Run({"n": np.int32(0), "x": X}, {"y": X})],
    )
    yield converted.broken(
        "converted-to-another-type: an i32 is converted to u8 before it is cond",
        replaced('destination_type="boolean"', 'destination_type="u8"'),
        replaced('<port id="1" precision="BOOL"/>', '<port id="1" precision="U8"/>'),
    )


def _required() -> Iterator[Vector]:

    def model(*, cond: bool) -> IrModel:
        """An If of two constant bodies, beside a Result of its own for x."""
        ports = ["boolean[]"] if cond else []
        return net(
            parameter(0, "cond", "boolean[]"),
            if_layer(
                1, ports, {"y": "i32[2]"}, constant(ints(1, 2), to=len(ports)), constant(ints(3, 4), to=len(ports))
            ),
            result(2, "i32[2]"),
            result(3, "boolean[]"),
            edges(f"{'0:0>1:0' if cond else ''} 1:{len(ports)}>2:0 0:0>3:0"),
        )

    only = cond_required(
        "cond-alone: cond is the only input",
        model(cond=True),
        branches({}, then={"y": ints(1, 2), "cond": np.True_}, else_={"y": ints(3, 4), "cond": np.False_}),
        why=[says("if-8-cond", "if-8-cond-required"), "if-draft-inputs-optional"],
    )
    yield only.broken("no-input: the If has no inputs at all", as_in(model(cond=False)))


def _as_data() -> Iterator[Vector]:
    """Port 0 is one of the If's inputs, so a map may name it."""
    flipped = applied("LogicalNot", "boolean[]", to=1, of=0)
    yield cond_required(
        "cond-as-data: then_body has cond as its Parameter and returns it, else_body returns its negation",
        if_model({"cond": "boolean[]"}, {"y": "boolean[]"}, passed("boolean[]", to=1, of=0), flipped),
        branches({}, then={"y": np.True_}, else_={"y": np.True_}),
    )
    yield cond_required(
        "cond-as-data-beside-others: else_body has cond and x as Parameters",
        if_model(
            INPUTS,
            {"y": "i32[2]"},
            applied("Negative", "i32[2]", to=2),
            body(
                [takes(1, 1), takes(0, 0), gives(2, 4)],
                parameter(0, "c", "boolean[]"),
                parameter(1, "a", "i32[2]"),
                operation(2, "Convert", ["boolean[]"], "i32[]", data='destination_type="i32"'),
                operation(3, "Add", ["i32[2]", "i32[]"], "i32[2]"),
                result(4, "i32[2]"),
                edges("0:0>2:0 1:0>3:0 2:1>3:1 3:2>4:0"),
            ),
        ),
        _runs(),
    )
