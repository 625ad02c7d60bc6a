"""One runtime, timed from inside its own environment. scripts/benchmark starts it, and sends requests line by line.

usage: PYTHON timed_runtimes.py ifcert|onnxruntime|onnx-reference|onnx-checker|openvino|litert

A request is a line of JSON, {"what": "load"|"ready"|"run"|"check", "model": FILE, "inputs": {NAME: FILE.npy}}
("ready": load and first run); the answer is {"microseconds": the median of several batches}, or {"refused": why}.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

Feeds = dict[str, np.ndarray]


def median_time(call: Callable[[], object], seconds: float = 0.3, batches: int = 9) -> float:
    """Microseconds of one call: the median of batches that together take about `seconds`."""
    call()
    begun = time.perf_counter()
    call()
    once = time.perf_counter() - begun
    count = max(1, int(seconds / batches / max(once, 1e-7)))
    taken = []
    for _ in range(batches if once < seconds else 3):
        begun = time.perf_counter()
        for _ in range(count):
            call()
        taken.append((time.perf_counter() - begun) / count)
    return statistics.median(taken) * 1e6


class Ifcert:
    """The reference, through its Python package."""

    def __init__(self) -> None:
        """Imports it."""
        import ifcert

        self._ifcert = ifcert

    def load(self, model: str) -> Callable[[Feeds], object]:
        """Read and checked. Operators are looked up and constants folded in the first run, which "ready" has too."""
        return self._ifcert.load(model).run

    def check(self, model: str) -> None:
        """Every rule."""
        self._ifcert.load(model).check()


class OnnxRuntime:
    """One thread, like all others here."""

    def __init__(self) -> None:
        """Imports it."""
        import onnxruntime

        self._ort = onnxruntime
        self._options = onnxruntime.SessionOptions()
        self._options.intra_op_num_threads = 1
        self._options.inter_op_num_threads = 1

    def load(self, model: str) -> Callable[[Feeds], object]:
        """A session."""
        session = self._ort.InferenceSession(model, self._options, providers=["CPUExecutionProvider"])
        return lambda feeds: session.run(None, feeds)


class OnnxReference:
    """The onnx package's evaluator."""

    def load(self, model: str) -> Callable[[Feeds], object]:
        """An evaluator."""
        from onnx.reference import ReferenceEvaluator

        evaluator = ReferenceEvaluator(model)
        return lambda feeds: evaluator.run(None, feeds)


class OnnxChecker:
    """The onnx package's checker; it computes nothing."""

    def check(self, model: str) -> None:
        """Checks the model with shape inference, which is the full check."""
        import onnx.checker

        onnx.checker.check_model(model, full_check=True)


class OpenVino:
    """Its CPU plug-in, reading ONNX."""

    def __init__(self) -> None:
        """Imports it."""
        import openvino

        self._core = openvino.Core()

    def load(self, model: str) -> Callable[[Feeds], object]:
        """A compiled model, one thread."""
        settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
        request = self._core.compile_model(self._core.read_model(model), "CPU", settings).create_infer_request()
        return lambda feeds: request.infer(feeds)


class LiteRt:
    """LiteRT's interpreter with its default resolver, one thread."""

    def load(self, model: str) -> Callable[[Feeds], object]:
        """Allocated for the shapes of the first run."""
        from ai_edge_litert.interpreter import Interpreter

        interpreter = Interpreter(model, num_threads=1)
        places = {port["name"]: port["index"] for port in interpreter.get_input_details()}
        results = [port["index"] for port in interpreter.get_output_details()]
        shapes: dict[str, tuple[int, ...]] = {}

        def run(feeds: Feeds) -> object:
            for name, value in feeds.items():
                if shapes.get(name) != value.shape:
                    interpreter.resize_tensor_input(places[name], value.shape)
            if shapes != (now := {name: value.shape for name, value in feeds.items()}):
                interpreter.allocate_tensors()
                shapes.update(now)
            for name, value in feeds.items():
                interpreter.set_tensor(places[name], value)
            interpreter.invoke()
            return [interpreter.get_tensor(place) for place in results]

        return run


RUNTIMES = {
    "ifcert": Ifcert,
    "onnxruntime": OnnxRuntime,
    "onnx-reference": OnnxReference,
    "onnx-checker": OnnxChecker,
    "openvino": OpenVino,
    "litert": LiteRt,
}


def measured(runtime: Any, request: dict[str, Any]) -> float:  # noqa: ANN401 (five classes without a common base)
    """The time of the requested operation."""
    model = request["model"]
    if request["what"] == "check":
        return median_time(lambda: runtime.check(model))
    feeds = {name: np.load(file) for name, file in request["inputs"].items()}
    if request["what"] == "run":
        run = runtime.load(model)
        return median_time(lambda: run(feeds))
    if request["what"] == "ready":
        return median_time(lambda: runtime.load(model)(feeds))
    return median_time(lambda: runtime.load(model))


def main() -> None:
    """Answers until there are no more requests. Output of runtimes goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    runtime = RUNTIMES[sys.argv[1]]()
    for line in sys.stdin:
        try:
            answer = {"microseconds": measured(runtime, json.loads(line))}
        except Exception as error:
            answer = {"refused": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
