"""JSON files that people write."""

import json
from pathlib import Path
from typing import Any

from ifcert.authoring.errors import AuthoringError


def read_json(path: Path) -> dict[str, Any]:
    """The object in a file. A key that is repeated in one object is an error: readers disagree about what counts."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise AuthoringError(f"{path} repeats the key '{name}'")
            found[name] = value
        return found

    document: dict[str, Any] = json.loads(path.read_text(), object_pairs_hook=members)
    return document
