"""Operators beside an If whose nodes or bodies do not keep to their own signatures."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, replaced, sequence, vectors_of
from ifcert.authoring.faults import Faults, fault
from ifcert.authoring.models import attribute, else_of
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper

NUMBER_ISSUE = issue("onnx/onnx", 8114, "shape inference computed with a num_scan_inputs that is out of range")

operands_fit = vectors_of("onnx/model/operands-fit", "ir-signature", "operators-scan-input-axes-range")

X = floats(1, -2)

LOOP = model("""
    looped (bool cond, int64 trips, float[2] x) => (float[2] final, float[?,2] all) <bool yes = {1}> {
        final, all = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out, float[2] shown) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (v, x) },
                    else_branch = else_graph () => (float[2] b) { b = Neg (v) }>
                shown = Identity (v_out)
            }>
    }""")

SCAN = model("""
    scanned (bool cond, float[2,2] x) => (float[2,2] all) {
        all = Scan <
            num_scan_inputs = 1, scan_output_axes = [1],
            body = step (float[2] e) => (float[2] shown) {
                shown = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (e, e) },
                    else_branch = else_graph () => (float[2] b) { b = Neg (e) }>
            }> (x)
    }""")

# The runs take the branch without the Scan.
UNTAKEN_SCAN = model("""
    unscanned (bool cond, float[2,2] x) => (float[2,2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2,2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2,2] b) {
                b = Scan <
                    num_scan_inputs = 1, scan_input_axes = [1], scan_output_axes = [1],
                    body = step (float[2] e) => (float[2] shown) { shown = Add (e, e) }> (x)
            }>
    }""")

# The trip count has the shape that is fed.
TRIPS = model("""
    looped (bool cond, float[2] x, int64[n] count, int64[r] to) => (float[2] final) <bool yes = {1}> {
        trips = Reshape (count, to)
        final = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (v, x) },
                    else_branch = else_graph () => (float[2] b) { b = Neg (v) }>
            }>
    }""")

STATES = model("""
    scanned (bool cond, float[2] x, float[3,2] z) => (float[2] first, float[2] second) {
        first, second = Scan <
            num_scan_inputs = 1,
            body = step (float[2] s, float[2] t, float[2] e) => (float[2] s_out, float[2] t_out) {
                s_out = If (cond) <
                    then_branch = then_graph () => (float[2] a) { a = Add (s, e) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (s, e) }>
                t_out = Neg (t)
            }> (x, x, z)
    }""")

CHOSEN = model("""<opset_import: ["" : 17]>
    chosen (seq(float[2]) s, seq(bool) flags) => (seq(float[2]) y) {
        y = SequenceMap (s, flags) <body = each (float[2] item, bool flag) => (float[2] r) {
            r = If (flag) <
                then_branch = then_graph () => (a) { a = Add (item, item) },
                else_branch = else_graph () => (b) { b = Neg (item) }>
        }>
    }""")

# Nothing declares the sequence's type.
MAPPED = model("""<opset_import: ["" : 17, "local" : 1]>
    caller (bool cond, seq(float[2]) s) => (int64 n) { n = local.mapped (cond, s) }
    <domain: "local", opset_import: ["" : 17]>
    mapped (c, s) => (n) {
        y = SequenceMap (s) <body = each (item) => (r) {
            r = If (c) <
                then_branch = then_graph () => (a) { a = Neg (item) },
                else_branch = else_graph () => (b) { b = Identity (item) }>
        }>
        n = SequenceLength (y)
    }""")

UNTAKEN_MAP = model("""<opset_import: ["" : 17]>
    unmapped (bool cond, seq(float[2]) s) => (int64 n) {
        n = If (cond) <
            then_branch = then_graph () => (int64 a) { a = SequenceLength (s) },
            else_branch = else_graph () => (int64 b) {
                p, q = SequenceMap (s) <
                    body = each (float[2] item) => (float[2] r, float[2] t) { r = Neg (item)  t = Abs (item) }>
                b = SequenceLength (q)
            }>
    }""")

GIVEN = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) { y = local.choose <given = 3> (cond, x) }
    <domain: "local", opset_import: ["" : 16]>
    choose <given> (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (a) {
                i = Constant <value_int: int = @given> ()
                j = Cast <to = 1> (i)
                a = Add (v, j)
            },
            else_branch = else_graph () => (b) {
                k = Constant <value_int: int = @given> ()
                m = Cast <to = 1> (k)
                b = Sub (v, m)
            }>
    }""")

CONSTANT = model("""
    chosen (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2] b) { k = Constant <value = float {3}> ()  b = Add (x, k) }>
    }""")


