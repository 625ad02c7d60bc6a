"""Runs in LiteRT's own environment: how models are put together with the object API of ai_edge_litert."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import flatbuffers
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
        """After those that are there; the options' class says which entry of the union they are."""
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
        """The file. It does not begin with a size."""
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


def unary(model: Model, code: int, shape: Sequence[int] | None, **fields: Any) -> None:  # noqa: ANN401
    """A subgraph of one operand."""
    graph = model.graph()
    a, b = (graph.tensor(Type.FLOAT32, shape, name, **fields) for name in "ab")
    graph.inputs(a)
    graph.outputs(b)
    graph.operator(code, [a], [b])
