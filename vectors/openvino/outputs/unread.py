"""Outputs that nothing reads, and Parameters that no layer of their body reads: removing one renumbers the others."""

from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import Run, Vector, ints, issue, vectors_of
from ifcert.authoring.ir import IrModel
from ifcert.authoring.ir_bodies import Body, applied, body, gives, if_layer, if_model, passed, takes
from ifcert.authoring.ir_text import edges, net, operation, parameter, result

TWICE = issue(
    "openvinotoolkit/openvino", 26555, "a value that leads to two ports was removed twice where both bodies ignore it"
)
REMOVED = issue("openvinotoolkit/openvino", 27717, "after an unread input was removed, its index was used again")
RESULTS = issue("openvinotoolkit/openvino", 15862, "Results of outputs that nothing reads are removed from the bodies")

inputs_optional = vectors_of("openvino/if/inputs-optional", "if-draft-bodies-independent", REMOVED)
output_order = vectors_of(
    "openvino/if/output-order", "if-8-one-result-one-output", "reader-many-takers", RESULTS, REMOVED
)

TYPE, B = "i32[2]", "boolean[]"
VALUES = {"a": ints(1, -2), "b": ints(30, 40), "c": ints(500, 600)}
A, B_VALUE, C = VALUES.values()


def vectors() -> Iterator[Vector]:
    yield _two_levels_down()
    yield _in_a_body()
    yield _only_reader()


def _runs(then_values: dict, else_values: dict) -> list[Run]:
    """Then, else, and then again."""
    return [
        Run({"cond": np.bool_(cond), **VALUES}, then_values if cond else else_values) for cond in (True, False, True)
    ]


def _difference(ports: Sequence[int], minuend: int, subtrahend: int, *, to: int) -> Body:
    """Parameters 10, 11, … for these ports; of two of them, counted from 0, the difference."""
    return body(
        [*(takes(port, 10 + i) for i, port in enumerate(ports)), gives(to, 31)],
        *(parameter(10 + i, f"p{port}", TYPE) for i, port in enumerate(ports)),
        operation(30, "Subtract", [TYPE, TYPE], TYPE),
        result(31, TYPE),
        edges(f"{10 + minuend}:0>30:0 {10 + subtrahend}:0>30:1 30:2>31:0"),
    )


def _parameters() -> Iterator[Vector]:
    """One of three mapped Parameters is not read."""
    inputs = {"cond": B, "a": TYPE, "b": TYPE, "c": TYPE}
    for case, (of_then, of_else, then_value, else_value) in {
        "first-parameter-unread: neither body reads its first Parameter": ((1, 2), (2, 1), B_VALUE - C, C - B_VALUE),
        "second-parameter-unread: neither body reads its second Parameter": ((0, 2), (2, 0), A - C, C - A),
        (
            "first-unread-by-then-second-by-else: then_body does not read its first Parameter, else_body not its second"
        ): ((1, 2), (2, 0), B_VALUE - C, C - A),
    }.items():
        yield inputs_optional(
            case,
            if_model(
                inputs, {"y": TYPE}, _difference([1, 2, 3], *of_then, to=4), _difference([1, 2, 3], *of_else, to=4)
            ),
            _runs({"y": then_value}, {"y": else_value}),
        )
    yield inputs_optional(
        "unread-in-opposite-order: "
        "then_body's first Parameter is of the first input, else_body's of the last, and neither is read",
        if_model(inputs, {"y": TYPE}, _difference([1, 2, 3], 1, 2, to=4), _difference([3, 2, 1], 1, 2, to=4)),
        _runs({"y": B_VALUE - C}, {"y": B_VALUE - A}),
    )


def _unread_beside(port: int, type_: str, read: int, operator: str, *, to: int) -> Body:
    """A Parameter that no layer reads, and an operation on another one."""
    twice = operator == "Add"
    return body(
        [takes(port, 0), takes(read, 1), gives(to, 3)],
        parameter(0, "unread", type_),
        parameter(1, "a", TYPE),
        operation(2, operator, [TYPE] * (2 if twice else 1), TYPE),
        result(3, TYPE),
        edges("1:0>2:0 1:0>2:1 2:2>3:0" if twice else "1:0>2:0 2:1>3:0"),
    )


