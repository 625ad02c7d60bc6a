"""Every #include runs downwards: from a folder to itself or to one in a lower row."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# From the lowest to the highest. Folders of one row do not include each other; a folder's name covers those within it
# that have no row of their own.
ROWS = [
    ["reference/include", "bindings/adapters"],
    ["reference/model"],
    ["reference/limits"],
    ["reference/files"],
    ["reference/formats"],
    ["reference/formats/onnx", "reference/formats/openvino", "reference/formats/tflite"],
    ["reference/operators"],
    ["reference/check/inference"],
    ["reference/evaluation"],
    ["reference/if"],
    ["reference/check"],
    ["reference/convert", "reference/specialise"],
    ["reference/fuzzing", "reference/package", "reference/tests"],
    ["conformance/drawing", "conformance/fuzz/generator"],
    ["conformance/system"],
    ["conformance/results", "conformance/sandbox"],
    ["conformance/suite"],
    ["conformance/rewritings"],
    ["conformance/runtimes"],
    ["conformance/certify", "conformance/reproduce"],
    ["conformance/report", "conformance/smoke", "conformance/fuzz", "conformance/testing", "bindings/python/native"],
    ["conformance/certificate"],
    ["conformance/commands"],
    ["conformance", "conformance/adapters", "conformance/mutants"],
]
ROW_OF = {folder: number for number, row in enumerate(ROWS) for folder in row}

# What tests of any folder may include.
FOR_TESTS = "conformance/testing"

# Where the builds look: beside the file, and here.
INCLUDED_FROM = [ROOT, ROOT / "reference", ROOT / "reference" / "include", ROOT / "bindings" / "adapters" / "cpp"]
GENERATED = {"formats/tflite/schema_generated.h": "reference/formats/tflite"}


def folder_of(path: Path) -> str:
    """The folder with a row that the file is in."""
    return next(str(parent) for parent in path.relative_to(ROOT).parents if str(parent) in ROW_OF)


def included_folder(source: Path, name: str) -> str | None:
    """The folder of an included file; None where it is not ours."""
    if name in GENERATED:
        return GENERATED[name]
    found = next((folder / name for folder in [source.parent, *INCLUDED_FROM] if (folder / name).is_file()), None)
    return None if found is None else folder_of(found.resolve())


def may_include(folder: str, included: str) -> bool:
    """Whether an include runs downwards, or stays where it is."""
    return folder == included or ROW_OF[included] < ROW_OF[folder]


def sources() -> list[Path]:
    """Every C++ source and header of ours."""
    tops = {folder.split("/")[0] for folder in ROW_OF}
    return sorted(path for top in tops for path in (ROOT / top).rglob("*.[ch]pp") if "build" not in path.parts)


def test_no_include_runs_from_a_lower_folder_to_a_higher_one() -> None:
    upwards = []
    for source in sources():
        folder = folder_of(source)
        for quote, name in re.findall(r'^\s*#\s*include\s*(["<])([^">]+)', source.read_text(), re.MULTILINE):
            included = included_folder(source, name)
            if included is None:
                assert quote == "<", f"{source.relative_to(ROOT)} includes {name}, which is in none of our folders"
            elif not may_include(folder, included) and not (included == FOR_TESTS and source.stem.endswith("_test")):
                upwards.append(f"{source.relative_to(ROOT)} ({folder}) includes {name} ({included})")
    assert upwards == []


def unit_of(path: Path) -> str:
    """What a header and the source of the same name make together."""
    return str(path.relative_to(ROOT).with_suffix(""))


def included_units(source: Path) -> set[str]:
    """The other units that a file of ours includes."""
    names = re.findall(r'^\s*#\s*include\s*["<]([^">]+)', source.read_text(), re.MULTILINE)
    places = [[folder / name for folder in [source.parent, *INCLUDED_FROM]] for name in names]
    found = [next((place for place in looked if place.is_file()), None) for looked in places]
    return {unit_of(place.resolve()) for place in found if place is not None} - {unit_of(source)}


def test_no_two_units_include_each_other() -> None:
    includes: dict[str, set[str]] = {}
    for source in sources():
        includes.setdefault(unit_of(source), set()).update(included_units(source))
    mutual = [(a, b) for a, others in includes.items() for b in others if a < b and a in includes.get(b, set())]
    assert mutual == []


@pytest.mark.parametrize(
    ("folder", "included", "allowed"),
    [
        ("conformance/drawing", "reference/model", True),
        ("conformance/fuzz/generator", "reference/convert", True),
        ("conformance/fuzz/generator", "conformance/fuzz", False),
        ("conformance/fuzz", "conformance/fuzz/generator", True),
        ("conformance/system", "conformance/results", False),
        ("conformance/suite", "conformance/sandbox", True),
        ("conformance/certify", "conformance/reproduce", False),
        ("conformance/report", "conformance/fuzz", False),
        ("bindings/python/native", "conformance/drawing", True),
        ("bindings/python/native", "conformance/runtimes", True),
        ("bindings/python/native", "conformance/fuzz", False),
        ("reference/formats/onnx", "reference/operators", False),
        ("reference/formats/onnx", "reference/formats/tflite", False),
        ("reference/operators", "reference/operators", True),
        ("reference/if", "reference/evaluation", True),
        ("reference/if", "reference/check/inference", True),
        ("reference/if", "reference/check", False),
    ],
)
def test_which_folder_may_include_which(folder: str, included: str, allowed: bool) -> None:
    assert may_include(folder, included) == allowed


def test_a_header_that_a_mutant_includes_is_one_of_the_reference() -> None:
    patches = (ROOT / "conformance" / "mutants").glob("*.patch")
    added = {header for patch in patches for header in re.findall(r'(?m)^\+#include "(.+)"$', patch.read_text())}
    assert added
    assert {header for header in added if not (ROOT / "reference" / header).exists()} == set()
