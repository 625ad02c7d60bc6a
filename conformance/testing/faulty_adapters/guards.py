"""The processes of the runner that an adapter can see: those that are neither itself nor started by it."""

import os
from pathlib import Path


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
