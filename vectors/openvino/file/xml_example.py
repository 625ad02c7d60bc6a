"""The XML example that both texts of If-8 print, word for word, in a model of its own.

Its output has the port id 4, but the entries for it have 0. No sentence says which of the two an entry names, so both
are right. The draft writes opset7, in which If did not exist.
"""

from collections.abc import Iterator

from ifcert.authoring import Vector, branches, floats, says
from ifcert.authoring.ir import IrEdit, IrModel, as_in, replaced
from ifcert.authoring.ir_bodies import body, gives, if_model, takes
from ifcert.authoring.ir_patterns import IN_RANGE
from ifcert.authoring.ir_text import edges, net, operation, parameter, result

PORT_ID = says("if-8-external-port-id", "if-8-external-port-id-range")
ZERO = says("if-8-xml-example-then-map-output", note="of an output with port id 4")

RULE = "openvino/if/external-port-in-range/"
SHAPE = "f32[2,4]"
X = floats([1, 2, 3, 4], [5, 6, 7, 8])
Z = floats([10, 20, 30, 40], [50, 60, 70, 80])
W = floats([100, 200, 300, 400], [500, 600, 700, 800])

LAYER = """
<layer id="6" name="if/cond" type="If" version="opset8">
    <input>
        <port id="0"/>
        <port id="1">
            <dim>2</dim>
            <dim>4</dim>
        </port>
        <port id="2">
            <dim>2</dim>
            <dim>4</dim>
        </port>
        <port id="3">
            <dim>2</dim>
            <dim>4</dim>
        </port>
    </input>
    <output>
        <port id="4" names="if/cond/Identity:0,if/cond:0" precision="FP32">
            <dim>2</dim>
            <dim>4</dim>
        </port>
    </output>
    <then_port_map>
        <input external_port_id="1" internal_layer_id="0"/>
        <input external_port_id="2" internal_layer_id="1"/>
        <output external_port_id="0" internal_layer_id="3"/>
    </then_port_map>
    <else_port_map>
        <input external_port_id="1" internal_layer_id="0"/>
        <input external_port_id="3" internal_layer_id="1"/>
        <output external_port_id="0" internal_layer_id="3"/>
    </else_port_map>
    <then_body>
        <layers>
            <layer id="0" name="add_x" type="Parameter" version="opset1">
                <data element_type="f32" shape="2,4"/>
                <output>
                    <port id="0" names="add_x:0" precision="FP32">
                        <dim>2</dim>
                        <dim>4</dim>
                    </port>
                </output>
            </layer>
            <layer id="1" name="add_z" type="Parameter" version="opset1">
                <data element_type="f32" shape="2,4"/>
                <output>
                    <port id="0" names="add_z:0" precision="FP32">
                        <dim>2</dim>
                        <dim>4</dim>
                    </port>
                </output>
            </layer>
            <layer id="2" name="Add" type="Add" version="opset1">
                <data auto_broadcast="numpy"/>
                <input>
                    <port id="0">
                        <dim>2</dim>
                        <dim>4</dim>
                    </port>
                    <port id="1">
                        <dim>2</dim>
                        <dim>4</dim>
                    </port>
                </input>
                <output>
                    <port id="2" names="Add:0" precision="FP32">
                        <dim>2</dim>
                        <dim>4</dim>
                    </port>
                </output>
            </layer>
            <layer id="3" name="Identity/sink_port_0" type="Result" version="opset1">
                <input>
                    <port id="0">
                        <dim>2</dim>
                        <dim>4</dim>
                    </port>
                </input>
            </layer>
        </layers>
        <edges>
            <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
            <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
            <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
        </edges>
    </then_body>
    <else_body>
        <layers>
            <layer id="0" name="add_x" type="Parameter" version="opset1">
                <data element_type="f32" shape="2,4"/>
                <output>
                    <port id="0" names="add_x:0" precision="FP32">
                        <dim>2</dim>
                        <dim>4</dim>
                    </port>
                </output>
            </layer>
            <layer id="1" name="add_w" type="Parameter" version="opset1">
                <data element_type="f32" shape="2,4"/>
                <output>
                    <port id="0" names="add_w:0" precision="FP32">
                        <dim>2</dim>
                        <dim>4</dim>
                    </port>
                </output>
            </layer>
            <layer id="2" name="Add" type="Add" version="opset1">
                <data auto_broadcast="numpy"/>
                <input>
                    <port id="0">
                        <dim>2</dim>
                        <dim>4</dim>
                    </port>
                    <port id="1">
                        <dim>2</dim>
                        <dim>4</dim>
                    </port>
                </input>
                <output>
                    <port id="2" names="Add:0" precision="FP32">
                        <dim>2</dim>
                        <dim>4</dim>
                    </port>
                </output>
            </layer>
            <layer id="3" name="Identity/sink_port_0" type="Result" version="opset1">
                <input>
                    <port id="0">
                        <dim>2</dim>
                        <dim>4</dim>
                    </port>
                </input>
            </layer>
        </layers>
        <edges>
            <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
            <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
            <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
        </edges>
    </else_body>
</layer>
"""

