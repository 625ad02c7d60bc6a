"""The ids of port map entries: required unsigned ints, of ports of the If and of Parameters and Results of the body."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import Vector, Why, branches, ints, says
from ifcert.authoring.ir import IrEdit, IrModel, replaced
from ifcert.authoring.ir_bodies import body, gives, if_model, takes
from ifcert.authoring.ir_patterns import IN_RANGE
from ifcert.authoring.ir_text import const, edges, operation, parameter, result

PORTS = says("if-8-external-port-id", "if-8-external-port-id-range")

X = ints(1, -2)
INPUTS = {"cond": "boolean[]", "x": "i32[2]"}


def _choice() -> IrModel:
    """then_body: x + 10, in the layers 20 to 23; else_body: x * 3, in the layers 30 to 33. No two ids are the same."""
    then_body = body(
        [takes(1, 20), gives(2, 23)],
        parameter(20, "a", "i32[2]"),
        const(21, np.int32(10)),
        operation(22, "Add", ["i32[2]", "i32[]"], "i32[2]"),
        result(23, "i32[2]"),
        edges("20:0>22:0 21:0>22:1 22:2>23:0"),
    )
    else_body = body(
        [takes(1, 30), gives(2, 33)],
        parameter(30, "a", "i32[2]"),
        const(31, np.int32(3)),
        operation(32, "Multiply", ["i32[2]", "i32[]"], "i32[2]"),
        result(33, "i32[2]"),
        edges("30:0>32:0 31:0>32:1 32:2>33:0"),
    )
    return if_model(INPUTS, {"y": "i32[2]"}, then_body, else_body)


def _right(id: str, why: Why) -> Vector:
    runs = branches({"x": X}, then={"y": ints(11, 8)}, else_={"y": ints(3, -6)})
    return Vector(id, "each id is one of the If or of its body", [why], _choice(), runs)


_FIRST_LAYERS = {"then": 20, "else": 30}


def _ids(part: str) -> dict[str, tuple[str, int]]:
    """The attributes of a map with their ids."""
    first = _FIRST_LAYERS[part]
    return {
        "external-id-of-input": ("external_port_id", 1),
        "internal-id-of-input": ("internal_layer_id", first),
        "external-id-of-output": ("external_port_id", 2),
        "internal-id-of-output": ("internal_layer_id", first + 3),
    }


def _no_numbers(id: int) -> dict[str, str]:
    """Text that is not an unsigned int, though a lenient reader may accept it for the id."""
    return {
        "empty": "",
        "negative": f"-{id}",
        "fraction": f"{id}.5",
        "whole-with-point": f"{id}.0",
        "word": "id",
        "number-and-text": f"{id}x",
        "over-32-bits": str(id + 2**32),
        "over-64-bits": str(id + 2**64),
    }


def _no_unsigned_ints() -> Iterator[Vector]:
    """All ways in then's map; in else's map two of them."""
    rule = "openvino/if/port-map-required/"
    right = _right(
        rule + "all-there",
        says("if-8-external-port-id-type", "if-8-external-port-id-default", "if-8-external-port-id-required"),
    )
    for part, ways in [("then", set(_no_numbers(0))), ("else", {"negative", "word"})]:
        for case, (name, id) in _ids(part).items():
            yield right.broken(
                f"{part}-{case}-missing: {part}_port_map: an entry has no {name}",
                replaced(f' {name}="{id}"', "", within=f"{part}_port_map"),
            )
            for way, text in _no_numbers(id).items():
                if way in ways:
                    yield right.broken(
                        f'{part}-{case}-{way}: {part}_port_map: {name} is "{text}" instead of {id}',
                        _with_id(part, case, text),
                    )
    yield from _other_spellings(right, rule)


def _other_spellings(right: Vector, rule: str) -> Iterator[Vector]:
    """The right ids, spelled as programs may spell numbers."""
    for case, (name, id) in _ids("then").items():
        for way, text in [
            ("hexadecimal", hex(id)),
            ("plus-sign", f"+{id}"),
            ("leading-zeros", f"00{id}"),
            ("space-before", f" {id}"),
        ]:
            yield right.varied(
                f'then-{case}-{way}: then_port_map: {name} is "{text}"',
                _with_id("then", case, text),
                doubt="the texts require an unsigned int and do not define its spelling",
            )


def _with_id(part: str, case: str, text: object) -> IrEdit:
    """The edit that replaces one of the ids of a map."""
    name, id = _ids(part)[case]
    return replaced(f'{name}="{id}"', f'{name}="{text}"', within=f"{part}_port_map")


def _no_such_ports() -> Iterator[Vector]:
    right = _right("openvino/if/external-port-in-range/ports-of-the-if", PORTS)
    for part in ("then", "else"):
        for case, of, port, title in [
            ("input-behind-all-ports", "external-id-of-input", 3, "an input entry names port 3, the If has 0, 1 and 2"),
            ("input-far-behind", "external-id-of-input", 4294967295, "an input entry names port 4294967295"),
            ("input-from-an-output", "external-id-of-input", 2, "an input entry names port 2, the If's output"),
            ("output-behind-all-ports", "external-id-of-output", 3, "an output entry names port 3"),
            ("output-far-behind", "external-id-of-output", 4294967295, "an output entry names port 4294967295"),
        ]:
            yield right.broken(
                f"{case}-{part}: {part}_port_map: {title}",
                _with_id(part, of, port),
                why=[PORTS, says("if-8-port-map", "if-8-entries")],
            )
        yield right.varied(
            f"output-to-an-input-{part}: "
            f"{part}_port_map: an output entry names port 1, an input of the If, which has one output",
            _with_id(part, "external-id-of-output", 1),
            doubt=IN_RANGE,
        )


def _no_such_layers() -> Iterator[Vector]:
    """Every id is one of the other body's layers, of the main network's, of none, or of a layer of another kind."""
    for kind, case_of, kinds in [
        ("parameter", "internal-id-of-input", {"result": 3, "operation": 2, "constant": 1}),
        ("result", "internal-id-of-output", {"parameter": 0, "operation": 2, "constant": 1}),
    ]:
        rule = f"openvino/if/internal-layer-is-{kind}/"
        right = _right(rule + "its-own", says("if-8-internal-layer-id", "if-8-internal-layer-id-range"))
        for part, other in [("then", "else"), ("else", "then")]:
            own, others = _FIRST_LAYERS[part], _FIRST_LAYERS[other]
            wrong = {f"its-{name}": (own + step, f"a {name} of {part}_body") for name, step in kinds.items()}
            wrong["no-layer"] = (77, "no layer")
            of_other = others + (0 if kind == "parameter" else 3)
            wrong["of-the-other-body"] = (of_other, f"a {kind.capitalize()} of {other}_body")
            of_main = 1 if kind == "parameter" else 200
            wrong["of-the-main-network"] = (of_main, f"a {kind.capitalize()} of the main network")
            for case, (layer, title) in wrong.items():
                yield right.broken(
                    f"{part}-{case}: {part}_port_map: internal_layer_id is {layer}, {title}",
                    _with_id(part, case_of, layer),
                )
            for name, step in kinds.items():
                if name != "constant":
                    yield _further_entry(right, part, case_of, name, own + step)


def _further_entry(right: Vector, part: str, case_of: str, kind: str, layer: int) -> Vector:
    """An entry like the right one, and before it, whose layer is one of another kind in the body."""
    name, id = _ids(part)[case_of]
    entry = takes(1, id) if case_of == "internal-id-of-input" else gives(2, id)
    wrong = entry.replace(f'{name}="{id}"', f'{name}="{layer}"')
    what = "an operation" if kind == "operation" else f"a {kind.capitalize()}"
    faulty = right.broken(
        f"{right.rule}/{part}-its-{kind}-in-a-further-entry: "
        f"{part}_port_map: an entry before the right one names layer {layer}, {what} of {part}_body",
        replaced(entry, f"{wrong}\n{entry}", within=f"{part}_port_map"),
    )
    return faulty if case_of == "internal-id-of-input" else replace(faulty, also=["openvino/if/every-output-mapped"])
