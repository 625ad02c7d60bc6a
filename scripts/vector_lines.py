"""The generated vectors (docs/vectors.md) for scripts and tests: a line of JSON each, and the files that it names."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).resolve().parents[1] / "vectors"

Vector = dict[str, Any]


def read_vectors(vectors: Path = VECTORS) -> Iterator[Vector]:
    """Every vector's line, sorted by id."""
    for path in json.loads((vectors / "manifest.json").read_text())["files"]:
        yield from read_lines(vectors / path)


def read_rule(rule: str, vectors: Path = VECTORS) -> Iterator[Vector]:
    """The lines of a rule's vectors, sorted by id."""
    yield from read_lines(folder_of(rule, vectors) / "vectors.jsonl")


def read_vector(id: str, vectors: Path = VECTORS) -> Vector:
    """The line of one vector."""
    return next(vector for vector in read_rule(rule_of(id), vectors) if vector["id"] == id)


def read_lines(file: Path) -> Iterator[Vector]:
    """The objects in a file of lines."""
    with file.open() as lines:
        yield from map(json.loads, lines)


def model_of(vector: Vector, vectors: Path = VECTORS) -> Path:
    """The path of the vector's model."""
    return folder_of(rule_of(vector["id"]), vectors) / vector["model"]


def lay_out(vector: Vector, folder: Path, vectors: Path = VECTORS) -> Path:
    """Puts a vector into the folder, named after its case: its line as vector.json, its files as adapters see them.

    A model that names further files may name them as ../case/weights.bin, so the folders of others come too.
    """
    source = folder_of(rule_of(vector["id"]), vectors)
    model = Path(vector["model"])
    folder.mkdir(parents=True, exist_ok=True)
    for name in map(Path, vector["files"]):
        passed_name = Path(f"model{name.suffix}") if name.stem == model.stem else name.relative_to(model.parent)
        (folder / passed_name).parent.mkdir(exist_ok=True)
        shutil.copyfile(source / name, folder / passed_name)
    if model.parent.name:
        for neighbour in (each for each in source.iterdir() if each.is_dir()):
            shutil.copytree(neighbour, folder.parent / neighbour.name, dirs_exist_ok=True)
    passed = vector | {"model": f"model{model.suffix}"}
    (folder / "vector.json").write_text(json.dumps(passed))
    return folder


def folder_of(rule: str, vectors: Path = VECTORS) -> Path:
    """The folder of a rule's vectors."""
    system, _, rest = rule.partition("/")
    return vectors / system / "generated" / rest


def rule_of(id: str) -> str:
    """The rule that a vector counts for."""
    return id.rpartition("/")[0]
