"""Files that change after a model was loaded from them cause no signal, and never other values without an error.

A change of a file may end the process, so each case has a process of its own.
"""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import ifcert

ROOT = Path(__file__).resolve().parents[3]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
SMALL, LARGE = 1 << 15, 1 << 20  # numbers of 4 bytes
LONG_AGO = 1_000_000_000

# Loads a model, changes a file of it, and runs it: the first and the last number, or what was raised.
LOAD_CHANGE_RUN = """
import sys
import ifcert, numpy as np
from ifcert import changing_files_test as changes

model, changed, change, when = sys.argv[1:]
loaded = ifcert.load(model)
x = {"x": np.zeros(1, np.float32)}
if when == "after a run":
    loaded.run(x)
getattr(changes, change)(changed)
try:
    y, = loaded.run(x).values()
    print("values", int(y[0]), int(y[-1]))
except ifcert.UnreadableModel as error:
    print("raised", error)
"""


def truncate(path: str) -> None:
    """Truncate the file to nothing."""
    os.truncate(path, 0)


def rewrite(path: str) -> None:
    """Overwrite all bytes of the same file."""
    size = Path(path).stat().st_size
    with Path(path).open("r+b") as file:
        file.write(b"\x40" * size)


def rewrite_in_secret(path: str) -> None:
    """Overwrite all bytes, and restore the times."""
    before = Path(path).stat()
    rewrite(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(path: str) -> None:
    """Replace the file by another."""
    Path(path + ".new").write_bytes(b"\x40" * Path(path).stat().st_size)
    Path(path + ".new").replace(path)


def remove(path: str) -> None:
    """Remove the file."""
    Path(path).unlink()


def onnx_model(count: int) -> onnx.ModelProto:
    """y = x + w, w being 1, 2, …"""
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "w"], ["y"])],
        "sum",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [count])],
        [numpy_helper.from_array(np.arange(1, count + 1, dtype=np.float32), "w")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)], ir_version=9)


def aligned(model: onnx.ModelProto) -> bytes:
    """The file with the weights at an offset that needs no copy."""
    weights = model.graph.initializer[0].raw_data[:64]
    for _ in range(16):
        content = model.SerializeToString()
        if content.index(weights) % 16 == 0:
            return content
        model.graph.name += "."
    raise AssertionError("no name is of the right length")


def write(kind: str, count: int, folder: Path) -> tuple[Path, Path]:
    """A model of that kind: its path, and that of the file with the weights."""
    proto = onnx_model(count)
    model = folder / "model.onnx"
    if kind == "external":
        onnx.save(proto, model, save_as_external_data=True, location="w.bin", size_threshold=0)
        weights = folder / "w.bin"
    else:
        model.write_bytes(aligned(proto))
        weights = model
    if kind == "xml":
        ifcert.load(model).save(folder / "model.xml")
        model, weights = folder / "model.xml", folder / "model.bin"
    if kind == "tflite":
        weights = model = folder / "model.tflite"
        ifcert.load(folder / "model.onnx").save(model)
    os.utime(weights, (LONG_AGO, LONG_AGO))
    return model, weights


