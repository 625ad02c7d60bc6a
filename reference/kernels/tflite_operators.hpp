// The kernels of TensorFlow Lite's operators where they differ from ONNX's: options are attributes, axes and shapes are
// operands of int32, an activation may be fused to the end. tflite_table.cpp says which there are.
//
// Tensors that stand for others by a scale and a zero point never come here: 8- and 16-bit integers are integers.
#pragma once

#include "kernels/onnx_operators.hpp"

namespace ifcert::kernels::tflite {

// tflite_elementwise.cpp. With fused_activation_function:
EvaluateFunction evaluate_add, evaluate_sub, evaluate_mul, evaluate_div;
EvaluateFunction evaluate_not_equal, evaluate_less_equal, evaluate_greater_equal;
EvaluateFunction evaluate_maximum, evaluate_minimum;

// tflite_select.cpp: before SELECT_V2 the condition alone may be shorter
EvaluateFunction evaluate_select;
InferFunction infer_select;

// tflite_operators.cpp
EvaluateFunction evaluate_concatenation, evaluate_pack, evaluate_slice, evaluate_gather, evaluate_transpose;
EvaluateFunction evaluate_cast, evaluate_shape, evaluate_sum, evaluate_fill;
InferFunction infer_concatenation, infer_pack, infer_slice, infer_gather, infer_transpose;
InferFunction infer_cast, infer_shape, infer_sum, infer_fill;

// tflite_reshape.cpp
EvaluateFunction evaluate_reshape, evaluate_expand_dims;
InferFunction infer_reshape, infer_expand_dims;

}  // namespace ifcert::kernels::tflite
