"""One vector on one runtime. An exception of the runtime is its refusal; any other ends this program."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from comparison import compared, text_of
from plain_api import PlainApi
from vector_values import input_of


class Refused(Exception):  # noqa: N818 (an outcome, not an error)
    """An exception of the runtime."""


def ask(call: Callable[..., Any], *arguments: object) -> object:
    """Calls the runtime; its exceptions become Refused."""
    try:
        return call(*arguments)
    except Exception as error:
        raise Refused(" ".join(f"{type(error).__name__}: {error}".split())[:400]) from error


class Trial:
    """One vector's way through one runtime."""

    def __init__(self, api: PlainApi, folder: Path) -> None:
        """Nothing is loaded yet."""
        self._api, self._folder, self._model = api, folder, None
        self._held: dict[int, list[object]] = {}

    def steps(self) -> Iterator[dict[str, str]]:
        """The result of each step, up to the first refusal; a tool that does not compute only loads."""
        vector = json.loads((self._folder / "vector.json").read_text())
        for number, step in enumerate(vector["steps"]):
            if "load" not in step and not self._api.computes:
                break
            try:
                yield self._step(number, step, vector)
            except Refused as refusal:
                yield {"did": "refused", "text": str(refusal)}
                break

    def unload(self) -> None:
        """Some models crash the process when they are unloaded."""
        self._model = None
        self._held.clear()

    def _step(self, number: int, step: dict[str, Any], vector: dict[str, Any]) -> dict[str, str]:
        match step:
            case {"load": _}:
                self._model = ask(self._api.load, str(self._folder / vector["model"]))
                self._api.version = getattr(self._model, "version", self._api.version)
                return {"did": "loaded", "text": "loaded"}
            case {"run": run}:
                results = self._run(run["inputs"])
                if run.get("hold"):
                    self._held[number] = results
                return {"did": compared(self._api, results, run["expect"]), "text": text_of(results)}
            case {"reread": reread}:
                results = self._held[reread["step"]]
                return {"did": compared(self._api, results, reread["expect"]), "text": text_of(results)}
            case {"concurrent": concurrent}:
                return self._at_once(concurrent["runs"])
        raise SystemExit(f"plain_runtimes: {self._folder} has a step of an unknown kind: {list(step)}")

    def _run(self, inputs: list[dict[str, Any]]) -> list[object]:
        feeds = {item["name"]: self._api.given(input_of(item["value"])) for item in inputs}
        return ask(self._api.run, self._model, feeds)

    def _at_once(self, runs: list[dict[str, Any]]) -> dict[str, str]:
        """A thread for each run, started together; the first unexpected result represents all."""
        barrier = threading.Barrier(len(runs))
        done: list[dict[str, str] | Exception | None] = [None] * len(runs)

        def one(place: int) -> None:
            barrier.wait()
            try:
                results = self._run(runs[place]["inputs"])
                done[place] = {"did": compared(self._api, results, runs[place]["expect"]), "text": text_of(results)}
            except Exception as error:
                done[place] = error

        threads = [threading.Thread(target=one, args=(place,)) for place in range(len(runs))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for outcome in done:
            if isinstance(outcome, Exception):
                raise outcome
        return next((outcome for outcome in done if outcome["did"] != "expected"), done[0])
