"""Type inference keeps the calls of a function apart, and its work is limited."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import TensorProto, helper

import ifcert

# The graph that the outer call passes calls the same function, with values of another type.
CALLS_THE_SAME = """
<ir_version: 8, opset_import: ["" : 16, "local" : 1]>
caller (bool cond, float[2] x, int64[2] n) => (float[2] y) {
    y = local.choose <when_true = outer () => (float[2] g) {
        i = local.choose <when_true = inner () => (int64[2] h) { h = Neg (n) }> (cond, n)
        g = Cast <to = 1> (i)
    }> (cond, x)
}
<domain: "local", opset_import: ["" : 16]>
choose <when_true> (c, v) => (r) {
    t = If (c) <
        then_branch: graph = @when_true,
        else_branch = else_graph () => (b) { b = Neg (v) }>
    r = Add (v, t)
}"""

# A trip changes the type of the carried value, so its type after the loop depends on the number of trips.
CHANGES_TYPE = """
<ir_version: 8, opset_import: ["" : 16]>
looped (int64 trips, bool on, float[2] x) => (TYPE[2] y) {
    y = Loop (trips, on, x) <
        body = step (int64 i, bool c, v) => (bool c_out, w) { c_out = Identity (c)  w = Cast <to = 7> (v) }>
}"""


def test_a_call_within_a_call_of_the_same_function_leaves_the_outer_types_alone() -> None:
    model = ifcert.load(onnx.parser.parse_model(CALLS_THE_SAME))
    x, n = np.float32([1, -2]), np.int64([3, 4])
    assert model.check() == []
    assert model.run({"cond": np.True_, "x": x, "n": n})["y"].tolist() == [1, -2]
    assert model.run({"cond": np.False_, "x": x, "n": n})["y"].tolist() == [0, 0]


@pytest.mark.parametrize("declared", ["float", "int64"])
def test_the_type_of_a_carried_value_is_not_certain_where_a_trip_changes_it(declared: str) -> None:
    assert ifcert.load(onnx.parser.parse_model(CHANGES_TYPE.replace("TYPE", declared))).check() == []


def called_4096_times(node: onnx.NodeProto, version: int) -> onnx.ModelProto:
    """Each of 12 functions calls the next one twice; the last one has the node, with the inputs c and x."""
    sets = [helper.make_opsetid("", version), helper.make_opsetid("local", 1)]
    functions = [helper.make_function("local", "f0", ["c", "x"], ["y"], [node], sets[:1])]
    for level in range(12):
        calls = [helper.make_node(f"f{level}", ["c", "x"], [to], domain="local") for to in ("unread", "y")]
        functions.append(helper.make_function("local", f"f{level + 1}", ["c", "x"], ["y"], calls, sets))
    graph = helper.make_graph(
        [helper.make_node("f12", ["c", "x"], ["y"], domain="local")], "main",
        [
            helper.make_tensor_value_info("c", TensorProto.BOOL, []),
            helper.make_tensor_value_info("x", TensorProto.FLOAT, None),
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [])],
    )  # fmt: skip
    return helper.make_model(graph, functions=functions, opset_imports=sets, ir_version=8)


def branch(initializers: int = 0, outputs: int = 1) -> onnx.GraphProto:
    """A branch that returns a constant, as often as requested."""
    one = helper.make_node("Constant", [], ["z"], value_float=1.0)
    constants = [helper.make_tensor(f"i{k}", TensorProto.FLOAT, [], [0.0]) for k in range(initializers)]
    return helper.make_graph(
        [one], "branch", [], [helper.make_tensor_value_info("z", TensorProto.FLOAT, [])] * outputs, constants
    )


MANY = list(range(10_000))
LARGE = {
    "a branch with many initializers": (
        helper.make_node("If", ["c"], ["y"], then_branch=branch(initializers=2000), else_branch=branch()),
        16,
    ),
    "branches that return one value very often": (
        helper.make_node("If", ["c"], ["y"], then_branch=branch(outputs=4000), else_branch=branch(outputs=4000)),
        16,
    ),
    "a long list in an attribute": (helper.make_node("Unsqueeze", ["x"], ["y"], axes=MANY), 11),
    "a constant that is made anew": (helper.make_node("Constant", [], ["y"], value_ints=MANY, more=1), 16),
}


@pytest.mark.parametrize("large", LARGE)
def test_the_work_of_each_call_is_counted(large: str) -> None:
    with pytest.raises(ifcert.UnreadableModel, match="more than 1000000 steps of type inference"):
        ifcert.load(called_4096_times(*LARGE[large])).check()
    assert ifcert.load(called_4096_times(helper.make_node("Identity", ["x"], ["y"]), 16)).check() == []
