"""The faults that an If of OpenVINO IR can have, in it, beside it or in a body: edits of openvino_places.CHOICE."""

from collections.abc import Mapping

import numpy as np

from ifcert.authoring.faulty.openvino_places import (
    A_TO_SUM,
    COND_EDGE,
    ELSE_GIVES,
    GIVES,
    HELD_TO_RESULT,
    NUMBERS,
    OUTPUT,
    SUM_TO_RESULT,
    TAKES,
    V_EDGE,
)
from ifcert.authoring.faulty.table import BodyFault, Form, Table, fault
from ifcert.authoring.ir import IrEdit, replaced
from ifcert.authoring.ir_bodies import gives, takes
from ifcert.authoring.ir_patterns import everywhere, of_layer
from ifcert.authoring.ir_text import const, edges, operation, result
from ifcert.authoring.sources import says
from ifcert.authoring.values import ints

PORT_MAP = says("if-8-port-map", "if-8-entries")
ONE_EDGE = says("reader-one-edge", "reader-many-takers")


def in_turn(*edits: IrEdit) -> IrEdit:
    """The edits, one after another."""

    def edit(text: str) -> str:
        for each in edits:
            text = each(text)
        return text

    return edit


# --- the text of a layer, and of the If


def layer_of(text: str, name: str) -> tuple[int, int]:
    """Where a layer without bodies begins and ends, by its name."""
    start = text.index(f'name="{name}"')
    return text.rindex("<layer ", 0, start), text.index("</layer>", start) + len("</layer>")


def before(name: str, layer: str) -> IrEdit:
    """A layer comes before the one of this name."""

    def edit(text: str) -> str:
        first, _ = layer_of(text, name)
        return f"{text[:first]}{layer}\n{text[first:]}"

    return edit


def without_layer(name: str) -> IrEdit:
    """The layer of this name is not there."""

    def edit(text: str) -> str:
        first, last = layer_of(text, name)
        return text[:first] + text[last:]

    return edit


def without_part(part: str) -> IrEdit:
    """The If loses one of its parts."""

    def edit(text: str) -> str:
        start = text.index(f"<{part}>", text.index('name="inner"'))
        return text[:start] + text[text.index(f"</{part}>", start) + len(f"</{part}>") :]

    return edit


def without_input_ports(text: str) -> str:
    """The If has no input ports."""
    start = text.index("<input>", text.index('name="inner"')) + len("<input>")
    return text[:start] + text[text.index("</input>", start) :]


def with_input_port(text: str) -> str:
    """The If has a third input port, to which no edge leads."""
    end = text.index("</input>", text.index('name="inner"'))
    return f'{text[:end]}<port id="9"/>{text[end:]}'


# --- edits


def cond_of(layer: int) -> IrEdit:
    """Cond is the output of this layer, which is beside the If."""
    return replaced(COND_EDGE, edges(f"{layer}:0>50:0"))


def cond_of_u8(text: str) -> str:
    """The constant that is a number becomes a u8, and the cond of the If."""
    first, last = layer_of(text, "const45")
    return cond_of(45)(text[:first] + const(45, np.uint8(1)) + text[last:])


# The If's output port and the entries for it are not there; what read the output reads v.
without_outputs = in_turn(
    replaced(OUTPUT, ""),
    replaced(GIVES, ""),
    replaced(ELSE_GIVES, ""),
    lambda text: text.replace('from-layer="50" from-port="2"', 'from-layer="41" from-port="0"'),
)

# The If has no inputs, then_body no Parameter: its sum is that of a constant with itself.
without_inputs = in_turn(
    without_input_ports,
    without_layer("addend"),
    replaced(A_TO_SUM, edges("61:0>62:0")),
    replaced(TAKES, ""),
    replaced(V_EDGE, ""),
    replaced(COND_EDGE, ""),
)

without_result = in_turn(without_layer("result73"), replaced(ELSE_GIVES, ""), replaced(HELD_TO_RESULT, ""))

second_result = in_turn(before("result73", result(74, NUMBERS)), replaced(HELD_TO_RESULT, edges("72:0>73:0 72:0>74:0")))

