"""Model.run ends at its limits and on Ctrl-C, and reports where."""

from __future__ import annotations

import inspect
import math
import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import onnx.parser
import pytest

import ifcert

ENDLESS = """<ir_version: 10, opset_import: ["" : 21]>
main (float[n] x) => (float[m] y) {
  trips = Constant <value_int = 4611686018427387904> ()
  [again] y = Loop (trips, , x) <body = trip (int64 i, bool c, float[p] a) => (bool d, float[q] b) {
    d = Identity (c)
    b = OP
  }>
}"""


def endless(op: str) -> ifcert.Model:
    return ifcert.load(onnx.parser.parse_model(ENDLESS.replace("OP", op)))


def test_a_run_ends_at_its_time_limit() -> None:
    model = endless("Add (a, a)")
    begun = time.process_time()
    with pytest.raises(
        ifcert.LimitExceeded, match=r'node "again" \(Loop\).*longer than 0.2 s \(max_seconds raises'
    ) as e:
        model.run({"x": [1]}, max_seconds=0.2)
    assert time.process_time() - begun < 3
    assert e.value.limit == "max_seconds"
    assert isinstance(e.value, ifcert.EvaluationError)


def test_a_run_ends_at_its_memory_limit_and_frees_the_memory() -> None:
    model = endless("Concat <axis = 0> (a, a)")
    for _ in range(2):
        with pytest.raises(ifcert.LimitExceeded, match="max_memory raises the limit") as e:
            model.run([[1]], max_memory=1 << 24)
    assert e.value.limit == "max_memory"


def test_outputs_outlive_the_run_that_counted_them() -> None:
    text = '<ir_version: 10, opset_import: ["" : 21]> main (float[n] x) => (float[n] y) { y = Add (x, x) }'
    model = ifcert.load(onnx.parser.parse_model(text))
    x = np.ones(1 << 16, np.float32)
    kept = [model.run({"x": x}, max_memory=1 << 20)["y"] for _ in range(20)]
    assert all(y.sum() == 2 * x.size for y in kept)


def chain_of_sums(outputs: list[str]) -> ifcert.Model:
    """Twenty nodes, each of which adds x to the result of the one before it."""
    nodes = "".join(f"v{i + 1} = Add (v{i}, x)\n" for i in range(20))
    declared = ", ".join(f"float[n] {output}" for output in outputs)
    text = f'<ir_version: 10, opset_import: ["" : 21]> main (float[n] v0, float[n] x) => ({declared}) {{ {nodes} }}'
    return ifcert.load(onnx.parser.parse_model(text))


def test_a_value_is_freed_after_the_last_node_that_reads_it() -> None:
    x = np.ones(1 << 16, np.float32)  # 256 KiB
    results = chain_of_sums(["v1", "v20"]).run({"v0": x, "x": x}, max_memory=1 << 20)
    assert {name: value[0] for name, value in results.items()} == {"v1": 2, "v20": 21}
    with pytest.raises(ifcert.LimitExceeded):
        chain_of_sums([f"v{i + 1}" for i in range(20)]).run({"v0": x, "x": x}, max_memory=1 << 20)


@pytest.mark.parametrize("seconds", [0, -1, math.nan])
def test_an_invalid_limit_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="max_seconds"):
        endless("Add (a, a)").run({"x": [1]}, max_seconds=seconds)


def test_ctrl_c_ends_a_run() -> None:
    model = endless("Add (a, a)")
    begun = time.process_time()

    def send_once_it_computes() -> None:
        while time.process_time() - begun < 0.3:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send_once_it_computes)
    sender.start()
    with pytest.raises(KeyboardInterrupt):
        model.run({"x": [1]}, max_seconds=math.inf)
    assert time.process_time() - begun < 2
    sender.join()


def test_other_threads_run_meanwhile() -> None:
    model = endless("Add (a, a)")
    turns = 0

    def interrupt_after_fifty_turns() -> None:
        nonlocal turns
        while turns < 50:
            time.sleep(0.001)
            turns += 1
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt_after_fifty_turns)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        model.run({"x": [1]}, max_seconds=math.inf)
    thread.join()
    assert turns == 50


def test_names_in_messages_are_escaped() -> None:
    evil = "evil\nno rule broken\x1b[2J\x9b31m\u202e\u2028"
    proto = onnx.parser.parse_model(ENDLESS.replace("OP", "Det (a)"))
    proto.graph.node[1].name = evil
    proto.graph.input[0].name = proto.graph.node[1].input[2] = evil
    model = ifcert.load(proto)
    said = [repr(model.inputs[0]), str(ifcert.Inexpressible(evil, evil))]
    with pytest.raises(ifcert.EvaluationError) as e:
        model.run({evil: [1]})
    said.append(str(e.value))
    for text in said:
        assert not set("\n\x1b\x9b\u202e\u2028") & set(text), text
        assert "evil<U+000A>no rule broken<U+001B>[2J<U+009B>31m<U+202E><U+2028>" in text
    assert model.inputs[0].name == evil


def test_the_defaults_are_those_of_the_stubs() -> None:
    parameters = inspect.signature(ifcert.Model.run).parameters
    assert (parameters["max_seconds"].default, parameters["max_memory"].default) == (60, 4 << 30)
    stub = (Path(ifcert.__file__).parent / "_ifcert.pyi").read_text()
    assert stub.count("max_seconds: float = 60,") == stub.count("max_memory: int = 4 << 30,") == 2


def test_the_list_of_a_sequence_is_freed_with_the_sequence() -> None:
    inserts = "".join(f"s{i + 1} = SequenceInsert (s{i}, x) " for i in range(2000))
    model = ifcert.load(
        onnx.parser.parse_model(
            '<ir_version: 10, opset_import: ["" : 21]> main (float[1] x) => (int64 n) '
            f"{{ s0 = SequenceEmpty () {inserts} n = SequenceLength (s2000) }}"
        )
    )
    assert model.run({"x": [1]}, max_memory=1 << 18)["n"] == 2000