MODEL = net(
    *(
        parameter(i, name, type_)
        for i, (name, type_) in enumerate([("cond", "boolean[]"), *((n, SHAPE) for n in "xzw")])
    ),
    LAYER.strip(),
    result(7, SHAPE),
    edges("0:0>6:0 1:0>6:1 2:0>6:2 3:0>6:3 6:4>7:0"),
)
# The first of the names of the output's port.
Y = "if/cond/Identity:0"
RUNS = branches({"x": X, "z": Z, "w": W}, then={Y: X + Z}, else_={Y: X + W})
OF_OUTPUT = 'external_port_id="0"'


def vectors() -> Iterator[Vector]:
    then_run, else_run = RUNS
    yield Vector(
        "openvino/if/then-when-true/seed-example",
        "the example of OpenVINO If-8 adds x and z where cond is true",
        ["if-8-example"],
        MODEL,
        [then_run],
    )
    yield Vector(
        "openvino/if/else-when-false/seed-example",
        "the example of OpenVINO If-8 adds x and w where cond is false",
        ["if-8-example"],
        MODEL,
        [else_run],
    )


def _only_output() -> Iterator[Vector]:
    by_zero = Vector(RULE + "seed-example", "0 denotes the only output, whose port id is 4", [ZERO], MODEL, RUNS)
    yield by_zero.varied(
        "seed-example-port-id: the output is named by its port id, 4", _in_both_maps("4"), why=[PORT_ID]
    )
    yield by_zero.varied(
        "seed-example-mixed: then_port_map has 0, else_port_map 4",
        replaced(OF_OUTPUT, 'external_port_id="4"', within="else_port_map"),
        doubt="each id is right by itself; no text has both in one If",
    )
    for port, title in [("1", "x's port"), ("3", "w's port")]:
        yield by_zero.varied(
            f"seed-example-{port}: the output is named by {port}, {title}",
            _in_both_maps(port),
            why=["if-8-external-port-id-range"],
            doubt=IN_RANGE,
        )
    yield by_zero.broken(
        "seed-example-5: the output is named by 5, which is not a port",
        _in_both_maps("5"),
        why=["if-8-external-port-id-range"],
    )
    yield by_zero.varied(
        "seed-example-of-the-draft: the If is of opset7, as the draft writes",
        replaced('version="opset8"', 'version="opset7"'),
        why=[says("if-draft-xml-example-layer", "if-draft-versioned-name")],
        doubt="the draft's XML has opset7, its title If-8, and opset7 has no If",
    )


def _in_both_maps(port: str) -> IrEdit:
    def edit(text: str) -> str:
        return text.replace(OF_OUTPUT, f'external_port_id="{port}"')

    return edit


def _several_outputs() -> Iterator[Vector]:
    """-x and x, for two outputs; read by the number of the output or by its port id."""

    def model(*ids: int) -> IrModel:
        first, second = ids
        negated_first = body(
            [takes(1, 0), gives(first, 2), gives(second, 3)],
            parameter(0, "a", SHAPE),
            operation(1, "Negative", [SHAPE], SHAPE),
            result(2, SHAPE),
            result(3, SHAPE),
            edges("0:0>1:0 1:1>2:0 0:0>3:0"),
        )
        doubled = body(
            [takes(1, 0), gives(first, 2), gives(second, 3)],
            parameter(0, "a", SHAPE),
            operation(1, "Add", [SHAPE, SHAPE], SHAPE),
            result(2, SHAPE),
            result(3, SHAPE),
            edges("0:0>1:0 0:0>1:1 1:2>2:0 0:0>3:0"),
        )
        return if_model({"cond": "boolean[]", "x": SHAPE}, {"y": SHAPE, "z": SHAPE}, negated_first, doubled)

    straight = branches({"x": X}, then={"y": -X, "z": X}, else_={"y": X + X, "z": X})
    crossed = branches({"x": X}, then={"y": X, "z": -X}, else_={"y": X, "z": X + X})
    right = Vector(RULE + "two-outputs-by-port-ids", "the outputs are ports 2 and 3", [PORT_ID], model(2, 3), straight)
    silent = "no text uses the numbers of several outputs instead of their port ids"
    for case, title, ids, runs in [
        ("by-numbers", "the outputs are named 0 and 1, not 2 and 3", (0, 1), straight),
        ("by-crossed-numbers", "the outputs are named 1 and 0, not 3 and 2", (1, 0), crossed),
    ]:
        yield Vector(RULE + f"two-outputs-{case}", title, [PORT_ID, ZERO], model(*ids), runs, doubt=silent)
    yield right.varied(
        "two-outputs-by-a-number-and-a-port-id: the outputs are named 0, the number of an output, and 3, a port id",
        as_in(model(0, 3)),
        why=[PORT_ID, "if-8-external-port-id-range", ZERO],
        doubt=IN_RANGE,
    )
    yield right.broken(
        "two-outputs-beyond-the-last: the second output is named 4, but the ports are 0 to 3",
        as_in(model(2, 4)),
        why=[PORT_ID, "if-8-external-port-id-range"],
    )
