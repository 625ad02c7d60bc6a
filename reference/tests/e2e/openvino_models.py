"""Runs in OpenVINO's own environment: writes IR with its serializer.

openvino_models.py FOLDER LIST

Writes the models below into FOLDER as built/NAME.xml, .bin and .json (a list of runs: each the inputs, as the protocol
writes them), and as converted/NAME.xml what OpenVINO makes of the ONNX files that LIST names, through its converter or
its reader (JSON: {"convert_model": {name: path}, "read_model": {name: path}}).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import ifcert_adapter as sdk
import numpy as np
import openvino
from openvino import Model, Output, Type
from openvino import opset16 as op

Arrays = Sequence[Any]
Build = Callable[[], tuple[Model, list[Arrays]]]

BUILT: dict[str, Build] = {}
TRUE, FALSE = np.array(True), np.array(False)
ROW = np.array([1.5, -2, 3], np.float32)
GRID = np.arange(1, 7, dtype=np.float32).reshape(2, 3)


def built(build: Build) -> Build:
    """The function's name is the model's."""
    BUILT[build.__name__] = build
    return build


def port(node: Any) -> Output:  # noqa: ANN401 (a node or one of its outputs)
    """A node's first output."""
    return node if isinstance(node, Output) else node.output(0)


def body(parameters: Sequence[Any], *results: Any) -> Model:  # noqa: ANN401
    """A closed network."""
    return Model([op.result(port(result)) for result in results], list(parameters), "body")


def choose(cond: Any, inputs: Sequence[Any], then: Model, otherwise: Model) -> list[Output]:  # noqa: ANN401
    """An If whose i-th input goes to the i-th Parameter of each body that has so many, and its outputs."""
    node = op.if_op(port(cond))
    node.set_then_body(then)
    node.set_else_body(otherwise)
    for i, value in enumerate(inputs):
        parameters = [graph.parameters[i] if i < len(graph.parameters) else None for graph in (then, otherwise)]
        node.set_input(port(value), *parameters)
    for pair in zip(then.results, otherwise.results, strict=True):
        node.set_output(*pair)
    return node.outputs()


def parameter(name: str, shape: Sequence[Any] | str, element: Type = Type.f32) -> Any:  # noqa: ANN401
    """A Parameter whose tensor has the same name."""
    node = op.parameter(openvino.PartialShape(shape), element, name)
    node.output(0).set_names({name})
    return node


def cond(shape: Sequence[int] = ()) -> Any:  # noqa: ANN401
    """The Parameter `cond`."""
    return parameter("cond", list(shape), Type.boolean)


def whole(parameters: Sequence[Any], outputs: Sequence[Any]) -> Model:
    """The main network. What nobody reads is not in it."""
    return Model([op.result(port(output)) for output in outputs], list(parameters), "main")


def constants(arrays: dict[Type, Any]) -> list[Any]:
    """A Const of each type, converted to f32."""
    return [op.convert(op.constant(values, dtype=element), Type.f32) for element, values in arrays.items()]


@built
def add_or_subtract() -> tuple[Model, list[Arrays]]:
    """Two inputs, each body with Parameters of its own."""
    p, x, y = cond(), parameter("x", [2, 3]), parameter("y", [2, 3])
    a, b, c, d = (parameter(name, [2, 3]) for name in "abcd")
    outputs = choose(p, [x, y], body([a, b], op.add(a, b)), body([c, d], op.subtract(c, d)))
    return whole([p, x, y], outputs), [[TRUE, GRID, GRID + 1], [FALSE, GRID, GRID + 1]]


@built
def several_outputs_of_several_types() -> tuple[Model, list[Arrays]]:
    """Results in another order than the layers that make them."""
    p, x, n = cond(), parameter("x", [3]), parameter("n", [2], Type.i32)
    a, b, c, d = parameter("a", [3]), parameter("b", [2], Type.i32), parameter("c", [3]), parameter("d", [2], Type.i32)
    then = body([a, b], op.negative(b), op.abs(a), op.less(a, op.constant(np.float32(0))))
    otherwise = body([c, d], op.abs(d), c, op.greater(c, op.constant(np.float32(0))))
    outputs = choose(p, [x, n], then, otherwise)
    numbers = np.array([-7, 2**31 - 1], np.int32)
    return whole([p, x, n], outputs), [[TRUE, ROW, numbers], [FALSE, ROW, numbers]]


