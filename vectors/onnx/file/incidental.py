"""What real files hold beside their graphs: documentation, metadata, annotations, unused imports and values."""

from collections.abc import Callable, Iterator

import numpy as np
from google.protobuf.message import Message
from ifcert.authoring import Run, Vector, else_of, floats, model, says, then_of
from ifcert.authoring.models import Edit, messages_in
from onnx import (
    AttributeProto,
    FunctionProto,
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    TypeProto,
    ValueInfoProto,
    helper,
    parser,
)

RULE = "onnx/if/then-when-true/"
X = floats(1, -2)

# Every kind of message that an exporter documents; IR version 10, the first with metadata everywhere.
CHOICE = model("""<opset_import: ["" : 21, "local" : 1]>
    choice (bool cond, float[2] x) => (float[2] y) <float[2] k = {10, 20}, float[2] size> {
        [size_node] size = Abs (x)
        [if_node] y = If (cond) <
            then_branch = then_graph () => (float[2] a) <float[2] w = {1, 2}, float[2] inner> {
                [inner_node] inner = Add (size, w)
                [last_node] a = Add (inner, k)
            },
            else_branch = else_graph () => (float[2] b) {
                [constant_node] c = Constant <value = float[2] {3, 4}> ()
                [call_node] b = local.scaled <factor = -2.0> (x, c)
            }>
    }
    <domain: "local", opset_import: ["" : 21]>
    scaled <factor> (v, w) => (r) {
        [factor_node] f = Constant <value_float: float = @factor> ()
        [scaled_node] t = Mul (v, f)
        [added_node] r = Add (t, w)
    }""")
RUNS = [
    # |x| + [1, 2] + [10, 20]
    Run({"cond": np.True_, "x": X}, {"y": floats(12, 24)}),
    # -2x + [3, 4]
    Run({"cond": np.False_, "x": X}, {"y": floats(1, 8)}),
]

TEXT = """  File "/models/a-b.py", line 12, in forward
    y = f(x) if c else g(x)  # \u00e9\u20ac\U0001f600 <b>*not*</b> "this": {0} %s \\n
\t// If (cond) < then_branch = g () => (a) { a = Neg (x) } >
"""
PROPERTIES = {
    "pkg.torch.onnx.name_scopes": "['', 'layers.0', 'If_1']",
    "namespace": ": a.b/c:0",
    "empty": "",
    "\u00e9 key with spaces": TEXT,
    "onnx.infer": '{"cond": false, "then_branch": null}',
}

# Where documentation stands, the messages, and what the IR calls them.
PLACES: dict[str, tuple[str, type[Message], str]] = {
    "model": ("the model", ModelProto, "ir-doc-string-of-model"),
    "graphs": ("the main graph and both branches", GraphProto, "ir-doc-string-of-model"),
    "nodes": ("every node, of the main graph, of the branches and of a function", NodeProto, "ir-doc-string-of-value"),
    "values": ("every input, output and value_info", ValueInfoProto, "ir-doc-string-of-value"),
    "tensors": ("every initializer and the value of a Constant", TensorProto, "proto-tensor-doc-string"),
    "attributes": ("every attribute, the branches of the If among them", AttributeProto, "proto-attribute-doc-string"),
    "functions": ("a function", FunctionProto, "ir-doc-string-of-function"),
}


def everywhere(kind: type[Message], change: Callable[[Message], None]) -> Edit:
    """The change is made to each message of the kind."""

    def edit(m: ModelProto) -> None:
        for message in messages_in(m):
            if isinstance(message, kind):
                change(message)

    return edit


def documented(message: Message) -> None:
    """It has documentation."""
    message.doc_string = TEXT


def with_metadata(message: Message) -> None:
    """It has metadata."""
    helper.set_metadata_props(message, PROPERTIES)


def denoted(message: Message) -> None:
    """The type, and each of its dims, has a denotation of another meaning than it has."""
    message.denotation = "AUDIO"
    for dim in message.tensor_type.shape.dim:
        dim.denotation = "DATA_BATCH"


def annotated(graph: GraphProto, *names: str) -> None:
    """The values are quantized, as the annotation says, by the graph's only initializer."""
    for name in names:
        annotation = graph.quantization_annotation.add(tensor_name=name)
        for key in ("SCALE_TENSOR", "ZERO_POINT_TENSOR"):
            annotation.quant_parameter_tensor_names.add(key=key, value=graph.initializer[0].name)


def with_training(m: ModelProto) -> None:
    training = m.training_info.add()
    begin = "begin () => (float[2] first_k) { first_k = Constant <value = float[2] {5, 5}> () }"
    training.initialization.CopyFrom(parser.parse_graph(begin))
    training.initialization_binding.add(key="k", value="first_k")
    training.algorithm.CopyFrom(parser.parse_graph("step () => (float[2] next_k) { next_k = Add (k, k) }"))
    training.update_binding.add(key="k", value="next_k")


def produced(m: ModelProto) -> None:
    """What a tool says of itself and of the model."""
    m.producer_name, m.producer_version = "pytorch", "2.12.0+cpu (\u00e9)"
    m.domain, m.model_version = "ai.example.models/a-b", -1


def unread_initializers(graph: GraphProto) -> None:
    """The graph has three initializers that no node reads."""
    for name, dims, values in (("unread", [2], [7, 7]), ("unread_0", [], [9]), ("unread.weight", [1, 2], [8, 8])):
        named = f"{graph.name}.{name}"
        graph.initializer.append(helper.make_tensor(named, TensorProto.FLOAT, dims, values))


