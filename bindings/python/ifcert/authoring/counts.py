"""The number of distinct models among the vectors."""

import json
import re
from pathlib import Path

from ifcert.authoring.elements import ELEMENTS

_TYPES = sorted({name for each in ELEMENTS.values() for name in (each.name, each.text)}, key=len, reverse=True)
_IR_TYPES = r"\b(?:[fiu]|bf|nf)\d+\w*\b|\b(?:boolean|BOOL|STRING|U\d+|I\d+|FP\d+|BF\d+|F\d\w*)\b"
_BLANKED = re.compile(
    rf"\b(?:{'|'.join(_TYPES)})\b|{_IR_TYPES}|\bbytes\b[ 0-9a-f]*|0x[0-9a-f]+|-?\d+(?:\.\d+)?(?:e-?\d+)?"
)
MATRIX = "onnx/if/types-of-opset"


def distinct_models(root: Path) -> int:
    """The number of models whose texts differ once element types, numbers and versions are blanked."""
    texts = set()
    for entry in _entries(root):
        name = "model.xml" if "model.xml" in entry["files"] else "model.txt"
        text = (root / entry["path"] / name).read_text(errors="replace")
        texts.add((entry["system"], " ".join(_BLANKED.sub("_", text).split())))
    return len(texts)


def in_matrix(root: Path) -> int:
    """The number of vectors in the matrix of types and versions: one rule, for each type in each version of If."""
    return sum(entry["rules"][0] == MATRIX for entry in _entries(root))


def _entries(root: Path) -> list[dict]:
    return json.loads((root / "manifest.json").read_text())["vectors"]
