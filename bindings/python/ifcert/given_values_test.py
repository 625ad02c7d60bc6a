"""The values that a run accepts for an input of each declared type: nothing is cast."""

from __future__ import annotations

import array
import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import onnx.parser
import pytest

import ifcert

NAN, INF = math.nan, math.inf
INTEGERS = {
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (2, 4, 8, 16, 32, 64)},
    **{f"uint{bits}": (0, 2**bits - 1) for bits in (2, 4, 8, 16, 32, 64)},
}
# The name of ONNX's text format → numbers that the type has, and some that it does not have, by IEEE 754, the paper on
# float8 (Micikevicius et al.) and the OCP's formats.
FLOATS: dict[str, tuple[list[float], list[float]]] = {
    "float16": ([0.5, -0.0, 65504, 2048, 2**-24, INF, NAN], [0.1, 65505, 65520.0, 2049, 2**-25]),
    "bfloat16": ([0.5, 256, 1.5 * 2**100, -INF, NAN], [0.1, 257, 1e300]),
    "float": ([0.5, 16777216, 2**-149, 2**127, INF, NAN], [0.1, 16777217, 1e39, 2**-150]),
    "double": ([0.1, 2**53, 5e-324, INF, NAN], [2**53 + 1, 2**63 - 1]),
    "float8e4m3fn": ([0.5, 448, NAN], [449, 0.3, INF]),
    "float8e4m3fnuz": ([0.5, 240, NAN], [241, 0.3, INF]),
    "float8e5m2": ([0.5, 57344, INF, NAN], [57345, 0.3]),
    "float8e5m2fnuz": ([0.5, 57344, NAN], [57345, 0.3, INF]),
    "float8e8m0": ([0.5, 1, 2**100, NAN], [0, 3, -1, INF]),
    "float4e2m1": ([0, 0.5, 1.5, 6, -6], [7, 0.25, INF, NAN]),
}
NUMBERS = ["bool", *INTEGERS, *FLOATS, "complex64", "complex128"]


def given(declared: str, value: object) -> Any:  # noqa: ANN401
    """The output of a model that returns its input x."""
    operator = "OptionalGetElement" if declared.startswith("optional") else "Identity"
    result = declared[9:-1] if declared.startswith("optional") else declared
    text = f'<ir_version: 13, opset_import: ["" : 25]> main ({declared} x) => ({result} y) {{ y = {operator} (x) }}'
    return ifcert.load(onnx.parser.parse_model(text)).run({"x": value})["y"]


def refused(declared: str, value: object) -> str:
    """Why it is refused."""
    with pytest.raises(ifcert.EvaluationError) as error:
        given(declared, value)
    assert str(error.value).startswith('input "x": ')
    return str(error.value)


def test_a_text_or_a_number_is_not_a_condition() -> None:
    text = """<ir_version: 8, opset_import: ["" : 16]> main (bool cond) => (float y) {
        y = If (cond) <then_branch = a () => (float p) { p = Constant <value = float {1}> () },
                       else_branch = b () => (float q) { q = Constant <value = float {2}> () }> }"""
    model = ifcert.load(onnx.parser.parse_model(text))
    values = ("false", "true", "", b"x", b"", 0, 1, 0.5, 0.0, [], {}, None, Fraction(1), np.int64(1), np.float64(0.5))
    for value in values:
        with pytest.raises(ifcert.EvaluationError, match=r'input "cond": .*bool\[\] is required'):
            model.run({"cond": value})
    for value in (True, np.True_, np.array(True)):
        assert model.run({"cond": value})["y"] == 1


def test_the_message_names_the_value_and_what_is_expected() -> None:
    assert refused("bool", "false") == "input \"x\": 'false' is not an element of bool; bool[] is required"
    assert refused("int8[2]", [1, 300]) == 'input "x": 300 is not an element of int8; int8[2] is required'
    assert "0.1 is not an element of float32 without loss; expected such an element" in refused("float", 0.1)
    assert "'" + "x" * 40 + "'… is not an element of int8" in refused("int8", "x" * 10**6)
    assert "this int is not an element of int64" in refused("int64", 10**5000)
    assert "this Fraction is not an element of float32" in refused("float[1]", [Fraction(1, 2)])


@pytest.mark.parametrize("declared", INTEGERS)
def test_an_integer_type_takes_the_ints_in_its_range(declared: str) -> None:
    least, most = INTEGERS[declared]
    assert given(declared + "[3]", [least, 0, most]).tolist() == [least, 0, most]
    for number in (least - 1, most + 1, 10**30, -(10**30)):
        refused(declared, number)
    for other in (True, 1.0, 0.5, NAN, "1", b"1", 1j, None):
        refused(declared, other)


