"""An engine that cleans names fails in every place that a name has: where two values become one, a run shows it."""

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import onnx
import pytest
from ifcert.authoring.catalogue import read_catalogue
from ifcert.authoring.models import edited, respelled
from ifcert.authoring.tflite import TfliteModel
from ifcert.authoring.tflite_text import parsed
from onnx import GraphProto, ModelProto
from onnx.reference import ReferenceEvaluator
from vector_lines import model_of, read_vectors

HERE = Path(__file__).parent
ENTRIES = list(read_vectors())

# What tools do to names.
CLEANINGS: dict[str, Callable[[str], str]] = {
    "punctuation becomes _": lambda name: re.sub(r"\W", "_", name, flags=re.ASCII),
    "punctuation goes": lambda name: re.sub(r"[\W_]", "", name, flags=re.ASCII),
    "cut at the colon": lambda name: name.partition(":")[0],
    "the last part": lambda name: re.split(r"[/:;]+", name)[-1],
    "no slash in front": lambda name: name.lstrip("/"),
    "trimmed": str.strip,
    "one case": str.lower,
    "ASCII alone": lambda name: name.encode("ascii", "replace").decode(),
    "a number": lambda name: str(int(name)) if name.isdigit() else name,
}


def differing(system: str) -> list[dict]:
    return [entry for entry in ENTRIES if entry["system"] == system and "-that-differ-in-" in entry["id"]]


def graphs(graph: GraphProto, operator: str, attribute: str = "") -> Iterator[GraphProto]:
    """The graphs of the operator's nodes, at any depth."""
    for node in graph.node:
        for each in node.attribute:
            if each.HasField("g"):
                if node.op_type == operator and attribute in ("", each.name):
                    yield each.g
                yield from graphs(each.g, operator, attribute)


def all_graphs(m: ModelProto) -> Iterator[GraphProto]:
    for operator in ("If", "Loop", "Scan"):
        yield from graphs(m.graph, operator)


def made(graph: GraphProto) -> set[str]:
    """What nodes make that the graph does not return."""
    returned = {info.name for info in graph.output}
    return {name for node in graph.node if node.op_type != "If" for name in node.output} - returned


def named(held: object) -> set[str]:
    return {each.name for each in held}  # type: ignore[attr-defined]


# The names that a model has in each place.
PLACES: dict[str, Callable[[ModelProto], set[str]]] = {
    "main inputs": lambda m: named(m.graph.input),
    "initializers": lambda m: named(m.graph.initializer),
    "nodes' results": lambda m: made(m.graph),
    "declared values": lambda m: named(m.graph.value_info),
    "the If's results": lambda m: (
        {name for node in m.graph.node if node.op_type == "If" for name in node.output} - named(m.graph.output)
    ),
    "main outputs": lambda m: named(m.graph.output),
    "initializers of branches": lambda m: {name for g in graphs(m.graph, "If") for name in named(g.initializer)},
    "nodes' results in branches": lambda m: {name for g in graphs(m.graph, "If") for name in made(g)},
    "branches' outputs": lambda m: {name for g in graphs(m.graph, "If") for name in named(g.output)},
    "inputs of a Loop's body": lambda m: {name for g in graphs(m.graph, "Loop") for name in named(g.input)},
    "outputs of a Loop's body": lambda m: {name for g in graphs(m.graph, "Loop") for name in named(g.output)},
    "inputs of a Scan's body": lambda m: {name for g in graphs(m.graph, "Scan") for name in named(g.input)},
    "a function's inputs": lambda m: {name for f in m.functions for name in f.input},
    "a function's outputs": lambda m: {name for f in m.functions for name in f.output},
    "values of a function": lambda m: {
        name for f in m.functions for node in f.node for name in node.output if node.op_type == "Identity"
    },
    "a function's attributes": lambda m: {name for f in m.functions for name in f.attribute},
    "functions": lambda m: named(m.functions),
    "domains of functions": lambda m: {f.domain for f in m.functions},
}
# Where the engine of this test pays no attention to names, two that become equal are all that can be shown.
UNSEEN: dict[str, Callable[[ModelProto], set[str]]] = {
    "overloads": lambda m: {f.overload for f in m.functions},
    "nodes in branches": lambda m: {name for g in graphs(m.graph, "If") for name in named(g.node)},
    "graphs": lambda m: {g.name for g in all_graphs(m)},
    "variables of dims": lambda m: {
        dim.dim_param for info in m.graph.input for dim in info.type.tensor_type.shape.dim if dim.dim_param
    },
}


