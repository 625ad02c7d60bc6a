"""The commands on models, on OpenVINO IR: an If whose bodies take a Parameter of the model through their port maps."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"


def parameter(number: int, name: str, element: str, shape: str) -> str:
    return (
        f'<layer id="{number}" name="{name}" type="Parameter" version="opset1"><data element_type="{element}" '
        f'shape="{shape}"/><output><port id="0" names="{name}"/></output></layer>'
    )


def result(number: int) -> str:
    return f'<layer id="{number}" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>'


def body(operator: str) -> str:
    return (
        f"<layers>{parameter(0, 'taken', 'i32', '?')}"
        f'<layer id="1" name="{operator.lower()}" type="{operator}" version="opset1">'
        f'<input><port id="0"/></input><output><port id="1"/></output></layer>{result(2)}</layers>'
        '<edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>'
        '<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges>'
    )


MAP = '<input external_port_id="1" internal_layer_id="0"/><output external_port_id="2" internal_layer_id="2"/>'
CHOICE = (
    '<layer id="2" name="choice" type="If" version="opset8"><input><port id="0"/><port id="1"/></input>'
    '<output><port id="2" precision="I32" names="y"/></output>'
    f"<then_port_map>{MAP}</then_port_map><else_port_map>{MAP}</else_port_map>"
    f"<then_body>{body('Negative')}</then_body><else_body>{body('Abs')}</else_body></layer>"
)
TEXT = (
    f'<?xml version="1.0"?><net name="main" version="11"><layers>{parameter(0, "cond", "boolean", "")}'
    f"{parameter(1, 'x', 'i32', '?')}{CHOICE}{result(3)}</layers>"
    '<edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>'
    '<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>'
    '<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></net>'
)


def ifcert(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the command; its output is text."""
    return subprocess.run([IFCERT, *map(str, arguments)], capture_output=True, text=True, timeout=60)


@pytest.fixture
def legal(tmp_path: Path) -> Path:
    (tmp_path / "legal.xml").write_text(TEXT)
    return tmp_path / "legal.xml"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """Its then_port_map names a port that does not exist."""
    (tmp_path / "broken.xml").write_text(TEXT.replace('external_port_id="1"', 'external_port_id="7"', 1))
    return tmp_path / "broken.xml"


def test_check_names_layer_body_and_port_map_entry(legal: Path, broken: Path) -> None:
    assert ifcert("check", legal).stdout == f"{legal}: no rule broken\n"
    run = ifcert("check", broken)
    assert run.returncode == 1
    assert '/ layer 2 "choice" (If) / then_port_map / input 0' in run.stdout
    assert '"7" is not an input port of the If [openvino/if/external-port-in-range]' in run.stdout
    assert "clause: OpenVINO If-8" in run.stdout


def test_check_prints_json_and_sarif(legal: Path, broken: Path) -> None:
    files = json.loads(ifcert("check", legal, broken, "--format", "json").stdout)["files"]
    assert [[finding["rule"] for finding in file["findings"]] for file in files] == [
        [],
        ["openvino/if/external-port-in-range"],
    ]
    log = json.loads(ifcert("check", legal, broken, "--format", "sarif").stdout)
    assert [finding["ruleId"] for finding in log["runs"][0]["results"]] == ["openvino/if/external-port-in-range"]


def test_run_evaluates_and_traces_the_body_taken(legal: Path) -> None:
    for cond, taken, value in (("true", "then_body", "-3, 4"), ("false", "else_body", "3, 4")):
        run = ifcert("run", legal, "--input", f"cond={cond}", "--input", "x=[3, -4]", "--trace")
        assert (run.returncode, run.stdout) == (0, f"y: int32[2] [{value}]\n")
        assert run.stderr == f'graph "main" / layer 2 "choice" (If): {taken}\n'


def test_run_refuses_a_model_that_breaks_rules(broken: Path) -> None:
    run = ifcert("run", broken, "--input", "cond=true")
    assert (run.returncode, run.stdout) == (1, "")
    assert "openvino/if/external-port-in-range" in run.stderr


def test_pictures_show_each_port_map_entry_as_one_arrow(legal: Path, broken: Path, tmp_path: Path) -> None:
    drawing = ifcert("show", legal).stdout
    assert [drawing.count(f'label="{role}"') for role in ("then_body", "else_body")] == [1, 1]
    taken = re.findall(r'^  n(\d+) -> n\d+ \[label="(\w*)"(, style=dashed)?', drawing, re.MULTILINE)
    assert taken[:2] == [("0", "cond", ""), ("1", "taken", ", style=dashed")]
    assert [label for _, label, _ in taken].count("x") == 0
    for suffix in ("svg", "html"):
        assert ifcert("show", broken, "-o", tmp_path / f"model.{suffix}").returncode == 0
        picture = (tmp_path / f"model.{suffix}").read_text()
        assert all(word in picture for word in ("then_body", "else_body", "openvino/if/external-port-in-range"))
