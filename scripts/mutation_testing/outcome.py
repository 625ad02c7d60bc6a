"""The outcome for a mutant: its compilation, the vectors of its own rules, those of all others; the ledger's entry."""

import re
from collections import Counter
from collections.abc import Callable, Collection
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from mutation_testing import answers, build, oracles, run
from mutation_testing.functions import rules_of_functions
from mutation_testing.sampling import Mutant, mutated_files, text_of
from undone import Undone
from vector_lines import read_vectors

KILLED = "killed"  # a vector got a wrong answer
FELL = "fell"  # no vector got a wrong answer, but the mutant crashed, hung or took too much memory
SURVIVED = "survived"
SAME = "same code"
UNCOMPILED = "does not compile"

OF_A_RULE = 5  # vectors of each of its own rules that are judged
AT_A_TIME = 200  # vectors that are judged together
OFTEN = 3

OF_SYSTEM = re.compile(r"(?:/formats/(?P<folder>onnx|openvino|tflite)/|/(?P<file>onnx|openvino|tflite)_\w+\.cpp$)")

Entry = dict[str, Any]  # a line of the ledger


@dataclass(frozen=True)
class Suite:
    """The inputs that are the same for every mutant."""

    root: Path
    commands: build.Commands
    vectors: dict[str, list[str]]  # rule → the ids of its vectors
    twins: dict[str, str]  # vector → its twin, where it has one
    functions: dict[tuple[str, str], list[str]]  # (file, function) → rules
    conversations: list[answers.Conversation]
    expected: dict[str, list[bytes]]  # vector → what the original, which passes all vectors, answers
    made: dict[str, Future[str]] = field(default_factory=dict)  # what is made once, of each original
    lock: Lock = field(default_factory=Lock)


def suite_of(root: Path, made: Path) -> Suite:
    """Read from the release build, the vectors and the reference's table."""
    lines = list(read_vectors(root / "vectors"))
    vectors: dict[str, list[str]] = {}
    for vector in lines:
        vectors.setdefault(vector["rules"][0], []).append(vector["id"])
    commands = build.commands_of(root, mutated_files(root), made.parent / "headers")
    conversations = answers.conversations_of(root, lines)
    twins = {conversation.vector: conversation.twin for conversation in conversations if conversation.twin}
    expected = passed_answers(root, made, commands, conversations)
    return Suite(root, commands, vectors, twins, rules_of_functions(root), conversations, expected)


def passed_answers(
    root: Path, made: Path, commands: build.Commands, conversations: list[answers.Conversation]
) -> dict[str, list[bytes]]:
    """The original's answers, after a certification has shown that all are right."""
    program = commands.folder / "bin" / build.ADAPTER
    adapter = run.adapter_in(root, made, program)
    every = [conversation.vector for conversation in conversations]
    verdicts = run.certified(root, adapter, every, lambda found: False, are_all=True)
    wrong = [f"{verdict.vector}: {verdict.verdict}" for verdict in verdicts if verdict.verdict != "PASS"]
    wrong += [
        f"the oracle {name} finds something" for name in oracles.oracles_that_see(commands.folder / build.ORACLES_BUILT)
    ]
    if wrong:
        raise Undone("the reference itself does not pass, so no mutant can be judged:\n" + "\n".join(wrong[:10]))
    (made / build.ADAPTER).symlink_to(program)
    expected = answers.answers_of(made / build.ADAPTER, conversations)
    if expected.keys() != set(every):
        raise Undone("the reference passes all vectors, and yet some have no answers")
    return expected


def rules_in_reach(suite: Suite, file: str) -> list[str]:
    """The rules that a fault in this file can affect: for a reader, only those of its format."""
    found = OF_SYSTEM.search(file)
    system = (found["folder"] or found["file"]) + "/" if found else ""
    return [rule for rule in suite.vectors if rule.startswith(system)]


def own_rules(suite: Suite, file: str, functions: Collection[str]) -> list[str]:
    """Those that these functions implement; where they implement none, those of the file."""
    rules = [rule for function in functions for rule in suite.functions.get((file, function), [])] or [
        rule for (other, _), those in suite.functions.items() if other == file for rule in those
    ]
    return [rule for rule in rules_in_reach(suite, file) if rule in rules]


def outcome_of(suite: Suite, mutant: Mutant, folder: Path) -> Entry:
    """Builds and tries a mutant in this folder. What it answers otherwise than the original is judged; if no vector
    kills it, it computes the random models.
    """
    once(suite, f"{mutant.file} answers", lambda: expect_same_answers(suite, mutant.file, folder / "original"))
    text = text_of(suite.root, mutant)
    made = build.compiled(suite.commands, text, folder)
    if made is None:
        return entry_of(mutant, UNCOMPILED, [])
    build.linked(suite.commands, build.ADAPTER, made, folder / "adapter")
    own = own_rules(suite, mutant.file, [mutant.function])
    verdicts = judged(suite, own, rules_in_reach(suite, mutant.file), folder)
    if has_wrong_answer(verdicts):
        return entry_of(mutant, KILLED, verdicts)
    if any(verdict.fell for verdict in verdicts):
        return entry_of(mutant, FELL, verdicts)
    if not verdicts and is_same_code(suite, mutant, text, folder):
        return entry_of(mutant, SAME, [])
    build.linked(suite.commands, build.ORACLES, made, folder / "oracles")
    return entry_of(mutant, SURVIVED, verdicts) | {"oracles": oracles.oracles_that_see(folder / "oracles")}


