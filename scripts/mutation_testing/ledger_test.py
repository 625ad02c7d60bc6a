"""The ledger, its explanations, and the page that is made of them."""

import json
import shutil
from pathlib import Path

import pytest
from mutation_testing import ledger
from mutation_testing.functions import ROWS
from mutation_testing.outcome import Entry
from mutation_testing.page import PAGE, page_of
from undone import Undone

ROOT = Path(__file__).resolve().parents[2]
EVALUATE_IF = "reference/if/evaluate_if.cpp"


def entry(line: str, outcome: str, **more: object) -> Entry:
    name = {"file": EVALUATE_IF, "function": "Run::set_outputs", "line": line, "to": ";", "kind": "logic"}
    return name | {"outcome": outcome} | more


ENTRIES = [
    entry("a;", "killed", rules={"onnx/if/output-order": 2}, first="onnx/if/output-order/x: FAIL (wrong-value)"),
    entry("b;", "fell", first="onnx/if/output-order/x: CRASH"),
    entry("c;", "survived"),
    entry("d;", "same code"),
    entry("e;", "does not compile"),
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a ledger."""
    for file in (ledger.LEDGER, ROWS):
        (tmp_path / file).parent.mkdir(parents=True)
    shutil.copy(ROOT / ROWS, tmp_path / ROWS)
    ledger.write_ledger(tmp_path, ENTRIES)
    explain(tmp_path, "equivalent", [])
    return tmp_path


def explain(root: Path, kind: str, mutants: list[Entry]) -> None:
    group = {"kind": kind, "why": "Nobody reads it.", "mutants": mutants}
    (root / ledger.EXPLAINED).write_text(json.dumps([group]))


def faults(root: Path) -> list[str]:
    return ledger.faults_of(ledger.read_ledger(root).values(), ledger.read_reasons(root))


def test_a_survivor_is_a_fault_until_somebody_explains_it(root: Path) -> None:
    assert [fault.split(":")[0] for fault in faults(root)] == ["survived"]
    explain(root, "equivalent", [ENTRIES[2]])
    assert faults(root) == []


def test_an_explanation_of_a_mutant_that_a_vector_sees_is_a_fault(root: Path) -> None:
    explain(root, "equivalent", [ENTRIES[0], ENTRIES[1], ENTRIES[2]])
    assert len(faults(root)) == 2


def test_an_unknown_kind_and_a_second_explanation_are_refused(root: Path) -> None:
    explain(root, "laziness", [])
    with pytest.raises(Undone, match="laziness"):
        ledger.read_reasons(root)
    explain(root, "equivalent", [ENTRIES[2], ENTRIES[2]])
    with pytest.raises(Undone, match="twice"):
        ledger.read_reasons(root)


def test_a_line_that_an_interruption_cut_off_is_tried_again(root: Path) -> None:
    path = root / ledger.LEDGER
    path.write_text(path.read_text()[:-20])
    assert len(ledger.read_ledger(root)) == len(ENTRIES) - 1
    path.write_text("{}\n")
    with pytest.raises(Undone, match="damaged"):
        ledger.read_ledger(root)


def test_the_page_counts_kills_of_all_that_could_be_killed(root: Path) -> None:
    page = page_of(root)
    assert "5 mutants have been tried. **1 of 3** are killed; 1 more\nfell, and 1 survived." in page
    assert f"| `{EVALUATE_IF}` | 1 of 3 | 1 | 1 | 2 |" in page
    explain(root, "equivalent", [ENTRIES[2]])
    assert f"| `{EVALUATE_IF}` | 1 of 2 | 1 | 0 | 3 |" in page_of(root)
    assert "- Nobody reads it. (1)" in page_of(root)


def test_a_kill_counts_only_for_the_rules_whose_vectors_did_it(root: Path) -> None:
    page = page_of(root)
    assert "| `onnx/if/output-order` | 1 | 0 | 1 | 1 | 3 |" in page
    assert "| `onnx/if/shape-union` | 0 | 1 | 1 | 1 | 3 |" in page


def test_the_committed_page_is_made_of_the_committed_ledger() -> None:
    assert (ROOT / PAGE).read_text() == page_of(ROOT)
    reasons = ledger.read_reasons(ROOT)
    contradicted = [
        fault for fault in ledger.faults_of(ledger.read_ledger(ROOT).values(), reasons) if "explains" in fault
    ]
    assert contradicted == []
