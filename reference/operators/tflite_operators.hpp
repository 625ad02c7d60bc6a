// The kernels of TensorFlow Lite's operators where they differ from ONNX's: options are attributes, axes and shapes are
// operands of int32, an activation may be fused. tflite_table.cpp lists them.
//
// Quantized tensors never reach the kernels: 8- and 16-bit integers are plain integers.
#pragma once

#include "operators/onnx_operators.hpp"

namespace ifcert::kernels::tflite {

// tflite_elementwise.cpp. With fused_activation_function:
EvaluateFunction evaluate_add, evaluate_sub, evaluate_mul, evaluate_div;
EvaluateFunction evaluate_not_equal, evaluate_less_equal, evaluate_greater_equal;
EvaluateFunction evaluate_maximum, evaluate_minimum;

// tflite_select.cpp: SELECT, in which only the condition may have fewer elements
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