def in_a_process_of_its_own(model: Path, changed: Path, change: str, when: str = "before a run") -> str:
    run = subprocess.run(
        [sys.executable, "-c", LOAD_CHANGE_RUN, model, changed, change, when],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, (run.returncode, run.stderr)
    return run.stdout


@pytest.mark.parametrize("change", ["truncate", "rewrite", "rewrite_in_secret", "replace", "remove"])
@pytest.mark.parametrize("kind", ["onnx", "tflite", "external", "xml"])
def test_values_that_were_read_do_not_change(kind: str, change: str, tmp_path: Path) -> None:
    model, weights = write(kind, SMALL, tmp_path)
    assert in_a_process_of_its_own(model, weights, change) == "values 1 32768\n"


@pytest.mark.parametrize("change", ["truncate", "rewrite", "rewrite_in_secret", "replace", "remove"])
@pytest.mark.parametrize("kind", ["onnx", "tflite"])
def test_a_large_model_in_one_file_is_read_when_it_is_loaded(kind: str, change: str, tmp_path: Path) -> None:
    model, weights = write(kind, LARGE, tmp_path)
    assert in_a_process_of_its_own(model, weights, change) == "values 1 1048576\n"


@pytest.mark.parametrize("change", ["truncate", "rewrite", "rewrite_in_secret"])
@pytest.mark.parametrize("kind", ["external", "xml"])
def test_large_weights_that_change_before_they_are_read_are_an_error_that_names_the_file(
    kind: str, change: str, tmp_path: Path
) -> None:
    model, weights = write(kind, LARGE, tmp_path)
    said = in_a_process_of_its_own(model, weights, change)
    assert said.startswith("raised ")
    assert f"{weights}: the file has changed since it was opened" in said


@pytest.mark.parametrize("change", ["replace", "remove"])
@pytest.mark.parametrize("kind", ["external", "xml"])
def test_large_weights_whose_file_was_replaced_are_read_from_the_original_file(
    kind: str, change: str, tmp_path: Path
) -> None:
    model, weights = write(kind, LARGE, tmp_path)
    assert in_a_process_of_its_own(model, weights, change) == "values 1 1048576\n"


@pytest.mark.parametrize("change", ["truncate", "rewrite", "rewrite_in_secret", "replace", "remove"])
@pytest.mark.parametrize("kind", ["onnx", "tflite", "external", "xml"])
def test_values_that_a_run_has_read_do_not_change(kind: str, change: str, tmp_path: Path) -> None:
    model, weights = write(kind, LARGE, tmp_path)
    assert in_a_process_of_its_own(model, weights, change, "after a run") == "values 1 1048576\n"


@pytest.mark.parametrize("change", [truncate, rewrite])
def test_the_first_run_reads_the_weights_of_both_branches(change: Callable[[str], None], tmp_path: Path) -> None:
    numbers = np.arange(1, LARGE + 1, dtype=np.float32)
    branches = {
        name: helper.make_graph(
            [helper.make_node("Identity", [f"w{i}"], [f"{name}_y"])],
            name,
            [],
            [helper.make_tensor_value_info(f"{name}_y", TensorProto.FLOAT, [LARGE])],
        )
        for i, name in enumerate(("then_branch", "else_branch"))
    }
    graph = helper.make_graph(
        [helper.make_node("If", ["cond"], ["y"], **branches)],
        "choice",
        [helper.make_tensor_value_info("cond", TensorProto.BOOL, [])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [LARGE])],
        [numpy_helper.from_array(numbers, "w0"), numpy_helper.from_array(-numbers, "w1")],
    )
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)], ir_version=9)
    onnx.save(proto, tmp_path / "model.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    os.utime(tmp_path / "w.bin", (LONG_AGO, LONG_AGO))
    model = ifcert.load(tmp_path / "model.onnx")
    assert model.run({"cond": np.array(True)})["y"][-1] == LARGE
    change(str(tmp_path / "w.bin"))
    assert model.run({"cond": np.array(False)})["y"][-1] == -LARGE


@pytest.mark.parametrize("change", ["truncate", "rewrite", "rewrite_in_secret"])
@pytest.mark.parametrize("kind", ["external", "xml"])
def test_large_weights_that_change_before_they_are_written_are_an_error(kind: str, change: str, tmp_path: Path) -> None:
    path, weights = write(kind, LARGE, tmp_path)
    model = ifcert.load(path)
    globals()[change](str(weights))
    with pytest.raises(ifcert.UnreadableModel, match="the file has changed since it was opened"):
        model.save(tmp_path / "out.tflite")
    assert not (tmp_path / "out.tflite").exists()


def test_weights_that_were_just_written_are_read_at_once(tmp_path: Path) -> None:
    """A file system's clock may not advance for some milliseconds; a change within that time would go unnoticed."""
    path, weights = write("external", LARGE, tmp_path)
    os.utime(weights)
    model = ifcert.load(path)
    truncate(str(weights))
    assert model.run({"x": np.zeros(1, np.float32)})["y"][-1] == LARGE


def test_more_large_files_than_are_held_open_are_read_too(tmp_path: Path) -> None:
    proto = onnx_model((1 << 18) + 1)
    graph = proto.graph
    for i in range(200):
        weights = graph.initializer.add()
        weights.CopyFrom(graph.initializer[0])
        weights.name = f"w{i}"
        graph.node.add().CopyFrom(helper.make_node("Add", [f"y{i - 1}" if i else "x", f"w{i}"], [f"y{i}"]))
    for i, weights in enumerate(graph.initializer):
        (tmp_path / f"{i}.bin").write_bytes(weights.raw_data)
        os.utime(tmp_path / f"{i}.bin", (LONG_AGO, LONG_AGO))
        weights.ClearField("raw_data")
        weights.data_location = TensorProto.EXTERNAL
        weights.external_data.add(key="location", value=f"{i}.bin")
    graph.output[0].name = "y199"
    (tmp_path / "model.onnx").write_bytes(proto.SerializeToString())
    open_before = len(list(Path("/proc/self/fd").iterdir()))
    model = ifcert.load(tmp_path / "model.onnx")
    assert len(list(Path("/proc/self/fd").iterdir())) - open_before <= 64
    assert model.run({"x": np.zeros(1, np.float32)})["y199"][0] == 200
    assert len(list(Path("/proc/self/fd").iterdir())) == open_before, "a file that was read is closed"


@pytest.mark.parametrize("change", ["truncate", "rewrite"])
@pytest.mark.parametrize("count", [SMALL, LARGE])
@pytest.mark.parametrize("kind", ["onnx", "tflite", "external", "xml"])
def test_the_command_prints_the_same_values_or_an_error(kind: str, count: int, change: str, tmp_path: Path) -> None:
    """The command reads x after the model: x arrives through a pipe, after the change."""
    path, weights = write(kind, count, tmp_path)
    zero = io.BytesIO()
    np.save(zero, np.zeros(1, np.float32))
    os.mkfifo(tmp_path / "x.npy")
    command = subprocess.Popen(
        [IFCERT, "run", path, "--input", f"#0={tmp_path / 'x.npy'}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with (tmp_path / "x.npy").open("wb") as pipe:
        globals()[change](str(weights))
        pipe.write(zero.getvalue())
    said, complaint = command.communicate(timeout=120)
    if kind in ("onnx", "tflite") or count == SMALL:
        assert command.returncode == 0, complaint
        assert said.startswith(f"y: float32[{count}] [1, 2, 3,")
    else:
        assert command.returncode == 2
        assert f"{weights}: the file has changed since it was opened" in complaint
