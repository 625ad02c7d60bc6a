import json
import re
from pathlib import Path

from ifcert.authoring.counts import distinct_models, in_matrix

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()


def test_the_numbers_in_the_readme_are_those_of_the_manifest() -> None:
    vectors = json.loads((ROOT / "vectors" / "manifest.json").read_text())["vectors"]
    rules = {vector["rules"][0] for vector in vectors}
    assert set(re.findall(r"(\d+) vectors", README)) == {str(len(vectors))}
    assert re.findall(r"vectors over (\d+) rules", README) == [str(len(rules))]
    told = []
    for system in ("onnx", "openvino", "tflite"):
        of_if = sum(rule.startswith(f"{system}/if/") for rule in rules)
        others = sum(rule.startswith(f"{system}/") for rule in rules) - of_if
        told.append((str(of_if), str(others), str(sum(vector["system"] == system for vector in vectors))))
    pattern = r"(\d+) rules of If and (\d+) of the [\w, ]+ around it, with (\d+) of the vectors"
    assert re.findall(pattern, README) == told


def test_the_numbers_of_operators_in_the_readme_are_those_of_the_tables() -> None:
    kernels = ROOT / "reference" / "kernels"
    tables = [(kernels / f"{system}_table.cpp").read_text() for system in ("onnx", "openvino", "tflite")]
    operators = [set(re.findall(r'\{"([A-Z][A-Za-z0-9_]+)", \d+', table)) for table in tables]
    assert re.findall(r"(\d+) operators", README) == [str(len(names)) for names in operators]


def test_the_number_of_mutants_in_the_readme_is_that_of_the_patches() -> None:
    patches = list((ROOT / "conformance" / "mutants").glob("*.patch"))
    assert re.findall(r"(\d+) mutants", README) == [str(len(patches) - 1)]  # one is the control


def test_the_readme_says_how_many_models_are_distinct_and_how_many_vectors_are_of_the_matrix() -> None:
    vectors = ROOT / "vectors"
    assert re.findall(r"(\d+) distinct models", README) == [str(distinct_models(vectors))]
    assert re.findall(r"(\d+) of the vectors are one matrix", README) == [str(in_matrix(vectors))]
