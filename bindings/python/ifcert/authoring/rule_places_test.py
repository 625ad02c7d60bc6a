"""What the comments above the reference's functions say of rules and sentences, and each fault that they can have."""

from pathlib import Path

import pytest

from ifcert.authoring.rule_places import Comment, Place, comment_problems, comments_of, places_of, read_comments
from ifcert.authoring.sentences import Document, RuleText, Sentence, Table

RULE = "onnx/if/one-input"
TABLE = Table(
    "onnx",
    {"page": Document("A page", "https://example.org")},
    [Sentence("page-inputs", "page", "Inputs", "Inputs (1 - 1)", "rule", rules=[RULE])],
    rules=[RuleText(RULE, "If has one input.", "page-inputs")],
)
SOURCE = """
/// "Inputs (1 - 1)"
/// Sentence: page-inputs.
/// Rules: onnx/if/one-input,
/// onnx/if/other.
void Reader::one_input(const Node& node,
                       const Place& place) {
  // Rule is a word here.
"""


def comments(source: str) -> list[Comment]:
    return list(comments_of(source.splitlines(), "reference/a.cpp"))


def test_a_comment_gives_the_function_below_it_its_rules_and_sentences() -> None:
    place = Place("reference/a.cpp", "Reader::one_input")
    assert comments(SOURCE) == [Comment(place, [RULE, "onnx/if/other"], ["page-inputs"], ["Inputs (1 - 1)"])]
    assert places_of(comments(SOURCE)) == {RULE: [place], "onnx/if/other": [place]}


@pytest.mark.parametrize(
    ("line", "function"),
    [
        ("void Run::give(const At& at,", "Run::give"),
        ("  void spend(std::size_t amount) {", "spend"),
        ("[[noreturn]] void fail(const Place& place) {", "fail"),
        ("std::optional<Type> *find(const Graph& graph,", "find"),
        ("void give(const At& at);", ""),
        ("  give(at, node);", ""),
        ("  results = give(at,", ""),
        ("  return give(at,", ""),
        ("  if (give(at)) {", ""),
        ("", ""),
    ],
)
def test_a_definition_is_told_from_a_use(line: str, function: str) -> None:
    (comment,) = comments(f"// Rule: {RULE}.\n{line}\n")
    assert comment.place.function == function


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("// Rule: onnx/if/one-input.\nint limit = 2;\n", "no function follows the comment on onnx/if/one-input"),
        ("// Rule: onnx/if/none.\nvoid f() {\n", "f: there is no rule onnx/if/none"),
        ("// Sentence: page-no.\n// Rule: onnx/if/one-input.\nvoid f() {\n", "f: there is no sentence page-no"),
        (
            '// "Inputs (1 - 2)"\n// Sentence: page-inputs.\n// Rule: onnx/if/one-input.\nvoid f() {\n',
            'f: "Inputs (1 - 2)" is not in page-inputs',
        ),
        (
            "// Sentence: page-inputs.\n// Rule: onnx/if/none.\nvoid f() {\n",
            "f: page-inputs is a sentence of onnx/if/one-input",
        ),
    ],
)
def test_a_wrong_comment_is_named(source: str, problem: str) -> None:
    assert any(problem in each for each in comment_problems(comments(source), [TABLE]))


def test_a_right_comment_has_no_problem() -> None:
    source = '// "Inputs (1 - 1)"\n// Sentence: page-inputs.\n// Rule: onnx/if/one-input.\nvoid f() {\n'
    assert list(comment_problems(comments(source), [TABLE])) == []


def test_a_comment_may_cite_a_sentence_without_a_rule() -> None:
    (comment,) = comments("// In order. Sentence: page-inputs.\n#pragma once\n")
    assert list(comment_problems([comment], [TABLE])) == []
    (wrong,) = comments("// In order. Sentence: page-no.\n#pragma once\n")
    assert list(comment_problems([wrong], [TABLE])) == ["reference/a.cpp: there is no sentence page-no"]


def test_tests_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    for name in ("a.cpp", "a_test.cpp", "a.hpp"):
        (tmp_path / "reference" / name).write_text(f"// Rule: {RULE}.\nvoid f() {{\n")
    assert [comment.place.file for comment in read_comments(tmp_path)] == ["reference/a.cpp", "reference/a.hpp"]
