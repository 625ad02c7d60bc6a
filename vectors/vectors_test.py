"""Consistency of the committed vectors."""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import onnx
import pytest
from onnx import FunctionProto, GraphProto, numpy_helper
from vector_lines import model_of, read_vector, read_vectors

HERE = Path(__file__).parent
ENTRIES = list(read_vectors())


def outcomes(vector: dict[str, Any]) -> list[dict[str, Any]]:
    steps = [next(iter(step.values())) for step in vector["steps"]]
    return [each["expect"] for step in steps for each in step.get("runs", [step])]


def must_accept(vector: dict[str, Any]) -> bool:
    return not any("refused" in outcome or "either" in outcome for outcome in outcomes(vector))


ONNX = [entry for entry in ENTRIES if entry["system"] == "onnx"]
ACCEPTED = [entry for entry in ONNX if must_accept(entry)]


def test_the_committed_files_are_what_the_generator_writes() -> None:
    done = subprocess.run([HERE.parent / "scripts" / "generate_vectors", "--check"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr


ROOMS = {
    *("captures", "choice", "crosses", "file", "folding", "functions", "loops", "names"),
    *("nesting", "outputs", "sessions", "shapes", "types", "unreached"),
}


@pytest.mark.parametrize("system", ["onnx", "openvino", "tflite"])
def test_a_family_lies_in_a_room_by_its_subject_with_at_most_fourteen_others(system: str) -> None:
    families = Counter(path.parent.name for path in (HERE / system).glob("*/*.py"))
    assert families.keys() <= ROOMS
    assert max(families.values()) <= 15


def test_the_page_describes_every_room() -> None:
    page = (HERE.parent / "docs" / "vectors.md").read_text()
    assert set(re.findall(r"^\| `([a-z]+)` \|", page, re.MULTILINE)) == ROOMS


# Models that the checker wrongly refuses; docs/deviations/onnx-checker.md explains why that is wrong.
LISTED = json.loads((HERE.parent / "conformance" / "adapters" / "onnx-checker" / "known_failures.json").read_text())
WRONGLY_REFUSED = {each["vector"] for each in LISTED["failures"] if each.get("fault") == "wrongly-refused"}
# Some of the cross it is not asked about, as they are held or run concurrently.
OF_THE_CROSS = {"returns": "initializer", "declared": "untyped"}


def is_wrongly_refused(entry: dict[str, Any]) -> bool:
    return entry["id"] in WRONGLY_REFUSED or entry.get("coordinates", {}).items() >= OF_THE_CROSS.items()


@pytest.mark.parametrize("entry", ACCEPTED, ids=lambda entry: entry["id"])
def test_a_model_that_must_be_accepted_passes_the_official_checker(entry: dict[str, Any]) -> None:
    model = str(model_of(entry))
    if not is_wrongly_refused(entry):
        onnx.checker.check_model(model, full_check=True)
        return
    with pytest.raises((onnx.checker.ValidationError, onnx.shape_inference.InferenceError)):
        onnx.checker.check_model(model, full_check=True)


@pytest.mark.parametrize("entry", ACCEPTED, ids=lambda entry: entry["id"])
def test_a_model_that_must_be_accepted_has_no_graph_name_twice(entry: dict[str, Any]) -> None:
    model = onnx.load(model_of(entry), load_external_data=False)
    names = Counter(graph.name for body in (model.graph, *model.functions) for graph in graphs(body))
    assert [name for name, count in names.items() if count > 1] == []


def graphs(body: GraphProto | FunctionProto) -> Iterator[GraphProto]:
    if isinstance(body, GraphProto):
        yield body
    for node in body.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from graphs(attribute.g)


def test_the_two_examples_of_the_page_of_if_13_are_vectors() -> None:
    for case, cond, expected in [
        ("then-when-true/test-cc-if", b"\1", [1, 2]),
        ("else-when-false/test-cc-if-else", b"\0", [3, 4]),
    ]:
        vector = read_vector(f"onnx/if/{case}")
        model = onnx.load(model_of(vector))
        assert [(entry.domain, entry.version) for entry in model.opset_import] == [("", 13)]
        run = vector["steps"][1]["run"]
        assert run["inputs"] == [{"name": "cond", "value": tensor("bool", [], cond)}]
        assert run["expect"] == {"outputs": [{"name": "res", "value": tensor("float32", [2], floats(expected))}]}
        branches = {attribute.name: attribute.g for attribute in model.graph.node[0].attribute}
        for name, values in {"then_branch": [1, 2], "else_branch": [3, 4]}.items():
            assert numpy_helper.to_array(branches[name].node[0].attribute[0].t).tolist() == values


def tensor(type_: str, shape: list[int], data: bytes) -> dict[str, Any]:
    from base64 import b64encode

    return {"kind": "tensor", "type": type_, "shape": shape, "data": b64encode(data).decode()}


def floats(values: list[int]) -> bytes:
    return np.array(values, "<f4").tobytes()


@pytest.mark.parametrize(("system", "count"), [("onnx", 40), ("openvino", 30), ("tflite", 12)])
def test_every_rule_of_if_has_a_vector(system: str, count: int) -> None:
    table = json.loads((HERE / system / "sentences.json").read_text())
    rules = {rule["id"] for rule in table["rules"] if rule["id"].startswith(f"{system}/if/")}
    assert len(rules) >= count
    assert sorted(rules - {entry["rules"][0] for entry in ENTRIES}) == []


def test_there_are_as_many_vectors_and_rules_as_promised() -> None:
    assert len(ENTRIES) >= 600
    assert len({entry["rules"][0] for entry in ENTRIES}) >= 61


# Our own pages state how we read files, not what others must do.
OWN = "ifcert, "


@pytest.mark.parametrize(
    "entry", [entry for entry in ENTRIES if entry["axis"] != "open"], ids=lambda entry: entry["id"]
)
def test_what_is_demanded_stands_in_a_public_text(entry: dict[str, Any]) -> None:
    sources = [why["source"] for why in entry["why"] if "source" in why]
    assert any(not source.startswith(OWN) for source in sources)


def test_no_two_vectors_have_the_same_model_files_and_steps() -> None:
    alike: dict[str, list[str]] = {}
    for entry in ENTRIES:
        files = [sorted(entry["files"].values()), entry["steps"]]
        alike.setdefault(json.dumps(files, sort_keys=True), []).append(entry["id"])
    assert [ids for ids in alike.values() if len(ids) > 1] == []


def test_a_withdrawn_id_is_not_used_again_and_what_replaces_it_is_there() -> None:
    withdrawn = json.loads((HERE / "withdrawn.json").read_text())
    jsonschema.validate(withdrawn, json.loads((HERE / "schemas" / "withdrawn.schema.json").read_text()))
    ids = {entry["id"] for entry in ENTRIES}
    rows = withdrawn["withdrawn"]
    assert len({row["id"] for row in rows}) == len(rows)
    assert [row["id"] for row in rows if row["id"] in ids or row["replaced_by"] not in ids] == []
