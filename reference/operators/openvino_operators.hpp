// The kernels of OpenVINO's operators where they differ from ONNX's: attributes are strings, axes and lists are
// operands of any integer type. openvino_table.cpp lists the versions; a number in a name is the operator set from
// which that form holds.
#pragma once

#include "operators/onnx_operators.hpp"
#include "operators/openvino_elements.hpp"

namespace ifcert::kernels::openvino {

// openvino_elementwise.cpp, with auto_broadcast: numpy (the default), none or pdpd
EvaluateFunction evaluate_add, evaluate_subtract, evaluate_multiply, evaluate_divide, evaluate_power;
EvaluateFunction evaluate_equal, evaluate_less, evaluate_greater;
EvaluateFunction evaluate_logical_and, evaluate_logical_or, evaluate_logical_xor;
EvaluateFunction evaluate_select;
InferFunction infer_select, infer_divide;

/// Infers the types by `numpy`, an inference of ONNX, with any auto_broadcast.
void infer_pair(InferFunction numpy, const OperandTypes& operands, std::span<Type> outputs);

/// Infers those of LogicalAnd and its neighbours, whose operands are booleans.
template <InferFunction* numpy>
void infer_pairwise(const OperandTypes& operands, std::span<Type> outputs) {
  infer_pair(*numpy, operands, outputs);
}

/// Infers those of an operation on elements of more types than `numpy` has.
template <InferFunction* numpy, Elements accepted>
void infer_pair_of(const OperandTypes& operands, std::span<Type> outputs) {
  expect_elements(operands, accepted);
  infer_of_any_elements(infer_pairwise<numpy>, operands, outputs);
}

// openvino_gather.cpp: the axis is an operand
EvaluateFunction evaluate_gather;

// openvino_operators.cpp: movement of elements, other dims
EvaluateFunction evaluate_concat, evaluate_reshape, evaluate_squeeze, evaluate_unsqueeze, evaluate_slice;
EvaluateFunction evaluate_transpose, evaluate_split, evaluate_broadcast, evaluate_tile;

EvaluateFunction evaluate_shape_of, evaluate_convert, evaluate_range, evaluate_matmul;
EvaluateFunction evaluate_reduce_sum, evaluate_reduce_mean, evaluate_reduce_max, evaluate_reduce_prod;
InferFunction infer_shape_of, infer_convert, infer_range;

// openvino_shapes.cpp. The outputs have the element type of an operand, and the shapes that the ports declare; ONNX's
// inference finds shapes that cannot fit, where attributes and constants are known.
InferFunction infer_element, infer_concat, infer_matmul, infer_reshape, infer_squeeze, infer_unsqueeze, infer_slice;
InferFunction infer_transpose, infer_split, infer_broadcast, infer_tile, infer_gather, infer_reduce;

}  // namespace ifcert::kernels::openvino
