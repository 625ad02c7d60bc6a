"""A runtime's plain API, from conformance/reproduce/plain_apis, as `ifcert reproduce` puts it into its scripts."""

from __future__ import annotations

import importlib.metadata
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

CONFORMANCE = Path(__file__).resolve().parents[2] / "conformance"
FOLDER = CONFORMANCE / "reproduce" / "plain_apis"
RUNTIMES: dict[str, dict[str, Any]] = json.loads((FOLDER / "runtimes.json").read_text())


def sections(text: str, *wanted: str) -> str:
    """The named sections of a file; each begins with a line `#: NAME`."""
    parts = re.split(r"(?m)^#: (.*)$", text)
    found = dict(zip(parts[1::2], parts[2::2], strict=True))
    return "\n".join(found.get(name, "") for name in wanted)


def package_in(pins: str, folder: Path) -> str:
    """The first package of the requirements file that the adapter.json in this folder names: the runtime."""
    places = {"{adapter}": str(folder), "{adapters}": str(folder.parent)}
    file = re.sub(r"\{adapters?\}", lambda name: places[name[0]], pins)
    return Path(file).read_text().partition("==")[0]


class PlainApi:
    """The functions of one runtime. A tool that computes nothing has no `run`."""

    load: Callable[[str], object]
    run: Callable[[object, dict[str, object]], list[object]]
    given: Callable[[object], object]
    parts: Callable[[object], Any]
    same: Callable[[object, object], bool]

    def __init__(self, runtime: str) -> None:
        """Imports the runtime."""
        entry = RUNTIMES[runtime]
        text = (FOLDER / entry["file"]).read_text()
        for word, meaning in entry.get("words", {}).items():
            text = text.replace(word, meaning)
        values = sections((FOLDER / "values.py").read_text(), "wide")
        self.__dict__ |= {"np": np, "sys": sys}
        exec(compile(values, "values.py", "exec"), self.__dict__)
        if entry.get("program"):
            program = sections((FOLDER / "program.py").read_text(), "import", "plain")
            exec(compile(program, "program.py", "exec"), self.__dict__)
        exec(compile(sections(text, "import", "plain", "wide"), entry["file"], "exec"), self.__dict__)
        self.computes = "run" in self.__dict__
        manifest = CONFORMANCE / "adapters" / runtime / "adapter.json"
        pins = json.loads(manifest.read_text())["install"].get("python")  # of another language: what is loaded knows
        self.package = package_in(pins, manifest.parent) if pins else None
        self.version = importlib.metadata.version(self.package).partition("-")[0] if pins else "unknown"
