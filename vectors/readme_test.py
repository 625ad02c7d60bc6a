import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()


def test_the_numbers_in_the_readme_are_those_of_the_manifest() -> None:
    vectors = json.loads((ROOT / "vectors" / "manifest.json").read_text())["vectors"]
    rules = {vector["rules"][0] for vector in vectors}
    of_if = sum(rule.startswith("onnx/if/") for rule in rules)
    assert set(re.findall(r"(\d+) vectors", README)) == {str(len(vectors))}
    assert re.findall(r"vectors over (\d+) rules", README) == [str(len(rules))]
    assert re.findall(r"(\d+) rules of If and (\d+) of the model", README) == [(str(of_if), str(len(rules) - of_if))]


def test_the_number_of_operators_in_the_readme_is_that_of_the_table() -> None:
    table = (ROOT / "reference" / "kernels" / "onnx_table.cpp").read_text()
    operators = set(re.findall(r'\{"([A-Z][A-Za-z]+)", \d+', table))
    assert re.findall(r"(\d+) operators", README) == [str(len(operators))]
