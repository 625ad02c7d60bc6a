"""The crosses that there are, by their name."""

from ifcert.authoring.crosses.dimensions import Cross
from ifcert.authoring.crosses.onnx_dimensions import ONNX
from ifcert.authoring.crosses.openvino_dimensions import OPENVINO
from ifcert.authoring.crosses.tflite_dimensions import TFLITE
from ifcert.authoring.rewrites.dimensions import REWRITES

CROSSES: dict[str, Cross] = {cross.name: cross for cross in (ONNX, OPENVINO, TFLITE, REWRITES)}
