"""Bodies that no run enters and that could not run, as their constants show before any run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from ifcert.authoring import Run, Vector, Why, ints
from ifcert.authoring.ir import IrModel
from ifcert.authoring.ir_bodies import Body, applied, body, gives, if_layer, if_model, takes
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result, type_of
from ifcert.authoring.values import Writable

SEEN = "the body can never run, which its constants show before any run; no page says that it may not be there"

LIST, ANY = "i32[2]", "i32[...]"
X = ints(6, -4)


@dataclass(frozen=True)
class Fault:
    """What the body would do: the operation on constants, the type of its result, and the sentence on it."""

    what: str
    operator: str
    constants: Sequence[Writable]
    returned: str
    why: Why
    data: str = ""
    opset: int = 1


FAULTS = {
    "reshape": Fault(
        "reshape six numbers to four",
        "Reshape",
        [ints(1, 2, 3, 4, 5, 6), np.int64([2, 2])],
        "i32[2,2]",
        "operations-reshape-volume",
        data='special_zero="false"',
    ),
    "gather": Fault(
        "gather element 99 of three, by a Gather that does not fill up with zeros",
        "Gather",
        [ints(1, 2, 3), np.int64([99]), np.int64(0)],
        "i32[1]",
        "operations-gather-7-indices",
        opset=7,
    ),
    "division": Fault(
        "divide integers by zero", "Divide", [ints(6, -8), ints(0, 0)], LIST, "operations-divide-by-zero"
    ),
    "slice": Fault(
        "slice with a step of 0",
        "Slice",
        [ints(1, 2, 3), np.int64([0]), np.int64([3]), np.int64([0])],
        "i32[?]",
        "operations-slice-no-zero-step",
        opset=8,
    ),
    "sum": Fault("add [2] and [3]", "Add", [ints(1, 2), ints(1, 2, 3)], "i32[3]", "operations-broadcast-numpy"),
    "concat": Fault(
        "join [2,2] and [1,3] along axis 0",
        "Concat",
        [ints([1, 2], [3, 4]), ints([1, 2, 3])],
        "i32[3,3]",
        "operations-concat-shapes",
        data='axis="0"',
    ),
    "broadcast": Fault(
        "broadcast [2] to [3]",
        "Broadcast",
        [ints(1, 2), np.int64([3])],
        "i32[3]",
        "operations-broadcast-one-way",
        data='mode="numpy"',
        opset=3,
    ),
}


def _never(fault: Fault) -> Body:
    """The body that returns to port 2 what the operation of constants would give."""
    types = [type_of(each) for each in fault.constants]
    into = " ".join(f"{10 + i}:0>20:{i}" for i in range(len(types)))
    return body(
        [gives(2, 30)],
        *(const(10 + i, each) for i, each in enumerate(fault.constants)),
        operation(20, fault.operator, types, fault.returned, data=fault.data, opset=fault.opset),
        result(30, fault.returned),
        edges(f"{into} 20:{len(types)}>30:0"),
    )


NEGATES = applied("Negative", LIST, to=2)


def _cond_fed(never: Body) -> IrModel:
    return if_model({"cond": "boolean[]", "x": LIST}, {"y": ANY}, never, NEGATES)


def _chosen(cond: np.bool_, then_body: Body, else_body: Body) -> list[str]:
    """Layers 45 and 50: an If of layer 41 whose cond is a constant, and the edges to its inputs."""
    return [
        const(45, cond),
        if_layer(50, ["boolean[]", LIST], {"y": ANY}, then_body, else_body, name="chosen"),
        edges("45:0>50:0 41:0>50:1"),
    ]


def _cond_constant(never: Body) -> IrModel:
    return net(parameter(41, "x", LIST), *_chosen(np.True_, NEGATES, never), result(53, ANY), edges("50:2>53:0"))


def _in_untaken_body(never: Body) -> IrModel:
    outer = body(
        [takes(1, 41), gives(2, 53)],
        parameter(41, "a", LIST),
        *_chosen(np.True_, never, NEGATES),
        result(53, ANY),
        edges("50:2>53:0"),
    )
    return if_model({"cond": "boolean[]", "x": LIST}, {"y": ANY}, outer, NEGATES)


def _constants() -> Iterator[Vector]:
    for place, where, made in [
        ("cond-fed", "then_body, which the fed cond does not select,", _cond_fed),
        ("cond-constant", "else_body, which the constant cond does not select,", _cond_constant),
        (
            "in-untaken-body",
            "the body that the constant cond of an If selects, in a body that the fed cond does not select,",
            _in_untaken_body,
        ),
    ]:
        for case, fault in FAULTS.items():
            fed = {"x": X} if place == "cond-constant" else {"cond": np.False_, "x": X}
            yield Vector(
                f"openvino/if/only-taken-body-runs/constants-{case}-{place}",
                f"{where} would {fault.what}, all operands being constants",
                ["if-8-two-bodies", fault.why],
                made(_never(fault)),
                [Run(fed, {"y": -X})],
                doubt=SEEN,
            )
