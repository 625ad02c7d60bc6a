"""docs/coverage.md: the dimensions of each cross, what its vectors cover, and what cannot be, with the reason."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from ifcert.authoring.crosses.coverage import Coverage, Part, coverage, reasons
from ifcert.authoring.crosses.dimensions import Cross, Exclusion, Row
from ifcert.authoring.rules_page import _escaped
from ifcert.authoring.sentences import Table

NAMES = {"onnx": "ONNX", "openvino": "OpenVINO IR", "tflite": "TensorFlow Lite"}
NAMES |= {f"{system}-faults": f"{name}: what is invalid" for system, name in NAMES.items()}
NAMES |= {
    "onnx-rewrites": "ONNX: what optimizers rewrite",
    "onnx-run-faults": "ONNX: what cannot run, and does not",
    "onnx-calls": "ONNX: calls of local functions",
}
HEAD = """# What the crosses cover

A cross has vectors that combine features, each of which other vectors have alone: every pair of values of two of its
dimensions, and for some dimensions every triple, unless a text forbids it or it cannot be written. Each vector is named
by its coordinates, as far as they are not the plain form (the first value of a dimension), and is found by them:
`ifcert list vectors --where place=scan,capture=2`. Written by `scripts/generate_coverage`, which counts what the
generated vectors have, and says so where a pair is missing.
"""


def page(rows: Mapping[str, Sequence[Row]], crosses: Mapping[str, Cross], tables: Sequence[Table]) -> str:
    """The page; `rows` are the coordinates of the generated vectors, by the name of the cross."""
    sections = [_section(cross, rows[name], tables) for name, cross in crosses.items()]
    return "\n".join([HEAD, *sections])


def _section(cross: Cross, rows: Sequence[Row], tables: Sequence[Table]) -> str:
    found = coverage(cross, rows)
    triples = ", ".join(f"`{name}`" for name in cross.triples)
    of_triples = f"; triples are those of {triples}" if triples else ""
    return "\n".join(
        [
            f"## {NAMES[cross.name]}\n",
            f"{len(rows)} vectors, of {len(cross.dimensions)} dimensions{of_triples}.\n",
            _counts(found),
            _dimensions(cross),
            "What cannot be, and why; what several reasons exclude together is counted with the first of them:\n",
            _impossible(cross, found, tables),
        ]
    )


def _counts(found: Coverage) -> str:
    lines = ["| | covered | cannot be | missing |", "|---|---|---|---|"]
    for name, size in (("pairs", 2), ("triples", 3)):
        of = found.of(size)
        lines.append(f"| {name} | {len(of.covered)} | {len(of.impossible)} | {len(of.uncovered)} |")
    return "\n".join([*lines, ""])


def _dimensions(cross: Cross) -> str:
    lines = ["| dimension | values |", "|---|---|"]
    for dimension in cross.dimensions:
        values = "<br>".join(f"`{value}`: {_escaped(meaning)}" for value, meaning in dimension.values.items())
        lines.append(f"| `{dimension.name}`: {_escaped(dimension.about)} | {values} |")
    return "\n".join([*lines, ""])


def _impossible(cross: Cross, found: Coverage, tables: Sequence[Table]) -> str:
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for part in found.impossible:
        counts[_first_reason(cross, part)][len(part)] += 1
    lines = ["| no vector has | because | pairs | triples |", "|---|---|---|---|"]
    for exclusion in cross.exclusions:
        count = counts[_combination(exclusion)]
        because = _because(exclusion.because, tables)
        lines.append(f"| {_combination(exclusion)} | {because} | {count[2]} | {count[3]} |")
    return "\n".join([*lines, ""])


def _first_reason(cross: Cross, part: Part) -> str:
    return _combination(reasons(cross, part)[0])


def _combination(exclusion: Exclusion) -> str:
    """`place` scan or map with `kind` sequence"""
    return " with ".join(f"`{name}` {' or '.join(sorted(values))}" for name, values in exclusion.when.items())


def _because(because: str, tables: Sequence[Table]) -> str:
    """The sentence, where it is the id of one."""
    for table in tables:
        if table.has(because):
            title, clause = table.citation(because, '"')
            return f"{_escaped(clause)} ({_escaped(title)})"
    return _escaped(because)
