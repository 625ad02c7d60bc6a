"""Standard input as a model, and standard output that nobody reads."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
IFCERT = BIN / "ifcert"
GENERATED = {system: ROOT / "vectors" / system / "generated" / "if" for system in ("onnx", "openvino", "tflite")}
CHOICE = GENERATED["onnx"] / "then-when-true" / "test-cc-if.onnx"
BROKEN = GENERATED["onnx"] / "output-count" / "then-has-more.onnx"
TFLITE = min((GENERATED["tflite"] / "then-when-true").glob("*.tflite"))


def given(content: bytes, *arguments: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([IFCERT, *map(str, arguments)], input=content, capture_output=True, timeout=120, check=False)


def test_each_format_is_read_from_standard_input_by_its_content() -> None:
    broken = {
        "onnx": BROKEN,
        "openvino": GENERATED["openvino"] / "bodies-are-closed" / "main-parameter-in-else.xml",
        "tflite": GENERATED["tflite"] / "subgraph-index" / "then-99.tflite",
    }
    for system, model in broken.items():
        named = given(b"", "check", model)
        piped = given(model.read_bytes(), "check", "-")
        assert (piped.returncode, piped.stderr) == (1, b""), piped.stderr
        assert piped.stdout == named.stdout.replace(str(model).encode(), b"stdin"), system


def test_every_command_on_models_reads_standard_input(tmp_path: Path) -> None:
    content = CHOICE.read_bytes()
    assert given(content, "run", "-", "--input", "cond=true").stdout == b"res: float32[2] [1, 2]\n"
    assert given(content, "show", "-").stdout == given(b"", "show", CHOICE).stdout
    assert given(content, "convert", "-", tmp_path / "again.onnx").returncode == 0
    assert given(b"", "check", tmp_path / "again.onnx").returncode == 0
    assert given(TFLITE.read_bytes(), "show", "-", "-o", tmp_path / "model.html").returncode == 0
    checked = given(BROKEN.read_bytes(), "check", CHOICE, "-", "--format", "json")
    assert (checked.returncode, b'"stdin"' in checked.stdout) == (1, True)


def test_standard_input_that_is_not_a_model_is_reported(tmp_path: Path) -> None:
    for command in (["check", "-"], ["run", "-"], ["show", "-"], ["convert", "-", tmp_path / "out.onnx"]):
        for content in (b"\xff\xff", b"<no", b"    TFL3"):
            run = given(content, *command)
            assert (run.returncode, run.stdout) == (2, b""), (command, content)
            assert run.stderr.startswith(b"ifcert: stdin: "), run.stderr
            assert run.stderr.count(b"\n") == 1
    assert b"can be given only once" in given(b"", "check", "-", "-").stderr
    closed = subprocess.run(["bash", "-c", f"{IFCERT} check - <&-"], capture_output=True, timeout=60, check=False)
    assert (closed.returncode, closed.stderr) == (2, b"ifcert: cannot read standard input: Bad file descriptor\n")


def test_weights_beside_a_file_are_not_beside_standard_input(tmp_path: Path) -> None:
    weights = numpy_helper.from_array(numpy_helper.np.ones(2, "float32"), "w")
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "w"], ["y"])],
        "sum",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])],
        [weights],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)], ir_version=9)
    onnx.save(model, tmp_path / "model.onnx")
    assert given(b"", "convert", tmp_path / "model.onnx", tmp_path / "model.xml").returncode == 0
    ir = given((tmp_path / "model.xml").read_bytes(), "check", "-")
    assert ir.returncode == 2
    assert b"the constant is stored in a .bin, and only the bytes of the .xml are given" in ir.stderr
    onnx.save(model, tmp_path / "split.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    external = subprocess.run(
        [IFCERT, "check", "-"], input=(tmp_path / "split.onnx").read_bytes(), cwd=tmp_path, capture_output=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert (external.returncode, external.stdout) == (2, b"")
    assert b"its data is stored in another file, and only the bytes of the model are given" in external.stderr


def test_an_endless_pipe_is_refused() -> None:
    with Path("/dev/zero").open("rb") as zeros:
        run = subprocess.run([IFCERT, "check", "-"], stdin=zeros, capture_output=True, timeout=120, check=False)
    assert (run.returncode, run.stdout) == (2, b"")
    assert b"standard input is larger than 2 GiB" in run.stderr


def test_a_missing_folder_is_reported_before_any_work(tmp_path: Path) -> None:
    nowhere = tmp_path / "no" / "where"
    for command in (["show", "-", "-o", f"{nowhere}.svg"], ["convert", "-", f"{nowhere}.onnx"],
                    ["convert", "-", f"{nowhere}.xml"], ["check", "-", "-o", f"{nowhere}.txt"]):  # fmt: skip
        reading, writing = os.pipe()  # it does not wait for the model
        run = subprocess.run([IFCERT, *command], stdin=reading, capture_output=True, timeout=60, check=False)
        os.close(reading)
        os.close(writing)
        assert (run.returncode, run.stdout) == (2, b"")
        assert f"there is no folder {nowhere.parent}\n".encode() in run.stderr
    assert not nowhere.parent.exists()
    for command in ("show", "convert"):
        missing = given(
            b"", command, nowhere / "model.onnx", *([tmp_path / "out.onnx"] if command == "convert" else [])
        )
        assert (missing.returncode, missing.stdout, missing.stderr.count(b"\n")) == (2, b"", 1)
    assert list(tmp_path.iterdir()) == []


LONG = [
    ["--help"],
    ["check", "--help"],
    ["check", BROKEN],
    ["check", BROKEN, "--format", "sarif"],
    ["show", CHOICE],
    ["run", CHOICE, "--input", "cond=true"],
    ["list", "rules"],
    ["list", "vectors", "--json"],
    ["list", "adapters"],
    ["adapter", "list"],
    ["adapter", "smoke", "reference"],
    ["adapter", "install", "onnxruntime"],
    ["explain", "onnx/if/output-count"],
    ["explain", "onnx/*", "--all"],
    ["man"],
    ["completion", "bash"],
    ["certify", "reference", "--rule", "onnx/if/nesting", "--out", "results"],
    ["certify", "reference", "--rule", "onnx/if/nesting", "--out", "results", "--resume"],
    ["merge", "first", "second", "--out", "whole"],
    ["diff", "first", "second"],
    ["export", "--layout", "onnx-backend-test", "--rule", "onnx/if/nesting", "tests"],
]


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shards")
    for part, name in (("1/2", "first"), ("2/2", "second")):
        done = ["certify", "reference", "--rule", "onnx/if/nesting", "--shard", part, "--out", folder / name]
        subprocess.run([IFCERT, *done], check=True, capture_output=True, timeout=120)
    return folder


def into_a_broken_pipe(command: list[object], **options: object) -> tuple[int, bytes]:
    """The exit code and standard error where nobody reads standard output."""
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=120, check=False, **options)
    os.close(writing)
    return process.returncode, process.stderr


@pytest.mark.parametrize("arguments", LONG, ids=lambda arguments: " ".join(map(str, arguments))[:40])
@pytest.mark.parametrize("ignored", [False, True], ids=["", "where the parent ignores the signal"])
def test_a_broken_pipe_ends_every_command_quietly(
    arguments: list[object], ignored: bool, shards: Path, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        (tmp_path / name).symlink_to(shards / name)

    def ignore() -> None:
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)

    code, errors = into_a_broken_pipe(
        [IFCERT, *arguments], cwd=tmp_path, preexec_fn=ignore if ignored else None, restore_signals=not ignored
    )
    assert (code, errors) == (-signal.SIGPIPE, b"")
    if arguments[0] == "certify":  # its reports are there
        assert (tmp_path / "results" / "report.html").exists()


def test_a_broken_pipe_ends_the_command_of_python_quietly(tmp_path: Path) -> None:
    python = [sys.executable, "-m", "ifcert"]
    assert into_a_broken_pipe([*python, "list", "rules"]) == (-signal.SIGPIPE, b"")
    line = f"{sys.executable} -m ifcert list rules | head -1"
    run = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stderr, run.stdout.count("\n")) == (0, "", 1)


def test_a_certification_continues_where_nobody_reads_its_progress(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [IFCERT, "certify", "reference", "--rule", "onnx/if/nesting", "--out", tmp_path / "results"]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=writing, timeout=120, check=False)
    os.close(writing)
    assert run.returncode == 0
    assert b"Report: " in run.stdout


def test_a_finished_run_leaves_no_journal_even_if_nobody_reads_its_table(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    # The table of all rules is longer than the buffer of standard output.
    command = [IFCERT, "certify", "reference", "--out", tmp_path / "out"]
    with os.fdopen(writing, "wb") as nobody:
        subprocess.run(command, stdout=nobody, stderr=subprocess.DEVNULL, timeout=120, check=False)
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert "results.jsonl" in names and "results.jsonl.part" not in names


def test_a_parent_that_ignores_the_end_of_its_children_changes_nothing(tmp_path: Path) -> None:
    def isolation(name: str, before: signal.Handlers) -> object:
        command = [IFCERT, "certify", "reference", "--vector", "onnx/if/then-when-true/*", "--out", tmp_path / name]
        subprocess.run(
            command, stdout=subprocess.DEVNULL, timeout=120, check=True,
            preexec_fn=lambda: signal.signal(signal.SIGCHLD, before),
        )  # fmt: skip
        return json.loads((tmp_path / name / "report.json").read_text())["isolation"]

    assert isolation("ignored", signal.SIG_IGN) == isolation("usual", signal.SIG_DFL)
