"""Adapters that reach for what their confinement keeps from them.

The first argument names the adapter: "calls-home" is CallsHome.
"""

import ctypes
import os
import pathlib
import platform
import signal
import sys
import time
from pathlib import Path

from honest import Honest, Message, serve_named

ADD_KEY, KEYCTL = (248, 250) if platform.machine() == "x86_64" else (217, 219)
SESSION, SEARCH = -3, 10
MS_BIND = 4096
KEY_OF_SHARED_MEMORY, IPC_CREAT = 0x1FCE27, 0o1000


class CallsHome(Honest):
    """Looks for other machines."""

    def run(self, request: Message) -> Message:
        """List the networks, in the trap."""
        if self.trapped():
            lines = pathlib.Path("/proc/self/net/dev").read_text().splitlines()[2:]
            return {"adapter_error": {"message": "networks: " + ",".join(line.split(":")[0].strip() for line in lines)}}
        return super().run(request)


class FindsKeys(Honest):
    """Looks for a key in the session's keyring, which a login passes to all that it starts, and leaves one there."""

    def run(self, request: Message) -> Message:
        """Report whether the user's key was found, in the trap."""
        if self.trapped():
            syscall = ctypes.CDLL(None).syscall
            found = syscall(KEYCTL, SEARCH, SESSION, b"user", b"ifcert-secret", 0) > 0
            syscall(ADD_KEY, b"user", b"ifcert-liar", b"x", 1, SESSION)
            return {"adapter_error": {"message": f"key found: {found}"}}
        return super().run(request)


class KillsItsGuard(Honest):
    """Kills the process that watches it, and leaves a child behind."""

    def run(self, request: Message) -> Message:
        """Report the result, in the trap."""
        if self.trapped():
            return {"adapter_error": {"message": attack(signal.SIGKILL)}}
        return super().run(request)


class LeavesSharedMemory(Honest):
    """Leaves shared memory behind, of both kinds."""

    def run(self, request: Message) -> Message:
        """Create it, in the trap."""
        if self.trapped():
            Path("/dev/shm/ifcert-liar").write_text("x")
            segment = ctypes.CDLL(None).shmget(KEY_OF_SHARED_MEMORY, 4096, IPC_CREAT | 0o600)
            return {"adapter_error": {"message": f"shared memory made: {segment >= 0}"}}
        return super().run(request)


class MountsAFolder(Honest):
    """Mounts the folder in the variable IFCERT_VICTIMS into its own: removing that would remove both."""

    def run(self, request: Message) -> Message:
        """Report whether that succeeded, in the trap."""
        if self.trapped():
            trap = Path(os.environ["HOME"]) / "trap"
            trap.mkdir()
            source = os.environ["IFCERT_VICTIMS"].encode()
            mounted = ctypes.CDLL(None).mount(source, str(trap).encode(), None, MS_BIND, None) == 0
            return {"adapter_error": {"message": f"mounted: {mounted}"}}
        return super().run(request)


class SharesMemory(Honest):
    """Has children that share its memory: counted once, it is within the limit."""

    def run(self, request: Message) -> Message:
        """Wait until the runner has measured it."""
        kept = b"\1" * (96 << 20)
        for _ in range(4):
            if os.fork() == 0:
                time.sleep(0.3)
                os._exit(len(kept) % 7)
        for _ in range(4):
            os.wait()
        return super().run(request)


class StopsItsGuard(Honest):
    """Stops the process that watches it, and leaves a child behind."""

    def run(self, request: Message) -> Message:
        """Report the result, in the trap."""
        if self.trapped():
            return {"adapter_error": {"message": attack(signal.SIGSTOP)}}
        return super().run(request)


class WritesFiles(Honest):
    """Writes where it is allowed to: into its HOME, its TMPDIR and its folder."""

    def run(self, request: Message) -> Message:
        """Report where, in the trap."""
        if self.trapped():
            for place in (os.environ["HOME"], os.environ["TMPDIR"], "."):
                folder = pathlib.Path(place) / "deep" / "er"
                folder.mkdir(parents=True, exist_ok=True)
                (folder / "file").write_text("x")
            return {"adapter_error": {"message": os.environ["HOME"]}}
        return super().run(request)


class WritesWhereItMayNot(Honest):
    """Writes into the folders that the environment variable IFCERT_VICTIMS names, and beside its own program."""

    def run(self, request: Message) -> Message:
        """Report what could be written or seen, in the trap."""
        if self.trapped():
            places = [Path(place) for place in os.environ["IFCERT_VICTIMS"].split(":")]
            seen = [str(place) for place in places if place.exists()]
            written = []
            for place in [*places, self.model.parent, Path(sys.argv[0]).resolve().parent, Path("/usr"), Path("/etc")]:
                try:
                    (place / "was-here").write_text("x")
                    written.append(str(place))
                except OSError:
                    continue
            return {"adapter_error": {"message": f"seen: {len(seen)}, written: {len(written)}"}}
        return super().run(request)


def guards() -> list[int]:
    """Return the visible processes named ifcert-confine, its own guard first."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and (folder / "comm").read_text().strip() == "ifcert-confine":
                found.append(int(folder.name))
        except OSError:
            continue
    return sorted(found, key=lambda process: process != os.getppid())


def attack(number: int) -> str:
    """Leave a child behind, send the guard a signal, and report the result."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execvp("sleep", ["sleep", "1000.25"])
        os._exit(0)
    os.wait()
    seen = guards()[:1]
    for process in seen:
        os.kill(process, number)
    return f"guards seen: {len(seen)}"


if __name__ == "__main__":
    serve_named(globals())
