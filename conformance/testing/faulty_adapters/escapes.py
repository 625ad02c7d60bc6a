"""Adapters that reach for what their confinement keeps from them.

The first argument names the adapter: "calls-home" is CallsHome.
"""

import json
import os
import pathlib
import signal
import sys
import time
from pathlib import Path
from typing import Any

from guards import attack
from honest import Honest, Message, serve_named


class CallsHome(Honest):
    """Looks for other machines."""

    def run(self, request: Message) -> Message:
        """List the networks, in the trap."""
        if self.trapped():
            lines = pathlib.Path("/proc/self/net/dev").read_text().splitlines()[2:]
            return {"adapter_error": {"message": "networks: " + ",".join(line.split(":")[0].strip() for line in lines)}}
        return super().run(request)


class KillsItsGuard(Honest):
    """Kills the process that watches it, and leaves a child behind."""

    def run(self, request: Message) -> Message:
        """Report the result, in the trap."""
        if self.trapped():
            return {"adapter_error": {"message": attack(signal.SIGKILL)}}
        return super().run(request)


class ReadsTheAnswer(Honest):
    """Loads nothing and computes nothing: it answers with what the vector beside the model expects."""

    steps: list[Any]

    def load(self, request: Message) -> Message:
        """Look for the answer beside the model, and around it."""
        super().load(request)
        found = sorted(self.model.parent.parent.rglob("vectors.jsonl"))
        if not found:
            around = sorted(path.name for path in self.model.parent.parent.rglob("*") if path.is_file())
            return {"adapter_error": {"message": f"nothing but {', '.join(around)} beside {self.model}"}}
        self.steps = json.loads(found[0].read_text().splitlines()[0])["steps"][1:]
        return {"loaded": {"outputs": []}}

    def run(self, request: Message) -> Message:
        """Return the expected answer."""
        expected = self.steps.pop(0)["run"]["expect"]
        return expected if "outputs" in expected else {"refused": {"message": "as expected"}}


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


if __name__ == "__main__":
    serve_named(globals())
