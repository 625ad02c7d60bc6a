"""Runs in LiteRT's own environment: writes models with the object API of ai_edge_litert, which no part of ours made.

tflite_object_models.py FOLDER

Writes FOLDER/NAME.tflite for each model below, and FOLDER/NAME.json: a list of runs, each the inputs and the outputs
that must come, worked out by hand, as the protocol writes values, in the order of the primary subgraph's ports.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import flatbuffers
import ifcert_adapter as sdk
import numpy as np
from ai_edge_litert import schema_py_generated as schema

Code, Type, Options = schema.BuiltinOperator, schema.TensorType, schema.BuiltinOptions
Arrays = list[np.ndarray]
Runs = list[tuple[Arrays, Arrays]]

TRUE, FALSE = np.array(True), np.array(False)
PAIR, OTHER = np.array([1.5, -2], np.float32), np.array([0.25, 8], np.float32)

BUILT: dict[str, Callable[[], tuple[bytes, Runs]]] = {}


def built(build: Callable[[], tuple[bytes, Runs]]) -> Callable[[], tuple[bytes, Runs]]:
    """The function's name is the model's."""
    BUILT[build.__name__] = build
    return build


def number(value: int) -> np.ndarray:
    """An int32 of no dimensions."""
    return np.array(value, np.int32)


class Graph:
    """A subgraph that is being put together."""

    def __init__(self, model: Model, name: str) -> None:
        """Without anything in it."""
        self._model = model
        self.made = schema.SubGraphT(name=name, tensors=[], inputs=[], outputs=[], operators=[])

    def tensor(self, element: int, shape: Sequence[int] | None, name: str | None = None, **fields: Any) -> int:  # noqa: ANN401
        """Its index."""
        shape = None if shape is None else list(shape)
        name = name or f"tensor {len(self.made.tensors)}"
        self.made.tensors.append(schema.TensorT(shape=shape, type=element, name=name, **fields))
        return len(self.made.tensors) - 1

    def constant(self, element: int, values: np.ndarray) -> int:
        """A tensor with a buffer of its own."""
        buffer = self._model.buffer(values.tobytes())
        return self.tensor(element, values.shape, buffer=buffer)

    def inputs(self, *tensors: int) -> None:
        """In order."""
        self.made.inputs = list(tensors)

    def outputs(self, *tensors: int) -> None:
        """In order."""
        self.made.outputs = list(tensors)

    def operator(
        self,
        code: int,
        inputs: Sequence[int],
        outputs: Sequence[int],
        options: Any = None,  # noqa: ANN401 (an object of the schema)
        **fields: Any,  # noqa: ANN401
    ) -> None:
        """Behind those that are there; the options' class says which entry of the union they are."""
        kind = type(options).__name__.removesuffix("T") if options else "NONE"
        self.made.operators.append(
            schema.OperatorT(
                opcodeIndex=self._model.code(code),
                inputs=list(inputs),
                outputs=list(outputs),
                builtinOptionsType=getattr(Options, kind),
                builtinOptions=options,
                **fields,
            )
        )

    def choose(self, operands: Sequence[int], outputs: Sequence[int], then: int, otherwise: int) -> None:
        """An IF."""
        self.operator(Code.IF, operands, outputs, schema.IfOptionsT(then, otherwise))

    def repeat(self, operands: Sequence[int], outputs: Sequence[int], cond: int, body: int) -> None:
        """A WHILE."""
        self.operator(Code.WHILE, operands, outputs, schema.WhileOptionsT(cond, body))


class Model:
    """A model that is being put together; the first subgraph is the primary one."""

    def __init__(self, *, deprecated: bool = True, current: bool = True) -> None:
        """Which of an operator code's two fields are written."""
        self._deprecated, self._current = deprecated, current
        self.made = schema.ModelT(version=3, operatorCodes=[], subgraphs=[], buffers=[schema.BufferT()])

    def graph(self, name: str | None = None) -> Graph:
        """One more subgraph."""
        graph = Graph(self, name or f"subgraph {len(self.made.subgraphs)}")
        self.made.subgraphs.append(graph.made)
        return graph

    def buffer(self, content: bytes) -> int:
        """Its index."""
        self.made.buffers.append(schema.BufferT(data=np.frombuffer(content, np.uint8)))
        return len(self.made.buffers) - 1

    def code(self, code: int) -> int:
        """Its index."""
        fresh = schema.OperatorCodeT(
            deprecatedBuiltinCode=min(code, 127) if self._deprecated else 0,
            builtinCode=code if self._current else 0,
            version=1,
        )
        for index, there in enumerate(self.made.operatorCodes):
            if vars(there) == vars(fresh):
                return index
        self.made.operatorCodes.append(fresh)
        return len(self.made.operatorCodes) - 1

    def packed(self, *, force_defaults: bool = False, buffers_first: bool = False) -> bytes:
        """The file. No byte of a size stands in front."""
        builder = flatbuffers.Builder()
        builder.ForceDefaults(force_defaults)
        root = pack_buffers_first(self.made, builder) if buffers_first else self.made.Pack(builder)
        builder.Finish(root, b"TFL3")
        return bytes(builder.Output())


