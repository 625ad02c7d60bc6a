"""Vectors through a runtime's plain Python API: no adapter, no SDK, no runner. scripts/confirm_deviations starts it.

usage: PYTHON scripts/plain_runtimes ADAPTER <folders-of-vectors

PYTHON is that of the runtime's environment. Standard input has a vector's folder per line; the answer is a line of
JSON, {"folder", "version", "steps": [{"did", "text"}…]}, a step for each of vector.json's until one refuses. `did`
is "loaded", "refused", "expected" (the expected outputs, to the bit), or how they differ: "wrong-type", "wrong-shape",
"wrong-value". Another line, {"folder", "unloaded": true}, shows that the process survived unloading the model.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from litert_interpreter import LiteRt
from onert_session import Onert
from onnx_package import Checker, Evaluator
from onnxruntime_session import OnnxRuntime
from openvino_core import OpenVino
from trial import Trial

RUNTIMES = {
    "onnxruntime": lambda: OnnxRuntime(optimize=True),
    "onnxruntime-noopt": lambda: OnnxRuntime(optimize=False),
    "onnx-reference": Evaluator,
    "onnx-checker": Checker,
    "openvino-ir": OpenVino,
    "openvino-onnx": OpenVino,
    "litert": lambda: LiteRt("AUTO"),
    "litert-plain": lambda: LiteRt("BUILTIN_WITHOUT_DEFAULT_DELEGATES"),
    "litert-ref": lambda: LiteRt("BUILTIN_REF"),
    "onert": Onert,
}


def main() -> None:
    """Answer every line; what the runtime prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    runtime = RUNTIMES[sys.argv[1]]()
    for line in sys.stdin:
        folder = Path(line.rstrip("\n"))
        answer = {"folder": str(folder), "version": runtime.version, "steps": Trial(runtime, folder).steps()}
        print(json.dumps(answer), file=answers, flush=True)
        if hasattr(runtime, "unload"):
            runtime.unload()
        print(json.dumps({"folder": str(folder), "unloaded": True}), file=answers, flush=True)


if __name__ == "__main__":
    main()
