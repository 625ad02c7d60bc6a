"""The faults that an ONNX If can have, in it, beside it or in a branch of it: edits of the If of onnx_places.CHOICE."""

from collections.abc import Iterator, Mapping

from onnx import (
    AttributeProto,
    FunctionProto,
    GraphProto,
    ModelProto,
    NodeProto,
    StringStringEntryProto,
    TensorProto,
    helper,
)

from ifcert.authoring.faulty.table import BodyFault, Form, Table, fault
from ifcert.authoring.models import Edit, attribute, model, replaced
from ifcert.authoring.sources import says
from ifcert.authoring.values import floats

REQUIRED = says("if-then-branch-is-required", "if-else-branch-is-required")
FITS = says("proto-tensor-dims", "proto-raw-data")
UNIQUE_ATTRIBUTE = "ir-attribute-name"

# --- where the edits are made


def _homes(m: ModelProto) -> Iterator[GraphProto | FunctionProto]:
    """The graphs and functions of the model."""
    bodies: list[GraphProto | FunctionProto] = [m.graph, *m.functions]
    for body in bodies:  # grows as it goes
        yield body
        bodies += [each.g for node in body.node for each in node.attribute if each.HasField("g")]


def home_of(m: ModelProto) -> GraphProto | FunctionProto:
    """The graph, or the function, that holds the If."""
    return next(home for home in _homes(m) if any("size" in node.output for node in home.node))


def choice_of(m: ModelProto) -> NodeProto:
    """The If."""
    return next(node for node in home_of(m).node if node.op_type == "If" and "r" in node.output)


def then(m: ModelProto) -> GraphProto:
    """Its then branch."""
    return attribute(choice_of(m), "then_branch").g


def other(m: ModelProto) -> GraphProto:
    """Its else branch."""
    return attribute(choice_of(m), "else_branch").g


def stored(graph: GraphProto, name: str) -> TensorProto:
    """An initializer of a branch."""
    return next(tensor for tensor in graph.initializer if tensor.name == name)


# --- cond


def cond_is(*nodes: NodeProto) -> Edit:
    """Cond is the output of the last of these nodes, which come before the If."""

    def edit(m: ModelProto) -> None:
        for node in reversed(nodes):
            home_of(m).node.insert(0, node)
        choice_of(m).input[0] = nodes[-1].output[0]

    return edit


def constant(name: str, type_: int, dims: list[int], *held: float) -> NodeProto:
    """A Constant."""
    return helper.make_node("Constant", [], [name], value=helper.make_tensor("", type_, dims, held))


FLAG = constant("flag", TensorProto.BOOL, [], 1)

# --- the attributes of the If


def branch_missing(name: str) -> Edit:
    """The If has not this branch."""
    return lambda m: choice_of(m).attribute.remove(attribute(choice_of(m), name))


def then_twice(m: ModelProto) -> None:
    """The If has its then_branch again."""
    choice_of(m).attribute.add().CopyFrom(attribute(choice_of(m), "then_branch"))


def else_is_string(m: ModelProto) -> None:
    """Else_branch is a string."""
    branch = attribute(choice_of(m), "else_branch")
    branch.ClearField("g")
    branch.type = AttributeProto.STRING
    branch.s = b"else_graph"


def then_is_list(m: ModelProto) -> None:
    """Then_branch is a list of its graph."""
    branch = attribute(choice_of(m), "then_branch")
    branch.graphs.append(branch.g)
    branch.ClearField("g")
    branch.type = AttributeProto.GRAPHS


def unknown_attribute(m: ModelProto) -> None:
    """The If has an attribute that no version lists."""
    choice_of(m).attribute.add(name="maybe_branch", type=AttributeProto.INT, i=1)


def branch_unnamed(m: ModelProto) -> None:
    """Then's graph has no name."""
    then(m).name = ""


# --- types and declarations


def both_give_float8(m: ModelProto) -> None:
    """The bytes that the branches return are float8."""
    for graph, name in ((then(m), "e"), (other(m), "f")):
        stored(graph, name).data_type = TensorProto.FLOAT8E4M3FN
        graph.output[1].type.tensor_type.elem_type = TensorProto.FLOAT8E4M3FN


