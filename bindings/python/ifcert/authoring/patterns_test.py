"""The patterns are as documented, for every element type."""

import ml_dtypes
import numpy as np
import pytest

from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.patterns import LENGTH, pattern

ML_DTYPES = {"float4e2m1": "float4_e2m1fn", "bfloat16": "bfloat16"} | {
    f"float8{suffix}": f"float8_{suffix}" for suffix in ("e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz")
}


@pytest.mark.parametrize("element", ELEMENTS)
def test_eight_patterns_of_five_elements_all_differ(element: str) -> None:
    patterns = [pattern(element, number) for number in range(8)]
    assert {each.shape for each in patterns} == {(LENGTH,)}
    assert len({(each.data, each.strings) for each in patterns}) == 8


@pytest.mark.parametrize("element", ["float16", "float32", "float64", *ML_DTYPES])
def test_the_edges_of_floats_are_nan_negative_zero_or_the_lowest_greatest_and_least(element: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, ML_DTYPES[element]) if element in ML_DTYPES else element)
    info = ml_dtypes.finfo(dtype)
    data = pattern(element, 0).data
    if element == "float4e2m1":
        data = bytes(code for byte in data for code in (byte & 15, byte >> 4))
    nan, zero_or_lowest, greatest, least = np.frombuffer(data, dtype)[:4].tolist()
    if element == "float4e2m1":
        assert nan == float(info.min)  # it has no NaN
    else:
        assert np.isnan(nan)
    if element.endswith("uz"):
        assert zero_or_lowest == float(info.min)
    else:
        assert zero_or_lowest == 0
        assert np.signbit(zero_or_lowest)
    assert greatest == float(info.max)
    assert least == float(info.smallest_subnormal)


@pytest.mark.parametrize(("element", "edges"), [("int8", [-128, -1, 127, 1]), ("uint8", [128, 255, 127, 1])])
def test_the_edges_of_integers_are_least_all_bits_greatest_and_one(element: str, edges: list[int]) -> None:
    assert np.frombuffer(pattern(element, 0).data, element).tolist() == [*edges, 0]


@pytest.mark.parametrize(("element", "size"), [("int4", 3), ("uint2", 2)])
def test_the_last_byte_of_narrow_elements_is_not_full(element: str, size: int) -> None:
    assert len(pattern(element, 0).data) == size
