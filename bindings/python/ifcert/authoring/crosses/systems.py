"""The crosses that there are, by their system."""

from ifcert.authoring.crosses.dimensions import Cross
from ifcert.authoring.crosses.onnx_dimensions import ONNX

CROSSES: dict[str, Cross] = {cross.system: cross for cross in (ONNX,)}
