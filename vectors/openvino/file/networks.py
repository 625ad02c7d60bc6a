"""The layers and edges of a network: whole layers, edges between ports, one into each input, no cycle."""

from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, says, vectors_of
from ifcert.authoring.faults import fault
from ifcert.authoring.ir import IrEdit, replaced
from ifcert.authoring.ir_bodies import Body, applied, body, constant, gives, if_layer, if_model, passed, takes
from ifcert.authoring.ir_patterns import K, X, adds_or_negates, everywhere, of_layer
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result

WHOLE = "openvino/ir/layer-is-whole/"
ONE_EDGE = "openvino/ir/inputs-have-one-edge/"

BOTH = says("operations-add-first-operand", "operations-add-second-operand")

ONE = says("reader-one-edge", "reader-many-takers")

no_cycles = vectors_of("openvino/ir/no-cycles", "opsets-directed-graph", "ir-edges-by-ids")

A_TO_OP, K_TO_OP = '"0" to-layer="2" to-port="0"', 'from-layer="1" from-port="0" to-layer="2" to-port="1"'
OP_TO_RESULT = 'from-layer="2" from-port="2" to-layer="3" to-port="0"'
OUTPUT_PORT = (
    '<output>\n              <port id="0" names="a" precision="FP32"><dim>2</dim></port>\n            </output>'
)

BEHIND = "/>\n          "


def whole_layers() -> Iterator[Vector]:
    """Layers and ports that must be there."""
    plain = adds_or_negates(
        f"{WHOLE}all-there: each layer has its type and ports", ["ir-topology", "if-8-typical-network"]
    )
    for case, made in {
        "type-missing: the layer that adds has no type": fault(of_layer("op2", ' type="Add"', ""), "ir-topology"),
        "type-empty: the layer that adds has an empty type": fault(of_layer("op2", '"Add"', '""'), "ir-topology"),
        "parameter-without-port: the Parameter of then_body has no output": fault(
            of_layer("a", OUTPUT_PORT, ""), "operations-parameter-output"
        ),
        "constant-without-port: the constant has no output": fault(
            of_layer("const1", '<port id="0" precision="FP32"><dim>2</dim></port>', ""),
            "operations-constant-output",
        ),
        "result-without-port: the Result of then_body has no input": fault(
            of_layer("result3", '<port id="0"><dim>2</dim></port>', ""), "operations-result-input"
        ),
        "result-with-two-ports: the Result of then_body reads the sum and the constant": fault(
            everywhere(
                (
                    'name="result3" type="Result" version="opset1">\n            <input>',
                    'name="result3" type="Result" version="opset1">\n            <input>\n              <port id="1"/>',
                ),
                (
                    f"<edge {OP_TO_RESULT}/>",
                    f'<edge {OP_TO_RESULT}/>\n          <edge from-layer="1" from-port="0" to-layer="3" to-port="1"/>',
                ),
            ),
            "operations-result-input",
        ),
        "main-result-with-two-ports: the Result of the main network reads the output of the If and x": fault(
            everywhere(
                (
                    'name="result200" type="Result" version="opset1">\n      <input>',
                    'name="result200" type="Result" version="opset1">\n      <input>\n        <port id="1"/>',
                ),
                (edges("100:2>200:0"), edges("100:2>200:0 1:0>200:1")),
            ),
            "operations-result-input",
        ),
        "no-layers-in-main: the main network has no <layers>": fault(
            everywhere(("\n  <layers>", "\n  <level>"), ("\n  </layers>", "\n  </level>")), "ir-topology"
        ),
        "no-layers-in-then-body: then_body has no <layers>": fault(
            everywhere(
                ("<then_body>\n        <layers>", "<then_body>\n        <level>"),
                (
                    '</layers>\n        <edges>\n          <edge from-layer="0" from-port="0" to-layer="2"',
                    '</level>\n        <edges>\n          <edge from-layer="0" from-port="0" to-layer="2"',
                ),
            ),
            "if-8-typical-network",
        ),
    }.items():
        yield plain.broken(case, made.edit, why=made.why)
    yield plain.varied(
        "parameter-with-input: the Parameter of then_body has an input that the constant feeds",
        everywhere(
            (OUTPUT_PORT, f'<input><port id="1"/></input>\n            {OUTPUT_PORT}'),
            (
                f"<edge {K_TO_OP}/>",
                f'<edge {K_TO_OP}{BEHIND}<edge from-layer="1" from-port="0" to-layer="0" to-port="1"/>',
            ),
        ),
        why=["operations-parameter-output"],
        doubt="the page on Parameter-1 lists no inputs, and does not say that there must be none",
    )


