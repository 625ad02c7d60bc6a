"""Ifs of IR as text: bodies, the entries of their port maps, and models of one If. ir_text has the layers and edges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ifcert.authoring.ir import IrModel
from ifcert.authoring.ir_text import (
    Id,
    const,
    edges,
    element,
    holder,
    net,
    network,
    operation,
    parameter,
    port,
    result,
    type_of,
)
from ifcert.authoring.values import Writable


def takes(port_id: Id, layer_id: Id) -> str:
    """The entry that maps an input of the If to a Parameter."""
    return f'<input external_port_id="{port_id}" internal_layer_id="{layer_id}"/>'


def gives(port_id: Id, layer_id: Id) -> str:
    """The entry that maps a Result to an output of the If."""
    return f'<output external_port_id="{port_id}" internal_layer_id="{layer_id}"/>'


@dataclass(frozen=True)
class Body:
    """A body of an If: the entries of its port map, and its network."""

    entries: Sequence[str]
    network: str


def body(entries: Sequence[str], *parts: str) -> Body:
    """A body of port map entries, layers and edges."""
    return Body(entries, network(*parts))


def applied(operator: str, type_: str, *, to: Id, of: Id = 1, opset: int = 1) -> Body:
    """The body that returns to port `to` the result of an operation on port `of`; a binary one reads it twice."""
    twice = operator in ("Add", "Subtract", "Multiply", "Concat")
    data = 'axis="0"' if operator == "Concat" else ""
    return body(
        [takes(of, 0), gives(to, 2)],
        parameter(0, "a", type_),
        operation(1, operator, [type_] * (2 if twice else 1), type_, data=data, opset=opset),
        result(2, type_),
        edges("0:0>1:0 0:0>1:1 1:2>2:0" if twice else "0:0>1:0 1:1>2:0"),
    )


def applied_to_constant(
    operator: str, type_: str, held: Writable, *, to: Id, of: Id = 1, out: str = "", name: str = "a", data: str = ""
) -> Body:
    """The body that returns to port `to` the result of an operation on port `of` and a constant."""
    return body(
        [takes(of, 0), gives(to, 3)],
        parameter(0, name, type_),
        const(1, held),
        operation(2, operator, [type_, type_of(held)], out or type_, data=data),
        result(3, out or type_),
        edges("0:0>2:0 1:0>2:1 2:2>3:0"),
    )


def applied_to_two(operator: str, operands: Mapping[str, str], *, to: Id, out: str = "", data: str = "") -> Body:
    """The body that returns to port `to` the result of an operation on ports 1 and 2, which have these types."""
    (first, type_), (second, other) = operands.items()
    return body(
        [takes(1, 0), takes(2, 1), gives(to, 3)],
        parameter(0, first, type_),
        parameter(1, second, other),
        operation(2, operator, [type_, other], out or type_, data=data),
        result(3, out or type_),
        edges("0:0>2:0 1:0>2:1 2:2>3:0"),
    )


def passed(type_: str, *, to: Id, of: Id = 1) -> Body:
    """The body that returns to port `to` the value of port `of`."""
    return body([takes(of, 0), gives(to, 2)], parameter(0, "a", type_), result(2, type_), edges("0:0>2:0"))


def constant(held: Writable, *, to: Id) -> Body:
    """The body that returns a constant to port `to`, without any Parameter."""
    return body([gives(to, 2)], const(0, held), result(2, type_of(held)), edges("0:0>2:0"))


def if_layer(
    id: Id,
    inputs: Sequence[str],
    outputs: Mapping[str, str],
    then_body: Body,
    else_body: Body,
    *,
    opset: int = 8,
    name: str = "choice",
    ids: Sequence[int] = (),
) -> str:
    """An If with an input port for each type and an output port for each name: 0, 1, …, or with these ids."""
    ids = ids or range(len(inputs) + len(outputs))
    of_inputs, of_outputs = ids[: len(inputs)], ids[len(inputs) :]
    names = zip(of_outputs, outputs.items(), strict=True)
    return element(
        "layer",
        f'id="{id}" name="{name}" type="If" version="opset{opset}"',
        holder("input", *(port(number, each) for number, each in zip(of_inputs, inputs, strict=True))),
        holder("output", *(port(number, type_, each, typed=True) for number, (each, type_) in names)),
        holder("then_port_map", *then_body.entries),
        holder("else_port_map", *else_body.entries),
        holder("then_body", then_body.network),
        holder("else_body", else_body.network),
    )


CHOICE_ID, FIRST_RESULT = 100, 200


def if_model(
    inputs: Mapping[str, str],
    outputs: Mapping[str, str],
    then_body: Body,
    else_body: Body,
    *,
    opset: int = 8,
    ids: Sequence[int] = (),
) -> IrModel:
    """A model of one If: Parameters 0, 1, …, the If with the id 100, and its outputs as the Results 200, 201, …"""
    ids = ids or range(len(inputs) + len(outputs))
    into = " ".join(f"{i}:0>{CHOICE_ID}:{ids[i]}" for i in range(len(inputs)))
    out_of = " ".join(f"{CHOICE_ID}:{ids[len(inputs) + i]}>{FIRST_RESULT + i}:0" for i in range(len(outputs)))
    return net(
        *(parameter(i, name, type_) for i, (name, type_) in enumerate(inputs.items())),
        if_layer(CHOICE_ID, list(inputs.values()), outputs, then_body, else_body, opset=opset, ids=ids),
        *(result(FIRST_RESULT + i, type_) for i, type_ in enumerate(outputs.values())),
        edges(f"{into} {out_of}"),
    )
