"""Tests of docs/runtimes.md and of the script that writes it."""

import hashlib
import json
from pathlib import Path

import pytest
import runtimes_page

ROOT = Path(__file__).resolve().parent.parent


def write_results(folder: Path, verdicts: dict[str, int]) -> Path:
    """The parts of a certification of the reference that the page shows."""
    report = {
        "started": "2026-11-24T12:00:00Z",
        "manifest": "0123456789abcdef",
        "limits": {"jobs": 2},
        "adapters": [{"name": "reference", "runtime": "ours", "version": "1.2", "language": "C++", "home": "docs"}],
        "tallies": [{"adapter": "reference", "verdicts": verdicts}, {"adapter": "reference", "verdicts": {"PASS": 1}}],
        "costs": [
            {"adapter": "reference", "vectors": 9, "seconds": 2.0, "confirming_seconds": 1.0, "sibling_seconds": 4.0}
        ],
        "headlines": [
            {
                "adapter": "reference",
                "text": "4 of 6 rules of If hold; 2 have a deviation; "
                "causes: 1 silent wrong value, 5 wrongly refused; 3 of 9 ideas unsupported",
            }
        ],
        "breaches": [
            {"adapter": "reference", "message": "FAIL (wrong-value), not listed: y is 2, expected 1"},
            {"adapter": "reference", "message": "rewritten (imports-reversed): FAIL (wrong-value), not listed: y is 2"},
        ],
    }
    (folder / "report.json").write_text(json.dumps(report))
    lines = [{"adapters": []}, {"adapter": "reference", "runtime_milliseconds": 4000}]
    (folder / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def test_a_row_has_what_the_run_found_and_cost(tmp_path: Path) -> None:
    page = runtimes_page.page_of(write_results(tmp_path, {"PASS": 3, "FAIL": 2, "CRASH": 1, "NOT-IF": 5, "LENIENT": 1}))
    cells = "– | 7 s | 4 s | 4 of 6 | 1 silent wrong value, 5 wrongly refused | 9 | 4 | 3 | 5 | 1 | 0 | 0 | 1"
    assert f"| `reference` | ours | 1.2 | C++ | {cells} |\n" in page


def test_the_head_says_when_the_run_was_and_of_which_vectors(tmp_path: Path) -> None:
    page = runtimes_page.page_of(write_results(tmp_path, {"PASS": 9}))
    assert "(2026-11-24, vectors of manifest `0123456789ab`, 2\nadapter processes" in page


def test_results_of_earlier_runs_are_said_to_be_of_them() -> None:
    updated = {"kept": {"results": 3, "since": "2026-11-28T10:00:00Z"}}
    assert "are\nof runs since 2026-11-28," in runtimes_page.kept_in([{}, updated])
    assert runtimes_page.kept_in([{}]) == ""


def test_adapters_without_results_are_named(tmp_path: Path) -> None:
    page = runtimes_page.page_of(write_results(tmp_path, {"PASS": 9}))
    assert "Not in this run: " in page
    assert "`onnxruntime`" in page


def test_results_that_show_nothing_about_a_runtime_are_not_published(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="NOT-RUN"):
        runtimes_page.page_of(write_results(tmp_path, {"PASS": 3, "NOT-RUN": 1}))


def test_runs_of_different_vectors_do_not_make_one_page(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
        write_results(folder, {"PASS": 9})
    other = json.loads((folders[1] / "report.json").read_text()) | {"manifest": "f" * 16}
    (folders[1] / "report.json").write_text(json.dumps(other))
    with pytest.raises(SystemExit, match="differ in their vectors"):
        runtimes_page.page_of(*folders)


def test_the_page_is_of_todays_vectors() -> None:
    page = (ROOT / "docs" / "runtimes.md").read_text()
    today = hashlib.sha256((ROOT / "vectors" / "manifest.json").read_bytes()).hexdigest()
    assert f"manifest `{today[: runtimes_page.SHOWN]}`" in page


def test_the_page_names_every_adapter() -> None:
    page = (ROOT / "docs" / "runtimes.md").read_text()
    missing = [
        path.parent.name for path in runtimes_page.ADAPTERS.glob("*/adapter.json") if path.parent.name not in page
    ]
    assert not missing


@pytest.mark.parametrize(
    ("install", "shown"),
    [
        ({"environment": "a", "cost": {"seconds": 53, "megabytes": 107}}, "53 s, 107 MB"),
        ({"environment": "a"}, "–"),
        (None, "–"),
    ],
)
def test_the_cost_is_that_of_the_manifests_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, install: object, shown: str
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "adapter.json").write_text(json.dumps({"name": "a", "install": install}))
    monkeypatch.setattr(runtimes_page, "ADAPTERS", tmp_path)
    assert runtimes_page.install_cost("a") == shown
