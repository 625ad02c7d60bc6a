"""Runs in ONNX Runtime's own environment: one model on each row of inputs, its state fed back.

onnxruntime_runs.py MODEL INPUTS.npz OUTPUTS.npz optimized|plain

INPUTS holds `input`, a row for each run, and what else the model takes. `stateN` is fed back as `state`, `hn` as `h`,
`cn` as `c`. OUTPUTS holds each output, stacked, and `microseconds`, the median of a run.
"""

import sys
import time

import numpy as np
import onnxruntime

FED_BACK = {"stateN": "state", "hn": "h", "cn": "c"}


def main(model: str, inputs_file: str, outputs_file: str, mode: str) -> None:
    """Write the outputs of every run."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    if mode == "plain":
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    given = dict(np.load(inputs_file))
    rows = given.pop("input")
    names = [output.name for output in session.get_outputs()]
    results: dict[str, list[np.ndarray]] = {name: [] for name in names}
    times = []
    for row in rows:
        started = time.perf_counter()
        outputs = session.run(names, {"input": row, **given})
        times.append(time.perf_counter() - started)
        for name, output in zip(names, outputs, strict=True):
            results[name].append(output)
            if name in FED_BACK:
                given[FED_BACK[name]] = output
    np.savez(outputs_file, microseconds=np.median(times) * 1e6, **{k: np.stack(v) for k, v in results.items()})


if __name__ == "__main__":
    main(*sys.argv[1:])
