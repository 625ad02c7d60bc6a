"""Kills a command at some moment of its run, and waits for everything that it had started."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

# A process of its own, so that it can adopt and wait for what the killed command leaves behind: a test may have other
# children. It stops the command before the kill, to list the temporary folders that it holds.
KILLER = """
import ctypes, os, signal, subprocess, sys, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
delay, number, group = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "group"
process = subprocess.Popen(sys.argv[4:], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

def folders():
    for link in os.listdir(f"/proc/{process.pid}/fd"):
        try:
            path = os.readlink(f"/proc/{process.pid}/fd/{link}")
        except FileNotFoundError:
            continue
        if "/ifcert-" in path:
            yield path

try:
    while delay < 0 and process.poll() is None and not list(folders()):
        time.sleep(0.001)
    process.wait(max(delay, 0))
except subprocess.TimeoutExpired:
    process.send_signal(signal.SIGSTOP)
    print(*folders(), sep="\\n")
    os.killpg(process.pid, number) if group else process.send_signal(number)
    process.send_signal(signal.SIGCONT)
try:
    while True:
        os.waitpid(-1, 0)
except ChildProcessError:
    pass
"""


WITH_FOLDERS = -1.0  # a moment


@dataclass(frozen=True)
class Scene:
    """Where commands run: the temporary files are in a folder of their own."""

    folder: Path
    environment: dict[str, str]

    @property
    def temporary(self) -> Path:
        """The folder that TMPDIR names."""
        return self.folder / "temporary"

    def variables(self) -> dict[str, str]:
        """The environment of a command."""
        self.temporary.mkdir(exist_ok=True)
        return os.environ | self.environment | {"TMPDIR": str(self.temporary)}

    def run(self, command: list[object]) -> subprocess.CompletedProcess[str]:
        """Runs to the end."""
        return subprocess.run(
            list(map(str, command)), cwd=self.folder, env=self.variables(), capture_output=True, text=True,
            timeout=300, check=False,
        )  # fmt: skip

    def seconds(self, command: list[object]) -> float:
        """How long an undisturbed run takes."""
        begun = time.monotonic()
        assert self.run(command).returncode in (0, 1, 2)
        return time.monotonic() - begun

    def kill(self, command: list[object], seconds: float, number: signal.Signals, *, group: bool = False) -> list[Path]:
        """Kills it so long after its start, or as soon as it has a temporary folder; returns those that it had."""
        words = [str(seconds), str(int(number)), "group" if group else "process", *map(str, command)]
        done = subprocess.run(
            [sys.executable, "-c", KILLER, *words], cwd=self.folder, env=self.variables(), capture_output=True,
            text=True, timeout=300, check=True,
        )  # fmt: skip
        return [Path(line) for line in done.stdout.splitlines() if line]

    def left(self, folders: list[Path]) -> list[Path]:
        """What is still there of temporary files."""
        return [*filter(Path.exists, folders), *self.temporary.iterdir()]


def moments(seconds: float, count: int) -> list[float]:
    """Moments that are spread over a run."""
    return [seconds * (number + 1) / (count + 1) for number in range(count)]