def tensor(held: dict) -> np.ndarray:
    kind = {"float32": np.float32, "bool": np.bool_}[held["type"]]
    return np.frombuffer(base64.b64decode(held["data"]), kind).reshape(held["shape"])


@cache
def onnx_models() -> list[tuple[ModelProto, list[dict]]]:
    """The models and their runs."""
    found = []
    for entry in differing("onnx"):
        found.append((onnx.load(model_of(entry)), [step["run"] for step in entry["steps"] if "run" in step]))
    return found


def computes(m: ModelProto, runs: list[dict], names: Mapping[str, str]) -> bool:
    """Whether the model gives what is expected, where these names are other ones, for the engine and who feeds it."""
    try:
        session = ReferenceEvaluator(edited(m, respelled(lambda name: names.get(name, name))))
        for run in runs:
            fed = {names.get(each["name"], each["name"]): tensor(each["value"]) for each in run["inputs"]}
            results = session.run(None, fed)
            expected = [tensor(each["value"]) for each in run["expect"]["outputs"]]
            if not all(np.array_equal(a, b) for a, b in zip(results, expected, strict=True)):
                return False
    except Exception:  # whatever the engine says of a model that has become another
        return False
    return True


def collide(names: set[str], cleaning: str) -> bool:
    clean = CLEANINGS[cleaning]
    return len({clean(name) for name in names}) < len(names)


@pytest.mark.parametrize("cleaning", CLEANINGS)
@pytest.mark.parametrize("place", PLACES)
def test_cleaning_the_names_of_one_place_is_noticed(place: str, cleaning: str) -> None:
    noticed = 0
    for m, runs in onnx_models():
        names = PLACES[place](m)
        if collide(names, cleaning) and not computes(m, runs, {name: CLEANINGS[cleaning](name) for name in names}):
            assert computes(m, runs, {name: f"{name}!" for name in names}), "names that stay different change nothing"
            noticed += 1
    assert noticed, f"no vector notices that of {place} {cleaning}"


@pytest.mark.parametrize("cleaning", CLEANINGS)
@pytest.mark.parametrize("place", UNSEEN)
def test_cleaning_makes_names_of_every_other_place_equal(place: str, cleaning: str) -> None:
    assert any(collide(UNSEEN[place](m), cleaning) for m, _ in onnx_models())


def layers(vector: dict) -> dict[str, set[str]]:
    """The names in an IR file by their place."""
    net = ElementTree.parse(model_of(vector)).getroot()
    main, inner = net.findall("layers/layer"), net.findall(".//then_body/layers/layer")
    return {
        "Parameters": {
            port.get("names", "") for each in main if each.get("type") == "Parameter" for port in each.iter("port")
        },
        "Ifs": {each.get("name", "") for each in main if each.get("type") == "If"},
        "outputs of the If": {port.get("names", "") for each in main for port in each.findall("output/port")},
        "Parameters of a body": {each.get("name", "") for each in inner if each.get("type") == "Parameter"},
        "constants of a body": {each.get("name", "") for each in inner if each.get("type") == "Const"},
    }


@cache
def texts() -> dict[str, str]:
    """The text of each TensorFlow Lite model, as its author wrote it."""
    vectors = read_catalogue(HERE / "tflite")
    return {vector.id: vector.model.text for vector in vectors if isinstance(vector.model, TfliteModel)}


def tensors(vector: dict) -> dict[str, set[str]]:
    """The names in a TensorFlow Lite file by their place."""
    model = parsed(texts()[vector["id"]])
    primary, then = model.subgraphs[:2]
    return {
        "inputs": {primary.tensors[label].name for label in primary.inputs},
        "outputs": {primary.tensors[label].name for label in primary.outputs},
        "inputs of a subgraph": {then.tensors[label].name for label in then.inputs},
        "outputs of a subgraph": {then.tensors[label].name for label in then.outputs},
        "constants of a subgraph": {each.name for each in then.tensors.values() if each.literal},
        "subgraphs": {each.attributes.get("name", each.label).strip('"') for each in model.subgraphs},
        "entries of a signature": {name for each in model.signatures for name in each.inputs},
    }


@pytest.mark.parametrize("cleaning", CLEANINGS)
@pytest.mark.parametrize(("system", "names_of"), [("openvino", layers), ("tflite", tensors)])
def test_cleaning_makes_names_of_the_other_formats_equal(
    system: str, names_of: Callable[[dict], dict[str, set[str]]], cleaning: str
) -> None:
    found: dict[str, bool] = {}
    for entry in differing(system):
        for place, names in names_of(entry).items():
            found[place] = found.get(place, False) or collide(names, cleaning)
    assert not [place for place, collides in found.items() if not collides]
