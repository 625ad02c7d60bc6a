"""Names that forge a line, control a terminal or reverse the text: they are never printed raw."""

import html
import json
import os
import subprocess
from pathlib import Path

import onnx
import onnx.parser
import pytest

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
EVIL = "evil\nno rule broken\r\x1b[2J\x7f\x9b31m\u061c\u200b\u200e\u202e\u2028\u2029\u2066"
SHOWN = (
    "evil<U+000A>no rule broken<U+000D><U+001B>[2J<U+007F><U+009B>31m"
    "<U+061C><U+200B><U+200E><U+202E><U+2028><U+2029><U+2066>"
)
RAW = set(EVIL) - set("evilnorulebroken [2J31m\n")

LEGAL = """<ir_version: 8, opset_import: ["" : 16]>
main (bool cond, float[2] x) => (float[2] y) {
  y = If (cond) <
    then_branch = then () => (float[2] a) { a = Add (x, x) },
    else_branch = other () => (float[2] b) { b = Identity (x) }>
}"""
BROKEN = LEGAL.replace("=> (float[2] b) { b = Identity (x) }", "=> (float[2] b, float[2] k) { b, k = Split (x) }")
MISSING = LEGAL.replace("b = Identity (x)", "b = Det (x)")


def evil(path: Path, text: str) -> Path:
    """The model, with such a name wherever it has a name."""
    model = onnx.parser.parse_model(text)
    model.graph.name = model.producer_name = EVIL
    for graph in [model.graph, *(a.g for a in model.graph.node[0].attribute)]:
        for node in graph.node:
            node.output[0] = node.output[0].replace("y", EVIL)
            node.name = EVIL
        for output in graph.output:
            output.name = output.name.replace("y", EVIL)
    onnx.save(model, path)
    return path


def ifcert(*arguments: object) -> tuple[int, str]:
    """Exit code, and the whole output."""
    done = subprocess.run([IFCERT, *map(str, arguments)], capture_output=True, timeout=60, check=False)
    return done.returncode, (done.stdout + done.stderr).decode()


def expect_harmless(text: str) -> None:
    assert not RAW & set(text), sorted(map(hex, map(ord, RAW & set(text))))
    assert "\nno rule broken" not in text


def test_check(tmp_path: Path) -> None:
    code, said = ifcert("check", evil(tmp_path / "m.onnx", BROKEN))
    assert code == 1
    assert SHOWN in said
    expect_harmless(said)


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_check_for_machines_is_exact_and_in_ascii(tmp_path: Path, form: str) -> None:
    _, said = ifcert("check", evil(tmp_path / "m.onnx", BROKEN), "--format", form)
    expect_harmless(said)
    assert said.isascii()
    read = json.loads(said)
    if form == "json":
        assert EVIL in read["files"][0]["findings"][0]["place"]
        return
    result = read["runs"][0]["results"][0]
    expect_harmless(result["message"]["text"])
    assert EVIL in result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]


@pytest.mark.parametrize("suffix", ["svg", "html", "dot"])
@pytest.mark.parametrize("text", [LEGAL, BROKEN])
def test_show(tmp_path: Path, suffix: str, text: str) -> None:
    picture = tmp_path / f"m.{suffix}"
    assert ifcert("show", evil(tmp_path / "m.onnx", text), "-o", picture) == (0, "")
    drawn = picture.read_text()
    assert not (RAW - set("\r")) & set(drawn)
    assert "U+202E" in html.unescape(drawn)
    assert "evil\nno rule" not in drawn


@pytest.mark.parametrize(("text", "code"), [(LEGAL, 0), (BROKEN, 1), (MISSING, 2)])
def test_run(tmp_path: Path, text: str, code: int) -> None:
    model = evil(tmp_path / "m.onnx", text)
    exit_code, said = ifcert("run", model, "--input", "cond=true", "--input", "x=[1, 2]", "--trace")
    assert exit_code == code
    assert SHOWN in said
    expect_harmless(said)


def test_run_with_an_input_of_such_a_name(tmp_path: Path) -> None:
    code, said = ifcert("run", evil(tmp_path / "m.onnx", LEGAL), "--input", f"{EVIL}=1")
    assert code == 2
    assert SHOWN in said
    expect_harmless(said)


def test_convert(tmp_path: Path) -> None:
    code, said = ifcert("convert", evil(tmp_path / "m.onnx", MISSING), tmp_path / "m.tflite")
    assert code == 2
    assert SHOWN in said
    expect_harmless(said)


@pytest.mark.parametrize("command", ["check", "show", "run", "explain"])
def test_names_of_files_and_arguments(tmp_path: Path, command: str) -> None:
    code, said = ifcert(command, tmp_path / EVIL / "m.onnx")
    assert code == 2
    assert SHOWN in said
    expect_harmless(said)