@built
def pass_through_swapped() -> tuple[Model, list[Arrays]]:
    """Parameters connected directly to Results; one whose name has a comma."""
    p, x, y = cond(), parameter("x, the first", [3]), parameter("y", [3])
    a, b, c, d = (parameter(name, [3]) for name in "abcd")
    outputs = choose(p, [x, y], body([a, b], a, b), body([c, d], d, c))
    return whole([p, x, y], outputs), [[TRUE, ROW, -ROW], [FALSE, ROW, -ROW]]


@built
def no_parameters() -> tuple[Model, list[Arrays]]:
    """Bodies of one Const each."""
    p = cond()
    values = [np.array([1, 2], np.int32), np.array([3, 4, 5], np.int32)]
    outputs = choose(p, [], *(body([], op.constant(array)) for array in values))
    return whole([p], outputs), [[TRUE], [FALSE]]


@built
def one_input_to_two_parameters() -> tuple[Model, list[Arrays]]:
    """The same port of the If in two entries of one map, and an input that only one body reads."""
    p, x, y = cond(), parameter("x", [3]), parameter("y", [3])
    a, b, c = (parameter(name, [3]) for name in "abc")
    then, otherwise = body([a, b], op.multiply(a, b)), body([c], op.negative(c))
    node = op.if_op(port(p))
    node.set_then_body(then)
    node.set_else_body(otherwise)
    node.set_input(port(x), a, None)
    node.set_input(port(x), b, None)
    node.set_input(port(y), None, c)
    node.set_output(then.results[0], otherwise.results[0])
    return whole([p, x, y], node.outputs()), [[TRUE, ROW, ROW + 1], [FALSE, ROW, ROW + 1]]


def nested(depth: int) -> tuple[Model, list[Arrays]]:
    """The innermost then_body adds x to itself; each else_body subtracts its depth."""

    def level(left: int) -> Model:
        p, x = cond(), parameter("x", [3])
        if left == 0:
            return body([p, x], op.add(x, x))
        q, y = cond(), parameter("y", [3])
        otherwise = body([q, y], op.subtract(y, op.constant(np.float32(left))))
        return body([p, x], *choose(p, [p, x], level(left - 1), otherwise))

    inner = level(depth)
    return whole(inner.parameters, [result.input_value(0) for result in inner.results]), [[TRUE, ROW], [FALSE, ROW]]


@built
def nested_three_deep() -> tuple[Model, list[Arrays]]:
    """Bodies without captures: cond and x are passed on."""
    return nested(3)


@built
def nested_twelve_deep() -> tuple[Model, list[Arrays]]:
    """The same, deeper."""
    return nested(12)


def of_any_shape(shape: str) -> tuple[Model, list[Arrays]]:
    """Run after run with other shapes. (No zeros: the plug-in's Negative makes +0 of one.)"""
    p, x = cond(), parameter("x", shape)
    a, b = parameter("a", shape), parameter("b", shape)
    outputs = choose(p, [x], body([a], op.negative(a)), body([b], op.add(b, b)))
    return whole([p, x], outputs), [[TRUE, GRID], [FALSE, GRID[:1]], [FALSE, GRID], [TRUE, np.ones([4, 3], np.float32)]]


@built
def dim_unknown() -> tuple[Model, list[Arrays]]:
    """Shape "?,3"."""
    return of_any_shape("[?,3]")


@built
def dim_between() -> tuple[Model, list[Arrays]]:
    """Shape "1..5,3"."""
    return of_any_shape("[1..5,3]")


@built
def rank_unknown() -> tuple[Model, list[Arrays]]:
    """Shape "..."."""
    return of_any_shape("[...]")


@built
def shapes_differ() -> tuple[Model, list[Arrays]]:
    """One body returns [3], the other [6]."""
    p, x = cond(), parameter("x", [3])
    a, b = parameter("a", [3]), parameter("b", [3])
    outputs = choose(p, [x], body([a], op.negative(a)), body([b], op.concat([b, b], 0)))
    return whole([p, x], outputs), [[TRUE, ROW], [FALSE, ROW], [TRUE, ROW]]


@built
def cond_of_one_dim() -> tuple[Model, list[Arrays]]:
    """Shape [1]."""
    p, x = cond([1]), parameter("x", [3])
    a, b = parameter("a", [3]), parameter("b", [3])
    outputs = choose(p, [x], body([a], op.negative(a)), body([b], b))
    return whole([p, x], outputs), [[TRUE.reshape(1), ROW], [FALSE.reshape(1), ROW]]


