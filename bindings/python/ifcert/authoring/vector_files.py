"""Where a vector's files lie (docs/vectors.md): a folder for each rule, a line for each vector, and the models."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

LINES = "vectors.jsonl"
MANIFEST = "manifest.json"


def folder_of(rule: str) -> str:
    """The folder of a rule's vectors, relative to `vectors`: the rule with `generated` after the system."""
    system, _, rest = rule.partition("/")
    return f"{system}/generated/{rest}"


def case_of(id: str) -> str:
    """The last part of a vector's id."""
    return id.rpartition("/")[2]


def further_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Those of the files that an adapter is passed that the model names: all but itself and the .bin of IR."""
    return {name: data for name, data in files.items() if "/" in name or PurePosixPath(name).stem != "model"}


def placed(case: str, files: Mapping[str, bytes], folder: str = "") -> dict[str, bytes]:
    """The files that an adapter is passed, "model.onnx" and so on, by their paths in the rule's folder.

    A model, and the .bin of IR, which has the name of its .xml, are named after the case: "deep.xml", "deep.bin". Where
    the model names further files, all are in a folder, here "large": "large/deep.onnx", "large/weights.bin".
    """
    further = further_files(files)
    names = {name: name if name in further else f"{case}{PurePosixPath(name).suffix}" for name in files}
    return {f"{folder}/{names[name]}" if further else names[name]: data for name, data in files.items()}


def read_vectors(root: Path) -> Iterator[dict[str, Any]]:
    """The lines of all generated vectors in the folder `vectors`, sorted by id; nothing where there is no manifest."""
    manifest = root / MANIFEST
    paths: Iterable[str] = json.loads(manifest.read_text())["files"] if manifest.exists() else ()
    for path in paths:
        with (root / path).open() as lines:
            yield from map(json.loads, lines)


def file_of(root: Path, vector: Mapping[str, Any], name: str) -> Path:
    """The path of one of the vector's `files`, or of its `model`."""
    return root / folder_of(vector["id"].rpartition("/")[0]) / name
