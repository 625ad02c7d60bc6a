"""Models of TensorFlow Lite and Circle: a text of subgraphs, tensors and operators, and the file it describes."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from textwrap import dedent
from typing import Literal

from ifcert.authoring.tflite_encoder import file_of
from ifcert.authoring.tflite_schema import ELEMENT_CODES
from ifcert.authoring.tflite_text import ABSENT, ModelText, SubgraphText, parsed

TfliteEdit = Callable[[str], str]

# Operators that every runtime here has.
_NO_OPERATORS = {"IF"}


@dataclass(frozen=True)
class TfliteModel:
    """A model as its author writes it (docs/vectors.md): the source of model.tflite or model.circle."""

    text: str

    @property
    def file(self) -> str:
        """The name of the file that is passed to a runtime."""
        return f"model.{self._parts().form}"

    def edited(self, *edits: TfliteEdit) -> "TfliteModel":
        """The model with the edits made to its text."""
        text = self.text
        for edit in edits:
            text = edit(text)
        return TfliteModel(text)

    def files(self) -> dict[str, bytes]:
        """The model."""
        return {self.file: file_of(self._parts())}

    def inputs(self) -> list[str]:
        """The names of the primary subgraph's inputs, in order."""
        return _names(self._parts().subgraphs[0], "inputs")

    def outputs(self) -> list[str]:
        """The names of the primary subgraph's outputs, in order."""
        return _names(self._parts().subgraphs[0], "outputs")

    def features(self) -> Iterator[str]:
        """Circle's format where it is that, and the element types and operators that it contains."""
        model = self._parts()
        if model.form == "circle":
            yield "format:circle"
        for subgraph in model.subgraphs:
            for operator in subgraph.operators:
                if operator.name not in _NO_OPERATORS:
                    yield f"operator:{operator.name}"
            for tensor in subgraph.tensors.values():
                if tensor.element in ELEMENT_CODES:
                    yield f"type:{tensor.element}"

    def forms(self) -> Iterator[str]:
        """The words of `forms.FORMS` that are true of it.

        A subgraph that an operator invokes need not read what it is passed: an IF passes both branches the same.
        """
        subgraphs = self._parts().subgraphs
        if not subgraphs:
            return
        primary = subgraphs[0]
        read = {*primary.outputs, *(operand for operator in primary.operators for operand in operator.inputs)}
        if not read.issuperset(primary.inputs):
            yield "unread-inputs"
        for subgraph in subgraphs:
            if any(ABSENT in operator.inputs for operator in subgraph.operators):
                yield "absent-operands"
            if any(tensor.literal is not None and "0" in (tensor.dims or ()) for tensor in subgraph.tensors.values()):
                yield "empty-constants"

    def _parts(self) -> ModelText:
        return parsed(self.text)


def _names(subgraph: SubgraphText, what: Literal["inputs", "outputs"]) -> list[str]:
    """The names of these tensors in the file."""
    return [subgraph.tensors[label].name for label in getattr(subgraph, what)]


def tflite(text: str) -> TfliteModel:
    """A model of the text, without the indentation that all its lines have."""
    return TfliteModel(dedent(text).strip() + "\n")


def replaced(old: str, new: str, *, within: str = "") -> TfliteEdit:
    """The edit that replaces `old`, which occurs once in the text, or in the subgraph `within`, by `new`."""

    def edit(text: str) -> str:
        first, last = _lines_of(text, within) if within else (0, len(text))
        if text.count(old, first, last) != 1:
            raise ValueError(f"{old!r} occurs {text.count(old, first, last)} times in {within or 'the text'}, not once")
        at = text.index(old, first, last)
        return text[:at] + new + text[at + len(old) :]

    return edit


def _lines_of(text: str, subgraph: str) -> tuple[int, int]:
    found = re.search(rf"^subgraph {re.escape(subgraph)} ?\(", text, re.MULTILINE)
    if not found:
        raise ValueError(f"there is no subgraph {subgraph}")
    following = re.compile(r"^subgraph ", re.MULTILINE).search(text, found.end())
    return found.start(), following.start() if following else len(text)


def as_in(model: TfliteModel) -> TfliteEdit:
    """The edit that yields the text of another model."""
    return lambda _: model.text


def as_circle(text: str) -> str:
    """The edit that makes the same model a Circle file."""
    if text.startswith("model "):
        return replaced("model tflite", "model circle")(text)
    return f"model circle\n{text}"
