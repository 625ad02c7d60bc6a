"""Models of IR that call an operation once for each clause of its text; clauses has what is asked of the results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ifcert.authoring.clauses import runs_of, those_read
from ifcert.authoring.ir import IrModel
from ifcert.authoring.ir_bodies import applied, if_layer, passed
from ifcert.authoring.ir_text import const, edges, element, holder, net, parameter, port, result, split_type, type_of
from ifcert.authoring.sources import Why
from ifcert.authoring.values import ints
from ifcert.authoring.vector import Vector, vectors_of

_cond_is_boolean = vectors_of("openvino/if/cond-is-boolean")

X = ints(1, -2)
LIST = "i32[2]"


@dataclass(frozen=True)
class IrCall:
    """A layer: operands by name, which are there twice, fed and stored, or as constants; output `part` of `parts`."""

    operation: str
    operands: Sequence[str | np.ndarray]
    result: np.ndarray
    data: str = ""
    opset: int = 1
    part: int = 0
    parts: int = 1


@dataclass(frozen=True)
class _Port:
    """An output of a layer, and its type."""

    layer: int
    number: int
    type_: str


@dataclass
class _Layers:
    """Layers and edges of a model in the making; an id is the number of layers before."""

    layers: list[str] = field(default_factory=list)
    edges: list[str] = field(default_factory=list)

    def parameter(self, name: str, type_: str) -> _Port:
        self.layers.append(parameter(len(self.layers), name, type_))
        return _Port(len(self.layers) - 1, 0, type_)

    def constant(self, held: np.ndarray) -> _Port:
        self.layers.append(const(len(self.layers), held))
        return _Port(len(self.layers) - 1, 0, type_of(held))

    def operation(
        self,
        name: str,
        inputs: Sequence[_Port],
        type_: str,
        data: str = "",
        opset: int = 1,
        part: int = 0,
        parts: int = 1,
    ) -> _Port:
        """A layer whose outputs all have this type; its input ports come first."""
        id, count = len(self.layers), len(inputs)
        self.layers.append(
            element(
                "layer",
                f'id="{id}" name="{name}{id}" type="{name}" version="opset{opset}"',
                f"<data {data}/>" if data else "",
                holder("input", *(port(i, each.type_) for i, each in enumerate(inputs))),
                holder("output", *(port(count + i, type_, typed=True) for i in range(parts))),
            )
        )
        self.connect(id, inputs)
        return _Port(id, count + part, type_)

    def connect(self, id: int, inputs: Sequence[_Port]) -> None:
        self.edges += [f"{each.layer}:{each.number}>{id}:{i}" for i, each in enumerate(inputs)]

    def choice(self, output: str, cond: _Port, x: _Port) -> None:
        """An If, and the Result of its output."""
        id = len(self.layers)
        bodies = (applied("Negative", LIST, to=2), passed(LIST, to=2))
        self.layers += [
            if_layer(id, ["boolean[]", LIST], {output: LIST}, *bodies, name=output),
            result(id + 1, LIST),
        ]
        self.connect(id, [cond, x])
        self.connect(id + 1, [_Port(id, 2, LIST)])

    def net(self) -> IrModel:
        return net(*self.layers, edges(" ".join(self.edges)))


def clauses_of(case: str, operands: Mapping[str, np.ndarray], calls: Sequence[IrCall], *why: Why) -> Vector:
    """y and z ask what the calls make of the operands, once fed and once stored; w asks of the results' dims.

    Operands that no call reads are left out. The results are of one type, booleans as i32.
    """
    operands = those_read(operands, [each.operands for each in calls])
    layers = _Layers()
    fed = {name: layers.parameter(name, type_of(held)) for name, held in operands.items()}
    stored = {name: layers.constant(held) for name, held in operands.items()}
    of_fed, of_stored = ([_called(layers, each, ports) for each in calls] for ports in (fed, stored))
    results = [_listable(each.result) for each in calls]
    type_ = f"{split_type(of_fed[0].type_)[0]}[?]"
    at, want = layers.parameter("at", "i64[?]"), layers.parameter("want", type_)
    dim_at, want_dims = layers.parameter("dim_at", "i64[?]"), layers.parameter("want_dims", "i64[?]")
    x = layers.parameter("x", LIST)
    layers.choice("y", _same(layers, _joined(layers, of_fed, results), at, want), x)
    layers.choice("z", _same(layers, _joined(layers, of_stored, results), at, want), x)
    layers.choice("w", _same(layers, _shapes(layers, of_fed), dim_at, want_dims), x)
    runs = runs_of(operands, results, _chosen, X)
    return _cond_is_boolean(case, layers.net(), runs, why=["if-8-cond-values", *why])


def _chosen(truth: bool) -> np.ndarray:
    return -X if truth else X


def _listable(held: np.ndarray) -> np.ndarray:
    """A result as it is in the list: whether lists may be made of booleans no page says."""
    return held.astype(np.int32) if held.dtype == np.bool_ else held


def _called(layers: _Layers, call: IrCall, operands: Mapping[str, _Port]) -> _Port:
    inputs = [operands[each] if isinstance(each, str) else layers.constant(each) for each in call.operands]
    type_ = type_of(call.result)
    made = layers.operation(call.operation, inputs, type_, call.data, call.opset, call.part, call.parts)
    if call.result.dtype != np.bool_:
        return made
    return layers.operation("Convert", [made], type_.replace("boolean", "i32"), 'destination_type="i32"')


def _joined(layers: _Layers, made: Sequence[_Port], results: Sequence[np.ndarray]) -> _Port:
    """The list that the results make."""
    whole = layers.constant(np.int64([-1]))
    flat = [
        layers.operation("Reshape", [each, whole], f"{split_type(each.type_)[0]}[{held.size}]", 'special_zero="false"')
        for each, held in zip(made, results, strict=True)
        if held.size > 0
    ]
    name, size = split_type(made[0].type_)[0], sum(held.size for held in results)
    return layers.operation("Concat", flat, f"{name}[{size}]", 'axis="0"')


def _shapes(layers: _Layers, made: Sequence[_Port]) -> _Port:
    """The list of the rank and the dims of each result."""
    parts = []
    for each in made:
        rank = len(split_type(each.type_)[1])
        dims = layers.operation("ShapeOf", [each], f"i64[{rank}]", 'output_type="i64"', 3)
        parts += [layers.operation("ShapeOf", [dims], "i64[1]", 'output_type="i64"', 3), dims]
    return layers.operation(
        "Concat", parts, f"i64[{sum(int(split_type(each.type_)[1][0]) for each in parts)}]", 'axis="0"'
    )


def _same(layers: _Layers, list_: _Port, at: _Port, want: _Port) -> _Port:
    """Whether all that is asked of a list is so."""
    first = layers.constant(np.array(0, np.int64))
    found = layers.operation("Gather", [list_, at, first], want.type_, opset=8)
    same = layers.operation("Equal", [found, want], "boolean[?]")
    ones = layers.operation("Convert", [same], "i32[?]", 'destination_type="i32"')
    axis = layers.constant(np.int64([0]))
    all_ = layers.operation("ReduceProd", [ones, axis], "i32[]", 'keep_dims="false"')
    return layers.operation("Convert", [all_], "boolean[]", 'destination_type="boolean"')
