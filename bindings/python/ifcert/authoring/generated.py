"""The generated files of a catalogue: written to disk, or compared with those on disk."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from jsonschema import Draft7Validator
from onnx import ModelProto

from ifcert.authoring.catalogue import check_catalogue, read_catalogue
from ifcert.authoring.description import Json, description, model_file, sound_model
from ifcert.authoring.errors import AuthoringError
from ifcert.authoring.neutral import neutral
from ifcert.authoring.profiles import profiles
from ifcert.authoring.vector import Vector
from ifcert.authoring.vector_files import LINES, MANIFEST, case_of, folder_of, further_files, placed
from ifcert.authoring.withdrawn import read_withdrawn, without_copies

SYSTEMS = ("onnx", "openvino", "tflite")
FORMAT = 5


def generate(root: Path, rules: Collection[str] | None) -> dict[str, bytes]:
    """Every generated file of the folder `vectors`, as path relative to it → bytes, including the manifest."""
    vectors = declared_vectors(root)
    problems = check_catalogue(vectors, rules)
    if problems:
        raise AuthoringError("\n".join(problems))
    by_id = {vector.id: vector for vector in vectors}
    schema = _schema(root, "vector")
    tree: dict[str, bytes] = {}
    for rule, of_rule in groupby(vectors, lambda vector: vector.rule):
        files = _rule_files([(vector, by_id.get(vector.twin)) for vector in of_rule], schema)
        tree |= {f"{folder_of(rule)}/{name}": data for name, data in files.items()}
    return tree | {MANIFEST: _manifest(root, tree)}


def declared_vectors(root: Path) -> list[Vector]:
    """The vectors of all families, sorted by system and id, in neutral form, without those that are withdrawn."""
    declared = [vector for system in SYSTEMS for vector in read_catalogue(root / system)]
    return without_copies(_neutral(declared), read_withdrawn(root))


def _neutral(declared: Sequence[Vector]) -> list[Vector]:
    """The vectors, whose models have no form that they are not about. That of a twin comes first."""
    made: dict[str, ModelProto] = {}
    for vector in sorted(declared, key=lambda each: each.refused):
        if isinstance(vector.model, ModelProto):
            made[vector.id] = neutral(vector.model, vector.forms, made.get(vector.twin))
    return [replace(vector, model=made.get(vector.id, vector.model)) for vector in declared]


def write(root: Path, tree: Mapping[str, bytes]) -> None:
    """Replaces the generated files by the tree: written beside them first, then renamed, the manifest last."""
    staged = Path(tempfile.mkdtemp(prefix=".generating-", dir=root))
    try:
        for path, data in tree.items():
            target = staged / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        for system in SYSTEMS:
            current = root / system / "generated"
            if current.exists():
                current.rename(staged / f"old-{system}")
            if (staged / system / "generated").exists():
                (staged / system / "generated").rename(current)
        (staged / MANIFEST).rename(root / MANIFEST)
    finally:
        shutil.rmtree(staged)


def differences(root: Path, tree: Mapping[str, bytes]) -> list[str]:
    """The differences between the files on disk and the tree, a line each."""
    present = {MANIFEST} if (root / MANIFEST).is_file() else set()
    for system in SYSTEMS:
        generated = root / system / "generated"
        entries = generated.rglob("*") if generated.exists() else ()
        present |= {
            entry.relative_to(root).as_posix() for entry in entries if not entry.is_dir() or not any(entry.iterdir())
        }
    lines = [f"missing: {path}" for path in tree.keys() - present]
    lines += [f"not generated: {path}" for path in present - tree.keys()]
    lines += [f"differs: {path}" for path in present & tree.keys() if (root / path).read_bytes() != tree[path]]
    return sorted(lines)


def _rule_files(vectors: Sequence[tuple[Vector, Vector | None]], schema: Draft7Validator) -> dict[str, bytes]:
    """The files of a rule's vectors (each beside its twin), by their paths in its folder: the lines, and the models.

    Vectors that have the same model share the file of the first of them, and models that name the same files a folder.
    """
    lines: list[str] = []
    files: dict[str, bytes] = {}
    owners: dict[frozenset[tuple[str, bytes]], str] = {}
    folders = _folders(vectors)
    for vector, twin in vectors:
        passed = _passed_files(vector, twin)
        case = owners.setdefault(frozenset(passed.items()), case_of(vector.id))
        own = placed(case, passed, folders[frozenset(further_files(passed).items())])
        described = description(vector, twin)
        model = next(path for path, name in zip(own, passed, strict=True) if name == described["model"])
        line = _line(vector, described | {"model": model}, own)
        _validate(schema, line, vector.id)
        lines.append(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
        files |= own
    return {LINES: "".join(lines).encode()} | files


def _folders(vectors: Sequence[tuple[Vector, Vector | None]]) -> dict[frozenset[tuple[str, bytes]], str]:
    """The folders of models that name further files, by those files: called after the first that is not refused."""
    accepted_first = sorted(vectors, key=lambda pair: pair[0].refuses)
    folders: dict[frozenset[tuple[str, bytes]], str] = {}
    for vector, twin in accepted_first:
        folders.setdefault(frozenset(further_files(_passed_files(vector, twin)).items()), case_of(vector.id))
    return folders


def _line(vector: Vector, described: Json, files: Mapping[str, bytes]) -> Json:
    """The vector's line: its description, the family that declares it, its profiles, and the digests of its files."""
    steps = described.pop("steps")
    return described | {
        "source": f"vectors/{vector.system}/{vector.declared_in}",
        "profiles": profiles(vector.system, described["needs"]),
        "files": {path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items())},
        "steps": steps,
    }


def _passed_files(vector: Vector, twin: Vector | None) -> dict[str, bytes]:
    """The files that adapters are passed. A damaged file has the name of a sound one."""
    model = vector.model
    if not isinstance(model, ModelProto | bytes):
        return {**model.files(), **vector.files}
    data = model.SerializeToString(deterministic=True) if isinstance(model, ModelProto) else model
    return {model_file(sound_model(vector, twin)): data, **vector.files}


def _manifest(root: Path, tree: Mapping[str, bytes]) -> bytes:
    """The files of lines, each with its digest, which covers the digests of the models in its lines."""
    lines = {path: hashlib.sha256(data).hexdigest() for path, data in tree.items() if path.endswith(f"/{LINES}")}
    manifest = {"format": FORMAT, "files": lines}
    _validate(_schema(root, "manifest"), manifest, MANIFEST)
    return (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()


def _schema(root: Path, name: str) -> Draft7Validator:
    return Draft7Validator(json.loads((root / "schemas" / f"{name}.schema.json").read_text()))


def _validate(schema: Draft7Validator, document: Json, what: str) -> None:
    for error in schema.iter_errors(document):
        raise AuthoringError(f"{what}: {error.json_path}: {error.message}")
