"""Pieces of ONNX models: each is the text of some nodes, and a function over numpy that says what they compute.

A model that is composed of pieces has its expected values by construction: no reference and no runtime is asked.
A tensor of strings is an array of bytes objects, a sequence a tuple of arrays, an optional a `Some`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ifcert.authoring.values import Value, sequence, some, strings, value

Env = dict[str, Any]
Array = np.ndarray

# In a scope with this, both branches of each If are computed; it has what each graph takes and returns, by its name.
SEEN = "@seen"

TEXT = {
    "float32": "float",
    "float64": "double",
    "float16": "float16",
    "int64": "int64",
    "int32": "int32",
    "int16": "int16",
    "int8": "int8",
    "uint8": "uint8",
    "bool": "bool",
    "string": "string",
}


@dataclass(frozen=True)
class Some:
    """An optional that holds a tensor."""

    held: Array


# What a value is.
Held = np.ndarray | tuple[Any, ...] | Some


@dataclass(frozen=True)
class Piece:
    """Some nodes: their text, and what they add to the values of a scope."""

    text: str
    run: Callable[[Env], None]


def element_of(array: Array) -> str:
    """The name of its element type."""
    return "string" if array.dtype == object else array.dtype.name


def array_of(element: str, held: object) -> Array:
    """A tensor of this element type."""
    return np.array(held, object if element == "string" else element)


def writable(held: Held) -> Value:
    """The value as a vector has it."""
    if isinstance(held, tuple):
        items = [writable(each) for each in held]
        return sequence(items[0].type, items)
    if isinstance(held, Some):
        return some(writable(held.held))
    return strings(held.shape, list(held.ravel())) if held.dtype == object else value(held)


def type_of(held: Held, dims: Sequence[object]) -> str:
    """The type in the notation of ONNX text, with these dims: `seq(float[2])`."""
    if isinstance(held, tuple):
        return f"seq({type_of(held[0], dims)})"
    if isinstance(held, Some):
        return f"optional({type_of(held.held, dims)})"
    text = TEXT[element_of(held)]
    return f"{text}[{','.join(map(str, dims))}]" if len(dims) else text


def literal(array: Array) -> str:
    """`float[2] {1, 2}`"""
    bits = array.view(np.uint16) if array.dtype == np.float16 else array.astype(int) if array.dtype == bool else array
    spelt = [f'"{each.decode()}"' if isinstance(each, bytes) else str(each) for each in bits.ravel().tolist()]
    return f"{type_of(array, array.shape)} {{{', '.join(spelt)}}}"


def node(out: str, operator: str, operands: Sequence[str], compute: Callable[..., Any], attributes: str = "") -> Piece:
    """One node with one output; an operand that is left out is "" in the text, None for `compute`."""

    def run(env: Env) -> None:
        env[out] = compute(*(env[name] if name else None for name in operands))

    return Piece(f"{out} = {operator}{attributes and f' <{attributes}>'} ({', '.join(map(_operand, operands))})", run)


def _operand(name: str) -> str:
    return name or '""'


def constant(out: str, held: Array) -> Piece:
    """A Constant."""
    return node(out, "Constant", [], lambda: held, f"value = {literal(held)}")


@dataclass(frozen=True)
class Graph:
    """A graph that a node holds; an input or output may have a type, "int64 i". neutral.py adds the others."""

    name: str
    outputs: Sequence[str]
    body: Sequence[Piece]
    inputs: Sequence[str] = ()
    initializers: Mapping[str, Array] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """`then_1 () => (a) <float[1] k = {2}> { a = Add (v, k) }`"""
        held = ", ".join(literal(array).replace(" {", f" {name} = {{", 1) for name, array in self.initializers.items())
        nodes = "  ".join(piece.text for piece in self.body)
        signature = f"{self.name} ({', '.join(self.inputs)}) => ({', '.join(self.outputs)})"
        return f"{signature}{held and f' <{held}>'} {{ {nodes} }}"

    def results(self, around: Env, *operands: Held) -> list[Any]:
        """What it computes, in a scope around it."""
        names = [name.rpartition(" ")[2] for name in self.inputs]
        env = around | dict(self.initializers) | dict(zip(names, operands, strict=True))
        for piece in self.body:
            piece.run(env)
        found = [env[name.rpartition(" ")[2]] for name in self.outputs]
        if SEEN in env:
            env[SEEN][self.name] = [*operands, *found]
        return found


def holding(
    outs: Sequence[str],
    operator: str,
    operands: Sequence[str],
    attributes: str,
    results: Callable[[Env], Sequence[Any]],
) -> Piece:
    """A node that holds graphs."""

    def run(env: Env) -> None:
        env |= dict(zip(outs, results(env), strict=True))

    text = f"{', '.join(outs)} = {operator} ({', '.join(map(_operand, operands))}) <{attributes}>"
    return Piece(text, run)


def chosen(outs: Sequence[str], cond: str, then: Graph, else_: Graph, name: str = "") -> Piece:
    """An If."""

    def results(env: Env) -> list[Any]:
        assert env[cond].size == 1
        taken, other = (then, else_) if env[cond].item() else (else_, then)
        if SEEN in env:
            other.results(env)
        return taken.results(env)

    piece = holding(outs, "If", [cond], f"then_branch = {then.text}, else_branch = {else_.text}", results)
    return Piece(f"[{name}] {piece.text}", piece.run) if name else piece


def looped(outs: Sequence[str], trips: str, go: str, initial: Sequence[str], body: Graph) -> Piece:
    """A Loop for a number of trips, which carries everything."""

    def results(env: Env) -> list[Any]:
        carried = [env[name] for name in initial]
        for trip in range(int(env[trips])):
            _, *carried = body.results(env, np.array(trip), np.array(True), *carried)
        return carried

    return holding(outs, "Loop", [trips, go, *initial], f"body = {body.text}", results)


def scanned(outs: Sequence[str], states: Sequence[str], elements: str, body: Graph) -> Piece:
    """A Scan over the rows of one tensor."""

    def results(env: Env) -> list[Any]:
        held, stacks = [env[name] for name in states], [[] for _ in body.outputs[len(states) :]]
        for element in env[elements]:
            found = body.results(env, *held, element)
            held = found[: len(states)]
            for stack, each in zip(stacks, found[len(states) :], strict=True):
                stack.append(each)
        return [*held, *map(np.stack, stacks)]

    return holding(outs, "Scan", [*states, elements], f"num_scan_inputs = 1, body = {body.text}", results)


def mapped(outs: Sequence[str], items: str, body: Graph) -> Piece:
    """A SequenceMap over one sequence."""

    def results(env: Env) -> list[Any]:
        found = [body.results(env, item) for item in env[items]]
        return [tuple(each[number] for each in found) for number in range(len(outs))]

    return holding(outs, "SequenceMap", [items], f"body = {body.text}", results)


@dataclass(frozen=True)
class Function:
    """A local function. Its attributes are in the scope of its body as "@name"; what a call leaves out is None."""

    name: str
    inputs: Sequence[str]
    outputs: Sequence[str]
    body: Sequence[Piece]
    attributes: Mapping[str, Sequence[int] | None] = field(default_factory=dict)  # with their defaults, or None
    graph: str = ""  # an attribute that is a graph

    def text(self, opset: str) -> str:
        """The function with its imports."""
        declared = [name + (f": tensor = {bounds(held)}" if held else "") for name, held in self.attributes.items()]
        declared += [self.graph] if self.graph else []
        head = f"{self.name} <{', '.join(declared)}>" if declared else self.name
        nodes = "\n        ".join(piece.text for piece in self.body)
        return f"""
    <domain: "local", opset_import: ["" : {opset}, "local" : 1]>
    {head} ({", ".join(self.inputs)}) => ({", ".join(self.outputs)}) {{
        {nodes}
    }}"""

    def results(self, operands: Sequence[Any], attributes: Mapping[str, Any]) -> list[Any]:
        """What a call computes."""
        env: Env = dict.fromkeys(self.inputs) | dict(zip(self.inputs, operands, strict=False))
        env |= {f"@{name}": attributes.get(name, held) for name, held in self.attributes.items()}
        env |= {f"@{self.graph}": attributes.get(self.graph)} if self.graph else {}
        env |= {SEEN: attributes[SEEN]} if SEEN in attributes else {}
        for piece in self.body:
            piece.run(env)
        return [env[name] for name in self.outputs]


def call(
    outs: Sequence[str], function: Function, operands: Sequence[str], attributes: Mapping[str, Sequence[int] | Graph]
) -> Piece:
    """A call of a local function; an operand "" is left out."""

    def run(env: Env) -> None:
        seen: Env = {SEEN: env[SEEN]} if SEEN in env else {}
        given: dict[str, Any] = {}
        for name, held in attributes.items():
            given[name] = (lambda held=held: held.results(seen)) if isinstance(held, Graph) else held
        found = function.results([env[name] if name else None for name in operands], given | seen)
        env |= dict(zip(outs, found, strict=True))

    said = [f"{name} = {held.text if isinstance(held, Graph) else bounds(held)}" for name, held in attributes.items()]
    words = f" <{', '.join(said)}>" if said else ""
    return Piece(f"{', '.join(outs)} = local.{function.name}{words} ({', '.join(map(_operand, operands))})", run)


def bounds(held: Sequence[int]) -> str:
    """An attribute of integers, as a tensor: Constant has lists from opset 12 on alone."""
    return literal(np.array(held, np.int64))


def from_attribute(out: str, name: str) -> Piece:
    """A Constant that holds the function's attribute."""

    def run(env: Env) -> None:
        env[out] = np.array(env[f"@{name}"], np.int64)

    return Piece(f"{out} = Constant <value: tensor = @{name}> ()", run)


def sliced(data: Array, starts: Array, ends: Array, axes: Array | None, steps: Array | None) -> Array:
    """What Slice computes: without axes all, without steps one by one."""
    axes = np.arange(len(starts)) if axes is None else axes
    steps = np.ones(len(starts), np.int64) if steps is None else steps
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        data = np.take(data, _places(data.shape[axis], int(start), int(end), int(step)), axis)
    return data


def _places(size: int, start: int, end: int, step: int) -> list[int]:
    lowest, highest = (0, size) if step > 0 else (-1, size - 1)
    start, end = (each + size if each < 0 else each for each in (start, end))
    first = min(max(start, 0), highest)
    return list(range(first, min(max(end, lowest), highest), step))
