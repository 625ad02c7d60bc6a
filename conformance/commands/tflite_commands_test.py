"""The commands on models, on TensorFlow Lite and Circle: vectors, and models that TensorFlow's converter wrote."""

import json
import os
import re
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pytest
from ifcert import EvaluationError, load
from ifcert.authoring.tflite import TfliteModel, replaced, tflite

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
GENERATED = ROOT / "vectors" / "tflite" / "generated"
CONVERTED = ROOT / "reference" / "tests" / "e2e" / "tflite_files" / "converted.zip"
CHOICE = GENERATED / "if" / "else-when-false" / "rfc-example.tflite"
CIRCLE = GENERATED / "file" / "identifier" / "cir0.circle"
BROKEN = GENERATED / "if" / "outputs-positional" / "then-gives-more.tflite"
RECURSIVE = GENERATED / "if" / "no-recursion" / "each-other.tflite"
SHARED = GENERATED / "subgraph" / "shared" / "by-two-ifs.tflite"


def ifcert(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the command; its output is text."""
    return subprocess.run([IFCERT, *map(str, arguments)], capture_output=True, text=True, timeout=60)


def real(name: str, folder: Path) -> Path:
    """A model that TensorFlow's converter wrote, unpacked into the folder."""
    with zipfile.ZipFile(CONVERTED) as archive:
        return Path(archive.extract(f"{name}.tflite", folder))


def drawn(model: Path, folder: Path) -> list[str]:
    """The picture in each form."""
    for suffix in ("dot", "svg", "html"):
        run = ifcert("show", model, "-o", folder / f"model.{suffix}")
        assert (run.returncode, run.stderr) == (0, "")
    return [(folder / f"model.{suffix}").read_text() for suffix in ("dot", "svg", "html")]


def test_check_names_the_subgraph_and_the_operator() -> None:
    for legal in (CHOICE, CIRCLE):
        assert ifcert("check", legal).stdout == f"{legal}: no rule broken\n"
    run = ifcert("check", BROKEN)
    assert run.returncode == 1
    assert (
        'subgraph 0 "main" / operator 0 (If): then_subgraph has 3 outputs, else_subgraph 2, and the operator 2 '
        "[tflite/if/outputs-positional]" in run.stdout
    )
    assert "expected: the same number for all three" in run.stdout


def test_check_prints_json_and_sarif() -> None:
    files = json.loads(ifcert("check", CHOICE, BROKEN, "--format", "json").stdout)["files"]
    assert [[finding["rule"] for finding in file["findings"]] for file in files] == [
        [],
        ["tflite/if/outputs-positional"],
    ]
    log = json.loads(ifcert("check", CHOICE, BROKEN, "--format", "sarif").stdout)
    assert [finding["ruleId"] for finding in log["runs"][0]["results"]] == ["tflite/if/outputs-positional"]


@pytest.mark.parametrize("suffix", ["tflite", "circle"])
def test_a_file_that_is_not_a_model_cannot_be_read(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"model.{suffix}").write_bytes(CHOICE.read_bytes()[:100])
    for command in ("check", "run", "show"):
        run = ifcert(command, tmp_path / f"model.{suffix}")
        assert (run.returncode, run.stdout) == (2, "")
        assert "tflite/file/well-formed" in run.stderr


def test_run_evaluates_and_traces_the_subgraph_taken() -> None:
    for a, taken, value in (("[2]", "then_subgraph", 5), ("[4]", "else_subgraph", 12)):
        run = ifcert("run", CHOICE, "--input", f"a={a}", "--input", "b=[3]", "--trace")
        assert (run.returncode, run.stdout) == (0, f"y: float32[1] [{value}]\n")
        assert run.stderr == f'subgraph 0 "main" / operator 1 (If): {taken}\n'


def test_run_traces_an_if_in_a_trip_of_a_loop(tmp_path: Path) -> None:
    run = ifcert("run", real("cond_in_while", tmp_path), "--input", "n=6", "--trace")
    assert run.returncode == 0, run.stderr
    places = [line.rsplit(": ", 1)[0] for line in run.stderr.splitlines()]
    assert len(places) > 1
    trips = [f'subgraph 0 "main" / operator 0 (While) / body_subgraph (trip {i}) / operator 3 (If)' for i in range(100)]
    assert places == trips[: len(places)]


def test_run_refuses_a_model_that_breaks_rules() -> None:
    run = ifcert("run", BROKEN, "--input", "c=true")
    assert (run.returncode, run.stdout) == (1, "")
    assert "tflite/if/outputs-positional" in run.stderr


def test_pictures_show_both_subgraphs_and_their_inputs(tmp_path: Path) -> None:
    dot, svg, html = drawn(real("cond_in_while", tmp_path), tmp_path)
    for role in ("cond_subgraph", "body_subgraph", "then_subgraph", "else_subgraph"):
        assert len(re.findall(rf'label="{role}\\nsubgraph \d+ \\"', dot)) == 1
        assert f">{role}</text>" in svg
        assert role in html
    ends = re.findall(r'^  n\d+ \[label="while_cond_(?:true|false)_\d+_arg\d', dot, re.MULTILINE)
    assert len(ends) == 1  # for the value that then_subgraph returns; inputs have an arrow
    assert len(re.findall(r"style=dashed", dot)) == 2


def test_pictures_of_circle_are_those_of_tensorflow_lite(tmp_path: Path) -> None:
    dot, svg, html = drawn(CIRCLE, tmp_path)
    assert all("then_subgraph" in picture and "else_subgraph" in picture for picture in (dot, svg, html))


def test_a_shared_subgraph_is_drawn_wherever_it_is_entered(tmp_path: Path) -> None:
    dot, svg, _ = drawn(SHARED, tmp_path)
    assert dot.count('\\nsubgraph 1 \\"doubles\\"') == 2
    assert svg.count(">then_subgraph</text>") == 2


def test_pictures_of_further_signatures_are_beside_the_primary(tmp_path: Path) -> None:
    dot, svg, _ = drawn(real("two_signatures", tmp_path), tmp_path)
    assert re.search(r'label="subgraph 1 \\"', dot)
    assert len(re.findall(r">subgraph [^<]*</text>", svg)) >= 2


def test_pictures_of_broken_models_are_red_and_end(tmp_path: Path) -> None:
    for model, rule in ((BROKEN, "tflite/if/outputs-positional"), (RECURSIVE, "tflite/if/no-recursion")):
        dot, svg, html = drawn(model, tmp_path)
        assert "color=red, penwidth=2" in dot
        assert all(rule in picture for picture in (dot, svg, html))


# a - b, or b - a; both inputs after cond have the name x.
ALIKE = tflite("""
    subgraph main (c: bool[], a: int32[] {name=x}, b: int32[] {name=x}) -> (y)
      y: int32[] = IF(c, a, b) then=first else=second
    subgraph first (p: int32[], q: int32[]) -> (d)
      d: int32[] = SUB(p, q)
    subgraph second (p: int32[], q: int32[]) -> (d)
      d: int32[] = SUB(q, p)
""")


def written(model: TfliteModel, folder: Path) -> Path:
    path = folder / "model.tflite"
    path.write_bytes(model.files()[model.file])
    return path


def test_inputs_with_the_same_name_are_given_by_position(tmp_path: Path) -> None:
    path = written(ALIKE, tmp_path)
    run = ifcert("run", path, "--input", "c=true", "--input", "#1=7", "--input", "#2=2")
    assert (run.returncode, run.stdout) == (0, "y: int32[] [5]\n")
    run = ifcert("run", path, "--input", "c=true", "--input", "x=7")
    assert run.returncode == 2
    assert 'the model has 2 inputs "x"; its inputs are #0 "c", #1 "x", #2 "x"' in run.stderr
    model = load(path.read_bytes())
    assert model.run([False, 7, 2]) == [-5]
    with pytest.raises(EvaluationError, match="2 inputs are given; the model has 3"):
        model.run([False, 7])
    with pytest.raises(EvaluationError, match="several inputs have the same name: pass a list of values in order"):
        model.run({"c": False, "x": 7})


def test_a_name_with_a_nul_does_not_truncate_a_message(tmp_path: Path) -> None:
    path = written(ALIKE.edited(replaced("{name=x}, b", '{name="ma#in"}, b')), tmp_path)
    path.write_bytes(path.read_bytes().replace(b"ma#in", b"ma\0in"))
    run = ifcert("run", path, "--input", "c=true", "--input", "#1=[1, 2]", "--input", "#2=2")
    assert run.returncode == 2
    assert 'input "ma<U+0000>in": int32[2] is given; int32[] is required' in run.stderr
    with pytest.raises(EvaluationError, match=r"is required"):
        load(path).run([True, np.int32([1, 2]), 2])
