"""Runs in LiteRT's own environment: which element types its operators accept.

tflite_operator_types.py REQUESTS RESPONSES

REQUESTS is a JSON list of [operator, element type], for CAST ["CAST", "FROM TO"]. RESPONSES gets for each, by resolver
and place ("AUTO, primary", "BUILTIN_REF, branch", …), "accepted", LiteRT's message, or how its process ended. A model
has the operator as ifcert writes it: in the primary subgraph, or in the subgraph that an If takes.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import flatbuffers
import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from tflite_object_builder import TRUE, Code, Graph, Model, Type, schema

SECONDS = 20
RESOLVERS = ("AUTO", "BUILTIN_WITHOUT_DEFAULT_DELEGATES", "BUILTIN_REF")
PLACES = ("primary", "branch")

TYPES = {
    "bool": Type.BOOL,
    "boolean": Type.BOOL,
    "string": Type.STRING,
    **{name: getattr(Type, name.upper()) for name in ("int4", "int8", "int16", "int32", "int64")},
    **{name: getattr(Type, name.upper()) for name in ("uint8", "uint16", "uint32", "uint64")},
    **{name: getattr(Type, name.upper()) for name in ("float16", "bfloat16", "float32", "float64")},
    **{name: getattr(Type, name.upper()) for name in ("complex64", "complex128")},
}

# Types whose tensors LiteRT's Python API does not fill: they are cast from float32, and back.
UNFED = ("bfloat16", "int4")

COMPARISONS = ("EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL", "NOT_EQUAL")
BINARY = (*COMPARISONS, "ADD", "DIV", "LOGICAL_AND", "LOGICAL_OR", "MAXIMUM", "MINIMUM", "MUL", "SUB")
OPTIONS = {
    "ADD": schema.AddOptionsT,
    "CAST": schema.CastOptionsT,
    "DIV": schema.DivOptionsT,
    "MUL": schema.MulOptionsT,
    "SUB": schema.SubOptionsT,
}

# Adds the operator to a graph whose inputs are the tensors of the type; returns its result. The key says how many
# inputs there are, and of which shape.
Recipe = Callable[[Graph, list[int]], int]


def listed(graph: Graph, *numbers: int) -> int:
    """A constant list."""
    return graph.constant(Type.INT32, np.array(numbers, np.int32))


def add(graph: Graph, operator: str, inputs: list[int], result: int, options: object = None) -> int:
    """The operator, whose result it returns."""
    options = options or (OPTIONS[operator]() if operator in OPTIONS else None)
    graph.operator(getattr(Code, operator), inputs, [result], options)
    return result


def recipe(operator: str, element: str) -> tuple[list[list[int]], Recipe]:
    """The shapes of the inputs, and what is done with them."""
    of = TYPES[element]
    if operator in BINARY:
        kind = Type.BOOL if operator in COMPARISONS else of
        return [[2], [2]], lambda g, x: add(g, operator, x, g.tensor(kind, [2]))
    if operator == "CONCATENATION":
        options = schema.ConcatenationOptionsT(axis=0)
        return [[2], [2]], lambda g, x: add(g, operator, x, g.tensor(of, [4]), options)
    if operator == "EXPAND_DIMS":
        return [[2]], lambda g, x: add(g, operator, [*x, listed(g, 0)], g.tensor(of, [1, 2]))
    if operator == "FILL":
        return [[]], lambda g, x: add(g, operator, [listed(g, 2), *x], g.tensor(of, [2]))
    if operator == "GATHER":
        options = schema.GatherOptionsT(axis=0)
        return [[2]], lambda g, x: add(g, operator, [*x, listed(g, 1, 0)], g.tensor(of, [2]), options)
    if operator == "RESHAPE":
        return [[2, 2]], lambda g, x: add(g, operator, [*x, listed(g, 4)], g.tensor(of, [4]))
    if operator == "SELECT_V2":
        chosen = lambda g: g.constant(Type.BOOL, np.array([True, False]))  # noqa: E731
        return [[2], [2]], lambda g, x: add(g, operator, [chosen(g), *x], g.tensor(of, [2]))
    if operator == "SHAPE":
        options = schema.ShapeOptionsT(outType=Type.INT64)
        return [[2]], lambda g, x: add(g, operator, x, g.tensor(Type.INT64, [1]), options)
    if operator == "SLICE":
        return [[4]], lambda g, x: add(g, operator, [*x, listed(g, 1), listed(g, 2)], g.tensor(of, [2]))
    if operator == "SUM":
        options = schema.ReducerOptionsT(keepDims=False)
        return [[2, 2]], lambda g, x: add(g, operator, [*x, listed(g, 0)], g.tensor(of, [2]), options)
    if operator == "TRANSPOSE":
        return [[2, 2]], lambda g, x: add(g, operator, [*x, listed(g, 1, 0)], g.tensor(of, [2, 2]))
    if operator in ("ABS", "NEG", "LOGICAL_NOT"):
        return [[2]], lambda g, x: add(g, operator, x, g.tensor(of, [2]))
    raise KeyError(operator)


def cast(graph: Graph, tensor: int, to: int) -> int:
    """The tensor, converted."""
    return add(graph, "CAST", [tensor], graph.tensor(to, graph.made.tensors[tensor].shape, hasRank=True))


def ports_of(operator: str, element: str) -> tuple[str, list[list[int]]]:
    """The element type of a model's inputs, and the shape of each."""
    if operator == "CAST":
        return "float32", [[2]]
    return "float32" if element in UNFED else element, recipe(operator, element)[0]


