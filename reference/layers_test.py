"""Every #include runs downwards: from a folder to itself or to one in a lower row."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# From the lowest to the highest. Folders of one row do not include each other; a folder's name covers those within it
# that have no row of their own.
ROWS = [
    ["reference/include", "bindings/adapters"],
    ["reference"],
    ["reference/formats"],
    ["reference/formats/onnx", "reference/formats/openvino", "reference/formats/tflite"],
    ["reference/kernels"],
    ["reference/inference"],
    ["reference/rules", "reference/evaluation"],
    ["reference/translate"],
    ["reference/standalone", "reference/package"],
    ["generator"],
    ["files"],
    ["drawing"],
    ["conformance"],
    ["conformance/report", "conformance/fuzz", "conformance/adapters", "conformance/mutants", "bindings/python/native"],
    ["conformance/commands"],
]
ROW_OF = {folder: number for number, row in enumerate(ROWS) for folder in row}

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
            elif not may_include(folder, included):
                upwards.append(f"{source.relative_to(ROOT)} ({folder}) includes {name} ({included})")
    assert upwards == []


@pytest.mark.parametrize(
    ("folder", "included", "allowed"),
    [
        ("drawing", "reference", True),
        ("generator", "reference/translate", True),
        ("generator", "conformance", False),
        ("conformance/fuzz", "generator", True),
        ("conformance", "conformance/fuzz", False),
        ("bindings/python/native", "drawing", True),
        ("bindings/python/native", "conformance", True),
        ("bindings/python/native", "conformance/fuzz", False),
        ("reference/formats/onnx", "reference/kernels", False),
        ("reference/formats/onnx", "reference/formats/tflite", False),
        ("reference/kernels", "reference/kernels", True),
    ],
)
def test_which_folder_may_include_which(folder: str, included: str, allowed: bool) -> None:
    assert may_include(folder, included) == allowed
