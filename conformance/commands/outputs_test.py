"""The targets of `-o` and the like, and what a failure leaves: as root and without, for every output."""

import fcntl
import os
import resource
import signal
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
OTHER_OWNER = 12345


def ifcert(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [IFCERT, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False, **options
    )


def write_model(path: Path, first: float = 1, count: int = 2, *, external: bool = False) -> Path:
    """y = x + w, the first number of w being `first`."""
    weights = np.zeros(count, np.float32)
    weights[0] = first
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "w"], ["y"])],
        "sum",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [count])],
        [numpy_helper.from_array(weights, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)], ir_version=9)
    onnx.save(model, path, save_as_external_data=external, location="w.bin", size_threshold=0)
    return path


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write_model(tmp_path / "model.onnx")


Write = Callable[[Path, Path], subprocess.CompletedProcess[str]]

# Each writes one output of a model to a path.
WRITES: dict[str, tuple[str, Write]] = {
    "check": (".txt", lambda model, out: ifcert("check", model, "-o", out)),
    "check-sarif": (".sarif", lambda model, out: ifcert("check", model, "--format", "sarif", "-o", out)),
    "show": (".svg", lambda model, out: ifcert("show", model, "-o", out)),
    "convert": (".onnx", lambda model, out: ifcert("convert", model, out)),
    "run": (".npy", lambda model, out: ifcert("run", model, "--input", "x=[0]", "--output", out.parent)),
}


@pytest.fixture(params=WRITES)
def output(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Write, Path]]:
    """A command, and the path that it should write."""
    (tmp_path / "out").mkdir()
    ending, write = WRITES[request.param]
    yield write, tmp_path / "out" / f"y{ending}"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def device(path: Path) -> None:
    """A device that accepts everything: a new one for root, for others a link to the system's."""
    if os.geteuid() == 0:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    else:
        path.symlink_to("/dev/null")


def test_a_device_stays_a_device(output: tuple[Write, Path], model: Path) -> None:
    write, out = output
    device(out)
    assert write(model, out).returncode == 0
    assert stat.S_ISCHR(out.stat().st_mode)
    assert names(out.parent) == [out.name]


def test_a_pipe_is_written_through(output: tuple[Write, Path], model: Path) -> None:
    write, out = output
    assert write(model, out).returncode == 0
    plain = out.read_bytes()
    out.unlink()
    os.mkfifo(out)
    reader = os.open(out, os.O_RDONLY | os.O_NONBLOCK)
    fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 1 << 20)  # space for all of it
    try:
        assert write(model, out).returncode == 0
        assert stat.S_ISFIFO(out.stat().st_mode)
        assert os.read(reader, 1 << 20) == plain
    finally:
        os.close(reader)


def test_a_link_stays_and_its_target_is_replaced(output: tuple[Write, Path], model: Path, tmp_path: Path) -> None:
    write, out = output
    target = tmp_path / "elsewhere" / "target"
    target.parent.mkdir()
    target.write_text("old")
    (tmp_path / "between").symlink_to("elsewhere/target")
    out.symlink_to("../between")
    assert write(model, out).returncode == 0
    assert out.is_symlink()
    assert (tmp_path / "between").is_symlink()
    assert target.read_bytes() not in (b"old", b"")
    assert names(target.parent) == ["target"]


def test_a_link_to_nothing_creates_its_target(output: tuple[Write, Path], model: Path, tmp_path: Path) -> None:
    write, out = output
    out.symlink_to(tmp_path / "target")
    assert write(model, out).returncode == 0
    assert out.is_symlink()
    assert (tmp_path / "target").read_bytes()


def test_links_in_a_circle_are_refused(output: tuple[Write, Path], model: Path) -> None:
    write, out = output
    out.symlink_to(out.name)
    run = write(model, out)
    assert run.returncode == 2
    assert "Too many levels of symbolic links" in run.stderr


def test_a_replaced_file_keeps_its_mode_and_owner(output: tuple[Write, Path], model: Path) -> None:
    write, out = output
    out.write_text("old")
    out.chmod(0o600)
    if os.geteuid() == 0:
        os.chown(out, OTHER_OWNER, OTHER_OWNER)
    before = out.stat()
    assert write(model, out).returncode == 0
    after = out.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert out.read_bytes() != b"old"


