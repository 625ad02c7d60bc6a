"""Runs in LiteRT's own environment: models on given inputs, each run in a process of its own.

litert_runs.py REQUESTS RESPONSES RESOLVER

RESOLVER is the name of one of LiteRT's op resolvers: AUTO, BUILTIN_WITHOUT_DEFAULT_DELEGATES, BUILTIN_REF. REQUESTS is
a JSON list of {"model": path, "runs": [[value…]…]}, the values as the protocol writes them, in the order of the primary
subgraph's inputs. RESPONSES gets, for each model, a list: for each run the values in the order of the outputs, or a
text: why LiteRT refused, or how its process ended.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from pathlib import Path
from typing import Any

import ifcert_adapter as sdk
import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

SECONDS = 20


def array_of(value: Any) -> np.ndarray:  # noqa: ANN401 (a value as JSON)
    """The value as LiteRT expects it: strings as bytes."""
    tensor = sdk.decode(value)
    if tensor.type != "string":
        return tensor.array()
    flat = np.empty(len(tensor.strings), object)
    flat[:] = tensor.strings
    return flat.reshape(tensor.shape)


def run(interpreter: Interpreter, values: list[Any]) -> list[Any]:
    """One run, with the inputs' own shapes."""
    ports = interpreter.get_input_details()
    arrays = [array_of(value) for value in values]
    for port, array in zip(ports, arrays, strict=True):
        interpreter.resize_tensor_input(port["index"], array.shape)
    interpreter.allocate_tensors()
    for port, array in zip(ports, arrays, strict=True):
        interpreter.set_tensor(port["index"], array)
    interpreter.invoke()
    outputs = [interpreter.get_tensor(port["index"]) for port in interpreter.get_output_details()]
    return [sdk.encode(sdk.Tensor.of(output)) for output in outputs]


def answer(model: str, values: list[Any], resolver: OpResolverType, pipe: Any) -> None:  # noqa: ANN401 (a connection)
    """The answer to one run."""
    try:
        interpreter = Interpreter(model, experimental_op_resolver_type=resolver, num_threads=1)
        pipe.send(run(interpreter, values))
    except Exception as error:  # of several classes
        pipe.send(f"{type(error).__name__}: {error}")


def answer_of(model: str, values: list[Any], resolver: OpResolverType) -> list[Any] | str:
    """The answer of a process that may crash."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=answer, args=(model, values, resolver, theirs))
    process.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(SECONDS) else "hangs"
    except EOFError:
        process.join()
        return f"exit status {process.exitcode}"
    finally:
        process.kill()


def main(requests: str, answered: str, resolver: str) -> None:
    """Answers all runs."""
    kernels = OpResolverType[resolver]
    models = json.loads(Path(requests).read_text())
    answers = [[answer_of(entry["model"], values, kernels) for values in entry["runs"]] for entry in models]
    Path(answered).write_text(json.dumps(answers))


if __name__ == "__main__":
    main(*sys.argv[1:])