@pytest.mark.parametrize("declared", FLOATS)
def test_a_floating_point_type_takes_the_numbers_that_it_has(declared: str) -> None:
    has, lacks = FLOATS[declared]
    for number in has:
        held = given(declared, number)
        assert held.shape == ()
        assert float(held) == number or (math.isnan(number) and np.isnan(held))
        assert math.copysign(1, float(held)) == math.copysign(1, number) or math.isnan(number)
    for other in (*lacks, True, "1", b"1", 1j, 10**30, None):
        refused(declared, other)


@pytest.mark.parametrize(("declared", "loses"), [("complex64", 0.1), ("complex128", 2**53 + 1)])
def test_a_complex_type_takes_numbers_of_each_kind(declared: str, loses: complex) -> None:
    assert given(declared + "[3]", [1, 0.5, 2 - 0.5j]).tolist() == [1, 0.5, 2 - 0.5j]
    for other in (loses, True, "1", b"1", None):
        refused(declared, other)
    assert "without loss" in refused("complex64", 0.1j)


@pytest.mark.parametrize("declared", NUMBERS)
def test_a_number_or_a_bool_is_not_a_text_or_an_array_of_another_dtype(declared: str) -> None:
    others = [np.array(1, np.int64), np.array(1.0), np.array(True), np.array("1"), np.array(1, np.complex64)]
    name = {"float": "float32", "double": "float64"}.get(declared, declared)
    for other in others:
        if other.dtype.name != name:
            refused(declared, other)
            refused(declared, other[()])
            refused(declared + "[1]", [other])
            refused(declared + "[1]", [other[()]])
    refused(declared, np.array([1.0], object)[0:1])


def test_a_string_takes_str_and_bytes() -> None:
    assert given("string", "é") == "é"
    assert given("string[2]", ["a", b"\xff"]).tolist() == ["a", "\udcff"]
    assert given("string", np.str_("a")) == "a"
    for other in (1, True, 0.5, None, [1], np.array([1])):
        refused("string", other)


def test_lists_are_lists_of_lists_of_one_length() -> None:
    assert given("float[2, 2]", [(1, 2), [3, 0.5]]).tolist() == [[1, 2], [3, 0.5]]
    assert given("float[2, 0]", [[], []]).shape == (2, 0)
    looped: list[Any] = []
    looped.append(looped)
    for ragged in ([[1], 2], [1, [2]], [[1], [2, 3]], [[], [1]], [[1], []]):
        assert "the lists are ragged" in refused("float[2]", ragged)
    assert "more than 64" in refused("float[2]", looped)
    assert "float32[1] is given; float32[2] is required" in refused("float[2]", [1])


def test_arrays_in_lists_have_the_declared_dtype() -> None:
    assert given("float[2]", [np.float32(0.1), 1]).tolist() == [np.float32(0.1), 1]
    assert given("float[2, 2]", [np.float32([1, 2]), [3, 4]]).tolist() == [[1, 2], [3, 4]]
    assert given("bfloat16[1]", [ml_dtypes.bfloat16(0.5)]).tolist() == [0.5]
    assert given("int4[1]", [ml_dtypes.int4(-3)]).tolist() == [-3]
    assert "an array of float64 in a list" in refused("float[1]", [np.float64(1)])
    assert "float64[1] is given; float32[1] is required" in refused("float[1]", np.array([1.0]))


def test_objects_with_numpys_protocols_have_the_declared_dtype() -> None:
    assert given("int32[2]", array.array("i", [1, 2])).tolist() == [1, 2]
    assert given("uint8[2]", memoryview(b"\1\2")).tolist() == [1, 2]
    refused("int64[2]", array.array("i", [1, 2]))
    refused("float[2]", memoryview(b"\1\2"))
    for other in ({}, {1}, object(), range(2), iter([1.0])):
        assert "is not a tensor" in refused("float[2]", other)


def test_a_sequence_is_a_list_of_its_items_and_nothing_else() -> None:
    assert given("seq(string)", ["ab", "c"]) == ["ab", "c"]
    for other in ("ab", b"ab", {"a": 1}, iter(["a"]), np.array(["a"]), 1):
        refused("seq(string)", other)
    assert "'1' is not an element of int64" in refused("seq(int64)", [1, "1"])


def test_an_optional_accepts_what_its_item_accepts() -> None:
    assert given("optional(int64)", 7) == 7
    assert "0.5 is not an element of int64" in refused("optional(int64)", 0.5)


def test_inputs_are_a_mapping_or_a_list() -> None:
    import types

    text = '<ir_version: 8, opset_import: ["" : 16]> main (float x) => (float y) { y = Neg (x) }'
    model = ifcert.load(onnx.parser.parse_model(text))
    assert model.run(types.MappingProxyType({"x": 1}))["y"] == -1
    assert model.run((1,)) == model.run([1]) == [-1]
    for other in ("x", b"x", 1, None, np.zeros(1), {1}):
        with pytest.raises(TypeError, match="a mapping of names to values, or a list"):
            model.run(other)  # type: ignore[call-overload]