def vectors() -> Iterator[Vector]:
    looped = operands_fit(
        "loop-fits: a Loop around an If carries one value and stacks another",
        LOOP,
        branches(
            {"trips": np.int64(2), "x": X},
            then={"final": 3 * X, "all": np.stack([2 * X, 3 * X])},
            else_={"final": X, "all": np.stack([-X, X])},
        ),
        why=["ir-signature", "operators-loop-body-inputs", "operators-loop-body-outputs"],
        also=["onnx/if/in-loop"],
    )
    for case, made in _FAULTS_OF_LOOP.items():
        yield looped.broken(f"loop-{case}", made.edit, why=["ir-signature", *made.why])
    scanned = operands_fit(
        "scan-fits: a Scan stacks an If's results along axis 1",
        SCAN,
        Run({"cond": np.False_, "x": floats([1, 2], [3, 4])}, {"all": floats([-1, -3], [-2, -4])}),
        also=["onnx/if/in-scan"],
    )
    yield scanned.broken(
        "scan-output-axis: a Scan stacks an If's results, of rank 1, along axis 5",
        replaced("num_scan_inputs = 1, scan_output_axes = [1],", "num_scan_inputs = 1, scan_output_axes = [5],"),
    )
    yield scanned.broken(
        "scan-of-the-most-inputs: a Scan of one input says that it scans 2147483647",
        replaced("1, scan_output_axes", "2147483647, scan_output_axes"),
        why=["operators-scan-num-scan-inputs", "operators-scan-inputs", NUMBER_ISSUE],
    )
    square = floats([1, 2], [3, 4])
    untaken = operands_fit(
        "scan-in-untaken-branch-fits: the untaken branch has a Scan along axis 1",
        UNTAKEN_SCAN,
        Run({"cond": np.True_, "x": square}, {"y": -square}),
    )
    yield untaken.broken(
        "scan-in-untaken-branch-axis: the untaken branch has a Scan along axis 2 of a value of rank 2",
        replaced("[1], scan_output_axes", "[2], scan_output_axes"),
    )
    yield untaken.broken(
        "scan-in-untaken-branch-without-its-number: the untaken branch has a Scan without num_scan_inputs",
        number_left_out,
        why=["ir-signature", "operators-scan-attributes"],
    )
    yield untaken.broken(
        "scan-in-untaken-branch-stacks-sequences: "
        "the untaken branch has a Scan whose body returns a sequence to be stacked",
        stacks_sequences,
        why=["ir-signature", "operators-scan-types"],
    )
    yield untaken.broken(
        "scan-in-untaken-branch-carries-a-sequence: the untaken branch has a Scan with a state that is a sequence",
        carries_a_sequence,
        why=["ir-signature", "operators-scan-types"],
    )
    yield untaken.broken(
        "scan-in-untaken-branch-scans-a-sequence: the untaken branch has a Scan of two operands, and scans a sequence",
        scans_a_sequence,
        why=["ir-signature", "operators-scan-types"],
    )
    yield untaken.broken(
        "scan-in-untaken-branch-two-axes: the untaken branch has a Scan of one input, with two scan_input_axes",
        replaced("[1], scan_output_axes", "[1, 0], scan_output_axes"),
        why=["ir-signature", "operators-scan-input-axes-flags"],
    )
    for case, side, name, sentence in (
        ("two-directions", "input", "scan_input_directions", "operators-scan-input-flags"),
        ("two-output-directions", "output", "scan_output_directions", "operators-scan-output-flags"),
    ):
        yield untaken.broken(
            f"scan-in-untaken-branch-{case}: the untaken branch has a Scan of one {side}, with two {name}",
            replaced("> (x)", f", {name} = [0, 1]> (x)"),
            why=["ir-signature", sentence],
        )
    yield untaken.varied(
        "scan-in-untaken-branch-direction-two: the untaken branch has a Scan whose only direction is 2",
        replaced("> (x)", ", scan_input_directions: ints = [2] > (x)"),
        why=["ir-signature", "operators-scan-input-directions"],
        doubt="the text gives 0 and 1 a meaning, and does not say that there are no other directions",
    )
    yield untaken.broken(
        "scan-in-untaken-branch-output-axis: "
        "the untaken branch has a Scan that stacks values of rank 1 along axis 2: r is 2",
        replaced("scan_output_axes = [1],", "scan_output_axes = [2],"),
        why=["ir-signature", "operators-scan-input-axes-range"],
    )
    constant = operands_fit(
        "constant-fits: the untaken branch has a Constant with one value",
        CONSTANT,
        Run({"cond": np.True_, "x": X}, {"y": -X}),
        why=["ir-signature", "operators-constant-one-attribute"],
    )
    yield constant.broken(
        "constant-of-two-values: the untaken branch has a Constant with two values",
        replaced("k = Constant <value = float {3}> ()", "k = Constant <value = float {3}, value_float: float = 5> ()"),
    )
    yield constant.broken(
        "constant-of-no-value: the untaken branch has a Constant without a value", constant_has_no_value
    )
    yield constant.broken(
        "constant-list-is-a-tensor: the untaken branch has a Constant whose value_floats is a tensor",
        replaced("k = Constant <value = float {3}> ()", "k = Constant <value_floats = float {3}> ()"),
        why=["ir-signature", "operators-constant-value-floats"],
    )
    yield constant.broken(
        "sparse-value-of-an-integer: the untaken branch has a Constant whose sparse_value is an integer",
        sparse_value_is_integer,
        why=["ir-signature", "operators-constant-sparse-value"],
    )
    yield constant.broken(
        "constant-of-two-outputs: the untaken branch has a Constant with two outputs",
        replaced("k = Constant <value = float {3}> ()", "k, another = Constant <value = float {3}> ()"),
    )
    yield constant.broken(
        "first-operand-left-out: the branch that runs leaves out the first operand of a Reshape",
        else_reshapes_nothing,
        why=["ir-signature", "operators-reshape-input-count"],
        runs=[{"cond": np.False_, "x": X}],
    )


