"""Costs of a run besides the elements of its tensors count towards the same limits: lists, dims, slots."""

import os
import resource
import subprocess
from pathlib import Path

import onnx
import pytest
from onnx import TensorProto, helper

ROOT = Path(__file__).resolve().parents[3]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
ENDLESS = 1 << 62
RANK = 100_000


def constant(name: str, *numbers: int) -> onnx.TensorProto:
    """A list of numbers."""
    return helper.make_tensor(name, TensorProto.INT64, [len(numbers)], numbers)


def saved(path: Path, nodes: list[onnx.NodeProto], *constants: onnx.TensorProto, output: str = "y") -> Path:
    """The model of these nodes."""
    result = helper.make_tensor_value_info(output, TensorProto.INT64, None)
    graph = helper.make_graph(nodes, "main", [], [result], [*constants, constant("one", 1)])
    functions = [
        helper.make_function("own", "listed", [], ["list"], [list_of_the_call()], [helper.make_opsetid("", 18)], ["l"])
    ]
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("own", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, functions=functions, ir_version=9), path)
    return path


def list_of_the_call() -> onnx.NodeProto:
    """A Constant whose list is an attribute of the call."""
    node = helper.make_node("Constant", [], ["list"])
    node.attribute.add(name="value_ints", ref_attr_name="l", type=onnx.AttributeProto.INTS)
    return node


def loop(nodes: list[onnx.NodeProto], *constants: onnx.TensorProto, collected: str | None = None) -> onnx.NodeProto:
    """An endless Loop that does this in each trip."""
    carried = [] if collected else ["v"]
    inputs = [onnx.ValueInfoProto(name=name) for name in ("i", "k", *carried)]
    outputs = [onnx.ValueInfoProto(name=name) for name in ("k", collected or "w")]
    if not collected:
        nodes = [*nodes, helper.make_node("Identity", ["v"], ["w"])]
    body = helper.make_graph(nodes, "trip", inputs, outputs, constants)
    return helper.make_node("Loop", ["trips", "", *(["one"] if carried else [])], ["y"], body=body)


def run(path: Path, *arguments: str) -> tuple[int, str, float]:
    """Exit code, standard error, and the seconds of processor time, which do not depend on how busy the machine is."""
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([IFCERT, "run", path, *arguments], capture_output=True, text=True, check=False)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.returncode, done.stderr, ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime


def test_the_lists_of_sequences_count(tmp_path: Path) -> None:
    nodes = [helper.make_node("SequenceConstruct", ["one"] * 2000, ["s0"])]
    nodes += [helper.make_node("SequenceInsert", [f"s{i}", "one"], [f"s{i + 1}"]) for i in range(2000)]
    # Each list is kept until its length is read, after all have been made.
    nodes += [helper.make_node("SequenceLength", [f"s{i}"], [f"n{i}"]) for i in range(2000)]
    nodes += [helper.make_node("SequenceLength", ["s2000"], ["y"])]
    code, said, _ = run(saved(tmp_path / "m.onnx", nodes), "--max-memory", "64M")
    assert (code, said.count("\n")) == (2, 1), said
    assert "(SequenceInsert): a sequence of" in said


def test_dims_count(tmp_path: Path) -> None:
    nodes = [helper.make_node("ConstantOfShape", ["ones"], ["x0"])]
    nodes += [helper.make_node("Unsqueeze", [f"x{i}", "one"], [f"x{i + 1}"]) for i in range(100)]
    nodes += [helper.make_node("SequenceConstruct", [f"x{i}" for i in range(101)], ["all"])]  # so that none is freed
    nodes += [helper.make_node("SequenceLength", ["all"], ["y"])]
    code, said, _ = run(saved(tmp_path / "m.onnx", nodes, constant("ones", *[1] * RANK)), "--max-memory", "32M")
    assert (code, said.count("\n")) == (2, 1), said
    assert "(Unsqueeze): Unsqueeze: a result of float32[1, 1" in said


COLLECTED = {
    "Shape": [helper.make_node("Shape", ["wide"], ["z"])],
    "Constant": [helper.make_node("listed", [], ["z"], domain="own", l=[1] * RANK)],
}


@pytest.mark.parametrize("op", COLLECTED)
def test_lists_that_a_loop_collects_count(tmp_path: Path, op: str) -> None:
    nodes = [helper.make_node("ConstantOfShape", ["ones"], ["wide"]), loop(COLLECTED[op], collected="z")]
    path = saved(tmp_path / "m.onnx", nodes, constant("ones", *[1] * RANK), scalar("trips", ENDLESS))
    code, said, _ = run(path, "--max-memory", "64M", "--max-seconds", "100")
    assert (code, said.count("\n")) == (2, 1), said
    assert "--max-memory raises the limit" in said


def scalar(name: str, number: int) -> onnx.TensorProto:
    """One number."""
    return helper.make_tensor(name, TensorProto.INT64, [], [number])


WIDE = {
    "ReduceSum": helper.make_node("ReduceSum", ["wide"], ["z"], keepdims=0),
    "Size": helper.make_node("Size", ["wide"], ["z"]),
    "Squeeze": helper.make_node("Squeeze", ["wide"], ["z"]),
    "Reshape": helper.make_node("Reshape", ["wide", "one"], ["z"]),
    "SequenceInsert": helper.make_node("SequenceInsert", ["many", "one"], ["z"]),
}


@pytest.mark.parametrize("op", WIDE)
def test_trips_that_go_through_many_dims_or_items_end_in_time(tmp_path: Path, op: str) -> None:
    nodes = [
        helper.make_node("ConstantOfShape", ["ones"], ["wide"]),
        helper.make_node("SequenceConstruct", ["one"] * RANK, ["many"]),
        loop([WIDE[op]]),
    ]
    path = saved(tmp_path / "m.onnx", nodes, constant("ones", *[1] * RANK), scalar("trips", ENDLESS))
    code, said, took = run(path, "--max-seconds", "1")
    assert (code, said.count("\n")) == (2, 1), said
    assert "the run takes longer than 1 s" in said
    assert took < 5  # little more than 1


def test_trips_that_enter_many_slots_end_in_time(tmp_path: Path) -> None:
    constants = [constant(f"c{i}", 1) for i in range(RANK // 2)]
    path = saved(tmp_path / "m.onnx", [loop([], *constants)], scalar("trips", ENDLESS))
    code, said, took = run(path, "--max-seconds", "1")
    assert (code, said.count("\n")) == (2, 1), said
    assert "the run takes longer than 1 s" in said
    assert took < 5  # little more than 1
