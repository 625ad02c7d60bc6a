"""The problems that the generator reports among vectors."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto

from ifcert.authoring.catalogue import check_catalogue, read_catalogue
from ifcert.authoring.description import description
from ifcert.authoring.errors import AuthoringError
from ifcert.authoring.models import if_node, model
from ifcert.authoring.sources import Issue, Source
from ifcert.authoring.tflite import tflite
from ifcert.authoring.vector import REFUSED, Concurrent, Reread, Run, Step, Vector

GOOD = Vector(
    "onnx/if/one-input/good",
    "a title",
    [Source("a text", "a sentence")],
    model("""
        g (bool cond, float x) => (float y) {
            y = If (cond) <
                then_branch = t () => (float a) { a = Neg (x) },
                else_branch = e () => (float b) { b = Abs (x) }>
        }"""),
    [Run({"cond": np.True_, "x": np.float32(1)}, {"y": np.float32(-1)})],
)


def no_input(m: ModelProto) -> None:
    del if_node(m).input[:]


BROKEN = GOOD.broken("onnx/if/one-input/none: no input", no_input)


def test_a_refused_vector_beside_its_twin_is_in_order() -> None:
    assert check_catalogue([GOOD, BROKEN], {"onnx/if/one-input"}) == []


def test_a_refused_run_in_the_session_of_its_twin_is_in_order() -> None:
    later = GOOD.refusing("onnx/if/one-input/later: later", {"cond": np.bool_([]), "x": np.float32(1)})
    assert check_catalogue([GOOD, later], None) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda v: replace(v, twin=""), "must name its accepted twin"),
        (lambda v: replace(v, twin="onnx/if/one-input/gone"), "does not exist"),
        (lambda v: replace(v, twin=v.id), "is not one that must be accepted"),
        (lambda v: replace(v, id="onnx/if/other-rule/none"), "belongs to another rule"),
        (lambda v: replace(v, model=GOOD.model), "has no fault"),
        (lambda v: replace(v, id=GOOD.id), "used twice"),
        (lambda v: replace(v, id="onnx/if/one-input/No_Input"), "kebab-case"),
        (lambda v: replace(v, why=[]), "it has no reason"),
        (lambda v: replace(v, why=[*v.why, *v.why]), "it gives the same reason (why) twice"),
        (lambda v: replace(v, also=["onnx/if/never-heard-of"]), "there is no rule onnx/if/never-heard-of"),
    ],
)
def test_a_wrong_refused_vector_is_named_with_what_is_wrong(change: Callable[[Vector], Vector], problem: str) -> None:
    wrong = change(BROKEN)
    problems = check_catalogue([GOOD, wrong], {"onnx/if/one-input", "onnx/if/other-rule"})
    assert any(wrong.id in line and problem in line for line in problems), problems


def test_the_twin_of_a_row_of_a_cross_of_faults_is_the_row_without_the_fault_whatever_its_rule() -> None:
    row = {"fault": "none", "depth": "1"}
    good = replace(GOOD, id="onnx/if/nesting/plain", coordinates=row)
    wrong = replace(BROKEN, twin=good.id, coordinates={**row, "fault": "no-input"})
    assert check_catalogue([good, wrong], None) == []
    deeper = replace(wrong, coordinates={**wrong.coordinates, "depth": "2"})
    assert check_catalogue([good, deeper], None) == [f"{wrong.id}: its twin {good.id} belongs to another rule"]


def test_an_accepted_vector_has_no_twin() -> None:
    assert check_catalogue([replace(GOOD, twin=GOOD.id)], None) == [f"{GOOD.id}: an accepted vector has no twin"]


def test_a_doubted_vector_is_nobodys_twin() -> None:
    assert "not one that must be accepted" in check_catalogue([replace(GOOD, doubt="why"), BROKEN], None)[0]


def test_rules_are_not_checked_where_they_are_not_known() -> None:
    assert check_catalogue([GOOD], None) == []


def test_a_run_that_feeds_other_inputs_is_refused() -> None:
    wrong = replace(GOOD, runs=[Run({"cond": np.True_}, {"y": np.float32(-1)})])
    with pytest.raises(AuthoringError, match=r"feeds \['cond'\]; the model's inputs are \['cond', 'x'\]"):
        description(wrong, None)


DEFAULTED = replace(
    GOOD,
    model=model("""
        g (bool cond, float x = {3}) => (float y) {
            y = If (cond) <
                then_branch = t () => (float a) { a = Neg (x) },
                else_branch = e () => (float b) { b = Abs (x) }>
        }"""),
)


def test_a_run_may_feed_an_input_that_has_an_initializer_or_leave_it_out() -> None:
    left_out = Run({"cond": np.True_}, {"y": np.float32(-3)})
    steps = description(replace(DEFAULTED, runs=[*GOOD.runs, left_out]), None)["steps"]
    assert [[given["name"] for given in step["run"]["inputs"]] for step in steps[1:]] == [["cond", "x"], ["cond"]]


@pytest.mark.parametrize("names", [["x"], ["x", "cond"], ["cond", "z"]])
def test_a_run_still_feeds_every_other_input_and_in_order(names: list[str]) -> None:
    inputs = {name: np.True_ if name == "cond" else np.float32(1) for name in names}
    with pytest.raises(AuthoringError, match=r"the model's inputs are \['cond', 'x'\]"):
        description(replace(DEFAULTED, runs=[Run(inputs, {"y": np.float32(-1)})]), None)


def test_a_run_that_expects_other_outputs_is_refused() -> None:
    wrong = replace(GOOD, runs=[Run(GOOD.runs[0].inputs, {"z": np.float32(-1)})])
    with pytest.raises(AuthoringError, match=r"expects \['z'\]; the model's outputs are \['y'\]"):
        description(wrong, None)


def test_an_output_that_is_listed_twice_is_expected_twice() -> None:
    listed_twice = tflite("subgraph main (x: int32[]) -> (y, y)\n  y: int32[] = NEG(x)\n")
    twice = [Run({"x": np.int32(3)}, [("y", np.int32(-3)), ("y", np.int32(-3))])]
    step = description(replace(GOOD, id="tflite/file/version/x", model=listed_twice, runs=twice), None)["steps"][1]
    assert [output["name"] for output in step["run"]["expect"]["outputs"]] == ["y", "y"]
    once = [Run({"x": np.int32(3)}, {"y": np.int32(-3)})]
    with pytest.raises(AuthoringError, match=r"expects \['y'\]; the model's outputs are \['y', 'y'\]"):
        description(replace(GOOD, id="tflite/file/version/x", model=listed_twice, runs=once), None)


def test_a_vector_that_never_runs_is_refused() -> None:
    with pytest.raises(AuthoringError, match="needs at least one run"):
        description(replace(GOOD, runs=[]), None)


def test_a_file_that_onnx_cannot_read_is_described_by_a_model_like_it() -> None:
    unreadable = replace(GOOD, model=b"no model", doubt="why")
    with pytest.raises(AuthoringError, match="needs a model, or one that describes it"):
        description(unreadable, None)
    assert description(replace(unreadable, described_by=GOOD.model), None)["needs"] == description(GOOD, None)["needs"]


def test_every_step_of_a_broken_model_expects_a_refusal() -> None:
    assert [
        step for step in description(BROKEN, GOOD)["steps"] if '"refused"' not in repr(step).replace("'", '"')
    ] == []


def test_doubt_lets_each_step_be_refused_instead() -> None:
    steps = description(replace(GOOD, doubt="the text is silent"), None)["steps"]
    assert steps[0]["load"]["expect"] == {"either": [{"loaded": {}}, {"refused": {}}], "reason": "the text is silent"}
    assert steps[1]["run"]["expect"]["either"][1] == {"refused": {}}


HELD = replace(GOOD.runs[0], hold=True)


def test_a_reread_expects_what_its_run_expected() -> None:
    written = description(replace(GOOD, runs=[GOOD.runs[0], HELD, Reread(1)]), None)
    run, reread = written["steps"][2]["run"], written["steps"][3]["reread"]
    assert run["hold"] is True
    assert reread == {"step": 2, "expect": run["expect"]}
    assert "hold" not in written["steps"][1]["run"]
    assert "hold" in written["needs"]


def test_concurrent_runs_are_one_step_and_need_threads() -> None:
    written = description(replace(GOOD, runs=[Concurrent([GOOD.runs[0], GOOD.runs[0]])]), None)
    single = description(GOOD, None)["steps"][1]["run"]
    assert written["steps"][1] == {"concurrent": {"runs": [single, single]}}
    assert "threads" in written["needs"]


def test_the_broken_twin_of_concurrent_runs_refuses_each_of_them() -> None:
    both = replace(GOOD, runs=[Concurrent([GOOD.runs[0], HELD])])
    assert [run.expect for run in both.broken(f"{BROKEN.id}: no input", no_input).every_run] == [REFUSED, REFUSED]


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        ([GOOD.runs[0], Reread(0)], "names step 0, which is not an earlier run with hold"),
        ([Reread(1), HELD], "names step 1, which is not an earlier run with hold"),
        ([HELD, Reread(0), Reread(-3)], "not an earlier run with hold"),
        ([HELD], "run 0 is held, but no later step rereads it"),
        ([replace(HELD, expect=REFUSED), Reread(0)], "a held run must expect values"),
        ([Concurrent([GOOD.runs[0]])], "at least two runs must be concurrent"),
        ([Concurrent([GOOD.runs[0], HELD])], "none of them may be held"),
        ([Concurrent([GOOD.runs[0], Run({}, REFUSED)])], "a run feeds"),
    ],
)
def test_steps_that_cannot_be_made_are_refused(steps: list[Step], problem: str) -> None:
    with pytest.raises(AuthoringError, match=problem):
        description(replace(GOOD, runs=steps), None)


def test_a_run_that_may_be_refused_is_not_held() -> None:
    with pytest.raises(AuthoringError, match="a held run must expect values"):
        description(replace(GOOD, runs=[HELD, Reread(0)], doubt="the text is silent"), None)


def test_a_family_without_vectors_is_refused(tmp_path: Path) -> None:
    (tmp_path / "choice").mkdir()
    (tmp_path / "choice" / "empty.py").write_text('"""Nothing."""\n')
    with pytest.raises(AuthoringError, match=r"choice/empty\.py: a family of vectors needs a function without"):
        read_catalogue(tmp_path)


FAMILY = """
from collections.abc import Iterator
from ifcert.authoring import Vector

