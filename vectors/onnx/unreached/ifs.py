"""Ifs that no run reaches: in a branch not taken, in a Loop's body without trips, in a function that is never called.

A model is valid or not before it runs, so these faults count too; a reader that looks at a graph only on entering it
misses them. Each place has one sound model, and each fault is one edit of the If there.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import Run, Vector, attribute, branches, edited, else_of, floats, model, replaced, says
from ifcert.authoring.faults import Faults, case_of, fault, with_fault
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, helper

THEN, ELSE = ("if-then-branch-runs", "if-else-branch-runs")

REQUIRED = says("if-then-branch-is-required", "if-else-branch-is-required")

FITS = says("proto-tensor-dims", "proto-raw-data")
X = floats(1, -2)

# The If that no run reaches, wherever it is. Its cond is given; it captures v and returns two unused values: r, two
# numbers, and n, two bytes.
CHOICE = """
            size = Abs (v)
            r, n = If (never) <
                then_branch = then_graph () => (float[2] a, uint8[2] e) <float[2] k = {10, 20}, uint8[2] e = {1, 2}> {
                    t = Add (v, k)
                    a = Add (t, size)
                },
                else_branch = else_graph () => (float[2] b, uint8[2] f) <float[2] w = {3, 5}, uint8[2] f = {3, 4}> {
                    s = Mul (v, w)
                    b = Sub (s, size)
                }>"""

BRANCH = model(f"""
    branched (bool cond, bool never, float[2] x, float[2] v) => (float[2] y) {{
        y = If (cond) <
            then_branch = taken () => (float[2] u) {{ u = Neg (x) }},
            else_branch = untaken () => (float[2] z) {{ {CHOICE}
                z = Add (r, x)
            }}>
    }}""")

LOOP = model(f"""
    looped (int64 trips, bool cond, bool never, float[2] x) => (float[2] y) {{
        y = Loop (trips, cond, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] z) {{ {CHOICE}
                on_out = Identity (on)
                z = Add (r, x)
            }}>
    }}""")

# The branches' types are known without any call: their results do not depend on v.
FUNCTION = model(f"""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y) {{ y = local.used (cond, x) }}
    <domain: "local", opset_import: ["" : 16]>
    used (c, v) => (r) {{
        r = If (c) <
            then_branch = then_used () => (a) {{ a = Neg (v) }},
            else_branch = else_used () => (b) {{ b = Abs (v) }}>
    }}
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    unused (never, v) => (z) {{ {CHOICE}
        z = Add (r, v)
    }}""")

# The type of one branch of unused depends on the call, which there is none of; that of the other does not.
ONE_TYPE_OPEN = """
    caller (bool cond, float[2] x) => (float[2] y) {{ y = local.used (cond, x) }}
    <domain: "local", opset_import: ["" : 13]>
    used (c, v) => (r) {{
        r = If (c) <
            then_branch = then_used () => (a) {{ a = Neg (v) }},
            else_branch = else_used () => (b) {{ b = Abs (v) }}>
    }}
    <domain: "local", opset_import: ["" : 13]>
    unused (c, v) => (r) {{
        r = If (c) <
            then_branch = then_unused () => (d) {{ {then} }},
            else_branch = else_unused () => (e) {{ {other} }}>
    }}"""


def home_of(m: ModelProto) -> list[NodeProto]:
    """The nodes of the graph or function that holds the If that never runs."""
    if m.functions:
        return m.functions[1].node
    node = m.graph.node[0]
    return (else_of(m) if node.op_type == "If" else attribute(node, "body").g).node


def choice_of(m: ModelProto) -> NodeProto:
    """The If that never runs."""
    return next(node for node in home_of(m) if node.op_type == "If")


def branch_of(m: ModelProto, name: str) -> GraphProto:
    """One of its branches."""
    return attribute(choice_of(m), name).g


def then(m: ModelProto) -> GraphProto:
    """Its then branch."""
    return branch_of(m, "then_branch")


def other(m: ModelProto) -> GraphProto:
    """Its else branch."""
    return branch_of(m, "else_branch")


# --- the faults, each an edit of the If that never runs


def cond_is_float(m: ModelProto) -> None:
    home_of(m).insert(0, helper.make_node("Constant", [], ["number"], value_float=1.0))
    choice_of(m).input[0] = "number"


def cond_is_a_sequence(m: ModelProto) -> None:
    home, flag = home_of(m), helper.make_tensor("", TensorProto.BOOL, [], [1])
    home.insert(0, helper.make_node("SequenceConstruct", ["flag"], ["flags"]))
    home.insert(0, helper.make_node("Constant", [], ["flag"], value=flag))
    choice_of(m).input[0] = "flags"


def cond_has_two_elements(m: ModelProto) -> None:
    home, flags = home_of(m), helper.make_tensor("", TensorProto.BOOL, [2], [1, 1])
    home.insert(0, helper.make_node("Constant", [], ["flags"], value=flags))
    choice_of(m).input[0] = "flags"


def cond_has_no_element(m: ModelProto) -> None:
    home, flags = home_of(m), helper.make_tensor("", TensorProto.BOOL, [0], [])
    home.insert(0, helper.make_node("Constant", [], ["flags"], value=flags))
    choice_of(m).input[0] = "flags"


def else_missing(m: ModelProto) -> None:
    del choice_of(m).attribute[1]


def then_twice(m: ModelProto) -> None:
    choice_of(m).attribute.add().CopyFrom(attribute(choice_of(m), "then_branch"))


def else_is_string(m: ModelProto) -> None:
    branch = attribute(choice_of(m), "else_branch")
    branch.ClearField("g")
    branch.type = AttributeProto.STRING
    branch.s = b"else_graph"


def unknown_attribute(m: ModelProto) -> None:
    choice_of(m).attribute.add(name="maybe_branch", type=AttributeProto.INT, i=1)


def both_give_float8(m: ModelProto) -> None:
    for graph in (then(m), other(m)):
        stored = next(tensor for tensor in graph.initializer if tensor.name in ("e", "f"))
        stored.data_type = TensorProto.FLOAT8E4M3FN
        graph.output[1].type.tensor_type.elem_type = TensorProto.FLOAT8E4M3FN


def captured_made_after(m: ModelProto) -> None:
    home = home_of(m)
    made = next(i for i, node in enumerate(home) if "size" in node.output)
    copy = NodeProto.FromString(home[made].SerializeToString())
    del home[made]
    home.append(copy)


def node_output_shadows(m: ModelProto) -> None:
    other(m).node.append(helper.make_node("Neg", ["s"], ["v"]))


def initializer_shadows(m: ModelProto) -> None:
    then(m).initializer[0].name = "size"
    then(m).node[0].input[1] = "size"


def defines_twice(m: ModelProto) -> None:
    then(m).node.append(helper.make_node("Neg", ["k"], ["t"]))


def branch_unnamed(m: ModelProto) -> None:
    then(m).name = ""


def raw_weight_too_short(m: ModelProto) -> None:
    stored = then(m).initializer[0]
    stored.ClearField("float_data")
    stored.raw_data = floats(10).tobytes()


def in_opset_10(m: ModelProto) -> None:
    """The model imports opset 10, in which If is of version 1."""
    m.opset_import[0].version = 10


def else_gives_three(m: ModelProto) -> None:
    stored = next(tensor for tensor in other(m).initializer if tensor.name == "f")
    stored.dims[0] = 3
    stored.int32_data.append(5)
    other(m).output[1].type.tensor_type.shape.dim[0].dim_value = 3


FAULTS: Faults = {
    "if/cond-is-bool/cond-is-float: its cond is float": fault(cond_is_float, "if-cond-types-list"),
    "if/cond-is-bool/cond-is-a-sequence: its cond is a sequence of one boolean": fault(
        cond_is_a_sequence, "if-cond-types-list"
    ),
    "if/cond-single-element/cond-has-two-elements: its cond is a Constant of two elements": fault(
        cond_has_two_elements, "if-cond-single-element"
    ),
    "if/cond-single-element/cond-has-no-element: its cond is a Constant of no element": fault(
        cond_has_no_element, "if-cond-single-element"
    ),
    "if/one-input/no-input: it has no inputs": fault(replaced("r, n = If (never) <", "r, n = If () <"), "if-inputs"),
    "if/one-input/two-inputs: it has a second input": fault(
        replaced("r, n = If (never) <", "r, n = If (never, v) <"), "if-inputs"
    ),
    "if/both-branches-required/else-missing: it has no else_branch": fault(else_missing, REQUIRED),
    "if/both-branches-required/then-twice: it has then_branch twice": fault(then_twice, "ir-attribute-name"),
    "if/both-branches-required/else-is-string: its else_branch is a string": fault(else_is_string, REQUIRED),
    "if/both-branches-required/unknown-attribute: it has an attribute that If does not have": fault(
        unknown_attribute, "ir-signature"
    ),
    "if/output-count/then-returns-less: then returns one value, else two": fault(
        replaced("a, uint8[2] e)", "a)"), "if-then-branch-output-count"
    ),
    "if/output-count/node-has-more: it has three outputs, the branches two": fault(
        replaced("r, n = If (never) <", "r, n, more = If (never) <"), "ir-signature"
    ),
    "if/same-data-type/types-differ: its branches return uint8 and int32": fault(
        replaced("uint8[2] f) <float[2] w = {3, 5}, uint8[2]", "int32[2] f) <float[2] w = {3, 5}, int32[2]"),
        "if-same-data-type",
    ),
    "if/declared-type-agrees/declared-of-another-type: its uint8 output is declared int8": fault(
        replaced("untaken () => (float[2] z)", "untaken () => (float[2] z) <int8[2] n>"), "ir-value-info-type"
    ),
    "if/declared-shape-compatible/declared-of-another-shape: its output of shape [2] is declared [3]": fault(
        replaced("untaken () => (float[2] z)", "untaken () => (float[2] z) <uint8[3] n>"),
        "if-declared-shape-counterexample",
    ),
    "if/types-of-opset/type-not-listed: its branches return float8, which If-16 does not list": fault(
        both_give_float8, "if-types-16"
    ),
    "if/branches-take-no-inputs/then-takes-input: then has a formal input": fault(
        replaced("() => (float[2] a,", "(float[2] given) => (float[2] a,"),
        says("if-inputs", "if-then-branch-runs", note="nothing is passed to the branches"),
    ),
    "if/definition-before-use/captured-made-after: the value that it captures is computed after it": fault(
        captured_made_after, "ir-graph-sorted"
    ),
    "if/no-leak/else-reads-then: else reads a value computed in then": fault(
        replaced("b = Sub (s, size)", "b = Sub (t, size)"), "ir-node-input"
    ),
    "if/no-leak/read-from-outside: a node after it reads a value computed in else": fault(
        replaced("z = Add (r, x)", "z = Add (r, s)"), "ir-node-input"
    ),
    "if/no-shadowing/node-output-shadows: a node of else names its output with a name visible there": fault(
        node_output_shadows, "ir-distinct-from-outer"
    ),
    "if/no-shadowing/initializer-shadows: an initializer of then has a name visible there": fault(
        initializer_shadows, "ir-distinct-from-outer"
    ),
    "model/every-use-is-defined/reads-nothing: then reads a name that is not defined": fault(
        replaced("t = Add (v, k)", "t = Add (v, absent)"), "ir-node-input"
    ),
    "model/one-definition-per-name/defined-twice: two nodes of then define one name": fault(
        defines_twice, "ir-unique-definition"
    ),
    "model/operators-are-declared/unknown-operator: else has an operator that the opset does not have": fault(
        replaced("s = Mul (v, w)", "s = Mull (v, w)"), "ir-operators-declared"
    ),
    "if/no-function-recursion/calls-itself: then calls the function that it is in": fault(
        replaced("a = Add (t, size)", "a = Add (t, size)  again = local.unused (never, v)"), "proto-no-recursion"
    ),
    "model/graphs-have-names/branch-unnamed: then's graph has no name": fault(branch_unnamed, "ir-graph-name"),
    "model/tensor-data-fits-shape/weight-too-short: an initializer of else has too few numbers": fault(
        replaced("{3, 5}, uint8[2]", "{3}, uint8[2]"), FITS
    ),
    "model/tensor-data-fits-shape/raw-weight-too-short: an initializer of then has too few raw bytes": fault(
        raw_weight_too_short, FITS
    ),
}

# Of a branch in a Loop's body, only names and types are checked: by the body's own scope or its own inference.
IN_LOOP = (
    "cond-is-float",
    "else-missing",
    "then-returns-less",
    "types-differ",
    "then-takes-input",
    "captured-made-after",
    "node-output-shadows",
    "reads-nothing",
)

# A function has no types of its own, so one that is never called is only checked for what needs no call.
IN_FUNCTION = (
    "no-input",
    "else-missing",
    "then-twice",
    "node-has-more",
    "types-differ",
    "then-takes-input",
    "captured-made-after",
    "else-reads-then",
    "initializer-shadows",
    "reads-nothing",
    "unknown-operator",
    "calls-itself",
)


def constant_is_bfloat16(m: ModelProto) -> None:
    branches = (then(m), other(m))
    (constant,) = (node for branch in branches for node in branch.node if node.op_type == "Constant")
    constant.attribute[0].t.CopyFrom(TensorProto(data_type=TensorProto.BFLOAT16, int32_data=[0x3F80]))


def _of_one_type() -> Iterator[Vector]:
    """Only one branch of the If in the function that is never called has a type without a call."""
    why = [says("if-13-types", note="of which none is bfloat16"), "ir-outer-scope"]
    for part, open_one, with_type in [
        ("else", "d = Identity (v)", "e = Constant <value = float {1}> ()"),
        ("then", "e = Identity (v)", "d = Constant <value = float {1}> ()"),
    ]:
        parts = (open_one, with_type) if part == "else" else (with_type, open_one)
        sound = Vector(
            f"onnx/if/types-of-opset/never-called-{part}-has-a-type",
            f"a function that is never called has an If: {part} returns a float, the other branch what it is passed",
            why,
            model(ONE_TYPE_OPEN.format(then=parts[0], other=parts[1]), 13, ir=8, domains={"local": 1}),
            branches({"x": X}, then={"y": -X}, else_={"y": np.abs(X)}),
            also=["onnx/if/in-function"],
        )
        yield sound.broken(
            f"{sound.id}-bfloat16: "
            f"a function that is never called has an If: {part} returns a bfloat16, which If-13 does not list, the "
            "other branch what it is passed",
            constant_is_bfloat16,
        )


def vectors() -> Iterator[Vector]:
    v = floats(4, 5)
    branch = Vector(
        "onnx/if/only-taken-branch-runs/never-run-if",
        "the untaken branch has an If of its own, without a fault",
        [THEN, ELSE],
        BRANCH,
        [Run({"cond": np.True_, "never": np.True_, "x": X, "v": v}, {"y": -X})],
    )
    loop = Vector(
        "onnx/if/in-loop/never-run-if",
        "the body of a Loop that makes no trip has an If, without a fault",
        ["ir-outer-scope"],
        LOOP,
        [Run({"trips": np.int64(0), "cond": np.True_, "never": np.True_, "x": X}, {"y": X})],
    )
    function = Vector(
        "onnx/if/in-function/never-called-if",
        "a function that is never called has an If, without a fault",
        ["ir-outer-scope"],
        FUNCTION,
        branches({"x": X}, then={"y": -X}, else_={"y": np.abs(X)}),
    )
    for twin, where, names in (
        (branch, "an If in an untaken branch; ", {case_of(written) for written in FAULTS} - {"calls-itself"}),
        (loop, "an If in the body of a Loop that makes no trip; ", IN_LOOP),
        (function, "an If in a function that is never called; ", IN_FUNCTION),
    ):
        for written, made in FAULTS.items():
            if case_of(written) in names:
                yield with_fault(twin, where, written, made)
    old = Vector(
        "onnx/if/only-taken-branch-runs/never-run-if-in-opset-ten",
        "the untaken branch has an If of version 1, whose branches return one shape",
        [THEN, ELSE],
        edited(BRANCH, in_opset_10),
        branch.runs,
    )
    shapes = old.broken(
        f"{old.id}-shapes-differ: an If of version 1 in an untaken branch: its branches return two shapes",
        else_gives_three,
        why=["if-1-same-shape-and-type", *old.why],
    )
    yield replace(shapes, also=["onnx/if/same-shape-in-opset-1"])
