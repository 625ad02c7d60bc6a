"""Runs in LiteRT's own environment: what If and While hand on, loops, and operators in bodies."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np
from ai_edge_litert import schema_py_generated as schema
from tflite_object_builder import (
    FALSE,
    OTHER,
    PAIR,
    TRUE,
    Code,
    Graph,
    Model,
    Runs,
    Type,
    built,
    number,
    unary,
)


def strings(*items: bytes) -> bytes:
    """As buffers hold them: how many, where each begins and where the last one ends, and the bytes."""
    ends = np.cumsum([4 + 4 * (len(items) + 1), *map(len, items)]).tolist()
    return struct.pack(f"<{len(items) + 2}i", len(items), *ends) + b"".join(items)


def text_model(constant: bool) -> tuple[Model, Runs]:
    """IF passes strings on, or returns some that were there before."""
    model = Model()
    main = model.graph("main")
    p, x, y = main.tensor(Type.BOOL, [], "p"), *(main.tensor(Type.STRING, [3], name) for name in "xy")
    main.inputs(p, x)
    main.outputs(y)
    main.choose([p, x], [y], 1, 2)
    items = [b"", b"nul \0 inside", "да".encode()]
    for gathers in (False, True):
        body = model.graph()
        given = body.tensor(Type.STRING, [3])
        body.inputs(given)
        body.outputs(given)
        if gathers:
            held = body.tensor(Type.STRING, [3], buffer=model.buffer(strings(*items)))
            body.outputs(held)
        if gathers and not constant:
            result, order = body.tensor(Type.STRING, [3]), body.constant(Type.INT32, np.array([2, 1, 0], np.int32))
            body.operator(Code.GATHER, [held, order], [result], schema.GatherOptionsT())
            body.outputs(result)
    given, held = np.array([b"one", b"", b"three"], object), np.array(items if constant else items[::-1], object)
    return model, [([TRUE, given], [given]), ([FALSE, given], [held])]


@built
def strings_gathered() -> tuple[bytes, Runs]:
    """From a buffer."""
    model, runs = text_model(constant=False)
    return model.packed(), runs


@built
def strings_as_output() -> tuple[bytes, Runs]:
    """The body's output is the buffer itself."""
    model, runs = text_model(constant=True)
    return model.packed(), runs


def twice(computed: bool) -> tuple[bytes, Runs]:
    """One tensor is two operands; then may give one value twice; else does, and has no vector of operators."""
    model = Model()
    main = model.graph("main")
    p, x = main.tensor(Type.BOOL, [], "p"), main.tensor(Type.FLOAT32, [2], "x")
    outputs = [main.tensor(Type.FLOAT32, [2]) for _ in range(2)]
    main.inputs(p, x)
    main.outputs(*outputs, x)
    main.choose([p, x, x], outputs, 1, 2)
    product = model.graph()
    a, b, c = (product.tensor(Type.FLOAT32, [2]) for _ in range(3))
    product.inputs(a, b)
    product.outputs(*([c, c] if computed else [c, b]))
    product.operator(Code.MUL, [a, b], [c], schema.MulOptionsT())
    passing = model.graph()
    a, b = (passing.tensor(Type.FLOAT32, [2]) for _ in range(2))
    passing.inputs(a, b)
    passing.outputs(b, b)
    passing.made.operators = None
    squares = np.array([2.25, 4], np.float32)
    seconds = squares if computed else PAIR
    return model.packed(), [([TRUE, PAIR], [squares, seconds, PAIR]), ([FALSE, PAIR], [PAIR, PAIR, PAIR])]


@built
def operand_twice() -> tuple[bytes, Runs]:
    """A tensor among the operands, and one among else's outputs."""
    return twice(computed=False)


@built
def value_twice() -> tuple[bytes, Runs]:
    """The result of then is two of the outputs."""
    return twice(computed=True)


@built
def one_body_for_two() -> tuple[bytes, Runs]:
    """Two IFs and both branches of each name the same two subgraphs, whose numbers stand the other way round."""
    model = Model()
    main = model.graph("main")
    p, q, x = main.tensor(Type.BOOL, [], "p"), main.tensor(Type.BOOL, [], "q"), main.tensor(Type.FLOAT32, [2], "x")
    y, z = (main.tensor(Type.FLOAT32, [2], name) for name in "yz")
    main.inputs(p, q, x)
    main.outputs(z, y)
    main.choose([p, x], [y], 2, 1)
    main.choose([q, y], [z], 1, 2)
    unary(model, Code.NEG, [2])
    unary(model, Code.ABS, [2])
    absolute, negative = np.array([1.5, 2], np.float32), np.array([-1.5, 2], np.float32)
    return model.packed(), [
        ([TRUE, TRUE, PAIR], [-absolute, absolute]),
        ([TRUE, FALSE, PAIR], [absolute, absolute]),
        ([FALSE, TRUE, PAIR], [PAIR, negative]),
        ([FALSE, FALSE, PAIR], [absolute, negative]),
    ]


