"""A branch has no formal inputs: it captures the values that it needs. A Loop in a branch has some, in their order."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, replaced, says, vectors_of
from ifcert.authoring.models import add_initializer, attribute, then_of
from onnx import ModelProto, TensorProto, helper

NO_INPUTS = says("if-inputs", "if-then-branch-runs", note="nothing is passed to the branches")

branches_take_no_inputs = vectors_of("onnx/if/branches-take-no-inputs", NO_INPUTS)

X = floats(1, -2)

CHOICE = model("""<opset_import: ["" : 13]>
    choice (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, x) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

BACKED = model("""<ir_version: 3, opset_import: ["" : 8]>
    backed (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, k) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")
then_of(BACKED).input.append(helper.make_tensor_value_info("k", TensorProto.FLOAT, [2]))
add_initializer(then_of(BACKED), "k", floats(10, 20))

OLD = model("""<ir_version: 3, opset_import: ["" : 8]>
    old (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, x) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

STORED = model("""<ir_version: 4, opset_import: ["" : 8]>
    stored (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[2] k = {10, 20}> { a = Add (x, k) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

LOOPED = model("""<ir_version: 3, opset_import: ["" : 9]>
    looped (bool cond, float[2] x) => (float[2] y) {
        trips = Constant <value = int64 {2}> ()
        yes = Constant <value = bool {1}> ()
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                a = Loop (trips, yes, x) <
                    body = step (int64 i, bool on, float[2] v, float[2] w) => (bool on_out, float[2] v_out)
                        { on_out = Identity (on)  v_out = Add (v, w) }>
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")
BODY = attribute(then_of(LOOPED).node[0], "body").g
add_initializer(BODY, "w", floats(10, 20))


def constant_before_state(m: ModelProto) -> None:
    inputs = attribute(then_of(m).node[0], "body").g.input
    v, w = inputs[2], inputs[3]
    v.name, w.name = w.name, v.name


def in_ir_4(m: ModelProto) -> None:
    m.ir_version = 4
    del attribute(then_of(m).node[0], "body").g.input[3]


def in_ir_3_form(m: ModelProto) -> None:
    body = attribute(then_of(m).node[0], "body").g
    body.input.append(helper.make_tensor_value_info("w", TensorProto.FLOAT, [2]))


def backed_by_floats_as_int64(m: ModelProto) -> None:
    then_of(m).input[0].type.tensor_type.elem_type = TensorProto.INT64


def then_takes_input(m: ModelProto) -> None:
    """Then has a formal input that it does not read, before any others."""
    then_of(m).input.insert(0, helper.make_tensor_value_info("given", TensorProto.FLOAT, [2]))


def vectors() -> Iterator[Vector]:
    doubled = branches({"x": X}, then={"y": X + X}, else_={"y": -X})
    added = branches({"x": X}, then={"y": floats(11, 18)}, else_={"y": -X})
    none = branches_take_no_inputs("no-inputs: neither branch has inputs", CHOICE, doubled)
    yield none.broken("then-has-input: then has a formal input", then_takes_input)
    yield none.broken(
        "else-has-input: else has a formal input",
        replaced("else_graph () => (float[2] b)", "else_graph (float[2] given) => (float[2] b)"),
    )
    backed = branches_take_no_inputs(
        "initializer-backed-in-ir-3: in IR version 3 then's initializer is one of its inputs too",
        BACKED,
        added,
        why=["ir-3-subgraph-input-and-initializer", issue("onnx/onnx", 3613, "the checker refused it")],
    )
    declared = replace(
        backed,
        id="onnx/model/declared-type-agrees/backed-input-of-branch",
        title="in IR version 3 then's initializer of floats is one of its inputs too, as floats",
        why=["ir-3-subgraph-input-and-initializer", "ir-value-info-type"],
        runs=[Run({"cond": np.False_, "x": X}, {"y": -X}), Run({"cond": np.True_, "x": 2 * X}, {"y": floats(12, 16)})],
    )
    yield declared.broken(
        f"{declared.id}-int64: in IR version 3 then's initializer of floats is one of its inputs too, as int64",
        backed_by_floats_as_int64,
    )
    yield backed.broken(
        "initializer-backed-and-not-in-ir-3: "
        "in IR version 3 then has two formal inputs, of which one is its initializer",
        then_takes_input,
        why=[NO_INPUTS],
    )
    old = branches_take_no_inputs("no-inputs-in-ir-3: in IR version 3 neither branch has inputs", OLD, doubled)
    yield old.broken(
        "then-has-input-in-ir-3: in IR version 3 then has a formal input without an initializer", then_takes_input
    )
    stored = branches_take_no_inputs(
        "initializer-in-ir-4: in IR version 4 then's initializer is not an input",
        STORED,
        added,
        why=["ir-4-subgraph-input-no-initializer"],
    )
    yield stored.broken(
        "initializer-backed-in-ir-4: in IR version 4 then's initializer is one of its inputs too",
        replaced("() => (float[2] a)", "(float[2] k) => (float[2] a)"),
    )
    after = "ir-3-constants-after-inputs"
    looped = Vector(
        "onnx/model/nested-input-is-no-initializer/loop-body-in-ir-3",
        "in IR version 3 a Loop's body in then lists its initializer after the values that the Loop passes",
        [
            "ir-3-subgraph-input-and-initializer",
            after,
            issue("onnx/onnx", 3613, "the checker refused such inputs of branches"),
        ],
        LOOPED,
        branches({"x": X}, then={"y": floats(21, 38)}, else_={"y": -X}),
    )
    yield looped.broken(
        f"{looped.id}-constant-first: "
        "in IR version 3 a Loop's body in then lists its initializer before the carried value",
        constant_before_state,
        why=[after],
    )
    fourth = looped.varied(
        "loop-body-in-ir-4: "
        "in IR version 4, the first with this rule, a Loop's body in then has an initializer that is not an input",
        in_ir_4,
        why=["ir-4-subgraph-input-no-initializer"],
    )
    yield fourth.broken(
        f"{fourth.id}-input-and-initializer: "
        "in IR version 4 a Loop's body in then lists its initializer after the values that the Loop passes",
        in_ir_3_form,
    )
