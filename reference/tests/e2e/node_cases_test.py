"""The onnx package's own cases for single operators, whose expected outputs come with them, on the reference.

They cover operators, not If: a second opinion on the kernels that the models around an If need.
"""

import collections
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
sys.path.insert(0, str(ROOT / "bindings" / "adapters" / "python"))

import ifcert_adapter as sdk  # noqa: E402 (the SDK is not an installed package)
from adapter_process import AdapterProcess  # noqa: E402

# Cases that expect more than the operator's text specifies: float4e2m1 has no NaN, and Cast leaves its conversion open.
BEYOND_THE_TEXT = {
    f"test_{cast}_{source}_to_FLOAT4E2M1{form}"
    for cast in ("cast", "castlike")
    for source in ("FLOAT", "FLOAT16")
    for form in ("", "_expanded")
} | {
    # Axes of another rank than "1D tensor" (Unsqueeze).
    "test_loop13_seq",
    "test_loop16_seq_none",
    # The reference does not evaluate QuantizeLinear to float8.
    "test_quantizelinear_e4m3fn",
    "test_quantizelinear_e5m2",
    # How QuantizeLinear rounds to float4 is said in tables that the text mentions and does not have.
    "test_quantizelinear_float4e2m1",
}

# Operators that must have cases: without them this test would be void.
EXPECTED = {
    "ArgMax",
    "CastLike",
    "Concat",
    "Constant",
    "ConstantOfShape",
    "Conv",
    "DequantizeLinear",
    "Exp",
    "Expand",
    "Gather",
    "Gemm",
    "GreaterOrEqual",
    "LSTM",
    "LessOrEqual",
    "MatMul",
    "Max",
    "Min",
    "NonZero",
    "OneHot",
    "Pad",
    "Pow",
    "QuantizeLinear",
    "Range",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceSum",
    "Relu",
    "Reshape",
    "Sigmoid",
    "Sign",
    "Slice",
    "Softmax",
    "Split",
    "Sqrt",
    "Squeeze",
    "Tanh",
    "Tile",
    "Transpose",
    "Unsqueeze",
    "Where",
    "Xor",
}

CODES = {"bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0"}
CODES |= {"int4", "uint4", "int2", "uint2", "float4e2m1"}
NAMES = {"float8_e4m3fn": "float8e4m3fn", "float8_e4m3fnuz": "float8e4m3fnuz", "float8_e5m2": "float8e5m2"}
NAMES |= {"float8_e5m2fnuz": "float8e5m2fnuz", "float8_e8m0fnu": "float8e8m0", "float4_e2m1fn": "float4e2m1"}


def type_text(declared: onnx.TypeProto) -> str:
    """The type as the protocol writes it."""
    if declared.HasField("optional_type"):
        return type_text(declared.optional_type.elem_type)  # of what it holds
    if declared.HasField("sequence_type"):
        return f"seq({type_text(declared.sequence_type.elem_type)})"
    name = onnx.TensorProto.DataType.Name(declared.tensor_type.elem_type).lower()
    return f"tensor({({'float': 'float32', 'double': 'float64'} | NAMES).get(name, name)})"


def value(given: Any, declared: onnx.TypeProto) -> dict[str, Any]:  # noqa: ANN401 (an array, a list of arrays or None)
    if given is None:
        return sdk.encode(sdk.Optional(type_text(declared), None))
    if isinstance(given, list):
        held = sdk.Sequence(type_text(declared)[len("seq(") : -1], tuple(tensor(item) for item in given))
    else:
        held = tensor(given)
    optional = declared.HasField("optional_type")
    return sdk.encode(sdk.Optional(type_text(declared), held) if optional else held)


def tensor(array: Any) -> sdk.Tensor:  # noqa: ANN401 (an array, a number or a TensorProto)
    array = numpy_helper.to_array(array) if isinstance(array, onnx.TensorProto) else np.asarray(array)
    name = NAMES.get(array.dtype.name, array.dtype.name)
    if name in CODES:
        return sdk.Tensor.of(array.view(f"u{array.dtype.itemsize}"), name)
    return sdk.Tensor.of(array)


