"""Writes docs/field_bugs.md: the vectors that look for each defect found in the field, or why none does.

The defects are the rows of vectors/field_bugs.json; a vector looks for one where its `why` links one of the row's
issues. With --check nothing is written, and the page is compared with the one that would be.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator

from ifcert.authoring.json_file import read_json
from ifcert.authoring.vector_files import read_vectors

FORMATS = {"onnx": "ONNX", "openvino": "OpenVINO IR", "tflite": "TFLite"}
SHOWN = 5  # the number of vectors listed in a cell; the rest is given as a count

HEAD = """# Defects found in the field, and the vectors that look for them

Written by `scripts/generate_field_bugs` from [vectors/field_bugs.json](../vectors/field_bugs.json) and the issues that
vectors link in their `why`; `--check` compares. Each row is a defect of If, or of its context, that a runtime or a
tool has had. A row lists vectors of the rule it breaks, or the reason why no vector can reach it.
"""


class FieldBugsError(Exception):
    """Rows and vectors are inconsistent; the message has one sentence per line."""


@dataclass(frozen=True)
class Row:
    """A defect. `rule` is the rule it breaks, where vectors look for it; `out_of_reach` the reason why none can.

    `format` is that of the models where it occurred.
    """

    id: int
    project: str
    issues: list[str]
    symptom: str
    status: str
    format: str = "onnx"
    rule: str = ""
    out_of_reach: str = ""


@dataclass(frozen=True)
class Linking:
    """A vector that links issues."""

    id: str
    source: str
    rules: list[str]
    issues: list[str]


def read_rows(path: Path) -> list[Row]:
    """The rows of field_bugs.json, validated against its schema."""
    document = read_json(path)
    schema = json.loads((path.parent / "schemas" / "field_bugs.schema.json").read_text())
    if problems := [f"{error.json_path}: {error.message}" for error in Draft7Validator(schema).iter_errors(document)]:
        raise FieldBugsError("\n".join(problems))
    return [Row(**row) for row in document["rows"]]


def read_linking(root: Path) -> list[Linking]:
    """The generated vectors that link an issue; `source` is the path from docs/ of the family that declares it."""
    found = []
    for vector in read_vectors(root):
        issues = [short(why["issue"]) for why in vector["why"] if "issue" in why]
        if issues:
            found.append(Linking(vector["id"], f"../{vector['source']}", vector["rules"], issues))
    return found


def short(url: str) -> str:
    """owner/name#number for the address of an issue or pull request on GitHub; any other address unchanged."""
    parts = url.removeprefix("https://github.com/").split("/")
    return f"{parts[0]}/{parts[1]}#{parts[3]}" if len(parts) == 4 and parts[2] in ("issues", "pull") else url


def problems(rows: list[Row], vectors: list[Linking]) -> list[str]:
    """The problems, a sentence each."""
    return [
        *(f"row {id_}: this id is used twice" for id_ in _repeated(row.id for row in rows)),
        *(f"{issue} is in two rows" for issue in _repeated(issue for row in rows for issue in row.issues)),
        *(problem for row in rows for problem in _of_row(row, looking_for(row, vectors))),
    ]


def _of_row(row: Row, vectors: list[Linking]) -> Iterable[str]:
    where = f"row {row.id} ({row.issues[0]})"
    if vectors and row.out_of_reach:
        yield (
            f"{where} has a reason why no vector reaches it, but also vectors: {', '.join(each.id for each in vectors)}"
        )
    if not vectors and not row.out_of_reach:
        yield f"{where} has neither a vector that links one of its issues nor a reason why there is none"
    if vectors and row.rule and not any(row.rule in each.rules for each in vectors):
        yield f"{where}: none of its vectors belongs to {row.rule}"


def _repeated(items: Iterable[Any]) -> list[Any]:
    seen = list(items)
    return sorted({item for item in seen if seen.count(item) > 1})


def looking_for(row: Row, vectors: list[Linking]) -> list[Linking]:
    """The vectors that link one of the row's issues, those that count for its rule first."""
    linking = [vector for vector in vectors if set(row.issues) & set(vector.issues)]
    return sorted(linking, key=lambda vector: (row.rule != vector.rules[0], row.rule not in vector.rules, vector.id))


def page(rows: list[Row], vectors: list[Linking]) -> str:
    """The whole page."""
    reached = sum(not row.out_of_reach for row in rows)
    known = {issue for row in rows for issue in row.issues}
    others: dict[str, list[Linking]] = {}
    for vector in vectors:
        for issue in vector.issues:
            if issue not in known:
                others.setdefault(issue, []).append(vector)
    lines = [
        HEAD,
        f"{len(rows)} defects: vectors test {reached}; {len(rows) - reached} cannot be tested by a vector.\n",
        "| # | where | issues | symptom | status | rule | vectors, or why there are none |",
        "|---|---|---|---|---|---|---|",
        *(_line(row, looking_for(row, vectors)) for row in rows),
        *_others(others),
    ]
    return "\n".join(lines) + "\n"


def _line(row: Row, vectors: list[Linking]) -> str:
    issues = ", ".join(_issue_link(issue) for issue in row.issues)
    rule = f"`{row.rule}`" if row.rule else "—"
    cell = row.out_of_reach or _links(vectors)
    if vectors and not any(vector.id.startswith(f"{row.format}/") for vector in vectors):
        cell += f" (the same in ONNX; there are no {FORMATS[row.format]} vectors yet)"
    return f"| {row.id} | {row.project} | {issues} | {row.symptom} | {row.status} | {rule} | {cell} |"


def _issue_link(issue: str) -> str:
    name, _, number = issue.partition("#")
    return f"[{issue}](https://github.com/{name}/issues/{number})" if number else f"<{issue}>"


def _links(vectors: list[Linking]) -> str:
    links = [f"[{vector.id.removeprefix('onnx/')}]({vector.source})" for vector in vectors[:SHOWN]]
    more = len(vectors) - SHOWN
    return ", ".join(links) + (f" and {more} more" if more > 0 else "")


def _others(others: Mapping[str, list[Linking]]) -> list[str]:
    if not others:
        return []
    rows = [f"| {_issue_link(issue)} | {_links(vectors)} |" for issue, vectors in sorted(others.items())]
    return ["\n## Other issues that vectors link\n", "| issue | vectors |", "|---|---|", *rows]


def main(arguments: list[str]) -> int:
    """Exit status 0: written, or nothing differs; 1: the page differs, or rows and vectors are inconsistent."""
    parser = argparse.ArgumentParser(prog="generate_field_bugs", description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("vectors"), help="the vectors' folder")
    parser.add_argument("--page", type=Path, default=Path("docs/field_bugs.md"), help="the page")
    parser.add_argument("--check", action="store_true", help="write nothing, report whether the page differs")
    options = parser.parse_args(arguments)
    try:
        rows, vectors = read_rows(options.root / "field_bugs.json"), read_linking(options.root)
        if wrong := problems(rows, vectors):
            raise FieldBugsError("\n".join(wrong))
    except FieldBugsError as error:
        print(f"generate_field_bugs: {error}", file=sys.stderr)
        return 1
    text = page(rows, vectors)
    if not options.check:
        options.page.write_text(text)
        print(f"{len(rows)} defects")
        return 0
    same = options.page.is_file() and options.page.read_text() == text
    print(f"{options.page} is as generated" if same else f"{options.page} differs: run scripts/generate_field_bugs")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