# Of two outputs, both of which the bodies return.
two_outputs = in_turn(
    replaced(OUTPUT, OUTPUT + '\n<port id="3" names="s" precision="I32"><dim>2</dim></port>'),
    replaced(GIVES, f"{GIVES}\n{gives(3, 64)}"),
    replaced(ELSE_GIVES, f"{ELSE_GIVES}\n{gives(3, 74)}"),
    before("result63", result(64, NUMBERS)),
    before("result73", result(74, NUMBERS)),
    replaced(SUM_TO_RESULT, edges("62:2>63:0 62:2>64:0")),
    replaced(HELD_TO_RESULT, edges("72:0>73:0 72:0>74:0")),
)


def of_f32(layer: str) -> IrEdit:
    """This layer of then_body declares f32 in place of i32, and so does its port."""
    return in_turn(of_layer(layer, 'element_type="i32"', 'element_type="f32"'), of_layer(layer, '"I32"', '"FP32"'))


def another_constant(id: int, more: str = "") -> IrEdit:
    """Else_body has a second constant with this id, and there are these edges, too."""
    return in_turn(
        before("result73", const(id, ints(9, 9))), replaced(HELD_TO_RESULT, f"{HELD_TO_RESULT}\n{more}".strip())
    )


def with_a_second_port(text: str) -> str:
    """The Result of else_body has a port 1, to which its constant leads, too."""
    start = text.index("<input>", text.index('name="result73"')) + len("<input>")
    return replaced(HELD_TO_RESULT, f"{HELD_TO_RESULT}\n{edges('72:0>73:1')}")(
        f'{text[:start]}<port id="1"/>{text[start:]}'
    )


BESIDE = operation(48, "Negative", [NUMBERS], NUMBERS, name="beside")


def beside(layer: str, more: str = "") -> IrEdit:
    """There is a layer beside the If, whose output nothing reads, and there are these edges."""
    return in_turn(before("const46", layer), replaced(COND_EDGE, f"{COND_EDGE}\n{more}".strip()))


FORMS: Mapping[str, Form] = {
    "none": Form("there is none"),
    "none-with-two-outputs": Form("there is none; the If has two outputs", two_outputs),
    "none-with-unread-parameter": Form(
        "there is none; then_body adds a constant to itself, and reads its Parameter nowhere",
        replaced(A_TO_SUM, edges("61:0>62:0")),
        ["unread-parameters"],
    ),
}

