"""The lists of known failures of the adapters in this repository, one failure for each vector."""

import json
from pathlib import Path

ADAPTERS = Path(__file__).resolve().parent.parent / "conformance" / "adapters"


def has_list(adapter: str, adapters: Path | None = None) -> bool:
    """Whether the adapter has a known_failures.json: without one, nobody has certified it yet."""
    return ((adapters or ADAPTERS) / adapter / "known_failures.json").exists()


def listed_failures(adapter: str, adapters: Path | None = None) -> list[dict]:
    """The failures that the adapter's known_failures.json lists, one for each vector of an entry."""
    entries = json.loads(((adapters or ADAPTERS) / adapter / "known_failures.json").read_text())["failures"]
    return [
        {"vector": vector, **{name: value for name, value in entry.items() if name not in ("vector", "vectors")}}
        for entry in entries
        for vector in entry.get("vectors", [entry.get("vector")])
    ]
