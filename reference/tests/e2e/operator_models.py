"""A model of each operator that `ifcert convert` translates, on each element type, with its expected outputs.

The numbers are small enough for the narrowest type that an operator accepts, and every result is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.values import Tensor, codes, strings, value
from onnx import helper

# The element types that numpy lacks, whose numbers become codes.
THEIR_NUMBERS = {
    "int2": ml_dtypes.int2,
    "uint2": ml_dtypes.uint2,
    "int4": ml_dtypes.int4,
    "uint4": ml_dtypes.uint4,
    "bfloat16": ml_dtypes.bfloat16,
    "float8e4m3fn": ml_dtypes.float8_e4m3fn,
    "float8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "float8e5m2": ml_dtypes.float8_e5m2,
    "float8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "float8e8m0": ml_dtypes.float8_e8m0fnu,
    "float4e2m1": ml_dtypes.float4_e2m1fn,
}


def tensor(element: str, numbers: list[Any], shape: list[int] | None = None) -> Tensor:
    """A list of numbers of the type, or another shape of them."""
    shape = [len(numbers)] if shape is None else shape
    if element == "string":
        return strings(shape, numbers)
    if element not in THEIR_NUMBERS:
        return value(np.array(numbers, ELEMENTS[element].numpy).reshape(shape))
    theirs = np.array(numbers, np.float32).astype(THEIR_NUMBERS[element])
    bits = ELEMENTS[element].bits
    whole = theirs.view(f"u{max(bits, 8) // 8}") & ((1 << bits) - 1)
    return codes(element, shape, whole.tolist())


@dataclass
class OperatorModel:
    """One node, its operands (a model's inputs, or constants where they stand in `known`) and its results."""

    operator: str
    case: str
    element: str
    operands: list[Tensor]
    results: list[Tensor]
    attributes: dict[str, Any] = field(default_factory=dict)
    known: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """Of the file and in messages."""
        return f"{self.operator}{'-' if self.case else ''}{self.case} of {self.element}"

    @property
    def fed(self) -> list[Tensor]:
        """The operands that are inputs of a run."""
        return [operand for i, operand in enumerate(self.operands) if i not in self.known]

    def proto(self) -> onnx.ModelProto:
        """The model, of the newest opset."""
        inputs, outputs = [f"x{i}" for i in range(len(self.operands))], [f"y{i}" for i in range(len(self.results))]
        node = helper.make_node(self.operator, inputs, outputs, **self.attributes)
        ports = [
            helper.make_tensor_value_info(name, ELEMENTS[port.element].onnx, port.shape)
            for name, port in zip(inputs + outputs, self.operands + self.results, strict=True)
        ]
        fed = [port for i, port in enumerate(ports[: len(inputs)]) if i not in self.known]
        constants = [self.operands[i].proto(inputs[i]) for i in self.known]
        graph = helper.make_graph([node], "main", fed, ports[len(inputs) :], constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=13)

    def is_legal(self) -> bool:
        """Whether onnx's own checker accepts it, which checks the operator's element types."""
        try:
            onnx.checker.check_model(self.proto(), full_check=True)
        except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError):
            return False
        return True

    def write(self, folder: Path) -> Path:
        """The model in a file."""
        path = folder / f"{self.name}.onnx"
        path.write_bytes(self.proto().SerializeToString())
        return path


# Four numbers that each type has, with both signs and both zeros where it has them.
FOUR: dict[str, list[Any]] = {
    "bool": [True, False, False, True],
    "string": [b"one", b"", b"a\0b", b"two"],
    "int2": [1, -2, 0, -1],
    "uint2": [1, 2, 3, 0],
    "uint4": [1, 2, 15, 4],
    "uint8": [1, 2, 255, 4],
    "uint16": [1, 2, 65535, 4],
    "uint32": [1, 2, 2**32 - 1, 4],
    "uint64": [1, 2, 2**64 - 1, 4],
    "int4": [1, -2, 7, -8],
    "float8e8m0": [1, 2, 0.5, 4],
    "complex64": [1 + 2j, -2, 4j, 0.5],
    "complex128": [1 + 2j, -2, 4j, 0.5],
}


def four(element: str) -> list[Any]:
    """Those of the type."""
    return FOUR.get(element, [1, -2, 3, 4])


def longs(*numbers: int) -> Tensor:
    """A list as ONNX represents shapes and axes."""
    return tensor("int64", list(numbers))


def movements(element: str) -> Iterator[OperatorModel]:
    """Operators that only move elements."""
    a, b, c, d = four(element)

    def of(
        operator: str, operands: list[Tensor], results: list[Tensor], case: str = "", **options: object
    ) -> OperatorModel:
        known = tuple(range(1, len(operands))) if operator not in ("Concat", "Where") else ()
        return OperatorModel(operator, case, element, operands, results, options, known)

    def made(*numbers: object, shape: list[int] | None = None) -> Tensor:
        return tensor(element, list(numbers), shape)

    pairs = made(a, b, c, d, shape=[2, 2])
    yield of("Concat", [made(a, b), made(c)], [made(a, b, c)], axis=0)
    yield of("Expand", [made(a, b), longs(2, 2)], [made(a, b, a, b, shape=[2, 2])])
    yield of("Expand", [made(b, shape=[]), longs(2)], [made(b, b)], "scalar")
    yield of("Gather", [made(a, b, c, d), longs(2, 0)], [made(c, a)])
    yield of("Identity", [made(a, b, c, d)], [made(a, b, c, d)])
    yield of("Reshape", [pairs, longs(4)], [made(a, b, c, d)])
    yield of("Shape", [pairs], [longs(2, 2)])
    yield of("Slice", [made(a, b, c, d), longs(1), longs(3)], [made(b, c)])
    yield of("Split", [pairs], [made(a, b, shape=[1, 2]), made(c, d, shape=[1, 2])], axis=0, num_outputs=2)
    yield of("Squeeze", [made(a, b, shape=[1, 2]), longs(0)], [made(a, b)])
    yield of("Tile", [made(a, b), longs(2)], [made(a, b, a, b)])
    yield of("Transpose", [pairs], [made(a, c, b, d, shape=[2, 2])], perm=[1, 0])
    yield of("Unsqueeze", [made(a, b), longs(0)], [made(a, b, shape=[1, 2])])
    chosen = tensor("bool", [True, False])
    yield of("Where", [chosen, made(a, b), made(c, d)], [made(a, d)])
    repeated = onnx.TensorProto()
    repeated.CopyFrom(made(b).proto("value"))
    shape = OperatorModel(
        "ConstantOfShape", "", element, [longs(2, 2)], [made(b, b, b, b, shape=[2, 2])], {"value": repeated}
    )
    yield shape


