"""Ifs that no run reaches: in a body not taken, and in the main network where no Result needs it.

A model is valid or not before it runs, so these faults count too; a reader that looks at a body only on entering it
misses them. Each place has one sound model, and each fault is one edit of the If there.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import Run, Source, Vector, ints, says
from ifcert.authoring.ir import IrEdit, replaced
from ifcert.authoring.ir_bodies import applied, body, gives, if_layer, if_model, takes
from ifcert.authoring.ir_patterns import of_layer
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result

ONE_OF_THEM = says("if-8-two-bodies")
TYPICAL = says("if-8-typical-network")
COND = says("if-8-cond")

NUMBER = says("if-8-counts-equal")

PORT_MAP = says("if-8-port-map", "if-8-entries")
PORTS = says("if-8-external-port-id-range")
LAYERS = says("if-8-internal-layer-id-range")
TOPOLOGY = says("ir-topology")
BY_IDS = says("ir-edges-by-ids")

NEGATES = says("operations-negative-operand")
RESULT_TAKES = says("operations-result-input")

OF_EACH = says("opsets-opset-of-each")
BY_TYPE = says("opsets-that-version")
ONE_EDGE = says("reader-one-edge", "reader-many-takers")
WAITS = says("reader-no-cycles")

X = ints(1, -2)
TYPES = "boolean[]", "i32[2]"
TAKES, GIVES = takes(1, 60), gives(2, 63)
A_TO_SUM = edges("60:0>62:0")
OUTPUT = '<port id="2" names="r" precision="I32"><dim>2</dim></port>'
INNER = if_layer(
    50,
    TYPES,
    {"r": "i32[2]"},
    body(
        [TAKES, GIVES],
        parameter(60, "a", "i32[2]"),
        const(61, ints(10, 20)),
        operation(62, "Add", ["i32[2]", "i32[2]"], "i32[2]"),
        result(63, "i32[2]"),
        A_TO_SUM,
        edges("61:0>62:1 62:2>63:0"),
    ),
    body([gives(2, 73)], const(72, ints(7, 8)), result(73, "i32[2]"), edges("72:0>73:0")),
    name="inner",
)
# Invalid conds for it: a number, and two booleans.
OTHERS = const(45, np.int32(1)) + "\n" + const(46, np.bool_([True, True]))

UNTAKEN = if_model(
    {"taken": "boolean[]", "c": "boolean[]", "x": "i32[2]"},
    {"y": "i32[2]"},
    applied("Negative", "i32[2]", to=3, of=2),
    body(
        [takes(1, 40), takes(2, 41), gives(3, 53)],
        parameter(40, "d", "boolean[]"),
        parameter(41, "v", "i32[2]"),
        OTHERS,
        INNER,
        result(53, "i32[2]"),
        edges("40:0>50:0 41:0>50:1 50:2>53:0"),
    ),
)
UNNEEDED = net(
    parameter(40, "c", "boolean[]"),
    parameter(41, "x", "i32[2]"),
    OTHERS,
    INNER,
    operation(51, "Negative", ["i32[2]"], "i32[2]", name="y"),
    result(53, "i32[2]"),
    edges("40:0>50:0 41:0>50:1 41:0>51:0 51:1>53:0"),
)

COND_EDGE, HELD = edges("40:0>50:0"), edges("72:0>73:0")


def _cond_of(layer: int) -> IrEdit:
    return replaced(COND_EDGE, edges(f"{layer}:0>50:0"))


def _cond_of_u8(text: str) -> str:
    """The constant that is a number becomes a u8, and the cond of the inner If."""
    start = text.index('<layer id="45"')
    end = text.index("</layer>", start) + len("</layer>")
    return _cond_of(45)(text[:start] + const(45, np.uint8(1)) + text[end:])


def _without(part: str) -> IrEdit:
    """The inner If loses one of its parts."""

    def edit(text: str) -> str:
        start = text.index(f"<{part}>", text.index('name="inner"'))
        return text[:start] + text[text.index(f"</{part}>", start) + len(f"</{part}>") :]

    return edit


def _else_without_result(text: str) -> str:
    """else_body of the inner If loses its Result, the edge to it and the entry of the port map that names it."""
    end = text.index("</layer>", text.index('name="result73"')) + len("</layer>")
    text = text[: text.rindex("<layer ", 0, end)] + text[end:]
    return replaced(edges("72:0>73:0"), "")(replaced(gives(2, 73), "")(text))


def _second_result_of_else(text: str) -> str:
    """else_body of the inner If has a second Result of its constant, which no entry of the port map names."""
    end = text.index("</layer>", text.index('name="result73"')) + len("</layer>")
    text = f"{text[:end]}\n{result(74, 'i32[2]')}{text[end:]}"
    return replaced(edges("72:0>73:0"), edges("72:0>73:0 72:0>74:0"))(text)


def _without_outputs(text: str) -> str:
    """The inner If loses its output port and the entries for it; what read it reads the If's operand."""
    for old, new in (OUTPUT, ""), (GIVES, ""), (gives(2, 73), ""):
        text = replaced(old, new)(text)
    return text.replace(edges("50:2>53:0"), edges("41:0>53:0"))


