"""Scripts read an adapter's known failures, one for each vector."""

import json
from pathlib import Path

import listed_failures
import pytest


def test_an_entry_of_several_vectors_is_one_failure_for_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    why = {"verdict": "LENIENT", "link": "l", "note": "n"}
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "known_failures.json").write_text(
        json.dumps({"adapter": "mine", "failures": [{"vectors": ["a", "b"], **why}, {"vector": "c", **why}]})
    )
    monkeypatch.setattr(listed_failures, "ADAPTERS", tmp_path)
    assert listed_failures.listed_failures("mine") == [{"vector": vector, **why} for vector in "abc"]