def declares(element: int, *dims: int) -> Edit:
    """The graph that holds the If declares this type for n."""
    return lambda m: home_of(m).value_info.append(helper.make_tensor_value_info("n", element, dims))


def t_declared(*elements: int) -> Edit:
    """Then declares these types for t."""
    return lambda m: then(m).value_info.extend(helper.make_tensor_value_info("t", each, [2]) for each in elements)


def in_opset_10(m: ModelProto) -> None:
    """The model and its functions import opset 10, in which If is of version 1."""
    for body in (m, *m.functions):
        body.opset_import[0].version = 10


def else_gives_three(m: ModelProto) -> None:
    """Else returns three bytes."""
    held = stored(other(m), "f")
    held.dims[0] = 3
    held.int32_data.append(5)
    other(m).output[1].type.tensor_type.shape.dim[0].dim_value = 3


# --- names and nodes


def captured_made_after(m: ModelProto) -> None:
    """The node that computes size is the last one."""
    home = home_of(m).node
    made = next(i for i, node in enumerate(home) if "size" in node.output)
    copy = NodeProto.FromString(home[made].SerializeToString())
    del home[made]
    home.append(copy)


def in_then(*node: NodeProto) -> Edit:
    """Then has these nodes, too."""
    return lambda m: then(m).node.extend(node)


def in_else(*node: NodeProto) -> Edit:
    """Else has these nodes, too."""
    return lambda m: other(m).node.extend(node)


def initializer_shadows(m: ModelProto) -> None:
    """The weights of then are named size."""
    then(m).initializer[0].name = "size"
    then(m).node[0].input[1] = "size"


def initializer_twice(m: ModelProto) -> None:
    """Then has its weights again."""
    then(m).initializer.add().CopyFrom(stored(then(m), "k"))


def initializer_unnamed(m: ModelProto) -> None:
    """Then has its weights again, without a name."""
    held = then(m).initializer.add()
    held.CopyFrom(stored(then(m), "k"))
    held.name = ""


def else_returns_nothing(m: ModelProto) -> None:
    """Else returns a name that nothing defines."""
    other(m).output[1].name = "absent"


def refers() -> NodeProto:
    """A Flatten whose axis is a reference to an attribute of a function."""
    node = helper.make_node("Flatten", ["v"], ["flat"])
    node.attribute.add(name="axis", type=AttributeProto.INT, ref_attr_name="axis")
    return node


def cast(**fields: object) -> NodeProto:
    """A Cast whose attribute has these fields."""
    node = helper.make_node("Cast", ["v"], ["number"])
    node.attribute.add(**fields)
    return node


# --- weights


def raw_weight_too_short(m: ModelProto) -> None:
    """The weights of then are the four bytes of one number."""
    held = stored(then(m), "k")
    held.ClearField("float_data")
    held.raw_data = floats(10).tobytes()


def negative_dim(m: ModelProto) -> None:
    """The weights of then have shape [-2]."""
    stored(then(m), "k").dims[0] = -2


def outside(**said: str) -> Edit:
    """The weights of then are in a file, which these keys and values name."""

    def edit(m: ModelProto) -> None:
        kept = stored(then(m), "k")
        kept.ClearField("float_data")
        kept.data_location = TensorProto.EXTERNAL
        kept.external_data.extend(StringStringEntryProto(key=key, value=held) for key, held in said.items())

    return edit


# --- a body and a call in then

LOOPED = """t = Add (v, k)
    lap = Loop <
        body = step (int64 j, bool more, float[2] l) => (bool go, float[2] l_out) {
            go = Not (more)
            l_out = Abs (l)
        }> ("", c, v)"""


