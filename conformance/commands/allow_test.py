"""`--allow RULE` and `check --fix`: models with faults that leave them one meaning."""

import json
import os
import subprocess
from pathlib import Path

import jsonschema
import numpy as np
import onnx
import pytest
from onnx import parser

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
VECTORS = ROOT / "vectors"
ORDER = "onnx/model/no-cycles"
IR = VECTORS / "openvino/generated/ir/inputs-have-one-edge/same-edge-twice.xml"
TFLITE = VECTORS / "tflite/generated/file/made-before-use/other-way-round.tflite"
SHADOWING = VECTORS / "onnx/generated/if/no-shadowing/initializer-named-as-graph-input.onnx"

# ONNX Runtime's quantiser writes nodes in such an order, in branches, too; onnxslim writes each value_info twice.
UNSORTED = """<ir_version: 8, opset_import: ["" : 16]>
    main (bool cond, float[2] x) => (float[2] y) <float[2] r, float[2] r> {
        r = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (t)  t = Add (late, x) },
            else_branch = else_graph () => (float[2] b) { b = Abs (x) }>
        late = Mul (x, x)
        y = Identity (r)
    }"""
RULES = [ORDER, "onnx/if/definition-before-use", "onnx/model/value-info-is-distinct"]
ALLOW = [word for rule in RULES for word in ("--allow", rule)]
INPUTS = ["--input", "cond=true", "--input", "x=[1, -2]"]


