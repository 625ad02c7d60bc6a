"""Runs end at their limits, on Ctrl-C, and where memory runs out, with one sentence that names the place."""

import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import helper, numpy_helper

ROOT = Path(__file__).resolve().parents[3]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
MEBIBYTE = 1 << 20

LOOP = """<ir_version: 10, opset_import: ["" : 21]>
main (float[n] x) => (float[m] y) {
  n = Constant <value_int = 4611686018427387904> ()
  [again] y = Loop (n, , x) <body = trip (int64 i, bool c, float[p] a) => (bool d, float[q] b) {
    d = Identity (c)
    [grow] b = OP
  }>
}"""
ENDLESS = LOOP.replace("OP", "Add (a, a)")
DOUBLING = LOOP.replace("OP", "Concat <axis = 0> (a, a)")

COLLECTING = """<ir_version: 10, opset_import: ["" : 21]>
main (float x) => (float y, int64[n] trips) {
  n = Constant <value_int = 4611686018427387904> ()
  y, trips = Loop (n, , x) <body = trip (int64 i, bool c, float a) => (bool d, float b, int64 k) {
    d = Identity (c)
    b = Identity (a)
    k = Identity (i)
  }>
}"""


def written(path: Path, text: str) -> Path:
    """The model of that text."""
    onnx.save(onnx.parser.parse_model(text), path)
    return path


def saved(path: Path, graph: onnx.GraphProto) -> Path:
    """The model of that graph."""
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10), path)
    return path