def _of_cond() -> Iterator[Vector]:
    """Cond is a Parameter, too, which nothing reads: that is no reason to remove cond."""
    inputs = {"cond": B, "a": TYPE}
    negative, double = (_unread_beside(0, B, 1, operator, to=2) for operator in ("Negative", "Add"))
    plain_negative, plain_double = applied("Negative", TYPE, to=2), applied("Add", TYPE, to=2)
    for case, title, then_body, else_body in [
        ("both", "both bodies have", negative, double),
        ("then", "then_body has", negative, plain_double),
        ("else", "else_body has", plain_negative, double),
    ]:
        yield Vector(
            f"openvino/if/cond-required/unread-as-data-in-{case}",
            f"{title} cond as a Parameter that no layer reads",
            ["if-8-external-port-id-range", "if-draft-bodies-independent"],
            if_model(inputs, {"y": TYPE}, then_body, else_body),
            [Run({"cond": np.bool_(cond), "a": A}, {"y": -A if cond else A + A}) for cond in (True, False, True)],
            about=["unread-parameters"],
        )
    model = net(
        parameter(0, "cond", B),
        parameter(1, "a", TYPE),
        if_layer(
            2,
            [B, B, TYPE],
            {"y": TYPE},
            _unread_beside(1, B, 2, "Negative", to=3),
            _unread_beside(1, B, 2, "Add", to=3),
        ),
        result(3, TYPE),
        edges("0:0>2:0 0:0>2:1 1:0>2:2 2:3>3:0"),
    )
    yield Vector(
        "openvino/if/cond-required/unread-at-another-port",
        "cond leads to a second port of the If, of which each body has a Parameter that no layer reads",
        ["if-8-external-port-id-range", "if-draft-bodies-independent", TWICE],
        model,
        [Run({"cond": np.bool_(cond), "a": A}, {"y": -A if cond else A + A}) for cond in (True, False, True)],
        about=["unread-parameters"],
    )


def _twice() -> Iterator[Vector]:
    """a leads to ports 1 and 3; no body reads it."""
    for case, title, of_then, of_else in [
        ("each-ignores-one", "then_body ignores the first, else_body the second", 1, 3),
        ("both-ignore-the-first", "both bodies ignore the first", 1, 1),
        ("both-ignore-the-second", "both bodies ignore the second", 3, 3),
    ]:
        model = net(
            parameter(0, "cond", B),
            *(parameter(i, name, TYPE) for i, name in enumerate(VALUES, 1)),
            if_layer(
                10,
                [B, TYPE, TYPE, TYPE, TYPE],
                {"y": TYPE},
                _unread_beside(of_then, TYPE, 2, "Negative", to=5),
                _unread_beside(of_else, TYPE, 4, "Negative", to=5),
            ),
            result(20, TYPE),
            edges("0:0>10:0 1:0>10:1 2:0>10:2 1:0>10:3 3:0>10:4 10:5>20:0"),
        )
        yield inputs_optional(
            f"same-value-at-two-ports-{case}: "
            f"a leads to two ports, of which the bodies have Parameters that no layer reads: {title}",
            model,
            _runs({"y": -B_VALUE}, {"y": -C}),
            why=["if-draft-bodies-independent", TWICE],
        )


def _two_levels_down() -> Vector:
    """A Parameter of the outer body leads to the inner If only, whose bodies ignore it."""
    inner = if_layer(
        13,
        [B, TYPE, TYPE],
        {"": TYPE},
        _unread_beside(1, TYPE, 2, "Negative", to=3),
        _unread_beside(1, TYPE, 2, "Add", to=3),
        name="inner",
    )
    outer = body(
        [takes(0, 10), takes(1, 11), takes(2, 12), gives(4, 14)],
        parameter(10, "c", B),
        parameter(11, "p", TYPE),
        parameter(12, "q", TYPE),
        inner,
        result(14, TYPE),
        edges("10:0>13:0 11:0>13:1 12:0>13:2 13:3>14:0"),
    )
    return inputs_optional(
        "unread-two-levels-down: a is passed through then_body into an inner If, whose bodies do not read it",
        if_model({"cond": B, "a": TYPE, "b": TYPE, "c": TYPE}, {"y": TYPE}, outer, passed(TYPE, to=4, of=3)),
        _runs({"y": -B_VALUE}, {"y": C}),
        why=["if-draft-bodies-independent", "if-8-any-number-of-parameters"],
    )


def _three(ports: Sequence[int], *, backwards: bool = False) -> Body:
    """The values of these ports, to the ports 4, 5 and 6; the Results in order or from the last."""
    results = [result(20 + i, TYPE) for i in range(3)]
    return body(
        [*(takes(port, 10 + i) for i, port in enumerate(ports)), *(gives(4 + i, 20 + i) for i in range(3))],
        *(parameter(10 + i, f"p{port}", TYPE) for i, port in enumerate(ports)),
        *(operation(15 + i, "Negative", [TYPE], TYPE) for i in range(3)),
        *(results[::-1] if backwards else results),
        edges(" ".join(f"{10 + i}:0>{15 + i}:0 {15 + i}:1>{20 + i}:0" for i in range(3))),
    )