def test_a_new_file_has_the_mode_that_the_user_gives_new_files(output: tuple[Write, Path], model: Path) -> None:
    write, out = output
    umask = os.umask(0o027)
    try:
        assert write(model, out).returncode == 0
    finally:
        os.umask(umask)
    assert stat.S_IMODE(out.stat().st_mode) == 0o640


def test_a_folder_is_refused(output: tuple[Write, Path], model: Path) -> None:
    write, out = output
    out.mkdir()
    run = write(model, out)
    assert run.returncode == 2
    assert f"cannot write {out}: Is a directory" in run.stderr


def test_standard_output_is_appended_to(output: tuple[Write, Path], model: Path, tmp_path: Path) -> None:
    """The process that opened it may have written to it: it is not replaced."""
    write, out = output
    (tmp_path / "log").write_text("before\n")
    out.symlink_to("/dev/stdout")
    for name in ("/proc/self/fd/1", "/dev/stdout"):
        assert Path(name).exists()
    with (tmp_path / "log").open("ab") as log:
        arguments = list(map(str, write_arguments(write, model, out)))
        assert subprocess.run([IFCERT, *arguments], stdout=log, timeout=120, check=False).returncode == 0
        log.write(b"after\n")
    text = (tmp_path / "log").read_bytes()
    assert text.startswith(b"before\n")
    assert text.endswith(b"after\n")
    assert len(text) > len("before\nafter\n")


def write_arguments(write: Write, model: Path, out: Path) -> list[object]:
    """The arguments of the command."""
    real = globals()["ifcert"]
    taken: list[object] = []
    globals()["ifcert"] = lambda *arguments: taken.extend(arguments)
    try:
        write(model, out)
    finally:
        globals()["ifcert"] = real
    return taken


def test_a_full_device_is_an_error(output: tuple[Write, Path], model: Path) -> None:
    write, out = output
    out.symlink_to("/dev/full")
    run = write(model, out)
    assert run.returncode == 2
    assert "No space left on device" in run.stderr
    assert out.is_symlink()


def no_file_may_grow() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))