def _without_inputs(text: str) -> str:
    """The inner If loses its input ports, and then_body its Parameter; its sum is that of a constant with itself."""
    start = text.index("<input>", text.index('name="inner"')) + len("<input>")
    text = text[:start] + text[text.index("</input>", start) :]
    start = text.index('<layer id="60"')
    text = text[:start] + text[text.index("</layer>", start) + len("</layer>") :]
    text = replaced(A_TO_SUM, edges("61:0>62:0"))(replaced(TAKES, "")(text))
    return replaced(edges("41:0>50:1"), "")(replaced(COND_EDGE, "")(text))


def _another_input_port(text: str) -> str:
    """The inner If has a third input port, to which no edge leads."""
    end = text.index("</input>", text.index('name="inner"'))
    return f'{text[:end]}<port id="9"/>{text[end:]}'


def _of_f32(id: int) -> IrEdit:
    """This layer of then_body of the inner If declares f32 in place of i32, and so does its port."""

    def edit(text: str) -> str:
        start = text.index(f'<layer id="{id}"')
        end = text.index("</layer>", start)
        declared = replaced('element_type="i32"', 'element_type="f32"')(text[start:end])
        return text[:start] + replaced('precision="I32"', 'precision="FP32"')(declared) + text[end:]

    return edit


def _parameter_of_i33(text: str) -> str:
    """The Parameter of then_body of the inner If declares an element type that does not exist."""
    start = text.index('<layer id="60"')
    end = text.index("</layer>", start)
    return text[:start] + replaced('"i32"', '"i33"')(text[start:end]) + text[end:]


def _with_another_constant(id: int, more: str = "") -> IrEdit:
    """else_body of the inner If has a second constant with this id, and these edges, too."""

    def edit(text: str) -> str:
        end = text.index("</layer>", text.index('name="const72"')) + len("</layer>")
        text = f"{text[:end]}\n{const(id, ints(9, 9))}{text[end:]}"
        return replaced(HELD, f"{HELD}\n{more}")(text)

    return edit


def _with_a_second_port(text: str) -> str:
    """The Result of else_body of the inner If has a port 1, to which its constant leads, too."""
    start = text.index("<input>", text.index('name="result73"')) + len("<input>")
    return replaced(HELD, f"{HELD}\n{edges('72:0>73:1')}")(f'{text[:start]}<port id="1"/>{text[start:]}')


BESIDE = operation(48, "Negative", ["i32[2]"], "i32[2]", name="beside")


