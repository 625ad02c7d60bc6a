"""`run --operators`: nodes that the reference lacks are computed by an adapter, and whatever it does is said."""

import contextlib
import json
import os
import signal
import subprocess
import time
import zipfile
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest
from ifcert.authoring.ir_bodies import body, gives, if_model, passed, takes
from ifcert.authoring.ir_text import const, edges, operation, parameter, result

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
ONNXRUNTIME = ROOT / ".adapters" / "onnxruntime"
LITERT = ROOT / ".adapters" / "litert"
OPENVINO = ROOT / ".adapters" / "openvino"
ONNX = ROOT / ".adapters" / "onnx"

# A runtime of one operator, which doubles float32; the name of the adapter is what else it does.
ADAPTER = """
import base64, json, os, struct, sys, time
does, keeps = sys.argv[1], sys.argv[2] == "keeps"
kept, loads, hoard = set(), 0, []
for line in sys.stdin:
    request = json.loads(line)
    command = request["cmd"]
    if command == "bye":
        break
    if command == "hello":
        runtime = {"name": "Doubler", "version": "1.0", "language": "Python", "home": "https://example.org"}
        formats = ["openvino" if does == "other-format" else "onnx"]
        hello = {"protocol": 1, "adapter": does, "runtime": runtime, "formats": formats, "computes": True,
                 "threads": False, "keeps": keeps, "unsupported_features": []}
        print(json.dumps({"hello": hello}), flush=True)
        continue
    answer = {"unloaded": {}}
    if command == "unload":
        kept.discard(request.get("kept"))
    if command == "load":
        loads += 1
        kept.add(request["id"])
        print(f"load {loads} keep={request.get('keep', False)}", file=sys.stderr, flush=True)
        answer = {"loaded": {"outputs": [{"name": "y0", "type": None, "shape": None}]}}
        if does == "refuses":
            answer = {"refused": {"message": "I do not know this operator"}}
        if does == "lacks":
            answer = {"unsupported": {"what": "operator:Twice", "message": "not yet"}}
    if command == "run":
        x = request["inputs"][0]["value"]
        data = base64.b64decode(x["data"])
        numbers = [2 * number for number in struct.unpack(f"<{len(data) // 4}f", data)]
        if does == "counts-loads":
            numbers = [float(loads)] * len(numbers)
        if does == "counts-kept":
            numbers = [float(len(kept))] * len(numbers)
        y = x | {"data": base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode()}
        if does == "wrong-type":
            y["type"] = "int32"
        if does == "wrong-bytes":
            y["shape"] = [17]
        outputs = [{"name": "z" if does == "wrong-name" else "y0", "value": y}]
        answer = {"outputs": outputs * {"too-many": 2, "too-few": 0}.get(does, 1)}
        if does == "other":
            outputs[0]["value"] = {"kind": "other", "is": "a map"}
        if does == "crashes":
            os.kill(os.getpid(), 11)
        if does == "hangs":
            time.sleep(1000)
        if does == "grows":
            hoard = [bytes([1]) * (64 << 20) for _ in range(40)]
        if does == "leaks":
            hoard.append(bytes([1]) * (300 << 20))
        if does == "leaks" and not kept:
            answer = {"refused": {"message": "no model is loaded"}}
        if does == "garbage":
            print("this is no JSON", flush=True)
            continue
    print(json.dumps({"id": request["id"], **answer}), flush=True)
"""

TEXT = (ROOT / "conformance" / "commands" / "operator_of_its_own.txt").read_text()


def adapter(folder: Path, does: str, keeps: str = "keeps") -> str:
    """The folder of an adapter that does this."""
    folder = folder / does
    folder.mkdir()
    manifest = {"name": does, "systems": ["onnx"], "version": "1.0", "home": "https://example.org", "install": None}
    manifest["command"] = ["python3", "{adapter}/adapter.py", does, keeps]
    (folder / "adapter.json").write_text(json.dumps(manifest))
    (folder / "adapter.py").write_text(ADAPTER)
    return str(folder)


