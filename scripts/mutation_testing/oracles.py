"""Random models and relations as oracles, without expected values: generator_report, linked with the mutant."""

import re
import subprocess
from pathlib import Path

MODELS = 200  # each oracle has something to compare in at least twenty of them
SECONDS = 20
FOUND = re.compile(r"^seed \d+: ([\w.-]+): ", re.MULTILINE)


def oracles_that_see(program: Path) -> list[str]:
    """The oracles (oracle.hpp of the generator) that find something; none where the mutant crashes or hangs first."""
    try:
        run = subprocess.run([program, "0", str(MODELS)], capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return []
    return sorted(set(FOUND.findall(run.stdout)))
