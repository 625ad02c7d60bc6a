"""A mutant's answers are read up to the point where it crashes; members that are never judged are left out."""

import sys
from pathlib import Path

import pytest
from mutation_testing import answers
from mutation_testing.answers import Conversation, unjudged_left_out

PROGRAM = """#!{python}
import json, os, sys
for line in sys.stdin:
    request = json.loads(line)
    if request.get("model") == "falls":
        os.abort()
    while request.get("model") == "hangs":
        pass
    print(json.dumps({{"id": request.get("id")}}), flush=True)
"""


def conversation(vector: str) -> Conversation:
    return Conversation(vector, None, (f'{{"id":1,"model":"{vector}"}}\n', '{"id":2}\n'))


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """An adapter that answers with the id."""
    path = tmp_path / "adapter"
    path.write_text(PROGRAM.format(python=sys.executable))
    path.chmod(0o755)
    return path


def answered(program: Path, *vectors: str) -> list[str]:
    found = answers.answers_of(program, [conversation(vector) for vector in vectors])
    assert all(lines == [b'{"id": 1}', b'{"id": 2}'] for lines in found.values())
    return list(found)


def test_each_vector_has_the_answers_to_its_own_lines(program: Path) -> None:
    assert answered(program, "a", "b") == ["a", "b"]


def test_a_fall_costs_one_vector_its_answers(program: Path) -> None:
    assert answered(program, "a", "falls", "b", "falls", "c") == ["a", "b", "c"]


def test_after_three_falls_the_rest_is_unknown(program: Path) -> None:
    assert answered(program, "falls", "falls", "a", "falls", "b") == ["a"]


def test_after_an_endless_loop_the_rest_is_unknown(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "PROCESSOR_SECONDS", 1)
    assert answered(program, "a", "hangs", "b") == ["a"]


@pytest.mark.parametrize(
    ("line", "left"),
    [
        (b'{"id":1,"loaded":{},"runtime_ms":0.5}', b'{"id":1,"loaded":{},}'),
        (b'{"id":1,"refused":{"message":"a \\"b\\""},"runtime_ms":1e-05}', b'{"id":1,"refused":{},}'),
        (b'{"id":1,"outputs":[]}', b'{"id":1,"outputs":[]}'),
    ],
)
def test_times_and_texts_of_refusals_are_left_out(line: bytes, left: bytes) -> None:
    assert unjudged_left_out(line) == left


def test_the_requests_are_those_of_the_protocol() -> None:
    steps = [
        {"load": {"expect": {"loaded": {}}}},
        {"run": {"inputs": [1], "hold": True, "expect": {}}},
        {"run": {"inputs": [2], "expect": {}}},
        {"reread": {"step": 1, "expect": {}}},
        {"concurrent": {"runs": [{"inputs": [3], "expect": {}}]}},
    ]
    lines = answers.lines_of({"steps": steps, "system": "onnx", "model": "model.onnx"}, Path("/vector"), 7)
    assert list(lines) == [
        '{"cmd": "load", "format": "onnx", "model": "/vector/model.onnx", "id": 7}\n',
        '{"cmd": "run", "inputs": [1], "hold": true, "id": 8}\n',
        '{"cmd": "run", "inputs": [2], "id": 9}\n',
        '{"cmd": "reread", "held": 8, "id": 10}\n',
        '{"cmd": "concurrent", "runs": [{"inputs": [3]}], "id": 11}\n',
        '{"cmd": "unload", "id": 12}\n',
    ]
