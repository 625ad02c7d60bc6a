"""Ifs in bodies of Ifs; a body sees nothing of the enclosing network but what its port map passes in."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, ints, issue, vectors_of
from ifcert.authoring.ir import IrModel, as_in
from ifcert.authoring.ir_bodies import (
    Body,
    applied,
    applied_to_constant,
    body,
    constant,
    gives,
    if_layer,
    if_model,
    passed,
    takes,
)
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result

DEEP = issue("openvinotoolkit/openvino", 37436, "types of nested Ifs are inferred by an unbounded recursion")

nesting = vectors_of("openvino/if/nesting", "if-8-typical-network")

UNBOUNDED = "no text bounds the depth, and readers have limits of their own"

TYPE = "i32[2]"
X = ints(1, -2)


def _numbered(number: int) -> Body:
    return constant(ints(number, number), to=1)


def _inner(then_number: int, else_number: int) -> Body:
    """A body of an If over its input 1, which is inner's cond."""
    return body(
        [takes(1, 0), gives(2, 2)],
        parameter(0, "c", "boolean[]"),
        if_layer(1, ["boolean[]"], {"": TYPE}, _numbered(then_number), _numbered(else_number), name="inner"),
        result(2, TYPE),
        edges("0:0>1:0 1:1>2:0"),
    )


def _places() -> Iterator[Vector]:
    plain = constant(ints(5, 5), to=2)
    inputs = {"a": "boolean[]", "b": "boolean[]"}
    for case, then_body, else_body, numbers in [
        ("in-then: an If in then_body", _inner(8, 6), plain, {(1, 1): 8, (1, 0): 6, (0, 1): 5, (0, 0): 5}),
        ("in-else: an If in else_body", plain, _inner(4, 2), {(1, 1): 5, (1, 0): 5, (0, 1): 4, (0, 0): 2}),
        ("in-both: an If in each body", _inner(8, 6), _inner(4, 2), {(1, 1): 8, (1, 0): 6, (0, 1): 4, (0, 0): 2}),
    ]:
        yield nesting(
            f"{case}, with every pair of conds",
            if_model(inputs, {"y": TYPE}, then_body, else_body),
            [
                Run({"a": np.bool_(a), "b": np.bool_(b)}, {"y": ints(number, number)})
                for (a, b), number in numbers.items()
            ],
        )


