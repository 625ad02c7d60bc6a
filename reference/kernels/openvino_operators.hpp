// The kernels of OpenVINO's operators where they differ from ONNX's: attributes are texts, axes and lists are operands
// of any integer type. openvino_table.cpp says which is in force when; a number in a name is the operator set from
// which that form holds.
#pragma once

#include "kernels/onnx_operators.hpp"

namespace ifcert::kernels::openvino {

// Elementwise, with auto_broadcast: numpy (as where it is not said) or none
EvaluateFunction evaluate_add, evaluate_subtract, evaluate_multiply, evaluate_divide;
EvaluateFunction evaluate_equal, evaluate_less, evaluate_greater;
EvaluateFunction evaluate_logical_and, evaluate_logical_or, evaluate_logical_xor;

// Elements to other places, other dims. Gather's axis is an operand
EvaluateFunction evaluate_concat, evaluate_gather, evaluate_reshape, evaluate_squeeze, evaluate_unsqueeze;
EvaluateFunction evaluate_transpose, evaluate_split, evaluate_broadcast, evaluate_tile;

EvaluateFunction evaluate_shape_of, evaluate_convert, evaluate_reduce_sum, evaluate_matmul;
InferFunction infer_shape_of, infer_convert, infer_matmul;

/// The outputs have the element type of operand 0; their shapes depend on attributes and operands that are not looked
/// at.
InferFunction infer_element;

}  // namespace ifcert::kernels::openvino
