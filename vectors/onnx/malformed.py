"""Files that are no model, and models that break the rules of the IR around an If."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Source, Vector, edited, else_of, model, then_of
from ifcert.authoring.models import Edit
from ifcert.authoring.sources import external_data, ir, issue, operator_schema, proto
from onnx import ModelProto, StringStringEntryProto, TensorProto, helper

ONE_DEFINITION = ir("Nodes: 'A value name used in a graph must have a unique definition'")
SSA = ir("Nodes: 'The graph MUST use single static assignment for all node outputs'")
MUST_REFER = ir("Nodes, input: 'It must refer to either a graph input, a graph initializer or a node output.'")
NO_CYCLES = ir("Nodes: 'Node dependencies MUST NOT create cycles in the computation graph.'")
DECLARED = ir(
    "Operators: 'Each operator used within a graph MUST be explicitly declared by one of the operator sets "
    "imported by the model.'"
)
IMPORTED = ir("Models, opset_import: 'An implementation must support all operators in the set or reject the model.'")
AT_LEAST_ONE = proto(
    "ModelProto.opset_import: 'All ModelProtos MUST have at least one entry that specifies which version of the ONNX "
    "OperatorSet is being imported.'"
)
IMPLICIT = ir("Operator Sets: 'All models implicitly import the default ONNX operator set.'")
NAMED = ir("Graphs: 'Each graph MUST specify a name.'")
SIZES = ir(
    "Tensor Definition: 'S is the shape of the tensor (a list of non-negative integers) and V is a list of "
    "values with length equal to the product of the dimensions in S'"
)
LOCATION = external_data("external_data field, location: 'Up-directory path components such as .. are disallowed'")
RELATIVE = external_data(
    "external_data field, location: 'file path relative to the filesystem directory where the ONNX protobuf "
    "model was stored'"
)
RANGE = external_data(
    "external_data field, offset: 'position of byte at which stored data begins', "
    "length: 'number of bytes containing data'"
)
VALUE_INFO = ir("Graphs, value_info: 'Used to store the type and shape information of values'")
GRAPH = ir("Models, graph: 'The parameterized graph that is evaluated to execute the model.'")
WIRE = Source(
    "Protocol Buffers, Encoding",
    "Length-Delimited Records: the length says how many bytes follow; a file that ends before them is malformed",
)
OWN_TYPE = Source(
    "Protocol Buffers, Encoding",
    "Message Structure: wire types 0 to 5; Base 128 Varints: at most ten bytes; Groups: START and END come in pairs",
)
UNKNOWN = Source(
    "Protocol Buffers, Language Guide, Unknown Fields",
    "fields that the parser does not recognize are well-formed data and are kept or skipped",
)

X = np.float32([1, -2])

CHOICE = model(
    16,
    """
    choice (bool cond, float[2] x) => (float[2] y) <float[2] k = {10, 20}> {
        size = Abs (x)
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { inner = Add (x, size)  a = Add (inner, k) },
            else_branch = else_graph () => (float[2] b) { other = Neg (x)  b = Sub (other, k) }>
    }""",
)
RUNS = [
    Run({"cond": np.True_, "x": X}, {"y": np.float32([12, 20])}),
    Run({"cond": np.False_, "x": X}, {"y": np.float32([-11, -18])}),
]


# A body with an initializer, and what it returns stays the same if that takes the name of a formal input.
LOOPED = model(
    16,
    """
    looped (bool cond, float[2] x) => (float[2] y) <int64 trips = {2}, bool yes = {1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                a = Loop (trips, yes, x) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out)
                        <float[2] w = {10, 20}> { on_out = Identity (on)  v_out = Add (v, w) }>
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""",
)

SCANNED = model(
    16,
    """
    scanned (bool cond, float[2] x, float[n,2] rows) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                a = Scan <
                    num_scan_inputs = 1,
                    body = step (float[2] v, float[2] e) => (float[2] v_out)
                        <float[2] w = {10, 20}> { t = Add (v, w)  v_out = Add (t, e) }> (x, rows)
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""",
)

FUNCTIONS = model(
    16,
    """
    caller (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.first <to = 1> (x) },
            else_branch = else_graph () => (float[2] b) { b = Cast <to = 1> (x) }>
    }
    <domain: "local", opset_import: ["" : 16]>
    second (v) => (r) { t = Neg (v)  r = Abs (t) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    first <to> (v) => (r) { t = local.second (v)  r = Cast <to: int = @to> (t) }""",
    domains={"local": 1},
)
CALLED = [Run({"cond": np.True_, "x": X}, {"y": np.abs(X)}), Run({"cond": np.False_, "x": X}, {"y": X})]


def vectors() -> Iterator[Vector]:
    """One kind of fault after the other, each beside the same sound model."""
    yield from _definitions()
    yield from _bodies()
    yield from _functions()
    yield from _types()
    yield from _uses()
    yield from _cycles()
    yield from _operators()
    yield from _names()
    yield from _tensors()
    yield from _files()
    yield from _external()


def sound(rule: str, why: list) -> Vector:
    """The model without fault, as this rule's twin."""
    return Vector(rule + "sound", "the model without fault", why, CHOICE, RUNS)


# --- definitions and uses


def _definitions() -> Iterator[Vector]:
    rule = "onnx/model/one-definition-per-name/"
    twin = sound(rule, [ONE_DEFINITION, SSA])
    yield twin
    yield twin.broken(rule + "two-nodes", "two nodes of the main graph define size", main_defines_twice)
    yield twin.broken(rule + "two-nodes-in-branch", "two nodes of then define inner", then_defines_twice)
    yield twin.broken(
        rule + "node-and-graph-input", "a node of the main graph defines the graph input x", main_defines_input
    )
    yield twin.broken(
        rule + "node-and-initializer", "a node of the main graph defines the initializer k", main_defines_initializer
    )
    yield twin.broken(rule + "two-initializers", "the main graph has two initializers k", two_initializers)
    yield twin.broken(rule + "two-graph-inputs", "the main graph has two inputs x", two_graph_inputs)


def two_initializers(m: ModelProto) -> None:
    """A second initializer k, with other values."""
    again = m.graph.initializer.add()
    again.CopyFrom(m.graph.initializer[0])
    again.float_data[:] = [30, 40]


def two_graph_inputs(m: ModelProto) -> None:
    """A second input x, just like the first."""
    m.graph.input.add().CopyFrom(m.graph.input[1])


def _bodies() -> Iterator[Vector]:
    rule = "onnx/model/nested-input-is-no-initializer/"
    subgraph = ir(
        "Nodes: 'In models with IR version >= 4, in nested subgraphs used as attribute values, users MUST NOT use the "
        "same name as both a subgraph initializer and subgraph input unless the corresponding op's specification "
        "explicitly allows it.'"
    )
    field = issue("microsoft/onnxruntime", 32609, "memory behind a buffer was read")
    looped = Vector(
        rule + "loop-body",
        "a Loop in then, whose body has an initializer",
        [subgraph],
        LOOPED,
        [Run({"cond": np.True_, "x": X}, {"y": np.float32([21, 38])}), Run({"cond": np.False_, "x": X}, {"y": -X})],
    )
    rows = np.float32([[1, 2], [3, 4]])
    scanned = Vector(
        rule + "scan-body",
        "a Scan in then, whose body has an initializer",
        [subgraph],
        SCANNED,
        [
            Run({"cond": np.True_, "x": X, "rows": rows}, {"y": np.float32([25, 44])}),
            Run({"cond": np.False_, "x": X, "rows": rows}, {"y": -X}),
        ],
    )
    for twin, kind in ((looped, "Loop"), (scanned, "Scan")):
        yield twin
        yield twin.broken(
            f"{twin.id}-input-and-initializer",
            f"the initializer of the {kind}'s body has the name of one of the body's inputs",
            body_initializer_is_input,
            why=[subgraph, field],
        )


def body_initializer_is_input(m: ModelProto) -> None:
    """The body's initializer w is named v, as the carried value is."""
    body = next(given.g for given in then_of(m).node[0].attribute if given.name == "body")
    body.initializer[0].name = "v"
    for node in body.node:
        node.input[:] = ["v" if name == "w" else name for name in node.input]


def _functions() -> Iterator[Vector]:
    rule = "onnx/model/unique-functions/"
    unique = proto(
        "ModelProto.functions: 'The (domain, name, overload) tuple must be unique across the function protos in this "
        "list.'"
    )
    twin = Vector(rule + "sound", "two functions with two names, called from a branch", [unique], FUNCTIONS, CALLED)
    yield twin
    yield twin.broken(
        rule + "same-name-twice", "the model has two functions second, unlike each other", second_function
    )
    rule = "onnx/model/no-function-recursion/"
    recursion = proto("ModelProto.functions: 'recursive reference is not allowed'")
    twin = Vector(rule + "sound", "a function calls another", [recursion], FUNCTIONS, CALLED)
    yield twin
    yield twin.broken(rule + "calls-itself", "a function calls itself, not through any branch", calls_itself)
    yield twin.broken(
        rule + "calls-each-other", "two functions call each other, not through any branch", calls_each_other
    )
    rule = "onnx/model/attribute-reference/"
    only = proto("AttributeProto.ref_attr_name: 'This should ONLY be used in function (sub-graph).'")
    twin = Vector(rule + "sound", "a node of a function refers to its attribute", [only], FUNCTIONS, CALLED)
    yield twin
    yield twin.broken(
        rule + "in-branch-of-main-graph", "a node of else, in the main graph, refers to an attribute", reference_in_else
    )


def second_function(m: ModelProto) -> None:
    """Another function second, which negates."""
    again = m.functions.add()
    again.CopyFrom(m.functions[0])
    del again.node[1]
    again.node[0].output[0] = "r"


def calls_itself(m: ModelProto) -> None:
    """first calls first where it called second."""
    m.functions[1].node[0].op_type = "first"


def calls_each_other(m: ModelProto) -> None:
    """second calls first, which calls second."""
    m.functions[0].node[0].op_type = "first"
    m.functions[0].node[0].domain = "local"
    m.functions[0].opset_import.add(domain="local", version=1)


def reference_in_else(m: ModelProto) -> None:
    """Else's Cast refers to an attribute; no function is around it."""
    to = else_of(m).node[0].attribute[0]
    to.ClearField("i")
    to.ref_attr_name = "to"


def _types() -> Iterator[Vector]:
    rule = "onnx/model/declared-type-agrees/"
    twin = sound(rule, [VALUE_INFO]).varied(rule + "sound", "then declares its inner value", inner_declared(1))
    yield twin
    yield twin.broken(
        rule + "inner-value-of-branch",
        "then declares its inner value int64, which a node makes float",
        inner_declared(7),
    )
    rule = "onnx/model/operands-fit/"
    fits = operator_schema("Not, Neg: the types of the operand X")
    twin = sound(rule, [fits])
    yield twin
    yield twin.broken(rule + "not-of-float-in-branch", "else applies Not to floats", not_of_float)


def inner_declared(element: int) -> Edit:
    """Then's value_info declares inner with this element type."""

    def edit(m: ModelProto) -> None:
        then = then_of(m)
        del then.value_info[:]
        then.value_info.append(helper.make_tensor_value_info("inner", element, [2]))

    return edit


def not_of_float(m: ModelProto) -> None:
    """Else's Neg becomes Not."""
    else_of(m).node[0].op_type = "Not"


def main_defines_twice(m: ModelProto) -> None:
    """A second node, just like the first, defines size again."""
    m.graph.node.insert(1, helper.make_node("Abs", ["x"], ["size"]))


def then_defines_twice(m: ModelProto) -> None:
    """A second node of then, just like the first, defines inner again."""
    then_of(m).node.insert(1, helper.make_node("Add", ["x", "size"], ["inner"]))


def main_defines_input(m: ModelProto) -> None:
    """A node that nobody needs has an output named x."""
    m.graph.node.insert(1, helper.make_node("Neg", ["size"], ["x"]))


def main_defines_initializer(m: ModelProto) -> None:
    """A node that nobody needs has an output named k."""
    m.graph.node.insert(1, helper.make_node("Neg", ["size"], ["k"]))


def _uses() -> Iterator[Vector]:
    rule = "onnx/model/every-use-is-defined/"
    twin = sound(rule, [MUST_REFER])
    yield twin
    yield twin.broken(
        rule + "main-reads-nothing", "a node of the main graph reads a name that nobody defines", main_reads_nothing
    )
    yield twin.broken(
        rule + "then-reads-nothing", "a node of then reads a name that nobody defines", then_reads_nothing
    )
    yield twin.broken(rule + "else-returns-nothing", "else returns a name that nobody defines", else_returns_nothing)
    yield twin.broken(
        rule + "main-returns-nothing", "the main graph returns a name that nobody defines", main_returns_nothing
    )


def main_reads_nothing(m: ModelProto) -> None:
    """Abs reads a name that is not there."""
    m.graph.node[0].input[0] = "absent"


def then_reads_nothing(m: ModelProto) -> None:
    """Then's first Add reads a name that is not there."""
    then_of(m).node[0].input[0] = "absent"


def else_returns_nothing(m: ModelProto) -> None:
    """Else's output is a name that is not there."""
    else_of(m).output[0].name = "absent"


def main_returns_nothing(m: ModelProto) -> None:
    """The main graph's output is a name that is not there."""
    m.graph.output[0].name = "absent"


def _cycles() -> Iterator[Vector]:
    rule = "onnx/model/no-cycles/"
    twin = sound(rule, [NO_CYCLES])
    yield twin
    yield twin.broken(rule + "node-reads-itself", "then's first node reads its own output", node_reads_itself)
    yield twin.broken(rule + "two-nodes-in-branch", "two nodes of else read each other", nodes_read_each_other)
    yield twin.broken(
        rule + "through-a-branch",
        "a branch captures a value that is made from the If's own output",
        branch_closes_cycle,
    )


def node_reads_itself(m: ModelProto) -> None:
    """inner = Add (inner, size)."""
    then_of(m).node[0].input[0] = "inner"


def nodes_read_each_other(m: ModelProto) -> None:
    """other = Neg (b), b = Sub (other, k)."""
    else_of(m).node[0].input[0] = "b"


def branch_closes_cycle(m: ModelProto) -> None:
    """size = Abs (y), which then captures to make y."""
    m.graph.node[0].input[0] = "y"


def _operators() -> Iterator[Vector]:
    rule = "onnx/model/operators-are-declared/"
    twin = sound(rule, [DECLARED, IMPORTED])
    yield twin
    yield twin.broken(
        rule + "unknown-operator", "the main graph has an operator that the opset does not", unknown_operator
    )
    yield twin.broken(
        rule + "unknown-operator-in-branch", "else has an operator that the opset does not", unknown_in_else
    )
    yield twin.broken(
        rule + "domain-not-imported", "then has an operator of a domain that is not imported", foreign_domain
    )
    yield twin.broken(
        rule + "operator-of-later-opset", "then has an operator that came with a later opset", later_operator
    )
    yield twin.broken(rule + "opset-from-the-future", "the model imports opset 100000", future_opset)
    yield twin.varied(
        rule + "no-opset-import",
        "the model imports no operator set at all",
        lambda m: m.ClearField("opset_import"),
        why=[AT_LEAST_ONE, IMPLICIT],
        doubt="models import the default set implicitly, and yet each MUST have an entry that says which version",
    )


def unknown_operator(m: ModelProto) -> None:
    """Abs is misspelt."""
    m.graph.node[0].op_type = "Abbs"


def unknown_in_else(m: ModelProto) -> None:
    """Neg is misspelt."""
    else_of(m).node[0].op_type = "Negg"


def foreign_domain(m: ModelProto) -> None:
    """Then's Add is of a domain of its own."""
    then_of(m).node[0].domain = "example.absent"


def later_operator(m: ModelProto) -> None:
    """BitwiseAnd came with opset 18; in a model of 16 no set declares it."""
    then_of(m).node[0].op_type = "BitwiseAnd"


def future_opset(m: ModelProto) -> None:
    """An opset that no release of ONNX knows."""
    m.opset_import[0].version = 100_000


def _names() -> Iterator[Vector]:
    rule = "onnx/model/graphs-have-names/"
    twin = sound(rule, [NAMED])
    yield twin
    yield twin.broken(rule + "then-without-name", "then has no name", then_nameless)
    yield twin.broken(rule + "main-without-name", "the main graph has no name", main_nameless)


def then_nameless(m: ModelProto) -> None:
    """Then's name is not set."""
    then_of(m).ClearField("name")


def main_nameless(m: ModelProto) -> None:
    """The main graph's name is not set."""
    m.graph.ClearField("name")


# --- tensors


def _tensors() -> Iterator[Vector]:
    rule = "onnx/model/tensor-data-fits-shape/"
    twin = sound(rule, [SIZES]).varied(
        rule + "sound", "the model without fault; its initializer is raw bytes", raw_data(8)
    )
    yield twin
    yield twin.broken(rule + "data-too-short", "an initializer of shape [2] has four bytes", raw_data(4))
    yield twin.broken(rule + "data-too-long", "an initializer of shape [2] has twelve bytes", raw_data(12))
    yield twin.broken(rule + "negative-dim", "an initializer has shape [-2]", dims(-2))
    yield twin.broken(
        rule + "huge-dim-in-branch",
        "a tensor of eight bytes has shape [2^62], in a Constant of a branch",
        huge_constant,
    )
    yield twin.broken(rule + "huge-dim", "an initializer of eight bytes has shape [2^62]", dims(2**62))
    yield twin.broken(
        rule + "size-overflows-to-fit",
        "an initializer of eight bytes has shape [2^63 - 1, 2^63 - 1, 2]: 2 elements modulo 2^64",
        dims(2**63 - 1, 2**63 - 1, 2),
    )


def huge_constant(m: ModelProto) -> None:
    """Else's first node is a Constant that says it is larger than any memory."""
    huge = TensorProto(data_type=TensorProto.FLOAT, dims=[2**62], raw_data=bytes(8))
    else_of(m).node[0].CopyFrom(helper.make_node("Constant", [], ["other"], value=huge))


def raw_data(length: int) -> Edit:
    """The initializer k has so many raw bytes: 10.0, 20.0, 20.0, cut off."""

    def edit(m: ModelProto) -> None:
        k = m.graph.initializer[0]
        k.ClearField("float_data")
        k.raw_data = np.float32([10, 20, 20]).tobytes()[:length]

    return edit


def dims(*sizes: int) -> Edit:
    """The initializer k has this shape; its bytes stay."""

    def edit(m: ModelProto) -> None:
        m.graph.initializer[0].dims[:] = sizes

    return edit


# --- the file itself

# Field 20 of the model (functions are 25, metadata_props 14: it is no field yet), length-delimited, 2^62 bytes long.
HUGE_FIELD = bytes([0xA2, 0x01]) + bytes([0x80] * 8 + [0x40])


def _files() -> Iterator[Vector]:
    rule = "onnx/model/file-is-whole/"
    twin = sound(rule, [WIRE, GRAPH])
    yield twin
    yield twin.broken(rule + "last-byte-missing", "the file ends one byte early", bytes_edit=lambda data: data[:-1])
    yield twin.broken(
        rule + "second-half-missing",
        "the file ends in the middle of the graph",
        bytes_edit=lambda data: data[: len(data) // 2],
    )
    yield twin.broken(rule + "empty", "the file is empty", bytes_edit=lambda data: b"", why=[GRAPH])
    yield twin.broken(
        rule + "not-protobuf", "the file is a line of text", bytes_edit=lambda data: b"If (cond) then else\n"
    )
    yield twin.broken(rule + "without-graph", "the model has no graph", without_graph, why=[GRAPH])
    yield twin.broken(
        rule + "length-beyond-the-end",
        "a field at the end says that 2^62 bytes follow",
        bytes_edit=lambda data: data + HUGE_FIELD,
    )
    yield twin.broken(
        rule + "graph-is-a-number",
        "the field graph is a number, not a message",
        without_graph,
        bytes_edit=lambda data: data + b"\x38\x05",
        why=[OWN_TYPE, GRAPH],
    )
    yield twin.broken(
        rule + "no-such-wire-type",
        "a field at the end has wire type 7, which there is not",
        bytes_edit=lambda data: data + b"\xa7\x06\x00",
        why=[OWN_TYPE],
    )
    yield twin.broken(
        rule + "group-ends-that-never-began",
        "a group ends at the end of the file, and none has begun",
        bytes_edit=lambda data: data + b"\xa4\x06",
        why=[OWN_TYPE],
    )
    yield twin.broken(
        rule + "number-without-end",
        "a number at the end goes on for eleven bytes, one more than 64 bits take",
        bytes_edit=lambda data: data + b"\xa0\x06" + b"\xff" * 10 + b"\x01",
        why=[OWN_TYPE],
    )
    yield Vector(
        rule + "ir-version-is-text",
        "beside the ir_version there is another, of the wire type of texts",
        [OWN_TYPE, UNKNOWN],
        CHOICE.SerializeToString(deterministic=True) + b"\x0a\x01\x08",
        RUNS,
        doubt="readers take a field of another wire type for one that they do not know; the text does not say so",
        described_by=CHOICE,
    )
    rule = "onnx/model/unknown-fields-are-skipped/"
    yield Vector(
        rule + "unknown-field-in-branch",
        "then has a field that ONNX does not define",
        [UNKNOWN],
        with_unknown_field(),
        RUNS,
    )


def without_graph(m: ModelProto) -> None:
    """The field graph is not set."""
    m.ClearField("graph")


def with_unknown_field() -> ModelProto:
    """Then has a field number 999, length-delimited, three bytes."""
    copy = edited(CHOICE)
    then_of(copy).MergeFromString(b"\xba\x3e\x03abc")
    return copy


# --- external data


def external(location: str, offset: int, length: int) -> Edit:
    """The initializer k lies in another file."""

    def edit(m: ModelProto) -> None:
        k = m.graph.initializer[0]
        k.ClearField("float_data")
        k.ClearField("raw_data")
        k.data_location = TensorProto.EXTERNAL
        del k.external_data[:]
        for key, held in {"location": location, "offset": offset, "length": length}.items():
            k.external_data.append(StringStringEntryProto(key=key, value=str(held)))

    return edit


def _external() -> Iterator[Vector]:
    rule = "onnx/model/external-data-in-folder/"
    beside = {"weights.bin": b"\xff" * 4 + np.float32([10, 20]).tobytes() + b"\xff" * 4}
    twin = Vector(
        rule + "beside-the-model",
        "an initializer lies in a file beside the model, from byte 4 on",
        [RELATIVE, RANGE],
        edited(CHOICE, external("weights.bin", 4, 8)),
        RUNS,
        files=beside,
    )
    yield twin
    faults = {
        "up-and-into-another-folder": (
            "the location climbs out of the folder, to a file that is there",
            "../beside-the-model/weights.bin",
            4,
            8,
        ),
        "up-behind-a-dot": (
            "the location climbs out of the folder, and does not begin with it",
            "./../beside-the-model/weights.bin",
            4,
            8,
        ),
        "absolute-path": ("the location is an absolute path", "/weights.bin", 4, 8),
        "file-missing": ("the location names a file that is not there", "absent.bin", 4, 8),
        "offset-beyond-the-end": ("the offset is beyond the end of the file", "weights.bin", 4096, 8),
        "length-beyond-the-end": ("the file ends before the length is reached", "weights.bin", 12, 8),
        "length-too-short": ("the length is less than the shape needs", "weights.bin", 4, 4),
        "offset-negative": ("the offset is negative", "weights.bin", -4, 8),
    }
    for case, (title, location, offset, length) in faults.items():
        why = [LOCATION, RELATIVE] if ".." in location or location.startswith("/") else [RELATIVE, RANGE]
        yield twin.broken(rule + case, title, external(location, offset, length), why=why)