@built
def cond_computed() -> tuple[Model, list[Arrays]]:
    """A reduction compared to a constant."""
    x, a, b = (parameter(name, [3]) for name in "xab")
    total = op.reduce_sum(x, op.constant(np.array([0])), False)
    p = op.logical_and(op.greater(total, op.constant(np.float32(0))), op.constant(True))
    outputs = choose(p, [x], body([a], op.sqrt(op.abs(a))), body([b], op.relu(b)))
    squares = np.array([4, 9, 0.25], np.float32)
    return whole([x], outputs), [[squares], [-squares], [ROW]]


@built
def element_types_passed() -> tuple[Model, list[Arrays]]:
    """Of every type that arrays hold, values that survive where the plug-in computes in f32 and i32."""
    names = ["boolean", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "f16", "f32", "f64"]
    types = [getattr(Type, name) for name in names]
    p, given = cond(), [parameter(f"x_{name}", [2], element) for name, element in zip(names, types, strict=True)]
    inner = [[parameter(f"{side}_{n}", [2], e) for n, e in zip(names, types, strict=True)] for side in ("a", "b")]
    outputs = choose(p, given, body(inner[0], *inner[0]), body(inner[1], *inner[1]))
    values = [np.array([1, 0 if element == Type.boolean else 100], element.to_dtype()) for element in types]
    return whole([p, *given], outputs), [[TRUE, *values], [FALSE, *values]]


@built
def small_types_in_constants() -> tuple[Model, list[Arrays]]:
    """An odd number of packed elements each; then f32 after bytes that leave it misaligned."""
    p = cond()
    integers = {Type.i4: [1, -8, 7], Type.u4: [1, 15, 2], Type.u2: [1, 0, 3], Type.u8: [7, 0, 255]}
    floats = {Type.f16: [1.5, -2, 0.25], Type.bf16: [1.5, -2, 0.25], Type.f8e4m3: [1.5, -2, 0.25]}
    floats |= {Type.f8e5m2: [1.5, -2, 0.25], Type.f32: [0.1, 3, 1e30]}
    outputs = choose(p, [], body([], *constants(integers | floats)), body([], *constants(integers | floats)))
    return whole([p], outputs), [[TRUE], [FALSE]]


@built
def movement() -> tuple[Model, list[Arrays]]:
    """Split, Concat, Transpose, Reshape, Squeeze, Unsqueeze, Tile, Broadcast, Slice."""
    p, x, a, b = cond(), *(parameter(name, [2, 3]) for name in "xab")
    parts = op.split(a, op.constant(1), 3).outputs()
    turned = op.transpose(op.concat([parts[2], parts[0]], 1), op.constant(np.array([1, 0])))
    flat = op.reshape(turned, op.constant(np.array([0, -1])), True)
    longer = op.unsqueeze(op.squeeze(op.unsqueeze(flat, op.constant([0])), op.constant([0])), op.constant([2]))
    ints = [op.constant(np.array([number], np.int32)) for number in (2, -10, -2, 1)]
    sliced = op.slice(b, *ints)
    outputs = choose(
        p,
        [x],
        body([a], op.tile(longer, op.constant(np.array([1, 2]))), op.broadcast(parts[0], op.constant([2, 2, 4]))),
        body(
            [b],
            op.unsqueeze(sliced, op.constant(0)),
            op.broadcast(b, op.constant([2, 1, 1]), broadcast_spec="BIDIRECTIONAL"),
        ),
    )
    return whole([p, x], outputs), [[TRUE, GRID], [FALSE, GRID]]


@built
def gathered() -> tuple[Model, list[Arrays]]:
    """Within batches, from the end, and from outside."""
    p, x, i = cond(), parameter("x", [2, 5], Type.i32), parameter("i", [2, 3], Type.i32)
    a, b = parameter("a", [2, 5], Type.i32), parameter("b", [2, 3], Type.i32)
    c, d = parameter("c", [2, 5], Type.i32), parameter("d", [2, 3], Type.i32)
    then = body([a, b], op.unsqueeze(op.gather(a, b, op.constant(1), 1), op.constant(0)))
    outputs = choose(p, [x, i], then, body([c, d], op.gather(c, d, op.constant(1), 0)))
    data = np.arange(1, 11, dtype=np.int32).reshape(2, 5)
    indices = np.array([[0, -1, 4], [4, 0, 7]], np.int32)
    return whole([p, x, i], outputs), [[TRUE, data, indices], [FALSE, data, indices]]


