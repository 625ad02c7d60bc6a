"""Models: written as ONNX text, and the few edits that text cannot express."""

import re
from collections.abc import Callable, Mapping

from google.protobuf.message import Message
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, parser

from ifcert.authoring.values import Writable, value

Edit = Callable[[ModelProto], None]

# The IR version released with each opset (onnx, docs/Versioning.md); at least 4, the first in which an initializer
# need not be an input too.
_IR_OF_OPSET = {**dict.fromkeys(range(1, 10), 4), 10: 5, 11: 6, 12: 7, 13: 7, 14: 7, 15: 8, 16: 8, 17: 8, 18: 8}
_IR_OF_OPSET |= {19: 9, 20: 9, 21: 10, 22: 10, 23: 11, 24: 12, 25: 13, 26: 13, 27: 13, 28: 14}


# The text that each model was parsed from, by the model's bytes: what `replaced` edits.
_TEXT_OF: dict[bytes, str] = {}


def model(text: str, opset: int = 16, *, ir: int | None = None, domains: Mapping[str, int] | None = None) -> ModelProto:
    """A model from ONNX text: a graph, then its local functions. `domains` are opset imports besides ONNX's own.

    The text may begin with its own header, `<opset_import: ["" : 17, "local" : 1]>`, in place of `opset` and `domains`.
    Where neither says which, the version of IR is the one that was released with the opset.
    """
    imports = ", ".join(f'"{domain}" : {version}' for domain, version in ({"": opset} | dict(domains or {})).items())
    header = f"<opset_import: [{imports}]>" if not text.startswith("<") else ""
    return _parsed(_with_ir_version(header + text, ir))


def _parsed(text: str) -> ModelProto:
    try:
        made = parser.parse_model(text)
    except parser.ParseError as error:
        raise ValueError(f"ONNX text cannot be parsed: {error}\n{text}") from error
    _TEXT_OF[made.SerializeToString(deterministic=True)] = text
    return made


def _with_ir_version(text: str, ir: int | None) -> str:
    if text.startswith("<ir_version"):
        return text
    opset = re.match(r'<opset_import: \["" : (\d+)', text)
    assert opset is not None, text
    return f"<ir_version: {_IR_OF_OPSET[int(opset[1])] if ir is None else ir}, {text[1:]}"


def edited(original: ModelProto, *edits: Edit) -> ModelProto:
    """A copy of the model with the edits made to it."""
    copy = ModelProto()
    copy.CopyFrom(original)
    for edit in edits:
        edit(copy)
    return copy


def replaced(old: str, new: str) -> Edit:
    """The edit that replaces `old`, which occurs once in the model's text, by `new`; only such may come before it."""

    def edit(m: ModelProto) -> None:
        text = _TEXT_OF.get(m.SerializeToString(deterministic=True))
        if text is None:
            raise ValueError(f"{old!r} cannot be replaced: the model is not as its text was parsed")
        if text.count(old) != 1:
            raise ValueError(f"{old!r} occurs {text.count(old)} times in the text, not once:\n{text}")
        m.CopyFrom(_parsed(text.replace(old, new)))

    return edit


def if_node(graph: ModelProto | GraphProto, index: int = 0) -> NodeProto:
    """The index-th If node of a graph (of a model's main graph), not looking into branches."""
    graph = graph.graph if isinstance(graph, ModelProto) else graph
    return [node for node in graph.node if node.op_type == "If"][index]


def attribute(node: NodeProto, name: str) -> AttributeProto:
    """The node's first attribute of that name."""
    return next(attribute for attribute in node.attribute if attribute.name == name)


def then_of(graph: ModelProto | GraphProto, index: int = 0) -> GraphProto:
    """The then branch of the graph's index-th If."""
    return attribute(if_node(graph, index), "then_branch").g


def else_of(graph: ModelProto | GraphProto, index: int = 0) -> GraphProto:
    """The else branch of the graph's index-th If."""
    return attribute(if_node(graph, index), "else_branch").g


def add_initializer(graph: GraphProto, name: str, held: Writable) -> None:
    """Adds an initializer to the graph, for values that text cannot express."""
    graph.initializer.append(value(held).proto(name))  # type: ignore[union-attr]


def declared_as(text: str, name: str = "y") -> Edit:
    """The edit that declares another type for a value of the main graph, in the notation of ONNX text."""

    def edit(m: ModelProto) -> None:
        infos = [*m.graph.value_info, *m.graph.output]
        made = parser.parse_graph(f"g ({text} v) => () {{}}").input[0].type
        next(info for info in infos if info.name == name).type.CopyFrom(made)

    return edit


def messages_in(whole: Message) -> list[Message]:
    """Every message within this one, the inner ones first, and then the message itself."""
    fields = [(field, held) for field, held in whole.ListFields() if field.type == field.TYPE_MESSAGE]
    parts = [part for field, held in fields for part in (held if field.is_repeated else [held])]
    return [*(message for part in parts for message in messages_in(part)), whole]


def respelled(spelling: Callable[[str], str]) -> Edit:
    """The edit that spells every text of the model anew, its names among them."""

    def spell(m: ModelProto) -> None:
        for message in messages_in(m):
            for field, held in message.ListFields():
                if field.type == field.TYPE_STRING and field.is_repeated:
                    held[:] = [spelling(each) for each in held]
                elif field.type == field.TYPE_STRING:
                    setattr(message, field.name, spelling(held))

    return spell