FAULTS: Mapping[str, BodyFault] = {
    "cond-of-i32": fault("if/cond-is-boolean", "cond is an i32", cond_of(45), "if-8-cond"),
    "cond-of-u8": fault(
        "if/cond-is-boolean", "cond is a u8, which takes a byte like a boolean", cond_of_u8, "if-8-cond"
    ),
    "cond-of-two": fault("if/cond-shape", "cond has two elements", cond_of(46), "if-8-cond"),
    "merged-input": fault(
        "if/two-bodies-two-port-maps",
        "then_port_map has an entry that is neither input nor output",
        replaced(TAKES, f'{TAKES}\n<merged_input external_port_id="1" internal_layer_id="60"/>'),
        "if-8-entries",
    ),
    "port-map-missing": fault(
        "if/two-bodies-two-port-maps",
        "the If has no then_port_map",
        without_part("then_port_map"),
        "if-8-two-port-maps",
    ),
    "body-missing": fault(
        "if/two-bodies-two-port-maps", "the If has no else_body", without_part("else_body"), "if-8-two-bodies"
    ),
    "surplus-output": fault(
        "if/output-count",
        "the If has two outputs, each body one Result",
        replaced(OUTPUT, OUTPUT + '\n<port id="3" precision="I32"><dim>2</dim></port>'),
        "if-8-counts-equal",
    ),
    "surplus-result-of-else": fault(
        "if/output-count", "else_body has two Results, then_body and the If one", second_result, "if-8-counts-equal"
    ),
    "else-gives-another-type": fault(
        "if/output-type",
        "else_body returns f32, then_body and the If's port i32",
        of_layer("const72", 'element_type="i32"', 'element_type="f32"'),
        "if-8-types-equal",
    ),
    "parameter-unmapped": fault(
        "if/every-parameter-mapped",
        "the Parameter of then_body is not mapped",
        replaced(TAKES, ""),
        "if-8-parameters-mapped",
    ),
    "output-unmapped": fault(
        "if/every-output-mapped",
        "the If's output is not mapped in then_port_map",
        replaced(GIVES, ""),
        "if-8-one-result-one-output",
    ),
    "one-result-twice": fault(
        "if/one-result-one-output",
        "both entries for outputs of then_port_map name the first Result",
        replaced(gives(3, 64), gives(3, 63)),
        "if-8-one-result-one-output",
        of="none-with-two-outputs",
    ),
    "id-negative": fault(
        "if/port-map-required",
        "an entry's internal_layer_id is -60",
        replaced(TAKES, takes(1, "-60")),
        says("if-8-external-port-id-type", "if-8-external-port-id-default", "if-8-external-port-id-required"),
    ),
    "no-such-port": fault(
        "if/external-port-in-range",
        "an entry's external_port_id is 9, which is not a port of the If",
        replaced(TAKES, takes(9, 60)),
        "if-8-external-port-id-range",
    ),
    "output-port-for-input": fault(
        "if/external-port-in-range",
        "an input entry's external_port_id is 2, the output of the If",
        replaced(TAKES, takes(2, 60)),
        "if-8-external-port-id-range",
        PORT_MAP,
    ),
    "constant-for-parameter": fault(
        "if/internal-layer-is-parameter",
        "an input entry names a constant of then_body",
        replaced(TAKES, takes(1, 61)),
        "if-8-internal-layer-id-range",
    ),
    "operation-for-result": fault(
        "if/internal-layer-is-result",
        "an output entry names an operation of then_body",
        replaced(GIVES, gives(2, 62)),
        "if-8-internal-layer-id-range",
    ),
    "reads-around": fault(
        "if/bodies-are-closed",
        "an edge of then_body comes from the network that contains the If",
        replaced(A_TO_SUM, edges("41:0>62:0")),
        "if-8-typical-network",
    ),
    "else-reads-no-layer": fault(
        "if/bodies-are-closed",
        "the edge to the Result of else_body leads from a layer that does not exist",
        replaced(HELD_TO_RESULT, edges("79:0>73:0")),
        "if-8-typical-network",
        "ir-edges-by-ids",
    ),
    "without-inputs": fault(
        "if/cond-required",
        "the If has no inputs, not even cond, and its bodies return constants",
        without_inputs,
        says("if-8-cond", "if-8-cond-required"),
    ),
    "else-without-result": fault(
        "if/body-has-result",
        "else_body has no Result, and its port map no entry for one",
        without_result,
        "if-8-counts-equal",
    ),
    "without-outputs": fault(
        "if/has-outputs",
        "the If has no output, and its port maps have no entry for one",
        without_outputs,
        "if-8-output-count",
    ),
    "edge-missing": fault(
        "ir/inputs-have-one-edge", "no edge leads to an operand in then_body", replaced(A_TO_SUM, ""), ONE_EDGE
    ),
    "if-input-without-edge": fault(
        "ir/inputs-have-one-edge",
        "no edge leads to the third input of the If, which its bodies do not read",
        with_input_port,
        ONE_EDGE,
    ),
    "beside-without-edge": fault(
        "ir/inputs-have-one-edge",
        "no edge leads to an operation beside the If, which nothing reads",
        beside(BESIDE),
        ONE_EDGE,
        "operations-negative-operand",
    ),
    "beside-with-two-edges": fault(
        "ir/inputs-have-one-edge",
        "two edges lead to the input of an operation beside the If, which nothing reads",
        beside(BESIDE, edges("41:0>48:0 45:0>48:0")),
        ONE_EDGE,
        "operations-negative-operand",
    ),
    "else-with-two-edges": fault(
        "ir/inputs-have-one-edge",
        "two edges lead to the Result of else_body, from two constants",
        another_constant(75, edges("75:0>73:0")),
        ONE_EDGE,
        "operations-result-input",
    ),
    "own-output": fault(
        "ir/no-cycles",
        "the operation of then_body reads its own output",
        replaced(A_TO_SUM, edges("62:2>62:0")),
        "reader-no-cycles",
    ),
    "beside-reads-itself": fault(
        "ir/no-cycles",
        "an operation beside the If, which nothing else reads, reads its own output",
        beside(BESIDE, edges("48:1>48:0")),
        "reader-no-cycles",
    ),
    "port-unknown": fault(
        "ir/edges-name-ports",
        "an edge of then_body leads from a port that its layer does not have",
        replaced(A_TO_SUM, edges("60:5>62:0")),
        "ir-topology",
    ),
    "else-reads-no-port": fault(
        "ir/edges-name-ports",
        "the edge to the Result of else_body leads from a port that its layer does not have",
        replaced(HELD_TO_RESULT, edges("72:5>73:0")),
        "ir-edges-by-ids",
    ),
    "id-in-letters": fault(
        "ir/ids-are-numbers",
        'the id of a layer of then_body is "k"',
        everywhere(('<layer id="61"', '<layer id="k"'), ('from-layer="61"', 'from-layer="k"')),
        "ir-edges-by-ids",
    ),
    "else-with-one-id-twice": fault(
        "ir/ids-are-unique", "two constants of else_body have the same id", another_constant(72), "reader-own-ids"
    ),
    "type-missing": fault(
        "ir/layer-is-whole",
        "an operation of then_body has no type",
        of_layer("op62", ' type="Add"', ""),
        "opsets-that-version",
    ),
    "type-of-constant-missing": fault(
        "ir/layer-is-whole",
        "a constant of then_body has no type",
        of_layer("const61", ' type="Const"', ""),
        "opsets-that-version",
    ),
    "beside-without-type": fault(
        "ir/layer-is-whole",
        "a layer beside the If, which nothing reads, has no type",
        beside(BESIDE.replace(' type="Negative"', ""), edges("41:0>48:0")),
        "opsets-that-version",
    ),
    "else-without-type": fault(
        "ir/layer-is-whole",
        "the constant of else_body has no type",
        of_layer("const72", ' type="Const"', ""),
        "opsets-that-version",
    ),
    "else-result-with-two-ports": fault(
        "ir/layer-is-whole",
        "the Result of else_body has two ports, both of which the constant leads to",
        with_a_second_port,
        "operations-result-input",
    ),
    "set-missing": fault(
        "ir/operator-set-is-known",
        "an operation of then_body has no version",
        of_layer("op62", ' version="opset1"', ""),
        "opsets-opset-of-each",
    ),
    "set-unknown": fault(
        "ir/operator-set-is-known",
        "an operation of then_body is from opset999",
        of_layer("op62", "opset1", "opset999"),
        "opsets-opset-of-each",
    ),
    "set-of-constant-unknown": fault(
        "ir/operator-set-is-known",
        "a constant of then_body is from opset999",
        of_layer("const61", "opset1", "opset999"),
        "opsets-opset-of-each",
    ),
    "beside-of-unknown-set": fault(
        "ir/operator-set-is-known",
        "an operation beside the If, which nothing reads, is from opset999",
        beside(BESIDE.replace("opset1", "opset999"), edges("41:0>48:0")),
        "opsets-opset-of-each",
    ),
    "addend-of-another-type": fault(
        "ir/operands-fit",
        "the operation of then_body adds an f32 to an i32",
        of_f32("const61"),
        says("operations-add-first-operand", "operations-add-second-operand"),
    ),
    "else-of-unknown-element-type": fault(
        "ir/types-are-known",
        'the constant of else_body has elements of "i33"',
        of_layer("const72", 'element_type="i32"', 'element_type="i33"'),
        "operations-constant-offset-required",
        "operations-constant-element-types",
    ),
    "then-of-unknown-element-type": fault(
        "ir/types-are-known",
        'the Parameter of then_body has elements of "i33"',
        of_layer("addend", '"i32"', '"i33"'),
        "operations-parameter-element-type",
        "operations-parameter-element-types",
    ),
    "parameter-of-another-type": fault(
        "ir/declared-type-agrees",
        "the Parameter of then_body, which no operation reads, is f32, but its value is i32",
        of_f32("addend"),
        "operations-parameter-output",
        PORT_MAP,
        of="none-with-unread-parameter",
    ),
    "constant-too-short": fault(
        "ir/constant-in-weights",
        "a constant of then_body has eight bytes, but its shape takes twelve",
        of_layer("const61", 'shape="2"', 'shape="3"'),
        "operations-constant-size",
    ),
}

# The rules with refused vectors that no fault of the table breaks.
A_FILE = "the fault is one of the file, not of a body"
ELSEWHERE: Mapping[str, str] = {
    "if/only-taken-body-runs": "the rule is a place",
    "ir/shapes-fit": "whether a body may be one that could never run is open (if/only-taken-body-runs/constant-*)",
    "ir/version": A_FILE,
    "ir/weights-are-readable": A_FILE,
    "ir/well-formed": A_FILE,
}

TABLE = Table(FORMS, FAULTS, ELSEWHERE)
