"""The journal of a certification is read while it is written, and the certification ends when the answer is known."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mutation_testing import run as mutant
from mutation_testing.outcome import has_wrong_answer
from undone import Undone

READ = "read"  # a file that is touched between two looks at the journal
CERTIFY = """#!{python}
import json, sys, time, pathlib
out = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
out.mkdir()

def wait_until_all_is_read():
    for _ in range(2):  # a look that began before the last line was written touches the file once
        pathlib.Path({read!r}).unlink(missing_ok=True)
        while not pathlib.Path({read!r}).exists():
            time.sleep(0.01)

with (out / "results.jsonl.part").open("w") as journal:
    print('{{"journal": 2}}', file=journal)
    for line in {lines}:
        print(line, file=journal, flush=True) if line else wait_until_all_is_read()
    time.sleep({seconds})
sys.exit({status})
"""


def line(vector: str, verdict: str, fault: str = "") -> str:
    result = {"vector": vector, "rule": vector.rpartition("/")[0], "verdict": verdict} | (
        {"fault": fault} if fault else {}
    )
    return json.dumps({"round": 1, "result": result})


@pytest.fixture
def certified(tmp_path: Path):  # noqa: ANN201
    """Runs a certification that writes these lines, waiting at an empty one until those before are read, and then
    sleeps and ends.
    """

    def run(
        lines: list[str], *, seconds: int = 0, status: int = 0, options: tuple[str, ...] = ()
    ) -> list[mutant.Verdict]:
        program = tmp_path / mutant.IFCERT
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(
            CERTIFY.format(
                python=sys.executable, lines=lines, seconds=seconds, status=status, read=str(tmp_path / READ)
            )
        )
        program.chmod(0o755)
        adapter = tmp_path / "adapter"
        adapter.mkdir(exist_ok=True)
        return mutant.certified(tmp_path, adapter, ["a/one", "a/two"], has_wrong_answer, options=options)

    return run


def test_all_vectors_are_awaited_where_none_fails(certified) -> None:  # noqa: ANN001
    since = time.monotonic()
    verdicts = certified([line("a/one", "PASS"), line("a/two", "PASS")], seconds=3600)
    assert [verdict.verdict for verdict in verdicts] == ["PASS", "PASS"]
    assert time.monotonic() - since < 3600


def test_a_wrong_answer_ends_it(certified) -> None:  # noqa: ANN001
    verdicts = certified([line("a/one", "FAIL", "wrong-value")], seconds=60)
    assert [(verdict.verdict, verdict.is_wrong) for verdict in verdicts] == [("FAIL (wrong-value)", True)]


def test_a_crash_alone_is_not_a_wrong_answer(certified) -> None:  # noqa: ANN001
    verdicts = certified([line("a/one", "CRASH"), line("a/two", "PASS")])
    assert verdicts[0].fell
    assert not has_wrong_answer(verdicts)


def test_the_first_result_of_a_vector_counts(certified) -> None:  # noqa: ANN001
    verdicts = certified([line("a/one", "CRASH"), line("a/one", "FAIL", "unstable"), line("a/two", "PASS")])
    assert [verdict.verdict for verdict in verdicts] == ["CRASH", "PASS"]


def test_a_certification_that_ends_early_is_not_an_answer(certified) -> None:  # noqa: ANN001
    with pytest.raises(Undone, match="ended before"):
        certified([line("a/one", "PASS")], status=2)


def test_a_rewriting_that_fails_is_a_wrong_answer_though_its_vector_passes(
    certified,  # noqa: ANN001
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sleep = time.sleep
    monkeypatch.setattr(time, "sleep", lambda seconds: ((tmp_path / READ).touch(), sleep(seconds)))
    other = json.loads(line("a/two", "PASS"))
    other["result"]["rewritings"] = [{"name": "edges-reversed", "verdict": "FAIL", "fault": "wrong-value"}]
    lines = [line("a/one", "PASS"), "", json.dumps(other)]
    last = certified(lines, options=("--rewritings", "all"))[-1]
    assert (last.vector, last.verdict) == ("a/two with edges-reversed", "FAIL (wrong-value)")
    assert last.is_wrong
    other["result"]["rewritings"][0]["fault"] = "unstable"
    assert not has_wrong_answer(certified([lines[0], "", json.dumps(other)], options=("--rewritings", "all")))


def test_a_program_that_ignores_the_interrupt_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutant, "SECONDS", -4.5)  # half a second is left
    code = "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); print(flush=True); time.sleep(60)"
    run = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)
    assert run.stdout is not None
    run.stdout.readline()
    mutant.end(run)
    assert run.returncode == -9
