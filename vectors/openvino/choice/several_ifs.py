"""Several Ifs: the output of one is data for the next, and two that are alike but for one thing."""

from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import Run, Vector, branches, ints, issue
from ifcert.authoring.ir_bodies import Body, applied, body, gives, if_layer, passed, takes
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result

MERGED = issue("openvinotoolkit/openvino", 18622, "operations of equal inputs and attributes become one")

TYPE, BOOLEAN = "i32[2]", "boolean[]"
A, B = ints(1, -2), ints(30, 40)


def _difference(minuend: int, subtrahend: int, *, to: int) -> Body:
    """Of the values at these ports."""
    return body(
        [takes(minuend, 10), takes(subtrahend, 11), gives(to, 13)],
        parameter(10, "p", TYPE),
        parameter(11, "q", TYPE),
        operation(12, "Subtract", [TYPE, TYPE], TYPE),
        result(13, TYPE),
        edges("10:0>12:0 11:0>12:1 12:2>13:0"),
    )


def _ifs_in_a_row() -> Iterator[Vector]:
    """The output of one If is data for the next."""
    first = if_layer(10, [BOOLEAN, TYPE], {"": TYPE}, applied("Negative", TYPE, to=2), passed(TYPE, to=2), name="first")
    second = if_layer(
        11, [BOOLEAN, TYPE, TYPE], {"y": TYPE}, _difference(1, 2, to=3), _difference(2, 1, to=3), name="second"
    )
    for case, title, conds in [
        ("if-into-data", "an If's output is data for the next If, whose cond is another", ("c", "d")),
        ("if-into-data-of-the-same-cond", "an If's output is data for the next If, which has the same cond", ("c",)),
    ]:
        cond_of_second = 1 if len(conds) == 2 else 0
        model = net(
            *(parameter(i, name, BOOLEAN) for i, name in enumerate(conds)),
            parameter(2, "a", TYPE),
            first,
            second,
            result(20, TYPE),
            edges(f"0:0>10:0 2:0>10:1 {cond_of_second}:0>11:0 10:2>11:1 2:0>11:2 11:3>20:0"),
        )
        runs = []
        for c in (True, False):
            for d in (True, False) if len(conds) == 2 else (c,):
                # the first If: -a or a; the second: that minus a, or a minus that
                value = (-A if c else A) - A
                fed = {"c": np.bool_(c), "d": np.bool_(d)} if len(conds) == 2 else {"c": np.bool_(c)}
                runs.append(Run({**fed, "a": A}, {"y": value if d else -value}))
        yield Vector(f"openvino/if/nesting/{case}", title, ["if-8-parameters-mapped"], model, runs)
    yield _exchanged()


def _exchanged() -> Vector:
    """Two Ifs of two outputs each; the second one's inputs are the first one's outputs, exchanged."""

    def pair(operator: str) -> Body:
        """p and the operator's result of q; or the contrary."""
        return body(
            [takes(1, 10), takes(2, 11), gives(3, 20), gives(4, 21)],
            parameter(10, "p", TYPE),
            parameter(11, "q", TYPE),
            operation(15, operator, [TYPE], TYPE),
            result(20, TYPE),
            result(21, TYPE),
            edges("10:0>20:0 11:0>15:0 15:1>21:0"),
        )

    def layer(id: int, names: Sequence[str]) -> str:
        return if_layer(
            id, [BOOLEAN, TYPE, TYPE], dict.fromkeys(names, TYPE), pair("Negative"), pair("Abs"), name=f"if{id}"
        )

    model = net(
        parameter(0, "cond", BOOLEAN),
        parameter(1, "a", TYPE),
        parameter(2, "b", TYPE),
        layer(50, ["u", "v"]),
        layer(51, ["x", "y"]),
        result(60, TYPE),
        result(61, TYPE),
        edges("0:0>50:0 1:0>50:1 2:0>50:2 0:0>51:0 50:4>51:1 50:3>51:2 51:3>60:0 51:4>61:0"),
    )
    # then: (a, -b), then (-b, -a); else: (a, |b|), then (|b|, |a|)
    return Vector(
        "openvino/if/nesting/if-into-data-exchanged",
        "both outputs of an If are data for the next If, in the other order",
        ["if-8-parameters-mapped", "if-8-external-port-id"],
        model,
        branches({"a": A, "b": -B}, then={"x": B, "y": -A}, else_={"x": B, "y": abs(A)}),
    )


def _alike() -> Iterator[Vector]:
    """Two Ifs have the same inputs, and differ in one thing."""

    def plus(number: int) -> Body:
        return body(
            [takes(1, 10), gives(3, 13)],
            parameter(10, "p", TYPE),
            const(11, np.int32(number)),
            operation(12, "Add", [TYPE, "i32[]"], TYPE),
            result(13, TYPE),
            edges("10:0>12:0 11:0>12:1 12:2>13:0"),
        )

    negative = applied("Negative", TYPE, to=3)
    for case, (title, first, second, of_then, of_else) in {
        "operations": (
            "their bodies differ in an operation",
            (negative, passed(TYPE, to=3)),
            (applied("Add", TYPE, to=3), passed(TYPE, to=3)),
            (-A, A + A),
            (A, A),
        ),
        "constants": (
            "their bodies differ in a constant",
            (plus(5), plus(6)),
            (plus(7), plus(8)),
            (A + 5, A + 7),
            (A + 6, A + 8),
        ),
        "port-maps": (
            "their port maps differ in one entry",
            (_difference(1, 2, to=3), _difference(1, 2, to=3)),
            (_difference(2, 1, to=3), _difference(1, 2, to=3)),
            (A - B, B - A),
            (A - B, A - B),
        ),
        "bodies-exchanged": (
            "the then_body of one is the else_body of the other",
            (negative, passed(TYPE, to=3)),
            (passed(TYPE, to=3), negative),
            (-A, A),
            (A, -A),
        ),
    }.items():
        layers = [
            if_layer(id, [BOOLEAN, TYPE, TYPE], {name: TYPE}, *bodies, name=f"if{id}")
            for id, name, bodies in [(50, "y", first), (51, "z", second)]
        ]
        model = net(
            parameter(0, "cond", BOOLEAN),
            parameter(1, "a", TYPE),
            parameter(2, "b", TYPE),
            *layers,
            result(60, TYPE),
            result(61, TYPE),
            edges("0:0>50:0 1:0>50:1 2:0>50:2 0:0>51:0 1:0>51:1 2:0>51:2 50:3>60:0 51:3>61:0"),
        )
        yield Vector(
            f"openvino/if/port-maps-independent/two-ifs-alike-but-for-{case}",
            f"two Ifs have the same three inputs; {title}",
            ["if-8-bodies", "if-8-two-port-maps", MERGED],
            model,
            [
                Run({"cond": np.bool_(c), "a": A, "b": B}, dict(zip("yz", of_then if c else of_else, strict=True)))
                for c in (True, False, True)
            ],
        )