def _depths() -> Iterator[Vector]:
    """Level k goes on to level k + 1 where n > k, else it returns x + k; the last level returns -x."""
    for depth in (2, 3, 4, 8, 16, 32):
        levels = sorted({0, 1, depth // 2, depth - 1, depth})
        yield nesting(
            f"depth-{depth}: {depth} nested Ifs, and x through all of them",
            if_model(
                {"cond": "boolean[]", "n": "i32[]", "x": TYPE}, {"y": TYPE}, _level(1, depth), passed(TYPE, to=3, of=2)
            ),
            [
                Run({"cond": np.bool_(n > 0), "n": np.int32(n), "x": X}, {"y": -X if n == depth else X + np.int32(n)})
                for n in levels
            ],
            why=["if-8-typical-network", DEEP],
            doubt=UNBOUNDED if depth > 16 else "",
        )


def _level(level: int, depth: int) -> Body:
    """The body of level `level`: reads n from port 1 and x from port 2."""
    if level == depth:
        return applied("Negative", TYPE, to=3, of=2)
    return body(
        [takes(1, 0), takes(2, 1), gives(3, 5)],
        parameter(0, "n", "i32[]"),
        parameter(1, "x", TYPE),
        const(2, np.int32(level)),
        operation(3, "Greater", ["i32[]", "i32[]"], "boolean[]"),
        if_layer(
            4, ["boolean[]", "i32[]", TYPE], {"": TYPE}, _level(level + 1, depth), _plus(level), name=f"level{level}"
        ),
        result(5, TYPE),
        edges("0:0>3:0 2:0>3:1 3:2>4:0 0:0>4:1 1:0>4:2 4:3>5:0"),
    )


def _plus(level: int) -> Body:
    return applied_to_constant("Add", TYPE, np.int32(level), name="x", to=3, of=2)


def _inner_conds() -> Iterator[Vector]:
    """Inner's cond is outer's own, its negation, a Const, or another If's result."""
    fed = branches({"x": X}, then={"y": -X}, else_={"y": X})
    choice = {"cond": "boolean[]", "x": TYPE}
    for case, layers, into, then_value in [
        ("inner-cond-is-outers: the inner cond is the outer one", [parameter(0, "c", "boolean[]")], "0:0>9:0", -X),
        (
            "inner-cond-is-the-contrary: the inner cond is the negation of the outer one",
            [parameter(0, "c", "boolean[]"), operation(2, "LogicalNot", ["boolean[]"], "boolean[]")],
            "0:0>2:0 2:1>9:0",
            X + X,
        ),
        ("inner-cond-is-constant: the inner cond is a Const, false", [const(2, np.False_)], "2:0>9:0", X + X),
    ]:
        takes_cond = [takes(0, 0)] if "2:0>9:0" not in into else []
        then_body = body(
            [*takes_cond, takes(1, 1), gives(2, 10)],
            *layers,
            parameter(1, "x", TYPE),
            if_layer(
                9,
                ["boolean[]", TYPE],
                {"": TYPE},
                applied("Negative", TYPE, to=2),
                applied("Add", TYPE, to=2),
                name="inner",
            ),
            result(10, TYPE),
            edges(f"{into} 1:0>9:1 9:2>10:0"),
        )
        yield nesting(
            case,
            if_model(choice, {"y": TYPE}, then_body, passed(TYPE, to=2)),
            [Run(fed[0].inputs, {"y": then_value}), fed[1]],
        )
    yield _if_as_cond()


def _if_as_cond() -> Vector:
    """The result of an If is the cond of the next."""
    choice = if_layer(
        3,
        ["boolean[]", "boolean[]"],
        {"": "boolean[]"},
        passed("boolean[]", to=2),
        applied("LogicalNot", "boolean[]", to=2),
        name="first",
    )
    second = if_layer(
        4, ["boolean[]", TYPE], {"y": TYPE}, applied("Negative", TYPE, to=2), passed(TYPE, to=2), name="second"
    )
    return nesting(
        "if-into-cond: an If's result is the cond of the next If",
        net(
            parameter(0, "a", "boolean[]"),
            parameter(1, "b", "boolean[]"),
            parameter(2, "x", TYPE),
            choice,
            second,
            result(5, TYPE),
            edges("0:0>3:0 1:0>3:1 3:2>4:0 2:0>4:1 4:2>5:0"),
        ),
        [
            Run({"a": np.bool_(a), "b": np.bool_(b), "x": X}, {"y": -X if a == b else X})
            for a in (True, False)
            for b in (True, False)
        ],
    )


def _closed() -> Iterator[Vector]:
    """An edge from a layer of the enclosing network, of the other body, or of none, instead of a Parameter's."""
    rule = "openvino/if/bodies-are-closed/"
    inputs = {"cond": "boolean[]", "x": TYPE}
    runs = branches({"x": X}, then={"y": -X}, else_={"y": X + X})

    def model(then_from: int = 20, else_from: int = 30) -> IrModel:
        return if_model(inputs, {"y": TYPE}, _of_layers(20, "Negative", then_from), _of_layers(30, "Add", else_from))

    right = Vector(
        rule + "by-parameters",
        "x is passed into each body by its Parameter",
        ["if-8-parameters-mapped", "if-8-typical-network"],
        model(),
        runs,
    )
    for case, layer, title in [
        ("main-parameter", 1, "x of the main network"),
        ("the-if-itself", 100, "the If"),
        ("main-result", 200, "a Result of the main network"),
        ("no-layer", 77, "no layer"),
    ]:
        yield right.broken(f"{case}-in-then: an edge of then_body comes from {title}", as_in(model(then_from=layer)))
        yield right.broken(f"{case}-in-else: an edge of else_body comes from {title}", as_in(model(else_from=layer)))
    yield right.broken(
        "other-body-in-then: an edge of then_body comes from a Parameter of else_body", as_in(model(then_from=30))
    )
    yield right.broken(
        "other-body-in-else: an edge of else_body comes from a Parameter of then_body", as_in(model(else_from=20))
    )
    yield from _closed_to_outer_bodies(rule)


def _of_layers(first: int, operator: str, source: int) -> Body:
    """One operation, whose operand comes from `source`; the Parameter, `first`, is there in any case."""
    twice = operator == "Add"
    return body(
        [takes(1, first), gives(2, first + 2)],
        parameter(first, "a", TYPE),
        operation(first + 1, operator, [TYPE] * (2 if twice else 1), TYPE),
        result(first + 2, TYPE),
        edges(f"{source}:0>{first + 1}:0 {f'{first}:0>{first + 1}:1' if twice else ''}"),
        edges(f"{first + 1}:{2 if twice else 1}>{first + 2}:0"),
    )


def _closed_to_outer_bodies(rule: str) -> Iterator[Vector]:
    def model(source: int) -> IrModel:
        inner = if_layer(
            22, ["boolean[]", TYPE], {"": TYPE}, _of_layers(40, "Negative", source), passed(TYPE, to=2), name="inner"
        )
        outer = body(
            [takes(0, 20), takes(1, 21), gives(2, 23)],
            parameter(20, "c", "boolean[]"),
            parameter(21, "a", TYPE),
            inner,
            result(23, TYPE),
            edges("20:0>22:0 21:0>22:1 22:2>23:0"),
        )
        return if_model({"cond": "boolean[]", "x": TYPE}, {"y": TYPE}, outer, passed(TYPE, to=2))

    right = Vector(
        rule + "by-parameters-of-two-levels",
        "x is passed into the inner body by a Parameter of each level",
        ["if-8-parameters-mapped", "if-8-typical-network"],
        model(40),
        branches({"x": X}, then={"y": -X}, else_={"y": X}),
    )
    yield right.broken(
        "outer-body: an edge of an inner body comes from a Parameter of its enclosing body", as_in(model(21))
    )
    yield right.broken("main-through-two-levels: an edge of an inner body comes from the main network", as_in(model(1)))