def run(model: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`ifcert run`."""
    return subprocess.run(
        [IFCERT, "run", model, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"IFCERT_HOME": str(ROOT)},
    )


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model with an operator of its own in a branch."""
    path = tmp_path / "model.onnx"
    onnx.save(onnx.parser.parse_model(TEXT), path)
    return path


INPUTS = ["--input", "cond=true", "--input", "x=[1, 2.5]"]


def test_an_operator_of_its_own_is_computed_by_the_adapter(model: Path, tmp_path: Path) -> None:
    done = run(model, *INPUTS, "--operators", adapter(tmp_path, "doubles"))
    assert (done.returncode, done.stdout) == (0, "y: float32[2] [2, 5]\n")
    assert done.stderr == "computed by doubles 1.0: my.Twice ×1\n"


def test_nothing_is_said_where_the_reference_computes_everything(model: Path, tmp_path: Path) -> None:
    done = run(model, "--input", "cond=false", *INPUTS[2:], "--operators", adapter(tmp_path, "doubles"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "y: float32[2] [1, 2.5]\n", "")


PLACE = 'graph "main" / node 0 (If) / then_branch / node 0 (Twice)'


@pytest.mark.parametrize(
    ("does", "message"),
    [
        ("refuses", "refuses 1.0 refused my.Twice: I do not know this operator"),
        ("lacks", "lacks 1.0 does not support my.Twice: not yet"),
        ("other-format", "other-format 1.0: hello does not list the format onnx"),
        ("crashes", "crashes 1.0: CRASH: the process was killed by signal 11 (Segmentation fault) before it answered"),
        ("garbage", "garbage 1.0: ADAPTER: a line that is not JSON: 'this is no JSON'"),
        ("wrong-bytes", "wrong-bytes 1.0: ADAPTER: 8 bytes of float32 for the shape [17]"),
        ("wrong-name", 'wrong-name 1.0: ADAPTER: it returned "z" where output 0 is due'),
        ("too-few", "too-few 1.0: ADAPTER: it returned 0 outputs; the node has more"),
        ("too-many", "too-many 1.0: ADAPTER: it returned 2 outputs; the node has 1"),
        ("other", "other 1.0: ADAPTER: no value of the protocol: a map"),
    ],
)
def test_a_failure_of_the_adapter_has_its_name_and_the_place_of_the_node(
    does: str, message: str, model: Path, tmp_path: Path
) -> None:
    done = run(model, *INPUTS, "--operators", adapter(tmp_path, does))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{PLACE}: {message}" in done.stderr


def test_a_result_of_another_type_than_the_model_declares_is_refused(model: Path, tmp_path: Path) -> None:
    done = run(model, *INPUTS, "--operators", adapter(tmp_path, "wrong-type"))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{PLACE} / output 0: int32[2] is returned; the model declares float32[N]" in done.stderr


def test_the_time_limit_of_the_run_ends_an_adapter_that_hangs(model: Path, tmp_path: Path) -> None:
    done = run(model, *INPUTS, "--operators", adapter(tmp_path, "hangs"), "--max-seconds", "3")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{PLACE}: hangs 1.0: TIMEOUT: no answer within" in done.stderr
    assert "(--max-seconds raises the limit)" in done.stderr


def test_the_memory_limit_of_the_run_ends_an_adapter_that_grows(model: Path, tmp_path: Path) -> None:
    done = run(model, *INPUTS, "--operators", adapter(tmp_path, "grows"), "--max-memory", "100M")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{PLACE}: grows 1.0: MEMORY: the process was killed because it used" in done.stderr
    assert "(--max-memory raises the limit)" in done.stderr


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("no-such-adapter", "no-such-adapter"),
        ("litert-ref", "the adapter litert-ref does not read models of onnx; it reads tflite"),
    ],
)
def test_an_adapter_that_cannot_compute_the_model_is_refused(named: str, message: str, model: Path) -> None:
    if named == "litert-ref" and not LITERT.exists():
        pytest.skip("LiteRT is not installed")
    done = run(model, *INPUTS, "--operators", named)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_an_adapter_that_is_not_installed_is_refused_before_the_run(model: Path, tmp_path: Path) -> None:
    folder = Path(adapter(tmp_path, "doubles"))
    manifest = json.loads((folder / "adapter.json").read_text())
    manifest["install"] = {"environment": "no-such-environment", "python": ["nothing==1.0"]}
    (folder / "adapter.json").write_text(json.dumps(manifest))
    done = run(model, "--input", "cond=false", *INPUTS[2:], "--operators", str(folder))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"`ifcert adapter install {folder}` installs it" in done.stderr


