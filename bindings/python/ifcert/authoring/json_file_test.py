from pathlib import Path

import pytest

from ifcert.authoring.errors import AuthoringError
from ifcert.authoring.json_file import read_json


def test_a_document_is_read(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_text('{"a": 1, "b": {"a": [2]}}')
    assert read_json(tmp_path / "f.json") == {"a": 1, "b": {"a": [2]}}


def test_a_repeated_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_text('{"a": {"b": 1, "b": 1}}')
    with pytest.raises(AuthoringError, match=r"f\.json repeats the key 'b'"):
        read_json(tmp_path / "f.json")
