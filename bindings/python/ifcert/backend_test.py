"""The onnx package's own backend tests of control flow run on the reference, through ifcert.backend."""

import re
import subprocess
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx.backend.test
from onnx import GraphProto, ModelProto, NodeProto
from onnx.backend.test.loader import load_model_tests

import ifcert.backend

CONTROL_FLOW = {"If", "Loop", "Scan", "SequenceMap"}

# Its expected sequence holds a number without axes, of which the package's comparison takes the length.
NOT_COMPARED_THERE = "test_loop16_seq_none"


def nodes_of(graph: GraphProto) -> Iterator[NodeProto]:
    """Every node, including those of nested graphs."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from nodes_of(attribute.g)


def has_control_flow(model: ModelProto) -> bool:
    """Whether the model has one of the four operators, in its graph or in a function."""
    called = (node for function in model.functions for node in function.node)
    return any(node.op_type in CONTROL_FLOW for node in (*nodes_of(model.graph), *called))


control_flow = {case.name: case for case in load_model_tests(kind="node") if has_control_flow(case.model)}
cases = onnx.backend.test.BackendTest(ifcert.backend, __name__)
cases.include(r"test_(identity|optional).*_cpu$")
for name in control_flow.keys() - {NOT_COMPARED_THERE}:
    cases.include(f"^{re.escape(name)}_cpu$")
globals().update(cases.test_cases)


def test_the_package_still_has_its_cases_of_control_flow() -> None:
    assert len(control_flow) == 44
    for name in ("test_if", "test_loop16_seq_none", "test_scan_sum", "test_sequence_map_add_2_sequences_expanded"):
        assert name in control_flow


def test_a_node_is_run_by_itself() -> None:
    node, x = onnx.helper.make_node("Add", ["a", "b"], ["y"]), np.float32([1, -2])
    for info in (None, [(x.dtype, x.shape)]):
        (y,) = ifcert.backend.run_node(node, [x, x], outputs_info=info)
        np.testing.assert_array_equal(y, np.float32([2, -4]))


def test_the_page_about_all_the_packages_tests_is_current() -> None:
    root = Path(__file__).resolve().parents[3]
    subprocess.run([sys.executable, root / "scripts" / "onnx_backend_tests.py", "--check"], check=True)


class Loop16(unittest.TestCase):
    """Tests whose outputs the package's own comparison cannot compare."""

    def test_the_sequence_that_no_optional_starts(self) -> None:
        """Compared item by item."""
        case = control_flow[NOT_COMPARED_THERE]
        ((inputs, (expected,)),) = case.data_sets
        (items,) = ifcert.backend.Reference.run_model(case.model, inputs)
        self.assertEqual(len(items), len(expected))
        for got, wanted in zip(items, expected, strict=True):
            np.testing.assert_array_equal(got, wanted)