def same(answer: dict[str, Any], expected: Any, rtol: float, atol: float) -> bool:  # noqa: ANN401 (as above)
    if answer["kind"] == "optional" and "value" in answer:
        answer = answer["value"]  # the cases do not tell whether a value is in an optional
    if isinstance(expected, list):
        items = answer.get("items", [])
        return len(items) == len(expected) and all(same(a, e, rtol, atol) for a, e in zip(items, expected, strict=True))
    wanted, found = tensor(expected), sdk.decode(answer)
    if not isinstance(found, sdk.Tensor) or (found.type, found.shape) != (wanted.type, wanted.shape):
        return False
    if wanted.type in ("float16", "float32", "float64"):
        with np.errstate(invalid="ignore"):
            return np.allclose(found.array(), wanted.array(), rtol, atol, equal_nan=True)
    if wanted.type == "bfloat16":
        decoded = [(t.array().astype(np.uint32) << 16).view(np.float32) for t in (found, wanted)]
        return np.allclose(*decoded, max(rtol, 1e-2), atol, equal_nan=True)
    return found == wanted


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], AdapterProcess]]:
    """Starts the reference, and ends one that was started before."""
    running: list[AdapterProcess] = []

    def start_one() -> AdapterProcess:
        if running:
            running.pop().kill()
        running.append(AdapterProcess([str(BIN / "ifcert-reference-adapter")], {"TMPDIR": str(tmp_path)}))
        running[0].ask(cmd="hello", protocol=1)
        return running[0]

    yield start_one
    for process in running:
        process.kill()


def cases() -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy warns about casts out of range, which the cases make on purpose
        from onnx.backend.test.loader import load_model_tests

        return [case for case in load_model_tests(kind="node") if case.model is not None]


def operators(graph: onnx.GraphProto) -> set[str]:
    """The nodes of the graph and of the graphs in it."""
    inner = [a.g for node in graph.node for a in node.attribute if a.HasField("g")]
    return {node.op_type for node in graph.node}.union(*map(operators, inner))


def test_every_case_of_operators_that_the_reference_has_gives_what_it_expects(
    start: Callable[[], AdapterProcess], tmp_path: Path
) -> None:
    tried: collections.Counter[str] = collections.Counter()
    passed: collections.Counter[str] = collections.Counter()
    wrong, lacking = [], collections.Counter()
    for number, case in enumerate(cases()):
        if number % 200 == 0:  # a process lives a minute at most
            reference = start()
        path = tmp_path / "model.onnx"
        path.write_bytes(case.model.SerializeToString())
        loaded = reference.load(path)
        if "loaded" not in loaded:
            message = loaded["refused"]["message"]
            if "the reference has no operator" in message:
                lacking[message.split("no operator ")[1].split()[0]] += 1
            elif case.name not in BEYOND_THE_TEXT:
                wrong.append(f"{case.name}: load: {message}")
            continue
        ports = case.model.graph.input
        for inputs, expected in case.data_sets:
            given = [{"name": p.name, "value": value(i, p.type)} for p, i in zip(ports, inputs, strict=False)]
            answer = reference.run(given)
            fits = "outputs" in answer and all(
                same(output["value"], e, case.rtol, case.atol)
                for output, e in zip(answer["outputs"], expected, strict=True)
            )
            for operator in operators(case.model.graph):
                tried[operator] += 1
                passed[operator] += fits
            if not fits and case.name not in BEYOND_THE_TEXT:
                wrong.append(f"{case.name}: {str(answer)[:300]}")
    print("\n" + ", ".join(f"{name} {passed[name]} of {tried[name]}" for name in sorted(tried)))
    print(f"without an operator: {sum(lacking.values())} cases of {len(lacking)} operators")
    assert not wrong, "\n".join(wrong)
    assert EXPECTED - set(tried) == set()