def test_ctrl_c_ends_a_run_that_waits_for_an_adapter(model: Path, tmp_path: Path) -> None:
    command = [IFCERT, "run", model, *INPUTS, "--operators", adapter(tmp_path, "hangs"), "--max-seconds", "100"]
    environment = os.environ | {"IFCERT_HOME": str(ROOT)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    while not any(b"hangs" in line for line in command_lines_below(process.pid)):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == -signal.SIGINT
    process.communicate()


def command_lines_below(pid: int) -> list[bytes]:
    """Those of the processes that it has started, and that these have."""
    lines = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with contextlib.suppress(OSError):
            lines += [Path(f"/proc/{child}/cmdline").read_bytes(), *command_lines_below(int(child))]
    return lines


LOOP = """
<ir_version: 9, opset_import: ["": 17, "my": 1]>
main (float[N] x) => (float[M] y) {
    trips = Constant <value_int: int = 6> ()
    true_ = Constant <value: tensor = bool {1}> ()
    y = Loop (trips, true_, x) <body = step (int64 i, bool c, float[K] v) => (bool again, float[L] w) {
        again = Identity (c)
        doubled = my.Twice (v)
        w = my.Other (v)
    }>
}
"""


def looping(folder: Path) -> Path:
    path = folder / "loop.onnx"
    onnx.save(onnx.parser.parse_model(LOOP), path)
    return path


@pytest.mark.parametrize(("keeps", "loads"), [("keeps", 2), ("one-at-a-time", 12)])
def test_a_node_is_loaded_once_for_each_shape(keeps: str, loads: int, tmp_path: Path) -> None:
    """The adapter returns how many models it has loaded: with `keeps` one for each of the two nodes."""
    done = run(looping(tmp_path), "--input", "x=[1]", "--operators", adapter(tmp_path, "counts-loads", keeps))
    assert (done.returncode, done.stdout) == (0, f"y: float32[1] [{loads}]\n")
    assert done.stderr == "computed by counts-loads 1.0: my.Other ×6, my.Twice ×6\n"


GROWING = """
<ir_version: 9, opset_import: ["": 17, "my": 1]>
main (int64 trips, float[N] x) => (float[M] y) {
    true_ = Constant <value: tensor = bool {1}> ()
    z, y = Loop (trips, true_, x, x) <
        body = step (int64 i, bool c, float[K] v, float[L] old) => (bool again, float[P] w, float[Q] new) {
            again = Identity (c)
            one = Constant <value: tensor = float[1] {1.0}> ()
            w = Concat <axis = 0> (v, one)
            new = my.Twice (v)
        }>
}
"""


@pytest.mark.parametrize(("trips", "kept"), [(200, 200), (300, 256)])
def test_an_adapter_keeps_a_limited_number_of_models(trips: int, kept: int, tmp_path: Path) -> None:
    """Each trip has a longer operand; the adapter returns how many models it has."""
    path = tmp_path / "growing.onnx"
    onnx.save(onnx.parser.parse_model(GROWING), path)
    inputs = ["--input", f"trips={trips}", "--input", "x=[1]"]
    done = run(path, *inputs, "--operators", adapter(tmp_path, "counts-kept"), "--output", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert np.load(tmp_path / "out" / "y.npy").tolist() == [kept] * trips


def test_an_adapter_that_grows_from_node_to_node_starts_again_with_its_models(tmp_path: Path) -> None:
    """It takes 300 MiB more with each of 12 nodes, and may take 1124 MiB."""
    lent = ["--operators", adapter(tmp_path, "leaks"), "--max-memory", "100M"]
    done = run(looping(tmp_path), "--input", "x=[1]", *lent)
    assert (done.returncode, done.stdout) == (0, "y: float32[1] [64]\n"), done.stderr
    assert done.stderr == "computed by leaks 1.0: my.Other ×6, my.Twice ×6\n"


needs_onnxruntime = pytest.mark.skipif(not ONNXRUNTIME.exists(), reason="ONNX Runtime is not installed")

OPERATORS = """
<ir_version: 8, opset_import: ["": 13, "local": 1]>
main (bool cond, float[1,2,4,4] x) => (float[A,B,C,D] y, float[E,F,G,H] pooled, float[1,2,4,4] kept) {
    kept = local.Leaky <slope = 0.25> (x)
    y, pooled = If (cond) <
        then_branch = norm () => (float[1,2,4,4] a, float[1,2,1,1] b) {
            n = BatchNormalization (x, scale, bias, mean, var)
            low = Constant <value: tensor = float {0.0}> ()
            high = Constant <value: tensor = float {1.0}> ()
            a = Clip (n, low, high)
            b = GlobalAveragePool (a)
        },
        else_branch = pool () => (float[1,2,2,2] c, float[1,2,1,1] d) {
            c, indices = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)
            e = LeakyRelu <alpha = 0.5> (x)
            d = GlobalAveragePool (e)
        }
    >
}
<domain: "local", opset_import: ["": 13]>
Leaky <slope> (v) => (w) { w = LeakyRelu <alpha: float = @slope> (v) }
"""


def operators_model(folder: Path) -> Path:
    """BatchNormalization with captured constants, an optional output, an operator in a function with a reference."""
    model = onnx.parser.parse_model(OPERATORS)
    for name, values in {"scale": [1, 2], "bias": [0, 0.5], "mean": [0.1, 0.2], "var": [1, 0.5]}.items():
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.array(values, np.float32), name))
    path = folder / "operators.onnx"
    onnx.save(model, path)
    return path


