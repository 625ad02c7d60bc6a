"""Ids of layers and ports: plain unsigned numbers, each once in its network or layer."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, branches, ints
from ifcert.authoring.ir import as_in, replaced
from ifcert.authoring.ir_bodies import body, constant, gives, if_model, takes
from ifcert.authoring.ir_patterns import adds_or_negates, everywhere, of_layer
from ifcert.authoring.ir_text import const, edges, operation, parameter, result

NUMBERS = "openvino/ir/ids-are-numbers/"
UNIQUE = "openvino/ir/ids-are-unique/"
SPELLING = "the pages call ids unsigned int, and do not define their spelling"

# The layer of then_body that adds, and the edges into and out of it.
ADDS = 'id="2" name="op2"'
INTO, OUT_OF = 'to-layer="2" to-port="1"', 'from-layer="2" from-port="2"'


def numbers() -> Iterator[Vector]:
    """Ids far apart, then one fault in an id of a layer, a port or an edge."""
    greatest = adds_or_negates(
        f"{NUMBERS}greatest: the id of then_body's Result is 4294967295, and so is that of the If's output",
        ["ir-edges-by-ids", "if-8-internal-layer-id-type"],
        of_layer("result3", 'id="3"', 'id="4294967295"'),
        replaced('internal_layer_id="3"', 'internal_layer_id="4294967295"'),
        replaced(f'{OUT_OF} to-layer="3"', f'{OUT_OF} to-layer="4294967295"'),
        replaced('<port id="2" names="y"', '<port id="4294967295" names="y"'),
        replaced('external_port_id="2"', 'external_port_id="4294967295"', within="then_port_map"),
        replaced('external_port_id="2"', 'external_port_id="4294967295"', within="else_port_map"),
        replaced('from-layer="100" from-port="2"', 'from-layer="100" from-port="4294967295"'),
    )
    gaps = adds_or_negates(
        f"{NUMBERS}with-gaps: the ids of a body are 7, 1000000 and 2147483647, in no order",
        ["ir-edges-by-ids", "if-8-internal-layer-id-type"],
        of_layer("op2", 'id="2" name', 'id="1000000" name'),
        of_layer("const1", 'id="1"', 'id="2147483647"'),
        of_layer("result3", 'id="3"', 'id="7"'),
        replaced('internal_layer_id="3"', 'internal_layer_id="7"'),
        replaced('"0" to-layer="2" to-port="0"', '"0" to-layer="1000000" to-port="0"'),
        replaced(
            f'from-layer="1" from-port="0" {INTO}',
            'from-layer="2147483647" from-port="0" to-layer="1000000" to-port="1"',
        ),
        replaced(f'{OUT_OF} to-layer="3"', 'from-layer="1000000" from-port="2" to-layer="7"'),
    )
    plain = adds_or_negates(
        f"{NUMBERS}plain: ids are plain numbers", ["ir-edges-by-ids", "if-8-internal-layer-id-type"]
    )
    yield from (plain, gaps, greatest)
    for case, edit in {
        'layer-fractional: a layer has the id "2.5"': replaced(ADDS, 'id="2.5" name="op2"'),
        'layer-with-letters-behind: a layer has the id "2x"': replaced(ADDS, 'id="2x" name="op2"'),
        'layer-in-letters: a layer has the id "two", and edges name it by that': everywhere(
            (ADDS, 'id="two" name="op2"'),
            (
                'to-layer="2" to-port="0"/>\n          <edge from-layer="1" from-port="0" to-layer="2"',
                'to-layer="two" to-port="0"/>\n          <edge from-layer="1" from-port="0" to-layer="two"',
            ),
            (OUT_OF, 'from-layer="two" from-port="2"'),
        ),
        'layer-negative: a layer has the id "-2"': replaced(ADDS, 'id="-2" name="op2"'),
        "layer-beyond-64-bits: a layer has the id 2^64 + 2": replaced(ADDS, 'id="18446744073709551618" name="op2"'),
        "layer-empty: a layer has an empty id": replaced(ADDS, 'id="" name="op2"'),
        "layer-missing: a layer has no id": replaced(ADDS, 'name="op2"'),
        'port-fractional: a port has the id "1.0"': of_layer("op2", '<port id="1">', '<port id="1.0">'),
        'port-with-letters-behind: a port has the id "1x"': of_layer("op2", '<port id="1">', '<port id="1x">'),
        "port-missing: a port has no id": of_layer("op2", '<port id="1">', "<port>"),
        'edge-from-fractional-layer: an edge leads from layer "2.0"': replaced(
            OUT_OF, 'from-layer="2.0" from-port="2"'
        ),
        'edge-from-negative-port: an edge leads from port "-2"': replaced(OUT_OF, 'from-layer="2" from-port="-2"'),
        'edge-to-port-with-letters-behind: an edge leads to port "1x"': replaced(INTO, 'to-layer="2" to-port="1x"'),
        "edge-without-from-port: an edge has no from-port": replaced(OUT_OF, 'from-layer="2"'),
        "edge-without-to-layer: an edge has no to-layer": replaced(INTO, 'to-port="1"'),
    }.items():
        yield plain.broken(case, edit, why=["if-8-internal-layer-id-type", "reader-plain-ids"])
    for case, spelled in [
        ('space-before: a layer has the id " 2"', " 2"),
        ('plus-sign: a layer has the id "+2"', "+2"),
        ('leading-zeros: a layer has the id "002"', "002"),
        ('hexadecimal: a layer has the id "0x2"', "0x2"),
    ]:
        yield plain.varied(
            case, replaced(ADDS, f'id="{spelled}" name="op2"'), why=["if-8-internal-layer-id-type"], doubt=SPELLING
        )


def _unread() -> Iterator[Vector]:
    """A constant of then_body that no edge names: only the rule on ids can be broken there."""
    unread = adds_or_negates(
        f"{NUMBERS}unread-constant: no layer reads the second constant of then_body, whose ids are plain numbers",
        ["ir-edges-by-ids", "if-8-internal-layer-id-type", "reader-plain-ids"],
        _with_another_constant,
    )
    for case, title, text in [
        ("in-letters", 'its port has the id "zero"', "zero"),
        ("fractional", 'its port has the id "0.5"', "0.5"),
        ("negative", 'its port has the id "-1"', "-1"),
    ]:
        yield unread.broken(
            f"port-{case}-of-an-unread-constant: no layer reads the second constant of then_body, and {title}",
            of_layer("unread", '<port id="0"', f'<port id="{text}"'),
        )


def _with_another_constant(text: str) -> str:
    """then_body has a copy of its constant, as layer 9, to which no edge leads."""
    start = text.index('<layer id="1" name="const1"')
    end = text.index("</layer>", start) + len("</layer>")
    copy = text[start:end].replace('id="1" name="const1"', 'id="9" name="unread"')
    return text[:end] + "\n          " + copy + text[end:]


def _ports_of_a_split(id: str, title: str, second: int) -> Vector:
    """Half of x, from port 2 of a Split, whose other output, which nothing reads, has this id."""
    split = operation(2, "Split", ["i32[2]", "i64[]"], "i32[1]", data='num_splits="2"').replace(
        '<port id="2"', f'<port id="2" precision="I32"><dim>1</dim></port>\n    <port id="{second}"'
    )
    halves = body(
        [takes(1, 0), gives(2, 3)],
        parameter(0, "a", "i32[2]"),
        const(1, np.int64(0)),
        split,
        result(3, "i32[1]"),
        edges("0:0>2:0 1:0>2:1 2:2>3:0"),
    )
    return Vector(
        id,
        title,
        ["ir-edges-by-ids", "reader-own-ids"],
        if_model({"cond": "boolean[]", "x": "i32[2]"}, {"y": "i32[1]"}, halves, constant(ints(7), to=2)),
        branches({"x": ints(1, -2)}, then={"y": ints(1)}, else_={"y": ints(7)}),
    )


def _ports() -> Iterator[Vector]:
    """Two outputs of one layer, whose ids differ, or do not."""
    own = _ports_of_a_split(UNIQUE + "outputs-of-a-split", "the outputs of a Split have the ids 2 and 3", 3)
    again = _ports_of_a_split(own.id, own.title, 2)
    yield own.broken("two-outputs-of-a-split: both outputs of a Split have the id 2", as_in(again.model))
    yield _ports_of_a_split(
        UNIQUE + "outputs-of-a-split-65536-apart", "the outputs of a Split have the ids 2 and 65538", 65538
    )
    yield _ports_of_a_split(
        UNIQUE + "output-65536-before-a-port-0",
        "an output of a Split has the id 65536, and the input of the next layer the id 0",
        65536,
    )


def uniqueness() -> Iterator[Vector]:
    """Ids that are unique in their own network, then ids used twice."""
    yield _parameters_backwards()
    alike = adds_or_negates(
        f"{UNIQUE}bodies-alike: both bodies and the main network use the ids 0, 1 and 2, each for layers of its own",
        ["ir-edges-by-ids", "if-8-internal-layer-id"],
    )
    for case, edit in {
        "in-main: the Result and x have the same id": everywhere(
            ('id="200"', 'id="1"'), ('to-layer="200"', 'to-layer="1"')
        ),
        "in-then-body: the Parameter and the constant of then_body have the same id": everywhere(
            ('id="1" name="const1"', 'id="0" name="const1"'),
            (f'from-layer="1" from-port="0" {INTO}', f'from-layer="0" from-port="0" {INTO}'),
        ),
        "in-else-body: the Parameter and the operation of else_body have the same id": everywhere(
            ('id="1" name="op1"', 'id="0" name="op1"'),
            ('to-layer="1" to-port="0"/>', 'to-layer="0" to-port="0"/>'),
            ('from-layer="1" from-port="1"', 'from-layer="0" from-port="1"'),
        ),
        "input-ports: both input ports of an operation have the id 0, and edges lead to it": everywhere(
            (
                '<port id="0"><dim>2</dim></port>\n              <port id="1">',
                '<port id="0"><dim>2</dim></port>\n              <port id="0">',
            ),
            (INTO, 'to-layer="2" to-port="0"'),
        ),
        "input-ports-of-the-if: both input ports of the If have the id 0, and edges lead to it": everywhere(
            ('<port id="0"/>\n        <port id="1">', '<port id="0"/>\n        <port id="0">'),
            ('to-layer="100" to-port="1"', 'to-layer="100" to-port="0"'),
        ),
    }.items():
        yield alike.broken(case, edit, why=["ir-edges-by-ids", "reader-own-ids"])
    yield alike.varied(
        "same-layer-twice: the constant of then_body is there twice, word for word",
        _repeated,
        doubt="both layers that the id names are the same",
    )
    yield alike.varied(
        "input-and-output-port: the input and the output of an operation have the same port id",
        of_layer("op1", 'port id="1"', 'port id="0"'),
        replaced('from-layer="1" from-port="1"', 'from-layer="1" from-port="0"'),
        doubt="an edge has from-port and to-port, so an id of both an input and an output is still unambiguous",
    )


def _parameters_backwards() -> Vector:
    """The Parameters of the main network swap their ids, not their places."""
    return adds_or_negates(
        f"{UNIQUE}main-parameter-ids-backwards: the Parameter of cond has the id 1, that of x 0",
        ["ir-edges-by-ids", "reader-own-ids"],
        everywhere(
            ('<layer id="0" name="cond"', '<layer id="1" name="cond"'),
            ('<layer id="1" name="x"', '<layer id="0" name="x"'),
            (edges("0:0>100:0"), "<first/>"),
            (edges("1:0>100:1"), edges("0:0>100:1")),
            ("<first/>", edges("1:0>100:0")),
        ),
    )


def _repeated(text: str) -> str:
    """A second copy of then_body's Const after the first."""
    start = text.index('<layer id="1" name="const1"')
    end = text.index("</layer>", start) + len("</layer>")
    return text[:end] + text[start:end] + text[end:]
