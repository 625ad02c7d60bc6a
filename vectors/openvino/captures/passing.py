"""Parameters that lead straight to Results, and inputs that are not read."""

from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import Run, Vector, branches, ints, issue, says, vectors_of
from ifcert.authoring.ir import IrModel
from ifcert.authoring.ir_bodies import Body, applied, body, constant, gives, if_layer, if_model, passed, takes
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result

OPTIONAL = says("if-draft-inputs-optional", "if-draft-bodies-independent")
MOVED = issue(
    "openvinotoolkit/openvino", 27567, "folding an If of constant cond lost the name of a passed-through input"
)
FIXED = issue("openvinotoolkit/openvino", 25954, "the change for it")

pass_through = vectors_of("openvino/if/pass-through", "if-draft-third-example-then")
inputs_optional = vectors_of("openvino/if/inputs-optional", OPTIONAL, "if-8-any-number-of-parameters")

TYPE = "i32[2]"
A, B = ints(1, -2), ints(30, 40)
INPUTS = {"cond": "boolean[]", "a": TYPE, "b": TYPE}


def _runs(then_values: dict, else_values: dict) -> list[Run]:
    fed = {"a": A, "b": B}
    return branches(fed, then=then_values, else_=else_values)


def _straight(pairs: Sequence[tuple[int, int]]) -> Body:
    """Parameters for these inputs straight to Results for these outputs, of a type."""
    ports = list(dict.fromkeys(port for port, _ in pairs))
    return body(
        [*(takes(port, i) for i, port in enumerate(ports)), *(gives(to, 10 + i) for i, (_, to) in enumerate(pairs))],
        *(parameter(i, f"p{i}", TYPE) for i in range(len(ports))),
        *(result(10 + i, TYPE) for i in range(len(pairs))),
        edges(" ".join(f"{ports.index(port)}:0>{10 + i}:0" for i, (port, _) in enumerate(pairs))),
    )


def _passing() -> Iterator[Vector]:
    two = {"y": TYPE, "z": TYPE}
    for case, (then_pairs, else_pairs, then_values, else_values) in {
        "both-bodies: both bodies return a and b": ([(1, 3), (2, 4)], [(1, 3), (2, 4)], (A, B), (A, B)),
        "swapped: then_body returns a and b, else_body b and a": ([(1, 3), (2, 4)], [(2, 3), (1, 4)], (A, B), (B, A)),
        "swapped-by-both: both bodies return b and a": ([(2, 3), (1, 4)], [(2, 3), (1, 4)], (B, A), (B, A)),
        "duplicated: then_body returns a twice, else_body b twice": (
            [(1, 3), (1, 4)],
            [(2, 3), (2, 4)],
            (A, A),
            (B, B),
        ),
        "duplicated-by-one: then_body returns a twice, else_body a and b": (
            [(1, 3), (1, 4)],
            [(1, 3), (2, 4)],
            (A, A),
            (A, B),
        ),
    }.items():
        yield pass_through(
            case,
            if_model(INPUTS, two, _straight(then_pairs), _straight(else_pairs)),
            _runs(dict(zip(two, then_values, strict=True)), dict(zip(two, else_values, strict=True))),
        )
    three = {"y": TYPE, "z": TYPE, "w": TYPE}
    yield pass_through(
        "first-and-third-are-one: then_body returns a, b and a, else_body b, a and b",
        if_model(INPUTS, three, _straight([(1, 3), (2, 4), (1, 5)]), _straight([(2, 3), (1, 4), (2, 5)])),
        _runs({"y": A, "z": B, "w": A}, {"y": B, "z": A, "w": B}),
    )
    yield pass_through(
        "beside-a-computed-output: a body returns its Parameter and a value computed from it",
        if_model(INPUTS, two, _beside("Negative"), _beside("Abs")),
        _runs({"y": A, "z": -A}, {"y": A, "z": abs(A)}),
    )
    yield pass_through(
        "through-two-levels: a passes through a body of a body",
        if_model(INPUTS, {"y": TYPE}, _inner_pass(), passed(TYPE, to=3, of=2)),
        _runs({"y": A}, {"y": B}),
    )
    yield pass_through(
        "in-and-out-of-the-main-network: the main network returns its input a besides the If that passes it through",
        net(
            parameter(0, "cond", "boolean[]"),
            parameter(1, "a", TYPE),
            if_layer(2, ["boolean[]", TYPE], {"y": TYPE}, passed(TYPE, to=2), applied("Negative", TYPE, to=2)),
            result(3, TYPE),
            result(4, TYPE),
            edges("0:0>2:0 1:0>2:1 2:2>3:0 1:0>4:0"),
        ),
        branches({"a": A}, then={"y": A, "a": A}, else_={"y": -A, "a": A}),
    )


