"""Generates the vectors, or with --check compares the committed files with those that would be generated."""

import argparse
import sys
from pathlib import Path

from ifcert.authoring.errors import AuthoringError
from ifcert.authoring.generated import differences, generate, write
from ifcert.authoring.vector_files import LINES


def main(arguments: list[str]) -> int:
    """Exit status 0: generated, or nothing differs; 1: something differs, or a vector is wrong."""
    parser = argparse.ArgumentParser(prog="generate_vectors", description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("vectors"), help="the vectors' folder")
    parser.add_argument(
        "--rules", type=Path, help=("a file with the names of all rules, one a line; any other name is an error")
    )
    parser.add_argument("--check", action="store_true", help="write nothing, report every difference")
    options = parser.parse_args(arguments)
    rules = set(options.rules.read_text().split()) if options.rules else None
    try:
        tree = generate(options.root, rules)
    except AuthoringError as error:
        print(f"generate_vectors: {error}", file=sys.stderr)
        return 1
    count = sum(data.count(b"\n") for path, data in tree.items() if path.endswith(f"/{LINES}"))
    if not options.check:
        write(options.root, tree)
        print(f"{count} vectors")
        return 0
    lines = differences(options.root, tree)
    print(
        "\n".join(
            [*lines, f"{len(lines)} differences from what generate_vectors writes"]
            if lines
            else [f"{count} vectors, as generated"]
        )
    )
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
