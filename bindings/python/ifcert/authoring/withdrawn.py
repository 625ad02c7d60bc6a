"""Withdrawn vectors: ids that are never used again, and their replacements."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from onnx import ModelProto

from ifcert.authoring.description import description
from ifcert.authoring.errors import AuthoringError
from ifcert.authoring.json_file import read_json
from ifcert.authoring.vector import Vector


def read_withdrawn(root: Path) -> dict[str, str]:
    """Each withdrawn id, and the id of the vector that replaces it."""
    path = root / "withdrawn.json"
    rows = read_json(path)["withdrawn"] if path.exists() else []
    return {row["id"]: row["replaced_by"] for row in rows}


def without_copies(vectors: Sequence[Vector], withdrawn: Mapping[str, str]) -> list[Vector]:
    """The vectors without those that are withdrawn as copies of another.

    A family may still declare such a copy, as the accepted twin of its refused vectors. The other vector then counts
    for its rule too, has its reasons too, and is the twin in its place.
    """
    by_id = {vector.id: vector for vector in vectors}
    kept = {vector.id: vector for vector in vectors if vector.id not in withdrawn}
    for vector in vectors:
        if vector.id in withdrawn:
            other = withdrawn[vector.id]
            if other not in by_id or not _same(vector, by_id[other]):
                raise AuthoringError(f"{vector.id}: this id is withdrawn, but the vector is not a copy of {other}")
            kept[other] = _joined(kept[other], vector)
    return [replace(vector, twin=withdrawn.get(vector.twin, vector.twin)) for vector in kept.values()]


def _same(one: Vector, other: Vector) -> bool:
    return _files(one) == _files(other) and description(one, None)["steps"] == description(other, None)["steps"]


def _files(vector: Vector) -> dict[str, bytes]:
    """The part of a vector that a runtime receives."""
    model = vector.model
    if isinstance(model, bytes):
        return {"model": model, **vector.files}
    if isinstance(model, ModelProto):
        return {"model": model.SerializeToString(deterministic=True), **vector.files}
    return model.files() | dict(vector.files)


def _joined(vector: Vector, copy: Vector) -> Vector:
    rules = [rule for rule in (copy.rule, *copy.also) if rule not in (vector.rule, *vector.also)]
    return replace(
        vector,
        also=[*vector.also, *dict.fromkeys(rules)],
        why=[*vector.why, *(why for why in copy.why if why not in vector.why)],
    )
