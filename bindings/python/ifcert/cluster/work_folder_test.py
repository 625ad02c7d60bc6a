"""A worker's folder is removed with everything in it, by the next worker if its own was killed, and never too early."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ifcert.cluster import work_folder as module
from ifcert.cluster.work_folder import LOCK, RESULT, TEMPORARY, prefix, work_folder

PACKAGES = os.pathsep.join(sys.path)

WORKER = """
import sys
from ifcert.cluster.work_folder import work_folder
with work_folder() as folder:
    (folder / "result" / "half").write_text("half of it")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def worker() -> Iterator[tuple["subprocess.Popen[str]", Path]]:
    """Another process, in the middle of a shard."""
    environment = os.environ | {"PYTHONPATH": PACKAGES}
    command = [sys.executable, "-c", WORKER]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def folders(temporary: Path) -> list[Path]:
    return list(temporary.glob("ifcert-shard-*"))


def test_it_is_removed_afterwards(temporary: Path) -> None:
    with work_folder() as folder:
        assert sorted(there.name for there in folder.iterdir()) == sorted([LOCK, RESULT, TEMPORARY])
        (folder / TEMPORARY / "something").write_text("else")
    assert folders(temporary) == []


def test_that_of_a_killed_worker_is_removed_by_the_next(
    temporary: Path, worker: tuple["subprocess.Popen[str]", Path]
) -> None:
    process, left = worker
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert (left / RESULT / "half").exists()
    with work_folder() as folder:
        assert folders(temporary) == [folder]


def test_that_of_a_living_worker_stays(temporary: Path, worker: tuple["subprocess.Popen[str]", Path]) -> None:
    _, used = worker
    with work_folder() as first, work_folder() as second:
        assert sorted(folders(temporary)) == sorted([used, first, second])
    assert (used / RESULT / "half").read_text() == "half of it"


def test_one_whose_worker_was_killed_before_it_began_is_removed(temporary: Path) -> None:
    (temporary / f"{prefix()}empty").mkdir()
    with work_folder() as folder:
        assert folders(temporary) == [folder]


def test_folders_of_others_and_links_stay(temporary: Path) -> None:
    elsewhere = temporary / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    (temporary / "ifcert-shard-nobody").mkdir()
    (temporary / f"{prefix()}link").symlink_to(elsewhere)
    with work_folder():
        pass
    assert (elsewhere / "kept").exists()
    assert (temporary / "ifcert-shard-nobody").is_dir()


def test_a_folder_that_cannot_be_judged_counts_as_used(temporary: Path) -> None:
    folder = temporary / f"{prefix()}odd"
    folder.mkdir()
    (folder / LOCK).symlink_to(temporary)
    assert module.is_used(folder)