def pack_buffers_first(model: schema.ModelT, builder: flatbuffers.Builder) -> int:
    """The same model with its parts, and the fields of its table, the other way round."""

    def vector(items: list[Any]) -> int:
        offsets = [item.Pack(builder) for item in reversed(items)]
        builder.StartVector(4, len(offsets), 4)
        for offset in offsets:
            builder.PrependUOffsetTRelative(offset)
        return builder.EndVector()

    description = builder.CreateString("from the end")
    buffers, subgraphs, codes = (vector(items) for items in (model.buffers, model.subgraphs, model.operatorCodes))
    schema.ModelStart(builder)
    schema.ModelAddBuffers(builder, buffers)
    schema.ModelAddDescription(builder, description)
    schema.ModelAddSubgraphs(builder, subgraphs)
    schema.ModelAddOperatorCodes(builder, codes)
    schema.ModelAddVersion(builder, model.version)
    return schema.ModelEnd(builder)


def binary(model: Model, code: int, options: Any = None) -> None:  # noqa: ANN401 (an object of the schema)
    """A subgraph of two pairs of float32, and one operator of both."""
    graph = model.graph(f"of code {code}")
    a, b, c = (graph.tensor(Type.FLOAT32, [2], name) for name in "abc")
    graph.inputs(a, b)
    graph.outputs(c)
    graph.operator(code, [a, b], [c], options)


def add_or_subtract(model: Model) -> Runs:
    """IF with bodies ADD and SUB."""
    main = model.graph("main")
    p, x, y, z = main.tensor(Type.BOOL, [], "p"), *(main.tensor(Type.FLOAT32, [2], name) for name in "xyz")
    main.inputs(p, x, y)
    main.outputs(z)
    main.choose([p, x, y], [z], 1, 2)
    binary(model, Code.ADD, schema.AddOptionsT())
    binary(model, Code.SUB, schema.SubOptionsT())
    sums, differences = np.array([1.75, 6], np.float32), np.array([1.25, -10], np.float32)
    return [([TRUE, PAIR, OTHER], [sums]), ([FALSE, PAIR, OTHER], [differences])]


@built
def both_codes() -> tuple[bytes, Runs]:
    """Both fields of an operator code."""
    model = Model()
    runs = add_or_subtract(model)
    return model.packed(), runs


@built
def deprecated_code_only() -> tuple[bytes, Runs]:
    """As files were before there were more than 127 operators."""
    model = Model(current=False)
    runs = add_or_subtract(model)
    return model.packed(), runs


@built
def current_code_only() -> tuple[bytes, Runs]:
    """TensorFlow Lite takes the larger of both. (Circle takes the deprecated one: there this is another model.)"""
    model = Model(deprecated=False)
    runs = add_or_subtract(model)
    return model.packed(), runs


@built
def defaults_written() -> tuple[bytes, Runs]:
    """Every field of a number stands in the file, also where it has its default."""
    model = Model()
    runs = add_or_subtract(model)
    return model.packed(force_defaults=True), runs


@built
def buffers_first() -> tuple[bytes, Runs]:
    """The parts in another order."""
    model = Model()
    runs = add_or_subtract(model)
    return model.packed(buffers_first=True), runs


@built
def told_about() -> tuple[bytes, Runs]:
    """A description, metadata, signatures, quantization that says nothing, and empty vectors."""
    model = Model()
    runs = add_or_subtract(model)
    made = model.made
    made.description = "with signatures and metadata"
    made.metadata = [schema.MetadataT(name="notes", buffer=model.buffer(b"nobody reads this"))]
    made.metadataBuffer = [len(made.buffers) - 1]
    names = {"inputs": [("p", 0), ("x", 1), ("y", 2)], "outputs": [("z", 3)]}
    maps = {side: [schema.TensorMapT(*entry) for entry in entries] for side, entries in names.items()}
    made.signatureDefs = [schema.SignatureDefT(**maps, signatureKey="serving_default", subgraphIndex=0)]
    for graph in made.subgraphs:
        for tensor in graph.tensors:
            tensor.quantization = schema.QuantizationParametersT()
        for operator in graph.operators:
            operator.intermediates, operator.mutatingVariableInputs = [], []
    return model.packed(), runs


