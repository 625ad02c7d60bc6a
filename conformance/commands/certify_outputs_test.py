"""The outputs of `certify`: where they are written, and what a failure or a signal leaves of them."""

import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
OUTPUTS = ["certificate.json", "junit.xml", "report.html", "report.json", "report.md", "results.jsonl"]
JOURNAL = "results.jsonl.part"


def command(out: Path) -> list[str]:
    """A certification of a few vectors."""
    return [str(IFCERT), "certify", "reference", "--rule", "onnx/if/else-when-false", "--out", str(out)]


def certify(out: Path, **options: object) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"IFCERT_HOME": str(ROOT)}
    return subprocess.run(
        command(out), env=environment, capture_output=True, text=True, timeout=120, check=False, **options
    )


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("link", ["symbolic", "hard"])
def test_two_outputs_that_are_the_same_file_are_refused_before_the_run(link: str, tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text("old")
    if link == "symbolic":
        (tmp_path / "report.json").symlink_to("results.jsonl")
    else:
        (tmp_path / "report.json").hardlink_to(tmp_path / "results.jsonl")
    run = certify(tmp_path)
    assert run.returncode == 2
    assert "are the same file" in run.stderr
    assert names(tmp_path) == ["report.json", "results.jsonl"]
    assert (tmp_path / "results.jsonl").read_text() == "old"


def test_a_folder_in_the_place_of_an_output_is_refused_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "report.md").mkdir()
    run = certify(tmp_path)
    assert run.returncode == 2
    assert "report.md: Is a directory" in run.stderr
    assert names(tmp_path) == ["report.md"]


def test_the_journal_is_not_written_through_a_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("kept")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / JOURNAL).symlink_to(victim)
    run = certify(tmp_path / "out")
    assert run.returncode == 2
    assert f"{JOURNAL}: it is a symbolic link" in run.stderr
    assert victim.read_text() == "kept"


def small_files_only() -> None:
    """All but report.html fit."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))


def test_an_output_that_cannot_be_written_leaves_all_the_old_ones(tmp_path: Path) -> None:
    for name in OUTPUTS:
        (tmp_path / name).write_text("old")
    run = certify(tmp_path, preexec_fn=small_files_only)
    assert run.returncode == 2
    assert "report.html: File too large" in run.stderr
    assert {name: (tmp_path / name).read_text() for name in OUTPUTS} == dict.fromkeys(OUTPUTS, "old")
    assert names(tmp_path) == sorted([*OUTPUTS, JOURNAL])


def test_a_pipe_that_nobody_reads_does_not_block_the_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "report.html")
    environment = os.environ | {"IFCERT_HOME": str(ROOT)}
    with subprocess.Popen(command(tmp_path), env=environment, stdout=subprocess.DEVNULL) as process:
        opens_the_pipe = Path(f"/proc/{process.pid}/task/{process.pid}/wchan")
        while opens_the_pipe.read_text() not in ("wait_for_partner", "fifo_open"):
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        try:
            assert process.wait() == -signal.SIGTERM
        finally:
            process.kill()


def test_a_folder_name_with_terminal_commands_is_printed_escaped(tmp_path: Path) -> None:
    evil = tmp_path / "evil\n::error::\x1b[2J\u202e"
    run = certify(evil)
    assert run.returncode == 0
    assert (evil / "report.html").exists()
    assert "evil<U+000A>::error::<U+001B>[2J<U+202E>/report.html" in run.stdout
    assert not set("\x1b\u202e") & set(run.stdout + run.stderr)