def _beside(layer: str, more: str = "") -> IrEdit:
    """There is a layer beside the inner If, whose output nothing reads, and there are these edges."""

    def edit(text: str) -> str:
        start = text.index('<layer id="46"')
        return replaced(COND_EDGE, f"{COND_EDGE}\n{more}")(f"{text[:start]}{layer}\n{text[start:]}")

    return edit


# By name: the rule that the fault breaks, the edit, the fault in words, and the sentence.
Fault = tuple[str, IrEdit, str, Source]
FAULTS: dict[str, Fault] = {
    "cond-of-i32": ("if/cond-is-boolean", _cond_of(45), "cond is an i32", COND),
    "cond-of-u8": ("if/cond-is-boolean", _cond_of_u8, "cond is a u8, which takes a byte like a boolean", COND),
    "cond-of-two": ("if/cond-shape", _cond_of(46), "cond has two elements", COND),
    "merged-input": (
        "if/two-bodies-two-port-maps",
        replaced(TAKES, f'{TAKES}\n<merged_input external_port_id="1" internal_layer_id="60"/>'),
        "then_port_map has an entry that is neither input nor output",
        says("if-8-entries"),
    ),
    "port-map-missing": (
        "if/two-bodies-two-port-maps",
        _without("then_port_map"),
        "the If has no then_port_map",
        says("if-8-two-port-maps"),
    ),
    "body-missing": ("if/two-bodies-two-port-maps", _without("else_body"), "the If has no else_body", ONE_OF_THEM),
    "surplus-output": (
        "if/output-count",
        replaced(OUTPUT, OUTPUT + '\n<port id="3" precision="I32"><dim>2</dim></port>'),
        "the If has two outputs, each body one Result",
        NUMBER,
    ),
    "surplus-result-of-else": (
        "if/output-count",
        _second_result_of_else,
        "else_body has two Results, then_body and the If one",
        NUMBER,
    ),
    "else-gives-another-type": (
        "if/output-type",
        of_layer("const72", 'element_type="i32"', 'element_type="f32"'),
        "else_body returns f32, then_body and the If's port i32",
        says("if-8-types-equal"),
    ),
    "parameter-unmapped": (
        "if/every-parameter-mapped",
        replaced(TAKES, ""),
        "the Parameter of then_body is not mapped",
        says("if-8-parameters-mapped"),
    ),
    "output-unmapped": (
        "if/every-output-mapped",
        replaced(GIVES, ""),
        "the If's output is not mapped in then_port_map",
        says("if-8-one-result-one-output"),
    ),
    "id-negative": (
        "if/port-map-required",
        replaced(TAKES, takes(1, "-60")),
        "an entry's internal_layer_id is -60",
        says("if-8-external-port-id-type", "if-8-external-port-id-default", "if-8-external-port-id-required"),
    ),
    "no-such-port": (
        "if/external-port-in-range",
        replaced(TAKES, takes(9, 60)),
        "an entry's external_port_id is 9, which is not a port of the If",
        PORTS,
    ),
    "output-port-for-input": (
        "if/external-port-in-range",
        replaced(TAKES, takes(2, 60)),
        "an input entry's external_port_id is 2, the output of the If",
        PORTS,
    ),
    "constant-for-parameter": (
        "if/internal-layer-is-parameter",
        replaced(TAKES, takes(1, 61)),
        "an input entry names a constant of then_body",
        LAYERS,
    ),
    "operation-for-result": (
        "if/internal-layer-is-result",
        replaced(GIVES, gives(2, 62)),
        "an output entry names an operation of then_body",
        LAYERS,
    ),
    "reads-around": (
        "if/bodies-are-closed",
        replaced(A_TO_SUM, edges("41:0>62:0")),
        "an edge of then_body comes from the network that contains the If",
        TYPICAL,
    ),
    "edge-missing": (
        "ir/inputs-have-one-edge",
        replaced(A_TO_SUM, ""),
        "no edge leads to an operand in then_body",
        ONE_EDGE,
    ),
    "if-input-without-edge": (
        "ir/inputs-have-one-edge",
        _another_input_port,
        "no edge leads to the third input of the If, which its bodies do not read",
        ONE_EDGE,
    ),
    "without-inputs": (
        "if/cond-required",
        _without_inputs,
        "the If has no inputs, not even cond, and its bodies return constants",
        says("if-8-cond", "if-8-cond-required"),
    ),
    "own-output": (
        "ir/no-cycles",
        replaced(A_TO_SUM, edges("62:2>62:0")),
        "the operation of then_body reads its own output",
        WAITS,
    ),
    "else-without-result": (
        "if/body-has-result",
        _else_without_result,
        "else_body has no Result, and its port map no entry for one",
        NUMBER,
    ),
    "without-outputs": (
        "if/has-outputs",
        _without_outputs,
        "the If has no output, and its port maps have no entry for one",
        says("if-8-output-count"),
    ),
    "port-unknown": (
        "ir/edges-name-ports",
        replaced(A_TO_SUM, edges("60:5>62:0")),
        "an edge of then_body leads from a port that its layer does not have",
        TOPOLOGY,
    ),
    "type-missing": (
        "ir/layer-is-whole",
        of_layer("op62", ' type="Add"', ""),
        "a layer of then_body has no type",
        BY_TYPE,
    ),
    "type-of-constant-missing": (
        "ir/layer-is-whole",
        of_layer("const61", ' type="Const"', ""),
        "a constant of then_body has no type",
        BY_TYPE,
    ),
    "set-missing": (
        "ir/operator-set-is-known",
        of_layer("op62", ' version="opset1"', ""),
        "an operation of then_body has no version",
        OF_EACH,
    ),
    "set-unknown": (
        "ir/operator-set-is-known",
        of_layer("op62", "opset1", "opset999"),
        "an operation of then_body is from opset999",
        OF_EACH,
    ),
    "addend-of-another-type": (
        "ir/operands-fit",
        _of_f32(61),
        "the operation of then_body adds an f32 to an i32",
        says("operations-add-first-operand", "operations-add-second-operand"),
    ),
    "beside-without-edge": (
        "ir/inputs-have-one-edge",
        _beside(BESIDE),
        "no edge leads to an operation beside it, which nothing reads",
        ONE_EDGE,
    ),
    "beside-with-two-edges": (
        "ir/inputs-have-one-edge",
        _beside(BESIDE, edges("41:0>48:0 45:0>48:0")),
        "two edges lead to the input of an operation beside it, which nothing reads",
        ONE_EDGE,
    ),
    "beside-reads-itself": (
        "ir/no-cycles",
        _beside(BESIDE, edges("48:1>48:0")),
        "an operation beside it, which nothing else reads, reads its own output",
        WAITS,
    ),
    "beside-without-type": (
        "ir/layer-is-whole",
        _beside(BESIDE.replace(' type="Negative"', ""), edges("41:0>48:0")),
        "a layer beside it, which nothing reads, has no type",
        BY_TYPE,
    ),
    "beside-of-unknown-set": (
        "ir/operator-set-is-known",
        _beside(BESIDE.replace("opset1", "opset999"), edges("41:0>48:0")),
        "an operation beside it, which nothing reads, is from opset999",
        OF_EACH,
    ),
    "else-reads-no-layer": (
        "if/bodies-are-closed",
        replaced(HELD, edges("79:0>73:0")),
        "the edge to the Result of else_body leads from a layer that does not exist",
        TYPICAL,
    ),
    "else-reads-no-port": (
        "ir/edges-name-ports",
        replaced(HELD, edges("72:5>73:0")),
        "the edge to the Result of else_body leads from a port that its layer does not have",
        BY_IDS,
    ),
    "else-with-two-edges": (
        "ir/inputs-have-one-edge",
        _with_another_constant(75, edges("75:0>73:0")),
        "two edges lead to the Result of else_body, from two constants",
        ONE_EDGE,
    ),
    "else-with-one-id-twice": (
        "ir/ids-are-unique",
        _with_another_constant(72),
        "two constants of else_body have the same id",
        says("reader-own-ids"),
    ),
    "else-result-with-two-ports": (
        "ir/layer-is-whole",
        _with_a_second_port,
        "the Result of else_body has two ports, both of which the constant leads to",
        RESULT_TAKES,
    ),
    "else-without-type": (
        "ir/layer-is-whole",
        of_layer("const72", ' type="Const"', ""),
        "the constant of else_body has no type",
        BY_TYPE,
    ),
    "else-of-unknown-element-type": (
        "ir/types-are-known",
        of_layer("const72", 'element_type="i32"', 'element_type="i33"'),
        'the constant of else_body has elements of "i33"',
        says("operations-constant-offset-required"),
    ),
    "then-of-unknown-element-type": (
        "ir/types-are-known",
        _parameter_of_i33,
        'the Parameter of then_body has elements of "i33"',
        says("operations-parameter-element-type"),
    ),
    "set-of-constant-unknown": (
        "ir/operator-set-is-known",
        of_layer("const61", "opset1", "opset999"),
        "a constant of then_body is from opset999",
        OF_EACH,
    ),
    "parameter-of-another-type": (
        "ir/declared-type-agrees",
        _of_f32(60),
        "the Parameter of then_body, which no operation reads, is f32, but its value is i32",
        says("operations-parameter-output"),
    ),
    "constant-too-short": (
        "ir/constant-in-weights",
        of_layer("const61", 'shape="2"', 'shape="3"'),
        "a constant of then_body has eight bytes, but its shape takes twelve",
        says("operations-constant-size"),
    ),
}