def _two_sequences() -> Iterator[Vector]:
    """A SequenceMap over items and conds."""
    two = sequence("tensor(float32)", [X, -X])
    on, off = np.True_, np.False_
    sound = operands_fit(
        "sequence-map-of-two: "
        "a SequenceMap over two sequences of two items; the second are the conds of an If in its body",
        CHOSEN,
        Run({"s": two, "flags": sequence("tensor(bool)", [on, off])}, {"y": sequence("tensor(float32)", [X + X, X])}),
        why=["operators-sequencemap-length"],
        also=["onnx/if/in-sequence-map"],
    )
    yield sound.refusing(
        "sequence-map-second-shorter: the second sequence of a SequenceMap has fewer items than the first",
        {"s": two, "flags": sequence("tensor(bool)", [on])},
        why=["operators-sequencemap-length", "operators-sequencemap-each-element"],
    )
    yield sound.varied(
        "sequence-map-second-longer: the second sequence of a SequenceMap has more items than the first",
        runs=[
            Run(
                {"s": two, "flags": sequence("tensor(bool)", [on, off, on])},
                {"y": sequence("tensor(float32)", [X + X, X])},
            )
        ],
        doubt='that it "should" have as many is no obligation; the length of the first determines how many are made',
    )


def _others() -> Iterator[Vector]:
    given = {"cond": np.True_, "x": X}
    trips = operands_fit(
        "loop-trips-scalar: the trip count is reshaped to a scalar, as is fed",
        TRIPS,
        Run({**given, "count": np.int64([2]), "to": np.zeros(0, np.int64)}, {"final": 3 * X}),
        why=["ir-signature", "operators-loop-trip-count-type"],
    )
    yield trips.refusing(
        "loop-trips-two: the trip count is reshaped to a list of two numbers, as is fed",
        {**given, "count": np.int64([2, 3]), "to": np.int64([2])},
    )
    states = operands_fit(
        "scan-states-fit: a Scan around an If has two states and returns both",
        STATES,
        Run({**given, "z": floats([1, 2], [3, 4], [5, 6])}, {"first": X + floats(9, 12), "second": -X}),
        why=["ir-signature", "operators-scan-body-inputs-and-outputs"],
        also=["onnx/if/in-scan"],
    )
    yield states.broken(
        "scan-states-left-out: a Scan has two states, and its node and body return one", second_state_left_out
    )
    items = sequence("tensor(float32)", [X, -X])
    mapped = operands_fit(
        "sequence-map-fits: the body of a SequenceMap in a function returns an If's result, a tensor",
        MAPPED,
        branches({"s": items}, then={"n": np.int64(2)}, else_={"n": np.int64(2)}),
        why=["ir-signature", "operators-sequencemap-types"],
        also=["onnx/if/in-sequence-map", "onnx/if/in-function"],
    )
    yield mapped.broken(
        "sequence-map-of-sequences: the body of a SequenceMap in a function returns a sequence",
        replaced("a = Neg (item)", "a = SequenceConstruct (item)"),
        replaced("b = Identity (item)", "b = SequenceConstruct (item)"),
    )
    unmapped = operands_fit(
        "sequence-map-in-untaken-branch-fits: the untaken branch has a SequenceMap, whose body returns two tensors",
        UNTAKEN_MAP,
        Run({"cond": np.True_, "s": items}, {"n": np.int64(2)}),
        why=["ir-signature", "operators-sequencemap-types"],
    )
    yield unmapped.broken(
        "sequence-map-in-untaken-branch-second-is-sequence: "
        "the untaken branch has a SequenceMap, whose body returns a tensor and a sequence",
        replaced("t = Abs (item)", "t = SequenceConstruct (item)"),
    )
    call = operands_fit(
        "attribute-given-as-its-type: a Constant in the untaken branch has an integer, which the call passes",
        GIVEN,
        Run(given, {"y": X + np.float32(3)}),
        why=["ir-signature", "operators-constant-one-attribute"],
        also=["onnx/if/in-function"],
    )
    yield call.broken(
        "attribute-given-as-another-type: a Constant in the untaken branch has a float, and the call passes an integer",
        replaced("k = Constant <value_int: int = @given> ()", "k = Constant <value_float: float = @given> ()"),
    )


