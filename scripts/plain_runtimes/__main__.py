"""Vectors through a runtime's plain Python API: no adapter, no SDK, no runner. scripts/confirm_deviations starts it.

usage: PYTHON scripts/plain_runtimes ADAPTER <folders-of-vectors

PYTHON is that of the runtime's environment. Standard input has a folder per line, in which a vector was laid out
(scripts/vector_lines.py); the answer is a line of JSON, {"folder", "version", "steps": [{"did", "text"}…]}, a step for
each of the vector's until one refuses; the line is printed again after each step, so that a death does not hide what
happened before. `did` is "loaded", "refused", "expected" (the expected outputs, to the bit), or how they differ:
"wrong-type", "wrong-shape", "wrong-value". Another line, {"folder", "unloaded": true}, shows that the process survived
unloading the model.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from plain_api import PlainApi
from trial import Trial


def main() -> None:
    """Answer every line; what the runtime prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    api = PlainApi(sys.argv[1])
    for line in sys.stdin:
        folder = Path(line.rstrip("\n"))
        trial = Trial(api, folder)
        steps = []
        for step in trial.steps():
            steps.append(step)
            answer = {"folder": str(folder), "version": api.version, "steps": steps}
            print(json.dumps(answer), file=answers, flush=True)
        trial.unload()
        print(json.dumps({"folder": str(folder), "unloaded": True}), file=answers, flush=True)


if __name__ == "__main__":
    main()
