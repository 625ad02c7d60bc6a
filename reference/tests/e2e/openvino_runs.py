"""Runs in OpenVINO's own environment: models on given inputs, in a process that is restarted when it ends.

openvino_runs.py REQUESTS RESPONSES

REQUESTS is a JSON list of {"model": path, "runs": [[value…]…]}, the values as the protocol writes them, in the order of
the model's inputs. RESPONSES gets, for each model, a list: for each run the values in the order of the outputs, or a
text: why OpenVINO refused, or how its process ended.
"""

from __future__ import annotations

import ctypes
import json
import multiprocessing
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import ifcert_adapter as sdk
import numpy as np
import openvino

SECONDS = 30

# In the precision of the model: f32 is not computed as anything else.
CONFIGURATION = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1"}

# Their names of element types where they are not ours, and ours by theirs.
THEIRS = {
    "bool": "boolean",
    **{f"{kind}int{bits}": f"{kind[:1] or 'i'}{bits}" for kind in ("", "u") for bits in (4, 8, 16, 32, 64)},
    "uint2": "u2",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "float8e4m3fn": "f8e4m3",
    "float8e5m2": "f8e5m2",
    "float8e8m0": "f8e8m0",
    "float4e2m1": "f4e2m1",
    "string": "string",
}
OURS = {theirs: ours for ours, theirs in THEIRS.items()}


def given(value: Any) -> openvino.Tensor:  # noqa: ANN401 (a value as JSON)
    """A tensor of OpenVINO's with the bits of the value."""
    tensor = sdk.decode(value)
    made = openvino.Tensor(getattr(openvino.Type, THEIRS[tensor.type]), list(tensor.shape))
    if tensor.type == "string":
        made.bytes_data = np.array(tensor.strings).reshape(tensor.shape)
    elif tensor.data:
        ctypes.memmove(made.data.ctypes.data, tensor.data, len(tensor.data))
    return made


def taken(tensor: openvino.Tensor) -> Any:  # noqa: ANN401 (a value as JSON)
    """The value with the bits of the tensor."""
    name, shape = OURS[tensor.element_type.to_string()], tuple(tensor.shape)
    if name == "string":
        return sdk.encode(sdk.Tensor.of(tensor.bytes_data))
    memory = ctypes.string_at(tensor.data.ctypes.data, tensor.byte_size) if 0 not in shape else b""
    return sdk.encode(sdk.Tensor.of_memory(name, shape, memory))


def answer(core: openvino.Core, model: str, values: list[Any]) -> list[Any] | str:
    """The answer to one run."""
    try:
        request = core.compile_model(core.read_model(model), "CPU", CONFIGURATION).create_infer_request()
        for place, value in enumerate(values):
            request.set_input_tensor(place, given(value))
        request.infer(share_outputs=True)
        return [taken(request.get_output_tensor(i)) for i in range(len(request.model_outputs))]
    except Exception as error:  # of several classes
        return f"{type(error).__name__}: {error}"


def answer_all(runs: list[tuple[str, list[Any]]], pipe: Connection) -> None:
    """Answers one after the other, each sent when it is known."""
    core = openvino.Core()
    for model, values in runs:
        pipe.send(answer(core, model, values))


def answers_of(runs: list[tuple[str, list[Any]]]) -> list[list[Any] | str]:
    """Answers of processes that may crash: the next one continues after the run in which one ended."""
    context = multiprocessing.get_context("spawn")
    answers: list[list[Any] | str] = []
    while len(answers) < len(runs):
        ours, theirs = context.Pipe()
        process = context.Process(target=answer_all, args=(runs[len(answers) :], theirs))
        process.start()
        theirs.close()
        try:
            while len(answers) < len(runs):
                if not ours.poll(SECONDS):
                    answers.append("hangs")
                    break
                answers.append(ours.recv())
        except EOFError:
            process.join()
            answers.append(f"exit status {process.exitcode}")
        finally:
            process.kill()
    return answers


def main(requests: str, answered: str) -> None:
    """Answers all runs."""
    models = json.loads(Path(requests).read_text())
    answers = iter(answers_of([(entry["model"], values) for entry in models for values in entry["runs"]]))
    Path(answered).write_text(json.dumps([[next(answers) for _ in entry["runs"]] for entry in models]))


if __name__ == "__main__":
    main(*sys.argv[1:])
