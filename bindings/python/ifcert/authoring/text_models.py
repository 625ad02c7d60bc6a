"""Models whose author writes a text, from which the files come."""

from collections.abc import Callable

from ifcert.authoring.ir import IrModel
from ifcert.authoring.tflite import TfliteModel

TextModel = IrModel | TfliteModel
TextEdit = Callable[[str], str]