def arithmetic(element: str) -> Iterator[OperatorModel]:
    """Operators on numbers; none of the results leaves the range of eight bits."""
    is_unsigned = element.startswith("uint")

    def of(operator: str, operands: list[Tensor], numbers: list[Any], **options: object) -> OperatorModel:
        return OperatorModel(operator, "", element, operands, [tensor(element, numbers)], options)

    six = [tensor(element, [6, 2, 4, 8]), tensor(element, [2, 2, 1, 4])]
    yield of("Add", six, [8, 4, 5, 12])
    yield of("Sub", six, [4, 0, 3, 4])
    yield of("Mul", six, [12, 4, 4, 32])
    yield of("Div", six, [3, 1, 4, 2])
    signed = [1, 2, 3, 4] if is_unsigned else [1, -2, 3, -4]
    yield of("Abs", [tensor(element, signed)], [1, 2, 3, 4])
    if not is_unsigned:
        yield of("Neg", [tensor(element, signed)], [-1, 2, -3, 4])
    yield of("Relu", [tensor(element, signed)], [1, 2, 3, 4] if is_unsigned else [1, 0, 3, 0])
    yield of("Sigmoid", [tensor(element, [0, 0])], [0.5, 0.5])
    yield of("Tanh", [tensor(element, [0, 0])], [0, 0])
    square = tensor(element, [1, 2, 3, 4], [2, 2])
    summed = OperatorModel(
        "ReduceSum", "", element, [square, longs(0)], [tensor(element, [4, 6])], {"keepdims": 0}, (1,)
    )
    yield summed
    yield OperatorModel("MatMul", "", element, [square, square], [tensor(element, [7, 10, 15, 22], [2, 2])])


def comparisons(element: str) -> Iterator[OperatorModel]:
    """Operators that return booleans."""
    numbers = element not in ("bool", "string")
    left = [3, 1, 2, 0] if numbers else four(element)
    right = [3, 2, 1, 0] if numbers else [left[0], left[0], left[2], left[1]]
    operands = [tensor(element, left), tensor(element, right)]
    expected = {
        "Equal": [x == y for x, y in zip(left, right, strict=True)],
        "Greater": [False, False, True, False],
        "GreaterOrEqual": [True, False, True, True],
        "Less": [False, True, False, False],
        "LessOrEqual": [True, True, False, True],
    }
    for operator, truths in expected.items():
        if numbers or operator == "Equal":
            yield OperatorModel(operator, "", element, operands, [tensor("bool", truths)])


def casts(element: str) -> Iterator[OperatorModel]:
    """To the type from float32, and from it to float32 and int32."""
    exact = [1, 2] if element == "float8e8m0" else [1, 0]
    numbers = tensor(element, exact)
    for other in ("float32", "int32", "bool"):
        if other == "bool" and element == "float8e8m0":
            continue
        there = tensor(other, exact)
        to = {"to": ELEMENTS[other].onnx}
        yield OperatorModel("Cast", f"to {other}", element, [numbers], [there], to)
        back = {"to": ELEMENTS[element].onnx}
        yield OperatorModel("Cast", f"from {other}", element, [there], [numbers], back)
    like = OperatorModel("CastLike", "", element, [tensor("float32", exact), numbers], [numbers])
    yield like


def logic() -> Iterator[OperatorModel]:
    """Operators on booleans."""
    left, right = [True, True, False, False], [True, False, True, False]
    two = [tensor("bool", left), tensor("bool", right)]
    expected: dict[str, Callable[[bool, bool], bool]] = {
        "And": lambda x, y: x and y,
        "Or": lambda x, y: x or y,
        "Xor": lambda x, y: x != y,
    }
    for operator, truth in expected.items():
        truths = [truth(x, y) for x, y in zip(left, right, strict=True)]
        yield OperatorModel(operator, "", "bool", two, [tensor("bool", truths)])
    yield OperatorModel("Not", "", "bool", two[:1], [tensor("bool", [False, False, True, True])])


def gathers() -> Iterator[OperatorModel]:
    """Indices that are known only in a run, counted from the end."""
    numbers = tensor("float32", [1, 2, 3])
    for element in ("int32", "int64"):
        indices = tensor(element, [-1, 0])
        yield OperatorModel("Gather", "by a run", element, [numbers, indices], [tensor("float32", [3, 1])])


def operator_models() -> list[OperatorModel]:
    """All models that onnx's checker accepts."""
    found = [*logic(), *gathers()]
    for element in ELEMENTS:
        found += [*movements(element), *comparisons(element)]
        if element not in ("bool", "string", "float8e8m0", "complex64", "complex128", "int2", "uint2"):
            found += arithmetic(element) if ELEMENTS[element].bits > 4 else []
        if not element.startswith("complex") and element != "string":
            found += casts(element)
    return [model for model in found if model.is_legal()]
