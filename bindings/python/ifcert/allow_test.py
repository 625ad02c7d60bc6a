"""`load(…, allow=…)`: models with faults that leave them one meaning are checked, run and saved as if they had none."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import parser
from vector_lines import model_of, read_vector, read_vectors

import ifcert

ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT / "vectors"
sys.path.insert(0, str(ROOT / "bindings" / "adapters" / "python"))

import ifcert_adapter as sdk  # noqa: E402 (the SDK is not an installed package)

ALLOWABLE = {rule.name for rule in ifcert.rules() if rule.allowable}
ORDER = "onnx/model/no-cycles"
IR = VECTORS / "openvino/generated/ir/inputs-have-one-edge/same-edge-twice.xml"
TFLITE = VECTORS / "tflite/generated/file/made-before-use/other-way-round.tflite"
UNSORTED = """<ir_version: 8, opset_import: ["" : 16]>
    main (float[2] x) => (float[2] y) { y = Neg (a)  a = Add (x, x) }"""


def unsorted() -> onnx.ModelProto:
    return parser.parse_model(UNSORTED)


def test_a_finding_says_whether_it_can_be_allowed() -> None:
    (finding,) = ifcert.load(unsorted()).check()
    assert (finding.rule, finding.allowable) == (ORDER, True)
    circular = unsorted()
    circular.graph.node[1].input[0] = "y"
    assert [each.allowable for each in ifcert.load(circular).check()] == [False]


def test_a_rule_says_whether_it_can_be_allowed_and_why() -> None:
    rules = {rule.name: rule for rule in ifcert.rules()}
    assert rules[ORDER].allowable
    assert "sorted" in rules[ORDER].allowance
    assert not rules["onnx/if/no-shadowing"].allowable
    assert all(rule.allowance for rule in rules.values())


def test_an_allowed_model_is_checked_run_shown_and_saved(tmp_path: Path) -> None:
    with pytest.raises(ifcert.IllegalModel):
        ifcert.load(unsorted()).run([np.float32([1, 2])])
    model = ifcert.load(unsorted(), allow=[ORDER])
    assert model.check() == []
    assert model.allowed == ifcert.load(unsorted()).check()
    (y,) = model.run([np.float32([1, 2])])
    assert y.tolist() == [-2, -4]
    assert "Neg" in model.show().svg
    for name in ("saved.onnx", "saved.xml", "saved.tflite"):
        model.save(tmp_path / name)
        saved = ifcert.load(tmp_path / name)
        assert (saved.check(), saved.allowed) == ([], [])
        assert saved.run([np.float32([1, 2])])[0].tolist() == [-2, -4]


def test_every_kind_of_source_can_be_allowed(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(unsorted().SerializeToString())
    with path.open("rb") as opened:
        sources = [path, str(path), path.read_bytes(), bytearray(path.read_bytes()), unsorted(), opened]
        assert [ifcert.load(source, allow={ORDER}).check() for source in sources] == [[]] * 6


@pytest.mark.parametrize("path", [IR, TFLITE], ids=["openvino", "tflite"])
def test_the_other_formats_can_be_allowed(path: Path, tmp_path: Path) -> None:
    rules = {finding.rule for finding in ifcert.load(path).check()}
    model = ifcert.load(path, allow=rules)
    assert (model.check(), {finding.rule for finding in model.allowed}) == ([], rules)
    model.save(tmp_path / path.name)
    assert ifcert.load(tmp_path / path.name).check() == []


def test_a_rule_that_is_not_named_is_not_allowed() -> None:
    assert ifcert.load(unsorted(), allow=["onnx/if/definition-before-use"]).check() == ifcert.load(unsorted()).check()


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("onnx/if/no-shadowing", "onnx/if/no-shadowing cannot be allowed: a use of the name could mean"),
        ("no/such/rule", "there is no rule no/such/rule"),
    ],
)
def test_a_rule_that_cannot_be_allowed_is_refused_with_the_reason(rule: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=why):
        ifcert.load(unsorted(), allow=[rule])
    with pytest.raises(ValueError, match=why):
        ifcert.load(tmp_path / "is-not-looked-for.onnx", allow=[rule])
    with pytest.raises(TypeError, match="a list of names"):
        ifcert.load(unsorted(), allow=rule)


# --- the vectors


def with_only_allowable_errors() -> Iterator[tuple[dict[str, Any], list[ifcert.Diagnostic]]]:
    for vector in read_vectors():
        try:
            errors = [finding for finding in ifcert.load(model_of(vector)).check() if finding.level == "error"]
        except ifcert.UnreadableModel:
            continue
        if errors and all(finding.allowable for finding in errors):
            yield vector, errors


def plain(value: dict[str, Any]) -> Any:  # noqa: ANN401 (an array, a list of arrays or None)
    decoded = sdk.decode(value)
    if isinstance(decoded, sdk.Sequence):
        return [item.array() for item in decoded.items]
    return decoded.array() if isinstance(decoded, sdk.Tensor) else decoded


def runs_of(vector: dict[str, Any]) -> list[tuple[list[Any], list[Any]]]:
    """The inputs and outputs of its runs, in order."""
    runs = []
    for step in vector["steps"]:
        expected = step.get("run", {}).get("expect", {})
        for outcome in expected.get("either", [expected]):
            if "outputs" in outcome:
                given = [plain(each["value"]) for each in step["run"]["inputs"]]
                runs.append((given, [plain(each["value"]) for each in outcome["outputs"]]))
    return runs


# No vector breaks them only in a way that can be allowed; allowed_test.cpp of each format has such files.
WITHOUT_VECTOR = {
    "onnx/if/both-branches-required",
    "onnx/model/no-cycles",
    "openvino/if/every-output-mapped",
    "openvino/if/one-result-one-output",
}
# Its cond is the negation of its twin's, computed too late.
NEGATES_COND = "tflite/file/made-before-use/condition-made-later"


def sound_runs(vector: dict[str, Any]) -> list[tuple[list[Any], list[Any]]]:
    """The runs of the vector or, where it is to be refused, what its author expects of the sound twin."""
    runs = runs_of(vector) or runs_of(read_vector(vector["twin"]))
    if vector["id"] != NEGATES_COND:
        return runs
    (when_true, then), (when_false, otherwise) = runs
    return [(when_true, otherwise), (when_false, then)]


def test_every_vector_whose_faults_can_be_allowed_computes_what_it_or_its_sound_twin_does() -> None:
    compared: dict[str, int] = {}
    for vector, errors in with_only_allowable_errors():
        model = ifcert.load(model_of(vector), allow=ALLOWABLE)
        assert not [each for each in model.check() if each.level == "error"], vector["id"]
        assert model.allowed == errors, vector["id"]
        for given, expected in sound_runs(vector):
            for got, wanted in zip(model.run(given), expected, strict=True):
                np.testing.assert_array_equal(got, wanted, vector["id"])
            for rule in {error.rule for error in errors}:
                compared[rule] = compared.get(rule, 0) + 1
    assert set(compared) == ALLOWABLE - WITHOUT_VECTOR
