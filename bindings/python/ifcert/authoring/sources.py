"""The documents that vectors quote, each under one name."""

from ifcert.authoring.vector import Issue, Source


def if_page(clause: str) -> Source:
    """A sentence of ONNX's page on If, from version 11 on, at https://onnx.ai/onnx/operators/onnx__If.html."""
    return Source("ONNX Operators, If-25", clause)


def if_13_page(clause: str) -> Source:
    """A sentence of ONNX's page on If, version 13."""
    return Source("ONNX Operators, If-13", clause)


def if_1_schema(clause: str) -> Source:
    """A sentence of the text of If-1, which only the schema registry (onnx.defs) still contains."""
    return Source("ONNX Operators, If-1 (onnx.defs)", clause)


def operator_schema(clause: str) -> Source:
    """A fact stated by the operator schemas in onnx.defs."""
    return Source("ONNX operator schemas (onnx.defs)", clause)


def operator_example(clause: str) -> Source:
    """A line of one of the examples of the onnx package that the pages on the operators show."""
    return Source("ONNX, examples of the operators (onnx/backend/test/case/node)", clause)


def ir(clause: str) -> Source:
    """A sentence of the ONNX IR specification."""
    return Source("ONNX IR (docs/IR.md)", clause)


def external_data(clause: str) -> Source:
    """A sentence of ONNX's page on external data."""
    return Source("ONNX external data (docs/ExternalData.md)", clause)


def proto(clause: str) -> Source:
    """A comment of onnx.proto."""
    return Source("onnx.proto", clause)


def proto2(clause: str) -> Source:
    """A sentence of the language guide of Protocol Buffers, in which onnx.proto is written."""
    return Source("Protocol Buffers, Language Guide (proto 2)", clause)


def openvino_if(clause: str) -> Source:
    """A sentence of OpenVINO's page on If-8."""
    return Source("OpenVINO If-8", clause)


def openvino_if_draft(clause: str) -> Source:
    """A sentence of the draft of OpenVINO's page on If-8."""
    return Source("OpenVINO If-8 (draft)", clause)


def openvino_operator(operation: str, clause: str) -> Source:
    """A sentence of OpenVINO's page on another operation, such as Add-1."""
    return Source(f"OpenVINO {operation}", clause)


def openvino_ir(clause: str) -> Source:
    """A sentence of OpenVINO's page on the IR format."""
    return Source("OpenVINO IR format", clause)


def openvino_opsets(clause: str) -> Source:
    """A sentence of OpenVINO's page on operation sets and IR versions."""
    return Source("Operation Sets in OpenVINO", clause)


def xml(clause: str) -> Source:
    """A sentence of the XML specification."""
    return Source("XML 1.0 (Fifth Edition)", clause)


def ir_as_read(clause: str) -> Source:
    """A sentence of this project's page on how it reads IR files."""
    return Source("ifcert, docs/openvino_ir.md", clause)


def onert(section: str, clause: str) -> Source:
    """A sentence of onert's document on its control flow operations."""
    return Source("onert: control flow", f"{section}: '{clause}'")


def tflite_rfc(section: str, clause: str) -> Source:
    """A sentence of the RFC that onert's document quotes."""
    return Source("Control Flow in TensorFlow Lite (RFC 20190315)", f"{section}: '{clause}'")


def tensorflow_if(member: str, clause: str) -> Source:
    """A sentence of TensorFlow's definition of If, which the RFC defers to."""
    return Source("TensorFlow, If (api_def_If.pbtxt)", f"{member}: '{clause}'")


def tensorflow_while(member: str, clause: str) -> Source:
    """A sentence of TensorFlow's definition of While, which the RFC defers to."""
    return Source("TensorFlow, While (api_def_While.pbtxt)", f"{member}: '{clause}'")


def tflite_schema(place: str, clause: str) -> Source:
    """A declaration or a comment of TensorFlow Lite's schema, version 3."""
    return Source("TensorFlow Lite schema, version 3 (schema.fbs)", f"{place}: '{clause}'")


def circle_schema(place: str, clause: str) -> Source:
    """A declaration or a comment of Circle's schema."""
    return Source("Circle schema (circle_schema.fbs)", f"{place}: '{clause}'")


def tflite_verifier(function: str, clause: str) -> Source:
    """A comment or a message of the verifier of model files that comes with TensorFlow Lite."""
    return Source("TensorFlow Lite, verifier of models (core/tools/verifier.cc)", f"{function}: '{clause}'")


def tflite_strings(clause: str) -> Source:
    """A line of TensorFlow Lite's description of tensors of strings."""
    return Source("TensorFlow Lite, tensors of strings (string_util.h)", f"String tensors: '{clause}'")


def tflite_as_read(section: str, clause: str) -> Source:
    """A sentence of this project's page on how it reads TensorFlow Lite files."""
    return Source("ifcert, docs/tflite.md", f"{section}: '{clause}'")


def issue(repository: str, number: int, note: str) -> Issue:
    """An issue of a public repository, given as owner/name."""
    return Issue(f"https://github.com/{repository}/issues/{number}", note)


MAY_DEFINE = ir(
    "Graphs: 'Nested subgraphs [...] MUST define the names of its inputs and outputs and MAY define the types'"
)
OUTER = ir("Nodes: 'A node input in a nested subgraph MAY refer to names introduced in outer graphs'")
OUTER_OF_ANY_KIND = ir(
    "Nodes: 'A node input in a nested subgraph MAY refer to names introduced in outer graphs "
    "(as node outputs, graph inputs, or graph initializers).'"
)
AGNOSTIC = ir("Runtime Agnostic: 'ONNX does not pre-suppose or imply any particular method of runtime implementation.'")
STACKED_IN_EXAMPLE = operator_example(
    "Loop, loop_11: the body declares 'scan_out' as [1], and after five trips 'res_scan' is "
    "'np.array([-1, 1, 4, 8, 13]).astype(np.float32).reshape((5, 1))': one axis more than the results of the body"
)
COMPATIBLE = if_page(
    "Outputs: 'If corresponding outputs from the then-branch and the else-branch have static shapes S1 and S2, then "
    "the shape of the corresponding output variable of the if-node (if present) must be compatible with both S1 and S2'"
)
EXAMPLE = if_page(
    "Outputs, for [2] and [3]: '(a) no shape set, or (b) a shape of rank 1 with neither dim_value nor dim_param set, "
    "or (c) a shape of rank 1 with a unique dim_param'"
)
CANNOT = if_page("Outputs: 'the first output cannot have the shape [2] since [2] and [3] are not compatible'")
RANK_NEEDED = ir("Graphs: 'The main graph inputs and outputs are required to have a shape, indicating the rank'")
GLOBAL_DIMS = ir(
    "Static tensor shapes: 'A dimension variable \"N\" represents the same value across the entire graph in a model.'"
)
SIZE_OF_NOTHING = (
    "Constant-1 says of size 'positive integer bigger than zero', which leaves no legal size for a Const without "
    "elements"
)
MERGED = issue(
    "onnx/onnx", 2345, "the shapes of the branches were merged, so branches with different shapes were an error"
)
