"""The lists of known failures of the adapters in this repository, one failure for each vector."""

import json
from pathlib import Path

ADAPTERS = Path(__file__).resolve().parent.parent / "conformance" / "adapters"


def has_list(adapter: str, adapters: Path | None = None) -> bool:
    """Whether the adapter has a known_failures.json: without one, nobody has certified it yet."""
    return ((adapters or ADAPTERS) / adapter / "known_failures.json").exists()


def listed_failures(adapter: str, adapters: Path | None = None) -> list[dict]:
    """The failures that the adapter's known_failures.json lists, one for each vector of an entry."""
    return one_for_each_vector(document_of(adapter, adapters)["failures"])


def listed_rewritings(adapter: str, adapters: Path | None = None) -> list[dict]:
    """The same of models that the runtime computes as they are: what fails with the entry's "rewriting" of the file."""
    return one_for_each_vector(document_of(adapter, adapters).get("rewritings", []))


def document_of(adapter: str, adapters: Path | None) -> dict:
    """The adapter's known_failures.json."""
    return json.loads(((adapters or ADAPTERS) / adapter / "known_failures.json").read_text())


def one_for_each_vector(entries: list[dict]) -> list[dict]:
    """The entries, in which "vector" takes the place of "vectors"."""
    return [
        {"vector": vector, **{name: value for name, value in entry.items() if name not in ("vector", "vectors")}}
        for entry in entries
        for vector in entry.get("vectors", [entry.get("vector")])
    ]