def renamed(subgraphs: str | None, tensors: str | None, ports: Sequence[str | None] = "pxyz") -> tuple[bytes, Runs]:
    """Subgraphs and tensors have these names, or none; the primary subgraph's ports have theirs."""
    model = Model()
    runs = add_or_subtract(model)
    for graph in model.made.subgraphs:
        graph.name = subgraphs
        for tensor in graph.tensors:
            tensor.name = tensors
    for tensor, port in zip(model.made.subgraphs[0].tensors, ports, strict=True):
        tensor.name = port
    return model.packed(), runs


@built
def subgraphs_without_names() -> tuple[bytes, Runs]:
    """As the schema allows."""
    return renamed(None, "same")


@built
def tensors_without_names() -> tuple[bytes, Runs]:
    """Those of the bodies."""
    return renamed("same", None)


@built
def one_name_inside() -> tuple[bytes, Runs]:
    """Tensors and subgraphs are told apart by their numbers."""
    return renamed("same", "same")


@built
def ports_without_names() -> tuple[bytes, Runs]:
    """Nothing has a name at all; who feeds by name cannot feed it."""
    return renamed(None, None, [None] * 4)


@built
def scalars_without_a_shape() -> tuple[bytes, Runs]:
    """No vector of dims, instead of one without dims."""
    model = Model()
    runs = add_or_subtract(model)
    for tensor in model.made.subgraphs[0].tensors:
        tensor.shape = tensor.shape or None
    return model.packed(), runs


@built
def others_that_nobody_uses() -> tuple[bytes, Runs]:
    """An operator code, buffers, tensors and a subgraph to which nothing leads."""
    model = Model()
    model.code(Code.CUMSUM)
    model.buffer(b"four bytes, and more")
    runs = add_or_subtract(model)
    binary(model, Code.MUL, schema.MulOptionsT())
    model.made.subgraphs[0].tensors.append(schema.TensorT(shape=[7], type=Type.FLOAT64, name="unused"))
    return model.packed(), runs


def unary(model: Model, code: int, shape: Sequence[int] | None, **fields: Any) -> None:  # noqa: ANN401
    """A subgraph of one operand."""
    graph = model.graph()
    a, b = (graph.tensor(Type.FLOAT32, shape, name, **fields) for name in "ab")
    graph.inputs(a)
    graph.outputs(b)
    graph.operator(code, [a], [b])


def negated_or_absolute(**fields: Any) -> tuple[bytes, Runs]:  # noqa: ANN401 (fields of tensors)
    """Of x, whose declaration has these fields too; shape [1, 2] where the fields do not say that it is unknown."""
    model = Model()
    main = model.graph("main")
    p, x, y = main.tensor(Type.BOOL, [], "p"), *(main.tensor(Type.FLOAT32, [1, 2], name, **fields) for name in "xy")
    main.inputs(p, x)
    main.outputs(y)
    main.choose([p, x], [y], 2, 1)
    unary(model, Code.ABS, [1, 2], **fields)
    unary(model, Code.NEG, [1, 2], **fields)
    rows = np.array([[1, -2], [-3, 4], [5, 6]], np.float32)
    return model.packed(), [
        ([TRUE, rows], [np.array([[-1, 2], [3, -4], [-5, -6]], np.float32)]),
        ([FALSE, rows], [np.array([[1, 2], [3, 4], [5, 6]], np.float32)]),
        ([TRUE, rows[:1]], [np.array([[-1, 2]], np.float32)]),
        ([FALSE, rows[:2]], [np.array([[1, 2], [3, 4]], np.float32)]),
    ]


@built
def shape_signature() -> tuple[bytes, Runs]:
    """The first dim is -1 in the signature and 1 in the shape."""
    return negated_or_absolute(shapeSignature=[-1, 2], hasRank=True)


@built
def shape_signature_without_rank() -> tuple[bytes, Runs]:
    """`has_rank` is false, as in files from before there was that field; the signature counts all the same."""
    return negated_or_absolute(shapeSignature=[-1, 2])


@built
def bodies_hints() -> tuple[bytes, Runs]:
    """Tensors of the bodies are declared with other shapes than those that come."""
    model = Model()
    main = model.graph("main")
    p, x, y = main.tensor(Type.BOOL, [1], "p"), *(main.tensor(Type.FLOAT32, [2], name) for name in "xy")
    main.inputs(p, x)
    main.outputs(y)
    main.choose([p, x], [y], 1, 2)
    unary(model, Code.NEG, [5, 7])
    unary(model, Code.ABS, [])
    return model.packed(), [
        ([TRUE.reshape(1), PAIR], [np.array([-1.5, 2], np.float32)]),
        ([FALSE.reshape(1), PAIR], [np.array([1.5, 2], np.float32)]),
    ]


