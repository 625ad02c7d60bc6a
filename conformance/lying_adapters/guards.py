"""What of the runner an adapter can see: the processes that are neither itself nor started by it."""

import os
from pathlib import Path


def guards() -> list[int]:
    """Return the processes called ifcert-confine among all that are to be seen, its own guard first."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and (folder / "comm").read_text().strip() == "ifcert-confine":
                found.append(int(folder.name))
        except OSError:
            continue
    return sorted(found, key=lambda process: process != os.getppid())


def attack(number: int) -> str:
    """Leave a child behind, send the guard a signal, and say what came of it."""
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