def _loop(m: ModelProto) -> NodeProto:
    return m.graph.node[0]


def _body(m: ModelProto) -> GraphProto:
    return attribute(_loop(m), "body").g


def second_graph(m: ModelProto) -> None:
    result = helper.make_tensor_value_info("minus", TensorProto.FLOAT, [2])
    step = helper.make_graph([helper.make_node("Neg", ["x"], ["minus"])], "another", [], [result])
    _loop(m).attribute.append(helper.make_attribute("step", step))


def number_left_out(m: ModelProto) -> None:
    scan = else_of(m).node[0]
    scan.attribute.remove(attribute(scan, "num_scan_inputs"))


def stacks_sequences(m: ModelProto) -> None:
    scan = else_of(m).node[0]
    body = attribute(scan, "body").g
    scan.output.append("sequences")
    attribute(scan, "scan_output_axes").ints.append(0)
    body.node.append(helper.make_node("SequenceConstruct", ["e"], ["s"]))
    body.output.append(helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, [2]))


def carries_a_sequence(m: ModelProto) -> None:
    graph = else_of(m)
    graph.node.insert(0, helper.make_node("SequenceConstruct", ["x"], ["before"]))
    scan = graph.node[1]
    body = attribute(scan, "body").g
    scan.input.insert(0, "before")
    scan.output.insert(0, "after")
    body.input.insert(0, helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, None))
    body.node.append(helper.make_node("Identity", ["s"], ["s_out"]))
    body.output.insert(0, helper.make_tensor_sequence_value_info("s_out", TensorProto.FLOAT, None))


def scans_a_sequence(m: ModelProto) -> None:
    scan = else_of(m).node[0]
    scan.input.append("s")
    attribute(scan, "num_scan_inputs").i = 2
    attribute(scan, "scan_input_axes").ints.append(0)
    attribute(scan, "body").g.input.append(ValueInfoProto(name="other"))
    else_of(m).node.insert(0, helper.make_node("SequenceConstruct", ["x"], ["s"]))


def constant_has_no_value(m: ModelProto) -> None:
    del else_of(m).node[0].attribute[:]


def else_reshapes_nothing(m: ModelProto) -> None:
    other = else_of(m)
    attribute(other.node[0], "value").t.CopyFrom(helper.make_tensor("", TensorProto.INT64, [1], [2]))
    other.node[1].CopyFrom(helper.make_node("Reshape", ["", "k"], ["b"]))


def second_state_left_out(m: ModelProto) -> None:
    del m.graph.node[0].output[1], m.graph.output[1]
    del attribute(m.graph.node[0], "body").g.output[1]


def sparse_value_is_integer(m: ModelProto) -> None:
    constant = else_of(m).node[0]
    del constant.attribute[:]
    constant.attribute.append(helper.make_attribute("sparse_value", 3))


def body_gives_int64(m: ModelProto) -> None:
    body = _body(m)
    body.node[0].input[0] = "i"
    body.output[0].type.tensor_type.elem_type = TensorProto.INT64


_FAULTS_OF_LOOP: Faults = {
    "body-takes-more: the Loop's body takes four inputs, and the Loop carries one value": fault(
        replaced("v) => (bool on_out,", "v, float[2] more) => (bool on_out,"), "operators-loop-body-inputs"
    ),
    "has-more-outputs: the Loop has three outputs, and its body returns cond and two values": fault(
        replaced("final, all = Loop (trips, yes, x) <", "final, all, more = Loop (trips, yes, x) <"),
        "operators-loop-body-outputs",
    ),
    "body-misnamed: the Loop has no attribute body, and its graph is in an attribute step": fault(
        replaced("body = step (int64", "step = step (int64"), "operators-loop-attributes"
    ),
    "cond-of-int64: the Loop's cond is an int64, 1": fault(
        replaced("<bool yes = {1}>", "<int64 yes = {1}>"), "operators-loop-cond-type"
    ),
    "body-gives-int64: the Loop's body returns an int64 as cond, the trip number": fault(
        body_gives_int64, "operators-loop-cond-type"
    ),
    "two-graphs: the Loop has an attribute step beside its body, which is a graph too": fault(
        second_graph, "operators-loop-attributes"
    ),
}
