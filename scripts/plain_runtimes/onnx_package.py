"""The onnx package: its checker and its reference evaluator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from elements import LACKING, array_of, codes_of


class Checker:
    """onnx.checker.check_model: it loads and computes nothing."""

    computes = False

    def __init__(self) -> None:
        """`version` is the package's own."""
        import onnx

        self._onnx = onnx
        self.version = onnx.__version__

    def load(self, model: Path) -> None:
        """By path, for the external data beside it."""
        self._onnx.checker.check_model(str(model), full_check=True)


class Evaluator:
    """onnx.reference.ReferenceEvaluator."""

    computes = True

    def __init__(self) -> None:
        """`version` is the package's own."""
        import onnx.reference

        self._onnx = onnx
        self.version = onnx.__version__

    def load(self, model: Path) -> None:
        """By path, for the external data beside it."""
        self._evaluator = self._onnx.reference.ReferenceEvaluator(str(model))

    def feed(self, value: dict[str, Any]) -> object:
        """Arrays of ml_dtypes for what numpy lacks, lists for sequences, None for what is absent."""
        match value:
            case {"kind": "tensor", "type": name} if name in LACKING:
                import ml_dtypes

                return codes_of(value).view(getattr(ml_dtypes, LACKING[name][1]))
            case {"kind": "tensor"}:
                return array_of(value)
            case {"kind": "sequence"}:
                return [self.feed(item) for item in value["items"]]
        return None if "absent" in value else self.feed(value["value"])

    def run(self, feeds: dict[str, object]) -> list[object]:
        """All outputs."""
        return self._evaluator.run(None, feeds)
