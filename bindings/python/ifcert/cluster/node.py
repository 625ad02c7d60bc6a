"""Does a shard on the machine where it runs: installs its engine if need be, and runs the ordinary command."""

import ctypes
import os
import platform
import signal
import subprocess
import time
from pathlib import Path

from ifcert.cluster.shard import OUT, Outcome, Project, Shard, digest_of, files_below
from ifcert.cluster.work_folder import RESULT, TEMPORARY, locked, work_folder

SAID = 2000  # characters that are kept of what a command printed
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def own_name() -> str:
    """Of this machine."""
    return platform.node()


def done(shard: Shard, project: Project, digest: str, node: str, cwd: str) -> Outcome:
    """The shard's outcome. Never raises: whatever keeps the shard from being done is its fault."""
    since = time.monotonic()
    installing = 0.0
    try:
        if shard.engine and (why := missing_engine(shard.engine, project, cwd)):
            return Outcome(shard.name, node, digest, time.monotonic() - since, fault=why, lacks_engine=True)
        installing = time.monotonic() - since
        with work_folder() as folder:
            words = [str(folder / RESULT) if word == OUT else word for word in shard.words]
            temporary = {"TMPDIR": str(folder / TEMPORARY)}  # so that nothing of a killed command is left elsewhere
            code, said = ended([shard.program or str(project.program), *words], project, cwd, temporary)
            files = files_below(folder / RESULT, shard.brings)
        fault = "" if code in (0, 1, 2) and files else f"{ending_of(code)}: {last_line(said)}"
        return Outcome(
            shard.name, node, digest, time.monotonic() - since, installing, files, digest_of(files), fault, said=said
        )
    except OSError as fault:
        return Outcome(shard.name, node, digest, time.monotonic() - since, installing, fault=str(fault))


def missing_engine(engine: str, project: Project, cwd: str) -> str:
    """Why this machine does not have the engine. One process of the machine installs it, and the others wait."""
    with locked(engine):
        code, said = ended([str(project.program), "adapter", "install", engine], project, cwd)
    return "" if code == 0 else f"cannot install {engine}: {last_line(said)}"


def ended(command: list[str], project: Project, cwd: str, variables: dict[str, str] | None = None) -> tuple[int, str]:
    """The command's exit code, and the end of what it printed. It is killed when this process ends."""
    # Of the worker's Python, and nothing for the command's.
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    run = subprocess.run(
        command,
        cwd=cwd if Path(cwd).is_dir() else None,
        env=environment | {"IFCERT_HOME": str(project.root)} | (variables or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        preexec_fn=die_with_parent,
    )
    return run.returncode, run.stdout[-SAID:]


def die_with_parent() -> None:
    """Called between fork and exec."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def ending_of(code: int) -> str:
    """In words."""
    return f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"


def last_line(said: str) -> str:
    """The last line that a command printed; where it failed, this names the reason."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1] if lines else "it printed nothing"
