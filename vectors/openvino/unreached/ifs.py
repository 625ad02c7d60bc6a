"""Ifs that no run reaches: in a body not taken, and in the main network where no Result needs it.

A model is valid or not before it runs, so these faults count too; a reader that looks at a body only on entering it
misses them. Each place has one sound model, and each fault is one edit of the If there.
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, ints, says
from ifcert.authoring.faults import Faults, case_of, fault, with_fault
from ifcert.authoring.ir import IrEdit, replaced
from ifcert.authoring.ir_bodies import applied, body, gives, if_layer, if_model, takes
from ifcert.authoring.ir_patterns import of_layer
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result

PORT_MAP = says("if-8-port-map", "if-8-entries")

ONE_EDGE = says("reader-one-edge", "reader-many-takers")

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


FAULTS: Faults = {
    "if/cond-is-boolean/cond-of-i32: cond is an i32": fault(_cond_of(45), "if-8-cond"),
    "if/cond-is-boolean/cond-of-u8: cond is a u8, which takes a byte like a boolean": fault(_cond_of_u8, "if-8-cond"),
    "if/cond-shape/cond-of-two: cond has two elements": fault(_cond_of(46), "if-8-cond"),
    "if/two-bodies-two-port-maps/merged-input: then_port_map has an entry that is neither input nor output": fault(
        replaced(TAKES, f'{TAKES}\n<merged_input external_port_id="1" internal_layer_id="60"/>'), "if-8-entries"
    ),
    "if/two-bodies-two-port-maps/port-map-missing: the If has no then_port_map": fault(
        _without("then_port_map"), "if-8-two-port-maps"
    ),
    "if/two-bodies-two-port-maps/body-missing: the If has no else_body": fault(
        _without("else_body"), "if-8-two-bodies"
    ),
    "if/output-count/surplus-output: the If has two outputs, each body one Result": fault(
        replaced(OUTPUT, OUTPUT + '\n<port id="3" precision="I32"><dim>2</dim></port>'), "if-8-counts-equal"
    ),
    "if/output-count/surplus-result-of-else: else_body has two Results, then_body and the If one": fault(
        _second_result_of_else, "if-8-counts-equal"
    ),
    "if/output-type/else-gives-another-type: else_body returns f32, then_body and the If's port i32": fault(
        of_layer("const72", 'element_type="i32"', 'element_type="f32"'), "if-8-types-equal"
    ),
    "if/every-parameter-mapped/parameter-unmapped: the Parameter of then_body is not mapped": fault(
        replaced(TAKES, ""), "if-8-parameters-mapped"
    ),
    "if/every-output-mapped/output-unmapped: the If's output is not mapped in then_port_map": fault(
        replaced(GIVES, ""), "if-8-one-result-one-output"
    ),
    "if/port-map-required/id-negative: an entry's internal_layer_id is -60": fault(
        replaced(TAKES, takes(1, "-60")),
        says("if-8-external-port-id-type", "if-8-external-port-id-default", "if-8-external-port-id-required"),
    ),
    "if/external-port-in-range/no-such-port: an entry's external_port_id is 9, which is not a port of the If": fault(
        replaced(TAKES, takes(9, 60)), "if-8-external-port-id-range"
    ),
    (
        "if/external-port-in-range/output-port-for-input: an input entry's external_port_id is 2, the output of the If"
    ): fault(replaced(TAKES, takes(2, 60)), "if-8-external-port-id-range", PORT_MAP),
    "if/internal-layer-is-parameter/constant-for-parameter: an input entry names a constant of then_body": fault(
        replaced(TAKES, takes(1, 61)), "if-8-internal-layer-id-range"
    ),
    "if/internal-layer-is-result/operation-for-result: an output entry names an operation of then_body": fault(
        replaced(GIVES, gives(2, 62)), "if-8-internal-layer-id-range"
    ),
    "if/bodies-are-closed/reads-around: an edge of then_body comes from the network that contains the If": fault(
        replaced(A_TO_SUM, edges("41:0>62:0")), "if-8-typical-network"
    ),
    "ir/inputs-have-one-edge/edge-missing: no edge leads to an operand in then_body": fault(
        replaced(A_TO_SUM, ""), ONE_EDGE
    ),
    (
        "ir/inputs-have-one-edge/if-input-without-edge: "
        "no edge leads to the third input of the If, which its bodies do not read"
    ): fault(_another_input_port, ONE_EDGE),
    "if/cond-required/without-inputs: the If has no inputs, not even cond, and its bodies return constants": fault(
        _without_inputs, says("if-8-cond", "if-8-cond-required")
    ),
    "ir/no-cycles/own-output: the operation of then_body reads its own output": fault(
        replaced(A_TO_SUM, edges("62:2>62:0")), "reader-no-cycles"
    ),
    "if/body-has-result/else-without-result: else_body has no Result, and its port map no entry for one": fault(
        _else_without_result, "if-8-counts-equal"
    ),
    "if/has-outputs/without-outputs: the If has no output, and its port maps have no entry for one": fault(
        _without_outputs, "if-8-output-count"
    ),
    "ir/edges-name-ports/port-unknown: an edge of then_body leads from a port that its layer does not have": fault(
        replaced(A_TO_SUM, edges("60:5>62:0")), "ir-topology"
    ),
    "ir/layer-is-whole/type-missing: a layer of then_body has no type": fault(
        of_layer("op62", ' type="Add"', ""), "opsets-that-version"
    ),
    "ir/layer-is-whole/type-of-constant-missing: a constant of then_body has no type": fault(
        of_layer("const61", ' type="Const"', ""), "opsets-that-version"
    ),
    "ir/operator-set-is-known/set-missing: an operation of then_body has no version": fault(
        of_layer("op62", ' version="opset1"', ""), "opsets-opset-of-each"
    ),
    "ir/operator-set-is-known/set-unknown: an operation of then_body is from opset999": fault(
        of_layer("op62", "opset1", "opset999"), "opsets-opset-of-each"
    ),
    "ir/operands-fit/addend-of-another-type: the operation of then_body adds an f32 to an i32": fault(
        _of_f32(61), says("operations-add-first-operand", "operations-add-second-operand")
    ),
    "ir/inputs-have-one-edge/beside-without-edge: no edge leads to an operation beside it, which nothing reads": fault(
        _beside(BESIDE), ONE_EDGE, "operations-negative-operand"
    ),
    (
        "ir/inputs-have-one-edge/beside-with-two-edges: "
        "two edges lead to the input of an operation beside it, which nothing reads"
    ): fault(_beside(BESIDE, edges("41:0>48:0 45:0>48:0")), ONE_EDGE, "operations-negative-operand"),
    "ir/no-cycles/beside-reads-itself: an operation beside it, which nothing else reads, reads its own output": fault(
        _beside(BESIDE, edges("48:1>48:0")), "reader-no-cycles"
    ),
    "ir/layer-is-whole/beside-without-type: a layer beside it, which nothing reads, has no type": fault(
        _beside(BESIDE.replace(' type="Negative"', ""), edges("41:0>48:0")), "opsets-that-version"
    ),
    (
        "ir/operator-set-is-known/beside-of-unknown-set: an operation beside it, which nothing reads, is from opset999"
    ): fault(_beside(BESIDE.replace("opset1", "opset999"), edges("41:0>48:0")), "opsets-opset-of-each"),
    (
        "if/bodies-are-closed/else-reads-no-layer: "
        "the edge to the Result of else_body leads from a layer that does not exist"
    ): fault(replaced(HELD, edges("79:0>73:0")), "if-8-typical-network", "ir-edges-by-ids"),
    (
        "ir/edges-name-ports/else-reads-no-port: "
        "the edge to the Result of else_body leads from a port that its layer does not have"
    ): fault(replaced(HELD, edges("72:5>73:0")), "ir-edges-by-ids"),
    "ir/inputs-have-one-edge/else-with-two-edges: two edges lead to the Result of else_body, from two constants": fault(
        _with_another_constant(75, edges("75:0>73:0")), ONE_EDGE, "operations-result-input"
    ),
    "ir/ids-are-unique/else-with-one-id-twice: two constants of else_body have the same id": fault(
        _with_another_constant(72), "reader-own-ids"
    ),
    (
        "ir/layer-is-whole/else-result-with-two-ports: "
        "the Result of else_body has two ports, both of which the constant leads to"
    ): fault(_with_a_second_port, "operations-result-input"),
    "ir/layer-is-whole/else-without-type: the constant of else_body has no type": fault(
        of_layer("const72", ' type="Const"', ""), "opsets-that-version"
    ),
    'ir/types-are-known/else-of-unknown-element-type: the constant of else_body has elements of "i33"': fault(
        of_layer("const72", 'element_type="i32"', 'element_type="i33"'),
        "operations-constant-offset-required",
        "operations-constant-element-types",
    ),
    'ir/types-are-known/then-of-unknown-element-type: the Parameter of then_body has elements of "i33"': fault(
        _parameter_of_i33, "operations-parameter-element-type", "operations-parameter-element-types"
    ),
    "ir/operator-set-is-known/set-of-constant-unknown: a constant of then_body is from opset999": fault(
        of_layer("const61", "opset1", "opset999"), "opsets-opset-of-each"
    ),
    (
        "ir/declared-type-agrees/parameter-of-another-type: "
        "the Parameter of then_body, which no operation reads, is f32, but its value is i32"
    ): fault(_of_f32(60), "operations-parameter-output", PORT_MAP),
    (
        "ir/constant-in-weights/constant-too-short: a constant of then_body has eight bytes, but its shape takes twelve"
    ): fault(of_layer("const61", 'shape="2"', 'shape="3"'), "operations-constant-size"),
}


def vectors() -> Iterator[Vector]:
    untaken = Vector(
        "openvino/if/only-taken-body-runs/never-run-if",
        "else_body, which is not taken, has an If of its own, without a fault",
        ["if-8-two-bodies"],
        UNTAKEN,
        [Run({"taken": np.True_, "c": np.True_, "x": X}, {"y": -X})],
    )
    unneeded = Vector(
        "openvino/ir/layer-is-whole/unneeded-if",
        "no Result needs the result of the If in the main network, and all is valid",
        ["ir-topology"],
        UNNEEDED,
        [Run({"c": np.True_, "x": X}, {"y": -X})],
    )
    for twin, where in (
        (untaken, "an If in a body that is not taken: "),
        (unneeded, "an If of the main network that no Result needs: "),
    ):
        yield twin
        unread = twin.varied(
            f"{twin.id}-parameter-unread: "
            f"{where}its then_body adds a constant to itself, and reads its Parameter nowhere",
            replaced(A_TO_SUM, edges("61:0>62:0")),
            about=["unread-parameters"],
        )
        yield unread
        for written, made in FAULTS.items():
            sound = unread if case_of(written) == "parameter-of-another-type" else twin
            yield with_fault(sound, where, written, made, twin=twin)
