"""Models of OpenVINO IR: XML text, and the .bin with its constants."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from xml.etree import ElementTree

from ifcert.authoring.elements import IR_NAMES

IrEdit = Callable[[str], str]

# Layers that are not operators, or that every runtime here has.
_NO_OPERATORS = {"Parameter", "Result", "Const", "If"}
_ALIGNED = 16


@dataclass(frozen=True)
class IrModel:
    """A model as its author writes it: the text of the .xml.

    Where a constant's <data> has an attribute `bytes` (hexadecimal), the .bin is given these bytes, after `weights`,
    and the attribute becomes `offset` and `size`.
    """

    xml: str
    weights: bytes = b""
    file = "model.xml"

    def edited(self, *edits: IrEdit) -> "IrModel":
        """The model with the edits made to its text."""
        text = self.xml
        for edit in edits:
            text = edit(text)
        return replace(self, xml=text)

    def files(self) -> dict[str, bytes]:
        """model.xml and, where there are constants or weights, model.bin."""
        weights = bytearray(self.weights)

        def moved(found: re.Match[str]) -> str:
            data = bytes.fromhex(found.group(1))
            weights.extend(bytes(-len(weights) % _ALIGNED))
            weights.extend(data)
            return f' offset="{len(weights) - len(data)}" size="{len(data)}"'

        text, count = re.subn(' bytes="([0-9a-f]*)"', moved, self.xml)
        return {"model.xml": text.encode()} | ({"model.bin": bytes(weights)} if count or weights else {})

    def inputs(self) -> list[str]:
        """The names of the main network's Parameters, in the order of the file."""
        return [_port_name(layer, next(layer.iter("port"))) for layer in self._layers("Parameter")]

    def outputs(self) -> list[str]:
        """The names of the values that the main network's Results receive, in the order of the file."""
        net = self._net()
        edges = {edge.get("to-layer"): edge for edge in net.iterfind("edges/edge")}
        layers = {layer.get("id"): layer for layer in net.iterfind("layers/layer")}
        names = []
        for layer in self._layers("Result"):
            edge = edges[layer.get("id")]
            source = layers[edge.get("from-layer")]
            ports = {port.get("id"): port for port in source.iterfind("output/port")}
            names.append(_port_name(source, ports[edge.get("from-port")]))
        return names

    def features(self) -> Iterator[str]:
        """The element types and operators that it contains."""
        net = self._net()
        for layer in net.iter("layer"):
            if layer.get("type") not in _NO_OPERATORS:
                yield f"operator:{layer.get('type')}"
        types = {name: element for element, name in IR_NAMES.items()}
        for data in net.iter("data"):
            for name in ("element_type", "destination_type", "output_type"):
                if data.get(name) in types:
                    yield f"type:{types[data.get(name, '')]}"

    def forms(self) -> Iterator[str]:
        """The words of `forms.FORMS` that are true of it; none where it is no XML that Python reads."""
        try:
            net = self._net()
        except ElementTree.ParseError:
            return
        for body in net.iter():
            read = {edge.get("from-layer") for edge in body.iterfind("edges/edge")}
            for layer in body.iterfind("layers/layer"):
                if layer.get("type") == "Parameter" and layer.get("id") not in read:
                    yield "unread-inputs" if body is net else "unread-parameters"
                if layer.get("type") == "Const" and "0" in _dims(layer):
                    yield "empty-constants"

    def _net(self) -> ElementTree.Element:
        return ElementTree.fromstring(self.xml)

    def _layers(self, type_: str) -> list[ElementTree.Element]:
        return [layer for layer in self._net().iterfind("layers/layer") if layer.get("type") == type_]


def _dims(layer: ElementTree.Element) -> list[str]:
    """The dims that the layer's <data> gives."""
    data = layer.find("data")
    return [] if data is None else [dim.strip() for dim in data.get("shape", "").split(",")]


def _port_name(layer: ElementTree.Element, port: ElementTree.Element) -> str:
    """The first name of a port that has names, else its layer's."""
    return port.get("names", layer.get("name", "")).partition(",")[0]


def replaced(old: str, new: str, *, within: str = "") -> IrEdit:
    """The edit that replaces `old`, which occurs once in the text, by `new`.

    `within` names an element that occurs once in the text; then only its content is searched.
    """

    def edit(text: str) -> str:
        first, last = _inside(text, within) if within else (0, len(text))
        if text.count(old, first, last) != 1:
            raise ValueError(f"{old!r} occurs {text.count(old, first, last)} times in <{within or 'net'}>, not once")
        at = text.index(old, first, last)
        return text[:at] + new + text[at + len(old) :]

    return edit


def _inside(text: str, element: str) -> tuple[int, int]:
    first, last = f"<{element}>", f"</{element}>"
    if text.count(first) != 1 or text.count(last) != 1:
        raise ValueError(f"{first} occurs {text.count(first)} times in the text, not once")
    return text.index(first) + len(first), text.index(last)


def as_in(model: IrModel) -> IrEdit:
    """The edit that yields the text of another model, which the same function built with the fault in it."""
    return lambda _: model.xml


def moved_before(element: str, other: str) -> IrEdit:
    """The edit that moves an element, which occurs once in the text, before another one."""

    def edit(text: str) -> str:
        first, last = _inside(text, element)
        first, last = first - len(element) - 2, last + len(element) + 3
        rest = text[:first] + text[last:]
        _inside(rest, other)
        return rest.replace(f"<{other}>", f"{text[first:last]}\n<{other}>")

    return edit