def calls_twice(m: ModelProto) -> None:
    """Then calls a function of one input and one output, which the model has then."""
    then(m).node.append(helper.make_node("twice", ["v"], ["two"], domain="local"))
    body = [helper.make_node("Add", ["q", "q"], ["double"])]
    m.functions.append(helper.make_function("local", "twice", ["q"], ["double"], body, m.opset_import[:1]))
    if all(each.domain != "local" for each in m.opset_import):
        m.opset_import.add(domain="local", version=1)


# A function that has an If, and a branch in which it calls a function of another domain.
PICKED = model("""<opset_import: ["" : 16, "local" : 1, "other" : 1]>
    caller (bool c, float[2] v) => (float[2] y) { y = local.picked (c, v) }
    <domain: "local", opset_import: ["" : 16, "other" : 1]>
    picked (d, q) => (p) {
        p = If (d) <
            then_branch = then_picked () => (g) { g = Abs (q) },
            else_branch = else_picked () => (h) { h = other.minus (q) }>
    }
    <domain: "other", opset_import: ["" : 16]>
    minus (q) => (n) { n = Neg (q) }""")


def calls_picked(m: ModelProto) -> None:
    """Then calls the function with the If."""
    then(m).node.append(helper.make_node("picked", ["c", "v"], ["one"], domain="local"))
    m.functions.extend(PICKED.functions)
    imported = {each.domain for each in m.opset_import}
    m.opset_import.extend(each for each in PICKED.opset_import if each.domain not in imported)


def picked_imports_not(domain: str) -> Edit:
    """The function with the If does not import this operator set, which the model imports."""

    def edit(m: ModelProto) -> None:
        (picked,) = (each for each in m.functions if each.name == "picked")
        kept = [each for each in picked.opset_import if each.domain != domain]
        del picked.opset_import[:]
        picked.opset_import.extend(kept)

    return edit


def call_of(m: ModelProto) -> NodeProto:
    """The call in then."""
    return then(m).node[-1]


FORMS: Mapping[str, Form] = {
    "none": Form("there is none"),
    "none-with-loop": Form("there is none; then has a Loop", replaced("t = Add (v, k)", LOOPED), ["absent-operands"]),
    "none-with-call": Form("there is none; then calls a function", calls_twice),
    "none-with-call-of-if": Form(
        "there is none; then calls a function that has an If, in which it calls one of another domain", calls_picked
    ),
    "none-in-opset-10": Form("there is none; the opset is 10, and If of version 1", in_opset_10),
}

