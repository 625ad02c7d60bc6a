"""Output entries: each output has one Result, and the map determines which, whatever the order in the file."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, ints, issue, says, vectors_of
from ifcert.authoring.ir import IrModel, as_in
from ifcert.authoring.ir_bodies import Body, applied, body, gives, if_layer, if_model, passed, takes
from ifcert.authoring.ir_patterns import COUNTED, everywhere
from ifcert.authoring.ir_text import edges, net, operation, parameter, result

ONE_RESULT = says("if-draft-one-result-one-output", "if-draft-counts-equal")
BY_NODE = issue("openvinotoolkit/openvino", 23671, "a conversion to boolean is replaced by operations on its input")

output_order = vectors_of("openvino/if/output-order", "if-draft-result-order", "if-8-external-port-id")

A, B, C = ints(1, -2), ints(30, 40), ints(500, 600)
TYPE = "i32[2]"
INPUTS = {"cond": "boolean[]", "a": TYPE, "b": TYPE, "c": TYPE}
FED = {"a": A, "b": B, "c": C}


def vectors() -> Iterator[Vector]:
    yield _results_by_file()


def _runs(then_values: dict, else_values: dict) -> list[Run]:
    return branches(FED, then=then_values, else_=else_values)


TWO = {"y": TYPE, "z": TYPE}


def _pair(
    entries: list[str], *, results: tuple[int, ...] = (10, 11), port: int = 1, operator: str = "Negative"
) -> Body:
    """a, and -a or what another operator makes of a, as the Results 10 and 11, in this order in the file."""
    return body(
        [takes(port, 0), *entries],
        parameter(0, "p", TYPE),
        operation(1, operator, [TYPE], TYPE),
        *(result(id, TYPE) for id in results),
        edges("0:0>1:0 0:0>10:0 1:1>11:0"),
    )


def _two(then_body: Body, else_body: Body) -> IrModel:
    return if_model(INPUTS, TWO, then_body, else_body)


STRAIGHT, CROSSED = [gives(4, 10), gives(5, 11)], [gives(4, 11), gives(5, 10)]


def _outputs() -> Iterator[Vector]:
    """Each output of the If has one Result in each map, and each Result one output."""
    for rule, (why, cases) in {
        "openvino/if/every-output-mapped/": (
            "if-8-one-result-one-output",
            [
                ("no-output-entry", "no output of {} is mapped", []),
                ("first-output-unmapped", "the first output of {} is not mapped", [gives(5, 11)]),
                ("second-output-unmapped", "the second output of {} is not mapped", [gives(4, 10)]),
                (
                    "first-output-twice",
                    "both Results of {} are mapped to the first output",
                    [gives(4, 10), gives(4, 11)],
                ),
                (
                    "second-output-twice",
                    "the second output of {} has both Results, the first has its own",
                    [gives(4, 10), gives(5, 11), gives(5, 10)],
                ),
            ],
        ),
        "openvino/if/one-result-one-output/": (
            ONE_RESULT,
            [
                (
                    "first-result-twice",
                    "the first Result of {} is mapped to both outputs",
                    [gives(4, 10), gives(5, 10)],
                ),
                (
                    "second-result-twice",
                    "the second Result of {} is mapped to both outputs",
                    [gives(4, 11), gives(5, 11)],
                ),
            ],
        ),
    }.items():
        right = Vector(
            rule + "each-once",
            "two Results, two outputs, two entries in each map",
            [why],
            _two(_pair(STRAIGHT), _pair(CROSSED)),
            _runs({"y": A, "z": -A}, {"y": -A, "z": A}),
        )
        for case, title, entries in cases:
            for part in ("then", "else"):
                model = (
                    _two(_pair(entries), _pair(CROSSED)) if part == "then" else _two(_pair(STRAIGHT), _pair(entries))
                )
                yield right.broken(f"{case}-in-{part}: " + title.format(f"{part}_body"), as_in(model))
                if case != "second-output-unmapped":
                    continue
                yield right.broken(
                    f"{case}-in-untaken-{part}: " + title.format(f"{part}_body, which is not taken,"),
                    as_in(model),
                    runs=[right.every_run[1 if part == "then" else 0].inputs],
                )


def _three() -> Iterator[Vector]:
    """The entries that name one Result twice are not neighbours."""
    three = {"w": TYPE, **TWO}

    def tripled(last: int) -> Body:
        """a, -a and |a|, as the Results 10, 11 and 12, of which the last entry names this one."""
        return body(
            [takes(1, 0), gives(4, 10), gives(5, 11), gives(6, last)],
            parameter(0, "p", TYPE),
            operation(1, "Negative", [TYPE], TYPE),
            operation(2, "Abs", [TYPE], TYPE),
            *(result(id, TYPE) for id in (10, 11, 12)),
            edges("0:0>1:0 0:0>2:0 0:0>10:0 1:1>11:0 2:1>12:0"),
        )

    of_both = {"w": A, "y": -A, "z": ints(1, 2)}
    right = Vector(
        "openvino/if/one-result-one-output/each-of-three-once",
        "three Results, three outputs, three entries in each map",
        [ONE_RESULT],
        if_model(INPUTS, three, tripled(12), tripled(12)),
        _runs(of_both, of_both),
    )
    for part, bodies in ("then", (tripled(10), tripled(12))), ("else", (tripled(12), tripled(10))):
        yield right.broken(
            f"first-and-third-in-{part}: the first Result of {part}_body is mapped to the first and the third output",
            as_in(if_model(INPUTS, three, *bodies)),
        )


def _results_by_file() -> Vector:
    """The Results of the main network swap their ids, not their places."""
    return output_order(
        "main-result-ids-backwards: the Result of the first output has the id 201, that of the second 200",
        _two(_pair(STRAIGHT), _pair(CROSSED)).edited(
            everywhere(
                ('layer id="200"', 'layer id="first"'),
                ('layer id="201"', 'layer id="200"'),
                ('layer id="first"', 'layer id="201"'),
                ('to-layer="200"', 'to-layer="first"'),
                ('to-layer="201"', 'to-layer="200"'),
                ('to-layer="first"', 'to-layer="201"'),
            )
        ),
        _runs({"y": A, "z": -A}, {"y": -A, "z": A}),
        why=["if-8-external-port-id"],
    )


def _order() -> Iterator[Vector]:
    """The map determines which Result is which output: not the order of entries or of Results, nor their ids."""
    rule = "openvino/if/output-order/"
    size = partial(_pair, operator="Abs")  # where both maps say the same, so that the bodies differ
    for case, (then_body, else_body, crossed_then, crossed_else) in {
        "straight: both maps in order": (_pair(STRAIGHT), size(STRAIGHT), False, False),
        "crossed-in-else: else's map swaps its Results": (_pair(STRAIGHT), _pair(CROSSED), False, True),
        "crossed-in-then: then's map swaps its Results": (_pair(CROSSED), _pair(STRAIGHT), True, False),
        "crossed-in-both: both maps swap their Results": (_pair(CROSSED), size(CROSSED), True, True),
        "entries-backwards: the entry of the second output comes first in both maps": (
            _pair(STRAIGHT[::-1]),
            _pair(CROSSED[::-1]),
            False,
            True,
        ),
        "results-backwards: the Result of the second output comes first in both bodies": (
            _pair(STRAIGHT, results=(11, 10)),
            _pair(CROSSED, results=(11, 10)),
            False,
            True,
        ),
        "entries-and-results-backwards: entries and Results are in reverse order in then, in order in else": (
            _pair(STRAIGHT[::-1], results=(11, 10)),
            size(STRAIGHT),
            False,
            False,
        ),
    }.items():
        of_else = abs(A) if crossed_then == crossed_else else -A
        yield output_order(
            case,
            _two(then_body, else_body),
            _runs(
                {"y": -A, "z": A} if crossed_then else {"y": A, "z": -A},
                {"y": of_else, "z": A} if crossed_else else {"y": A, "z": of_else},
            ),
        )
    for case, (first, ids) in {
        "ports-0-and-1: the ids of the output ports are 0 and 1, in this order, those of the inputs 5 to 8": (
            5,
            (0, 1),
        ),
        "ports-not-rising: the ids of the output ports are 5 and 4, in this order, those of the inputs 0 to 3": (
            0,
            (5, 4),
        ),
    }.items():
        straight = [gives(ids[0], 10), gives(ids[1], 11)]
        crossed = [gives(ids[0], 11), gives(ids[1], 10)]
        yield output_order(
            case,
            if_model(
                INPUTS,
                TWO,
                _pair(straight, port=first + 1),
                _pair(crossed, port=first + 1),
                ids=[*range(first, first + 4), *ids],
            ),
            _runs({"y": A, "z": -A}, {"y": -A, "z": A}),
            why=["if-draft-result-order", "if-8-external-port-id", "if-draft-xml-example-then-map-output"],
            doubt=COUNTED,
        )
    yield from _rotated(rule)
    yield from _of_other_types(rule)
    yield from _second_as_booleans(rule)


def _rotated(rule: str) -> Iterator[Vector]:
    """Three inputs to three outputs, from each place on."""

    def rotated(by: int) -> Body:
        return body(
            [*(takes(1 + i, i) for i in range(3)), *(gives(4 + i, 10 + (i + by) % 3) for i in range(3))],
            *(parameter(i, name, TYPE) for i, name in enumerate("pqr")),
            *(result(10 + i, TYPE) for i in range(3)),
            edges("0:0>10:0 1:0>11:0 2:0>12:0"),
        )

    held = [A, B, C]
    for then_by, else_by in [(0, 1), (1, 2), (2, 0)]:
        values = [{name: held[(i + by) % 3] for i, name in enumerate("uvw")} for by in (then_by, else_by)]
        yield Vector(
            rule + f"rotated-by-{then_by}-and-{else_by}",
            f"three inputs are returned rotated by {then_by} in then, by {else_by} in else",
            ["if-draft-result-order", "if-8-external-port-id"],
            if_model(INPUTS, dict.fromkeys("uvw", TYPE), rotated(then_by), rotated(else_by)),
            _runs(*values),
        )


def _of_other_types(rule: str) -> Iterator[Vector]:
    """Outputs of two types, whose entries are in reverse order: matching by position would swap their types."""
    f32 = "f32[3]"
    x = floats(1, 2, 3)

    def both(entries: list[str], operator: str) -> Body:
        return body(
            [takes(1, 0), takes(2, 1), *entries],
            parameter(0, "p", TYPE),
            parameter(1, "q", f32),
            operation(2, operator, [TYPE], TYPE),
            result(10, f32),
            result(11, TYPE),
            edges("0:0>2:0 2:1>11:0 1:0>10:0"),
        )

    yield Vector(
        rule + "other-types",
        "the first output is i32, the second f32; the entries of then, and the Results of both, are in reverse order",
        ["if-draft-result-order", "if-8-external-port-id"],
        if_model(
            {"cond": "boolean[]", "a": TYPE, "x": f32},
            {"y": TYPE, "z": f32},
            both([gives(4, 10), gives(3, 11)], "Negative"),
            both([gives(3, 11), gives(4, 10)], "Abs"),
        ),
        branches({"a": A, "x": x}, then={"y": -A, "z": x}, else_={"y": abs(A), "z": x}),
    )


def _second_as_booleans(rule: str) -> Iterator[Vector]:
    """The second output becomes booleans: for a Result, and as the cond of another If."""

    def pair(operator: str) -> Body:
        """Twice a as the first Result; what the operator makes of b as the second."""
        return body(
            [takes(1, 0), takes(2, 1), gives(3, 10), gives(4, 11)],
            parameter(0, "p", TYPE),
            parameter(1, "q", "i32[1]"),
            operation(2, "Concat", [TYPE, TYPE], "i32[4]", data='axis="0"'),
            operation(3, operator, ["i32[1]"], "i32[1]"),
            result(10, "i32[4]"),
            result(11, "i32[1]"),
            edges("0:0>2:0 0:0>2:1 2:2>10:0 1:0>3:0 3:1>11:0"),
        )

    booleans = operation(51, "Convert", ["i32[1]"], "boolean[1]", data='destination_type="boolean"', name="flag")
    first = [
        parameter(0, "cond", "boolean[]"),
        parameter(1, "a", TYPE),
        parameter(2, "b", "i32[1]"),
        if_layer(50, ["boolean[]", TYPE, "i32[1]"], {"y": "i32[4]", "": "i32[1]"}, pair("Negative"), pair("Abs")),
        booleans,
        result(60, "i32[4]"),
        edges("0:0>50:0 1:0>50:1 2:0>50:2 50:3>60:0 50:4>51:0"),
    ]
    joined = np.concatenate([A, A])
    yield Vector(
        rule + "second-converted-to-boolean",
        "the second of two outputs is converted to boolean",
        ["if-8-one-result-one-output", "operations-convert", BY_NODE],
        net(*first, result(61, "boolean[1]"), edges("51:1>61:0")),
        [
            Run({"cond": np.bool_(c), "a": A, "b": ints(b)}, {"y": joined, "flag": np.bool_([b != 0])})
            for c, b in [(True, 0), (False, 0), (True, 5), (False, -5)]
        ],
    )
    second = if_layer(52, ["boolean[1]", TYPE], {"z": TYPE}, applied("Negative", TYPE, to=2), passed(TYPE, to=2))
    yield Vector(
        "openvino/if/cond-is-boolean/converted-from-second-output-of-an-if",
        "cond is the second of two outputs of another If, converted to boolean",
        ["if-8-one-result-one-output", "operations-convert", BY_NODE],
        net(*first, second, result(61, TYPE), edges("51:1>52:0 1:0>52:1 52:2>61:0")),
        [
            Run({"cond": np.bool_(c), "a": A, "b": ints(b)}, {"y": joined, "z": -A if b else A})
            for c, b in [(True, 0), (False, 0), (True, 5), (False, -5)]
        ],
    )
