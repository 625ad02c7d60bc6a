"""README.md and docs/architecture.md state the numbers of the data, and show the code as it is."""

import re
import subprocess
from pathlib import Path
from textwrap import dedent, indent

import pytest
from ifcert.authoring.counts import distinct_models, in_matrix
from vector_lines import read_vectors

ROOT = Path(__file__).resolve().parents[1]


def prose_of(page: Path) -> str:
    """The page on one line, without code blocks."""
    return " ".join(re.sub(r"(?m)^ {4}.*$", "", page.read_text()).split())


README = prose_of(ROOT / "README.md")
ARCHITECTURE = prose_of(ROOT / "docs" / "architecture.md")
VECTORS = list(read_vectors())
RULES = {vector["rules"][0] for vector in VECTORS}
SYSTEMS = ("onnx", "openvino", "tflite")
PAGES = pytest.mark.parametrize("page", [README, ARCHITECTURE], ids=["README.md", "architecture.md"])


def vectors_of(system: str) -> int:
    return sum(vector["system"] == system for vector in VECTORS)


def numbers(pattern: str, page: str) -> list[int]:
    return [int(number) for number in re.findall(pattern, page)]


@PAGES
def test_the_number_of_vectors_is_that_of_the_manifest(page: str) -> None:
    assert set(numbers(r"(\d+) vectors", page)) == {len(VECTORS)}


def test_the_readme_counts_rules_and_vectors_by_system() -> None:
    assert numbers(r"vectors over (\d+) rules", README) == [len(RULES)]
    pattern = r"(\d+) rules of If and (\d+) of the [\w, ]+ around it, with (\d+) of the vectors"
    counted = []
    for system in SYSTEMS:
        of_if = sum(rule.startswith(f"{system}/if/") for rule in RULES)
        others = sum(rule.startswith(f"{system}/") for rule in RULES) - of_if
        counted.append((str(of_if), str(others), str(vectors_of(system))))
    assert re.findall(pattern, README) == counted


def test_architecture_counts_rules_and_vectors_by_system() -> None:
    assert numbers(r"(\d+) rules", ARCHITECTURE) == [len(RULES)]
    by_system = r"\((\d+) of ONNX, (\d+) of OpenVINO, (\d+) of TensorFlow Lite and Circle\)"
    assert re.findall(by_system, ARCHITECTURE) == [tuple(str(vectors_of(system)) for system in SYSTEMS)]


def test_the_numbers_of_operators_are_those_of_the_tables() -> None:
    operators = ROOT / "reference" / "operators"
    tables = [(operators / f"{system}_table.cpp").read_text() for system in SYSTEMS]
    counts = [len(set(re.findall(r'\{"([A-Z][A-Za-z0-9_]+)", \d+', table))) for table in tables]
    assert numbers(r"(\d+) operators", README) == counts
    by_system = r"(\d+) operators of ONNX, (\d+) of OpenVINO and (\d+) of TensorFlow Lite"
    assert re.findall(by_system, ARCHITECTURE) == [tuple(str(count) for count in counts)]


@PAGES
def test_the_number_of_mutants_is_that_of_the_patches(page: str) -> None:
    patches = [path.read_text() for path in (ROOT / "conformance" / "mutants").glob("*.patch")]
    heads = re.findall(r"(?m)^Mutant: ", "".join(patches))
    assert numbers(r"(\d+) mutants", page) == [len(heads) - 1]  # one is the control


def test_architecture_counts_the_adapters() -> None:
    adapters = list((ROOT / "conformance" / "adapters").glob("*/adapter.json"))
    folder = ROOT / "conformance" / "testing" / "faulty_adapters"
    programs = [path.read_text() for path in folder.glob("*.py")]
    trials = [name for text in programs for name in re.findall(r"(?m)^class (\w+)\((?!object)", text) or ["one"]]
    assert numbers(r"(\d+) adapters of runtimes", ARCHITECTURE) == [len(adapters)]
    assert numbers(r"(\d+) adapters that test the runner", ARCHITECTURE) == [len(trials)]


def test_the_readme_says_how_many_models_are_distinct_and_how_many_vectors_are_of_the_matrix() -> None:
    vectors = ROOT / "vectors"
    assert numbers(r"(\d+) distinct models", README) == [distinct_models(vectors)]
    assert numbers(r"(\d+) of the ONNX vectors are one matrix", README) == [in_matrix(vectors)]


def test_architecture_shows_the_code_that_evaluates_if() -> None:
    [shown] = re.findall(r"(?ms)^  ```cpp\n(.*?)^  ```$", (ROOT / "docs" / "architecture.md").read_text())
    assert indent(dedent(shown), "  ") in (ROOT / "reference" / "if" / "evaluate_if.cpp").read_text()


def test_the_reading_order_of_the_reference_names_its_files_and_is_as_long_as_it_says() -> None:
    text = (ROOT / "reference" / "README.md").read_text()
    order = text.split("## If in an hour")[1].split("## The rooms")[0]
    files = re.findall(r"(?m)^\| \[([\w./]+)\]\(\1\) \|", order)
    assert len(files) > 10
    lines = sum(len((ROOT / "reference" / file).read_text().splitlines()) for file in files)
    [said] = re.findall(r"about ([\d ]+) lines in all", order)
    assert abs(lines - int(said.replace(" ", ""))) < 100


@pytest.mark.parametrize("page", ["architecture.md", "runner.md"])
def test_files_and_folders_that_a_page_names_are_there(page: str) -> None:
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = {f"/{path}" for path in listing.splitlines()}
    words = set(re.findall(r"`([\w./-]+(?:\.[ch]pp|/))`", (ROOT / "docs" / page).read_text()))
    assert words
    missing = [
        word
        for word in words
        if not any(f"/{word}" in path if word[-1] == "/" else path.endswith(f"/{word}") for path in paths)
    ]
    assert missing == []