def imports(domain: str, version: int) -> Edit:
    """The model imports another operator set, of which it uses nothing."""
    return lambda m: m.opset_import.extend([helper.make_opsetid(domain, version)])


def uncalled(m: ModelProto) -> None:
    m.opset_import.add(domain="pkg.other", version=3)
    m.functions.add(domain="pkg.other", name="never", input=["v"], output=["r"])
    m.functions[-1].node.add(op_type="Neg", input=["v"], output=["r"])
    m.functions[-1].opset_import.add(domain="", version=21)


def vectors() -> Iterator[Vector]:
    plain = Vector(
        RULE + "documented-nowhere",
        "a model without documentation and metadata",
        ["ir-model-metadata-for-tools"],
        CHOICE,
        RUNS,
    )
    yield plain
    for case, (what, kind, called) in PLACES.items():
        yield plain.varied(
            f"doc-strings-of-{case}: {what}: documentation that looks like code",
            everywhere(kind, documented),
            why=[called, "ir-model-metadata-for-tools"],
        )
        if kind is not AttributeProto:
            yield plain.varied(
                f"metadata-of-{case}: {what}: metadata, of which a value is empty and a key has spaces",
                everywhere(kind, with_metadata),
                why=["ir-metadata", "ir-model-metadata-for-tools"],
            )
    yield from _other_information(plain)
    yield from _unread(plain)
    yield from _imports(plain)


def _other_information(plain: Vector) -> Iterator[Vector]:
    yield plain.varied(
        "denotations-of-types: every type and every dim has a denotation, which the values do not have",
        everywhere(TypeProto, denoted),
        why=["proto-type-denotation"],
    )
    of_main: Edit = lambda m: annotated(m.graph, "x", "size", "y")  # noqa: E731
    of_then: Edit = lambda m: annotated(then_of(m), "inner", "a")  # noqa: E731
    yield plain.varied(
        "quantization-annotations: values of the main graph have annotations",
        of_main,
        why=["proto-quantization-annotation"],
    )
    yield plain.varied(
        "quantization-annotations-of-branch: values of then have annotations",
        of_then,
        why=["proto-quantization-annotation"],
    )
    yield plain.varied(
        "training-information: "
        "the model can be trained, which begins with another value of the initializer that then reads",
        with_training,
        why=["ir-model-training-info", says("ir-training-initialization", note="inference is no such call")],
    )
    yield plain.varied(
        "producer-and-version: the model names its producer, its domain and a version of -1",
        produced,
        why=["ir-model-producer-name"],
    )
    yield plain.varied(
        "documented-everywhere: everything that may have documentation, metadata, a denotation or an annotation has it",
        *(everywhere(kind, documented) for _, kind, _ in PLACES.values()),
        *(everywhere(kind, with_metadata) for _, kind, _ in PLACES.values() if kind is not AttributeProto),
        everywhere(TypeProto, denoted),
        of_main,
        of_then,
        produced,
        why=["ir-model-metadata-for-tools", "ir-metadata", "proto-type-denotation", "proto-quantization-annotation"],
    )


def _unread(plain: Vector) -> Iterator[Vector]:
    graphs: dict[str, tuple[str, Callable[[ModelProto], list[GraphProto]]]] = {
        "main-graph": ("the main graph", lambda m: [m.graph]),
        "then": ("then", lambda m: [then_of(m)]),
        "else": ("else", lambda m: [else_of(m)]),
        "all-graphs": ("the main graph and both branches", lambda m: [m.graph, then_of(m), else_of(m)]),
    }
    for case, (what, graphs_of) in graphs.items():

        def edit(m: ModelProto, of: Callable[[ModelProto], list[GraphProto]] = graphs_of) -> None:
            for graph in of(m):
                unread_initializers(graph)

        yield plain.varied(
            f"onnx/model/one-definition-per-name/initializers-of-{case}-unread: "
            f"no node reads three initializers of {what}",
            edit,
            why=[says("ir-initializer-constant", note="whether or not a node reads it")],
        )


def _imports(plain: Vector) -> Iterator[Vector]:
    rule = "onnx/model/operators-are-declared/"
    doubt = "an implementation must support all operators in the set or reject the model; this one uses none of them"
    for case, domain, version in (
        ("ai-onnx-ml", "ai.onnx.ml", 4),
        ("ai-onnx-training", "ai.onnx.preview.training", 1),
        ("com-microsoft", "com.microsoft", 1),
        ("unknown-domain", "org.example.never-heard-of", 7),
    ):
        yield plain.varied(
            f"{rule}unused-import-of-{case}: the model imports {domain} and uses no operator of it",
            imports(domain, version),
            why=["ir-model-opset-import", "ir-model-support-or-reject"],
            doubt=doubt,
        )
    yield plain.varied(
        f"{rule}unused-import-of-function: "
        "the function imports ai.onnx.ml, as its model does, and neither uses an operator of it",
        imports("ai.onnx.ml", 4),
        lambda m: m.functions[0].opset_import.extend([helper.make_opsetid("ai.onnx.ml", 4)]),
        why=["ir-model-opset-import", "ir-model-support-or-reject"],
        doubt=doubt,
    )
    yield plain.varied(
        f"{rule}import-of-uncalled-function: the model imports a domain, whose only function it has and does not call",
        uncalled,
        why=["ir-model-opset-import"],
    )
