"""Models that are written as a text, from which their files are generated."""

from collections.abc import Callable

from ifcert.authoring.ir import IrModel
from ifcert.authoring.tflite import TfliteModel

TextModel = IrModel | TfliteModel
TextEdit = Callable[[str], str]
