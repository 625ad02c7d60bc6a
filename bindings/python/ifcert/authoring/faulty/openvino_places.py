"""The sound models of OpenVINO IR of the cross of faults: an If at each place, at each depth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ifcert.authoring.crosses.dimensions import Row
from ifcert.authoring.faulty.vectors import Sound
from ifcert.authoring.ir import IrModel
from ifcert.authoring.ir_bodies import Body, applied, body, gives, if_layer, takes
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result
from ifcert.authoring.values import Writable, ints
from ifcert.authoring.vector import Run

V = ints(1, -2)
K, HELD = ints(10, 20), ints(7, 8)
TYPES = {"taken": "boolean[]", "enter": "boolean[]", "c": "boolean[]", "v": "i32[2]"}
NUMBERS = "i32[2]"

# The If that has the faults: then_body adds a constant to v, else_body returns another. Its edges are those below.
TAKES, GIVES, ELSE_GIVES = takes(1, 60), gives(2, 63), gives(2, 73)
A_TO_SUM, K_TO_SUM, SUM_TO_RESULT = edges("60:0>62:0"), edges("61:0>62:1"), edges("62:2>63:0")
HELD_TO_RESULT = edges("72:0>73:0")
OUTPUT = '<port id="2" names="r" precision="I32"><dim>2</dim></port>'
CHOICE = if_layer(
    50,
    [TYPES["c"], NUMBERS],
    {"r": NUMBERS},
    body(
        [TAKES, GIVES],
        parameter(60, "addend", NUMBERS),
        const(61, K),
        operation(62, "Add", [NUMBERS, NUMBERS], NUMBERS),
        result(63, NUMBERS),
        A_TO_SUM,
        K_TO_SUM,
        SUM_TO_RESULT,
    ),
    body([ELSE_GIVES], const(72, HELD), result(73, NUMBERS), HELD_TO_RESULT),
    name="inner",
)
COND_EDGE, V_EDGE = edges("40:0>50:0"), edges("41:0>50:1")
# Beside it: a number and two booleans, which are no conds of it.
OTHERS = const(45, np.int32(1)) + "\n" + const(46, np.bool_([True, True]))


@dataclass(frozen=True)
class Part:
    """A network without its Results: the ids of its Parameters, its layers, its edges, and the port that it returns."""

    parameters: Mapping[str, int]
    layers: Sequence[str]
    edges: str
    returned: str


INNERMOST = Part({"c": 40, "v": 41}, [OTHERS, CHOICE], "40:0>50:0 41:0>50:1", "50:2")


def _around(inner: Part, cond: str, base: int, *, then: bool) -> Part:
    """An If on `cond`, of which one body is the inner part, and the other negates v. Its ids begin at `base`."""
    names = list(dict.fromkeys([cond, *inner.parameters]))
    parameters = {name: base + i for i, name in enumerate(names)}
    layer, port = base + 50, len(inner.parameters) + 1
    bodies = [_body(inner, port), applied("Negative", NUMBERS, to=port, of=1 + list(inner.parameters).index("v"))]
    operands = [cond, *inner.parameters]
    chosen = if_layer(
        layer,
        [TYPES[name] for name in operands],
        {f"o{base}": NUMBERS},
        *(bodies if then else reversed(bodies)),
        name=f"around{base}",
    )
    into = " ".join(f"{parameters[name]}:0>{layer}:{i}" for i, name in enumerate(operands))
    return Part(parameters, [chosen], into, f"{layer}:{port}")


def _body(part: Part, port: int) -> Body:
    """The part as a body, which gives to a port."""
    last = int(part.returned.partition(":")[0]) + 3
    return body(
        [*(takes(1 + i, id) for i, id in enumerate(part.parameters.values())), gives(port, last)],
        *(parameter(id, f"p{id}", TYPES[name]) for name, id in part.parameters.items()),
        *part.layers,
        result(last, NUMBERS),
        edges(f"{part.edges} {part.returned}>{last}:0"),
    )


def _main(part: Part, *, needed: bool) -> IrModel:
    """The part as the main network, which returns y, what the part returns negated; or v negated."""
    read = part.returned if needed else f"{part.parameters['v']}:0"
    return net(
        *(parameter(id, name, TYPES[name]) for name, id in part.parameters.items()),
        *part.layers,
        operation(90, "Negative", [NUMBERS], NUMBERS, name="y"),
        result(91, NUMBERS),
        edges(f"{part.edges} {read}>90:0 90:1>91:0"),
    )


def sound(row: Row) -> Sound:
    """The plain model of a row."""
    then = row["around"] == "then"
    part = INNERMOST
    for level in range(1, int(row["depth"])):
        part = _around(part, "enter", 100 * level, then=then)
    if row["place"] == "untaken":
        part = _around(part, "taken", 900, then=then)
    given: dict[str, Writable] = {"taken": np.bool_(not then), "enter": np.bool_(then), "v": V}
    addend = K if row["fault"] == "none-with-unread-parameter" else V
    results = {True: -(addend + K), False: -HELD}
    of_place = {"untaken": V, "unneeded": -V}
    return Sound(
        _rule(row),
        ["if-8-two-bodies", *(["ir-topology"] if row["place"] == "unneeded" else [])],
        _main(part, needed=row["place"] != "unneeded"),
        [
            Run(
                {name: (given | {"c": np.bool_(c)})[name] for name in part.parameters},
                {"y": of_place.get(row["place"], results[c])},
            )
            for c in ((True, False) if row["place"] == "executed" else (True,))
        ],
    )


def _rule(row: Row) -> str:
    """The rule for which the vector without a fault counts."""
    of_place = {"untaken": "if/only-taken-body-runs", "unneeded": "ir/layer-is-whole"}
    return of_place.get(row["place"], "if/then-when-true" if row["depth"] == "1" else "if/nesting")
