"""Makes the rows of the crosses, or writes docs/coverage.md from the generated vectors (scripts/generate_coverage)."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ifcert.authoring.crosses.coverage import coverage
from ifcert.authoring.crosses.dimensions import Row
from ifcert.authoring.crosses.page import page
from ifcert.authoring.crosses.rows import read_rows, rows_text
from ifcert.authoring.crosses.systems import CROSSES, TABLES
from ifcert.authoring.faulty.vectors import with_twins
from ifcert.authoring.sentences import read_tables
from ifcert.authoring.vector_files import read_vectors

# The crosses whose rows are kept in a file; the family of another chooses its own.
MADE = [name for name, cross in CROSSES.items() if cross.part != "rewrites"]


def coordinates(vectors: Path) -> dict[str, list[Row]]:
    """The coordinates of the generated vectors that have some, by the name of the cross.

    A vector that is to be refused counts for a cross of faults alone: elsewhere it is made of a row, and is not one.
    """
    found: dict[str, list[Row]] = {name: [] for name in CROSSES}
    for vector in read_vectors(vectors):
        for name, cross in CROSSES.items():
            counts = vector["axis"] != "diagnoses" or cross.part == "faults"
            if (
                counts
                and cross.system == vector["system"]
                and cross.base.keys() <= vector.get("coordinates", {}).keys()
            ):
                found[name].append(vector["coordinates"])
    return found


def make_rows(vectors: Path, systems: Sequence[str]) -> None:
    """Covers these crosses, keeping the rows that there are and adding what is missing. It takes minutes."""
    from ifcert.authoring.crosses.arrays import covering_rows  # the only module that needs covertable

    for system in systems:
        cross = CROSSES[system]
        folder = vectors / cross.system
        rows = covering_rows(cross, read_rows(folder, cross))
        if system in TABLES:
            rows = with_twins(TABLES[system], rows)
        (folder / cross.file).write_text(rows_text(cross, rows))
        print(f"{system}: {len(rows)} rows")


def missing(rows: Mapping[str, Sequence[Row]]) -> list[str]:
    """The pairs and triples that no vector has though one could, a line each."""
    return [
        f"{system}: no vector has {', '.join(f'{name}={value}' for name, value in part)}"
        for system, cross in CROSSES.items()
        for part in coverage(cross, rows[system]).uncovered
    ]


def main(arguments: list[str]) -> int:
    """Exit status 0: written, or nothing differs and nothing is missing; 1: it does, or is."""
    parser = argparse.ArgumentParser(prog="generate_coverage", description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(), help="the project's folder")
    parser.add_argument("--check", action="store_true", help="write nothing, report whether docs/coverage.md differs")
    parser.add_argument("--rows", nargs="+", choices=MADE, help="make the rows of these crosses, nothing else")
    options = parser.parse_args(arguments)
    vectors = options.root / "vectors"
    if options.rows:
        make_rows(vectors, options.rows)
        return 0
    rows = coordinates(vectors)
    gaps = missing(rows)
    print("".join(f"{gap}\n" for gap in gaps), end="", file=sys.stderr)
    path = options.root / "docs" / "coverage.md"
    text = page(rows, CROSSES, read_tables(vectors))
    if not options.check:
        path.write_text(text)
    elif not path.is_file() or path.read_text() != text:
        print("docs/coverage.md differs from the output of scripts/generate_coverage", file=sys.stderr)
        return 1
    return 1 if gaps else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
