"""Runs in the environment of an adapter: models whose inputs and outputs are found by their names alone.

named_runs.py ADAPTER REQUESTS RESPONSES

ADAPTER is openvino-ir, litert or onnxruntime. REQUESTS is a JSON list of {"model": path, "runs": [{name: value}…]}, the
values as the protocol writes them. RESPONSES gets, for each model, {"inputs": [[name…]…], "outputs": [[name…]…],
"runs": [{name: value} or a text…]}: the names that the runtime gives each port, in the model's order, and the outputs
of each run under each of their names. A text says why the runtime refused a run, or how its process ended; it stands
in the place of the whole entry where the model was not loaded.
"""

from __future__ import annotations

import importlib.util
import json
import multiprocessing
import sys
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any

import ifcert_adapter as sdk

ADAPTERS = Path(__file__).resolve().parents[3] / "conformance" / "adapters"
SECONDS = 60

Names = list[list[str]]


def module_of(adapter: str) -> ModuleType:
    """The adapter's own code, which passes values to its runtime and takes them from it."""
    spec = importlib.util.spec_from_file_location(f"adapter_{adapter}", ADAPTERS / adapter / "adapter.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class OpenVino:
    """The adapter also finds ports by the names of their layers; here only the names of tensors count."""

    def __init__(self) -> None:
        """Nothing is loaded yet."""
        module = module_of("openvino-ir")
        self._read, self._adapter = module.read, module.OpenVino("openvino-ir", "openvino")
        self._core, self._configuration = self._adapter._core, module.CONFIGURATION

    def load(self, model: Path) -> tuple[Names, Names]:
        """The names of the inputs and of the outputs."""
        network = self._core.read_model(str(model))
        self._names = [[sorted(port.names) for port in ports] for ports in (network.inputs, network.outputs)]
        self._request = self._core.compile_model(network, "CPU", self._configuration).create_infer_request()
        return self._names[0], self._names[1]

    def run(self, inputs: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """A compiled model may lose names of inputs, but not their order."""
        for name, value in inputs.items():
            place = next(i for i, names in enumerate(self._names[0]) if name in names)
            self._request.set_input_tensor(place, self._adapter._tensor(value))
        self._request.infer(share_outputs=True)
        for names in self._names[1]:
            for name in names:
                yield name, self._read(self._request.get_tensor(name))


class LiteRt:
    """The names of the tensors."""

    def __init__(self) -> None:
        """Nothing is loaded yet."""
        self._module = module_of("litert")
        self._adapter = self._module.LiteRt("litert")

    def load(self, model: Path) -> tuple[Names, Names]:
        """The names of the inputs and of the outputs."""
        self._adapter.load(model, "tflite")
        loaded = self._adapter._interpreter
        inputs, outputs = loaded.get_input_details(), loaded.get_output_details()
        return [[self._module.name_of(port)] for port in inputs], [[self._module.name_of(port)] for port in outputs]

    def run(self, inputs: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """The adapter goes by these names, too."""
        yield from self._adapter.run(inputs)


class OnnxRuntime:
    """It lists inputs that have a default apart from the others; here they follow them."""

    def __init__(self) -> None:
        """Nothing is loaded yet."""
        module = module_of("onnxruntime")
        self._adapter = module.OnnxRuntime(module.VARIANTS[None])

    def load(self, model: Path) -> tuple[Names, Names]:
        """The names of the inputs and of the outputs."""
        self._adapter.load(model, "onnx")
        session = self._adapter._session
        inputs = [*session.get_inputs(), *session.get_overridable_initializers()]
        return [[port.name] for port in inputs], [[port.name] for port in session.get_outputs()]

    def run(self, inputs: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """The adapter goes by these names, too."""
        yield from self._adapter.run(inputs)


RUNTIMES: dict[str, Callable[[], Any]] = {"openvino-ir": OpenVino, "litert": LiteRt, "onnxruntime": OnnxRuntime}


def outputs_of(runtime: Any, inputs: dict[str, Any]) -> dict[str, Any] | str:  # noqa: ANN401 (one of RUNTIMES)
    """The outputs by name; the first of several that share a name."""
    try:
        found: dict[str, Any] = {}
        for name, result in runtime.run({name: sdk.decode(value) for name, value in inputs.items()}):
            found.setdefault(name, sdk.encode(result))
    except Exception as error:  # of several classes
        return f"{type(error).__name__}: {error}"
    return found


def answer_all(adapter: str, asked: list[dict[str, Any]], pipe: Connection) -> None:
    """Sends the names of each model's ports, or why it was not loaded, and then the answer of each run."""
    runtime = RUNTIMES[adapter]()
    for entry in asked:
        try:
            names = runtime.load(Path(entry["model"]))
        except Exception as error:  # of several classes
            pipe.send(f"{type(error).__name__}: {error}")
            continue
        pipe.send(names)
        for inputs in entry["runs"]:
            pipe.send(outputs_of(runtime, inputs))


def take_answers(receive: Callable[[], Any], asked: list[dict[str, Any]], answers: list[Any]) -> None:
    """Appends to `answers` until all models have one, or the process ends."""
    while len(answers) < len(asked):
        loaded = receive()
        if isinstance(loaded, str):
            answers.append(loaded)
            continue
        answers.append({"inputs": loaded[0], "outputs": loaded[1], "runs": []})
        for _ in asked[len(answers) - 1]["runs"]:
            answers[-1]["runs"].append(receive())


class EndedError(Exception):
    """The process that should have answered."""


def received(pipe: Connection, process: multiprocessing.Process) -> Any:  # noqa: ANN401 (as answer_all sends it)
    """The next answer."""
    if not pipe.poll(SECONDS):
        raise EndedError("hangs")
    try:
        return pipe.recv()
    except EOFError:
        process.join()
        raise EndedError(f"exit status {process.exitcode}") from None


def answers_of(adapter: str, asked: list[dict[str, Any]], method: str) -> list[Any]:
    """Answers of processes that may crash: the next one continues after the model with which one ended."""
    context = multiprocessing.get_context(method)
    answers: list[Any] = []
    while len(answers) < len(asked):
        ours, theirs = context.Pipe()
        process = context.Process(target=answer_all, args=(adapter, asked[len(answers) :], theirs))
        process.start()
        theirs.close()
        known = len(answers)
        try:
            take_answers(partial(received, ours, process), asked, answers)
        except EndedError as end:
            if len(answers) == known or not lacks_runs(answers[-1], asked[len(answers) - 1]):
                answers.append(str(end))
            else:
                missing = len(asked[len(answers) - 1]["runs"]) - len(answers[-1]["runs"])
                answers[-1]["runs"] += [str(end)] * missing
        finally:
            process.kill()
    return answers


def lacks_runs(answer: Any, entry: dict[str, Any]) -> bool:  # noqa: ANN401 (as in the file)
    """Whether a loaded model has not been run as often as it should."""
    return isinstance(answer, dict) and len(answer["runs"]) < len(entry["runs"])


def has_ended(answer: Any) -> bool:  # noqa: ANN401 (as in the file)
    """Whether the process ended instead of answering."""
    words = [answer] if isinstance(answer, str) else answer["runs"]
    return any(isinstance(word, str) and word.startswith(("exit status", "hangs")) for word in words)


def main(adapter: str, asked: str, answered: str) -> None:
    """Answers all runs. A model may damage the memory of the next: LiteRT has a process for each, and of the others
    those that end the process are tried again in one of their own.
    """
    entries = json.loads(Path(asked).read_text())
    if adapter == "litert":
        module_of(adapter).LiteRt(adapter)  # imports the runtime, once for all processes
        answers = [answers_of(adapter, [entry], "fork")[0] for entry in entries]
    else:
        first = answers_of(adapter, entries, "spawn")
        pairs = zip(entries, first, strict=True)
        answers = [answers_of(adapter, [entry], "spawn")[0] if has_ended(found) else found for entry, found in pairs]
    Path(answered).write_text(json.dumps(answers))


if __name__ == "__main__":
    main(*sys.argv[1:])