def test_a_file_that_cannot_be_written_whole_leaves_the_old_one(
    output: tuple[Write, Path], model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, out = output
    out.write_text("old")
    arguments = list(map(str, write_arguments(write, write_model(model, count=1000), out)))
    if "check" in arguments and "--format" not in arguments:
        arguments += ["--format", "json"]
    run = subprocess.run(
        [IFCERT, *arguments], capture_output=True, text=True, timeout=120, check=False, preexec_fn=no_file_may_grow
    )
    assert run.returncode == 2
    assert f"cannot write {out}: File too large" in run.stderr
    assert out.read_text() == "old"
    assert names(out.parent) == [out.name]


LINKS: dict[str, Callable[[Path, Path], object]] = {
    "itself": lambda out, model: None,
    "symbolic": lambda out, model: out.symlink_to(model),
    "hard": lambda out, model: out.hardlink_to(model),
}


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("what", ["check", "convert", "show"])
def test_the_model_cannot_be_an_output(what: str, link: str, tmp_path: Path) -> None:
    # A picture's name must end in .svg: its model is reached through a link alone.
    model = write_model(tmp_path / "model.onnx")
    before = model.read_bytes()
    out = model if link == "itself" else tmp_path / {"check": "out", "convert": "out.onnx", "show": "out.svg"}[what]
    LINKS[link](out, model)
    run = WRITES[what][1](model, out)
    assert run.returncode == 2
    if what != "show" or link != "itself":
        assert f"{out} is also an input" in run.stderr
    assert model.read_bytes() == before
    assert out.is_symlink() == (link == "symbolic")


@pytest.mark.parametrize("link", LINKS)
def test_weights_cannot_be_an_output(link: str, tmp_path: Path) -> None:
    model = write_model(tmp_path / "model.onnx", external=True)
    ir = tmp_path / "ir.xml"
    assert ifcert("convert", model, ir).returncode == 0
    for read, weights in ((model, tmp_path / "w.bin"), (ir, tmp_path / "ir.bin")):
        out = weights if link == "itself" else tmp_path / f"out-{read.stem}"
        LINKS[link](out, weights)
        before = weights.read_bytes()
        run = ifcert("check", read, "-o", out)
        assert run.returncode == 2
        assert f"{out} is also an input" in run.stderr
        assert weights.read_bytes() == before


def test_no_model_of_a_check_can_be_an_output(tmp_path: Path) -> None:
    first, second = write_model(tmp_path / "1.onnx"), write_model(tmp_path / "2.onnx")
    before = second.read_bytes()
    assert ifcert("check", first, second, "-o", second).returncode == 2
    assert second.read_bytes() == before


def test_a_model_that_cannot_be_read_cannot_be_an_output(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_text("this is not a model")
    assert ifcert("check", tmp_path / "model.onnx", "-o", tmp_path / "model.onnx").returncode == 2
    assert (tmp_path / "model.onnx").read_text() == "this is not a model"


def test_the_weights_of_the_model_that_is_read_are_not_overwritten(tmp_path: Path) -> None:
    """The .bin of an .xml that nobody named: w.xml would be beside the w.bin that the model reads."""
    model = write_model(tmp_path / "model.onnx", external=True)
    before = (tmp_path / "w.bin").read_bytes()
    run = ifcert("convert", model, tmp_path / "w.xml")
    assert run.returncode == 2
    assert f"{tmp_path / 'w.bin'} is also an input" in run.stderr
    assert (tmp_path / "w.bin").read_bytes() == before
    assert not (tmp_path / "w.xml").exists()


def test_an_input_of_a_run_cannot_be_an_output(model: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "y.npy", np.zeros(1, np.float32))
    before = (tmp_path / "y.npy").read_bytes()
    run = ifcert("run", model, "--input", f"x={tmp_path / 'y.npy'}", "--output", tmp_path)
    assert run.returncode == 2
    assert f"{tmp_path / 'y.npy'} is also an input" in run.stderr
    assert (tmp_path / "y.npy").read_bytes() == before


def test_two_outputs_are_two_files(model: Path, tmp_path: Path) -> None:
    (tmp_path / "out.xml").write_text("old")
    (tmp_path / "out.bin").hardlink_to(tmp_path / "out.xml")
    run = ifcert("convert", model, tmp_path / "out.xml")
    assert run.returncode == 2
    assert "are the same file" in run.stderr
    assert (tmp_path / "out.xml").read_text() == "old"


@pytest.mark.parametrize("room", [100, 5000, 200_000])
def test_a_disk_that_is_full_leaves_the_old_model_of_two_files(room: int, tmp_path: Path) -> None:
    """There is space for the .bin of the new model, or for the .xml, or for neither."""
    out = tmp_path / "out"
    out.mkdir()
    old = write_model(tmp_path / "old.onnx", 1, count=60_000)
    new = write_model(tmp_path / "new.onnx", 2, count=60_000)
    assert ifcert("convert", old, out / "m.xml").returncode == 0
    pair = [(out / name).read_bytes() for name in ("m.xml", "m.bin")]

    def little_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    run = subprocess.run(
        [IFCERT, "convert", new, out / "m.xml"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        preexec_fn=little_room,
    )
    assert run.returncode == 2
    assert [(out / name).read_bytes() for name in ("m.xml", "m.bin")] == pair
    assert names(out) == ["m.bin", "m.xml"]


def test_a_model_of_two_files_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for first in (1, 2):
        model = write_model(tmp_path / "model.onnx", first)
        assert ifcert("convert", model, out / "m.xml").returncode == 0
        assert ifcert("run", out / "m.xml", "--input", "#0=[0]").stdout == f"y: float32[2] [{first}, 0]\n"
    assert names(out) == ["m.bin", "m.xml"]


def test_the_second_file_of_a_model_that_cannot_be_written_leaves_the_first(model: Path, tmp_path: Path) -> None:
    (tmp_path / "m.bin").write_text("old")
    (tmp_path / "m.xml").mkdir()
    assert ifcert("convert", model, tmp_path / "m.xml").returncode == 2
    assert (tmp_path / "m.bin").read_text() == "old"


def test_an_export_leaves_a_folder_of_the_user_alone(tmp_path: Path) -> None:
    (tmp_path / "tests.part").mkdir()
    (tmp_path / "tests.part" / "thesis.txt").write_text("precious")
    one = "onnx/if/then-when-true/test-cc-if"
    run = ifcert("export", "--layout", "onnx-backend-test", tmp_path / "tests", "--vector", one, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "tests.part" / "thesis.txt").read_text() == "precious"
