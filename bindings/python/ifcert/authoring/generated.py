"""The generated files of a catalogue: written to disk, or compared with those on disk."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

from jsonschema import Draft7Validator
from onnx import ModelProto

from ifcert.authoring.catalogue import check_catalogue, read_catalogue
from ifcert.authoring.description import AuthoringError, Json, description, model_file, sound_model
from ifcert.authoring.notation import model_text
from ifcert.authoring.profiles import profiles
from ifcert.authoring.vector import Vector
from ifcert.authoring.withdrawn import read_withdrawn, without_copies

SYSTEMS = ("onnx", "openvino", "tflite")
MANIFEST = "manifest.json"
MANIFEST_FORMAT = 4


def generate(root: Path, rules: Collection[str] | None) -> dict[str, bytes]:
    """Every generated file of the folder `vectors`, as path relative to it → bytes, including the manifest."""
    declared = [vector for system in SYSTEMS for vector in read_catalogue(root / system)]
    vectors = without_copies(declared, read_withdrawn(root))
    problems = check_catalogue(vectors, rules)
    if problems:
        raise AuthoringError("\n".join(problems))
    by_id = {vector.id: vector for vector in vectors}
    folders = {vector.id: _files(root, vector, by_id.get(vector.twin)) for vector in vectors}
    tree = {f"{folder_of(vector)}/{name}": data for vector in vectors for name, data in folders[vector.id].items()}
    return tree | {MANIFEST: _manifest(root, vectors, folders)}


def folder_of(vector: Vector) -> str:
    """The folder of the vector's files, relative to `vectors`: its id with `generated` after the system."""
    system, _, rest = vector.id.partition("/")
    return f"{system}/generated/{rest}"


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


def _files(root: Path, vector: Vector, twin: Vector | None) -> dict[str, bytes]:
    described = description(vector, twin)
    _validate(root, "vector", described, vector.id)
    return {**_model_files(vector, twin), "vector.json": _json(described), **vector.files}


def _model_files(vector: Vector, twin: Vector | None) -> dict[str, bytes]:
    """The model's files, with a readable text if there is none yet. A damaged file has the name of a sound one."""
    model = vector.model
    if not isinstance(model, ModelProto | bytes):
        return model.files()
    data = model.SerializeToString(deterministic=True) if isinstance(model, ModelProto) else model
    text = {} if vector.system == "openvino" else {"model.txt": model_text(model).encode()}
    return {model_file(sound_model(vector, twin)): data, **text}


def _manifest(root: Path, vectors: list[Vector], folders: Mapping[str, Mapping[str, bytes]]) -> bytes:
    entries = [
        {
            "id": vector.id,
            "system": vector.system,
            "path": folder_of(vector),
            "source": f"vectors/{vector.system}/{vector.declared_in}",
            "rules": [vector.rule, *vector.also],
            "axis": vector.axis,
            "profiles": profiles(vector.system, json.loads(folders[vector.id]["vector.json"])["needs"]),
            "files": {name: hashlib.sha256(data).hexdigest() for name, data in sorted(folders[vector.id].items())},
        }
        for vector in vectors
    ]
    manifest = {"format": MANIFEST_FORMAT, "vectors": entries}
    _validate(root, "manifest", manifest, MANIFEST)
    return _json(manifest)


def _json(document: Json) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def _validate(root: Path, schema: str, document: Json, what: str) -> None:
    rules = json.loads((root / "schemas" / f"{schema}.schema.json").read_text())
    for error in Draft7Validator(rules).iter_errors(document):
        raise AuthoringError(f"{what}: {error.json_path}: {error.message}")
