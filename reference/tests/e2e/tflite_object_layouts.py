"""Runs in LiteRT's own environment: the ways in which a file may be laid out, and what it may leave out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from tflite_object_builder import (
    FALSE,
    PAIR,
    TRUE,
    Code,
    Model,
    Runs,
    Type,
    add_or_subtract,
    binary,
    built,
    unary,
)


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
    """Every field of a number is in the file, also where it has its default."""
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
    """One empty table for several buffers, and one for tensors that look the same: a file need not be a tree."""

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