def _named(case: str) -> Iterator[Vector]:
    yield Vector(f"onnx/if/cond-required/{case}", "cond", [], b"")

def first() -> Iterator[Vector]:
    yield from _named("b")

def _second() -> Iterator[Vector]:
    yield from _named("a")

def fault() -> Vector:
    raise AssertionError
"""


def test_every_function_that_takes_nothing_and_returns_vectors_declares_them(tmp_path: Path) -> None:
    (tmp_path / "choice").mkdir()
    (tmp_path / "choice" / "family.py").write_text(FAMILY)
    assert [vector.id for vector in read_catalogue(tmp_path)] == ["onnx/if/cond-required/a", "onnx/if/cond-required/b"]


def test_the_twin_of_a_refused_vector_is_declared_with_it_once(tmp_path: Path) -> None:
    (tmp_path / "choice").mkdir()
    family = FAMILY.replace(
        'yield from _named("b")',
        """for sound in _named("b"):
        yield sound.refusing("c: refused", {})
        yield sound.refusing("d: refused", {})""",
    )
    (tmp_path / "choice" / "family.py").write_text(family)
    found = read_catalogue(tmp_path)
    assert [vector.id.rpartition("/")[2] for vector in found] == ["a", "b", "c", "d"]
    assert {vector.declared_in for vector in found} == {"choice/family.py"}


def test_a_twin_that_is_yielded_too_is_declared_once(tmp_path: Path) -> None:
    (tmp_path / "choice").mkdir()
    family = FAMILY.replace(
        'yield from _named("b")',
        """for sound in _named("b"):
        yield sound
        yield sound.refusing("c: refused", {})""",
    )
    (tmp_path / "choice" / "family.py").write_text(family)
    assert [vector.id.rpartition("/")[2] for vector in read_catalogue(tmp_path)] == ["a", "b", "c"]


def test_two_twins_that_share_an_id_are_a_repeated_id(tmp_path: Path) -> None:
    (tmp_path / "choice").mkdir()
    family = FAMILY.replace(
        'yield from _named("b")',
        """for case in "cd":
        for sound in _named("b"):
            yield sound.refusing(f"{case}: refused", {})""",
    )
    (tmp_path / "choice" / "family.py").write_text(family)
    assert "onnx/if/cond-required/b: this id is used twice" in check_catalogue(read_catalogue(tmp_path), None)


def test_a_vector_that_two_functions_declare_is_a_repeated_id(tmp_path: Path) -> None:
    (tmp_path / "choice").mkdir()
    (tmp_path / "choice" / "family.py").write_text(FAMILY.replace('_named("a")', "first()"))
    assert "onnx/if/cond-required/b: this id is used twice" in check_catalogue(read_catalogue(tmp_path), None)


def test_the_cold_runs_of_a_sequence_are_each_but_the_first_and_none_twice() -> None:
    one, two, three = (Run({"cond": np.True_, "x": np.float32(n)}, {"y": np.float32(-n)}) for n in (1, 2, 3))
    cold = list(replace(GOOD, runs=[replace(one, hold=True), replace(two, hold=True), one, three, two]).cold())
    assert [vector.id for vector in cold] == [f"{GOOD.id}-cold-2", f"{GOOD.id}-cold-4"]
    assert [list(vector.runs) for vector in cold] == [[two], [three]]
    assert check_catalogue(cold, None) == []


def test_a_cold_run_does_not_look_for_the_defects_of_its_sequence() -> None:
    one, two = (Run({"cond": np.True_, "x": np.float32(n)}, {"y": np.float32(-n)}) for n in (1, 2))
    seen = Issue("https://github.com/owner/name/issues/1", "the second run gave the first one's result")
    (cold,) = replace(GOOD, why=[seen, *GOOD.why], runs=[one, two]).cold()
    assert cold.why == GOOD.why
