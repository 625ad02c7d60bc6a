"""The results of the reference, LiteRT and onert for the same TensorFlow Lite models, in their own processes."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import ifcert
from adapter_process import AdapterProcess

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
LITERT = ROOT / ".adapters" / "litert" / "bin" / "python"
ONERT = ROOT / ".adapters" / "onert" / "bin" / "python"
SDK = ROOT / "bindings" / "adapters" / "python"

# LiteRT's op resolvers: with XNNPACK, without it, reference kernels.
RESOLVERS = ["AUTO", "BUILTIN_WITHOUT_DEFAULT_DELEGATES", "BUILTIN_REF"]

# The outputs of a run in order, as the protocol writes values; or why there are none.
Answer = list[Any] | str


class Case(NamedTuple):
    """A file, with the inputs and the expected outputs of each run, in order, as the protocol writes values."""

    model: Path
    inputs: list[list[Any]]
    outputs: list[list[Any]]

    def as_circle(self, folder: Path) -> Case:
        """A copy with Circle's identifier, which is the only difference where no code is negative."""
        content = self.model.read_bytes()
        assert content[4:8] == b"TFL3"
        copy = folder / f"{self.model.stem}.circle"
        copy.write_bytes(content[:4] + b"CIR0" + content[8:])
        return self._replace(model=copy)


def in_litert(script: str, *words: object, home: Path, timeout_s: int = 300) -> None:
    """Runs a script of this folder in LiteRT's environment."""
    assert LITERT.exists(), "the environment litert is missing: .venv/bin/ifcert adapter install litert"
    environment = {"PYTHONPATH": str(SDK), "HOME": str(home), "PATH": os.environ["PATH"]}
    command = [LITERT, HERE / script, *map(str, words)]
    run = subprocess.run(command, env=environment, timeout=timeout_s, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def litert(cases: list[Case], resolver: str, folder: Path) -> list[list[Answer]]:
    """The answers to the runs of each case."""
    requests, answered = folder / "requests.json", folder / "answered.json"
    requests.write_text(json.dumps([{"model": str(case.model), "runs": case.inputs} for case in cases]))
    in_litert("litert_runs.py", requests, answered, resolver, home=folder)
    return json.loads(answered.read_text())


def reference(cases: list[Case], folder: Path) -> list[list[Answer]]:
    """The same for the reference."""
    process = AdapterProcess([str(BIN / "ifcert-reference-adapter")], {"TMPDIR": str(folder)})
    try:
        process.ask(cmd="hello", protocol=1)
        return [answers(process, case) for case in cases]
    finally:
        process.kill()


def onert(cases: list[Case], folder: Path) -> list[list[Answer]]:
    """The same for onert, each case in a separate process."""
    assert ONERT.exists(), "the environment onert is missing: .venv/bin/ifcert adapter install onert"
    command = [str(ONERT), str(ROOT / "conformance" / "adapters" / "onert" / "adapter.py")]
    found = []
    for case in cases:
        process = AdapterProcess(command, {"PYTHONPATH": str(SDK), "HOME": str(folder), "TMPDIR": str(folder)})
        try:
            process.ask(cmd="hello", protocol=1)
            found.append(answers(process, case))
        except EOFError as error:
            found.append([str(error)] * len(case.inputs))
        finally:
            process.kill()
    return found


def answers(process: AdapterProcess, case: Case) -> list[Answer]:
    """The answers to the runs of one case; the model is loaded again for each."""
    names = [port.name for port in ifcert.load(case.model).inputs]
    found: list[Answer] = []
    for inputs in case.inputs:
        answer = process.load(case.model)
        if "loaded" in answer:
            answer = process.run([{"name": n, "value": v} for n, v in zip(names, inputs, strict=True)])
        found.append([o["value"] for o in answer["outputs"]] if "outputs" in answer else str(answer))
    return found


def broken(files: list[Path]) -> dict[str, list[str]]:
    """The rules that each file breaks, with warnings, according to `ifcert check`."""
    command = [BIN / "ifcert", "check", "--format", "json", *files]
    checked = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=300).stdout)["files"]
    assert len(checked) == len(files)
    found = [{d["rule"] for d in file["findings"]} | ({"unreadable"} & set(file)) for file in checked]
    return {file.name: sorted(rules) for file, rules in zip(files, found, strict=True) if rules}


def differing(cases: list[Case], found: list[list[Answer]]) -> dict[str, list[int]]:
    """The runs with other results than expected, by the file's name."""
    wrong = {
        case.model.stem: [i for i, answer in enumerate(given) if answer != case.outputs[i]]
        for case, given in zip(cases, found, strict=True)
    }
    return {name: runs for name, runs in wrong.items() if runs}


def explained(cases: list[Case], found: list[list[Answer]]) -> str:
    """These runs, one per line."""
    given = {case.model.stem: answers for case, answers in zip(cases, found, strict=True)}
    lines = [f"{name}, run {i}: {given[name][i]}" for name, runs in differing(cases, found).items() for i in runs]
    return "\n".join(["", *lines])