def constants(model: Model) -> Runs:
    """IF between constants of several types, some of which are outputs."""
    main = model.graph("main")
    p, x = main.tensor(Type.BOOL, [], "p"), main.tensor(Type.INT64, [2], "x")
    outputs = [main.tensor(Type.INT64, [2]), main.tensor(Type.BOOL, [3]), main.tensor(Type.INT8, [1, 3])]
    main.inputs(p, x)
    main.outputs(*outputs)
    main.choose([p, x], outputs, 1, 2)
    for start in (10, -10):
        body = model.graph()
        given, total = body.tensor(Type.INT64, [2]), body.tensor(Type.INT64, [2])
        flags = body.constant(Type.BOOL, np.array([start > 0, False, True]))
        small = body.constant(Type.INT8, np.array([[start, -128, 127]], np.int8))
        body.inputs(given)
        body.outputs(total, flags, small)
        body.operator(Code.ADD, [given, body.constant(Type.INT64, np.array(start))], [total], schema.AddOptionsT())
    far = np.array([2**40, -1])
    return [
        ([TRUE, far], [np.array([2**40 + 10, 9]), np.array([True, False, True]), np.array([[10, -128, 127]], np.int8)]),
        (
            [FALSE, far],
            [np.array([2**40 - 10, -11]), np.array([False, False, True]), np.array([[-10, -128, 127]], np.int8)],
        ),
    ]


@built
def buffers_in_the_table() -> tuple[bytes, Runs]:
    """As they mostly are."""
    model = Model()
    runs = constants(model)
    return model.packed(), runs


@built
def buffers_behind_the_table() -> tuple[bytes, Runs]:
    """Each buffer is a place and a size, counted from the file's first byte."""
    model = Model()
    runs = constants(model)
    contents = [buffer.data.tobytes() if buffer.data is not None else b"" for buffer in model.made.buffers]
    for buffer, content in zip(model.made.buffers, contents, strict=True):
        if content:
            buffer.data, buffer.offset, buffer.size = None, 2, 2  # not the default, so that the fields are there
    end = (len(model.packed()) + 15) // 16 * 16
    places, position = {}, end
    for index, content in enumerate(contents):
        places[index] = position
        if content:
            model.made.buffers[index].offset, model.made.buffers[index].size = position, len(content)
            position = (position + len(content) + 15) // 16 * 16
    packed = model.packed().ljust(position, b"\0")
    for index, content in enumerate(contents):
        packed = packed[: places[index]] + content + packed[places[index] + len(content) :]
    return packed, runs


@built
def tables_shared() -> tuple[bytes, Runs]:
    """One table of no content for several buffers, and one for tensors that look the same: a file is no tree."""

    class Once:
        """Packs what it holds the first time only."""

        def __init__(self, held: Any) -> None:  # noqa: ANN401
            self._held, self._offset = held, 0

        def Pack(self, builder: flatbuffers.Builder) -> int:  # noqa: N802 (the API's name)
            self._offset = self._offset or self._held.Pack(builder)
            return self._offset

    model = Model()
    runs = add_or_subtract(model)
    made = model.made
    made.buffers = [Once(schema.BufferT())] * 3
    for graph in made.subgraphs[1:]:
        graph.tensors = [Once(schema.TensorT(shape=[2], type=Type.FLOAT32, name="one table"))] * 3
    return model.packed(), runs


def strings(*items: bytes) -> bytes:
    """As buffers hold them: how many, where each begins and where the last one ends, and the bytes."""
    ends = np.cumsum([4 + 4 * (len(items) + 1), *map(len, items)]).tolist()
    return struct.pack(f"<{len(items) + 2}i", len(items), *ends) + b"".join(items)


def text_model(constant: bool) -> tuple[Model, Runs]:
    """IF hands strings on, or gives some that were there before."""
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
    """What then computes is two of the outputs."""
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
    """119 stands in the byte alone; defaults are written too."""
    model = Model(current=False)
    loop(model)
    counted(model, doubled)
    runs = [([number(1), PAIR], [number(3), np.array([6, -8], np.float32)])]
    return model.packed(force_defaults=True), runs


@built
def invariant() -> tuple[bytes, Runs]:
    """A third loop variable that each trip hands on, and that is no output of the model's."""
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


def encoded(arrays: Arrays) -> list[Any]:
    """As the protocol writes them."""
    return [sdk.encode(sdk.Tensor.of(array)) for array in arrays]


def main(folder: Path) -> None:
    """All of them."""
    for name, build in BUILT.items():
        packed, runs = build()
        (folder / f"{name}.tflite").write_bytes(packed)
        lines = [{"inputs": encoded(inputs), "outputs": encoded(outputs)} for inputs, outputs in runs]
        (folder / f"{name}.json").write_text(json.dumps(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
