"""The share of the killed among the mutants that the texts decide; random models are a second net beside it."""

import json
import sys
import time
from pathlib import Path
from threading import Event

import pytest
from mutation_testing import without_sight
from mutation_testing.outcome import FELL, KILLED, SURVIVED, UNCOMPILED
from mutation_testing.patches import Patch
from mutation_testing.without_sight import Sighting, figure_of, keep_figure, read_figures, section_of, table_of
from undone import Undone

FUZZ = """#!{python}
import json, pathlib, sys, time
out = pathlib.Path(sys.argv[sys.argv.index("--out") + 1]) / "reference"
if {status} == 2:
    sys.exit({status})
out.mkdir(parents=True)
with (out / "journal.jsonl").open("w") as journal:
    for line in {lines}:
        print(json.dumps(line), file=journal, flush=True)
    time.sleep({seconds})
sys.exit({status})
"""


def sighting(name: str, outcome: str, by: str = "", *, kind: str = "A", decided_by: str = "a sentence") -> Sighting:
    return Sighting(Patch(name, "onnx", kind, decided_by, "reference/if/if.cpp", Path(f"{name}.patch")), outcome, by)


SIGHTINGS = [
    sighting("one", KILLED, "onnx/if/nesting/x: FAIL (wrong-value)"),
    sighting("two", KILLED, "onnx/if/nesting/y: FAIL (wrong-value)", kind="C"),
    sighting("three", SURVIVED, "random models, seed 7 (model): FAIL (wrong-value)"),
    sighting("four", FELL, "onnx/if/nesting/x: CRASH"),
    sighting("five", SURVIVED, decided_by="texts are silent"),
    sighting("six", UNCOMPILED),
]


def test_only_what_compiles_and_is_decided_counts() -> None:
    figure = figure_of(SIGHTINGS, vectors=7)
    counts = {"vectors": 7, "mutants": 5, "decided": 4, "killed": 2, "fell": 1, "at random": 1}
    assert {name: figure[name] for name in counts} == counts
    assert without_sight.share_of(figure) == "75 %"


def test_the_table_has_a_row_for_each_and_the_share() -> None:
    table = table_of(SIGHTINGS)
    assert "two    C     killed     onnx/if/nesting/y: FAIL (wrong-value)" in table
    assert "five   A     survived    (the texts are silent)" in table
    assert "5 mutants, of which the texts decide 4: 2 are killed, 1 fall (75 %), random models find 1 more" in table
    assert table.endswith("\nkind A: 2 of 3\nkind C: 1 of 1")


def test_a_second_figure_of_a_day_with_as_many_vectors_replaces_the_first(tmp_path: Path) -> None:
    file = tmp_path / without_sight.FIGURES
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps([{"date": "before", "share": 76}]))
    keep_figure(tmp_path, figure_of(SIGHTINGS[:1], vectors=6))
    keep_figure(tmp_path, figure_of(SIGHTINGS[:1], vectors=7))
    keep_figure(tmp_path, figure_of(SIGHTINGS, vectors=7))
    assert [figure.get("killed") for figure in read_figures(tmp_path)] == [None, 1, 2]
    assert "| before | – | – | – | – | – | 76 % | – |" in section_of(tmp_path)
    assert "| 7 | 5 | 4 | 2 | 1 | 75 % | 1 |" in section_of(tmp_path)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with the reference's adapter; fuzz() writes its program."""
    manifest = tmp_path / "conformance/adapters/reference/adapter.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(json.dumps({"name": "reference", "systems": ["onnx", "tflite"], "command": ["x"]}))
    return tmp_path


def seed(number: int, *verdicts: str) -> dict[str, object]:
    failures = [{"seed": number, "kind": "model", "verdict": verdict} for verdict in verdicts]
    return {"seed": number, "failures": failures} if failures else {"seed": number, "verdicts": {"PASS": 1}}


def seen(root: Path, *lines: dict[str, object], seconds: float = 0, status: int = 0, stop: Event | None = None) -> str:
    """What is seen of a campaign that writes these lines, and then sleeps and ends."""
    program = root / without_sight.run.IFCERT
    program.parent.mkdir(parents=True)
    program.write_text(FUZZ.format(python=sys.executable, lines=list(lines), seconds=seconds, status=status))
    program.chmod(0o755)
    return without_sight.seen_by_random_models(root, "tflite", root / "made", 60, stop or Event())


def test_the_first_failure_ends_the_random_models(root: Path) -> None:
    since = time.monotonic()
    found = seen(root, {"terms": {}}, seed(0), seed(1, "FAIL (wrong-value)", "CRASH"), seconds=3600)
    assert found == "random models, seed 1 (model): FAIL (wrong-value)"
    assert time.monotonic() - since < 60


def test_random_models_are_of_the_mutant_s_format(root: Path) -> None:
    assert seen(root, seed(0)) == ""
    manifest = json.loads((root / "made/random/reference/adapter.json").read_text())
    assert manifest["systems"] == ["tflite"]
    assert manifest["command"] == [str(root / "made/adapter")]


def test_a_model_that_takes_too_long_is_no_failure(root: Path) -> None:
    assert seen(root, seed(0, "TIMEOUT"), status=1) == ""


def test_a_campaign_that_cannot_run_is_not_an_answer(root: Path) -> None:
    with pytest.raises(Undone, match="ended with 2"):
        seen(root, status=2)


def test_an_interruption_ends_random_models_soon(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop = Event()
    monkeypatch.setattr(time, "sleep", lambda _: stop.set())  # between two looks at the journal
    since = time.monotonic()
    assert seen(root, seed(0), seconds=3600, stop=stop) == ""
    assert time.monotonic() - since < 60
