"""The text form of a TensorFlow Lite model (docs/vectors.md), parsed into its parts."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

# The sign for no tensor, index -1.
ABSENT = "-"


@dataclass(frozen=True)
class TensorText:
    """A tensor: `label: element[dims] {attributes} = literal`; `dims` is None where the rank is unknown."""

    label: str
    element: str
    dims: tuple[str, ...] | None
    attributes: Mapping[str, str]
    literal: str | None = None

    @property
    def name(self) -> str:
        """The name in the file: its label, if no attribute gives another."""
        return unquoted(self.attributes.get("name", self.label))


@dataclass(frozen=True)
class OperatorText:
    """An operator: `outputs = NAME(inputs) key=value …`; operands are labels, `@number` or `-`."""

    name: str
    inputs: Sequence[str]
    outputs: Sequence[str]
    options: Mapping[str, str]


@dataclass
class SubgraphText:
    """A subgraph: its head, then the tensors by label in the order of their indices, and the operators."""

    label: str
    inputs: Sequence[str] = ()
    outputs: Sequence[str] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    tensors: dict[str, TensorText] = field(default_factory=dict)
    operators: list[OperatorText] = field(default_factory=list)


@dataclass(frozen=True)
class SignatureText:
    """A signature: `signature key (name=operand, …) -> (name=operand, …) {subgraph=label}`."""

    key: str
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    attributes: Mapping[str, str]


@dataclass
class ModelText:
    """A model: `form` is tflite or circle."""

    form: str = "tflite"
    attributes: Mapping[str, str] = field(default_factory=dict)
    subgraphs: list[SubgraphText] = field(default_factory=list)
    signatures: list[SignatureText] = field(default_factory=list)


_SIGNATURE = re.compile(r'signature (\w+|"[^"]*") *\((.*)\) *-> *\((.*?)\) *(\{.*\})?')
_HEAD = re.compile(r"subgraph (\w+) *\((.*)\) *-> *\((.*?)\) *(\{.*\})?")
_OPERATOR = re.compile(r"([A-Z][A-Z0-9_]*) *\(")
_TENSOR = re.compile(r"(\w+) *: *(\w+)\[([^\]]*)\] *(\{.*\})?")
_OPENING, _CLOSING = "([{", ")]}"


def parsed(text: str) -> ModelText:
    """The parts of the text; raises ValueError with the line that cannot be read."""
    model = ModelText()
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        try:
            if line and not line.startswith("#"):
                _read(model, line)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}: {line}") from error
    return model


def _read(model: ModelText, line: str) -> None:
    if line.startswith("model "):
        form, *rest = split(line.removeprefix("model "), " ")
        if form not in ("tflite", "circle"):
            raise ValueError(f"a model is tflite or circle, not {form}")
        model.form, model.attributes = form, _pairs(rest)
    elif line.startswith("signature "):
        model.signatures.append(_signature(line))
    elif line.startswith("subgraph "):
        model.subgraphs.append(_head(line, {each.label for each in model.subgraphs}))
    elif not model.subgraphs:
        raise ValueError("this comes before the first subgraph")
    elif line.startswith("tensors "):
        _reorder(model.subgraphs[-1], split(line.removeprefix("tensors "), ","))
    else:
        _statement(model.subgraphs[-1], line)


def _signature(line: str) -> SignatureText:
    found = _SIGNATURE.fullmatch(line)
    if not found:
        raise ValueError("a signature has the form: signature key (name=input) -> (name=output)")
    key, inputs, outputs, attributes = found.groups()
    return SignatureText(unquoted(key), _entries(inputs), _entries(outputs), _braces(attributes))


def _entries(text: str) -> Mapping[str, str]:
    return {unquoted(name): operand for name, operand in _pairs(split(text, ",")).items()}


def _head(line: str, taken: Collection[str]) -> SubgraphText:
    found = _HEAD.fullmatch(line)
    if not found:
        raise ValueError("a subgraph has the form: subgraph name (inputs) -> (outputs)")
    label, inputs, outputs, attributes = found.groups()
    if label in taken:
        raise ValueError(f"there is already a subgraph {label}")
    subgraph = SubgraphText(label, attributes=_braces(attributes))
    subgraph.inputs = [_declared(subgraph, each) for each in split(inputs, ",")]
    subgraph.outputs = split(outputs, ",")
    return subgraph


def _declared(subgraph: SubgraphText, text: str, literal: str | None = None) -> str:
    """Adds a declared tensor to the subgraph; returns its label, or the text that is not a declaration."""
    if ":" not in text:
        if literal is not None:
            raise ValueError("a constant needs a type")
        return text
    found = _TENSOR.fullmatch(text)
    if not found:
        raise ValueError(f"{text} is not a tensor")
    label, element, dims, attributes = found.groups()
    if label in subgraph.tensors and subgraph.tensors[label].element:
        raise ValueError(f"{label} is declared twice")
    shape = None if dims.strip() == "..." else tuple(split(dims, ","))
    subgraph.tensors[label] = TensorText(label, element, shape, _braces(attributes), literal)
    return label


def _reorder(subgraph: SubgraphText, labels: Sequence[str]) -> None:
    """Puts these labels first, in this order; they are declared before or later."""
    found = {label: subgraph.tensors.pop(label, TensorText(label, "", None, {})) for label in labels}
    subgraph.tensors = found | subgraph.tensors


def _statement(subgraph: SubgraphText, line: str) -> None:
    """A constant, an operator, or a tensor alone."""
    left, *right = split(line, "=", most=1)
    if right and (called := _OPERATOR.match(right[0])):
        outputs = [] if left == "()" else [_declared(subgraph, each) for each in split(left, ",")]
        subgraph.operators.append(_operator(called.group(1), right[0][called.end() - 1 :], outputs))
    elif ":" in left:
        _declared(subgraph, left, right[0] if right else None)
    else:
        raise ValueError("neither a tensor nor an operator")


def _operator(name: str, rest: str, outputs: Sequence[str]) -> OperatorText:
    operands, *options = split(rest, " ")
    return OperatorText(name, split(operands[1:-1], ","), outputs, _pairs(options))


def _braces(text: str | None) -> Mapping[str, str]:
    return _pairs(split(text[1:-1], " ")) if text else {}


def _pairs(words: Sequence[str]) -> Mapping[str, str]:
    """`key=value` words, and words without a value."""
    found: dict[str, str] = {}
    for word in words:
        key, _, value = word.partition("=")
        if key in found:
            raise ValueError(f"{key} occurs twice")
        found[key] = value
    return found


def split(text: str, at: str, most: int = -1) -> list[str]:
    """The parts of the text between these letters, where no bracket or quotation mark is open; without empty ones."""
    parts, depth, start = [], 0, 0
    for place, letter in _unquoted(text):
        if letter in _OPENING:
            depth += 1
        elif letter in _CLOSING:
            depth -= 1
        elif letter == at and depth == 0 and len(parts) != most:
            parts.append(text[start:place])
            start = place + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


def _unquoted(text: str) -> Iterator[tuple[int, str]]:
    """The letters outside quotation marks."""
    for found in re.finditer(r'"(?:\\.|[^"\\])*"|.', text):
        if len(found.group()) == 1:
            yield found.start(), found.group()


def unquoted(text: str) -> str:
    """The text without the quotation marks around it, if any."""
    return text[1:-1] if text.startswith('"') else text
