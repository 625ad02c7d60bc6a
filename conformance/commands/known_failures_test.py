"""ifcert known-failures init: from results to a draft, and from the filled-in draft to a green run."""

import json
import os
import subprocess
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
SCHEMA = json.loads((ROOT / "conformance" / "schemas" / "known_failures.schema.json").read_text())
RULE = "onnx/if/then-when-true"
LIAR = ROOT / "conformance" / "testing" / "faulty_adapters" / "wrong_answers.py"


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    """An adapter in a folder of its own, whose runtime refuses every model."""
    folder = tmp_path / "refuse-everything"
    folder.mkdir()
    (folder / "adapter.json").write_text(
        json.dumps(
            {
                "name": "refuse-everything",
                "systems": ["onnx"],
                "version": "1.0",
                "home": "https://example.org",
                "install": None,
                "command": ["python3", str(LIAR), "refuse-everything"],
                "reads": [str(LIAR.parent), str(ROOT / "bindings" / "adapters" / "python")],
            }
        )
    )
    return folder


def ifcert(adapter: Path, *words: object) -> subprocess.CompletedProcess[str]:
    command = [BIN / "ifcert", *map(str, words)]
    return subprocess.run(command, cwd=adapter.parent, capture_output=True, text=True, timeout=300, check=False)


def test_a_draft_is_refused_until_it_is_filled_in_and_green_then(adapter: Path) -> None:
    certify = ("certify", adapter, "--rule", RULE, "--out", "results")
    assert ifcert(adapter, *certify).returncode == 1
    listed = adapter / "known_failures.json"
    drafted = ifcert(adapter, "known-failures", "init", "results", "-o", listed)
    assert (drafted.returncode, drafted.stdout) == (0, "")
    assert "one for each cause; replace each TODO in " in drafted.stderr
    draft = json.loads(listed.read_text())
    jsonschema.validate(draft, SCHEMA)
    failed = [json.loads(line) for line in (adapter.parent / "results" / "results.jsonl").read_text().splitlines()]
    failed = [line["vector"] for line in failed if line.get("verdict", "PASS") not in ("PASS", "UNSUPPORTED")]
    entries = draft["failures"]
    assert sorted(failed) == sorted(vector for it in entries for vector in it.get("vectors", [it.get("vector")]))
    assert len(entries) < len(failed)

    refused = ifcert(adapter, *certify)
    assert refused.returncode == 2
    assert "is still to be filled in" in refused.stderr

    for entry in entries:
        entry |= {"link": "https://example.org/1", "note": "it has no models"}
    listed.write_text(json.dumps(draft))
    green = ifcert(adapter, *certify)
    assert green.returncode == 0, green.stdout + green.stderr

    again = ifcert(adapter, "known-failures", "init", "results")
    assert again.returncode == 0
    assert json.loads(again.stdout) == {"adapter": "refuse-everything", "failures": []}
    assert f"{len(failed)} results left out: on the adapter's list already\n" in again.stderr
    assert "There is nothing to list\n" in again.stderr


def test_a_file_that_is_there_is_left_alone(adapter: Path) -> None:
    assert ifcert(adapter, "certify", adapter, "--rule", RULE, "--out", "results").returncode == 1
    (adapter.parent / "list.json").write_text("mine")
    run = ifcert(adapter, "known-failures", "init", "results", "-o", "list.json")
    assert (run.returncode, run.stdout) == (2, "")
    assert "list.json exists" in run.stderr
    assert (adapter.parent / "list.json").read_text() == "mine"
