"""Writes the tables of docs/convert.md, which count by reason the models that another format cannot express, and
docs/convert.csv, which lists each vector with a legal model.

usage: .venv/bin/python scripts/convert_page.py [--check]

With --check it writes nothing, and exits with 1 if one of them differs.
"""

import argparse
import csv
import io
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import ifcert
from vector_lines import model_of, read_vectors

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "convert.md"
LIST = ROOT / "docs" / "convert.csv"
BEGIN = "<!-- scripts/convert_page.py writes what follows -->\n"

# System → the format's name and its file name ending.
FORMATS = {"onnx": ("ONNX", ".onnx"), "openvino": ("IR", ".xml"), "tflite": ("TensorFlow Lite", ".tflite")}


def kind_of(reason: str) -> str:
    """The reason without the type that it names; operators are shown as code."""
    reason = re.sub(r"; this is (seq|optional).*", ": a sequence or an optional", reason)
    reason = re.sub(r"cond has shape .*", "cond has several elements, or none", reason)
    reason = re.sub(r"then_branch has 0.*", "it has no outputs", reason)
    reason = re.sub(r"^(\w+) of this opset is", r"`\1` (or this version of it) is", reason)
    return re.sub(r"^(\w+) is not in the table", r"`\1` is not in the table", reason)


def models(system: str) -> Iterator[tuple[str, ifcert.Model]]:
    """The legal models, with the ids of their vectors."""
    for vector in read_vectors():
        if vector["system"] != system:
            continue
        try:
            model = ifcert.load(model_of(vector))
        except ifcert.UnreadableModel:
            continue
        if not [finding for finding in model.check() if finding.level == "error"]:
            yield vector["id"], model


def reasons_of(system: str) -> dict[str, dict[str, str]]:
    """Vector with a legal model → other system → why the model cannot be expressed there, or "yes"."""
    found: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for vector, model in models(system):
            answers = found[vector] = dict.fromkeys(FORMATS, "yes")
            for other in FORMATS:
                try:
                    model.save(Path(folder) / f"model{FORMATS[other][1]}")
                except ifcert.Inexpressible as error:
                    answers[other] = error.reason
    return found


def table(system: str, other: str, legal: int, reasons: Counter[str]) -> list[str]:
    """The lines for one direction, in Markdown."""
    source, target = FORMATS[system][0], FORMATS[other][0]
    lines = ["", f"## {source} as {target}", ""]
    lines.append(f"{legal - sum(reasons.values())} of the {legal} legal models of {source}'s vectors become {target}.")
    lines[-1] += " The others do not, for these reasons:"
    lines += ["", "| reason | models |", "|---|---|"]
    return lines + [f"| {reason} | {n} |" for reason, n in sorted(reasons.items(), key=lambda it: (-it[1], it[0]))]


def page_of(found: dict[str, dict[str, dict[str, str]]]) -> str:
    """The tables of all directions."""
    summary = ["| vectors of | legal models | " + " | ".join(f"as {name}" for name, _ in FORMATS.values()) + " |"]
    summary.append("|---" * (len(FORMATS) + 2) + "|")
    tables: list[str] = []
    for system, (name, _) in FORMATS.items():
        legal = len(found[system])
        reasons = {
            other: Counter(kind_of(answers[other]) for answers in found[system].values() if answers[other] != "yes")
            for other in FORMATS
            if other != system
        }
        expressed = {other: str(legal - sum(counter.values())) for other, counter in reasons.items()}
        cells = [expressed.get(other, str(legal)) for other in FORMATS]
        summary.append(f"| {name} | {legal} | " + " | ".join(cells) + " |")
        for other, counter in reasons.items():
            tables += table(system, other, legal, counter)
    return "\n".join(summary + tables) + "\n"


def list_of(found: dict[str, dict[str, dict[str, str]]]) -> str:
    """One line per vector, with the formats as columns."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(["vector", *(f"as {name}" for name, _ in FORMATS.values())])
    for answers_by_vector in found.values():
        writer.writerows([vector, *answers.values()] for vector, answers in answers_by_vector.items())
    return lines.getvalue()


def main() -> int:
    """Writes both files, or compares them with the vectors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is out of date")
    options = parser.parse_args()
    found = {system: reasons_of(system) for system in FORMATS}
    written = PAGE.read_text()
    files = {PAGE: written[: written.index(BEGIN)] + BEGIN + "\n" + page_of(found), LIST: list_of(found)}
    for file, content in files.items():
        if not options.check:
            file.write_text(content)
        elif not file.exists() or file.read_text() != content:
            print(f"{file.relative_to(ROOT)} is out of date; scripts/convert_page.py writes it", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
