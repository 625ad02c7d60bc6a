"""`ifcert certify`: is a failure If's, or is it the form of the file?"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
CHOICE = "onnx/if/then-when-true/test-cc-if"  # two runs, one for each branch
COMPUTED_COND = (
    "onnx/if/cond-source/edges-of-and"  # two Ifs; the cond of one is made by And, that of the other by Gather
)
BOTH_BRANCHES = "onnx/if/in-loop/carried-shape-grows"  # one run takes both branches of an If

# What passes requests on to the reference.
HONEST = """
import json, pathlib, subprocess, sys, tempfile

honest = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

def honest_answer(request):
    honest.stdin.write(json.dumps(request) + "\\n")
    if request["cmd"] == "bye":
        sys.exit()
    answer = json.loads(honest.stdout.readline())
    if "hello" in answer:
        answer["hello"] |= {"adapter": "picky", "formats": ["onnx"]}
        answer["hello"]["runtime"]["version"] = "1"
    return answer
"""

# The reference, which refuses the models whose file is with some texts and without others.
ADAPTER = f"""{HONEST}
refuses = False
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "load":
        file = pathlib.Path(request["model"]).read_bytes()
        refuses = all((text.encode() in file) == (word == "with") for word, text in zip(sys.argv[2::2], sys.argv[3::2]))
    if request["cmd"] == "load" and refuses:
        answer = {{"id": request["id"], "refused": {{"message": "not this one"}}}}
    elif request["cmd"] in ("run", "reread") and refuses:
        answer = {{"id": request["id"], "skipped": {{}}}}
    else:
        answer = honest_answer(request)
    print(json.dumps(answer), flush=True)
"""

# The reference, which reads other words in a model than are there: in turn, each first word of a pair as the second.
MISREADER = f"""{HONEST}
read = pathlib.Path(tempfile.mkdtemp()) / "read.onnx"
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "load":
        file = pathlib.Path(request["model"]).read_bytes()
        for word, other in zip(sys.argv[2::2], sys.argv[3::2]):
            file = file.replace(word.encode(), other.encode())
        read.write_bytes(file)
        request["model"] = str(read)
    print(json.dumps(honest_answer(request)), flush=True)
"""


def certified(folder: Path, words: list[str], vector: str, *options: str, program: str = ADAPTER) -> dict[str, Any]:
    """The result of a vector on an adapter that refuses models `with` some texts and `without` others."""
    adapter = folder / "picky"
    adapter.mkdir()
    (adapter / "adapter.py").write_text(program)
    command = [sys.executable, "{adapter}/adapter.py", str(BIN / "ifcert-reference-adapter"), *words]
    manifest = {"name": "picky", "systems": ["onnx"], "version": "1", "home": "https://example.org", "install": None}
    (adapter / "adapter.json").write_text(json.dumps(manifest | {"command": command, "reads": [str(BIN)]}))
    out = folder / "out"
    run = subprocess.run(
        [BIN / "ifcert", "certify", adapter, "--vector", vector, *options, "--out", out],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert run.returncode == 1, run.stdout + run.stderr
    report = json.loads((out / "report.json").read_text())
    shown = {result["vector"]: result for result in report["results"]}[vector]
    lines = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    (stored,) = (line for line in lines if line.get("vector") == vector)
    assert shown.get("without_ifs") == stored.get("without_ifs")
    assert shown.get("rewritten") == stored.get("rewritten")
    return stored | {"printed": run.stdout}


def test_a_runtime_that_refuses_ifs_computes_without_them(tmp_path: Path) -> None:
    result = certified(tmp_path, ["with", "then_branch"], CHOICE)
    assert result["without_ifs"] == {"outcome": "computes"}
    assert result["rewritten"] == {"outcome": "fails alike"}
    assert "without the If 1 computes; rewritten 1 fails alike" in result["printed"]


def test_what_fails_without_the_if_too_is_not_the_if(tmp_path: Path) -> None:
    result = certified(tmp_path, ["without", "nothing has these bytes"], CHOICE)
    assert (result["verdict"], result["was"], result["fault"]) == ("NOT-IF", "FAIL", "wrongly-refused")
    assert result["without_ifs"] == {"outcome": "fails alike"}
    assert "0 of 0 rules of If hold; 1 fails without the If too" in result["printed"]
    assert "NOT-IF (wrongly-refused), not listed" in result["printed"]


def test_without_controls_no_failure_is_called_not_the_if(tmp_path: Path) -> None:
    result = certified(tmp_path, ["without", "nothing has these bytes"], CHOICE, "--no-controls")
    assert (result["verdict"], result["fault"]) == ("FAIL", "wrongly-refused")
    assert "without_ifs" not in result


def test_what_computes_once_it_is_rewritten_fails_for_the_form_of_the_file(tmp_path: Path) -> None:
    words = ["with", "then_branch", "without", "ifcert"]  # the producer's name in files that ifcert writes
    result = certified(tmp_path, words, CHOICE)
    assert result["rewritten"] == {"outcome": "computes"}
    assert result["without_ifs"] == {"outcome": "computes"}


def test_a_wrong_operator_that_makes_a_cond_is_not_the_if(tmp_path: Path) -> None:
    result = certified(tmp_path, ["And", "Xor"], COMPUTED_COND, program=MISREADER)
    assert (result["verdict"], result["was"], result["fault"]) == ("NOT-IF", "FAIL", "wrong-value")
    assert result["without_ifs"] == {"outcome": "fails alike", "detail": "where it also returns its conds"}
    assert "rewritten" not in result


def test_a_wrong_if_whose_cond_is_computed_right_stays_the_ifs(tmp_path: Path) -> None:
    exchanged = ["then_branch", "then-branch", "else_branch", "then_branch", "then-branch", "else_branch"]
    result = certified(tmp_path, exchanged, COMPUTED_COND, program=MISREADER)
    assert (result["verdict"], result["fault"]) == ("FAIL", "wrong-value")
    assert result["without_ifs"] == {"outcome": "computes"}


def test_a_model_without_the_if_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    result = certified(tmp_path, ["with", "then_branch"], BOTH_BRANCHES)
    assert result["without_ifs"] == {"outcome": "not made", "detail": "in one run an If takes both of its branches"}


@pytest.mark.parametrize("vector", [CHOICE])
def test_a_result_that_passes_has_no_siblings(tmp_path: Path, vector: str) -> None:
    run = subprocess.run(
        [BIN / "ifcert", "certify", "reference", "--vector", vector, "--out", tmp_path / "out"],
        capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    assert "without the If" not in run.stdout
    assert "without_ifs" not in (tmp_path / "out" / "results.jsonl").read_text()