def _without_inputs() -> Iterator[Vector]:
    """A model that is fed nothing; without its layers, there is nothing that a run of it could lack."""
    sound = Vector(
        WHOLE + "without-inputs",
        "the model has no inputs: cond is a constant, and so is what each body returns",
        ["ir-topology", "if-8-typical-network"],
        net(
            const(0, np.True_),
            if_layer(1, ["boolean[]"], {"y": "f32[2]"}, constant(K, to=1), constant(-K, to=1)),
            result(2, "f32[2]"),
            edges("0:0>1:0 1:1>2:0"),
        ),
        [Run({}, {"y": K})],
    )
    yield sound


def edges_between_ports() -> Iterator[Vector]:
    """Edges in any order, then edges from or to nothing."""
    plain = adds_or_negates(
        "openvino/ir/edges-name-ports/in-order: the edges are in the order of the layers",
        ["ir-topology", "ir-edges-by-ids"],
    )
    first, second = f'<edge from-layer="0" from-port={A_TO_OP}/>', f"<edge {K_TO_OP}/>"
    yield plain.varied(
        "in-another-order: the edges of then_body are in another order",
        everywhere((first, "<first/>"), (second, first), ("<first/>", second)),
    )
    more = "</edges>\n      </then_body>"
    for case, edit in {
        "from-unknown-layer: an edge of the main network leads from layer 7, which does not exist": replaced(
            'from-layer="1" from-port="0" to-layer="100"', 'from-layer="7" from-port="0" to-layer="100"'
        ),
        "to-unknown-layer: a further edge of the main network leads to layer 7, which does not exist": replaced(
            'to-layer="200" to-port="0"/>',
            'to-layer="200" to-port="0"/>\n    <edge from-layer="1" from-port="0" to-layer="7" to-port="0"/>',
        ),
        "from-layer-of-a-body: an edge of the main network leads from a layer of then_body": replaced(
            'from-layer="100" from-port="2"', 'from-layer="3" from-port="0"'
        ),
        "from-unknown-port: an edge of then_body leads from port 5, which its layer does not have": replaced(
            OP_TO_RESULT, OP_TO_RESULT.replace('from-port="2"', 'from-port="5"')
        ),
        "to-unknown-port: a further edge of then_body leads to port 5, which its layer does not have": replaced(
            more, f'<edge from-layer="0" from-port="0" to-layer="2" to-port="5"/>\n        {more}'
        ),
        "from-input-port: an edge of then_body leads from an input port": replaced(
            OP_TO_RESULT, OP_TO_RESULT.replace('from-port="2"', 'from-port="1"')
        ),
        (
            "from-first-input-port: "
            "an edge of then_body leads from port 0, an input, of a layer whose only output is port 2"
        ): replaced(OP_TO_RESULT, OP_TO_RESULT.replace('from-port="2"', 'from-port="0"')),
        "to-output-port: a further edge of then_body leads to an output port": replaced(
            more, f'<edge from-layer="1" from-port="0" to-layer="2" to-port="2"/>\n        {more}'
        ),
        (
            "from-unknown-port-of-a-constant: "
            "an edge of then_body leads from port 1 of a constant, whose only port is 0"
        ): replaced(K_TO_OP, K_TO_OP.replace('from-port="0"', 'from-port="1"')),
        (
            "to-unknown-port-of-a-result: "
            "a further edge of then_body leads to port 1 of its Result, whose only port is 0"
        ): replaced(
            f"<edge {OP_TO_RESULT}/>",
            f'<edge {OP_TO_RESULT}/>\n          <edge from-layer="2" from-port="2" to-layer="3" to-port="1"/>',
        ),
        (
            "to-unknown-port-of-the-if: "
            "a further edge of the main network leads to port 5 of the If, which it does not have"
        ): replaced(edges("1:0>100:1"), edges("1:0>100:1 1:0>100:5")),
        "from-unknown-port-of-the-if: the edge out of the If leads from port 3, which it does not have": replaced(
            'from-layer="100" from-port="2"', 'from-layer="100" from-port="3"'
        ),
    }.items():
        yield plain.broken(case, edit, why=["ir-edges-by-ids"])


