"""Bodies without captures, as OpenVINO IR and TensorFlow Lite have them: operations, each with what numpy says of it.

A body is a network or a subgraph: what it takes, its operations in order, what it returns. ir_bodies_text.py and
tflite_bodies_text.py write one as the text of a format; `results` computes it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

# The type of a value: its element type by its name in numpy, and its dims; None for one that is not known, and in their
# place for a rank that is not known.
Dims = tuple[int | None, ...] | None


@dataclass(frozen=True)
class Value:
    """A value of a body."""

    name: str
    element: str
    dims: Dims


@dataclass(frozen=True)
class Operation:
    """An operation; an "if" has the bodies then and else, a "while" cond and body, and a "constant" has `held`."""

    kind: str
    operands: Sequence[Value]
    results: Sequence[Value]
    bodies: Sequence["Body"] = ()
    held: Array | None = None
    ports: Sequence[Sequence[int]] = ()  # of an "if": for each body, the operand of each of its parameters


@dataclass
class Body:
    """What it takes, its operations in order, what it returns; `name` is what begins the names of its values."""

    name: str
    parameters: list[Value] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    results: list[Value] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count, repr=False)

    def takes(self, like: Value, name: str = "") -> Value:
        """A parameter of the type of a value."""
        self.parameters.append(Value(name or self._fresh(), like.element, like.dims))
        return self.parameters[-1]

    def constant(self, held: Array) -> Value:
        """A constant."""
        return self._add(Operation("constant", (), [Value(self._fresh(), held.dtype.name, held.shape)], held=held))

    def made(self, kind: str, *operands: Value, element: str = "", dims: Dims | str = "", name: str = "") -> Value:
        """The result of an operation of KINDS; it has the type of the first operand where nothing else is said."""
        of_first = operands[0]
        result = Value(
            name or self._fresh(), element or of_first.element, of_first.dims if isinstance(dims, str) else dims
        )
        return self._add(Operation(kind, operands, [result]))

    def chosen(
        self,
        operands: Sequence[Value],
        results: Sequence[Value],
        bodies: Sequence["Body"],
        ports: Sequence[Sequence[int]],
    ) -> Sequence[Value]:
        """The results of an If of these operands, cond first; `ports`: which operand each parameter is."""
        self.operations.append(Operation("if", operands, results, bodies, ports=ports))
        return results

    def looped(
        self, operands: Sequence[Value], results: Sequence[Value], cond: "Body", body: "Body"
    ) -> Sequence[Value]:
        """The results of a While."""
        self.operations.append(Operation("while", operands, results, (cond, body)))
        return results

    def fresh(self, like: Value, dims: Dims | str = "", name: str = "") -> Value:
        """A value of this body that some operation will make."""
        return Value(name or self._fresh(), like.element, like.dims if isinstance(dims, str) else dims)

    def _fresh(self) -> str:
        return f"{self.name}v{next(self.numbers)}"

    def _add(self, operation: Operation) -> Value:
        self.operations.append(operation)
        return operation.results[0]


# What each kind of operation computes.
KINDS: Mapping[str, Callable[..., Array]] = {
    "add": lambda a, b: a + b,
    "multiply": lambda a, b: a * b,
    "and": np.logical_and,
    "xor": np.logical_xor,
    "not": np.logical_not,
    "less": lambda a, b: a < b,
    "join": lambda a, b: np.concatenate([a, b]),
    "deepen": lambda a: a[np.newaxis],
    "flatten": lambda a: a.reshape(-1),
    "sum": lambda a: a.sum(dtype=a.dtype),
    "number": lambda a: a.astype(np.int32),
}


def results(body: Body, given: Sequence[Array]) -> list[Array]:
    """What the body returns for what it is given."""
    held = {value.name: array for value, array in zip(body.parameters, given, strict=True)}
    for operation in body.operations:
        operands = [held[value.name] for value in operation.operands]
        made = _made(operation, operands)
        held |= {value.name: np.asarray(array) for value, array in zip(operation.results, made, strict=True)}
    return [held[value.name] for value in body.results]


def _made(operation: Operation, operands: Sequence[Array]) -> Sequence[Array]:
    if operation.kind == "constant":
        assert operation.held is not None
        return [operation.held]
    if operation.kind == "if":
        taken = 0 if operands[0].item() else 1
        return results(operation.bodies[taken], [operands[port] for port in operation.ports[taken]])
    if operation.kind == "while":
        cond, body = operation.bodies
        while results(cond, operands)[0].item():
            operands = results(body, operands)
        return operands
    return [KINDS[operation.kind](*operands)]