def run(*arguments: object) -> tuple[int, str, float]:
    """Exit code, standard error, and the seconds of processor time, which do not depend on how busy the machine is."""
    begun = seconds_of_children()
    done = subprocess.run([IFCERT, "run", *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr, seconds_of_children() - begun


def seconds_of_children() -> float:
    """The processor time of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_an_endless_loop_is_ended_and_the_message_names_the_place_and_the_option(tmp_path: Path) -> None:
    model = written(tmp_path / "endless.onnx", ENDLESS)
    code, said, took = run(model, "--input", "x=[1]", "--max-seconds", "0.5")
    assert (code, said.count("\n")) == (2, 1), said
    assert said.startswith(f'ifcert: {model}: graph "main" / node "again" (Loop)')
    assert "the run takes longer than 0.5 s" in said
    assert "--max-seconds raises the limit" in said
    assert took < 5


def test_the_limits_have_defaults() -> None:
    said = subprocess.run([IFCERT, "run", "--help"], capture_output=True, text=True, check=True).stdout
    assert "default 60" in said
    assert "default 4G" in said


def test_a_tensor_that_doubles_ends_at_the_memory_limit(tmp_path: Path) -> None:
    model = written(tmp_path / "doubling.onnx", DOUBLING)
    code, said, _ = run(model, "--input", "x=[1]", "--max-memory", "100M")
    assert (code, said.count("\n")) == (2, 1), said
    assert 'body (trip 24) / node "grow" (Concat): Concat: a result of float32[33554432] takes 128 MiB' in said
    assert "the run holds 64 MiB and may hold 100 MiB" in said
    assert "--max-memory raises the limit" in said


def test_values_that_a_loop_collects_count(tmp_path: Path) -> None:
    model = written(tmp_path / "collecting.onnx", COLLECTING)
    code, said, _ = run(model, "--input", "x=1", "--max-memory", "32M")
    assert (code, said.count("\n")) == (2, 1), said
    assert "/ output 1: the result of one more trip takes" in said


def test_contents_of_strings_count(tmp_path: Path) -> None:
    text = numpy_helper.from_array(np.array(["x" * MEBIBYTE], dtype=object), "text")
    nodes = [
        helper.make_node("Constant", [], ["shape"], value_ints=[20_000]),
        helper.make_node("Expand", ["text", "shape"], ["y"]),
    ]
    outputs = [helper.make_tensor_value_info("y", onnx.TensorProto.STRING, [20_000])]
    model = saved(tmp_path / "strings.onnx", helper.make_graph(nodes, "main", [], outputs, [text]))
    code, said, took = run(model, "--max-memory", "64M")
    assert (code, said.count("\n")) == (2, 1), said
    assert "a string of the result" in said
    assert took < 5


LONG_CALLS = {
    "MatMul": ([[4096, 4096], [4096, 4096]], {}),
    "Gemm": ([[4096, 4096], [4096, 4096]], {"transB": 1}),
    "Conv": ([[1, 1, 2048, 2048], [1, 1, 256, 256]], {}),
    "LSTM": ([[20_000, 1, 16], [1, 4096, 16], [1, 4096, 1024]], {"hidden_size": 1024}),
}


@pytest.mark.parametrize("op", LONG_CALLS)
def test_one_long_call_ends_too(tmp_path: Path, op: str) -> None:
    shapes, attributes = LONG_CALLS[op]
    nodes = []
    for i, shape in enumerate(shapes):
        nodes.append(helper.make_node("Constant", [], [f"shape{i}"], value_ints=shape))
        nodes.append(helper.make_node("ConstantOfShape", [f"shape{i}"], [f"x{i}"]))
    nodes.append(helper.make_node(op, [f"x{i}" for i in range(len(shapes))], ["y"], "long", **attributes))
    output = helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)
    model = saved(tmp_path / "long.onnx", helper.make_graph(nodes, "main", [], [output]))
    code, said, took = run(model, "--max-seconds", "4")
    assert (code, said.count("\n")) == (2, 1), said
    assert f'graph "main" / node "long" ({op}): the run takes longer than 4 s' in said
    assert took < 8  # little more than 4


def test_a_result_that_is_too_large_is_refused_before_it_is_allocated(tmp_path: Path) -> None:
    text = """<ir_version: 10, opset_import: ["" : 21]>
    main (int64 limit) => (int64[n] y) {
      zero = Constant <value_int = 0> ()
      one = Constant <value_int = 1> ()
      y = Range (zero, limit, one)
    }"""
    code, said, took = run(written(tmp_path / "range.onnx", text), "--input", f"limit={1 << 40}")
    assert (code, said.count("\n")) == (2, 1), said
    assert "Range: a result of int64[1099511627776] takes 8192 GiB; the run holds 0 bytes and may hold 4 GiB" in said
    assert took < 5


def used_by(process: subprocess.Popen[bytes]) -> float:
    """The processor time of a process that has not ended, in seconds."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_a_run_at_once_and_leaves_nothing_behind(tmp_path: Path, sent: signal.Signals) -> None:
    model = written(tmp_path / "endless.onnx", ENDLESS)
    folder = tmp_path / "outputs"
    command = [IFCERT, "run", model, "--input", "x=[1]", "--output", folder, "--max-seconds", "inf"]
    begun = seconds_of_children()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while used_by(process) < 0.5:  # it computes
        time.sleep(0.01)
    process.send_signal(sent)
    printed, said = process.communicate()
    assert (process.returncode, printed, said) == (-sent, b"", b"")
    assert seconds_of_children() - begun < 2
    assert not folder.exists()


@pytest.mark.parametrize("given", [["--max-seconds", "0"], ["--max-seconds", "nan"], ["--max-memory", "much"]])
def test_an_invalid_limit_is_refused(tmp_path: Path, given: list[str]) -> None:
    code, said, _ = run(written(tmp_path / "m.onnx", ENDLESS), *given)
    assert code == 2
    assert given[0] in said


def wide(path: Path) -> Path:
    """Thirty thousand nodes, whose reading, checking, drawing and running need much more memory than the file."""
    nodes = [helper.make_node("Neg", ["x"], [f"a long name of a value, number {i}"]) for i in range(30_000)]
    inputs = [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1024])]
    outputs = [helper.make_tensor_value_info(nodes[-1].output[0], onnx.TensorProto.FLOAT, [1024])]
    return saved(path, helper.make_graph(nodes, "main", inputs, outputs))


@pytest.mark.parametrize("command", ["check", "show", "run", "convert"])
def test_the_file_is_named_when_memory_runs_out(tmp_path: Path, command: str) -> None:
    model = wide(tmp_path / "wide.onnx")
    np.save(tmp_path / "x.npy", np.zeros(1024, np.float32))
    more = {
        "show": ["-o", tmp_path / "picture.html"],
        "run": ["--input", f"x={tmp_path / 'x.npy'}"],
        "convert": [tmp_path / "wide.tflite"],
    }.get(command, [])
    refused = 0
    for mebibytes in range(32, 257, 16):
        limited = ["prlimit", f"--as={mebibytes * MEBIBYTE}", IFCERT, command, model, *more]
        done = subprocess.run(limited, capture_output=True, text=True, timeout=60, check=False)
        if "error while loading shared libraries" in done.stderr:
            continue
        assert done.returncode in (0, 2), (mebibytes, done.returncode, done.stderr)
        if done.returncode == 2:
            assert str(model) in done.stderr, (mebibytes, done.stderr)
            refused += "out of memory" in done.stderr
    assert refused > 0
