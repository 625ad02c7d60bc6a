"""The rules as `ifcert list rules --json` prints them, and their requirements: a sentence, a function, vectors."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ifcert.authoring.rule_places import Place
from ifcert.authoring.sentences import NoVectors, Table
from ifcert.authoring.vector_files import read_vectors

KINDS = ("computes", "diagnoses")


@dataclass(frozen=True)
class Deviation:
    """The number of vectors of a rule that an adapter is known to fail, and where that is explained."""

    adapter: str
    vectors: int
    link: str


@dataclass(frozen=True)
class Rule:
    """A rule; `computes`, `diagnoses` and `open` are the numbers of its vectors on these axes.

    `allowance` says why `--allow` takes it; it is empty where it does not. `group` says what it is about: "If",
    "around If" or "file".
    """

    name: str
    holds: str
    places: Sequence[Place]
    computes: int
    diagnoses: int
    open: int
    deviations: Sequence[Deviation] = ()
    allowance: str = ""
    group: str = "If"

    @property
    def system(self) -> str:
        """The format of the If that it concerns: "onnx", "openvino", "tflite"."""
        return self.name.partition("/")[0]


def read_rules(listed: str) -> list[Rule]:
    """The rules from the output of `ifcert list rules --json`."""
    return [
        Rule(
            each["name"],
            each["holds"],
            [Place(**place) for place in each["places"]],
            each["computes"],
            each["diagnoses"],
            each["open"],
            [Deviation(**deviation) for deviation in each["deviations"]],
            each["allowance"] if each["allowable"] else "",
            each["group"],
        )
        for each in json.loads(listed)
    ]


def covered(rules: Sequence[Rule], tables: Sequence[Table]) -> list[Rule]:
    """The rules of the systems that have a table of sentences; the others are so far known only to the reference."""
    systems = {table.system for table in tables}
    return [rule for rule in rules if rule.system in systems]


def problems(rules: Sequence[Rule], tables: Sequence[Table], root: Path) -> list[str]:
    """The inconsistencies between rules, sentences and vectors, a sentence each; `root` is the project's folder.

    In a system without a table of sentences a rule needs a function of the reference and cannot have vectors.
    """
    held = covered(rules, tables)
    without = [each for table in tables for each in table.without]
    ruled = {rule for table in tables for sentence in table.sentences for rule in sentence.rules}
    names = {rule.name for rule in rules}
    shared = _shown_beside(root)
    return [
        *_repeated_ids(tables),
        *(problem for table in tables for problem in _table_problems(table)),
        *(
            (f"{name}: there is no such rule, but a sentence or a reason names it")
            for name in sorted(_named(tables) - names)
        ),
        *(f"{rule.name}: no sentence of a text requires it" for rule in held if rule.name not in ruled),
        *(f"{rule.name}: no function of the reference checks or implements it" for rule in rules if not rule.places),
        *(problem for rule in held for problem in _vector_problems(rule, without, shared)),
        *(
            f"{rule.name}: it has vectors, but {rule.system} has no sentences.json"
            for rule in rules
            if rule not in held and _has_vectors(rule)
        ),
    ]


def _named(tables: Sequence[Table]) -> set[str]:
    in_sentences = {rule for table in tables for sentence in table.sentences for rule in sentence.rules}
    return in_sentences | {each.rule for table in tables for each in table.without}


def _repeated_ids(tables: Sequence[Table]) -> Iterator[str]:
    """An id alone must say which sentence is meant."""
    systems: dict[str, list[str]] = {}
    for table in tables:
        for each in (*table.sentences, *table.quotes):
            systems.setdefault(each.id, []).append(table.system)
    for id, used in systems.items():
        if len(used) > 1:
            yield f"{id}: this id is used twice, in {' and '.join(used)}"


def _table_problems(table: Table) -> Iterator[str]:
    for each in (*table.sentences, *table.quotes):
        if each.document not in table.documents:
            yield f"{each.id}: there is no document {each.document}"


def _has_vectors(rule: Rule) -> bool:
    return rule.computes + rule.diagnoses + rule.open > 0


def _shown_beside(root: Path) -> set[str]:
    """The rules that a vector with values demonstrates besides the rule that it counts for."""
    vectors = read_vectors(root / "vectors")
    return {rule for vector in vectors if vector["axis"] == "computes" for rule in vector["rules"][1:]}


def _vector_problems(rule: Rule, without: Sequence[NoVectors], shared: set[str]) -> Iterator[str]:
    reasons = Counter(kind for each in without if each.rule == rule.name for kind in each.vectors)
    for kind, count in zip(KINDS, (rule.computes, rule.diagnoses), strict=True):
        shown = count > 0 or (kind == "computes" and rule.name in shared)
        if not shown and not reasons[kind]:
            yield f"{rule.name}: no vector on the axis {kind}, and sentences.json gives no reason for it"
        if count > 0 and reasons[kind]:
            yield (
                f"{rule.name}: sentences.json gives a reason for having no vector on the axis {kind}, but there is one"
            )
        if reasons[kind] > 1:
            yield f"{rule.name}: sentences.json gives two reasons for having no vector on the axis {kind}"
