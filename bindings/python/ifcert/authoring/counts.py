"""The number of distinct models among the vectors."""

import re
from pathlib import Path

from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.generated import declared_vectors
from ifcert.authoring.ir import IrModel
from ifcert.authoring.notation import model_text
from ifcert.authoring.tflite import TfliteModel
from ifcert.authoring.vector import TextModel, Vector
from ifcert.authoring.vector_files import read_vectors

_TYPES = sorted({name for each in ELEMENTS.values() for name in (each.name, each.text)}, key=len, reverse=True)
_IR_TYPES = r"\b(?:[fiu]|bf|nf)\d+\w*\b|\b(?:boolean|BOOL|STRING|U\d+|I\d+|FP\d+|BF\d+|F\d\w*)\b"
_BLANKED = re.compile(
    rf"\b(?:{'|'.join(_TYPES)})\b|{_IR_TYPES}|\bbytes\b[ 0-9a-f]*|0x[0-9a-f]+|-?\d+(?:\.\d+)?(?:e-?\d+)?"
)
MATRIX = "onnx/if/types-of-opset"


def distinct_models(root: Path) -> int:
    """The number of models whose texts differ once element types, numbers and versions are blanked."""
    texts = set()
    for vector in declared_vectors(root):
        texts.add((vector.system, " ".join(_BLANKED.sub("_", _text(vector)).split())))
    return len(texts)


def _text(vector: Vector) -> str:
    """The model as its author wrote it or, where that was another model, as the printer writes it."""
    model = vector.model
    if isinstance(model, TfliteModel):
        return model.text
    if isinstance(model, IrModel):
        return model.files()["model.xml"].decode(errors="replace")
    if isinstance(model, bytes) and vector.system == "openvino":
        return model.decode(errors="replace")
    assert not isinstance(model, TextModel)
    return model_text(model)


def in_matrix(root: Path) -> int:
    """The number of vectors in the matrix of types and versions: one rule, for each type in each version of If."""
    return sum(entry["rules"][0] == MATRIX for entry in read_vectors(root))
