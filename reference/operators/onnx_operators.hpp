// The kernels of ONNX's own operators, by family; onnx_table.cpp lists the versions. A number in a name is the version
// of the operator set from which that form holds, where there are several.
#pragma once

#include "operators/operator.hpp"

namespace ifcert::kernels {

using EvaluateFunction = void(const Operands& operands, std::span<Value> outputs);
using InferFunction = void(const OperandTypes& operands, std::span<Type> outputs);

// arithmetic.cpp: _1 has the limited broadcasting of operator sets before 7
EvaluateFunction evaluate_add_1, evaluate_sub_1, evaluate_mul_1, evaluate_div_1;
EvaluateFunction evaluate_add_7, evaluate_sub_7, evaluate_mul_7, evaluate_div_7;
InferFunction infer_arithmetic_1, infer_arithmetic_7;
EvaluateFunction evaluate_neg, evaluate_abs, evaluate_sign;
InferFunction infer_neg, infer_abs;

// comparison.cpp
EvaluateFunction evaluate_equal_1, evaluate_less_1, evaluate_greater_1;
EvaluateFunction evaluate_equal_7, evaluate_less_7, evaluate_greater_7;
EvaluateFunction evaluate_less_or_equal, evaluate_greater_or_equal;
InferFunction infer_equal_1, infer_equal_7, infer_order_1, infer_order_7;

// functions.cpp
EvaluateFunction evaluate_sqrt, evaluate_exp, evaluate_sigmoid, evaluate_tanh, evaluate_reciprocal;
EvaluateFunction evaluate_ceil, evaluate_relu;
InferFunction infer_function, infer_relu;

// min_max.cpp
EvaluateFunction evaluate_max, evaluate_min;
InferFunction infer_min_or_max;

// one_hot.cpp, non_zero.cpp
EvaluateFunction evaluate_one_hot, evaluate_non_zero;
InferFunction infer_one_hot, infer_non_zero;

// power.cpp: before 12 the exponent has the type of the base
EvaluateFunction evaluate_pow_1, evaluate_pow_7, evaluate_pow_12;
InferFunction infer_pow_1, infer_pow_7, infer_pow_12;

// logic.cpp
EvaluateFunction evaluate_and_1, evaluate_or_1, evaluate_xor_1, evaluate_and_7, evaluate_or_7, evaluate_xor_7;
EvaluateFunction evaluate_not;
InferFunction infer_logic_1, infer_logic_7, infer_not;

// cast.cpp: _1 has the type as a string; from 24 an infinity saturates in every float8 type
EvaluateFunction evaluate_cast_1, evaluate_cast_6, evaluate_cast_24, evaluate_cast_like_15, evaluate_cast_like_24;
InferFunction infer_cast_1, infer_cast_6, infer_cast_like;

// constant.cpp
EvaluateFunction evaluate_constant;
InferFunction infer_constant;

// shape.cpp
EvaluateFunction evaluate_shape, evaluate_size;
InferFunction infer_shape, infer_size;

// reshape.cpp: before 5 (Reshape) and 13 the shape or the axes are an attribute
EvaluateFunction evaluate_identity, evaluate_reshape_1, evaluate_reshape_5;
EvaluateFunction evaluate_squeeze_1, evaluate_squeeze_13, evaluate_unsqueeze_1, evaluate_unsqueeze_13;
InferFunction infer_identity, infer_reshape_1, infer_reshape_5;
InferFunction infer_squeeze_1, infer_squeeze_13, infer_unsqueeze_1, infer_unsqueeze_13;

// gather_concat.cpp: Concat's axis has a default before 4
EvaluateFunction evaluate_concat_1, evaluate_concat_4, evaluate_gather, evaluate_gather_elements, evaluate_where;
InferFunction infer_concat_1, infer_concat_4, infer_gather, infer_gather_elements, infer_where;

// slice.cpp: before 10 starts, ends and axes are attributes
EvaluateFunction evaluate_slice_1, evaluate_slice_10;
InferFunction infer_slice_1, infer_slice_10;

// transpose.cpp
EvaluateFunction evaluate_transpose;
InferFunction infer_transpose;

// expand_tile.cpp
EvaluateFunction evaluate_expand, evaluate_tile;
InferFunction infer_expand, infer_tile;

// split.cpp: the lengths are an attribute or an operand; from 18 exactly one of them and the number of outputs is given
EvaluateFunction evaluate_split_1, evaluate_split_18;
InferFunction infer_split_1, infer_split_18;

// pad.cpp: before 11 the pads are an attribute; axes from 18, mode wrap from 19 on
EvaluateFunction evaluate_pad_1, evaluate_pad_2, evaluate_pad_11, evaluate_pad_18, evaluate_pad_19;
InferFunction infer_pad_1, infer_pad_2, infer_pad_11, infer_pad_18, infer_pad_19;

// fill_range.cpp: Range accepts halves from 27 on
EvaluateFunction evaluate_constant_of_shape, evaluate_range_11, evaluate_range_27;
InferFunction infer_constant_of_shape, infer_range_11, infer_range_27;

// reduction.cpp: the axes are an attribute before 13 (ReduceSum) and 18 (the others)
EvaluateFunction evaluate_reduce_sum_1, evaluate_reduce_mean_1, evaluate_reduce_max_1, evaluate_reduce_min_1;
EvaluateFunction evaluate_reduce_sum_13, evaluate_reduce_mean_18, evaluate_reduce_max_18, evaluate_reduce_min_18;
EvaluateFunction evaluate_reduce_prod_18;
InferFunction infer_reduce_by_attribute, infer_reduce_by_operand, infer_extreme_by_operand;

// arg_max.cpp
EvaluateFunction evaluate_arg_max;
InferFunction infer_arg_max;

// matrix.cpp: before 7 Gemm's third operand broadcasts only with the attribute broadcast
EvaluateFunction evaluate_matmul, evaluate_gemm_1, evaluate_gemm_7;
InferFunction infer_matmul, infer_gemm;

// convolution.cpp
EvaluateFunction evaluate_conv;
InferFunction infer_conv;

// softmax.cpp: before 13 all axes from `axis` on are normalized as one
EvaluateFunction evaluate_softmax_1, evaluate_softmax_13;
InferFunction infer_softmax_1, infer_softmax_13;

// lstm.cpp
EvaluateFunction evaluate_lstm;
InferFunction infer_lstm;

// quantization.cpp: one scale for all before 13; blocks and output types from 21 on
EvaluateFunction evaluate_quantize_linear_10, evaluate_quantize_linear_13, evaluate_quantize_linear_21;
EvaluateFunction evaluate_dequantize_linear_10, evaluate_dequantize_linear_13, evaluate_dequantize_linear_19,
    evaluate_dequantize_linear_21;
InferFunction infer_quantize_linear_10, infer_quantize_linear_13, infer_quantize_linear_21;
InferFunction infer_dequantize_linear_10, infer_dequantize_linear_13, infer_dequantize_linear_19,
    infer_dequantize_linear_21;

// sequence.cpp
EvaluateFunction evaluate_sequence_construct, evaluate_sequence_empty, evaluate_sequence_at, evaluate_sequence_length;
EvaluateFunction evaluate_sequence_insert;
InferFunction infer_sequence_construct, infer_sequence_empty, infer_sequence_at, infer_sequence_length;
InferFunction infer_sequence_insert;

// optional.cpp: from 18 a tensor or sequence counts as an optional that holds it
EvaluateFunction evaluate_optional, evaluate_optional_has_element_15, evaluate_optional_has_element_18;
EvaluateFunction evaluate_optional_get_element_15, evaluate_optional_get_element_18;
InferFunction infer_optional, infer_optional_has_element_15, infer_optional_has_element_18;
InferFunction infer_optional_get_element_15, infer_optional_get_element_18;

}  // namespace ifcert::kernels
