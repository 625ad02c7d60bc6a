"""The files that `save` writes, where they are, and what a failure leaves behind."""

import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, parser

import ifcert

FORMATS = ["onnx", "xml", "tflite", "circle"]


def model_of(first: float) -> bytes:
    numbers = ", ".join(str(number) for number in (first, *range(1000)))
    text = f"""<ir_version: 8, opset_import: ["" : 16]>
    sum (float[1001] x) => (float[1001] y) {{
        w = Constant <value = float[1001] {{{numbers}}}> ()
        y = Add (x, w)
    }}"""
    return parser.parse_model(text).SerializeToString()


def first_of(path: Path) -> float:
    (y,) = ifcert.load(path).run([np.zeros(1001, np.float32)])
    return float(y[0])


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(params=FORMATS)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The path of an old model, of each format, with nothing beside it."""
    path = tmp_path / "out" / f"m.{request.param}"
    path.parent.mkdir()
    ifcert.load(model_of(1)).save(path)
    return path


def test_a_model_is_replaced_and_nothing_is_left_beside_it(path: Path) -> None:
    before = names(path.parent)
    path.chmod(0o600)
    ifcert.load(model_of(2)).save(path)
    assert first_of(path) == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert names(path.parent) == before


SAVE_IN_LITTLE_ROOM = """
import resource, sys
import ifcert
model = ifcert.load(sys.stdin.buffer.read())
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    model.save(sys.argv[1])
except OSError as error:
    print(error)
"""


@pytest.mark.parametrize("room", [10, 2000])
def test_a_full_disk_is_an_os_error_and_leaves_the_old_model_alone(room: int, path: Path) -> None:
    before = names(path.parent)
    run = subprocess.run(
        [sys.executable, "-c", SAVE_IN_LITTLE_ROOM, path, str(room)],
        input=model_of(2),
        capture_output=True,
        timeout=120,
        check=True,
    )
    assert b"[Errno 27] File too large: '" + bytes(path.parent) in run.stdout
    assert first_of(path) == 1
    assert names(path.parent) == before


def handing_on(values: int, levels: int) -> bytes:
    """Ifs in Ifs, so many levels, of which the innermost joins so many inputs of the model."""
    names = [f"x{i}" for i in range(values)]
    other = helper.make_graph(
        [helper.make_node("Neg", ["x0"], ["e"])], "e", [], [helper.make_empty_tensor_value_info("e")]
    )
    node = helper.make_node("Concat", names, ["r"], axis=0)
    for level in range(levels):
        out = helper.make_empty_tensor_value_info("r" if level == 0 else f"r{level}")
        then = helper.make_graph([node], "t", [], [out])
        node = helper.make_node("If", ["c"], [f"r{level + 1}"], then_branch=then, else_branch=other)
    given = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1]) for name in names]
    inputs = [helper.make_tensor_value_info("c", onnx.TensorProto.BOOL, []), *given]
    y = helper.make_tensor_value_info(f"r{levels}", onnx.TensorProto.FLOAT, None)
    model = helper.make_model(
        helper.make_graph([node], "main", inputs, [y]), opset_imports=[helper.make_opsetid("", 16)], ir_version=8
    )
    return bytes(model.SerializeToString())


@pytest.mark.parametrize("ending", ["xml", "tflite", "circle"])
def test_values_that_pass_through_too_many_bodies_are_refused_with_the_place(ending: str, tmp_path: Path) -> None:
    model = ifcert.load(handing_on(5000, 30))
    with pytest.raises(ifcert.Inexpressible, match="more than 67108864 bytes of captured values") as error:
        model.save(tmp_path / f"m.{ending}")
    assert 'graph "main" / node 0 (If) / then_branch / ' in str(error.value)
    assert names(tmp_path) == []
    model.save(tmp_path / "m.onnx")
    assert ifcert.load(tmp_path / "m.onnx").check() == []


def test_a_link_is_followed(path: Path, tmp_path: Path) -> None:
    link = tmp_path / f"link{path.suffix}"
    link.symlink_to(path)
    ifcert.load(model_of(2)).save(link)
    assert link.is_symlink()
    # For the two files of IR, each one's own name counts.
    assert path.read_bytes() == link.read_bytes()


def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "m.onnx"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    ifcert.load(model_of(2)).save(pipe)
    content = os.read(reader, 1 << 16)
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert ifcert.load(content).check() == []


def test_a_pipe_that_nobody_reads_can_be_given_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "m.onnx")
    model = ifcert.load(model_of(2))
    saving = threading.main_thread()

    def interrupt_once_it_waits() -> None:
        waits = Path(f"/proc/self/task/{saving.native_id}/wchan")
        while waits.read_text() not in ("wait_for_partner", "fifo_open"):
            time.sleep(0.01)
        signal.pthread_kill(saving.ident, signal.SIGINT)

    interrupting = threading.Thread(target=interrupt_once_it_waits)
    interrupting.start()
    with pytest.raises(KeyboardInterrupt):
        model.save(tmp_path / "m.onnx")
    interrupting.join()


@pytest.mark.parametrize("link", ["itself", "symbolic", "hard"])
def test_a_file_that_the_model_was_loaded_from_is_refused(link: str, path: Path) -> None:
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    out = path
    if link != "itself":
        out = path.with_name(f"other{path.suffix}")
        (out.symlink_to if link == "symbolic" else out.hardlink_to)(path)
    model = ifcert.load(path)
    with pytest.raises(ValueError, match="is also an input"):
        model.save(out)
    assert {file.name: file.read_bytes() for file in path.parent.iterdir() if file != out or out == path} == before


def test_a_picture_does_not_overwrite_the_model(tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_bytes(model_of(1))
    (tmp_path / "m.svg").hardlink_to(tmp_path / "m.onnx")
    with pytest.raises(ValueError, match="is also an input"):
        ifcert.load(tmp_path / "m.onnx").show().save(tmp_path / "m.svg")
    assert (tmp_path / "m.onnx").read_bytes() == model_of(1)


def test_a_folder_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        ifcert.load(model_of(1)).save(tmp_path / "none" / "m.onnx")
    assert error.value.filename == str(tmp_path / "none" / "m.onnx")
    assert names(tmp_path) == []


def test_a_model_that_a_format_cannot_express_leaves_no_file(tmp_path: Path) -> None:
    model = parser.parse_model("""<ir_version: 8, opset_import: ["" : 16]>
    g (seq(float[1]) x) => (seq(float[1]) y) { y = Identity (x) }""")
    model.graph.node[0].CopyFrom(helper.make_node("Identity", ["x"], ["y"]))
    with pytest.raises(ifcert.Inexpressible):
        ifcert.load(model).save(tmp_path / "m.xml")
    assert names(tmp_path) == []