def one_edge_each() -> Iterator[Vector]:
    """An output that many layers read, then inputs without an edge or with two."""
    plain = adds_or_negates(f"{ONE_EDGE}one-each: one edge leads to each input", [ONE, BOTH])
    for case, made in {
        "operand-without-edge: no edge leads to the second input of the sum": fault(
            replaced(f"<edge {K_TO_OP}/>", ""), BOTH
        ),
        "result-without-edge: no edge leads to the Result of then_body": fault(
            replaced(f"<edge {OP_TO_RESULT}/>", ""), "operations-result-input"
        ),
        "main-result-without-edge: no edge leads to the Result of the main network": fault(
            replaced(edges("100:2>200:0"), ""), "operations-result-input"
        ),
        "if-input-without-edge: no edge leads to the input that both bodies read": fault(
            replaced(edges("1:0>100:1"), ""), "if-8-port-map"
        ),
        "operand-with-two: x and the constant lead to the second input of the sum": fault(
            replaced(
                f"<edge {K_TO_OP}/>",
                f'<edge {K_TO_OP}/>\n          <edge from-layer="0" from-port="0" to-layer="2" to-port="1"/>',
            ),
            BOTH,
        ),
        "result-with-two: the sum and the constant lead to the Result of then_body": fault(
            replaced(
                f"<edge {OP_TO_RESULT}/>",
                f'<edge {OP_TO_RESULT}/>\n          <edge from-layer="1" from-port="0" to-layer="3" to-port="0"/>',
            ),
            "operations-result-input",
        ),
        "if-input-with-two: x leads to both inputs of the If, cond to the first": fault(
            replaced(edges("0:0>100:0"), edges("0:0>100:0 1:0>100:0")), says("if-8-cond", "if-8-cond-required")
        ),
    }.items():
        yield plain.broken(case, made.edit, why=[*made.why, ONE])
    yield plain.varied(
        "same-edge-twice: an edge of then_body is there twice, word for word",
        replaced(f"<edge {K_TO_OP}/>", f"<edge {K_TO_OP}/>\n          <edge {K_TO_OP}/>"),
        why=["ir-topology", ONE],
        doubt="no page says whether the edges are a list or a set",
    )


def _in_front(part: str, layer: str) -> IrEdit:
    """The layer, which has no bodies, becomes the first of the body."""

    def edit(text: str) -> str:
        named = text.index(f'name="{layer}"')
        first = text.rindex("<layer ", 0, named)
        last = text.index("</layer>", named) + len("</layer>")
        moved, rest = text[first:last], text[:first] + text[last:]
        start = rest.index("<layers>", rest.index(f"<{part}>")) + len("<layers>")
        return f"{rest[:start]}\n          {moved}{rest[start:]}"

    return edit


def first_layer_has_an_edge() -> Iterator[Vector]:
    """An operation or a Result that is the first layer of its body."""
    for name, layer, what, edge, reads in [
        ("operation", "op2", "the operation", K_TO_OP, BOTH),
        ("result", "result3", "the Result", OP_TO_RESULT, "operations-result-input"),
    ]:
        first = adds_or_negates(
            f"{ONE_EDGE}{name}-first: {what} of then_body is its first layer",
            ["ir-topology", ONE],
            _in_front("then_body", layer),
        )
        yield first.broken(
            f"{name}-first-without-edge: "
            f"{what} of then_body is its first layer, and no edge leads to its last input; the run takes else_body",
            replaced(f"<edge {edge}/>", ""),
            why=[reads, ONE],
            runs=[{"cond": np.False_, "x": X}],
        )


def cycles() -> Iterator[Vector]:
    """Layers in any order, then layers that depend on themselves."""
    ordered = adds_or_negates(
        "openvino/ir/no-cycles/in-order: each layer comes after those that it reads", ["opsets-directed-graph"]
    )
    yield ordered.varied(
        "in-another-order: the operation of else_body comes after the Result that reads it",
        _swapped,
        why=["opsets-directed-graph", "ir-edges-by-ids"],
    )
    for case, edit in {
        "own-output: the operation of else_body reads its own output": replaced(
            'from-layer="0" from-port="0" to-layer="1" to-port="0"',
            'from-layer="1" from-port="1" to-layer="1" to-port="0"',
        ),
        "two-layers: two operations of else_body read each other's output": _in_a_ring,
        "if-takes-its-output: the If reads its own output as its second input": replaced(
            'from-layer="1" from-port="0" to-layer="100" to-port="1"',
            'from-layer="100" from-port="2" to-layer="100" to-port="1"',
        ),
        "cond-is-made-of-the-output: cond is computed from the output of the If": _cond_of_output,
    }.items():
        yield ordered.broken(case, edit, why=["opsets-directed-graph", "reader-no-cycles"])


