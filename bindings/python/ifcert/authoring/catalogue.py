"""All vectors of a system's rooms of Python files, and their mutual consistency."""

import importlib.util
import inspect
import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from ifcert.authoring.errors import AuthoringError
from ifcert.authoring.vector import Vector

_ID = re.compile(r"(onnx|openvino|tflite)(/[a-z0-9]+(-[a-z0-9]+)*){3}")


def read_catalogue(folder: Path) -> list[Vector]:
    """The vectors that the families of a system declare, sorted by id.

    A family is a Python file in one of the system's rooms: `folder`/room/family.py. It declares what its functions
    without parameters yield that are annotated `Iterator[Vector]`, and the twins of the refused ones.
    """
    for path in folder.glob("*.py"):
        raise AuthoringError(f"{path}: a family of vectors lies in a room, {folder}/ROOM/{path.name} (docs/vectors.md)")
    found = [vector for path in sorted(folder.glob("*/*.py")) for vector in _declared(path)]
    return sorted([*found, *_twins_not_yielded(found)], key=lambda vector: vector.id)


def _twins_not_yielded(found: list[Vector]) -> list[Vector]:
    """The twins of refused vectors that no family yields: they are declared with them."""
    yielded = {vector.id for vector in found}
    twins = {
        id(vector.accepted): replace(vector.accepted, declared_in=vector.declared_in, about=vector.about)
        for vector in found
        if vector.accepted and vector.accepted.id not in yielded
    }
    return list(twins.values())


def _declared(path: Path) -> Iterator[Vector]:
    if path.stem.endswith("_test"):
        return
    family = f"{path.parent.name}/{path.name}"
    spec = importlib.util.spec_from_file_location(f"vectors_{path.parent.name}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    keep = sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # no __pycache__ among the vectors
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = keep
    generators = [each for each in vars(module).values() if _is_generator(each, module.__name__)]
    forms = vars(module).get("ABOUT", ())
    if not generators:
        raise AuthoringError(f"{family}: a family of vectors needs a function without parameters -> Iterator[Vector]")
    for generator in generators:
        yield from (replace(each, declared_in=family, about=(*each.about, *forms)) for each in generator())


def _is_generator(member: object, module: str) -> bool:
    """Whether a member of a family is a function of its own that takes nothing and yields vectors."""
    if not inspect.isfunction(member) or member.__module__ != module:
        return False
    declared = inspect.signature(member)
    return not declared.parameters and declared.return_annotation == Iterator[Vector]


def check_catalogue(vectors: list[Vector], rules: Collection[str] | None) -> list[str]:
    """The problems among the vectors, a sentence each; `rules` are the names of the existing rules, if known."""
    by_id = {vector.id: vector for vector in vectors}
    return [
        *_repeated_ids(vectors),
        *(
            (f"{v.id}: an id has the form system/subject/rule/case, in kebab-case")
            for v in vectors
            if not _ID.fullmatch(v.id)
        ),
        *(problem for vector in vectors for problem in _twin_problems(vector, by_id)),
        *(problem for vector in vectors for problem in _unknown_rules(vector, rules)),
        *(f"{v.id}: it has no reason (why)" for v in vectors if not v.why),
        *(f"{v.id}: it gives the same reason (why) twice" for v in vectors if len(set(v.why)) < len(v.why)),
    ]


def _repeated_ids(vectors: list[Vector]) -> Iterator[str]:
    seen: set[str] = set()
    for vector in vectors:
        if vector.id in seen:
            yield f"{vector.id}: this id is used twice"
        seen.add(vector.id)


def _twin_problems(vector: Vector, by_id: dict[str, Vector]) -> Iterator[str]:
    if not vector.refuses:
        if vector.twin:
            yield f"{vector.id}: an accepted vector has no twin"
        return
    twin = by_id.get(vector.twin)
    if not vector.twin:
        yield f"{vector.id}: a refused vector must name its accepted twin"
    elif twin is None:
        yield f"{vector.id}: its twin {vector.twin} does not exist"
    elif twin.refuses or twin.doubt:
        yield f"{vector.id}: its twin {twin.id} is not one that must be accepted"
    elif vector.rule not in (twin.rule, *twin.also) and not _differ_in_fault_alone(vector, twin):
        yield f"{vector.id}: its twin {twin.id} belongs to another rule"
    elif vector.refused == (vector.model == twin.model):
        yield f"{vector.id}: its model " + ("has no fault, it is its twin's" if vector.refused else "is not its twin's")


def _differ_in_fault_alone(vector: Vector, twin: Vector) -> bool:
    """Whether they are rows of a cross of faults that have the same other coordinates."""
    plain = {**vector.coordinates, "fault": twin.coordinates.get("fault")}
    return "fault" in vector.coordinates and plain == twin.coordinates


def _unknown_rules(vector: Vector, rules: Collection[str] | None) -> Iterator[str]:
    if rules is None:
        return
    for rule in (vector.rule, *vector.also):
        if rule not in rules:
            yield f"{vector.id}: there is no rule {rule}"
