"""The outcome for a mutant: its compilation, the vectors of its own rules, those of all others; the ledger's entry."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutation_testing import built, oracles, tried
from mutation_testing.drawn import Mutant, text_of
from mutation_testing.functions import rules_of_functions

KILLED = "killed"  # a vector got a wrong answer
FELL = "fell"  # no vector got a wrong answer, but the mutant crashed, hung or took too much memory
SURVIVED = "survived"
SAME = "same code"
UNCOMPILED = "does not compile"

OF_SYSTEM = re.compile(r"(?:/formats/(?P<folder>onnx|openvino|tflite)/|/(?P<file>onnx|openvino|tflite)_\w+\.cpp$)")

Entry = dict[str, Any]  # a line of the ledger


@dataclass(frozen=True)
class Suite:
    """What every mutant is tried with."""

    root: Path
    commands: built.Commands
    vectors: dict[str, list[str]]  # rule → the ids of its vectors
    functions: dict[tuple[str, str], list[str]]  # (file, function) → rules


def suite_of(root: Path) -> Suite:
    """Read from the release build, the manifest and the reference's table."""
    vectors: dict[str, list[str]] = {}
    for vector in json.loads((root / "vectors/manifest.json").read_text())["vectors"]:
        vectors.setdefault(vector["rules"][0], []).append(vector["id"])
    return Suite(root, built.commands_of(root), vectors, rules_of_functions(root))


def rules_in_reach(suite: Suite, file: str) -> list[str]:
    """Of a reader of one format, only the rules whose models are of this format."""
    found = OF_SYSTEM.search(file)
    system = (found["folder"] or found["file"]) + "/" if found else ""
    return [rule for rule in suite.vectors if rule.startswith(system)]


def own_rules(suite: Suite, mutant: Mutant) -> list[str]:
    """Those that its function implements; where it implements none, those of its file."""
    rules = suite.functions.get((mutant.file, mutant.function)) or [
        rule for (file, _), those in suite.functions.items() if file == mutant.file for rule in those
    ]
    return [rule for rule in rules_in_reach(suite, mutant.file) if rule in rules]


def outcome_of(suite: Suite, mutant: Mutant, folder: Path) -> Entry:
    """Builds and tries a mutant in this folder. The vectors of its own rules all run; others until one kills it; then
    the random models.
    """
    made = built.compiled(suite.commands, text_of(suite.root, mutant), folder)
    if made is None:
        return entry_of(mutant, UNCOMPILED, [])
    program = folder / "adapter"
    built.linked(suite.commands, built.ADAPTER, made, program)
    adapter = tried.adapter_in(suite.root, folder, program)
    own = {rule: suite.vectors[rule] for rule in own_rules(suite, mutant)}
    verdicts = tried.certified(suite.root, adapter, own, lambda found: False) if own else []
    if not any(verdict.is_wrong or verdict.fell for verdict in verdicts) and is_same_code(suite, mutant, made):
        return entry_of(mutant, SAME, [])
    if not has_wrong_answer(verdicts):
        others = {rule: suite.vectors[rule] for rule in rules_in_reach(suite, mutant.file) if rule not in own}
        verdicts += tried.certified(suite.root, adapter, others, has_wrong_answer) if others else []
    fell = any(verdict.fell for verdict in verdicts)
    entry = entry_of(mutant, KILLED if has_wrong_answer(verdicts) else FELL if fell else SURVIVED, verdicts)
    built.linked(suite.commands, built.ORACLES, made, folder / "oracles")
    return entry | {"oracles": oracles.oracles_that_see(folder / "oracles")}


def has_wrong_answer(verdicts: list[tried.Verdict]) -> bool:
    """A crash is not enough."""
    return any(verdict.is_wrong for verdict in verdicts)


def is_same_code(suite: Suite, mutant: Mutant, made: Path) -> bool:
    """The compiler makes the same of the original: compiled in its own folder, so that the mutant's object stays."""
    text = (suite.root / mutant.file).read_text()
    original = built.compiled(suite.commands, text, made.parent / "original")
    return original is not None and built.digest_of(original) == built.digest_of(made)


def entry_of(mutant: Mutant, outcome: str, verdicts: list[tried.Verdict]) -> Entry:
    """The ledger's line: which rules' vectors got wrong answers, how many, and one of them."""
    entry: Entry = mutant.name() | {"outcome": outcome}
    wrong = [verdict for verdict in verdicts if verdict.is_wrong]
    fell = [verdict for verdict in verdicts if verdict.fell]
    if wrong:
        entry["rules"] = dict(sorted(Counter(verdict.rule for verdict in wrong).items()))
    if first := wrong[:1] or fell[:1]:
        entry["first"] = f"{first[0].vector}: {first[0].verdict}"
    return entry


def try_the_original(suite: Suite, folder: Path) -> list[str]:
    """What vectors and oracles find in the original, built like a mutant: nothing, or nothing can be shown."""
    file = "reference/evaluation/evaluate.cpp"
    made = built.compiled(suite.commands, (suite.root / file).read_text(), folder)
    if made is None:
        return [f"{file} does not compile"]
    built.linked(suite.commands, built.ADAPTER, made, folder / "adapter")
    adapter = tried.adapter_in(suite.root, folder, folder / "adapter")
    verdicts = tried.certified(suite.root, adapter, suite.vectors, lambda found: False)
    built.linked(suite.commands, built.ORACLES, made, folder / "oracles")
    found = [f"the oracle {name} finds something" for name in oracles.oracles_that_see(folder / "oracles")]
    return [f"{verdict.vector}: {verdict.verdict}" for verdict in verdicts if verdict.verdict != "PASS"] + found