def _backwards() -> Iterator[Vector]:
    """Three operations, each of which reads the next one in the file."""

    def chain(order: Sequence[int], *operators: str) -> Body:
        return body(
            [takes(1, 0), gives(2, 4)],
            parameter(0, "p", "f32[2]"),
            *(operation(id, operators[id - 1], ["f32[2]"], "f32[2]") for id in order),
            result(4, "f32[2]"),
            edges("0:0>1:0 1:1>2:0 2:1>3:0 3:1>4:0"),
        )

    forwards, backwards = (1, 2, 3), (3, 2, 1)
    for case, title, then_order, else_order in [
        ("operations-backwards-in-then", "then_body", backwards, forwards),
        ("operations-backwards-in-else", "else_body", forwards, backwards),
        ("operations-backwards-in-both", "both bodies", backwards, backwards),
    ]:
        yield no_cycles(
            f"{case}: in {title} each of three operations comes before the one that it reads",
            if_model(
                {"cond": "boolean[]", "x": "f32[2]"},
                {"y": "f32[2]"},
                chain(then_order, "ReLU", "Negative", "Abs"),
                chain(else_order, "Negative", "ReLU", "Abs"),
            ),
            # Of x = [1, -2], then computes |-[1, 0]|, else |[0, 2]|.
            branches({"x": floats(1, -2)}, then={"y": floats(1, 0)}, else_={"y": floats(0, 2)}),
            why=["opsets-directed-graph", "ir-edges-by-ids", "if-8-typical-network"],
        )


def _first_needs_another() -> Iterator[Vector]:
    """The first layer of a network reads the output of an operation, not only Parameters and constants."""
    float2 = "f32[2]"
    negative = applied("Negative", float2, to=2)
    yield no_cycles(
        "if-first: the If is the first layer of the file, and the layer that computes its cond is the last",
        net(
            if_layer(100, ["boolean[]", float2], {"y": float2}, negative, passed(float2, to=2)),
            parameter(0, "cond", "boolean[]"),
            parameter(1, "x", float2),
            result(200, float2),
            operation(2, "LogicalNot", ["boolean[]"], "boolean[]"),
            edges("0:0>2:0 2:1>100:0 1:0>100:1 100:2>200:0"),
        ),
        branches({"x": X}, then={"y": X}, else_={"y": -X}),
    )
    doubled = body(
        [takes(1, 0), gives(2, 3)],
        operation(2, "Negative", [float2], float2),
        parameter(0, "a", float2),
        operation(1, "Add", [float2, float2], float2),
        result(3, float2),
        edges("0:0>1:0 0:0>1:1 1:2>2:0 2:1>3:0"),
    )
    yield no_cycles(
        "operation-of-body-first: "
        "the operation that is the first layer of then_body reads the output of another operation",
        if_model({"cond": "boolean[]", "x": float2}, {"y": float2}, doubled, negative),
        branches({"x": X}, then={"y": -2 * X}, else_={"y": -X}),
    )


def _swapped(text: str) -> str:
    """The last two layers of else_body swap places."""
    first = text.index('<layer id="1" name="op1"')
    second = text.index('<layer id="2" name="result2"')
    end = text.index("</layer>", second) + len("</layer>")
    between = text[text.index("</layer>", first) + len("</layer>") : second]
    return text[:first] + text[second:end] + between + text[first:second].removesuffix(between) + text[end:]


def _layer(id: int, name: str, type_: str, port: str) -> str:
    """A layer with one input port, 0, and one output port, 1."""
    return (
        f'<layer id="{id}" name="{name}" type="{type_}" version="opset1"><input><port id="0"/></input>'
        f"<output>{port}</output></layer>"
    )


def _in_a_ring(text: str) -> str:
    """A second operation of else_body reads what the first computes, and vice versa."""
    port = '<port id="1" precision="FP32"><dim>2</dim></port>'
    return everywhere(
        (
            '<layer id="2" name="result2"',
            _layer(5, "op5", "Negative", port) + '\n          <layer id="2" name="result2"',
        ),
        (edges("0:0>1:0"), edges("5:1>1:0 1:1>5:0")),
    )(text)


def _cond_of_output(text: str) -> str:
    """cond is the output of the If, converted to boolean."""
    port = '<port id="1" precision="BOOL"><dim>2</dim></port>'
    convert = _layer(150, "converted", "Convert", port).replace("<input>", '<data destination_type="boolean"/><input>')
    return everywhere(
        ('<layer id="200"', convert + '\n    <layer id="200"'), (edges("0:0>100:0"), edges("150:1>100:0 100:2>150:0"))
    )(text)
