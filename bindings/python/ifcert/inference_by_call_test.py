"""What type inference knows of one call does not reach another, and its work is limited."""

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


def test_constants_of_bodies_in_functions_are_counted_in_each_call() -> None:
    """Each of 12 functions calls the next one twice; the last one has a branch with 2000 initializers."""
    scalar = helper.make_tensor_value_info("z", TensorProto.FLOAT, [])
    one = helper.make_node("Constant", [], ["z"], value_float=1.0)
    constants = [helper.make_tensor(f"i{k}", TensorProto.FLOAT, [], [0.0]) for k in range(2000)]
    large = helper.make_graph([one], "large", [], [scalar], constants)
    small = helper.make_graph([one], "small", [], [scalar])
    sets = [helper.make_opsetid("", 16), helper.make_opsetid("local", 1)]
    chosen = helper.make_node("If", ["c"], ["y"], then_branch=large, else_branch=small)
    functions = [helper.make_function("local", "f0", ["c"], ["y"], [chosen], sets[:1])]
    for level in range(12):
        calls = [helper.make_node(f"f{level}", ["c"], [to], domain="local") for to in ("unread", "y")]
        functions.append(helper.make_function("local", f"f{level + 1}", ["c"], ["y"], calls, sets))
    graph = helper.make_graph(
        [helper.make_node("f12", ["c"], ["y"], domain="local")], "main",
        [helper.make_tensor_value_info("c", TensorProto.BOOL, [])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [])],
    )  # fmt: skip
    with pytest.raises(ifcert.UnreadableModel, match="more than 1000000 steps of type inference"):
        ifcert.load(helper.make_model(graph, functions=functions, opset_imports=sets, ir_version=8)).check()
