"""docs/rules.md: sentence → rule → check in the reference → vectors → known deviations, and back."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ifcert.authoring.errors import AuthoringError
from ifcert.authoring.rule_places import places_of, read_comments
from ifcert.authoring.rules import Deviation, Rule, covered, problems, read_rules
from ifcert.authoring.sentences import NoVectors, Sentence, Table, read_tables

HEAD = """# Sentences and rules

Every sentence of the texts that specify If, the rules derived from it, the functions of the reference that check each
rule, and the vectors that test runtimes against it. Written by `scripts/generate_rules` from `vectors/*/sentences.json`
(with the comments above the functions) and `ifcert list rules --json`; do not edit it by hand. `ifcert explain` shows
the same for one rule or one sentence.

- The vectors of a **rule** are on three axes: *computes* (a legal model, whose values must be right), *diagnoses* (an
  illegal one, which a good implementation refuses) and *open* (the texts leave the outcome open, see docs/doubts.md).
  Where a rule has no vectors that compute, or none that diagnose, the reason is given.
- An **informative** sentence requires nothing of a model or a runtime; an **untestable** one does, but no vector can
  show it.
"""


TITLES = {"onnx": "ONNX", "openvino": "OpenVINO IR", "tflite": "TensorFlow Lite and Circle"}


def page(rules: Sequence[Rule], tables: Sequence[Table]) -> str:
    """The whole page: a part for each system that has a table of sentences."""
    return "\n".join(
        [
            HEAD,
            *(line for table in tables for line in _part(rules, table)),
            *_without_vectors([rule for rule in rules if rule not in covered(rules, tables)]),
        ]
    )


def _part(rules: Sequence[Rule], table: Table) -> list[str]:
    title = TITLES[table.system]
    return [
        f"## {title}: rules\n",
        *(_rule_section(rule, table) for rule in rules if rule.system == table.system),
        f"## {title}: sentences without a rule\n",
        _unruled(table),
        f"## {title}: all sentences\n",
        *_sentence_sections(table),
    ]


def _rule_section(rule: Rule, table: Table) -> str:
    sentences = [_quoted(sentence, table) for sentence in table.sentences if rule.name in sentence.rules]
    without = [each for each in table.without if each.rule == rule.name]
    rows = {
        "about": rule.group,
        "sentences": _cell(sentences),
        "check in the reference": _cell(_places(rule)),
        "vectors": _cell(_vectors(rule, without)),
        "known deviations": _cell([_deviation(each) for each in rule.deviations]) or "none known",
    }
    if rule.allowance:
        rows["can be allowed (`--allow`, `allow=`)"] = _escaped(rule.allowance)
    lines = [f"| {name} | {cell} |" for name, cell in rows.items()]
    return "\n".join([f"### {rule.name}\n", _escaped(rule.holds) + "\n", "| | |", "|---|---|", *lines, ""])


def _without_vectors(rules: Sequence[Rule]) -> list[str]:
    if not rules:
        return []
    lines = [f"| {rule.name} | {_escaped(rule.holds)} | {_cell(_places(rule))} |" for rule in rules]
    return [
        "## Rules without vectors\n",
        "The reference checks them; the sentences of their texts are not in a table of sentences yet.\n",
        "\n".join(["| rule | what holds | check in the reference |", "|---|---|---|", *lines, ""]),
    ]


def _places(rule: Rule) -> list[str]:
    return [f"[{place.file}](../{place.file}): `{place.function}`" for place in rule.places]


def _vectors(rule: Rule, without: Sequence[NoVectors]) -> list[str]:
    system, _, rest = rule.name.partition("/")
    folder = f"../vectors/{system}/generated/{rest}"
    counts = {"computes": rule.computes, "diagnoses": rule.diagnoses, "open": rule.open}
    said = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    return [
        *([f"[{said}]({folder})"] if said else []),
        *(f"none on {', none on '.join(each.vectors)}: {_escaped(each.why)}" for each in without),
    ]


def _deviation(deviation: Deviation) -> str:
    words = f"{deviation.vectors} vector{'' if deviation.vectors == 1 else 's'}"
    return f"{deviation.adapter}: [{words}]({deviation.link.removeprefix('docs/')})"


def _unruled(table: Table) -> str:
    lines = [
        f"| {_quoted(sentence, table)} | {sentence.status}: {_escaped(sentence.why)} |"
        for sentence in table.sentences
        if sentence.status != "rule"
    ]
    return "\n".join(["| sentence | why |", "|---|---|", *lines, ""])


def _sentence_sections(table: Table) -> list[str]:
    sections = []
    for name, document in table.documents.items():
        lines = [
            f'| `{sentence.id}` | {_place(sentence, table)} | "{_escaped(sentence.quote)}" | {_status(sentence)} |'
            for sentence in table.sentences
            if sentence.document == name
        ]
        head = [
            f"### {document.title}\n",
            f"[{document.url}]({document.url})\n",
            "| id | place | sentence | status |",
            "|---|---|---|---|",
        ]
        sections.append("\n".join([*head, *lines, ""]))
    return sections


def _status(sentence: Sentence) -> str:
    if sentence.status != "rule":
        return sentence.status
    return _cell([f"[{rule}](#{rule.replace('/', '')})" for rule in sentence.rules])


def _quoted(sentence: Sentence, table: Table) -> str:
    document = table.documents[sentence.document]
    return f'"{_escaped(sentence.quote)}" ([{document.title}]({document.url}), {_place(sentence, table)})'


def _place(sentence: Sentence, table: Table) -> str:
    return ", ".join([sentence.place, *_versions(sentence.versions, table)])


def _versions(versions: Sequence[int], table: Table) -> list[str]:
    known = sorted({version for sentence in table.sentences for version in sentence.versions})
    if not versions:
        return []
    if list(versions) == known:
        return ["every version"]
    if len(versions) > 1 and list(versions) == known[-len(versions) :]:
        return [f"version {versions[0]} and later"]
    return [f"version{'' if len(versions) == 1 else 's'} {', '.join(map(str, versions))}"]


def _cell(entries: Sequence[str]) -> str:
    return "<br>".join(entries)


def _escaped(text: str) -> str:
    """The text as a Markdown cell, with markup escaped."""
    for mark in "\\|<*_[]`":
        text = text.replace(mark, f"\\{mark}")
    return text


def main(arguments: list[str]) -> int:
    """Exit status 0: written, or nothing differs; 1: it differs, or a rule lacks something."""
    parser = argparse.ArgumentParser(prog="generate_rules", description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(), help="the project's folder")
    parser.add_argument("--rules", type=Path, required=True, help="the output of `ifcert list rules --json`")
    parser.add_argument("--check", action="store_true", help="write nothing, report whether docs/rules.md differs")
    options = parser.parse_args(arguments)
    places = places_of(read_comments(options.root))
    rules = [replace(rule, places=places.get(rule.name, ())) for rule in read_rules(options.rules.read_text())]
    try:
        tables = read_tables(options.root / "vectors")
    except AuthoringError as error:
        print(f"generate_rules: {error}", file=sys.stderr)
        return 1
    wrong = problems(rules, tables, options.root)
    print("".join(f"{problem}\n" for problem in wrong), end="", file=sys.stderr)
    path = options.root / "docs" / "rules.md"
    text = page(rules, tables)
    if not options.check:
        path.write_text(text)
    elif not path.is_file() or path.read_text() != text:
        print("docs/rules.md differs from the output of scripts/generate_rules", file=sys.stderr)
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