def counted(model: Model, step: Callable[[Graph, int], int], variables: int = 2) -> None:
    """Subgraphs cond, i < 3, and body: i + 1, of x what the step says, and what else there is as it is."""
    for is_cond in (True, False):
        graph = model.graph("cond" if is_cond else "body")
        i, x = graph.tensor(Type.INT32, [], "i"), graph.tensor(Type.FLOAT32, [2], "x")
        more = [graph.tensor(Type.FLOAT32, [2]) for _ in range(variables - 2)]
        graph.inputs(i, x, *more)
        result = graph.tensor(Type.BOOL if is_cond else Type.INT32, [])
        if is_cond:
            graph.operator(Code.LESS, [i, graph.constant(Type.INT32, number(3))], [result], schema.LessOptionsT())
            graph.outputs(result)
        else:
            one = graph.constant(Type.INT32, number(1))
            graph.operator(Code.ADD, [i, one], [result], schema.AddOptionsT())
            graph.outputs(result, step(graph, x), *more)


def doubled(graph: Graph, x: int) -> int:
    """x + x."""
    y = graph.tensor(Type.FLOAT32, [2])
    graph.operator(Code.ADD, [x, x], [y], schema.AddOptionsT())
    return y


def loop(model: Model) -> None:
    """A primary subgraph of i and x, and a WHILE of subgraphs 1 and 2."""
    main = model.graph("main")
    given = [main.tensor(Type.INT32, [], "i"), main.tensor(Type.FLOAT32, [2], "x")]
    results = [main.tensor(Type.INT32, []), main.tensor(Type.FLOAT32, [2])]
    main.inputs(*given)
    main.outputs(*results)
    main.repeat(given, results, 1, 2)


@built
def counting() -> tuple[bytes, Runs]:
    """WHILE, from several starts; one of them makes no trip."""
    model = Model()
    loop(model)
    counted(model, doubled)
    return model.packed(), [
        ([number(0), PAIR], [number(3), np.array([12, -16], np.float32)]),
        ([number(2), PAIR], [number(3), np.array([3, -4], np.float32)]),
        ([number(3), PAIR], [number(3), PAIR]),
        ([number(7), PAIR], [number(7), PAIR]),
    ]


@built
def counting_by_the_deprecated_code() -> tuple[bytes, Runs]:
    """119 is in the byte alone; defaults are written too."""
    model = Model(current=False)
    loop(model)
    counted(model, doubled)
    runs = [([number(1), PAIR], [number(3), np.array([6, -8], np.float32)])]
    return model.packed(force_defaults=True), runs


@built
def invariant() -> tuple[bytes, Runs]:
    """A third loop variable that each trip passes on, and that is not an output of the model."""
    model = Model()
    main = model.graph("main")
    given = [main.tensor(Type.INT32, [], "i"), *(main.tensor(Type.FLOAT32, [2], name) for name in "xy")]
    results = [main.tensor(Type.INT32, []), *(main.tensor(Type.FLOAT32, [2]) for _ in range(2))]
    main.inputs(*given)
    main.outputs(results[1])
    main.repeat(given, results, 1, 2)

    def step(graph: Graph, x: int) -> int:
        y = graph.tensor(Type.FLOAT32, [2])
        graph.operator(Code.SUB, [x, graph.made.inputs[2]], [y], schema.SubOptionsT())
        return y

    counted(model, step, 3)
    return model.packed(), [
        ([number(0), PAIR, OTHER], [np.array([0.75, -26], np.float32)]),
        ([number(5), PAIR, OTHER], [PAIR]),
    ]