# What decides, or decides as well, where the fault's own sentence does not do so alone.
FURTHER: dict[str, Source] = {
    "output-port-for-input": PORT_MAP,
    "parameter-of-another-type": PORT_MAP,
    "else-reads-no-layer": BY_IDS,
    "beside-without-edge": NEGATES,
    "beside-with-two-edges": NEGATES,
    "else-with-two-edges": RESULT_TAKES,
    "else-of-unknown-element-type": says("operations-constant-element-types"),
    "then-of-unknown-element-type": says("operations-parameter-element-types"),
}


def vectors() -> Iterator[Vector]:
    untaken = Vector(
        "openvino/if/only-taken-body-runs/never-run-if",
        "else_body, which is not taken, has an If of its own, without a fault",
        [ONE_OF_THEM],
        UNTAKEN,
        [Run({"taken": np.True_, "c": np.True_, "x": X}, {"y": -X})],
    )
    unneeded = Vector(
        "openvino/ir/layer-is-whole/unneeded-if",
        "no Result needs the result of the If in the main network, and all is valid",
        [TOPOLOGY],
        UNNEEDED,
        [Run({"c": np.True_, "x": X}, {"y": -X})],
    )
    for twin, where in (
        (untaken, "an If in a body that is not taken"),
        (unneeded, "an If of the main network that no Result needs"),
    ):
        yield twin
        unread = twin.varied(
            f"{twin.id}-parameter-unread: "
            f"{where}: its then_body adds a constant to itself, and reads its Parameter nowhere",
            replaced(A_TO_SUM, edges("61:0>62:0")),
        )
        yield unread
        for name, (rule, fault, what, sentence) in FAULTS.items():
            sentences = [sentence, FURTHER[name]] if name in FURTHER else [sentence]
            why = list(dict.fromkeys([*sentences, *twin.why]))
            sound = unread if name == "parameter-of-another-type" else twin
            broken = sound.broken(f"{twin.id}-{name}: {where}: {what}", fault, why=why)
            also = f"openvino/{rule}"
            yield broken if also == broken.rule else replace(broken, also=[also])
