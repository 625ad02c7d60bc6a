"""Loops in a branch that no run takes: the model is illegal even so if they do not fit their bodies or signatures."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, attribute, edited, else_of, floats, model, replaced
from ifcert.authoring.faults import Faults, fault
from ifcert.authoring.models import Edit
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, helper

RULE = "onnx/model/operands-fit/"

LOOP = model("""
    unlooped (bool cond, int64 trips, float[2] x) => (float[2] y) <bool yes = {1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) {
                first, b = Loop (trips, yes, x, x) <
                    body = step (int64 i, bool on, float[2] v, float[2] w) => (bool go_on, float[2] v_out, float[2] u) {
                        go_on = Identity (on)
                        v_out = Add (v, x)
                        u = Neg (w)
                    }>
            }>
    }""")

SCAN = model("""<opset_import: ["" : 8]>
    unscanned (bool cond, float[1,2,2] x) => (float[1,2,2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[1,2,2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[1,2,2] b) {
                b = Scan <
                    num_scan_inputs = 1, body = step (float[2] e) => (float[2] shown) { shown = Add (e, e) }> ("", x)
            }>
    }""")

# The function is called in the untaken branch alone.
SCAN_CALLED = model("""<opset_import: ["" : 16, "local" : 1]>
    unscanned (bool cond, float[2,2] x) => (float[2,2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2,2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2,2] b) { b = local.scanned (x) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    scanned (v) => (r) {
        r = Scan <
            num_scan_inputs = 1, scan_input_axes = [1],
            body = step (e) => (shown) { shown = Add (e, e) }> (v)
    }""")

# The Loop carries nothing, so that it has no inputs but its trip count and cond.
STACKS = model("""
    unlooped (bool cond, int64 trips, float[2] x, float[1,2] rows) => (float[?,2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[1,2] a) { a = Neg (rows) },
            else_branch = else_graph () => (float[?,2] b) {
                b = Loop (trips, cond) <
                    body = step (int64 i, bool on) => (bool go_on, float[2] shown) {
                        go_on = Identity (on)
                        shown = Neg (x)
                    }>
            }>
    }""")

CARRIES = model("""
    unlooped (bool cond, int64 trips, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) {
                b = Loop (trips, cond, x) <
                    body = step (int64 i, bool on, float[2] v) => (bool go_on, float[2] v_out) {
                        go_on = Identity (on)
                        v_out = Abs (v)
                    }>
            }>
    }""")

STATE = model("""
    unscanned (bool cond, float[2] x, float[3,2] z) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) {
                b = Scan <
                    num_scan_inputs = 1,
                    body = step (float[2] s, float[2] e) => (float[2] s_out) { s_out = Add (s, e) }> (x, z)
            }>
    }""")

MAP = model("""<opset_import: ["" : 17]>
    unmapped (bool cond, float[2] x) => (float[2] y) <int64 last = {-1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) {
                s = SequenceConstruct (x)
                t = SequenceMap (s) <body = each (float[2] item) => (float[2] r) { r = Abs (item) }>
                b = SequenceAt (t, last)
            }>
    }""")

# Nothing tells the type of what then returns: Scan of version 8 stacks what its body returns.
BATCHES_OF_THEN = model("""<opset_import: ["" : 8]>
    scanned (bool cond, float[1,2,2] x) => (float[1,2,2] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) {
                a = Scan <num_scan_inputs = 1, body = step (float[2] e) => (float[2] g) { g = Add (e, e) }> ("", x)
            },
            else_branch = else_graph () => (b) { b = Neg (x) }>
    }""")


def _loop(m: ModelProto) -> NodeProto:
    return else_of(m).node[0]


def _body(m: ModelProto) -> GraphProto:
    return attribute(_loop(m), "body").g


def drops_a_carried_value(m: ModelProto) -> None:
    del _loop(m).output[0]


def gives_int64(m: ModelProto) -> None:
    _body(m).node[0].input[0] = "i"
    _body(m).output[0].type.tensor_type.elem_type = TensorProto.INT64


def trips_of_int32(m: ModelProto) -> None:
    m.graph.initializer.append(helper.make_tensor("three", TensorProto.INT32, [], [3]))
    _loop(m).input[0] = "three"


def negates_items(m: ModelProto) -> None:
    """The body of the SequenceMap returns Neg of its item."""
    attribute(else_of(m).node[1], "body").g.node[0].op_type = "Neg"


def maps_a_tensor(m: ModelProto) -> None:
    else_of(m).node[1].input[0] = "x"


def takes_two_items(m: ModelProto) -> None:
    body = attribute(else_of(m).node[1], "body").g
    body.input.append(helper.make_tensor_value_info("more", TensorProto.FLOAT, [2]))


def maps_to_sequences(m: ModelProto) -> None:
    mapped = else_of(m).node[1]
    body = attribute(mapped, "body").g
    mapped.output.insert(0, "all")
    body.node.append(helper.make_node("SequenceConstruct", ["item"], ["listed"]))
    body.output.insert(0, helper.make_tensor_sequence_value_info("listed", TensorProto.FLOAT, [2]))


def lengths_of_int32(m: ModelProto) -> None:
    m.graph.initializer.append(helper.make_tensor("lengths", TensorProto.INT32, [1], [2]))
    else_of(m).node[0].input[0] = "lengths"


def loop_returns_more(m: ModelProto) -> None:
    _body(m).node.append(helper.make_node("Neg", ["v"], ["minus"]))
    _body(m).output.append(helper.make_tensor_value_info("minus", TensorProto.FLOAT, [2]))


def list_of_bodies(m: ModelProto) -> None:
    body = attribute(_loop(m), "body")
    body.graphs.extend([body.g, body.g])
    body.type = AttributeProto.GRAPHS
    body.ClearField("g")


def stacks_sequences(m: ModelProto) -> None:
    _loop(m).output.append("all")
    _body(m).node.append(helper.make_node("SequenceConstruct", ["v"], ["s"]))
    _body(m).output.append(helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, [2]))


def returns_more(m: ModelProto) -> None:
    _body(m).node.append(helper.make_node("Neg", ["e"], ["minus"]))
    _body(m).output.append(helper.make_tensor_value_info("minus", TensorProto.FLOAT, [2]))


def takes_int64(node: int, operand: int) -> Edit:
    """The body of this node of else declares this input int64."""

    def edit(m: ModelProto) -> None:
        body = attribute(else_of(m).node[node], "body").g
        body.input[operand].type.tensor_type.elem_type = TensorProto.INT64

    return edit


_FAULTS: Faults = {
    "takes-more: the untaken branch has a Loop that carries two values, and its body takes five inputs": fault(
        replaced("w) => (bool go_on,", "w, float[2] more) => (bool go_on,"), "operators-loop-body-inputs"
    ),
    "drops-a-value: the untaken branch has a Loop that carries two values and returns one": fault(
        drops_a_carried_value, "operators-loop-outputs"
    ),
    "stacks-sequences: the untaken branch has a Loop whose body returns a sequence to be stacked": fault(
        stacks_sequences, "operators-loop-scan-outputs-are-tensors"
    ),
    "gives-int64: the untaken branch has a Loop whose body returns an int64 as cond": fault(
        gives_int64, "operators-loop-cond-type"
    ),
    "trips-of-float: the untaken branch has a Loop whose trip count is a float": fault(
        replaced("first, b = Loop (trips, yes, x, x) <", "first, b = Loop (x, yes, x, x) <"),
        "operators-loop-trip-count-type",
    ),
    "trips-of-int32: the untaken branch has a Loop whose trip count is an int32": fault(
        trips_of_int32, "operators-loop-trip-count-type"
    ),
    "cond-of-int64: the untaken branch has a Loop whose cond is an int64": fault(
        replaced("first, b = Loop (trips, yes, x, x) <", "first, b = Loop (trips, trips, x, x) <"),
        "operators-loop-cond-type",
    ),
    "returns-more: the untaken branch has a Loop that returns two values, and its body returns a third": fault(
        loop_returns_more, "operators-loop-body-outputs"
    ),
    "list-of-bodies: the untaken branch has a Loop whose attribute body is a list of two graphs": fault(
        list_of_bodies, "operators-loop-attributes"
    ),
}


def vectors() -> Iterator[Vector]:
    x = floats(1, -2)
    looped = Vector(
        RULE + "loop-in-untaken-branch-fits",
        "the untaken branch has a Loop that carries two values and returns both",
        ["ir-signature", "operators-loop-outputs"],
        LOOP,
        [Run({"cond": np.True_, "trips": np.int64(2), "x": x}, {"y": -x})],
    )
    for case, made in _FAULTS.items():
        yield looped.broken(f"loop-in-untaken-branch-{case}", made.edit, why=["ir-signature", *made.why])
    declared = looped.varied(
        "onnx/model/declared-type-agrees/second-carried-value: "
        "the untaken branch has a Loop whose body declares the second value that it is passed float, as it is",
        replaced("u = Neg (w)", "u = Abs (w)"),
        why=["ir-value-info-type"],
    )
    yield declared.broken(
        f"{declared.id}-int64: "
        "the untaken branch has a Loop whose body declares the second value that it is passed int64; it is float",
        replaced("float[2] w) =>", "int64[2] w) =>"),
    )
    batch = np.float32([[[1, 2], [3, 4]]])
    scanned = Vector(
        RULE + "scan-of-batches-in-untaken-branch-fits",
        "the untaken branch has a Scan of version 8 with one output, and its body returns one",
        ["ir-signature", "operators-scan-body-inputs-and-outputs"],
        SCAN,
        [Run({"cond": np.True_, "x": batch}, {"y": -batch})],
        about=["absent-operands"],
    )
    yield scanned.broken(
        "scan-of-batches-in-untaken-branch-returns-more: "
        "the untaken branch has a Scan of version 8 with one output, and its body returns two",
        returns_more,
    )
    yield scanned.broken(
        "scan-of-batches-in-untaken-branch-lengths-of-int32: "
        "the untaken branch has a Scan of version 8 whose lengths are int32",
        lengths_of_int32,
        why=["ir-signature", "operators-scan-8-lengths-type"],
    )
    square = floats([1, 2], [3, 4])
    called = Vector(
        RULE + "scan-in-function-fits",
        "a function that the untaken branch calls has a Scan of one input, along axis 1",
        ["ir-signature"],
        SCAN_CALLED,
        [Run({"cond": np.True_, "x": square}, {"y": -square})],
        also=["onnx/if/in-function"],
    )
    yield called.broken(
        "scan-in-function-two-axes: "
        "a function that the untaken branch calls has a Scan of one input, with two scan_input_axes",
        replaced("num_scan_inputs = 1, scan_input_axes = [1],", "num_scan_inputs = 1, scan_input_axes = [1, 0],"),
        why=["ir-signature", "operators-scan-input-axes-flags"],
    )
    mapped = Vector(
        RULE + "sequence-map-in-untaken-branch-of-a-sequence",
        "the untaken branch has a SequenceMap over a sequence, whose body returns a tensor",
        ["ir-signature", "operators-sequencemap-each-element"],
        edited(MAP, negates_items),
        [Run({"cond": np.True_, "x": x}, {"y": -x})],
    )
    yield mapped.broken(
        "sequence-map-in-untaken-branch-of-a-tensor: the untaken branch has a SequenceMap over a tensor",
        maps_a_tensor,
        why=["ir-signature", "operators-sequencemap-inputs"],
    )
    yield mapped.varied(
        "sequence-map-in-untaken-branch-takes-more: "
        "the untaken branch has a SequenceMap over one sequence, and its body takes two inputs",
        takes_two_items,
        why=["operators-sequencemap-counts"],
        doubt="the number of inputs only should match that of the body",
    )
    yield mapped.broken(
        "sequence-map-in-untaken-branch-gives-sequences: "
        "the untaken branch has a SequenceMap whose body returns a sequence for the first of two outputs",
        maps_to_sequences,
        why=["ir-signature", "operators-sequencemap-output-types"],
    )
    unknown = Vector(
        "onnx/if/declared-type-agrees/then-is-a-scan-of-batches",
        "then returns what a Scan of version 8 stacks, else floats, and the result is declared float",
        ["ir-value-info-type"],
        BATCHES_OF_THEN,
        [Run({"cond": np.False_, "x": batch}, {"y": -batch})],
        about=["absent-operands"],
    )
    yield unknown.broken(
        f"{unknown.id}-int64: "
        "then returns what a Scan of version 8 stacks, else floats, and the result is declared int64",
        replaced("(float[1,2,2] y)", "(int64[1,2,2] y)"),
    )


def _without_inputs() -> Iterator[Vector]:
    rows = floats([1, -2])
    stacked = Vector(
        RULE + "loop-in-untaken-branch-carries-nothing",
        "the untaken branch has a Loop that carries nothing, whose trip count and cond are given",
        ["ir-signature", "operators-loop-input-count"],
        STACKS,
        [Run({"cond": np.True_, "trips": np.int64(2), "x": rows[0], "rows": rows}, {"y": -rows})],
    )
    yield stacked
    for case, left in {
        "of-one-input: the untaken branch has a Loop with a trip count, and not even an empty name for cond": "trips",
        "of-no-input: the untaken branch has a Loop without inputs": "",
    }.items():
        yield stacked.varied(
            f"loop-in-untaken-branch-{case}",
            replaced("Loop (trips, cond)", f"Loop ({left})"),
            about=["unread-inputs"] if not left else [],
            doubt="trailing optional inputs may be left out, yet a Loop has at least two inputs",
        )


def _declared_inputs() -> Iterator[Vector]:
    """A body that declares another type for an input than the node passes."""
    x, z = floats(1, -2), floats([1, 2], [3, 4], [5, 6])
    given = {"cond": np.True_, "x": x}
    for name, (what, text, fed, sentence, faults) in {
        "loop": (
            "Loop",
            CARRIES,
            {"cond": np.True_, "trips": np.int64(2), "x": x},
            "operators-loop-body-inputs",
            [("carries-float-as-int64", "carries float, and its body takes int64", takes_int64(0, 2))],
        ),
        "scan": (
            "Scan",
            STATE,
            {**given, "z": z},
            "operators-scan-body-inputs-and-outputs",
            [
                ("state-of-int64", "has a float state, and its body takes int64", takes_int64(0, 0)),
                ("element-of-int64", "scans float, and its body takes int64", takes_int64(0, 1)),
            ],
        ),
        "sequence-map": (
            "SequenceMap",
            MAP,
            given,
            "operators-sequencemap-each-element",
            [("of-int64", "maps a sequence of float, and its body takes int64", takes_int64(1, 0))],
        ),
    }.items():
        twin = Vector(
            f"onnx/model/declared-type-agrees/{name}-in-untaken-branch",
            f"the body of a {what} in the untaken branch declares its inputs with the types that they get",
            ["ir-value-info-type", sentence],
            text,
            [Run(fed, {"y": -x})],
        )
        for case, title, edit in faults:
            yield twin.broken(f"{twin.id}-{case}: a {what} in the untaken branch {title}", edit)
        if name == "loop":
            unread = twin.varied(
                f"{twin.id}-does-not-read-its-cond: "
                "the body of a Loop in the untaken branch declares the cond that it is passed, which it does not read, "
                "bool, as it is",
                replaced("go_on = Identity (on)", "go_on = Identity (cond)"),
                why=["ir-value-info-type", "operators-loop-termination-condition", "operators-loop-cond-type"],
            )
            yield unread.broken(
                f"{twin.id}-cond-as-int64: "
                "a Loop in the untaken branch has a cond of bool, and its body takes int64, which it does not read",
                replaced("bool on, float[2]", "int64 on, float[2]"),
            )