def _beside(operator: str) -> Body:
    return body(
        [takes(1, 0), gives(3, 10), gives(4, 11)],
        parameter(0, "p", TYPE),
        operation(1, operator, [TYPE], TYPE),
        result(10, TYPE),
        result(11, TYPE),
        edges("0:0>1:0 0:0>10:0 1:1>11:0"),
    )


def _inner_pass() -> Body:
    inner = if_layer(2, ["boolean[]", TYPE], {"": TYPE}, passed(TYPE, to=2), applied("Negative", TYPE, to=2))
    return body(
        [takes(0, 0), takes(1, 1), gives(3, 3)],
        parameter(0, "c", "boolean[]"),
        parameter(1, "p", TYPE),
        inner,
        result(3, TYPE),
        edges("0:0>2:0 1:0>2:1 2:2>3:0"),
    )


def _constant_cond() -> Iterator[Vector]:
    """Cond is a Const; the body that it selects passes its Parameter through, or computes."""
    for rule, why, held in [
        ("openvino/if/then-when-true/", ["if-8-cond-values"], True),
        ("openvino/if/else-when-false/", ["if-8-cond-values"], False),
    ]:
        for shape in ([], [1]):
            length = "-of-length-one" if shape else ""
            cond = np.full(shape, held)
            yield Vector(
                rule + f"constant-cond{length}",
                f"cond is a Const, {held}",
                why,
                _folded(cond, applied("Negative", TYPE, to=2), applied("Add", TYPE, to=2)),
                [Run({"a": A}, {"y": -A if held else A + A})],
            )
    for held in (True, False):
        passes, computes = passed(TYPE, to=2), applied("Negative", TYPE, to=2)
        yield pass_through(
            f"constant-cond-{str(held).lower()}: cond is a Const, {held}, and selects the body that passes a through",
            _folded(np.bool_(held), *((passes, computes) if held else (computes, passes))),
            [Run({"a": A}, {"y": A}), Run({"a": B}, {"y": B})],
            why=["if-draft-third-example-then", MOVED, FIXED],
        )


def _folded(cond: np.ndarray | np.generic, then_body: Body, else_body: Body) -> IrModel:
    return net(
        const(0, cond),
        parameter(1, "a", TYPE),
        if_layer(2, ["boolean[1]" if cond.shape else "boolean[]", TYPE], {"y": TYPE}, then_body, else_body),
        result(3, TYPE),
        edges("0:0>2:0 1:0>2:1 2:2>3:0"),
    )


def _unused() -> Iterator[Vector]:
    """Inputs that no map names, and Parameters that a body does not use."""
    numbers = constant(ints(7, 8), to=3), constant(ints(9, 10), to=3)
    unused = body(
        [takes(1, 0), takes(2, 1), gives(3, 3)],
        parameter(0, "p", TYPE),
        parameter(1, "q", TYPE),
        const(2, ints(7, 8)),
        result(3, TYPE),
        edges("2:0>3:0"),
    )
    for case, title, then_body, else_body, then_value, else_value in [
        ("all-unused", "neither body reads an input", *numbers, [7, 8], [9, 10]),
        ("unused-by-then", "only else_body reads an input", numbers[0], passed(TYPE, to=3), [7, 8], A),
        ("unused-by-else", "only then_body reads an input", passed(TYPE, to=3, of=2), numbers[1], B, [9, 10]),
        (
            "parameters-without-use",
            "then_body's Parameters are mapped, but unused",
            unused,
            numbers[1],
            [7, 8],
            [9, 10],
        ),
        (
            "last-input-only",
            "both bodies read only the last input",
            passed(TYPE, to=3, of=2),
            applied("Negative", TYPE, to=3, of=2),
            B,
            -B,
        ),
    ]:
        yield inputs_optional(
            f"{case}: {title}",
            if_model(INPUTS, {"y": TYPE}, then_body, else_body),
            _runs({"y": np.int32(then_value)}, {"y": np.int32(else_value)}),
        )
    yield inputs_optional(
        "cond-alone: the If has only cond, the bodies no Parameters",
        if_model({"cond": "boolean[]"}, {"y": TYPE}, constant(ints(7, 8), to=1), constant(ints(9, 10), to=1)),
        branches({}, then={"y": ints(7, 8)}, else_={"y": ints(9, 10)}),
    )