def ifcert(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the command; its output is text."""
    return subprocess.run([IFCERT, *map(str, arguments)], capture_output=True, text=True, timeout=120)


@pytest.fixture
def unsorted(tmp_path: Path) -> Path:
    path = tmp_path / "unsorted.onnx"
    model = parser.parse_model(UNSORTED)
    if len(model.graph.value_info) == 1:
        model.graph.value_info.append(model.graph.value_info[0])
    path.write_bytes(model.SerializeToString())
    return path


def test_check_stays_strict_and_says_of_each_finding_whether_it_can_be_allowed(unsorted: Path) -> None:
    run = ifcert("check", unsorted)
    assert run.returncode == 1
    assert run.stdout.count("\n  can be allowed: --allow ") == 3
    assert run.stdout.endswith(": 3 broken rules (3 can be allowed, or mended by --fix)\n")
    assert "can be allowed" not in ifcert("check", SHADOWING).stdout


def test_json_and_sarif_say_it_too(unsorted: Path) -> None:
    document = json.loads(ifcert("check", unsorted, SHADOWING, "--format", "json").stdout)
    schema = json.loads((ROOT / "conformance" / "schemas" / "check.schema.json").read_text())
    jsonschema.Draft7Validator(schema).validate(document)
    allowable = [{finding["allowable"] for finding in file["findings"]} for file in document["files"]]
    assert allowable == [{True}, {False}]
    results = json.loads(ifcert("check", unsorted, SHADOWING, "--format", "sarif").stdout)["runs"][0]["results"]
    assert [result["properties"]["allowable"] for result in results] == [True, True, True, False]


def test_run_show_and_convert_take_it_and_say_what_was_allowed(unsorted: Path, tmp_path: Path) -> None:
    assert ifcert("run", unsorted, *INPUTS).returncode == 1
    run = ifcert("run", unsorted, *INPUTS, *ALLOW)
    assert (run.returncode, run.stdout) == (0, "y: float32[2] [-2, -2]\n")
    assert [rule in run.stderr for rule in RULES] == [True] * 3
    assert run.stderr.startswith(f"ifcert: {unsorted}: allowed: ")
    shown = ifcert("show", unsorted, *ALLOW)
    assert (shown.returncode, "red" in shown.stdout) == (0, False)
    for name in ("converted.onnx", "converted.xml", "converted.tflite"):
        assert ifcert("convert", unsorted, tmp_path / name, *ALLOW).returncode == 0
        assert ifcert("run", tmp_path / name, *INPUTS).stdout == "y: float32[2] [-2, -2]\n"


def test_every_rule_must_be_named(unsorted: Path) -> None:
    run = ifcert("run", unsorted, *INPUTS, *ALLOW[:4])
    assert run.returncode == 1
    assert "onnx/model/value-info-is-distinct" in run.stderr


def test_standard_input_can_be_allowed(unsorted: Path) -> None:
    run = subprocess.run(
        [IFCERT, "run", "-", *INPUTS, *ALLOW], input=unsorted.read_bytes(), capture_output=True, timeout=120
    )
    assert (run.returncode, run.stdout) == (0, b"y: float32[2] [-2, -2]\n")


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("onnx/if/no-shadowing", "onnx/if/no-shadowing cannot be allowed: a use of the name could mean the value"),
        ("onnx/model/no-cycle", "there is no rule onnx/model/no-cycle; did you mean onnx/model/no-cycles?"),
        ("onnx/*", "there is no rule onnx/*"),
    ],
)
@pytest.mark.parametrize("command", ["run", "show", "convert"])
def test_a_rule_that_cannot_be_allowed_is_exit_code_2_with_the_reason(
    command: str, rule: str, why: str, unsorted: Path, tmp_path: Path
) -> None:
    out = [tmp_path / "out.onnx"] if command == "convert" else []
    run = ifcert(command, unsorted, *out, "--allow", rule)
    assert run.returncode == 2
    assert why in run.stderr


def test_explain_says_whether_a_rule_can_be_allowed_and_why() -> None:
    assert "can it be allowed (--allow, allow=[…])\n  yes: nodes are functions" in ifcert("explain", ORDER).stdout
    assert "can it be allowed (--allow, allow=[…])\n  no: a use of" in ifcert("explain", "onnx/if/no-shadowing").stdout


def test_completion_offers_the_rules_that_can_be_allowed() -> None:
    line = next(line for line in ifcert("completion", "bash").stdout.splitlines() if "'run --allow')" in line)
    assert ORDER in line
    assert "no-shadowing" not in line


# --- check --fix


def test_fix_writes_a_model_that_checks_clean_and_computes_the_same(unsorted: Path, tmp_path: Path) -> None:
    before = unsorted.read_bytes()
    fixed = tmp_path / "fixed.onnx"
    run = ifcert("check", unsorted, "--fix", "-o", fixed)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count(": mended: ") == 3
    assert run.stdout.endswith(f"{fixed}: no rule broken\n")
    assert unsorted.read_bytes() == before
    assert ifcert("check", fixed).stdout == f"{fixed}: no rule broken\n"
    assert ifcert("run", fixed, *INPUTS).stdout == "y: float32[2] [-2, -2]\n"
    onnx.checker.check_model(str(fixed))


@pytest.mark.parametrize("path", [IR, TFLITE], ids=["openvino", "tflite"])
def test_fix_writes_the_other_formats(path: Path, tmp_path: Path) -> None:
    fixed = tmp_path / f"fixed{path.suffix}"
    assert ifcert("check", path, "--fix", "-o", fixed).returncode == 0
    assert ifcert("check", fixed).stdout == f"{fixed}: no rule broken\n"
    assert (tmp_path / "fixed.bin").exists() == path.with_suffix(".bin").exists()


def test_fix_writes_what_it_can_and_says_what_remains(unsorted: Path, tmp_path: Path) -> None:
    model = onnx.load(unsorted)
    model.graph.node[2].op_type = "NoSuchOperator"
    unsorted.write_bytes(model.SerializeToString())
    fixed = tmp_path / "fixed.onnx"
    run = ifcert("check", unsorted, "--fix", "-o", fixed, "--format", "json")
    assert run.returncode == 1
    (file,) = json.loads(run.stdout)["files"]
    schema = json.loads((ROOT / "conformance" / "schemas" / "check.schema.json").read_text())
    jsonschema.Draft7Validator(schema).validate(json.loads(run.stdout))
    assert file["model"] == str(fixed)
    assert [finding["rule"] for finding in file["findings"]] == ["onnx/model/operators-are-declared"]
    assert sorted({finding["rule"] for finding in file["mended"]}) == sorted(RULES)


def test_fix_copies_a_model_without_faults(tmp_path: Path) -> None:
    legal = VECTORS / "onnx/generated/if/then-when-true/test-cc-if.onnx"
    assert ifcert("check", legal, "--fix", "-o", tmp_path / "same.onnx").returncode == 0
    assert (tmp_path / "same.onnx").read_bytes() == legal.read_bytes()


def test_fix_never_writes_over_the_model(unsorted: Path) -> None:
    before = unsorted.read_bytes()
    run = ifcert("check", unsorted, "--fix", "-o", unsorted)
    assert run.returncode == 2
    assert unsorted.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["unsorted.onnx", "--fix"], "--fix needs the file to write: -o OUT"),
        (["unsorted.onnx", "unsorted.onnx", "--fix", "-o", "out.onnx"], "--fix mends one model file"),
        (["-", "--fix", "-o", "out.onnx"], "--fix mends one model file"),
        (["unsorted.onnx", "--fix", "-o", "out.xml"], "expected a name that ends in .onnx"),
        (["unsorted.onnx", "--fix", "-o", "nowhere/out.onnx"], "there is no folder nowhere"),
        (["missing.onnx", "--fix", "-o", "out.onnx"], "no such file"),
    ],
)
def test_what_fix_cannot_do_is_exit_code_2(arguments: list[str], why: str, unsorted: Path) -> None:
    run = subprocess.run(
        [IFCERT, "check", *arguments], cwd=unsorted.parent, capture_output=True, text=True, timeout=120, input=""
    )
    assert run.returncode == 2
    assert why in run.stderr
    assert [path.name for path in unsorted.parent.iterdir()] == ["unsorted.onnx"]


def test_fix_keeps_external_data_within_reach(tmp_path: Path) -> None:
    data = tmp_path / "there"
    data.mkdir()
    weights = np.arange(300, dtype=np.float32)
    model = parser.parse_model("""<ir_version: 8, opset_import: ["" : 16]>
        main (float[300] x) => (float[300] y) { y = Neg (a)  a = Add (x, w) }""")
    model.graph.initializer.append(onnx.numpy_helper.from_array(weights, "w"))
    onnx.save(model, data / "m.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    run = ifcert("check", data / "m.onnx", "--fix", "-o", tmp_path / "fixed.onnx")
    assert run.returncode == 2
    assert "external data, which is found only from the folder" in run.stderr
    assert ifcert("check", data / "m.onnx", "--fix", "-o", data / "fixed.onnx").returncode == 0
    assert ifcert("check", data / "fixed.onnx").returncode == 0