@built
def counted() -> tuple[Model, list[Arrays]]:
    """Range to an input; the shape of what it gives. (Not of no elements: the plug-in gives the start.)"""
    p, n, a, b = cond(), *(parameter(name, [], Type.i32) for name in "nab")
    steps = op.range(op.constant(np.int32(2)), a, op.constant(np.int32(3)), Type.i32)
    back = op.range(b, op.constant(np.int32(0)), op.constant(np.int32(-2)), Type.i32)
    shapes = [op.shape_of(values, Type.i32) for values in (steps, back)]
    outputs = choose(p, [n], body([a], steps, shapes[0]), body([b], back, shapes[1]))
    return whole([p, n], outputs), [[p, np.array(number, np.int32)] for p in (TRUE, FALSE) for number in (9, 23)]


@built
def divided() -> tuple[Model, list[Arrays]]:
    """Integers. (No negative quotient that must be rounded: the plug-in cuts off whatever m_pythondiv says.)"""
    p, x, y = cond(), parameter("x", [4], Type.i32), parameter("y", [4], Type.i32)
    a, b, c, d = (parameter(name, [4], Type.i32) for name in "abcd")
    cut = op.divide(c, d)
    cut.set_attribute("m_pythondiv", False)
    outputs = choose(p, [x, y], body([a, b], op.divide(a, b)), body([c, d], cut))
    numbers = [np.array([7, -7, 8, -8], np.int32), np.array([2, -2, -2, 2], np.int32)]
    return whole([p, x, y], outputs), [[TRUE, *numbers], [FALSE, *numbers]]


@built
def reduced_and_multiplied() -> tuple[Model, list[Arrays]]:
    """Reductions, MatMul with a transposed operand, Select."""
    p, x, a, b = cond(), *(parameter(name, [2, 3]) for name in "xab")
    axes = op.constant(np.array([1]))
    then = body(
        [a], op.reduce_mean(a, axes, True), op.matmul(a, a, False, True), op.power(a, op.constant(np.float32(2)))
    )
    picked = op.select(op.equal(b, op.constant(np.float32(2))), op.negative(b), b)
    otherwise = body([b], op.reduce_max(b, axes, True), op.reduce_prod(b, axes, True), picked)
    return whole([p, x], choose(p, [x], then, otherwise)), [[TRUE, GRID], [FALSE, GRID]]


@built
def paddles_broadcasting() -> tuple[Model, list[Arrays]]:
    """auto_broadcast="pdpd", where operands of one rank leave no doubt about the axis, which IR does not write."""
    p, x, y = cond(), parameter("x", [2, 3, 2]), parameter("y", [2, 3, 1])
    a, b = parameter("a", [2, 3, 2]), parameter("b", [2, 3, 1])
    c, d = parameter("c", [2, 3, 2]), parameter("d", [2, 3, 1])
    outputs = choose(p, [x, y], body([a, b], op.add(a, b, "pdpd")), body([c, d], op.multiply(c, d, "pdpd")))
    cube = np.arange(12, dtype=np.float32).reshape(2, 3, 2)
    return whole([p, x, y], outputs), [[TRUE, cube, cube[..., :1]], [FALSE, cube, cube[..., :1]]]


def write(folder: Path, name: str, model: Model, runs: list[Arrays], version: str = "UNSPECIFIED") -> None:
    """The model, and the inputs of its runs."""
    openvino.serialize(model, folder / f"{name}.xml", version=version)
    names = [given.output(0).any_name for given in model.parameters]
    lines = [
        [{"name": n, "value": sdk.encode(sdk.Tensor.of(v))} for n, v in zip(names, run, strict=True)] for run in runs
    ]
    (folder / f"{name}.json").write_text(json.dumps(lines))


def write_built(folder: Path) -> None:
    """Each model once; one in the older version of IR, one as `save_model` compresses it."""
    folder.mkdir()
    for name, build in BUILT.items():
        write(folder, name, *build())
    write(folder, "of_version_10", *add_or_subtract(), version="IR_V10")
    model, runs = reduced_and_multiplied()
    write(folder, "compressed_to_f16", model, runs)
    openvino.save_model(model, folder / "compressed_to_f16.xml", compress_to_fp16=True)


def write_converted(folder: Path, files: dict[str, str], convert: Callable[[str], Model]) -> None:
    """The models that OpenVINO accepts; others are left out."""
    for name, path in files.items():
        try:
            model = convert(path)
        except Exception:  # of many classes: sequences, optionals, functions
            continue
        openvino.serialize(model, folder / f"{name}.xml")


def main(folder: Path, lists: dict[str, dict[str, str]]) -> None:
    """The models built here, and the files listed."""
    write_built(folder / "built")
    (folder / "converted").mkdir()
    write_converted(folder / "converted", lists["convert_model"], openvino.convert_model)
    write_converted(folder / "converted", lists["read_model"], openvino.Core().read_model)


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text()))