def computed(graph: Graph, operator: str, element: str, inputs: list[int]) -> int:
    """The operator's result, of a type that the Python API shows."""
    if operator == "CAST":
        first, second = element.split()
        x = inputs[0] if first == "float32" else cast(graph, inputs[0], TYPES[first])
        y = cast(graph, x, TYPES[second])
        return y if second == "float32" else cast(graph, y, Type.FLOAT32)
    given = [cast(graph, port, TYPES[element]) for port in inputs] if element in UNFED else inputs
    result = recipe(operator, element)[1](graph, given)
    shown = graph.made.tensors[result].type not in [TYPES[name] for name in UNFED]
    return result if shown else cast(graph, result, Type.FLOAT32)


def with_operator(graph: Graph, operator: str, element: str) -> list[int]:
    """Fills a graph with the inputs, the operator and an output; returns the inputs."""
    fed, shapes = ports_of(operator, element)
    inputs = [graph.tensor(TYPES[fed], shape, hasRank=True) for shape in shapes]
    graph.outputs(computed(graph, operator, element, inputs))
    return inputs


def model_of(operator: str, element: str, place: str) -> bytes:
    """The file."""
    model = Model()
    primary = model.graph()
    if place == "primary":
        primary.inputs(*with_operator(primary, operator, element))
    else:
        branches = [model.graph(), model.graph()]
        for branch in branches:
            branch.inputs(*with_operator(branch, operator, element))
        fed, shapes = ports_of(operator, element)
        cond = primary.tensor(Type.BOOL, [], hasRank=True)
        inputs = [primary.tensor(TYPES[fed], shape, hasRank=True) for shape in shapes]
        result = branches[0].made.tensors[branches[0].made.outputs[0]]
        output = primary.tensor(result.type, result.shape, hasRank=True)
        primary.inputs(cond, *inputs)
        primary.outputs(output)
        primary.choose([cond, *inputs], [output], 1, 2)
    builder = flatbuffers.Builder()
    builder.Finish(model.made.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def feed_of(element: str, shape: list[int]) -> np.ndarray:
    """Ones, of the type."""
    if element == "string":
        return np.full(shape, b"one", object)
    return np.ones(shape, "bool" if element == "boolean" else element)


def answer(operator: str, element: str, place: str, resolver: str, pipe: Connection) -> None:
    """Loads and runs the model."""
    try:
        model = model_of(operator, element, place)
        kernels = OpResolverType[resolver]
        interpreter = Interpreter(model_content=model, experimental_op_resolver_type=kernels, num_threads=1)
        interpreter.allocate_tensors()
        ports = interpreter.get_input_details()
        if place == "branch":
            interpreter.set_tensor(ports[0]["index"], TRUE)
        fed, shapes = ports_of(operator, element)
        for port, shape in zip(ports[place == "branch" :], shapes, strict=True):
            interpreter.set_tensor(port["index"], feed_of(fed, shape))
        interpreter.invoke()
        pipe.send("accepted")
    except Exception as error:  # of several classes
        pipe.send(f"{type(error).__name__}: {error}")


def answer_of(operator: str, element: str, place: str, resolver: str) -> str:
    """The answer of a process of its own, which may crash."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=answer, args=(operator, element, place, resolver, theirs))
    process.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(SECONDS) else "hangs"
    except EOFError:
        process.join()
        return f"exit status {process.exitcode}"
    finally:
        process.kill()


def main(asked: str, answered: str) -> None:
    """Answers all pairs."""
    answers = [
        {
            f"{resolver}, {place}": answer_of(operator, element, place, resolver)
            for resolver in RESOLVERS
            for place in PLACES
        }
        for operator, element in json.loads(Path(asked).read_text())
    ]
    Path(answered).write_text(json.dumps(answers))


if __name__ == "__main__":
    main(*sys.argv[1:])