@needs_onnxruntime
@pytest.mark.parametrize("cond", ["true", "false"])
def test_operators_of_onnx_are_computed_as_onnx_defines_them(cond: str, tmp_path: Path) -> None:
    x = np.linspace(-1, 1, 32, dtype=np.float32).reshape(1, 2, 4, 4)
    np.save(tmp_path / "x.npy", x)
    arguments = ["--input", f"cond={cond}", "--input", f"x={tmp_path / 'x.npy'}", "--output", str(tmp_path / "out")]
    done = run(operators_model(tmp_path), *arguments, "--operators", "onnxruntime")
    assert done.returncode == 0, done.stderr
    outputs = [np.load(tmp_path / "out" / f"{name}.npy") for name in ("y", "pooled", "kept")]
    if cond == "true":
        factor = np.array([1, 2], np.float32) / np.sqrt(np.array([1, 0.5], np.float32) + 1e-5)
        shifted = x - np.array([0.1, 0.2], np.float32)[:, None, None]
        normal = shifted * factor[:, None, None] + np.array([0, 0.5], np.float32)[:, None, None]
        y = np.clip(normal, 0, 1)
        pooled = y.mean(axis=(2, 3), keepdims=True)
        said = "BatchNormalization ×1, Clip ×1, GlobalAveragePool ×1, LeakyRelu ×1"
    else:
        y = x.reshape(1, 2, 2, 2, 2, 2).max(axis=(3, 5))
        pooled = np.where(x < 0, x * 0.5, x).mean(axis=(2, 3), keepdims=True)
        said = "GlobalAveragePool ×1, LeakyRelu ×2, MaxPool ×1"
    for found, expected in zip(outputs, [y, pooled, np.where(x < 0, x * 0.25, x)], strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    assert done.stderr.startswith("computed by onnxruntime ")
    assert done.stderr.endswith(f": {said}\n")


SELU = """
<ir_version: 9, opset_import: ["": 17]>
main (bool cond, float[N] x) => (float[N] y) {
    y = If (cond) <
        then_branch = selu () => (float[N] a) { a = Selu <alpha = 2.0, gamma = 0.5> (x) },
        else_branch = same () => (float[N] b) { b = Identity (x) }
    >
}
"""


@pytest.mark.skipif(not ONNX.exists(), reason="the onnx package's adapter is not installed")
@pytest.mark.parametrize(("cond", "said"), [("true", "Selu ×1"), ("false", "")])
def test_the_evaluator_of_the_onnx_package_computes_an_operator_in_a_branch(
    cond: str, said: str, tmp_path: Path
) -> None:
    onnx.save(onnx.parser.parse_model(SELU), tmp_path / "selu.onnx")
    arguments = ["--input", f"cond={cond}", "--input", "x=[-1, 0, 3]", "--output", str(tmp_path / "out")]
    done = run(tmp_path / "selu.onnx", *arguments, "--operators", "onnx-reference")
    assert done.returncode == 0, done.stderr
    expected = [np.exp(-1) - 1, 0, 1.5] if said else [-1, 0, 3]
    np.testing.assert_allclose(np.load(tmp_path / "out" / "y.npy"), expected, rtol=1e-6)
    assert done.stderr.endswith(f": {said}\n" if said else "")
    assert ("computed by onnx-reference " in done.stderr) == bool(said)


def ir_model(folder: Path) -> Path:
    """Elu, which has an attribute, then PRelu, whose slope is a constant in the .bin; both in the body of an If."""
    then_body = body(
        [takes(1, 0), gives(2, 4)],
        parameter(0, "a", "f32[1,3]"),
        operation(1, "Elu", ["f32[1,3]"], "f32[1,3]", data='alpha="0.5"'),
        const(2, np.array([1, 4, 8], np.float32)),
        operation(3, "PRelu", ["f32[1,3]", "f32[3]"], "f32[1,3]"),
        result(4, "f32[1,3]"),
        edges("0:0>1:0 1:1>3:0 2:0>3:1 3:2>4:0"),
    )
    model = if_model({"cond": "boolean[]", "x": "f32[1,3]"}, {"y": "f32[1,3]"}, then_body, passed("f32[1,3]", to=2))
    for name, data in model.files().items():
        (folder / name).write_bytes(data)
    return folder / "model.xml"


@pytest.mark.skipif(not OPENVINO.exists(), reason="OpenVINO is not installed")
@pytest.mark.parametrize(("cond", "said"), [("true", "Elu ×1, PRelu ×1"), ("false", "")])
def test_openvino_computes_operations_in_the_body_of_an_if(cond: str, said: str, tmp_path: Path) -> None:
    arguments = ["--input", f"cond={cond}", "--input", "x=[[-1, -2, 3]]", "--output", str(tmp_path / "out")]
    done = run(ir_model(tmp_path), *arguments, "--operators", "openvino-ir")
    assert done.returncode == 0, done.stderr
    expected = [[0.5 * (np.exp(-1) - 1), 4 * 0.5 * (np.exp(-2) - 1), 3]] if said else [[-1, -2, 3]]
    np.testing.assert_allclose(np.load(tmp_path / "out" / "y.npy"), expected, rtol=1e-6)
    assert done.stderr.endswith(f": {said}\n" if said else "")
    assert ("computed by openvino-ir " in done.stderr) == bool(said)


@pytest.mark.skipif(not LITERT.exists(), reason="LiteRT is not installed")
def test_variables_of_tflite_are_refused_before_a_runtime_is_asked(tmp_path: Path) -> None:
    with zipfile.ZipFile(ROOT / "reference" / "tests" / "e2e" / "tflite_files" / "converted.zip") as archive:
        model = archive.extract("lacking_variable.tflite", tmp_path)
    done = run(model, "--input", "#0=[1, 2]", "--input", "#1=true", "--operators", "litert")
    assert (done.returncode, done.stdout) == (2, "")
    place = 'subgraph 0 "main" / operator 0 (CALL_ONCE)'
    assert f"{place}: variables and resources have values that live between operators" in done.stderr
    assert done.stderr.count("CALL_ONCE") == 1


@pytest.mark.parametrize("operators", [True, False])
def test_shrink_makes_a_model_smaller_whose_operators_the_reference_lacks(
    operators: bool, model: Path, tmp_path: Path
) -> None:
    lent = ["--operators", adapter(tmp_path, "doubles")] if operators else []
    command = [IFCERT, "shrink", model, "--adapter", adapter(tmp_path, "crashes"), *INPUTS, *lent, "--tries", "20"]
    done = subprocess.run(
        [*command, "--out", tmp_path / "small"],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
        env=os.environ | {"IFCERT_HOME": str(ROOT)},
    )
    if operators:
        assert (done.returncode, done.stdout[:5]) == (1, "CRASH")
        assert "computed by doubles 1.0: my.Twice ×" in done.stderr
    else:
        assert done.returncode == 2
        assert "the reference has no operator my.Twice" in done.stderr
