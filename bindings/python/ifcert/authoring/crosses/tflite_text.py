"""A body as a subgraph of TensorFlow Lite: its tensors and operators, ordered and named as a row says."""

from collections.abc import Sequence

import numpy as np

from ifcert.authoring.crosses.bodies import Array, Body, Dims, Operation, Value
from ifcert.authoring.crosses.dimensions import Row
from ifcert.authoring.tflite import TfliteModel, tflite
from ifcert.authoring.tflite_constants import literal

# The operator of each kind of operation, its options, and the constants that it reads behind its operands.
OPERATORS: dict[str, tuple[str, str, tuple[Array, ...]]] = {
    "add": ("ADD", "", ()),
    "multiply": ("MUL", "", ()),
    "and": ("LOGICAL_AND", "", ()),
    "xor": ("NOT_EQUAL", "", ()),
    "not": ("LOGICAL_NOT", "", ()),
    "less": ("LESS", "", ()),
    "join": ("CONCATENATION", "axis=0", ()),
    "deepen": ("PACK", "axis=0", ()),
    "flatten": ("RESHAPE", "", (np.array([-1], np.int32),)),
    "sum": ("SUM", "keep_dims=false", (np.array([0], np.int32),)),
    "number": ("CAST", "", ()),
}


def tflite_model(main: Body, row: Row) -> TfliteModel:
    """The model whose primary subgraph is this body."""
    bodies = [main]
    for body in bodies:  # grows as it goes
        invoked = [each for operation in body.operations for each in operation.bodies]
        bodies += _new(invoked, bodies)
    rest = bodies[1:]
    if row["subgraphs"] == "reversed":
        rest.reverse()
    writer = _Writer([main, *rest], row)
    return tflite(f"model {row['form']}\n" + "".join(writer.subgraph(body) for body in writer.bodies))


def _new(invoked: Sequence[Body], bodies: Sequence[Body]) -> list[Body]:
    """The invoked bodies that are not yet among these, once each."""
    found: list[Body] = []
    for body in invoked:
        if not any(body is each for each in (*bodies, *found)):
            found.append(body)
    return found


class _Writer:
    """Writes the subgraphs of one model; each tensor has a label of its own in the text."""

    def __init__(self, bodies: Sequence[Body], row: Row) -> None:
        self.bodies, self.row = bodies, row
        self.buffers: dict[bytes, int] = {}  # of the constants of the subgraphs written so far
        self.count = 0

    def label(self, body: Body) -> str:
        """The label of a subgraph."""
        return f"g{next(i for i, each in enumerate(self.bodies) if each is body)}"

    def subgraph(self, body: Body) -> str:
        """The text of one."""
        return _Subgraph(body, self).text()


class _Subgraph:
    def __init__(self, body: Body, writer: _Writer) -> None:
        self.body, self.writer = body, writer
        self.label = writer.label(body)
        self.is_main = body is writer.bodies[0]
        self.labels: dict[str, str] = {}
        self.lines: list[str] = []
        self.held: dict[str, bytes] = {}  # of the constants with buffers of their own

    def text(self) -> str:
        parameters = ", ".join(self._declared(value) for value in self.body.parameters)
        for operation in self.body.operations:
            self._operation(operation)
        results = ", ".join(self.labels[value.name] for value in self.body.results)
        name = ' {name=""}' if self.writer.row["names"] == "none" else ' {name="part"}' if self._is_alike else ""
        order = list(self.labels.values())
        turned = []
        if self.writer.row["tensors"] == "reversed":
            order.reverse()
            turned = [f"tensors {', '.join(order)}"]
        self._number_buffers(order)
        lines = "".join(f"  {line}\n" for line in [*turned, *self.lines])
        return f"subgraph {self.label} ({parameters}) -> ({results}){name}\n{lines}"

    def _number_buffers(self, order: Sequence[str]) -> None:
        """Buffers are numbered from 1 in the order of the tensors that have one of their own."""
        for data in (self.held[label] for label in order if label in self.held):
            self.writer.count += 1
            self.writer.buffers.setdefault(data, self.writer.count)

    @property
    def _is_alike(self) -> bool:
        return self.writer.row["names"] == "alike" and not self.is_main

    def _declared(self, value: Value, attributes: str = "") -> str:
        label = value.name if self.is_main else f"{self.label}t{len(self.labels)}"
        names = self.writer.row["names"]
        if not self.is_main and names == "alike":
            attributes += f' name="m{"v" if value.name[-1:].isdigit() else ""}{len(self.labels)}"'
        if not self.is_main and names == "none":
            attributes += ' name=""'
        self.labels[value.name] = label
        return f"{label}: {value.element}[{_dims(value.dims)}]" + (f" {{{attributes.strip()}}}" if attributes else "")

    def _constant(self, held: Array, value: Value | None = None) -> str:
        made = value or Value(f"constant{len(self.labels)}", held.dtype.name, held.shape)
        data = held.tobytes()
        shares = self.writer.row["buffers"] == "shared" and data in self.writer.buffers
        declared = self._declared(made, f"buffer={self.writer.buffers[data]}" if shares else "")
        if not shares:
            self.held[self.labels[made.name]] = data
        self.lines.append(declared if shares else f"{declared} = {literal(held)}")
        return self.labels[made.name]

    def _operation(self, operation: Operation) -> None:
        if operation.kind == "constant":
            assert operation.held is not None
            self._constant(operation.held, operation.results[0])
            return
        if operation.kind in ("if", "while"):
            keys = ("then", "else") if operation.kind == "if" else ("cond", "body")
            name, constants = operation.kind.upper(), ()
            options = " ".join(
                f"{key}={self.writer.label(body)}" for key, body in zip(keys, operation.bodies, strict=True)
            )
        else:
            name, options, constants = OPERATORS[operation.kind]
        operands = [self.labels[value.name] for value in operation.operands] + [
            self._constant(each) for each in constants
        ]
        made = ", ".join(self._declared(value) for value in operation.results)
        self.lines.append(f"{made} = {name}({', '.join(operands)}) {options}".rstrip())


def _dims(dims: Dims) -> str:
    return "..." if dims is None else ",".join("?" if dim is None else str(dim) for dim in dims)
