"""What an adapter may cost: the memory of the runner and the size of its files, for adapters that say 60 MB."""

import json
import re
from pathlib import Path

import pytest
from measured import MEBIBYTE, ROOT, run

LYING = ROOT / "conformance" / "testing" / "faulty_adapters"
VECTOR = "onnx/if/then-when-true/test-cc-if"
MOST_RESIDENT = 480 * MEBIBYTE  # of one job, for a line of 64 MiB
MOST_WRITTEN = MEBIBYTE
MOST_REASON = 2200  # bytes: 2 KiB, and how long it was
MOST_WORDS = 66_000  # bytes of a result: 64 KiB, and its other fields

# What becomes of each lie.
VERDICTS = {
    "message": "NOT-IF",
    "control characters": "NOT-IF",
    "feature": "NOT-IF",
    "status": "UNSUPPORTED",
    "own fault": "ADAPTER",
    "name": "NOT-IF",
    "dimension": "NOT-IF",
    "dimensions": "ADAPTER",
    "key": "ADAPTER",
    "no JSON": "ADAPTER",
    "type": "ADAPTER",
    "data": "ADAPTER",
    "string": "NOT-IF",
    "strings": "ADAPTER",
    "outputs": "NOT-IF",
    "other value": "NOT-IF",
    "standard error": "NOT-IF",
}


def make_adapter(folder: Path, place: str) -> Path:
    """The wordy adapter that lies in this place."""
    manifest = {"name": "wordy", "systems": ["onnx"], "version": "1.0", "home": "https://example.org", "install": None}
    command = ["python3", str(LYING / "wordy.py"), "wordy", place]
    (folder / "adapter.json").write_text(json.dumps(manifest | {"command": command, "reads": [str(LYING)]}))
    (folder / "known_failures.json").write_text(json.dumps({"adapter": "wordy", "failures": []}))
    return folder


def results(out: Path) -> list[dict]:
    """The results' lines."""
    return [line for line in map(json.loads, (out / "results.jsonl").read_text().splitlines()) if "verdict" in line]


@pytest.mark.parametrize("place", VERDICTS)
def test_a_long_word_costs_neither_memory_nor_disk(place: str, tmp_path: Path) -> None:
    adapter = make_adapter(tmp_path, place)
    out = tmp_path / "out"
    cost = run("certify", adapter, "--vector", VECTOR, "--jobs", "1", "--timeout", "120", "--out", out)
    assert cost.code in (0, 1, 2), cost.said
    assert cost.resident < MOST_RESIDENT, f"{cost.resident // MEBIBYTE} MiB"
    written = sum(path.stat().st_size for path in out.iterdir())
    assert written < MOST_WRITTEN, f"{written // 1024} KiB"
    (result,) = results(out)
    assert result["verdict"] == VERDICTS[place], result["reason"]
    assert len(result["reason"].encode()) < MOST_REASON
    assert len(json.dumps(result)) < MOST_WORDS


def test_a_long_value_is_kept_as_people_read_it(tmp_path: Path) -> None:
    adapter = make_adapter(tmp_path, "string")
    run("certify", adapter, "--vector", VECTOR, "--jobs", "1", "--timeout", "120", "--out", tmp_path / "out")
    (result,) = results(tmp_path / "out")
    (output,) = result["got"]["outputs"]
    assert output["value"]["kind"] == "other"
    assert output["value"]["is"].endswith(" bytes, not kept)")


def test_a_cut_message_says_how_long_it_was(tmp_path: Path) -> None:
    adapter = make_adapter(tmp_path, "message")
    run("certify", adapter, "--vector", VECTOR, "--jobs", "1", "--timeout", "120", "--out", tmp_path / "out")
    (result,) = results(tmp_path / "out")
    assert re.fullmatch(r"m{4096}… \(60000000 bytes\)", result["got"]["refused"]["message"])


def test_stored_words_that_are_long_cost_a_multiple_of_their_file(tmp_path: Path) -> None:
    lines = tmp_path / "results.jsonl"
    lines.write_text('{"ifcert":3,"a":' + "[" * 1_000_000 + "]" * 1_000_000 + "}\n")
    for command in (["diff", lines, lines], ["merge", tmp_path, "--out", tmp_path / "out"]):
        cost = run(*command)
        assert (cost.code, cost.resident < 2 * MOST_RESIDENT) == (2, True), cost  # merge reads all vectors
        assert cost.said.startswith(f"ifcert: {lines}"), cost.said
    certificate = tmp_path / "certificate.json"
    certificate.write_text('{"certificate":' + "[" * 1_000_000 + "]" * 1_000_000 + "}")
    cost = run("diff", certificate, certificate)
    assert cost.code == 2
    assert "nests deeper than 64 levels" in cost.said
