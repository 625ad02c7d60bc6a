"""The crosses that there are, by their name."""

from ifcert.authoring.crosses.dimensions import Cross
from ifcert.authoring.crosses.onnx_call_dimensions import ONNX_CALLS
from ifcert.authoring.crosses.onnx_dimensions import ONNX
from ifcert.authoring.crosses.openvino_dimensions import OPENVINO
from ifcert.authoring.crosses.tflite_dimensions import TFLITE
from ifcert.authoring.faulty.onnx_dimensions import ONNX_FAULTS
from ifcert.authoring.faulty.onnx_faults import TABLE as ONNX_TABLE
from ifcert.authoring.faulty.onnx_run_faults import ONNX_UNREACHED
from ifcert.authoring.faulty.openvino_dimensions import OPENVINO_FAULTS
from ifcert.authoring.faulty.openvino_faults import TABLE as OPENVINO_TABLE
from ifcert.authoring.faulty.table import Table
from ifcert.authoring.faulty.tflite_dimensions import TFLITE_FAULTS
from ifcert.authoring.faulty.tflite_faults import TABLE as TFLITE_TABLE
from ifcert.authoring.rewrites.dimensions import REWRITES

CROSSES: dict[str, Cross] = {
    cross.name: cross
    for cross in (
        ONNX,
        OPENVINO,
        TFLITE,
        REWRITES,
        ONNX_FAULTS,
        OPENVINO_FAULTS,
        TFLITE_FAULTS,
        ONNX_UNREACHED,
        ONNX_CALLS,
    )
}

# The faults of the crosses of what is invalid.
TABLES: dict[str, Table] = {"onnx-faults": ONNX_TABLE, "openvino-faults": OPENVINO_TABLE, "tflite-faults": TFLITE_TABLE}