def judged(suite: Suite, own: Collection[str], reach: Collection[str], folder: Path) -> list[run.Verdict]:
    """The verdicts on vectors whose answers differ: on some of each of the mutant's own rules, and if none of these
    kills the mutant, on all others in its reach until one does. A mutant that hangs is tried no further.
    """
    adapter = run.adapter_in(suite.root, folder, folder / "adapter")
    differing = differing_vectors(suite, own, folder / "adapter")
    first = [vector for those in differing.values() for vector in spread(those, OF_A_RULE)]
    verdicts = run.certified(suite.root, adapter, first, lambda found: False) if first else []
    if has_wrong_answer(verdicts) or hangs(verdicts):
        return verdicts
    differing |= differing_vectors(suite, set(reach) - set(own), folder / "adapter")
    others = [vector for those in differing.values() for vector in those if vector not in set(first)]
    while others and not has_wrong_answer(verdicts) and not fell_often(verdicts):
        some = spread(others, AT_A_TIME)
        verdicts += run.certified(suite.root, adapter, some, has_wrong_answer)
        others = [vector for vector in others if vector not in set(some)]
    return verdicts


def spread(vectors: list[str], count: int) -> list[str]:
    """`count` of the vectors, at equal distances."""
    step = max(1, len(vectors) / count)
    return [vectors[int(place * step)] for place in range(min(count, len(vectors)))]


def fell_often(verdicts: list[run.Verdict]) -> bool:
    """Whether so many vectors crashed that the others are not worth their time."""
    return sum(verdict.fell for verdict in verdicts) >= OFTEN


def differing_vectors(suite: Suite, rules: Collection[str], program: Path) -> dict[str, list[str]]:
    """By rule, the vectors for which, or for whose twins, the program does not answer as the original does."""
    wanted = {vector for rule in rules for vector in suite.vectors[rule]}
    sent = wanted | {suite.twins[vector] for vector in wanted if vector in suite.twins}
    found = answers.answers_of(program, [each for each in suite.conversations if each.vector in sent])
    differing = {vector for vector in sent if found.get(vector) != suite.expected[vector]}
    return {
        rule: [vector for vector in suite.vectors[rule] if {vector, suite.twins.get(vector)} & differing]
        for rule in rules
    }


def has_wrong_answer(verdicts: list[run.Verdict]) -> bool:
    """Whether a verdict is wrong; a crash is not enough."""
    return any(verdict.is_wrong for verdict in verdicts)


def hangs(verdicts: list[run.Verdict]) -> bool:
    """Whether the mutant is in an endless loop."""
    return any(verdict.verdict == "TIMEOUT" for verdict in verdicts)


def is_same_code(suite: Suite, mutant: Mutant, text: str, folder: Path) -> bool:
    """The compiler, when it optimizes, makes the same of the original."""
    optimized = build.compiled(suite.commands, text, folder, build.COMPARED)
    original = once(suite, f"{mutant.file} optimized", lambda: digest_of_original(suite, mutant.file, folder))
    return optimized is not None and build.digest_of(optimized) == original


def once(suite: Suite, what: str, made: Callable[[], str]) -> str:
    """One thread computes it and all use it, or its exception."""
    with suite.lock:
        mine = what not in suite.made
        future = suite.made.setdefault(what, Future())
    if mine:
        try:
            future.set_result(made())
        except BaseException as fault:
            future.set_exception(fault)
    return future.result()


def digest_of_original(suite: Suite, file: str, folder: Path) -> str:
    """The digest of the original's optimized object."""
    made = build.compiled(suite.commands, (suite.root / file).read_text(), folder / "original", build.COMPARED)
    if made is None:
        raise Undone(f"{file} does not compile")
    return build.digest_of(made)


def expect_same_answers(suite: Suite, file: str, folder: Path) -> str:
    """The original, compiled like a mutant, must answer as the release build does."""
    made = build.compiled(suite.commands, (suite.root / file).read_text(), folder)
    if made is None:
        raise Undone(f"{file} does not compile")
    build.linked(suite.commands, build.ADAPTER, made, folder / "adapter")
    differing = differing_vectors(suite, rules_in_reach(suite, file), folder / "adapter")
    for vector in (vector for those in differing.values() for vector in those):
        raise Undone(f"{file}, compiled as mutants are, answers {vector} otherwise than the release build")
    return ""


def entry_of(mutant: Mutant, outcome: str, verdicts: list[run.Verdict]) -> Entry:
    """The ledger's line: which rules' vectors got wrong answers, how many, and one of them."""
    entry: Entry = mutant.name() | {"outcome": outcome}
    wrong = [verdict for verdict in verdicts if verdict.is_wrong]
    fell = [verdict for verdict in verdicts if verdict.fell]
    if wrong:
        entry["rules"] = dict(sorted(Counter(verdict.rule for verdict in wrong).items()))
    if first := wrong[:1] or fell[:1]:
        entry["first"] = f"{first[0].vector}: {first[0].verdict}"
    return entry