FAULTS: Mapping[str, BodyFault] = {
    "cond-is-float": fault(
        "if/cond-is-bool",
        "cond is a float",
        cond_is(constant("number", TensorProto.FLOAT, [], 1)),
        "if-cond-types-list",
    ),
    "cond-is-a-sequence": fault(
        "if/cond-is-bool",
        "cond is a sequence of one boolean",
        cond_is(FLAG, helper.make_node("SequenceConstruct", ["flag"], ["flags"])),
        "if-cond-types-list",
    ),
    "cond-has-two-elements": fault(
        "if/cond-single-element",
        "cond is a Constant of two elements",
        cond_is(constant("flags", TensorProto.BOOL, [2], 1, 1)),
        "if-cond-single-element",
    ),
    "cond-has-no-element": fault(
        "if/cond-single-element",
        "cond is a Constant of no element",
        cond_is(constant("flags", TensorProto.BOOL, [0])),
        "if-cond-single-element",
    ),
    "no-input": fault("if/one-input", "the If has no inputs", replaced("If (c)", "If ()"), "if-inputs"),
    "two-inputs": fault("if/one-input", "the If has a second input", replaced("If (c)", "If (c, v)"), "if-inputs"),
    "input-left-out": fault(
        "if/one-input",
        "the If's input is the empty name",
        lambda m: choice_of(m).input.__setitem__(0, ""),
        "if-inputs",
        "ir-left-out",
    ),
    "then-missing": fault(
        "if/both-branches-required", "the If has no then_branch", branch_missing("then_branch"), REQUIRED
    ),
    "else-missing": fault(
        "if/both-branches-required", "the If has no else_branch", branch_missing("else_branch"), REQUIRED
    ),
    "then-twice": fault("if/both-branches-required", "the If has then_branch twice", then_twice, UNIQUE_ATTRIBUTE),
    "else-is-string": fault("if/both-branches-required", "else_branch is a string", else_is_string, REQUIRED),
    "then-is-list": fault("if/both-branches-required", "then_branch is a list of one graph", then_is_list, REQUIRED),
    "unknown-attribute": fault(
        "if/both-branches-required", "the If has an attribute that If does not have", unknown_attribute, "ir-signature"
    ),
    "then-returns-less": fault(
        "if/output-count",
        "then returns one value, else and the If two",
        replaced("a, uint8[2] e)", "a)"),
        "if-then-branch-output-count",
    ),
    "else-returns-more": fault(
        "if/output-count",
        "else returns three values, then and the If two",
        replaced("b, uint8[2] f)", "b, uint8[2] f, float[2] s)"),
        "if-else-branch-output-count",
    ),
    "if-has-more": fault(
        "if/output-count",
        "the If has three outputs, the branches two",
        replaced("r, n = If", "r, n, more = If"),
        "ir-signature",
    ),
    "if-has-fewer": fault(
        "if/output-count", "the If has one output, the branches two", replaced("r, n = If", "r = If"), "ir-signature"
    ),
    "types-differ": fault(
        "if/same-data-type",
        "the branches return uint8 and int32",
        replaced("uint8[2] f) <float[2] w = {3, 5}, uint8[2]", "int32[2] f) <float[2] w = {3, 5}, int32[2]"),
        "if-same-data-type",
    ),
    "type-not-listed": fault(
        "if/types-of-opset",
        "the branches return float8, which If-16 does not list",
        both_give_float8,
        "if-types-16",
    ),
    "shapes-differ-in-opset-10": fault(
        "if/same-shape-in-opset-1",
        "the branches return two shapes, though If is of version 1",
        else_gives_three,
        "if-1-same-shape-and-type",
        of="none-in-opset-10",
    ),
    "declared-of-another-type": fault(
        "if/declared-type-agrees",
        "the If's output of uint8 is declared int8",
        declares(TensorProto.INT8, 2),
        "ir-value-info-type",
    ),
    "declared-of-another-shape": fault(
        "if/declared-shape-compatible",
        "the If's output of shape [2] is declared [3]",
        declares(TensorProto.UINT8, 3),
        "if-declared-shape-counterexample",
    ),
    "inner-value-declared-otherwise": fault(
        "model/declared-type-agrees",
        "then declares another type for its weights' output e, of uint8",
        lambda m: setattr(then(m).output[1].type.tensor_type, "elem_type", TensorProto.INT8),
        "ir-value-info-type",
    ),
    "declared-twice": fault(
        "model/value-info-is-distinct",
        "then declares its inner value twice, both times the same",
        t_declared(TensorProto.FLOAT, TensorProto.FLOAT),
        "proto-value-info-distinct",
    ),
    "then-takes-input": fault(
        "if/branches-take-no-inputs",
        "then has a formal input",
        replaced("then_graph () => (float[2] a", "then_graph (float[2] given) => (float[2] a"),
        says("if-inputs", "if-then-branch-runs", note="nothing is passed to the branches"),
    ),
    "captured-made-after": fault(
        "if/definition-before-use",
        "the value that the branches capture is computed after the If",
        captured_made_after,
        "ir-graph-sorted",
    ),
    "else-reads-then": fault(
        "if/no-leak",
        "else reads a value computed in then",
        replaced("b = Sub (s, size)", "b = Sub (t, size)"),
        "ir-node-input",
    ),
    "read-from-outside": fault(
        "if/no-leak",
        "a node after the If reads a value computed in else",
        replaced("z = Add (r, v)", "z = Add (r, s)"),
        "ir-node-input",
    ),
    "node-output-shadows": fault(
        "if/no-shadowing",
        "a node of else names its output with a name visible there",
        in_else(helper.make_node("Neg", ["s"], ["v"])),
        "ir-distinct-from-outer",
    ),
    "initializer-shadows": fault(
        "if/no-shadowing",
        "an initializer of then has a name visible there",
        initializer_shadows,
        "ir-distinct-from-outer",
    ),
    "calls-itself": fault(
        "if/no-function-recursion",
        "then calls the function that the If is in",
        lambda m: then(m).node.append(helper.make_node("unused", m.functions[1].input, ["again"], domain="local")),
        "proto-no-recursion",
    ),
    "reads-nothing": fault(
        "model/every-use-is-defined",
        "then reads a name that is not defined",
        replaced("t = Add (v, k)", "t = Add (v, absent)"),
        "ir-node-input",
    ),
    "returns-nothing": fault(
        "model/every-use-is-defined",
        "else returns a name that is not defined",
        else_returns_nothing,
        "ir-node-input",
    ),
    "node-reads-itself": fault(
        "model/no-cycles",
        "a node of then reads its own output",
        replaced("t = Add (v, k)", "t = Add (t, k)"),
        "ir-no-cycles",
    ),
    "defined-twice": fault(
        "model/one-definition-per-name",
        "two nodes of then define one name",
        in_then(helper.make_node("Neg", ["k"], ["t"])),
        "ir-unique-definition",
    ),
    "initializer-twice": fault(
        "model/one-definition-per-name",
        "then has two initializers of one name",
        initializer_twice,
        "ir-unique-definition",
    ),
    "initializer-unnamed": fault(
        "model/one-definition-per-name",
        "an initializer of then has no name",
        initializer_unnamed,
        "proto-initializer-named",
    ),
    "unknown-operator": fault(
        "model/operators-are-declared",
        "else has an operator that the opset does not have",
        replaced("s = Mul (v, w)", "s = Mull (v, w)"),
        "ir-operators-declared",
    ),
    "unknown-domain": fault(
        "model/operators-are-declared",
        "then has an operator of a domain that is not imported",
        in_then(helper.make_node("Neg", ["v"], ["minus"], domain="elsewhere")),
        "ir-operators-declared",
    ),
    "operator-of-later-opset": fault(
        "model/operators-are-declared",
        "else has a Mish, in opset 16, which does not have it yet",
        in_else(helper.make_node("Mish", ["v"], ["soft"])),
        "ir-operators-declared",
    ),
    "function-without-import": fault(
        "model/operators-are-declared",
        "the function that then calls does not import ONNX's operators, which it uses and the model imports",
        picked_imports_not(""),
        "proto-function-binds",
        "ir-function-opset-import",
        of="none-with-call-of-if",
    ),
    "function-without-import-of-domain": fault(
        "model/operators-are-declared",
        "the function that then calls does not import the domain of a function that it calls, which the model imports",
        picked_imports_not("other"),
        "proto-function-binds",
        "ir-function-opset-import",
        of="none-with-call-of-if",
    ),
    "branch-unnamed": fault("model/graphs-have-names", "then's graph has no name", branch_unnamed, "ir-graph-name"),
    "attribute-of-two-values": fault(
        "model/attribute-holds-one-value",
        "the attribute of a node of then is an integer and a float",
        in_then(cast(name="to", type=AttributeProto.INT, i=7, f=1.0)),
        "ir-attribute-one-value",
    ),
    "attribute-without-type": fault(
        "model/attribute-holds-one-value",
        "the attribute of a node of then has an integer and no type",
        in_then(cast(name="to", i=7)),
        "proto-attribute-type",
    ),
    "attribute-refers": fault(
        "model/attribute-reference",
        "a node of else refers to an attribute of a function, of which there is none",
        in_else(refers()),
        "proto-reference-in-function",
    ),
    "adds-two-types": fault(
        "model/operands-fit",
        "a node of else adds a float and a uint8",
        in_else(helper.make_node("Add", ["w", "f"], ["mixed"])),
        "ir-signature",
        "operators-add-same-type",
    ),
    "operand-missing": fault(
        "model/operands-fit",
        "an addition in then has one operand",
        in_then(helper.make_node("Add", ["v"], ["alone"])),
        "ir-signature",
    ),
    "loop-carries-less": fault(
        "model/operands-fit",
        "the Loop in then carries a value that its body does not take",
        replaced('("", c, v)', '("", c, v, v)'),
        "ir-signature",
        of="none-with-loop",
    ),
    "body-input-is-initializer": fault(
        "model/nested-input-is-no-initializer",
        "an input of the body of the Loop in then is its initializer, too",
        replaced(
            "float[2] l) => (bool go, float[2] l_out) {",
            "float[2] l, float[2] h) => (bool go, float[2] l_out) <float[2] h = {1, 2}> {",
        ),
        "ir-4-subgraph-input-no-initializer",
        of="none-with-loop",
    ),
    "call-passes-more": fault(
        "model/call-fits-function",
        "the call in then passes two values to a function of one input",
        lambda m: call_of(m).input.append("k"),
        "ir-signature",
        of="none-with-call",
    ),
    "call-takes-more": fault(
        "model/call-fits-function",
        "the call in then has two outputs, its function one",
        lambda m: call_of(m).output.append("more"),
        "ir-signature",
        of="none-with-call",
    ),
    "call-passes-attribute": fault(
        "model/call-fits-function",
        "the call in then passes an attribute to a function that has none",
        lambda m: call_of(m).attribute.append(helper.make_attribute("factor", 2.0)),
        says("ir-signature", note="the set of attributes"),
        "ir-function-signature-parts",
        of="none-with-call",
    ),
    "weight-too-short": fault(
        "model/tensor-data-fits-shape",
        "an initializer of else has too few numbers",
        replaced("{3, 5}, uint8[2]", "{3}, uint8[2]"),
        FITS,
    ),
    "raw-weight-too-short": fault(
        "model/tensor-data-fits-shape", "an initializer of then has too few raw bytes", raw_weight_too_short, FITS
    ),
    "negative-dim": fault("model/tensor-data-fits-shape", "an initializer of then has shape [-2]", negative_dim, FITS),
    "weight-file-missing": fault(
        "model/external-data",
        "the file of an initializer of then is not there",
        outside(location="weights.bin"),
        "external-location",
    ),
    "weight-above": fault(
        "model/external-data-in-folder",
        "the file of an initializer of then is outside the model's folder",
        outside(location="../weights.bin"),
        "external-no-parent",
    ),
}

