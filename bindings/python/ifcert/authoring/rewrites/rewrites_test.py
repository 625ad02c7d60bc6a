"""The patterns are data that numpy computes exactly, and the settings chosen for them cover all pairs."""

import itertools
import re

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from ifcert.authoring.rewrites.numpy_operators import NUMPY, computed, parsed
from ifcert.authoring.rewrites.pattern import FOLDERS, Pattern
from ifcert.authoring.rewrites.places import DIMENSIONS, CannotBeBuiltError, Setting, Written
from ifcert.authoring.rewrites.settings import PATTERNS, chosen

CHOSEN = list(chosen())


def ids(pattern: Pattern) -> str:
    return pattern.name


def test_every_pattern_is_of_a_known_engine_and_has_a_name_of_its_own() -> None:
    assert {pattern.seen.engine for pattern in PATTERNS} == FOLDERS.keys()
    assert len({pattern.name for pattern in PATTERNS}) == len(PATTERNS)
    assert [pattern.name for pattern in PATTERNS if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", pattern.name)] == []


def test_a_pattern_reads_all_of_its_constants_and_nothing_unknown() -> None:
    for pattern in PATTERNS:
        nodes = [*parsed(pattern.first), *parsed(pattern.second)]
        made = {"x", *(name for node in nodes for name in node.output)}
        assert {name for node in nodes for name in node.input if name} - made == pattern.then.keys(), pattern.name


@pytest.mark.parametrize("pattern", [each for each in PATTERNS if not each.inexact], ids=ids)
def test_onnx_computes_a_pattern_as_numpy_does(pattern: Pattern) -> None:
    if "QuantizeLinear" in pattern.first + pattern.second:
        pytest.skip("onnx.reference has no DequantizeLinear of this opset")
    fed = {**pattern.then, "x": pattern.x}
    inputs = [
        onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(each.dtype), each.shape)
        for name, each in fed.items()
    ]
    nodes = [*parsed(pattern.first), *parsed(pattern.second)]
    outputs = [onnx.ValueInfoProto(name=name) for name in ("m", "z")]
    graph = onnx.helper.make_graph(nodes, "g", inputs, outputs)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 16)], ir_version=8)
    for found, expected in zip(ReferenceEvaluator(model).run(None, fed), pattern.values(pattern.then), strict=True):
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        assert np.array_equal(found, expected)


def test_every_pattern_has_a_model_and_every_pair_of_settings_values_that_can_be() -> None:
    assert {pattern.name for pattern, *_ in CHOSEN} == {pattern.name for pattern in PATTERNS}
    values = [[(name, value) for value in dimension] for name, dimension in DIMENSIONS.items()]
    wanted = {pair for one, other in itertools.combinations(values, 2) for pair in itertools.product(one, other)}
    rows = [zip(DIMENSIONS, setting.coordinates, strict=True) for _, setting, *_ in CHOSEN]
    found = {pair for row in rows for pair in itertools.combinations(row, 2)}
    # Where the first part is in the branches, they return m anyway.
    assert wanted - found == {(("pattern-place", "out"), ("m-reader", "output"))}


def test_a_value_that_float32_rounds_is_refused() -> None:
    third = Pattern(
        "third", "", PATTERNS[0].seen, "m = Div (x, k)", "z = Neg (m)", {"k": np.float32(3)}, {"k": np.float32(4)}
    )
    with pytest.raises(CannotBeBuiltError, match="m has no exact value in float32"):
        Written(third, Setting("branches", "own", "none", "none", "own", "fed")).built()


def test_integers_are_divided_toward_zero_and_slices_may_go_backwards() -> None:
    assert computed("z = Div (x, k)", {"x": np.int64([-7, 7]), "k": np.int64(2)})["z"].tolist() == [-3, 3]
    bounds = {"begin": np.int64([-1]), "end": np.int64([-9]), "at": np.int64([0]), "step": np.int64([-1])}
    assert computed("z = Slice (x, begin, end, at, step)", {"x": np.arange(3), **bounds})["z"].tolist() == [2, 1, 0]


def test_every_operator_of_the_table_is_used() -> None:
    used = {node.op_type for pattern in PATTERNS for node in (*parsed(pattern.first), *parsed(pattern.second))}
    assert set(NUMPY) == used