def _three_outputs(read: Sequence[int], *, backwards: bool = False) -> IrModel:
    """Of three outputs, those that are read; then_body negates a, b and c, else_body b, c and a."""
    names = ["x", "y", "z"]
    return net(
        parameter(0, "cond", B),
        *(parameter(i, name, TYPE) for i, name in enumerate(VALUES, 1)),
        if_layer(
            100,
            [B, TYPE, TYPE, TYPE],
            dict.fromkeys(names, TYPE),
            _three([1, 2, 3]),
            _three([2, 3, 1], backwards=backwards),
        ),
        *(result(200 + i, TYPE) for i in read),
        edges("0:0>100:0 1:0>100:1 2:0>100:2 3:0>100:3"),
        edges(" ".join(f"100:{4 + i}>{200 + i}:0" for i in read)),
    )


def _outputs() -> Iterator[Vector]:
    of_then, of_else = [-A, -B_VALUE, -C], [-B_VALUE, -C, -A]
    for case, title, read, backwards in [
        ("first-unread", "the first of three outputs", [1, 2], False),
        ("second-unread", "the second of three outputs", [0, 2], False),
        ("third-unread", "the third of three outputs", [0, 1], False),
        ("only-second-read", "the first and the third of three outputs", [1], False),
        ("only-third-read", "the first two of three outputs", [2], False),
        ("first-unread-results-backwards", "the first output, the last Result of else_body,", [1, 2], True),
        ("third-unread-results-backwards", "the third output, the first Result of else_body,", [0, 1], True),
    ]:
        yield output_order(
            f"{case}: " + f"nothing reads {title}".rstrip(","),
            _three_outputs(read, backwards=backwards),
            _runs({"xyz"[i]: of_then[i] for i in read}, {"xyz"[i]: of_else[i] for i in read}),
        )


def _in_a_body() -> Vector:
    """The inner If's first output is not read."""
    two = [gives(2, 20), gives(3, 21)]
    inner_then = body(
        [takes(1, 10), *two],
        parameter(10, "p", TYPE),
        operation(15, "Negative", [TYPE], TYPE),
        result(20, TYPE),
        result(21, TYPE),
        edges("10:0>20:0 10:0>15:0 15:1>21:0"),
    )
    inner_else = body(
        [takes(1, 10), *two],
        parameter(10, "p", TYPE),
        operation(15, "Add", [TYPE, TYPE], TYPE),
        result(21, TYPE),
        result(20, TYPE),
        edges("10:0>20:0 10:0>15:0 10:0>15:1 15:2>21:0"),
    )
    outer = body(
        [takes(1, 10), takes(2, 11), gives(3, 14)],
        parameter(10, "d", B),
        parameter(11, "p", TYPE),
        if_layer(12, [B, TYPE], {"": TYPE, "second": TYPE}, inner_then, inner_else, name="inner"),
        result(14, TYPE),
        edges("10:0>12:0 11:0>12:1 12:3>14:0"),
    )
    return output_order(
        "first-unread-of-inner: nothing reads the first output of an If in then_body",
        if_model({"cond": B, "d": B, "a": TYPE}, {"y": TYPE}, outer, passed(TYPE, to=3, of=2)),
        [
            Run({"cond": np.bool_(cond), "d": np.bool_(d), "a": A}, {"y": (-A if d else A + A) if cond else A})
            for cond, d in [(1, 1), (1, 0), (0, 1), (1, 1)]
        ],
        why=["if-8-one-result-one-output", "reader-many-takers", RESULTS],
    )


def _only_reader() -> Vector:
    """Parts that only the unread output needs go with it: the first Parameter, and so the If's first data input."""

    def pair(operator: str) -> Body:
        return body(
            [takes(1, 10), takes(2, 11), gives(3, 20), gives(4, 21)],
            parameter(10, "p", TYPE),
            parameter(11, "q", TYPE),
            operation(15, "Negative", [TYPE], TYPE),
            operation(16, operator, [TYPE], TYPE),
            result(20, TYPE),
            result(21, TYPE),
            edges("10:0>15:0 15:1>20:0 11:0>16:0 16:1>21:0"),
        )

    model = net(
        parameter(0, "cond", B),
        *(parameter(i, name, TYPE) for i, name in enumerate(VALUES, 1)),
        if_layer(100, [B, TYPE, TYPE], {"x": TYPE, "y": TYPE}, pair("Negative"), pair("Abs")),
        operation(150, "Add", [TYPE, TYPE], TYPE, name="sum"),
        result(200, TYPE),
        edges("0:0>100:0 1:0>100:1 2:0>100:2 100:4>150:0 3:0>150:1 150:2>200:0"),
    )
    return output_order(
        "first-unread-with-its-input: nothing reads the first output, for which alone both bodies read a",
        model,
        _runs({"sum": C - B_VALUE}, {"sum": C + B_VALUE}),
    )
