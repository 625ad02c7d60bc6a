"""Runs in ONNX Runtime's own environment: exported vectors, by the onnx package's own test runner.

exported_tests.py FOLDER PACKAGES

FOLDER is what `ifcert export --layout onnx-backend-test` made, PACKAGES where the onnx package is installed. Prints a
JSON object: of each test "passes", or how its exception begins.
"""

import json
import os
import sys
import unittest

# Opsets that ONNX Runtime does not promise are skipped otherwise.
os.environ["ALLOW_RELEASED_ONNX_OPSET_ONLY"] = "0"
sys.path.append(sys.argv[2])

import onnxruntime.backend
from onnx.backend.test.loader import load_model_tests
from onnx.backend.test.runner import Runner


class Exported(Runner):
    """The package's runner, with tests of ours beside its own."""

    def __init__(self, folder: str) -> None:
        """Add the tests in the folder; the package's own tests are there too, and not run."""
        super().__init__(onnxruntime.backend, __name__)
        self.names = []
        for case in load_model_tests(folder, "simple"):
            self._add_model_test(case, "Vectors")
            self.names.append(f"{case.name}_cpu")


def outcome_of(case: unittest.TestCase) -> str:
    """The outcome of a test."""
    try:
        getattr(case, case._testMethodName)()
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())}"[:200]
    return "passes"


def main() -> None:
    """All tests."""
    runner = Exported(sys.argv[1])
    tests = runner.test_cases["OnnxBackendVectorsModelTest"]
    outcomes = {name.removesuffix("_cpu"): outcome_of(tests(name)) for name in sorted(runner.names)}
    os.write(1, json.dumps(outcomes).encode())


if __name__ == "__main__":
    main()
