"""Runs every test that the onnx package has for backends on the reference, and writes docs/backend_tests.md.

usage: .venv/bin/python scripts/onnx_backend_tests.py [--check]

The page counts the tests that pass, and for the others names the operator that the reference lacks. With --check it
writes nothing, and exits with 1 if the page differs.
"""

import argparse
import sys
import unittest
import warnings
from collections import Counter, defaultdict
from pathlib import Path
from textwrap import wrap

import ifcert
import ifcert.backend
import onnx
import onnx.backend.test
from onnx.backend.test.loader import load_model_tests

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "backend_tests.md"

INTRODUCTION = """\
`scripts/onnx_backend_tests.py` runs them on the reference through `ifcert.backend` and writes this page. The tests of
If, Loop, Scan and SequenceMap, and of functions that expand into one of them, all pass
(`bindings/python/ifcert/backend_test.py`, which also compares the items of test_loop16_seq_none; the package's own
comparison cannot). This page counts the others: the reference has the operators that the vectors, and real models
with If, need, and is not meant to have all. The casts to FLOAT4E2M1 differ in the result for NaN, which that type
cannot represent. QuantizeLinear and DequantizeLinear refuse a zero point of shape [1] for a scale that is a scalar,
since both "must have the same shape".
"""

# The suites of BackendTest that download nothing.
SUITES = {
    "OnnxBackendNodeModelTest": "one operator, and functions expanded into operators",
    "OnnxBackendSimpleModelTest": "simple models",
    "OnnxBackendPyTorchConvertedModelTest": "converted from PyTorch layers",
    "OnnxBackendPyTorchOperatorModelTest": "converted from PyTorch operators",
}


def outcome_of(case: unittest.TestCase) -> str:
    """Returns 'passes', 'lacks Op', or how else the test ended."""
    try:
        getattr(case, case._testMethodName)()
    except ifcert.EvaluationError as error:
        return f"lacks {error.missing_operator}" if error.missing_operator else "is refused"
    except (ifcert.IllegalModel, ifcert.UnreadableModel):
        return "is refused"
    except AssertionError:
        return "differs"
    except Exception:
        return "is not compared"
    return "passes"


def outcomes() -> dict[str, dict[str, str]]:
    """Returns the outcome of each test of each suite, on the CPU only."""
    cases = onnx.backend.test.BackendTest(ifcert.backend, __name__).test_cases
    found: dict[str, dict[str, str]] = {}
    for suite in SUITES:
        names = sorted(name for name in dir(cases[suite]) if name.startswith("test_") and name.endswith("_cpu"))
        found[suite] = {name.removesuffix("_cpu"): outcome_of(cases[suite](name)) for name in names}
    return found


def page_of(found: dict[str, dict[str, str]]) -> str:
    """The page, in Markdown."""
    lines = [
        "# The onnx package's own tests",
        "",
        *wrap(f"onnx {onnx.__version__} has tests for backends. {INTRODUCTION}", width=120),
        "",
        "| tests | pass | the reference lacks an operator | others |",
        "|---|---|---|---|",
    ]
    lacking: dict[str, int] = Counter()
    others: dict[str, list[str]] = defaultdict(list)
    for suite, what in SUITES.items():
        counts = Counter(outcome.split()[0] for outcome in found[suite].values())
        rest = len(found[suite]) - counts["passes"] - counts["lacks"]
        lines.append(f"| {what} | {counts['passes']} of {len(found[suite])} | {counts['lacks']} | {rest} |")
        for name, outcome in found[suite].items():
            if outcome.startswith("lacks "):
                lacking[outcome.removeprefix("lacks ")] += 1
            elif outcome != "passes":
                others[outcome].append(name)
    real = len(load_model_tests(kind="real"))
    lines += ["", f"Not run: {real} tests of real models, which the package downloads; none uses control flow.", ""]
    if others:
        lines += ["Others:", ""]
        for outcome, names in sorted(others.items()):
            entry = f"- {outcome}: {', '.join(f'`{name}`' for name in names)}"
            lines += wrap(entry, width=120, subsequent_indent="  ", break_long_words=False)
        lines.append("")
    by_count = sorted(lacking.items(), key=lambda entry: (-entry[1], entry[0]))
    lines += wrap(
        "Missing operators, and how many tests stop at each: " + ", ".join(f"{op} {n}" for op, n in by_count) + ".",
        width=120,
        break_on_hyphens=False,
    )
    return "\n".join(lines) + "\n"


def main() -> int:
    """Writes the page, or compares it with the tests' outcomes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page is out of date")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    page = page_of(outcomes())
    if not options.check:
        PAGE.write_text(page)
    elif not PAGE.exists() or PAGE.read_text() != page:
        print(f"{PAGE.relative_to(ROOT)} is out of date; scripts/onnx_backend_tests.py writes it", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
