"""Input entries: each Parameter has one input, an input any number of Parameters, and each map is independent."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, ints, vectors_of
from ifcert.authoring.ir import IrModel, as_in
from ifcert.authoring.ir_bodies import Body, applied, body, gives, if_layer, if_model, takes
from ifcert.authoring.ir_patterns import COUNTED
from ifcert.authoring.ir_text import edges, net, operation, parameter, result

every_parameter_mapped = vectors_of("openvino/if/every-parameter-mapped", "if-8-parameters-mapped")
one_input_many_parameters = vectors_of("openvino/if/one-input-many-parameters", "if-8-entry-is-a-rule")

A, B, C = ints(1, -2), ints(30, 40), ints(500, 600)
TYPE = "i32[2]"
INPUTS = {"cond": "boolean[]", "a": TYPE, "b": TYPE, "c": TYPE}
FED = {"a": A, "b": B, "c": C}


def _runs(then_values: dict, else_values: dict) -> list[Run]:
    return branches(FED, then=then_values, else_=else_values)


def _difference(entries: list[str], *, first: int = 0, to: int = 4) -> Body:
    """The Parameter `first` minus the next one, for the port `to`."""
    return body(
        [*entries, gives(to, first + 3)],
        parameter(first, "p", TYPE),
        parameter(first + 1, "q", TYPE),
        operation(first + 2, "Subtract", [TYPE, TYPE], TYPE),
        result(first + 3, TYPE),
        edges(f"{first}:0>{first + 2}:0 {first + 1}:0>{first + 2}:1 {first + 2}:2>{first + 3}:0"),
    )


def _choice(then_body: Body, else_body: Body) -> IrModel:
    return if_model(INPUTS, {"y": TYPE}, then_body, else_body)


def _parameters() -> Iterator[Vector]:
    """Each Parameter is mapped, once."""
    then_entries, else_entries = [takes(1, 0), takes(2, 1)], [takes(2, 0), takes(3, 1)]
    right = every_parameter_mapped(
        "both-mapped: then_body: a - b; else_body: b - c",
        _choice(_difference(then_entries), _difference(else_entries)),
        _runs({"y": A - B}, {"y": B - C}),
    )
    for case, title, entries in [
        ("none", "no Parameter of {} is mapped", []),
        ("first-unmapped", "the first Parameter of {} is not mapped", [takes(2, 1)]),
        ("second-unmapped", "the second Parameter of {} is not mapped", [takes(1, 0)]),
        (
            "mapped-from-two-inputs",
            "the second Parameter of {} is mapped from two inputs",
            [takes(1, 0), takes(2, 1), takes(3, 1)],
        ),
    ]:
        for part in ("then", "else"):
            wrong = _difference(entries)
            sound = _difference(else_entries if part == "then" else then_entries)
            yield right.broken(
                f"{case}-in-{part}: " + title.format(f"{part}_body"),
                as_in(_choice(wrong, sound) if part == "then" else _choice(sound, wrong)),
            )
    yield from _said_twice(right)


def _said_twice(right: Vector) -> Iterator[Vector]:
    """The entry of the second Parameter, word for word; both say the same."""
    once = {"then": [takes(1, 0), takes(2, 1)], "else": [takes(2, 0), takes(3, 1)]}
    for part in once:
        entries = once | {part: [*once[part], once[part][-1]]}
        yield right.varied(
            f"mapped-twice-from-one-input-in-{part}: an entry of {part}_body is there twice, word for word",
            as_in(_choice(_difference(entries["then"]), _difference(entries["else"]))),
            doubt="no text says whether an entry of a port map may be repeated word for word",
        )


def _unread() -> Iterator[Vector]:
    """A Parameter that no layer reads is mapped like any other."""

    def applied_to_first(operator: str, entries: list[str]) -> Body:
        return body(
            [*entries, gives(4, 3)],
            parameter(0, "p", TYPE),
            parameter(1, "q", TYPE),
            operation(2, operator, [TYPE], TYPE),
            result(3, TYPE),
            edges("0:0>2:0 2:1>3:0"),
        )

    both, first = [takes(1, 0), takes(2, 1)], [takes(1, 0)]
    right = every_parameter_mapped(
        "unread-mapped: then_body returns -a, else_body |a|; neither reads b, which is mapped",
        _choice(applied_to_first("Negative", both), applied_to_first("Abs", both)),
        _runs({"y": -A}, {"y": abs(A)}),
        about=["unread-parameters"],
    )
    for part, of_then, of_else in ("then", first, both), ("else", both, first):
        yield right.broken(
            f"unread-unmapped-in-{part}: the Parameter of {part}_body that no layer reads is not mapped",
            as_in(_choice(applied_to_first("Negative", of_then), applied_to_first("Abs", of_else))),
        )


def _one_input_many_parameters() -> Iterator[Vector]:
    for case, entries, then_value in [
        ("two-parameters: a is both Parameters of then_body: a - a", [takes(1, 0), takes(1, 1)], A - A),
        (
            "the-other-way-round: the entries of the same input are in the other order",
            [takes(1, 1), takes(1, 0)],
            A - A,
        ),
    ]:
        yield one_input_many_parameters(
            case,
            _choice(_difference(entries), _difference([takes(2, 0), takes(1, 1)])),
            _runs({"y": then_value}, {"y": B - A}),
        )
    wide = "i32[6]"
    joined = body(
        [takes(1, 0), takes(1, 1), takes(2, 2), gives(4, 4)],
        *(parameter(i, name, TYPE) for i, name in enumerate("pqr")),
        operation(3, "Concat", [TYPE] * 3, wide, data='axis="0"'),
        result(4, wide),
        edges("0:0>3:0 1:0>3:1 2:0>3:2 3:3>4:0"),
    )
    three = body(
        [takes(3, 0), takes(3, 1), takes(3, 2), gives(4, 4)],
        *(parameter(i, name, TYPE) for i, name in enumerate("pqr")),
        operation(3, "Concat", [TYPE] * 3, wide, data='axis="0"'),
        result(4, wide),
        edges("0:0>3:0 1:0>3:1 2:0>3:2 3:3>4:0"),
    )
    yield one_input_many_parameters(
        "two-of-three-and-three: then_body joins a, a and b, else_body c three times",
        if_model(INPUTS, {"y": wide}, joined, three),
        _runs({"y": np.concatenate([A, A, B])}, {"y": np.concatenate([C, C, C])}),
    )


def _independent() -> Iterator[Vector]:
    """The two maps differ in inputs, ids and order."""
    rule = "openvino/if/port-maps-independent/"
    for case, (title, then_body, else_body, then_value, else_value) in {
        "other-inputs": (
            "then_body reads a and b, else_body only c",
            _difference([takes(1, 0), takes(2, 1)]),
            applied("Negative", TYPE, to=4, of=3),
            A - B,
            -C,
        ),
        "same-inputs-exchanged": (
            "then_body computes a - b, else_body b - a",
            _difference([takes(1, 0), takes(2, 1)]),
            _difference([takes(2, 0), takes(1, 1)]),
            A - B,
            B - A,
        ),
        "other-layer-ids": (
            "then_body's layers are 0 to 3, else_body's 70 to 73",
            _difference([takes(1, 0), takes(2, 1)]),
            _difference([takes(2, 70), takes(3, 71)], first=70),
            A - B,
            B - C,
        ),
        "exchanged-layer-ids": (
            "an id is a Parameter's in one body and an operation's in the other",
            _difference([takes(1, 2), takes(2, 3)], first=2),
            _difference([takes(2, 0), takes(3, 1)]),
            A - B,
            B - C,
        ),
        "entries-in-another-order": (
            "the output entry comes first, then the inputs from the last",
            _reordered([takes(1, 0), takes(2, 1)]),
            _difference([takes(3, 1), takes(2, 0)]),
            A - B,
            B - C,
        ),
    }.items():
        runs = _runs({"y": then_value}, {"y": else_value})
        yield Vector(rule + case, title, ["if-8-two-port-maps"], _choice(then_body, else_body), runs)
    yield _gaps(rule)
    yield _not_rising(rule)
    yield _two_ifs(rule)


def _reordered(entries: list[str]) -> Body:
    straight = _difference(entries)
    return Body(straight.entries[::-1], straight.network)


def _gaps(rule: str) -> Vector:
    """Ports are identified by their ids, which need not be consecutive."""
    then_body = _difference([takes(4, 0), takes(9, 1)], to=33)
    else_body = _difference([takes(9, 0), takes(20, 1)], to=33)
    return Vector(
        rule + "ports-with-gaps",
        "the If's ports are 0, 4, 9, 20 and 33",
        ["if-8-external-port-id", "if-draft-xml-example-then-map-output"],
        if_model(INPUTS, {"y": TYPE}, then_body, else_body, ids=[0, 4, 9, 20, 33]),
        _runs({"y": A - B}, {"y": B - C}),
        doubt=COUNTED,
    )


def _not_rising(rule: str) -> Vector:
    """The first input is cond; the ones after it are identified by their ids."""
    then_body = _difference([takes(7, 0), takes(3, 1)], to=6)
    else_body = _difference([takes(3, 0), takes(5, 1)], to=6)
    return Vector(
        rule + "ports-not-rising",
        "the If's ports are 2, 7, 3, 5 and 6, in this order",
        ["if-8-external-port-id", "if-draft-xml-example-then-map-output"],
        if_model(INPUTS, {"y": TYPE}, then_body, else_body, ids=[2, 7, 3, 5, 6]),
        _runs({"y": A - B}, {"y": B - C}),
        doubt=COUNTED,
    )


def _two_ifs(rule: str) -> Vector:
    """Two Ifs read the same three values at different ports, in another order; the ids in their bodies are the same."""
    first = if_layer(
        10,
        list(INPUTS.values()),
        {"y": TYPE},
        _difference([takes(1, 0), takes(2, 1)]),
        _difference([takes(2, 0), takes(3, 1)]),
    )
    second = if_layer(
        11,
        list(INPUTS.values()),
        {"z": TYPE},
        _difference([takes(1, 0), takes(2, 1)], to=9),
        _difference([takes(2, 0), takes(3, 1)], to=9),
        ids=[0, 3, 1, 2, 9],
        name="other",
    )
    model = net(
        *(parameter(i, name, type_) for i, (name, type_) in enumerate(INPUTS.items())),
        first,
        second,
        result(20, TYPE),
        result(21, TYPE),
        edges("0:0>10:0 1:0>10:1 2:0>10:2 3:0>10:3 10:4>20:0 0:0>11:0 1:0>11:3 2:0>11:1 3:0>11:2 11:9>21:0"),
    )
    return Vector(
        rule + "two-ifs-with-other-ports",
        "two Ifs read cond, a, b and c at the ports 0 to 3, and at 0, 3, 1 and 2, with the same entries",
        ["if-8-external-port-id", "if-draft-xml-example-then-map-output", "if-8-two-port-maps"],
        model,
        _runs({"y": A - B, "z": B - C}, {"y": B - C, "z": C - A}),
        doubt=COUNTED,
    )
