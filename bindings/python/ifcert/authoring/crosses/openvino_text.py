"""A body as a network of OpenVINO IR: its layers, edges and port maps, ordered and numbered as a row says."""

from collections.abc import Callable, Sequence

import numpy as np

from ifcert.authoring.crosses.bodies import Body, Dims, Operation, Value
from ifcert.authoring.crosses.dimensions import Row
from ifcert.authoring.elements import IR_NAMES
from ifcert.authoring.ir import IrModel
from ifcert.authoring.ir_text import data_of, element, holder, net, network, port, type_of

# The layer of each kind of operation, its attributes, and the constants that it reads behind its operands.
LAYERS: dict[str, tuple[str, str, tuple[np.ndarray, ...]]] = {
    "add": ("Add", "", ()),
    "multiply": ("Multiply", "", ()),
    "and": ("LogicalAnd", "", ()),
    "xor": ("LogicalXor", "", ()),
    "not": ("LogicalNot", "", ()),
    "less": ("Less", "", ()),
    "join": ("Concat", 'axis="0"', ()),
    "deepen": ("Unsqueeze", "", (np.int64([0]),)),
    "flatten": ("Reshape", 'special_zero="false"', (np.int64([-1]),)),
    "sum": ("ReduceSum", 'keep_dims="false"', (np.int64([0]),)),
    "number": ("Convert", 'destination_type="i32"', ()),
}

IDS: dict[str, Callable[[int], int]] = {
    "rising": lambda number: number,
    "gaps": lambda number: 7 * number + 3,
    "falling": lambda number: 999 - number,
    "large": lambda number: 4294967295 - number,
}


def ir_model(main: Body, row: Row) -> IrModel:
    """The model of a main network."""
    return net(*_Network(main, row, "").parts())


class _Network:
    """The layers of one network, numbered in the order in which they are added, and its edges."""

    def __init__(self, body: Body, row: Row, prefix: str) -> None:
        self.body, self.row, self.prefix = body, row, prefix
        self.layers: list[str] = []
        self.edges: list[tuple[str, str]] = []  # where from, where to
        self.made: dict[str, str] = {}  # of each value: id:port
        self.parameters = [self._parameter(value) for value in body.parameters]
        for operation in body.operations:
            self._operation(operation)
        self.results = [self._result(value) for value in body.results]

    def parts(self) -> Sequence[str]:
        """The layers and the edges."""
        turned = self.row["layers"] == "reversed"
        edges = [_edge(*each) for each in self.edges]
        return [*(self.layers[::-1] if turned else self.layers), *(edges[::-1] if self._turns_edges else edges)]

    @property
    def _turns_edges(self) -> bool:
        return self.row["edges"] == "reversed"

    def _id(self) -> int:
        return IDS[self.row["ids"]](len(self.layers))

    def _name(self, value: Value | None, kind: str) -> str:
        """The name of a layer: in bodies that of the value, or one that a layer of the main network may have too."""
        alike = self.row["names"] == "alike"
        name = value.name if value is not None and not alike else f"{kind}{len(self.layers)}"
        return name if alike or value is not None else f"{self.prefix}{name}"

    def _layer(
        self,
        kind: str,
        name: str,
        data: str,
        operands: Sequence[str],
        outputs: Sequence[Value],
        *,
        inside: Sequence[str] = (),
        ports: Sequence[int] = (),
        types: Sequence[str] = (),
        opset: int = 1,
    ) -> int:
        id = self._id()
        ids = ports or range(len(operands) + len(outputs))
        inputs = [port(ids[i], type_) for i, type_ in enumerate(types)]
        named = [port(ids[len(operands) + i], _type(value), value.name, typed=True) for i, value in enumerate(outputs)]
        self.edges += [(source, f"{id}:{ids[i]}") for i, source in enumerate(operands)]
        self.made |= {value.name: f"{id}:{ids[len(operands) + i]}" for i, value in enumerate(outputs)}
        attributes = f'id="{id}" name="{name}" type="{kind}" version="opset{opset}"'
        held = (holder("input", *inputs) if inputs else "", holder("output", *named) if named else "")
        self.layers.append(element("layer", attributes, data, *held, *inside))
        return id

    def _parameter(self, value: Value) -> int:
        name, _, dims = _type(value).rstrip("]").partition("[")
        data = f'<data shape="{dims}" element_type="{name}"/>'
        label = value.name if self.prefix == "" else self._name(value, "parameter")
        return self._layer("Parameter", label, data, [], [value])

    def _result(self, value: Value) -> int:
        return self._layer("Result", self._name(None, "result"), "", [self.made[value.name]], [], types=[_type(value)])

    def _constant(self, held: np.ndarray, value: Value | None = None) -> str:
        made = value or Value(f"{self.prefix}const{len(self.layers)}", held.dtype.name, held.shape)
        self._layer("Const", self._name(made, "const"), data_of(held), [], [made])
        return self.made[made.name]

    def _operation(self, operation: Operation) -> None:
        if operation.kind == "constant":
            assert operation.held is not None
            self._constant(operation.held, operation.results[0])
        elif operation.kind == "if":
            self._if(operation)
        else:
            kind, attributes, constants = LAYERS[operation.kind]
            further = [self._constant(held) for held in constants]
            operands = [self.made[value.name] for value in operation.operands] + further
            types = [*(_type(value) for value in operation.operands), *(type_of(held) for held in constants)]
            name = self._name(operation.results[0], "op")
            data = f"<data {attributes}/>" if attributes else ""
            self._layer(kind, name, data, operands, operation.results, types=types)

    def _if(self, operation: Operation) -> None:
        count = len(operation.operands) + len(operation.results)
        ids = [3 * number + 2 for number in range(count)] if self.row["ports"] == "gaps" else list(range(count))
        inside = []
        for which, body, fed in zip(("then", "else"), operation.bodies, operation.ports, strict=True):
            name = f"{self.prefix}{which}_"
            inner = _Network(body, self.row, name)
            entries = [
                *(_entry("input", ids[at], id) for at, id in zip(fed, inner.parameters, strict=True)),
                *(_entry("output", ids[len(operation.operands) + i], id) for i, id in enumerate(inner.results)),
            ]
            if self._turns_edges:
                entries.reverse()
            inside.append((holder(f"{which}_port_map", *entries), holder(f"{which}_body", network(*inner.parts()))))
        operands = [self.made[value.name] for value in operation.operands]
        types = [_type(value) for value in operation.operands]
        name = self._name(operation.results[0], "if")
        maps, bodies = zip(*inside, strict=True)
        self._layer(
            "If", name, "", operands, operation.results, inside=[*maps, *bodies], ports=ids, types=types, opset=8
        )


def _entry(kind: str, port_id: int, layer_id: int) -> str:
    return f'<{kind} external_port_id="{port_id}" internal_layer_id="{layer_id}"/>'


def _edge(source: str, target: str) -> str:
    layer, port_id = source.split(":")
    to_layer, to_port = target.split(":")
    return f'<edge from-layer="{layer}" from-port="{port_id}" to-layer="{to_layer}" to-port="{to_port}"/>'


def _type(value: Value) -> str:
    return f"{IR_NAMES[value.element]}[{_dims(value.dims)}]"


def _dims(dims: Dims) -> str:
    return "..." if dims is None else ",".join("?" if dim is None else str(dim) for dim in dims)