@built
def if_in_while() -> tuple[bytes, Runs]:
    """Each trip doubles x where i is above 1, and else turns its sign."""
    model = Model()
    loop(model)

    def step(graph: Graph, x: int) -> int:
        late, y = graph.tensor(Type.BOOL, []), graph.tensor(Type.FLOAT32, [2])
        one = graph.constant(Type.INT32, number(1))
        graph.operator(Code.GREATER, [graph.made.inputs[0], one], [late], schema.GreaterOptionsT())
        graph.choose([late, x], [y], 3, 4)
        return y

    counted(model, step)
    twice = model.graph()
    given = twice.tensor(Type.FLOAT32, [2])
    twice.inputs(given)
    twice.outputs(doubled(twice, given))
    unary(model, Code.NEG, [2])
    return model.packed(), [
        ([number(0), PAIR], [number(3), np.array([3, -4], np.float32)]),
        ([number(1), PAIR], [number(3), np.array([-3, 4], np.float32)]),
        ([number(-1), PAIR], [number(3), np.array([-3, 4], np.float32)]),
    ]


@built
def while_in_if() -> tuple[bytes, Runs]:
    """then has a WHILE whose subgraphs have smaller numbers than its own; else hands on."""
    model = Model()
    main = model.graph("main")
    p, i, x = main.tensor(Type.BOOL, [], "p"), main.tensor(Type.INT32, [], "i"), main.tensor(Type.FLOAT32, [2], "x")
    y = main.tensor(Type.FLOAT32, [2])
    main.inputs(x, p, i)
    main.outputs(y)
    main.choose([p, i, x], [y], 3, 4)
    counted(model, doubled)
    for repeats in (True, False):
        body = model.graph()
        given = [body.tensor(Type.INT32, []), body.tensor(Type.FLOAT32, [2])]
        results = [body.tensor(Type.INT32, []), body.tensor(Type.FLOAT32, [2])]
        body.inputs(*given)
        body.outputs(results[1] if repeats else given[1])
        if repeats:
            body.repeat(given, results, 1, 2)
    return model.packed(), [
        ([PAIR, TRUE, number(1)], [np.array([6, -8], np.float32)]),
        ([PAIR, FALSE, number(1)], [PAIR]),
    ]


def operators_with_options(activation: int) -> tuple[bytes, Runs]:
    """CONCATENATION with this activation."""
    model = Model()
    main = model.graph("main")
    p, x = main.tensor(Type.BOOL, [], "p"), main.tensor(Type.FLOAT32, [2], "x")
    outputs = [main.tensor(Type.FLOAT32, [2, 2]), main.tensor(Type.FLOAT32, [1])]
    main.inputs(p, x)
    main.outputs(*outputs)
    main.choose([p, x], outputs, 1, 2)

    body = model.graph("then")
    a, column, wide, total = (body.tensor(Type.FLOAT32, shape) for shape in ([2], [2, 1], [2, 2], [1]))
    body.inputs(a)
    body.outputs(wide, total)
    body.operator(Code.RESHAPE, [a], [column], schema.ReshapeOptionsT(newShape=[2, 1]))
    body.operator(Code.CONCATENATION, [column, column], [wide], schema.ConcatenationOptionsT(-1, activation))
    axis = body.constant(Type.INT32, np.array([0], np.int32))
    body.operator(Code.SUM, [a, axis], [total], schema.ReducerOptionsT(keepDims=True))

    body = model.graph("else")
    a, square, last, held = (body.tensor(Type.FLOAT32, shape) for shape in ([2], [2, 2], [1], [1]))
    body.inputs(a)
    body.outputs(square, held)
    body.operator(Code.PACK, [a, a], [square], schema.PackOptionsT(valuesCount=2, axis=1))
    index = body.constant(Type.INT32, np.array([1], np.int32))
    body.operator(Code.GATHER, [a, index], [last], schema.GatherOptionsT(axis=0))
    relu = schema.ActivationFunctionType.RELU
    body.operator(Code.ADD, [last, last], [held], schema.AddOptionsT(fusedActivationFunction=relu))
    low = 0 if activation == relu else -2
    return model.packed(), [
        ([TRUE, PAIR], [np.array([[1.5, 1.5], [low, low]], np.float32), np.array([-0.5], np.float32)]),
        ([FALSE, PAIR], [np.array([[1.5, 1.5], [-2, -2]], np.float32), np.array([0], np.float32)]),
        ([FALSE, OTHER], [np.array([[0.25, 0.25], [8, 8]], np.float32), np.array([16], np.float32)]),
    ]


@built
def options_of_operators() -> tuple[bytes, Runs]:
    """RESHAPE by its options alone, CONCATENATION along axis -1, SUM that keeps dims, PACK, GATHER, ADD and RELU."""
    return operators_with_options(schema.ActivationFunctionType.NONE)


@built
def concatenation_with_relu() -> tuple[bytes, Runs]:
    """An activation that few kernels know of."""
    return operators_with_options(schema.ActivationFunctionType.RELU)
