"""The identifier selects between two formats and has no other effect: each model with Circle's means the same."""

from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ifcert
import ml_dtypes
import numpy as np
from vector_lines import model_of, read_vectors

HERE = Path(__file__).parent
# Rules of one of them alone: the schema version of TFL3 (Circle counts its own), and which of an operator's two codes
# counts.
OF_ONE_FORMAT = {"tflite/file/version", "tflite/file/operator-is-known"}


def entries() -> Iterator[tuple[dict[str, Any], Path]]:
    for vector in read_vectors():
        if vector["system"] == "tflite":
            yield vector, model_of(vector)


VECTORS = list(entries())


def array_of(tensor: dict[str, Any]) -> np.ndarray:
    if tensor["type"] == "string":
        flat = np.empty(len(tensor["strings"]), object)
        flat[:] = [b64decode(text) for text in tensor["strings"]]
        return flat.reshape(tensor["shape"])
    dtype = ml_dtypes.bfloat16 if tensor["type"] == "bfloat16" else tensor["type"]
    return np.frombuffer(b64decode(tensor["data"]), dtype).reshape(tensor["shape"])


def shown(value: np.ndarray) -> tuple:
    if value.dtype != object:
        return value.dtype.name, value.shape, value.tobytes()
    return value.shape, [
        each if isinstance(each, bytes) else each.encode(errors="surrogateescape") for each in value.ravel()
    ]


def outcomes(path: Path, vector: dict[str, Any]) -> list[Any]:
    """The rules that the model breaks, or the results of each run."""
    try:
        model = ifcert.load(path)
    except ifcert.UnreadableModel as error:
        return [str(error).rpartition("[")[2]]
    if broken := model.check():
        return [(each.rule, each.place) for each in broken]
    found: list[Any] = []
    for run in (step["run"] for step in vector["steps"] if "run" in step):
        inputs = {item["name"]: array_of(item["value"]) for item in run["inputs"]}
        try:
            found.append({name: shown(output) for name, output in model.run(inputs).items()})
        except ifcert.EvaluationError:
            found.append("refused")
    return found


def test_every_vector_means_the_same_with_the_identifier_of_circle(tmp_path: Path) -> None:
    differ, compared = [], 0
    for number, (vector, path) in enumerate(VECTORS):
        data = path.read_bytes()
        if data[4:8] != b"TFL3" or vector["rules"][0] in OF_ONE_FORMAT:
            continue
        other = tmp_path / f"{number}.circle"
        other.write_bytes(data[:4] + b"CIR0" + data[8:])
        compared += 1
        if outcomes(path, vector) != outcomes(other, vector):
            differ.append(vector["id"])
    assert differ == []
    assert compared > 500


def test_circle_is_needed_where_the_file_is_one() -> None:
    for vector, path in VECTORS:
        assert (path.suffix == ".circle") == ("format:circle" in vector["needs"]), vector["id"]


def test_the_kinds_of_models_that_matter_most_are_there_as_circle() -> None:
    circle = [vector for vector, path in VECTORS if path.suffix == ".circle"]
    assert len(circle) >= 12
    assert any("operator:WHILE" in vector["needs"] for vector in circle)
    assert any("refused" in vector["steps"][0]["load"]["expect"] for vector in circle)


def test_there_are_as_many_vectors_as_promised() -> None:
    assert len(VECTORS) >= 600
