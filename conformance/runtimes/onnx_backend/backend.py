"""Finds a backend of the onnx package's interface (onnx.backend.base.Backend) by the name on the command line."""

from __future__ import annotations

import importlib
import importlib.metadata
from types import ModuleType


class NoBackendError(Exception):
    """There is no backend of this name."""


def backend_named(name: str) -> object:
    """The module `name`, or the class `name`: whatever has a `prepare`, as onnx.backend.base.Backend declares it."""
    found = _imported(name)
    if not callable(getattr(found, "prepare", None)):
        raise NoBackendError(f"{name} has no function prepare: it is not a backend (onnx.backend.base.Backend)")
    return found


def _imported(name: str) -> object:
    """A module, or what a module contains."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        module, _, inner = name.rpartition(".")
        if not module or error.name is None or not (name == error.name or name.startswith(f"{error.name}.")):
            raise
        found = getattr(_imported(module), inner, None)
        if found is None:
            raise NoBackendError(f"{module} contains no {inner}") from error
        return found


def version_of(name: str) -> str:
    """The version of the package that contains the backend: of its distribution, or its __version__."""
    package = name.partition(".")[0]
    distributions = importlib.metadata.packages_distributions().get(package, [])
    if distributions:
        return importlib.metadata.version(distributions[0])
    module: ModuleType = importlib.import_module(package)
    return str(getattr(module, "__version__", "unknown"))


def page_of(name: str) -> str:
    """The home page that the package's metadata name; that of the interface where there is none."""
    distributions = importlib.metadata.packages_distributions().get(name.partition(".")[0], [])
    metadata = importlib.metadata.metadata(distributions[0]) if distributions else {}
    pages = [metadata.get("Home-page") or ""]
    if distributions:
        pages += [entry.partition(",")[2].strip() for entry in metadata.get_all("Project-URL") or []]
    return next((page for page in pages if page.startswith("http")), "https://onnx.ai/onnx/api/backend.html")
