"""The folder in which a shard is done. Those of killed workers are removed by the next worker on the machine."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

LOCK = "lock"  # a file in the folder, locked while the folder's worker lives: the kernel releases it however that ends
RESULT, TEMPORARY = "result", "temporary"  # folders in it: what the command is to write, and its TMPDIR


@contextlib.contextmanager
def work_folder() -> Iterator[Path]:
    """A new one, removed afterwards."""
    with locked("folders"):  # so that nobody finds a folder whose lock is not taken yet
        remove_leftovers()
        folder = Path(tempfile.mkdtemp(prefix=prefix()))
        number = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        fcntl.flock(number, fcntl.LOCK_EX)
    try:
        for name in (RESULT, TEMPORARY):
            (folder / name).mkdir()
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(number)


def remove_leftovers() -> None:
    """All folders whose workers are gone. The caller has the lock "folders"."""
    for folder in Path(tempfile.gettempdir()).glob(prefix() + "*"):
        if not is_used(folder):
            shutil.rmtree(folder, ignore_errors=True)


def is_used(folder: Path) -> bool:
    """Whether its worker lives. One that was killed before it made the file has not used the folder."""
    try:
        number = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError:
        return True  # not ours to judge
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(number)
    return False


def prefix() -> str:
    """Of the names of this user's folders."""
    return f"ifcert-shard-{os.getuid()}-"


@contextlib.contextmanager
def locked(what: str) -> Iterator[None]:
    """Alone on this machine."""
    name = "".join(letter if letter.isalnum() else "-" for letter in what)
    file = Path(tempfile.gettempdir()) / f"ifcert-{os.getuid()}-{name}.lock"
    number = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(number, fcntl.LOCK_EX)
        yield
    finally:
        os.close(number)
