"""Tests of the generated files, on a small catalogue of its own."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from ifcert.authoring.__main__ import main
from ifcert.authoring.vector_files import file_of, placed, read_vectors

VECTORS = Path(__file__).parents[4] / "vectors"

CATALOGUE = '''
"""A small catalogue."""
from collections.abc import Iterator
import numpy as np
from ifcert.authoring import Run, Source, Vector, else_of, model, then_of

CHOICE = model("""
    g (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = t () => (float[2] a) { a = Neg (x) },
            else_branch = e () => (float[2] b) { b = Abs (x) }>
    }""")

def two(m):
    then_of(m).output.append(else_of(m).output[0])

def vectors() -> Iterator[Vector]:
    x = np.float32([1, -2])
    good = Vector("onnx/if/output-count/one", "one each", [Source("a text", "a sentence")], CHOICE,
                  [Run({"cond": np.True_, "x": x}, {"y": -x})], files={"extra.bin": b"123"})
    yield good
    yield good.broken("onnx/if/output-count/two: then has two", two, files={})
    yield good.broken("onnx/if/output-count/also-two: then has two, and a file", two)
    yield good.varied("onnx/if/output-count/two-runs: the same model, run twice", runs=2 * good.runs)
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(VECTORS / "schemas", tmp_path / "schemas")
    (tmp_path / "onnx" / "choice").mkdir(parents=True)
    (tmp_path / "onnx" / "choice" / "small.py").write_text(CATALOGUE)
    return tmp_path


def generate(root: Path, *options: str) -> int:
    return main(["--root", str(root), *options])


def files_of(root: Path) -> dict[str, bytes]:
    generated = [*(root / "onnx" / "generated").rglob("*"), root / "manifest.json"]
    return {str(path.relative_to(root)): path.read_bytes() for path in generated if path.is_file()}


def test_a_vector_is_a_line_of_its_rule_and_its_model_is_named_after_its_case(root: Path) -> None:
    assert generate(root) == 0
    folder = root / "onnx" / "generated" / "if" / "output-count"
    lines = (folder / "vectors.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"].rpartition("/")[2] for line in lines] == ["also-two", "one", "two", "two-runs"]
    assert sorted(path.name for path in folder.iterdir()) == ["one", "two.onnx", "vectors.jsonl"]


def test_files_that_a_model_names_lie_in_a_folder_with_it(root: Path) -> None:
    generate(root)
    _, one, two, _ = read_vectors(root)
    assert (one["model"], list(one["files"])) == ("one/one.onnx", ["one/extra.bin", "one/one.onnx"])
    assert (two["model"], list(two["files"])) == ("two.onnx", ["two.onnx"])


def test_models_that_name_the_same_files_share_the_folder_of_the_first_that_is_accepted(root: Path) -> None:
    generate(root)
    refused, *_ = read_vectors(root)
    assert (refused["model"], list(refused["files"])) == ("one/also-two.onnx", ["one/also-two.onnx", "one/extra.bin"])


def test_vectors_of_a_rule_with_the_same_model_share_its_files(root: Path) -> None:
    generate(root)
    _, one, _, twice = read_vectors(root)
    assert (twice["model"], twice["files"]) == (one["model"], one["files"])


def test_the_weights_of_ir_lie_beside_its_xml_under_its_name() -> None:
    files = {"model.xml": b"x", "model.bin": b"w"}
    assert placed("deep", files) == {"deep.xml": b"x", "deep.bin": b"w"}


def test_a_changed_vector_is_one_changed_line(root: Path) -> None:
    generate(root)
    lines = root / "onnx/generated/if/output-count/vectors.jsonl"
    before = lines.read_text().splitlines()
    changed_source(root)
    generate(root)
    after = lines.read_text().splitlines()
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, False, True, True]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_manifest_has_the_digests_of_the_lines_which_have_those_of_the_models(root: Path) -> None:
    generate(root)
    lines = "onnx/generated/if/output-count/vectors.jsonl"
    assert json.loads((root / "manifest.json").read_text()) == {"format": 5, "files": {lines: digest(root / lines)}}
    for vector in read_vectors(root):
        assert vector["source"] == "vectors/onnx/choice/small.py"
        assert {name: digest(file_of(root, vector, name)) for name in vector["files"]} == vector["files"]


def test_nothing_but_the_files_stays_behind(root: Path) -> None:
    generate(root)
    assert sorted(path.name for path in root.iterdir()) == ["manifest.json", "onnx", "schemas"]
    assert sorted(path.name for path in (root / "onnx").iterdir()) == ["choice", "generated"]


def test_two_processes_with_other_hash_seeds_write_the_same_bytes(root: Path) -> None:
    written = []
    for seed in ("1", "2"):
        command = [sys.executable, "-m", "ifcert.authoring", "--root", str(root)]
        path = os.pathsep.join(sys.path)
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path})
        written.append(files_of(root))
    assert written[0] == written[1]


def test_check_is_content_with_what_was_generated(root: Path) -> None:
    generate(root)
    assert generate(root, "--check") == 0


def changed_byte(root: Path) -> None:
    path = root / "onnx/generated/if/output-count/one/one.onnx"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def missing_file(root: Path) -> None:
    (root / "onnx/generated/if/output-count/two.onnx").unlink()


def missing_manifest(root: Path) -> None:
    (root / "manifest.json").unlink()


def stray_file(root: Path) -> None:
    (root / "onnx/generated/if/output-count/one/notes.txt").write_text("mine")


def stray_folder(root: Path) -> None:
    (root / "onnx/generated/if/output-count/three").mkdir()


def changed_source(root: Path) -> None:
    path = root / "onnx" / "choice" / "small.py"
    path.write_text(path.read_text().replace("one each", "one apiece"))


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (changed_byte, "differs: onnx/generated/if/output-count/one/one.onnx"),
        (missing_file, "missing: onnx/generated/if/output-count/two.onnx"),
        (missing_manifest, "missing: manifest.json"),
        (stray_file, "not generated: onnx/generated/if/output-count/one/notes.txt"),
        (stray_folder, "not generated: onnx/generated/if/output-count/three"),
        (changed_source, "differs: onnx/generated/if/output-count/vectors.jsonl"),
    ],
)
def test_check_names_each_difference(
    root: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Path], None], difference: str
) -> None:
    generate(root)
    change(root)
    before = files_of(root)
    assert generate(root, "--check") == 1
    assert difference in capsys.readouterr().out.splitlines()
    assert files_of(root) == before


def test_generating_again_mends_every_difference(root: Path) -> None:
    generate(root)
    for change in (changed_byte, missing_file, stray_file, stray_folder):
        change(root)
    assert generate(root) == 0
    assert generate(root, "--check") == 0
    assert not (root / "onnx/generated/if/output-count/three").exists()


def test_a_rule_that_is_not_in_the_list_is_refused_and_nothing_is_written(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "rules").write_text("onnx/if/one-input\n")
    assert generate(root, "--rules", str(root / "rules")) == 1
    assert "onnx/if/output-count/one: there is no rule onnx/if/output-count" in capsys.readouterr().err
    assert not (root / "manifest.json").exists()


def test_a_family_outside_a_room_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "onnx" / "choice" / "small.py").rename(root / "onnx" / "small.py")
    assert generate(root) == 1
    assert f"{root}/onnx/small.py: a family of vectors lies in a room" in capsys.readouterr().err


def test_a_title_that_the_schema_does_not_allow_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = root / "onnx" / "choice" / "small.py"
    path.write_text(path.read_text().replace('"one each"', '""'))
    assert generate(root) == 1
    assert "onnx/if/output-count/one: $.title:" in capsys.readouterr().err


def unknown_members(document: object, place: str = "$") -> list[tuple[str, object]]:
    """The document with one unknown member added, once for every object in it."""
    found: list[tuple[str, object]] = []
    if isinstance(document, dict):
        found.append((place, {**document, "surprise": 1}))
        for key, inner in document.items():
            found += [
                (where, {**document, key: changed}) for where, changed in unknown_members(inner, f"{place}.{key}")
            ]
    if isinstance(document, list):
        for index, inner in enumerate(document):
            for where, changed in unknown_members(inner, f"{place}[{index}]"):
                found.append((where, [*document[:index], changed, *document[index + 1 :]]))
    return found


@pytest.mark.parametrize(
    "case", ["then-when-true/test-cc-if", "value-unchanged/optional-sequence", "output-repeated/same-name-twice"]
)
def test_the_schema_refuses_an_unknown_member_anywhere_in_a_line(case: str) -> None:
    validator = Draft7Validator(json.loads((VECTORS / "schemas" / "vector.schema.json").read_text()))
    document = next(vector for vector in read_vectors(VECTORS) if vector["id"] == f"onnx/if/{case}")
    assert validator.is_valid(document)
    accepted = [place for place, changed in unknown_members(document) if validator.is_valid(changed)]
    assert accepted == []


def test_the_schema_refuses_an_unknown_member_in_the_manifest() -> None:
    validator = Draft7Validator(json.loads((VECTORS / "schemas" / "manifest.schema.json").read_text()))
    document = json.loads((VECTORS / "manifest.json").read_text())
    assert validator.is_valid(document)
    assert not any(validator.is_valid(changed) for _, changed in unknown_members(document))
