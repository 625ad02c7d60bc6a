"""Writes docs/convert.md's table: which ONNX vectors IR cannot express, by reason.

usage: .venv/bin/python scripts/convert_page.py [--check]

With --check it writes nothing and exits with 1 where the page says something else.
"""

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

import ifcert

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "convert.md"
BEGIN = "<!-- scripts/convert_page.py writes what follows -->\n"


def kind_of(reason: str) -> str:
    """The reason without the type that it names, and operators in code."""
    reason = re.sub(r", this is (seq|optional).*", ": a sequence or an optional", reason)
    return re.sub(r"^(\w+) of this opset is", r"`\1` (or this version of it) is", reason)


def counts() -> tuple[int, Counter[str]]:
    """How many models of ONNX vectors are legal, and of those that cannot be IR the reasons."""
    legal, reasons = 0, Counter()
    with tempfile.TemporaryDirectory() as folder:
        for entry in json.loads((ROOT / "vectors" / "manifest.json").read_text())["vectors"]:
            if entry["system"] != "onnx":
                continue
            try:
                model = ifcert.load(ROOT / "vectors" / entry["path"] / "model.onnx")
                legal += 1
                model.save(Path(folder) / "model.xml")
            except ifcert.UnreadableModel:
                pass
            except ifcert.IllegalModel:
                legal -= 1
            except ifcert.Inexpressible as error:
                reasons[kind_of(error.reason)] += 1
    return legal, reasons


def table() -> str:
    """In Markdown."""
    legal, reasons = counts()
    expressed = legal - sum(reasons.values())
    lines = [
        f"Of {legal} legal models of ONNX vectors {expressed} become IR. The others, by the first thing that IR cannot "
        "express:",
        "",
        "| reason | models |",
        "|---|---|",
        *(f"| {reason} | {n} |" for reason, n in sorted(reasons.items(), key=lambda item: (-item[1], item[0]))),
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the table, or hold it against what is so."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where the page is not current")
    options = parser.parse_args()
    written = PAGE.read_text()
    page = written[: written.index(BEGIN)] + BEGIN + "\n" + table()
    if not options.check:
        PAGE.write_text(page)
    elif written != page:
        print(f"{PAGE.relative_to(ROOT)} is not current; scripts/convert_page.py writes it", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
