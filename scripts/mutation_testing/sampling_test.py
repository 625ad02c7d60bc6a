"""A seed draws the same mutants always, edits elsewhere do not change the draw, and the rules do what they say."""

from pathlib import Path

import pytest
from mutation_testing import sampling
from mutation_testing.sampling import FEWEST, Mutant, drawn_from, kinds_of_rules, mutants_of, mutated_files, text_of

ROOT = Path(__file__).resolve().parents[2]


def mutants(file: str, count: int) -> list[Mutant]:
    return [Mutant(file, "f", f"line {i};", 0, ";", "statement left out", i) for i in range(count)]


def test_a_seed_draws_the_same_share_of_each_file_and_a_few_of_a_small_one() -> None:
    both = mutants("large.cpp", 1000) + mutants("small.cpp", 8)
    first = drawn_from(both, 1)
    assert first == drawn_from(list(reversed(both)), 1)
    assert first != drawn_from(both, 2)
    large = [mutant for mutant in first if mutant.file == "large.cpp"]
    assert 100 < len(large) < 200
    assert len(first) - len(large) >= FEWEST


def test_an_edit_does_not_change_which_others_are_drawn() -> None:
    before = mutants("large.cpp", 1000)
    after = [Mutant(**vars(mutant) | {"number": mutant.number + 7}) for mutant in before[:500] + before[510:]]
    assert set(drawn_from(after, 1)) == set(drawn_from(before, 1)) & set(after)


def test_readers_evaluator_and_rules_are_mutated_and_nothing_that_decides_no_verdict() -> None:
    files = mutated_files(ROOT)
    for file in ("evaluation/evaluate", "evaluation/trips", "if/evaluate_if", "check/inference/inference"):
        assert f"reference/{file}.cpp" in files
    for folder in ("check", "if", "formats/onnx", "formats/openvino", "formats/tflite"):
        assert any(file.startswith(f"reference/{folder}/") for file in files)
    assert not [file for file in files if "write" in file or file.endswith(("_test.cpp", "check/rules.cpp"))]


def test_a_mutant_of_a_file_that_moved_is_drawn_as_before() -> None:
    assert sampling.drawn_as("reference/check/inference/inference.cpp") == "reference/inference/inference.cpp"
    assert sampling.drawn_as("reference/check/recursion.cpp") == "reference/rules/recursion.cpp"
    assert sampling.drawn_as("reference/if/if_versions.cpp") == "reference/rules/if_types.cpp"
    assert sampling.drawn_as("reference/evaluation/trips.cpp") == "reference/evaluation/trips.cpp"


def test_every_rule_has_a_kind() -> None:
    lines = (ROOT / sampling.RULES).read_text().splitlines()
    kinds = kinds_of_rules(ROOT)
    for number, line in enumerate(lines, 1):
        if " ==>" in line and not line.endswith(("DO_NOT_MUTATE", "SKIP_MUTATING_REST")):
            assert kinds[number] and len(kinds[number]) < 30, line


@pytest.fixture
def made(tmp_path: Path) -> dict[str, set[str]]:
    """Line → what the tool makes of it."""
    if not (ROOT / sampling.TOOL / "installed.txt").exists():
        pytest.skip("universalmutator is not installed yet: scripts/mutation installs it")
    sampling.install_tool(ROOT)
    for name in (sampling.RULES, "source.cpp"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / sampling.RULES).write_text((ROOT / sampling.RULES).read_text())
    (tmp_path / "source.cpp").write_text(SOURCE)
    found: dict[str, set[str]] = {}
    for mutant in mutants_of(tmp_path, "source.cpp"):
        found.setdefault(mutant.line, set()).add(mutant.to)
        assert mutant.function == "f"
        assert mutant.to in text_of(tmp_path, mutant)
    return found


SOURCE = """\
#include "a < b"
// a < b
bool f(const std::vector<int>& a, int* b) {
  if (a.size() < 3 && !b->contains(a)) return true;
  for (int i = 0; i < n; ++i) see(i);
  throw UnreadableModel(fmt::format("a < {}", b + 1));
  continue;
  read(a);
  std::vector<int> c(a);
}
"""


def test_the_rules_change_operators_conditions_constants_and_statements(made: dict[str, set[str]]) -> None:
    condition = made["if (a.size() < 3 && !b->contains(a)) return true;"]
    assert condition == {
        "if (a.size() <= 3 && !b->contains(a)) return true;",
        "if (a.size() >= 3 && !b->contains(a)) return true;",
        "if (a.size() < 3 || !b->contains(a)) return true;",
        "if (a.size() < 3 && b->contains(a)) return true;",
        "if (!(a.size() < 3 && !b->contains(a))) return true;",
        "if (true) return true;",
        "if (false) return true;",
        "if (a.size() < (3 + 1) && !b->contains(a)) return true;",
        "if (a.size() < (3 - 1) && !b->contains(a)) return true;",
        "if (a.size() < 3 && !b->contains(a)) return false;",
    }
    assert made["read(a);"] == {";"}
    assert made["continue;"] == {";", "break;"}
    assert "for (int i = 0; i < n; ++i) {}" in made["for (int i = 0; i < n; ++i) see(i);"]


def test_comments_templates_references_and_messages_stay_as_they_are(made: dict[str, set[str]]) -> None:
    assert '#include "a < b"' not in made
    assert "// a < b" not in made
    assert "bool f(const std::vector<int>& a, int* b) {" not in made
    assert "std::vector<int> c(a);" not in made
    assert made['throw UnreadableModel(fmt::format("a < {}", b + 1));'] == {";"}
