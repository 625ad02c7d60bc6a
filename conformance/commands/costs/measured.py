"""One run of the command, and its cost."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
MEBIBYTE = 1 << 20
MOST_SECONDS = 60
MOST_MEMORY = 2048 * MEBIBYTE

# Linux also counts a process's memory before exec, so a small Python calls exec, not pytest.
MEASURE = """
import os, resource, sys
seconds, memory = int(sys.argv[1]), int(sys.argv[2])
process = os.fork()
if process == 0:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    os.execv(sys.argv[3], sys.argv[3:])
_, status, usage = os.wait4(process, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime)
"""


@dataclass(frozen=True)
class Cost:
    """The cost of one run: processor time, and the most memory that was resident, in bytes."""

    code: int
    said: str  # on standard error
    resident: int
    seconds: float


def run(*arguments: object, memory: int = MOST_MEMORY) -> Cost:
    """Runs the command; one that would use too much time or memory is ended."""
    measure = [sys.executable, "-S", "-c", MEASURE, str(MOST_SECONDS), str(memory)]
    done = subprocess.run([*measure, IFCERT, *map(str, arguments)], capture_output=True, text=True, timeout=600)
    code, resident, seconds = done.stdout.split()[-3:]
    return Cost(int(code), done.stderr, int(resident), float(seconds))