# The rules with refused vectors that no fault of the table breaks.
A_FILE = "the fault is one of the file, not of a body"
A_PLACE = "the rule is one of the dimensions: place or around"
IN_MAIN = "it is about the main graph"
ELSEWHERE: Mapping[str, str] = {
    "if/constant-cond-same-result": "its faults are those of if/cond-single-element",
    "if/in-function": A_PLACE,
    "if/in-loop": A_PLACE,
    "if/in-scan": A_PLACE,
    "if/in-sequence-map": A_PLACE,
    "if/loop-in-branch": A_PLACE,
    "if/only-taken-branch-runs": A_PLACE,
    "if/no-state-between-runs": "it is about two runs of a session",
    "if/outer-scope-capture": "the shapes of values misfit, which is onnx/model/shapes-fit",
    "if/shape-union": "the trips of a Loop give the shapes",
    "if/version-of-opset": "its fault is that of if/same-shape-in-opset-1",
    "model/file-is-whole": A_FILE,
    "model/graph-required": A_FILE,
    "model/ir-version-required": A_FILE,
    "model/main-graph-has-types": IN_MAIN,
    "model/names-are-utf-8": A_FILE,
    "model/no-function-recursion": "its fault is that of if/no-function-recursion",
    "model/sequence-shape-is-of-all": "the If would have to return a sequence",
    "model/shapes-fit": "a misfit in a node that may never run is either (onnx/model/shapes-fit)",
    "model/shared-dims-agree": IN_MAIN,
    "model/unique-functions": "a body has no functions",
    "model/unknown-fields-are-skipped": A_FILE,
}

TABLE = Table(FORMS, FAULTS, ELSEWHERE)
